"""Sums of ReLUs at many inputs; for univariate inputs without the inputs × units matrix.

Where a kink lies on a datum, rounding decides whether a unit is active there. Training and evaluation decide alike, by
the sign of the same doubles: w x + b for univariate inputs, `lifts` for vectors. A place -b/w would be rounded anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.given import reals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

BLOCK = 1 << 22
"""Maximum number of entries of an inputs × units matrix held at once."""


def sum_of_relus(w: Array, b: Array, v: Array, x: Array) -> Array:
    """Σ_i v_i [⟨w_i, x⟩ + b_i]_+: shape (Q, k) for w (n,) or (n, d), b (n,), v (n, k), x (Q,) or (Q, d)."""
    if w.ndim == 1:
        return np.stack([kink_sums(w, b, v[:, k] * w, v[:, k] * b, x) for k in range(v.shape[1])], axis=-1)
    size = max(1, BLOCK // len(b))
    return np.concatenate([np.maximum(lifts(w, b, x[i : i + size]), 0.0) @ v for i in range(0, len(x), size)])


def lifts(w: Array, b: Array, x: Array) -> Array:
    """⟨w_i, x_j⟩ + b_i, shape (Q, n), for w (n, d), b (n,), x (Q, d).

    A product of matrices adds in an order that depends on their sizes; where that could change the sign of an entry it
    is added again coordinate by coordinate, so that the sign does not depend on the other inputs and units.
    """
    z: Array = x @ w.T + b
    reach = np.linalg.norm(x, axis=1)[:, None] * np.linalg.norm(w, axis=1) + np.abs(b)
    j, i = np.nonzero(np.abs(z) <= (x.shape[1] + 4) * np.finfo(z.dtype).eps * reach)
    if j.size:
        total = np.zeros(j.size)
        for at in range(x.shape[1]):
            total += x[j, at] * w[i, at]
        z[j, i] = total + b[i]
    return z


def inputs_of(d: int | None, x: ArrayLike) -> tuple[Array, bool]:
    """Inputs as (Q,), or (Q, d) for vectors, and whether a single one was given: a number, or one vector (d,)."""
    points = reals("inputs", x)
    each = 0 if d is None else 1
    if points.ndim not in (each, each + 1) or (d is not None and points.shape[-1] != d):
        wanted = "(Q,), or be a number" if d is None else f"(Q, {d}), or ({d},) for one"
        raise DataError(f"inputs must have shape {wanted}: got {points.shape}")
    return (points[None], True) if points.ndim == each else (points, False)


def kink_sums(w: Array, b: Array, slope: Array, intercept: Array, x: Array) -> Array:
    """Σ_i 1{w_i x + b_i > 0} (slope_i x + intercept_i) at x (Q,), in O((n + Q) log Q).

    Slopes and intercepts are summed by kinks, separately for units that open to the right and to the left.
    """
    order = np.argsort(x, kind="stable")
    points = x[order]
    right, left = w > 0, ~(w > 0)
    place = _before_kink(w, b, points)
    sums = []
    for part in (slope, intercept):
        opening = np.bincount(place[right], part[right], minlength=len(x) + 1)
        closing = np.bincount(place[left], part[left], minlength=len(x) + 1)
        sums.append(np.cumsum(opening)[:-1] + np.cumsum(closing[::-1])[::-1][1:])
    out = np.empty(len(x))
    out[order] = sums[0] * points + sums[1]
    return out


def _before_kink(w: Array, b: Array, x: Array) -> NDArray[np.int64]:
    """How many of the increasing x lie before each unit's kink: by w x + b > 0 itself, which is monotone in doubles."""
    left = ~(w > 0)
    low, high = np.zeros(len(w), dtype=np.int64), np.full(len(w), len(x))
    for _ in range(len(x).bit_length()):
        middle = (low + high) // 2
        near = ((w * x[np.minimum(middle, len(x) - 1)] + b > 0) == left) & (middle < high)
        low, high = np.where(near, middle + 1, low), np.where(near, high, middle)
    return low
