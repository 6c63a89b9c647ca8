"""The system A ℓ = d of the adaptive spline, A_jk = ∫ζ h_j h_k with the hat functions h_j of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, solve_banded, solveh_banded

from implicitbias.errors import DataError
from implicitbias.splines.panels import Panels

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HatProducts:
    """∫ζ over [x_j, x_{j+1}] times (1-θ)², θ(1-θ) and θ², θ = (x - x_j)/(x_{j+1} - x_j); each (M - 1,)."""

    first: Array
    mixed: Array
    last: Array

    @property
    def tridiagonal(self) -> tuple[Array, Array]:
        """(A_jj for the inner data, (M - 2,); A_{j,j+1}, (M - 3,))."""
        return self.last[:-1] + self.first[1:], self.mixed[1:-1]

    @property
    def rows(self) -> Array:
        """(3, M - 1)."""
        return np.stack([self.first, self.mixed, self.last])


def hat_products(panels: Panels, values: Array | None = None) -> HatProducts:
    """The products of neighbouring hats, weighted by ζ or by the function with these values at the nodes."""
    weighed = panels.zeta if values is None else values
    right = panels.share
    left = 1 - right
    return HatProducts(*(panels.integrals(weighed * pair) for pair in (left * left, left * right, right * right)))


def slope_jumps(x: Array, y: Array) -> Array:
    """d_j: by how much the linear spline through the data turns at x_2, ..., x_{M-1}."""
    result: Array = np.diff(np.diff(y, axis=0) / np.diff(x).reshape(-1, *[1] * (y.ndim - 1)), axis=0)
    return result


def jump_rounding(x: Array, y: Array) -> Array:
    """How large a slope jump can appear by rounding, in the data and in the quotients, if it is zero."""
    width = np.diff(x)
    size = np.abs(y[:-1]) + np.abs(y[1:])
    reach = np.maximum(np.abs(x[:-1]), np.abs(x[1:])) / width
    slack = np.finfo(float).eps * (2 * size / width + (2 + 2 * reach) * np.abs(np.diff(y)) / width)
    result: Array = 2 * (slack[:-1] + slack[1:])
    return result


def require_solvable(x: Array, jumps: Array, rounding: Array, diagonal: Array, says: str) -> None:
    """If ζ vanishes from x_{j-1} to x_{j+1}, every admissible function is affine there, and so must the data be."""
    stuck = np.flatnonzero((diagonal == 0) & (np.abs(jumps) > rounding))
    if stuck.size:
        j = int(stuck[0]) + 1
        raise DataError(
            f"no unit bends between x={x[j - 1]:.6g} and x={x[j + 1]:.6g}, where {says} is zero, so what a network of "
            f"this initialisation learns is a straight line there; but the points at {x[j - 1]:.6g}, {x[j]:.6g} and "
            f"{x[j + 1]:.6g} lie on no line, and training stops at a positive loss. Choose an initialisation whose "
            "kinks reach all data, or leave such points out"
        )


def solve_tridiagonal(diagonal: Array, off: Array, right: Array) -> Array:
    """The solution of a symmetric positive definite tridiagonal system, O(M); rows of zeros get zero.

    right  (N,) or (N, columns)

    Scaled to a unit diagonal first: ζ may vary by many orders of magnitude from interval to interval.
    """
    if not len(diagonal):
        return np.zeros_like(right)
    kept = diagonal > 0
    scale = np.where(kept, 1 / np.sqrt(np.where(kept, diagonal, 1.0)), 0.0)
    columns = scale.reshape(-1, *[1] * (right.ndim - 1))
    if len(diagonal) == 1:
        return columns * columns * right
    band = np.ones((2, len(diagonal)))
    band[0, 1:] = off * scale[:-1] * scale[1:]
    try:
        result: Array = columns * solveh_banded(band, columns * right, check_finite=False)
    except LinAlgError:
        raise DataError(
            "the mass of ζ between two neighbouring data is so concentrated that double precision cannot tell the "
            "spline apart from others: spread ζ, or give it as an exact piecewise polynomial"
        ) from None
    return result


@dataclass(frozen=True)
class Differences:
    """D: the slope jumps of the linear spline, (Dy)_j = before_j y_{j-1} + middle_j y_j + after_j y_{j+1}, j inner."""

    before: Array
    middle: Array
    after: Array

    def transposed(self, ell: Array) -> Array:
        """Dᵀℓ, (M,) or (M, columns)."""
        b, m, a = (part.reshape(-1, *[1] * (ell.ndim - 1)) for part in (self.before, self.middle, self.after))
        result = np.zeros((len(ell) + 2, *ell.shape[1:]))
        result[:-2] += b * ell
        result[1:-1] += m * ell
        result[2:] += a * ell
        return result


def differences(x: Array) -> Differences:
    inverse = 1 / np.diff(x)
    return Differences(inverse[:-1], -(inverse[:-1] + inverse[1:]), inverse[1:])


def solve_smoothed(
    x: Array, diagonal: Array, off: Array, penalty: float, inner: Array, data: Array, weights: Array | None = None
) -> tuple[Array, Array]:
    """(z, p) with W p + √penalty Dᵀz = W data and A z - √penalty D p = inner, D as in `differences`; that is

        (A + penalty D W⁻¹ Dᵀ) z = inner + √penalty D data.

    inner    (M - 2,) or (M - 2, columns)
    data     (M,) or (M, columns)
    weights  the diagonal of W, positive; 1 without

    A banded system, O(M).
    """
    heavy = np.ones(len(data)) if weights is None else weights
    # of z times `size`, so that no coefficient grows with the penalty
    size = max(np.sqrt(penalty), 1.0)
    band = _smoothing_band(x, diagonal, off, heavy, np.sqrt(penalty) / size, size)
    right = np.zeros((4 * len(data), *data.shape[1:]))
    right[::4] = data * heavy.reshape(-1, *[1] * (data.ndim - 1))
    right[5:-4:4] = inner / size
    found = solve_banded((4, 4), band, right, check_finite=False, overwrite_ab=True, overwrite_b=True)
    return found[5:-4:4] / size, found[::4]


def _smoothing_band(x: Array, diagonal: Array, off: Array, weights: Array, root: float, size: float) -> Array:
    """The coefficients of (p, size·z) and of their divided differences, as four unknowns for each datum.

    The divided differences are separate unknowns so that nothing is divided by the distance of two data: D Dᵀ holds
    its fourth power and would lose the data at a distance of 1e-4 already.
    """
    count = len(x)
    width = np.diff(x)
    band = np.zeros((9, 4 * count))

    def put(rows: NDArray[np.intp], shift: int, values: Array | float) -> None:
        band[4 - shift, rows + shift] = values

    p, between, inside = 4 * np.arange(count), 4 * np.arange(count - 1), 4 * np.arange(1, count - 1)
    # w_j p_j + √penalty (Q_j - Q_{j-1}) = w_j data_j, Q the divided differences of z
    put(p, 0, weights)
    put(p[:-1], 3, root)
    put(p[1:], -1, -root)
    # A z - √penalty (δ_j - δ_{j-1}) = inner_j, δ the divided differences of p; z = 0 at both ends
    put(np.array([1, 4 * count - 3]), 0, 1.0)
    put(inside + 1, 0, diagonal / size**2)
    put(inside[:-1] + 1, 4, off / size**2)
    put(inside[1:] + 1, -4, off / size**2)
    put(inside + 1, 1, -root)
    put(inside + 1, -3, root)
    for unknown in (2, 3):
        put(between + unknown, 2, 1.0)
        put(between + unknown, -2, -1.0)
        put(between + unknown, 0, -width)
        put(p[-1:] + unknown, 0, 1.0)
    return band
