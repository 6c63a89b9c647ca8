"""Sums of ReLUs at many inputs; for univariate inputs without the inputs × units matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

BLOCK = 1 << 22
"""Maximum number of entries of an inputs × units matrix held at once."""


def sum_of_relus(w: Array, b: Array, v: Array, x: Array) -> Array:
    """Σ_i v_i [⟨w_i, x⟩ + b_i]_+: shape (Q, k) for w (n,) or (n, d), b (n,), v (n, k), x (Q,) or (Q, d)."""
    if w.ndim == 1:
        return np.stack([kink_sums(w, b, v[:, k] * w, v[:, k] * b, x) for k in range(v.shape[1])], axis=-1)
    size = max(1, BLOCK // len(b))
    return np.concatenate([np.maximum(x[i : i + size] @ w.T + b, 0.0) @ v for i in range(0, len(x), size)])


def check_inputs(d: int | None, x: Array) -> None:
    """Raises DataError unless x has shape (Q,), or (Q, d) for vector inputs."""
    if (d is None and x.ndim != 1) or (d is not None and (x.ndim != 2 or x.shape[1] != d)):
        wanted = "(Q,)" if d is None else f"(Q, {d})"
        raise DataError(f"inputs must have shape {wanted}: got {x.shape}")


def kink_sums(w: Array, b: Array, slope: Array, intercept: Array, x: Array) -> Array:
    """Σ_i 1{w_i x + b_i > 0} (slope_i x + intercept_i) at x (Q,), in O((n + Q) log Q).

    Slopes and intercepts are summed by kinks, separately for units that open to the right and to the left.
    """
    order = np.argsort(x, kind="stable")
    points = x[order]
    flat = w == 0
    with np.errstate(over="ignore"):
        kink = -b / np.where(flat, 1.0, w)
    right, left = w > 0, ~(w > 0)
    # At its kink a unit is inactive. Rounding of the kink may put a point that is that close on the other side.
    place = np.where(right, np.searchsorted(points, kink, side="right"), np.searchsorted(points, kink, side="left"))
    place = np.where(flat, np.where(b > 0, len(x), 0), place)
    sums = []
    for part in (slope, intercept):
        opening = np.bincount(place[right], part[right], minlength=len(x) + 1)
        closing = np.bincount(place[left], part[left], minlength=len(x) + 1)
        sums.append(np.cumsum(opening)[:-1] + np.cumsum(closing[::-1])[::-1][1:])
    out = np.empty(len(x))
    out[order] = sums[0] * points + sums[1]
    return out
