"""Least weighted variation by one cone programme over all cells, in floating point: nothing here is trusted.

With the extreme rays r_k of a closed cell, u = Σ a_k r_k, a >= 0, runs through it, so that
  min Σ √(uᵀQ_S u) + l_S·u  subject to  Σ σ D_S X̃ u_{S,σ} = y
is a cone programme in the a; its multipliers at the data are the dual p. Equations at
points near each other are replaced by differences (`differences`): a unit of norm |θ| changes these by at most |θ|.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from implicitbias.convex.programmes.differences import differences
from implicitbias.convex.variation.programme import Array, Pattern
from implicitbias.errors import UnsolvedError

PRECISION = 1e-13
FLAT = 1e-12
"""Eigenvalues of Q below this part of the largest count as 0."""


@dataclass(frozen=True)
class CellShape:
    """A cell in floating point: its pattern, unit rays (m, d + 1), R with RᵀR = Q (rank, d + 1), and l."""

    pattern: Pattern
    rays: Array
    root: Array
    tilt: Array


def root_of(Q: Array) -> Array:
    """R of full row rank with RᵀR approximately Q."""
    values, vectors = np.linalg.eigh(Q)
    kept = values > FLAT * max(float(values.max(initial=0.0)), 1e-300)
    return np.asarray((vectors[:, kept] * np.sqrt(values[kept])).T)


def solve_weighted(
    X: Array, y: Array, shapes: list[CellShape], margins: bool = False
) -> tuple[list[Fraction], list[tuple[int, int, Array]]]:
    """p and the non-zero (cell, sign, a), approximately optimal; a are the shares of the cell's rays.

    X  (n, d + 1), the x̃_i
    y  (n,)
    margins  require y_i f(x_i) >= y_i² instead of f(x_i) = y_i
    """
    import clarabel
    from scipy import sparse

    n, rows = len(y), differences(X, none=margins)
    scales = np.array(rows.scales, float)
    targets = np.array(rows.of([Fraction(float(value)) for value in y]), float)
    size = float(np.abs(targets).max()) or 1.0
    equal, blocks, cones, costs, places = [], [], [], [], []
    for k, shape in enumerate(shapes):
        if not shape.pattern.any():
            continue
        outputs = _outputs(X, shape, rows.pairs) / scales[:, None]
        moves = np.linalg.norm(outputs, axis=0) + np.linalg.norm(shape.root @ shape.rays.T, axis=0) > 1e-14
        m, rank = int(moves.sum()), len(shape.root)
        for sign in (1, -1):
            places.append((k, sign, moves))
            equal.append(np.hstack([np.zeros((len(y), 1)), sign * outputs[:, moves]]))
            block = np.zeros((m + 1 + rank, 1 + m))
            block[:m, 1:] = -np.eye(m)
            block[m, 0] = -1
            block[m + 1 :, 1:] = -(shape.root @ shape.rays[moves].T)
            blocks.append(block)
            cones += [clarabel.NonnegativeConeT(m), clarabel.SecondOrderConeT(rank + 1)]
            costs.append(np.concatenate([[1.0], shape.rays[moves] @ shape.tilt]))
    table = sparse.csc_matrix(np.hstack(equal))
    inner: Any = sparse.block_diag(blocks)
    A = sparse.csc_matrix(sparse.vstack([table, inner]))
    b = np.concatenate([targets / size, np.zeros(inner.shape[0])])
    q = np.concatenate(costs)
    first = clarabel.ZeroConeT(len(y))
    if margins:
        # -y_i f(x_i) + s_i = -y_i², s_i >= 0
        turned = np.concatenate([-np.sign(y), np.ones(inner.shape[0])])
        A, b, first = sparse.csc_matrix(sparse.diags(turned) @ A), turned * b, clarabel.NonnegativeConeT(len(y))
    multipliers, x = _solved(A, b, q, [first, *cones], n)
    if margins:
        multipliers = -np.sign(y) * multipliers
    # in fractions: the two p of a pair nearly cancel
    p = rows.back([Fraction(float(value)) for value in multipliers])
    found, start = [], 0
    for k, sign, moves in places:
        m = int(moves.sum())
        shares = np.zeros(len(moves))
        shares[moves] = np.maximum(x[start + 1 : start + 1 + m], 0) * size
        if shares.any():
            found.append((k, sign, shares))
        start += 1 + m
    return p, found


def _outputs(X: Array, shape: CellShape, pairs: dict[int, int]) -> Array:
    """[ray·x̃_i]_+ for every ray of the cell, and for pairs the difference, without cancellation."""
    values = shape.pattern[:, None] * (X @ shape.rays.T)
    out = values.copy()
    for i, j in pairs.items():
        both = shape.pattern[i] and shape.pattern[j]
        out[i] = (X[i] - X[j]) @ shape.rays.T if both else values[i] - values[j]
    return np.asarray(out)


def _solved(A: Any, b: Array, q: Array, cones: list[Any], n: int) -> tuple[Array, Array]:
    """The dual at the first n rows and the primal, for the solver setting with the smallest residuals."""
    import clarabel
    from scipy import sparse

    best: tuple[float, Array, Array] | None = None
    for regularisation in (1e-8, 1e-12):
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_iter = 200
        settings.static_regularization_constant = regularisation
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = PRECISION
        answer = clarabel.DefaultSolver(sparse.csc_matrix((len(q),) * 2), q, A, b, cones, settings).solve()
        x, z, s = np.array(answer.x), np.array(answer.z), np.array(answer.s)
        if not (np.isfinite(x).all() and np.isfinite(z).all()):
            continue
        wrong = float(np.abs(A @ x + s - b).max() + np.abs(A.T @ z + q).max() + abs(q @ x + b @ z))
        if best is None or wrong < best[0]:
            best = (wrong, -z[:n], x)
        if str(answer.status) == "Solved":
            break
    if best is None:
        raise UnsolvedError("the cone programme failed")
    return best[1], best[2]
