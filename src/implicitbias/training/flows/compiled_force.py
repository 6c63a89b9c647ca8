"""Newton's method for the pull at temperature 1 (`implicit_force`), in compiled loops: few data, many steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NEWTON = 60
"""Newton steps before the step η is given up as too long."""
ENOUGH = 1e-11
"""Residual of log p at which Newton's method stops."""
LONGEST = 4.0
"""The largest change of log p in one of Newton's steps."""
NEGLIGIBLE, SMALL = 1e-12, 1e-9
"""Weights up to which a residual, or a change of log p, does not count."""


@compiled
def log_force(logistic: bool, q: float) -> float:
    """log |ℓ'(q)| of the logistic or the exponential loss."""
    return -(max(q, 0.0) + np.log1p(np.exp(-abs(q)))) if logistic else -q


@compiled
def decay(logistic: bool, q: float) -> float:
    """-d log |ℓ'|/dq."""
    return np.exp(log_force(True, -q)) if logistic else 1.0


@compiled
def newton(logistic: bool, G: Array, q: Array, step: float, alpha: Array, after: Array) -> bool:
    """Find alpha = log p with p proportional to |ℓ'(q + η G p)| from alpha, in place; whether it was found.

    after  is overwritten by q + η G p. Each of Newton's steps solves
    (I + diag(decay) η G diag(p)) dα = -residual + a constant, which keeps Σ p.
    """
    n = q.shape[0]
    p, residual = np.empty(n), np.empty(n)
    matrix, both = np.empty((n, n)), np.empty((n, 2))
    last = np.inf
    for _ in range(NEWTON):
        top = alpha[0]
        for i in range(n):
            top = max(top, alpha[i])
        total = 0.0
        for i in range(n):
            p[i] = np.exp(alpha[i] - top)
            total += p[i]
        mean = greatest = 0.0
        for i in range(n):
            p[i] /= total
        for i in range(n):
            alpha[i] = np.log(max(p[i], 1e-300))
            moved = 0.0
            for k in range(n):
                moved += step * G[i, k] * p[k]
            after[i] = q[i] + moved
            if not np.isfinite(after[i]):
                return False
            greatest = max(greatest, abs(after[i]))
            residual[i] = alpha[i] - log_force(logistic, after[i])
            mean += p[i] * residual[i]
        size = 0.0
        for i in range(n):
            residual[i] -= mean
            if p[i] > NEGLIGIBLE:
                size = max(size, abs(residual[i]))
        if size < ENOUGH * (1 + greatest * 1e-4):
            return True
        for i in range(n):
            slope = decay(logistic, after[i])
            for k in range(n):
                matrix[i, k] = (1.0 if i == k else 0.0) + slope * (step * G[i, k]) * p[k]
            both[i, 0], both[i, 1] = -residual[i], 1.0
        if not solve(matrix, both):
            return False
        shift = weight = largest = 0.0
        for i in range(n):
            shift += p[i] * both[i, 0]
            weight += p[i] * both[i, 1]
        for i in range(n):
            both[i, 0] -= both[i, 1] * shift / weight
            if p[i] > SMALL:
                largest = max(largest, abs(both[i, 0]))
        limit = LONGEST if size >= last * 0.5 else 4 * LONGEST
        factor = min(1.0, limit / largest) if largest > 0 else 1.0
        for i in range(n):
            alpha[i] += factor * both[i, 0]
        last = size
    return False


@compiled
def solve(matrix: Array, right: Array) -> bool:
    """right <- matrix⁻¹ right by elimination with partial pivoting, which overwrites both. False if it is singular."""
    n, columns = right.shape
    for at in range(n):
        pivot = at
        for i in range(at + 1, n):
            if abs(matrix[i, at]) > abs(matrix[pivot, at]):
                pivot = i
        if matrix[pivot, at] == 0:
            return False
        if pivot != at:
            for k in range(n):
                matrix[at, k], matrix[pivot, k] = matrix[pivot, k], matrix[at, k]
            for k in range(columns):
                right[at, k], right[pivot, k] = right[pivot, k], right[at, k]
        for i in range(at + 1, n):
            share = matrix[i, at] / matrix[at, at]
            if share != 0:
                for k in range(at + 1, n):
                    matrix[i, k] -= share * matrix[at, k]
                for k in range(columns):
                    right[i, k] -= share * right[at, k]
    for i in range(n - 1, -1, -1):
        for k in range(columns):
            for j in range(i + 1, n):
                right[i, k] -= matrix[i, j] * right[j, k]
            right[i, k] /= matrix[i, i]
    return True
