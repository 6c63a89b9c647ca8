"""Nonnegative least squares by several methods, each checked against the optimality conditions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SLACK = 1e-10
"""How far the optimality conditions may be off, relative to the right-hand side, before another method is tried."""


def nonnegative_least_squares(A: Array, b: Array) -> Array:
    """x >= 0 with |Ax - b| about least; 0 if no method comes close.

    At the minimum Aᵀ(b - Ax) <= 0, with equality where x > 0, for columns of length 1. Where columns are nearly
    dependent, `scipy.optimize.nnls` silently returns vectors that are far from it.

    >>> nonnegative_least_squares(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([2.0, -1.0]))
    array([2., 0.])
    """
    from scipy.optimize import lsq_linear, nnls

    lengths = np.linalg.norm(A, axis=0)
    lengths[lengths == 0] = 1.0
    unit, size = A / lengths, float(np.linalg.norm(b)) or 1.0
    best, least = np.zeros(A.shape[1]), _wrong(unit, b / size, np.zeros(A.shape[1]))
    for method in ("nnls", "bvls", "qr", "cone"):
        if least <= SLACK:
            break
        try:
            if method == "nnls":
                x = nnls(unit, b / size)[0]
            elif method == "bvls":
                x = np.maximum(lsq_linear(unit, b / size, (0, np.inf), "bvls", tol=1e-14, max_iter=200).x, 0.0)
            elif method == "qr":
                x = _on_support(unit, b / size, best)
            else:
                x = _by_cone(unit, b / size)
        except (RuntimeError, ValueError, np.linalg.LinAlgError):
            continue
        wrong = _wrong(unit, b / size, x)
        if wrong < least:
            best, least = x, wrong
    return np.asarray(best * size / lengths)


def _wrong(A: Array, b: Array, x: Array) -> float:
    """How far x is from optimal: 0 if it is."""
    pull = A.T @ (b - A @ x)
    return float(max(pull.max(initial=0.0), np.abs(pull[x > 0]).max(initial=0.0)))


def _on_support(A: Array, b: Array, x: Array) -> Array:
    """Least squares on the support of x."""
    kept = x > 0
    found = np.zeros(len(x))
    found[kept] = np.linalg.lstsq(A[:, kept], b, rcond=1e-13)[0]
    return np.maximum(found, 0.0)


def _by_cone(A: Array, b: Array) -> Array:
    """By an interior-point method, with the least squares on its support."""
    import clarabel
    from scipy import sparse

    count = A.shape[1]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-14
    answer = clarabel.DefaultSolver(
        sparse.csc_matrix(A.T @ A),
        -A.T @ b,
        sparse.csc_matrix(-np.eye(count)),
        np.zeros(count),
        [clarabel.NonnegativeConeT(count)],
        settings,
    ).solve()
    x = np.maximum(np.nan_to_num(np.array(answer.x)), 0.0)
    x[x < 1e-9 * x.max(initial=0.0)] = 0.0
    better = _on_support(A, b, x)
    return better if _wrong(A, b, better) < _wrong(A, b, x) else x
