"""A regressor that predicts what an infinitely wide two-layer ReLU network learns, without training one."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.affine_adjustment import ADJUSTMENTS, Adjustment, regression_line
from implicitbias.splines.early_stopping import GradientFlow
from implicitbias.splines.estimator import Estimator, column, in_order
from implicitbias.splines.raw_data import KernelInterpolant

Array = NDArray[np.float64]


class WideNetworkRegressor(Estimator):
    """The limit, as the width n tends to ∞, of Σ_i V_i [W_i x + B_i]₊ + c trained by gradient descent on the square
    loss: standard parametrisation, all parameters, learning rate of order 1/n, from f = 0.

    weight, bias  the laws of W and B as for `initialisation`; or one Initialisation, or joint law, as weight
    adjust        "none": the raw data; "exact": the (u, v) of Theorem 1 of Jin and Montúfar 2021 is subtracted first
                  and added again, which gives the adaptive spline; "ols": the same with the regression line
    time          training time T of gradient flow on ½Σ; infinity for the end (see GradientFlow)

    After `fit(X, y)`: `spline_`, the adaptive spline of the data; `limit_`, what is learned from the adjusted data;
    `adjustment_`, the affine function that was subtracted; `flow_`. Follows scikit-learn's conventions.

    >>> x, y = [-2, -1, 0, 1, 2], [1.5, 0.5, 1.5, 0.5, 1.5]
    >>> wide = WideNetworkRegressor("uniform(-1,1)", "uniform(-2,2)").fit(x, y)
    >>> bool(abs(wide.predict([-1.5])[0] - wide.spline_(-1.5) - 405 / 46592) < 1e-12)
    True
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "bias", "adjust", "time")
    FITTED: ClassVar[str] = "limit_"

    def __init__(
        self,
        weight: Any = "normal(0,1)",
        bias: Any = "normal(0,1)",
        *,
        adjust: str = "none",
        time: float = np.inf,
    ) -> None:
        self.weight = weight
        self.bias = bias
        self.adjust = adjust
        self.time = time

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Compute the limit for these data: X of shape (M, 1) or (M,), in any order. O(M), or O(M³) with a time."""
        x, target = in_order(X, y)
        if self.adjust not in ADJUSTMENTS:
            raise DataError(f"adjust is one of {', '.join(ADJUSTMENTS)}: got {self.adjust!r}")
        self.law_ = self.weight if isinstance(self.weight, Initialisation) else initialisation(self.weight, self.bias)
        self.spline_ = AdaptiveSpline(x, target, self.law_)
        self.adjustment_ = affine(self.adjust, self.spline_, x, target)
        self.flow_ = GradientFlow(self.law_, x, target - self.adjustment_(x))
        self.limit_: KernelInterpolant = self.flow_.at(self.time)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """What the network predicts at each row of X."""
        if not hasattr(self, "limit_"):
            raise DataError("this regressor has no data yet: call fit(X, y)")
        at = column(X)
        return self.limit_(at) + self.adjustment_(at)


def affine(adjust: str, spline: AdaptiveSpline | None, x: Array, y: Array) -> Adjustment:
    """The affine function that is subtracted from the data."""
    if adjust == "ols":
        return regression_line(x, y)
    if adjust == "exact":
        if spline is None:
            raise DataError("there is no adaptive spline of these data, so no (u, v): take adjust 'none' or 'ols'")
        return spline.uv()
    return Adjustment(0.0, 0.0)
