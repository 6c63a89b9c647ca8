"""The function of least representation cost through the data, as an estimator."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

from numpy.typing import ArrayLike

from implicitbias.convex.minimum_norm.interpolants import Interpolant, min_norm_interpolant
from implicitbias.errors import DataError
from implicitbias.estimators.one_input import Array, OneInputRegressor
from implicitbias.estimators.parameters import in_doubles, number
from implicitbias.estimators.plotted import kinks_of
from implicitbias.functions.piecewise_linear import PiecewiseLinear


class MinimumNormRegressor(OneInputRegressor):
    """The linear spline of least R̄(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|) through the data.

    What weight decay leads two-layer ReLU networks with one input to (Savarese et al. 2019, Theorem 3.3 and (25) to
    (27)). Of targets at one x the mean is met.

    Parameters
    ----------
    left_share : float, default=1
        Where the end slopes can be chosen, the share in [0, 1] of their correction at the left end.

    Attributes
    ----------
    function_ : PiecewiseLinear
        The function, exact.
    cost_ : float
        R̄ of it, the least of all functions through the data.
    certificate_ : dict
        The proof, for `implicitbias.check_certificate`.
    unique_ : bool
        Whether no other function is as cheap.
    n_features_in_ : int
        1.

    Examples
    --------
    >>> from implicitbias import MinimumNormRegressor
    >>> made = MinimumNormRegressor().fit([[0], [1], [2]], [0, 3, 7])
    >>> made.cost_, made.predict([[1.5]]).tolist()
    (4.0, [5.0])
    """

    found_: Interpolant
    function_: PiecewiseLinear
    cost_: float
    unique_: bool

    def __init__(self, left_share: float = 1) -> None:
        self.left_share = left_share

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the function.

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
            Which is a ValueError: for several inputs, a `left_share` outside [0, 1], and what exceeds floating point.
        """
        data = self._averaged(X, y, at_least=1)
        self.found_ = min_norm_interpolant(data.x, data.y)
        if not 0 <= number(self.left_share, "left_share", "a number between 0 and 1") <= 1:
            raise DataError(f"left_share is a number between 0 and 1: got {self.left_share!r}")
        self.function_ = self.found_.spline(Fraction(self.left_share))
        self.unique_ = self.found_.unique
        with in_doubles():
            self.cost_ = float(self.found_.cost)
            self.function_(data.x)
        return self

    def _values(self, at: Array) -> ArrayLike:
        return self.function_(at)

    def _kinks(self) -> Array:
        return kinks_of(self.function_)

    @property
    def certificate_(self) -> dict[str, Any]:
        """The proof that no function through the data costs less, for `implicitbias.check_certificate`."""
        return self.found_.certificate(self.function_)
