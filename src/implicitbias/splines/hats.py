"""The system A ℓ = d of the adaptive spline, A_jk = ∫ζ h_j h_k with the hat functions h_j of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, solveh_banded

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


def hat_products(panels: Panels, values: Array | None = None) -> HatProducts:
    """The products of neighbouring hats, weighed by ζ or by the function with these values at the nodes."""
    weighed = panels.zeta if values is None else values
    right = panels.share
    left = 1 - right
    return HatProducts(*(panels.integrals(weighed * pair) for pair in (left * left, left * right, right * right)))


def slope_jumps(x: Array, y: Array) -> Array:
    """d_j: by how much the linear spline through the data turns at x_2, ..., x_{M-1}."""
    result: Array = np.diff(np.diff(y, axis=0) / np.diff(x).reshape(-1, *[1] * (y.ndim - 1)), axis=0)
    return result


def jump_rounding(x: Array, y: Array) -> Array:
    """How large rounding in the data and in the quotients may make a slope jump that is zero."""
    width = np.diff(x)
    size = np.abs(y[:-1]) + np.abs(y[1:])
    reach = np.maximum(np.abs(x[:-1]), np.abs(x[1:])) / width
    slack = np.finfo(float).eps * (2 * size / width + (2 + 2 * reach) * np.abs(np.diff(y)) / width)
    result: Array = 2 * (slack[:-1] + slack[1:])
    return result


def require_solvable(x: Array, jumps: Array, rounding: Array, diagonal: Array, says: str) -> None:
    """Where ζ vanishes from x_{j-1} to x_{j+1}, every function in question is affine there: so must the data be."""
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
    """The solution of a symmetric positive definite tridiagonal system, O(M); rows of zeros get zero."""
    return solve_banded((diagonal, off), right)


def solve_banded(bands: tuple[Array, ...], right: Array) -> Array:
    """The solution of a symmetric positive definite banded system; rows of zeros get zero.

    bands  the diagonal (N,), and the k-th diagonal beside it (N - k,)
    right  (N,) or (N, columns)

    Scaled to a unit diagonal first: ζ may vary by many orders of magnitude from interval to interval.
    """
    diagonal = bands[0]
    if not len(diagonal):
        return np.zeros_like(right)
    kept = diagonal > 0
    scale = np.where(kept, 1 / np.sqrt(np.where(kept, diagonal, 1.0)), 0.0)
    columns = scale.reshape(-1, *[1] * (right.ndim - 1))
    if len(diagonal) == 1:
        return columns * columns * right
    size = min(len(bands), len(diagonal))
    band = np.zeros((size, len(diagonal)))
    band[-1] = 1.0
    for k in range(1, size):
        band[-1 - k, k:] = bands[k] * scale[:-k] * scale[k:]
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

    @property
    def products(self) -> tuple[Array, Array, Array]:
        """The bands of D Dᵀ: diagonal, first and second off-diagonal."""
        b, m, a = self.before, self.middle, self.after
        return b * b + m * m + a * a, m[:-1] * b[1:] + a[:-1] * m[1:], a[:-2] * b[2:]

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
