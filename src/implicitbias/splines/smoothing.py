"""Smoothing: equation (7) as printed, and kernel ridge regression, in which the affine part is penalised too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.splines.curve import Curve, at_nodes, through
from implicitbias.splines.estimator import Estimator, column, in_order
from implicitbias.splines.hats import hat_products, slope_jumps, solve_smoothed
from implicitbias.splines.panels import panels
from implicitbias.splines.points import Points, points
from implicitbias.splines.weight import weight

if TYPE_CHECKING:
    from implicitbias.laws.joint.joint_law import Initialisation
    from implicitbias.splines.raw_data import KernelInterpolant

Array = NDArray[np.float64]


class SmoothingSpline(Estimator):
    """The adaptive smoothing spline, (7) of Jin and Montúfar 2021:

        minimise Σ_j (s(x_j) - y_j)² + penalty ∫_{ζ>0} (s'')²/ζ,

    affine functions free. s'' = ζ ℓ as for the adaptive spline, now (A + penalty D Dᵀ) ℓ = D y with D y the slope
    jumps, a pentadiagonal system. The paper compares penalty = 1/(η̄t) with gradient descent on ½Σ after t steps of
    learning rate η̄/n. That is right to first order in small t for `kernel_ridge`, not for this printed form, which
    begins at the regression line; see `GradientFlow` for the exact course.

    x, y     at least two points, x increasing
    zeta     as for AdaptiveSpline
    penalty  greater than 0; to 0 it tends to the adaptive spline, to ∞ to the regression line

    O(M). Follows scikit-learn's conventions: `SmoothingSpline(zeta=…, penalty=…).fit(X, y).predict(X)`.

    >>> line = SmoothingSpline([0, 1, 2], [0, 1, 0], penalty=1e9)
    >>> [round(float(line(x)), 6) for x in (0.0, 1.0, 2.0)]
    [0.333333, 0.333333, 0.333333]
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ("zeta", "penalty", "breaks")
    FITTED: ClassVar[str] = "_found"

    def __init__(
        self,
        x: Iterable[Any] | None = None,
        y: Iterable[Any] | None = None,
        zeta: Any = 1,
        *,
        penalty: float = 1.0,
        breaks: Iterable[float] = (),
    ) -> None:
        self.zeta = zeta
        self.penalty = penalty
        self.breaks = breaks
        if (x is None) != (y is None):
            raise DataError("give both x and y, or neither and call fit(X, y)")
        if x is not None and y is not None:
            self._solve(points(x, y))

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Solve for these data: X of shape (M, 1) or (M,), in any order."""
        self._solve(points(*in_order(X, y)))
        return self

    def predict(self, X: ArrayLike) -> Array:
        """s at each row of X."""
        return self(column(X))

    def _solve(self, data: Points) -> None:
        penalty = positive(self.penalty, "penalty")
        zeta = weight(self.zeta, self.breaks)
        found = panels(zeta, data.x)
        diagonal, off = hat_products(found).tridiagonal
        root = np.sqrt(penalty)
        inner, scaled = solve_smoothed(data.x, diagonal, off, penalty, np.zeros(len(diagonal)), data.y / root)
        ell = np.concatenate([[0.0], inner, [0.0]])
        values = root * scaled
        curve, _, _ = through(values, found, found.zeta * at_nodes(found, ell))
        self._found: tuple[Points, Array, Array, Curve, float] = (
            data,
            values,
            ell,
            curve,
            float(slope_jumps(data.x, values) @ inner),
        )

    def _fitted(self) -> tuple[Points, Array, Array, Curve, float]:
        found: tuple[Points, Array, Array, Curve, float] | None = getattr(self, "_found", None)
        if found is None:
            raise DataError("this spline has no data yet: call fit(X, y), or SmoothingSpline(x, y, zeta, penalty=…)")
        return found

    def __call__(self, x: ArrayLike) -> Array:
        return self._fitted()[3](np.asarray(x, dtype=np.float64))

    def derivative(self, x: ArrayLike, order: int = 1) -> Array:
        """s' or s''."""
        return self._fitted()[3](np.asarray(x, dtype=np.float64), order)

    @property
    def values(self) -> Array:
        """s(x_j)."""
        return self._fitted()[1]

    @property
    def ell(self) -> Array:
        """s''/ζ at the data."""
        return self._fitted()[2]

    @property
    def energy(self) -> float:
        """∫(s'')²/ζ."""
        return self._fitted()[4]

    @property
    def objective(self) -> float:
        """What is minimised, Σ(s(x_j) - y_j)² + penalty ∫(s'')²/ζ."""
        data, values, _, _, energy = self._fitted()
        return float(((values - data.y) ** 2).sum()) + self.penalty * energy


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
