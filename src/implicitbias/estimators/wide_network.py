"""What an infinitely wide two-layer ReLU network learns, without training one, as an estimator."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from implicitbias.errors import DataError
from implicitbias.estimators.averaged import averaged
from implicitbias.estimators.parameters import in_doubles, number, require_finite
from implicitbias.estimators.plotted import Plotted
from implicitbias.laws.isotropic.build import isotropic_law
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.early_stopping import GradientFlow
from implicitbias.splines.prediction import subtracted
from implicitbias.splines.raw_data import KernelInterpolant
from implicitbias.splines.several_inputs.limit import SeveralInputsLimit, several_inputs_limit

Array = NDArray[np.float64]


class WideNetworkRegressor(RegressorMixin, Plotted, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """The limit, as the width n tends to ∞, of Σ_i V_i [⟨W_i, x⟩ + B_i]₊ trained by gradient descent on the square
    loss: standard parametrisation, all parameters, learning rate of order 1/n, from f = 0.

    Of targets at one x the mean is learned.

    Parameters
    ----------
    weight, bias : str, law or Initialisation, default="normal(0,1)"
        The laws of W and B. With one input as for `initialisation`, or one Initialisation, or joint law, as weight.
        With several inputs as for `isotropic_law`: normal(0,σ) both, or sphere(r) and uniform(-b,b).
    adjust : {"none", "exact", "ols"}, default="none"
        "none": the raw data; "exact": the affine function of Theorem 1 (6 with several inputs) of Jin and Montúfar is
        subtracted first and added again, which gives the adaptive spline; "ols": the same with least squares.
    time : float, default=inf
        Training time T of gradient flow on ½Σ; infinity for the end (see `GradientFlow`).

    Attributes
    ----------
    limit_ : KernelInterpolant or SeveralInputsLimit
        What is learned; with one input, from the adjusted data.
    cost_ : float
        Its squared norm, the least of all functions through its values at the data.
    law_ : Initialisation or IsotropicLaw
        The law of (W, B).
    spline_ : AdaptiveSpline
        The adaptive spline of the data, with one input.
    flow_ : GradientFlow
        The whole course of training, with one input.
    n_features_in_ : int
        The number of inputs.

    Examples
    --------
    >>> from implicitbias import WideNetworkRegressor
    >>> x, y = [[-2], [-1], [0], [1], [2]], [1.5, 0.5, 1.5, 0.5, 1.5]
    >>> wide = WideNetworkRegressor("uniform(-1,1)", "uniform(-2,2)").fit(x, y)
    >>> bool(abs(wide.predict([[-1.5]])[0] - wide.spline_(-1.5) - 405 / 46592) < 1e-12)
    True
    """

    law_: Any
    spline_: AdaptiveSpline
    flow_: GradientFlow
    limit_: KernelInterpolant | SeveralInputsLimit
    cost_: float
    n_features_in_: int

    def __init__(
        self, weight: Any = "normal(0,1)", bias: Any = "normal(0,1)", *, adjust: str = "none", time: float = np.inf
    ) -> None:
        self.weight = weight
        self.bias = bias
        self.adjust = adjust
        self.time = time

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Compute the limit.

        O(n) with one input, O(n³) with a time or several inputs.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Inputs, in any order.
        y : array_like of shape (n,)
            Targets; of several at one x the mean counts.

        Returns
        -------
        self

        Raises
        ------
        DataError
            Which is a ValueError: for fewer than two data, laws that have no kernel in closed form, and what exceeds
            floating point.
        """
        rows, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        labels = np.asarray(y, dtype=np.float64)
        if len(rows) < 2:
            raise DataError(f"two data at least are needed: got n_samples={len(rows)}")
        time = number(self.time, "time", "a number, 0 at least")
        self._seen = rows[:, 0], labels
        with in_doubles():
            if rows.shape[1] == 1:
                self._fit_one(rows[:, 0], labels, time)
            else:
                self.law_ = isotropic_law(self.weight, self.bias)
                self.limit_ = several_inputs_limit(rows, labels, self.law_, adjust=self.adjust, time=time)
            self.cost_ = self.limit_.norm_squared
            require_finite(self.cost_, self.limit_.values)
        return self

    def _fit_one(self, x: Array, y: Array, time: float) -> None:
        data = averaged(x, y, type(self).__name__)
        self.law_ = self.weight if isinstance(self.weight, Initialisation) else initialisation(self.weight, self.bias)
        self.spline_ = AdaptiveSpline(data.x, data.y, self.law_)
        self._subtracted = subtracted(self.adjust, self.spline_, data.x, data.y)
        self.flow_ = GradientFlow(self.law_, data.x, data.y - self._subtracted(data.x))
        self.limit_ = self.flow_.at(time)

    def predict(self, X: ArrayLike) -> Array:
        """What the network predicts at each row of X.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Where.

        Returns
        -------
        ndarray of shape (n,)
            f there.

        Raises
        ------
        NotFittedError
            Before `fit`.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        if isinstance(self.limit_, SeveralInputsLimit):
            return self.limit_(rows)
        return self.limit_(rows[:, 0]) + self._subtracted(rows[:, 0])
