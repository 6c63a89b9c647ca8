"""The adaptive spline and its smoothing form, as estimators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.estimators.one_input import Array, OneInputRegressor
from implicitbias.estimators.parameters import in_doubles, number, require_finite, require_met
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.cross_validation import GeneralisedCrossValidation
from implicitbias.splines.optimality import Optimality
from implicitbias.splines.smoothing import SmoothingSpline


class AdaptiveSplineRegressor(OneInputRegressor):
    """The function that minimises ∫(s'')²/ζ through the data, (19) of Jin and Montúfar 2021.

    Of targets at one x the mean is met.

    Parameters
    ----------
    zeta : number, str, Initialisation or callable, default=1
        The curvature penalty: a positive number, a formula in x, an initialisation, or a function of x.
    breaks : iterable of float, default=()
        Places where ζ is not smooth, if known.

    Attributes
    ----------
    spline_ : AdaptiveSpline
        The spline.
    cost_ : float
        ∫(s'')²/ζ.
    certificate_ : Optimality
        What makes it the minimiser, worked out again from the function itself.
    n_features_in_ : int
        1.

    Examples
    --------
    >>> from implicitbias import AdaptiveSplineRegressor
    >>> made = AdaptiveSplineRegressor("1/(1+x**2)").fit([[-1], [0], [1]], [1, 0, 1])
    >>> bool(abs(made.predict([[0]])[0]) < 1e-12)
    True
    """

    spline_: AdaptiveSpline
    cost_: float

    def __init__(self, zeta: Any = 1, breaks: Iterable[float] = ()) -> None:
        self.zeta = zeta
        self.breaks = breaks

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the spline.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Inputs, in any order.
        y : array_like of shape (n,)
            Targets; of several at one x the mean counts.

        Returns
        -------
        self

        Raises
        ------
        DataError
            Which is a ValueError: for several inputs, fewer than two different x, a penalty ζ that is not positive, and
            what exceeds floating point.
        """
        data = self._averaged(X, y)
        with in_doubles():
            self.spline_ = AdaptiveSpline(data.x, data.y, self.zeta, breaks=places(self.breaks))
            self.cost_ = float(self.spline_.energy)
            require_finite(self.cost_, self.spline_((data.x[1:] + data.x[:-1]) / 2))
            require_met(self.spline_(data.x), data.y)
        return self

    def _values(self, at: Array) -> ArrayLike:
        return self.spline_(at)

    @property
    def certificate_(self) -> Optimality:
        """What makes it the minimiser, worked out again from the function itself."""
        return self.spline_.optimality()


class SmoothingSplineRegressor(OneInputRegressor):
    """The function that minimises Σ(s(x_j) - y_j)² + penalty ∫(s'')²/ζ, (7) of Jin and Montúfar 2021.

    Parameters
    ----------
    zeta : number, str, Initialisation or callable, default=1
        The curvature penalty, as for `AdaptiveSplineRegressor`.
    penalty : float or "gcv", default="gcv"
        What bending costs; "gcv" chooses it by generalised cross-validation.
    breaks : iterable of float, default=()
        Places where ζ is not smooth, if known.

    Attributes
    ----------
    spline_ : SmoothingSpline
        The spline; data at one x are one datum with their mean and their number as weight.
    penalty_ : float
        The penalty that was taken.
    cost_ : float
        ∫(s'')²/ζ.
    n_features_in_ : int
        1.

    Examples
    --------
    >>> from implicitbias import SmoothingSplineRegressor
    >>> made = SmoothingSplineRegressor(penalty=1e9).fit([[0], [1], [2]], [0, 1, 0])
    >>> made.predict([[1]]).round(6).tolist()
    [0.333333]
    """

    spline_: SmoothingSpline
    penalty_: float
    cost_: float

    def __init__(self, zeta: Any = 1, penalty: float | str = "gcv", breaks: Iterable[float] = ()) -> None:
        self.zeta = zeta
        self.penalty = penalty
        self.breaks = breaks

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the spline.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Inputs, in any order.
        y : array_like of shape (n,)
            Targets; of several at one x the mean counts.

        Returns
        -------
        self

        Raises
        ------
        DataError
            Which is a ValueError: for several inputs, fewer than two different x, a penalty that is not positive, fewer
            than four data to choose it by, and what exceeds floating point.
        """
        chosen = self.penalty == "gcv"
        if isinstance(self.penalty, str) and not chosen:
            raise DataError(f"penalty is a positive number or 'gcv': got {self.penalty!r}")
        data = self._averaged(X, y)
        given: dict[str, Any] = {"breaks": places(self.breaks), "weights": data.counts}
        with in_doubles():
            self.penalty_ = (
                GeneralisedCrossValidation(data.x, data.y, self.zeta, within=data.within, **given).best
                if chosen
                else number(self.penalty, "penalty", "a positive number or 'gcv'")
            )
            self.spline_ = SmoothingSpline(data.x, data.y, self.zeta, penalty=self.penalty_, **given)
            self.cost_ = self.spline_.energy
            require_finite(self.cost_, self.spline_(data.x), self.spline_((data.x[1:] + data.x[:-1]) / 2))
        return self

    def _values(self, at: Array) -> ArrayLike:
        return self.spline_(at)


def places(breaks: Any) -> list[float]:
    """Those given as `breaks`."""
    if not isinstance(breaks, Iterable):
        raise DataError(f"breaks are numbers in a list: got {breaks!r}")
    return [number(place, "breaks", "a list of numbers") for place in breaks]
