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
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.errors import UnsolvedError

Array = NDArray[np.float64]
Pattern = NDArray[np.bool_]

VIOLATED = 1e-10
"""A cell joins the programme if the dual exceeds 1 on it by more than this."""
JOIN = 60
"""Number of cells that join at a time, the worst first."""
ROUNDS = 60
PRECISION = 1e-13


class CellWalls(Protocol):
    """Cells with the hyperplanes that hold them, as `peaks.Peaks` has them."""

    @property
    def directions(self) -> Array: ...
    @property
    def patterns(self) -> Pattern: ...
    @property
    def inward(self) -> Array: ...
    def of(self, cell: int) -> NDArray[np.intp]: ...


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


def solve(X: Array, y: Array, peaks: Peaks, first: Pattern, penalty: float | None = None) -> Approximation:
    """Approximately the least total variation of networks through (x_i, y_i), or the least penalised loss.

    X        (n, d + 1), the x̃_i
    peaks    of all cells
    first    (m, n), cells whose units can pass through any labels
    penalty  λ; None for interpolation
    """
    lengths = np.linalg.norm(X, axis=1)
    targets = y / lengths
    size = float(np.abs(targets).max()) or 1.0
    wanted = {row.tobytes() for row in first}
    chosen = {(k, side) for k, row in enumerate(peaks.patterns) if row.tobytes() in wanted for side in (0, 1)}
    n = X.shape[0]
    # in labels/size and λ/size, the loss over λ is Σ loss_i·(f(x_i)/|x̃_i| - target_i)²
    loss = None if penalty is None else lengths**2 * size / (n * penalty)
    rounds = 0
    while True:
        rounds += 1
        columns = sorted(chosen)
        p, u = restricted(peaks, targets / size, columns, loss)
        new = peaks.violated(p, VIOLATED, max(JOIN, 2 * n), chosen)
        if not new or rounds >= ROUNDS:
            break
        chosen |= set(new)
    blocks = [Block(peaks.patterns[k], 1 - 2 * side, row * size) for (k, side), row in zip(columns, u, strict=True)]
    return Approximation(p / lengths, blocks, len({k for k, _ in chosen}), rounds, peaks.largest_excess(p))


def excesses(directions: Array, p: Array, patterns: Pattern) -> Array:
    """(2, S): the maximum over unit vectors of each closed cell of g and of -g, minus 1, where that is positive.

    Cell by cell and with all n hyperplanes; `peaks.Peaks` finds the largest in a hundredth of the time.
    """
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


def restricted(
    peaks: CellWalls, targets: Array, columns: list[tuple[int, int]], loss: Array | None
) -> tuple[Array, Array]:
    """The dual and the u of the programme over these cells and signs."""
    import clarabel
    from scipy import sparse

    n, size = peaks.directions.shape
    count = len(columns)
    equal = [
        np.hstack([np.zeros((n, 1)), (1 - 2 * side) * peaks.patterns[k][:, None] * peaks.directions])
        for k, side in columns
    ]
    bounding = [len(peaks.of(k)) for k, _ in columns]
    inside = [
        np.hstack([np.zeros((rows, 1)), -peaks.inward[k, :rows]])
        for (k, _), rows in zip(columns, bounding, strict=True)
    ]
    A = sparse.csc_matrix(
        sparse.vstack(
            [sparse.csc_matrix(np.hstack(equal)), sparse.block_diag(inside), -sparse.identity(count * (size + 1))]
        )
    )
    b = np.concatenate([targets, np.zeros(sum(bounding) + count * (size + 1))])
    cones: list[Any] = [clarabel.ZeroConeT(n), clarabel.NonnegativeConeT(sum(bounding))]
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
