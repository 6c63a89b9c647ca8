"""Least total variation by cone programmes over a growing set of cells, in floating point: nothing here is trusted.

On the closed cell C_S of a pattern S the units c·[θ·x̃]_+ are linear in u = |c|θ at the data, and cost |u|:
  min Σ |u_{S,σ}|  subject to  Σ σ D_S X̃ u_{S,σ} = y,  u_{S,σ} in C_S,  σ = ±1       (de Dios & Bruna 2020, (20)).
The dual p of a programme over some of the cells is feasible for all if |Proj_{C_S}(±v_S)| <= 1 for every cell, with
v_S = Σ_{i in S} p_i x̃_i; |Proj_C(v)| = min {|v + Gᵀμ|: μ >= 0}, C = {θ: Gθ >= 0}, is found by nonnegative least
squares. Cells that break the bound join the programme.

Penalised, min (1/n) Σ (f(x_i) - y_i)² + λ Σ |u| (problem (22)), it has the same dual feasible set, with λp for p.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares
from implicitbias.errors import UnsolvedError

Array = NDArray[np.float64]
Pattern = NDArray[np.bool_]

VIOLATED = 1e-10
"""A cell joins the programme if the dual exceeds 1 on it by more than this."""
JOIN = 60
"""Number of cells that join at a time, the worst first."""
ROUNDS = 60
PRECISION = 1e-13


@dataclass(frozen=True)
class Block:
    """u_{S,σ}, and the largest value of σ·g over the unit vectors of its cell."""

    pattern: Pattern
    sign: int
    u: Array


@dataclass(frozen=True)
class Approximation:
    """p and the non-zero u, approximately optimal, with the number of cells used and of rounds."""

    p: Array
    blocks: list[Block]
    cells_used: int
    rounds: int
    excess: float
    """The largest violation of |g| <= 1."""


def solve(X: Array, y: Array, patterns: Pattern, first: Pattern, penalty: float | None = None) -> Approximation:
    """Approximately the least total variation of networks through (x_i, y_i), or the least penalised loss.

    X         (n, d + 1), the x̃_i
    patterns  (S, n), all cells
    first     (m, n), cells whose units can pass through any labels
    penalty   λ; None for interpolation
    """
    lengths = np.linalg.norm(X, axis=1)
    directions, targets = X / lengths[:, None], y / lengths
    size = float(np.abs(targets).max()) or 1.0
    chosen = {(row.tobytes(), sign) for row, sign in product(first, (1, -1))}
    n = X.shape[0]
    # in labels/size and λ/size, the loss over λ is Σ loss_i·(f(x_i)/|x̃_i| - target_i)²
    loss = None if penalty is None else lengths**2 * size / (n * penalty)
    rounds = 0
    while True:
        rounds += 1
        columns = [(np.frombuffer(key, np.bool_), sign) for key, sign in sorted(chosen)]
        p, u = _restricted(directions, targets / size, columns, loss)
        excess = excesses(directions, p, patterns)
        found = [
            (value, patterns[k].tobytes(), sign)
            for sign, values in ((1, excess[0]), (-1, excess[1]))
            for k, value in ((int(k), float(values[k])) for k in np.flatnonzero(values > VIOLATED))
        ]
        new = sorted((item for item in found if item[1:] not in chosen), reverse=True)[: max(JOIN, 2 * n)]
        if not new or rounds >= ROUNDS:
            break
        chosen |= {item[1:] for item in new}
    blocks = [Block(pattern, sign, row * size) for (pattern, sign), row in zip(columns, u, strict=True)]
    return Approximation(p / lengths, blocks, len({key for key, _ in chosen}), rounds, float(excess.max()))


def excesses(directions: Array, p: Array, patterns: Pattern) -> Array:
    """(2, S): the maximum over unit vectors of each closed cell of g and of -g, minus 1, where that is positive."""
    vectors = patterns @ (p[:, None] * directions)
    excess = np.zeros((2, len(patterns)))
    for k in np.flatnonzero(np.linalg.norm(vectors, axis=1) > 1):
        for row, sign in enumerate((1, -1)):
            excess[row, k] = max(0.0, multipliers(directions, patterns[k], sign * vectors[k])[1] - 1)
    return excess


def multipliers(directions: Array, pattern: Pattern, v: Array) -> tuple[Array, float]:
    """The μ >= 0 for which |v + Σ μ_i s_i x̃_i| is smallest, and that length; s_i = 1 in the pattern, -1 outside."""
    sides = np.where(pattern, 1.0, -1.0)
    table = (sides[:, None] * directions).T
    mu = nonnegative_least_squares(table, -v)
    return mu, float(np.linalg.norm(v + table @ mu))


def _restricted(
    directions: Array, targets: Array, columns: list[tuple[Pattern, int]], loss: Array | None
) -> tuple[Array, Array]:
    """The dual and the u of the programme over these cells and signs."""
    import clarabel
    from scipy import sparse

    n, size = directions.shape
    count = len(columns)
    equal = [np.hstack([np.zeros((n, 1)), sign * pattern[:, None] * directions]) for pattern, sign in columns]
    inside = [
        np.hstack([np.zeros((n, 1)), -np.where(pattern, 1.0, -1.0)[:, None] * directions]) for pattern, _ in columns
    ]
    A = sparse.csc_matrix(
        sparse.vstack(
            [sparse.csc_matrix(np.hstack(equal)), sparse.block_diag(inside), -sparse.identity(count * (size + 1))]
        )
    )
    b = np.concatenate([targets, np.zeros(count * (n + size + 1))])
    cones: list[Any] = [clarabel.ZeroConeT(n), clarabel.NonnegativeConeT(n * count)]
    cones += [clarabel.SecondOrderConeT(size + 1)] * count
    q = np.tile(np.concatenate([[1.0], np.zeros(size)]), count)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 200
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = PRECISION
    P = sparse.csc_matrix((count * (size + 1),) * 2)
    if loss is not None:
        # the n errors at the data are further variables
        A = sparse.csc_matrix(sparse.hstack([A, sparse.csc_matrix(np.eye(len(b), n) * -1)]))
        P = sparse.csc_matrix(sparse.block_diag([P, np.diag(2 * loss)]))
        q = np.concatenate([q, np.zeros(n)])
    answer = clarabel.DefaultSolver(P, q, A, b, cones, settings).solve()
    x, z = np.array(answer.x), np.array(answer.z)
    if not (np.isfinite(x).all() and np.isfinite(z).all()):
        raise UnsolvedError(f"the cone programme failed: {answer.status}")
    return -z[:n], x[: count * (size + 1)].reshape(count, size + 1)[:, 1:]
