"""Smoothing: equation (7) as printed, and kernel ridge regression, in which the affine part is penalised too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown
from implicitbias.splines.curve import Curve, at_nodes, through
from implicitbias.splines.hats import hat_products, slope_jumps, solve_smoothed
from implicitbias.splines.panels import Panels, panels
from implicitbias.splines.points import Points, points
from implicitbias.splines.stretches import FEWEST_POINTS, PiecewiseCurve, Stretches, stretches
from implicitbias.splines.weight import weight

if TYPE_CHECKING:
    from implicitbias.laws.joint.joint_law import Initialisation
    from implicitbias.splines.raw_data import KernelInterpolant

Array = NDArray[np.float64]


class SmoothingSpline(Shown, Drawn):
    """The adaptive smoothing spline, (7) of Jin and Montúfar 2021:

        minimise Σ_j w_j (s(x_j) - y_j)² + penalty ∫_{ζ>0} (s'')²/ζ,

    affine functions free. s'' = ζ ℓ as for the adaptive spline, now (A + penalty D W⁻¹ Dᵀ) ℓ = D y with D y the slope
    jumps, a pentadiagonal system. The paper, with all w_j = 1, compares penalty = 1/(η̄t) with gradient descent on ½Σ
    after t steps of learning rate η̄/n. That is right to first order in small t for `kernel_ridge`, not for this printed
    form, which begins at the regression line; see `GradientFlow` for the exact course.

    O(M).

    Parameters
    ----------
    x, y : iterable of numbers
        At least two points, x increasing.
    zeta : as for AdaptiveSpline, default=1
        What curvature is divided by.
    penalty : float, default=1.0
        Greater than 0; to 0 it tends to the adaptive spline, to ∞ to the regression line.
    breaks : iterable of float, default=()
        Places where ζ is not smooth, if known.
    weights : array_like of shape (M,), optional
        w_j > 0, 1 without: as many data at one place, their mean y.

    Raises
    ------
    DataError
        For data, ζ, weights or a penalty that are not as said.

    Examples
    --------
    >>> line = SmoothingSpline([0, 1, 2], [0, 1, 0], penalty=1e9)
    >>> [round(float(line(x)), 6) for x in (0.0, 1.0, 2.0)]
    [0.333333, 0.333333, 0.333333]
    """

    def __init__(
        self,
        x: Iterable[Any],
        y: Iterable[Any],
        zeta: Any = 1,
        *,
        penalty: float = 1.0,
        breaks: Iterable[float] = (),
        weights: ArrayLike | None = None,
    ) -> None:
        data = points(x, y)
        self.penalty = positive(penalty, "penalty")
        self.weights = weights_of(weights, len(data))
        self._data = data
        zeta_here = weight(zeta, breaks)
        found = stretches(zeta_here, data.x) if len(data) >= FEWEST_POINTS else None
        self.values: Array
        """s(x_j)."""
        self.ell: Array
        """s''/ζ at the data."""
        self._curve: Curve | PiecewiseCurve
        self.values, self.ell, self._curve = (
            by_panels(data, panels(zeta_here, data.x), self.penalty, self.weights)
            if found is None
            else by_stretches(data, found, self.penalty, self.weights)
        )
        self.energy = float(slope_jumps(data.x, self.values) @ self.ell[1:-1])
        """∫(s'')²/ζ."""

    def _quantities(self) -> dict[str, Any]:
        return {"data": len(self._data), "penalty": self.penalty, "energy": self.energy, "objective": self.objective}

    def _drawing(self) -> Drawing:
        return Drawing(self, x=self._data.x, y=self._data.y)

    def __call__(self, x: ArrayLike) -> Array:
        return self._curve(np.asarray(x, dtype=np.float64))

    def derivative(self, x: ArrayLike, order: int = 1) -> Array:
        """s' or s''."""
        return self._curve(np.asarray(x, dtype=np.float64), order)

    @property
    def objective(self) -> float:
        """What is minimised, Σ w_j (s(x_j) - y_j)² + penalty ∫(s'')²/ζ."""
        missed = self.values - self._data.y
        return float((self.weights * missed**2).sum()) + self.penalty * self.energy


def by_panels(data: Points, found: Panels, penalty: float, weights: Array) -> tuple[Array, Array, Curve]:
    """s(x_j), ℓ_j and s, with ζ on every interval by itself."""
    root = np.sqrt(penalty)
    diagonal, off = hat_products(found).tridiagonal
    inner, scaled = solve_smoothed(data.x, diagonal, off, penalty, np.zeros(len(diagonal)), data.y / root, weights)
    values, ell = root * scaled, np.concatenate([[0.0], inner, [0.0]])
    return values, ell, through(values, found, found.zeta * at_nodes(found, ell))[0]


def by_stretches(data: Points, found: Stretches, penalty: float, weights: Array) -> tuple[Array, Array, PiecewiseCurve]:
    """The same by compiled loops."""
    from implicitbias.splines import compiled, compiled_smoothing

    root = np.sqrt(penalty)
    size = max(root, 1.0)
    values, ell = np.empty(len(data)), np.empty(len(data))
    if not compiled_smoothing.smoothed(data.x, found.table, root / size, size, weights, data.y / root, values, ell):
        raise DataError("the smoothing spline is not determined in double precision: choose a penalty nearer to 1")
    values *= root
    ell /= size
    ell[0] = ell[-1] = 0.0
    leaving, arriving = np.empty(len(data) - 1), np.empty(len(data) - 1)
    compiled.slopes(data.x, values, found.table, ell, leaving, arriving)
    return values, ell, PiecewiseCurve(found, values, ell, leaving, arriving)


def kernel_ridge(law: Initialisation, x: Iterable[Any], y: Iterable[Any], penalty: float) -> KernelInterpolant:
    """minimise Σ_j (g(x_j) - y_j)² + penalty ‖g‖², the norm of K(x, x') = E[[Wx+B]₊[Wx'+B]₊] (see `raw_data_limit`).

    That is (7) with the affine part penalised: K(·, X)(K(X, X) + penalty I)⁻¹y. With penalty = 1/(η̄t) it agrees with
    gradient descent from 0 on ½Σ to first order in small t, and never differs from it by more than 0.2037 ‖y‖ at the
    data: sup_s |1/(1+s) - e^{-s}|. O(M).
    """
    from implicitbias.splines.raw_data import KernelSystem, interpolate

    data = points(x, y)
    return interpolate(KernelSystem(law, data.x), data.y, positive(penalty, "penalty"))


def positive(number: Any, name: str) -> float:
    value = float(number)
    if not (np.isfinite(value) and value > 0):
        raise DataError(f"{name} must be a positive number: got {number}")
    return value


def weights_of(weights: ArrayLike | None, count: int) -> Array:
    """The weights of `count` data. Raises DataError unless they are as many positive numbers."""
    if weights is None:
        return np.ones(count)
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != (count,):
        raise DataError(f"as many weights as data are needed: got {found.size} weights and {count} data")
    bad = np.flatnonzero(~((found > 0) & np.isfinite(found)))
    if bad.size:
        raise DataError(f"weights must be positive numbers: weights[{bad[0]}] is {found[bad[0]]}")
    return found
