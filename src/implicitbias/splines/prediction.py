"""What a wide network learns from given data: the limit of training, and the adaptive spline of Theorem 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.affine_adjustment import ADJUSTMENTS, Adjustment, regression_line
from implicitbias.splines.early_stopping import GradientFlow
from implicitbias.splines.raw_data import KernelInterpolant

if TYPE_CHECKING:
    from implicitbias.laws.joint.joint_law import Initialisation

Array = NDArray[np.float64]

STEEPEST = 1e140
"""Second derivatives beyond this are refused: their squares are integrated."""


@dataclass(frozen=True)
class Prediction:
    """See `predict`. `limit` is what is learned from y - adjustment; the prediction is limit + adjustment.

    no_spline, no_limit  why there is none, or None
    final_loss           ½Σ(f_∞(x_j) - y_j)²: 0 unless no unit reaches some data
    """

    spline: AdaptiveSpline | None
    no_spline: str | None
    adjustment: Adjustment
    limit: KernelInterpolant | None
    no_limit: str | None
    final_loss: float

    def __call__(self, x: Array) -> Array:
        """What the wide network predicts at x."""
        if self.limit is None:
            raise DataError(self.no_limit or "there is no limit")
        return self.limit(x) + self.adjustment(x)


def predict(
    law: Initialisation | Any,
    x: Sequence[Fraction],
    y: Sequence[Fraction],
    adjust: str = "none",
    time: float = np.inf,
) -> Prediction:
    """The limit of gradient descent on an infinitely wide network, from f = 0 and data y - u x - v, with u x + v added.

    law     an initialisation; for the spline alone, anything that AdaptiveSpline accepts as ζ
    adjust  a key of ADJUSTMENTS
    time    of gradient flow on ½Σ, infinity for the end

    A spline or a limit that does not exist is None, with the reason. Raises DataError if neither exists, and for bad
    data.
    """
    _require_known(adjust)
    if not time >= 0:
        raise DataError(f"training time must be at least 0: got {time}")
    xs, ys = np.array([float(v) for v in x]), np.array([float(v) for v in y])
    _require_curvature_in_doubles(xs, ys)
    spline, no_spline, limit, no_limit, final_loss = None, None, None, None, 0.0
    try:
        spline = AdaptiveSpline(x, y, law)
    except DataError as error:
        no_spline = str(error)
    adjustment = Adjustment(0.0, 0.0)
    if not hasattr(law, "kernel"):
        no_limit = "ζ alone does not say what the affine part costs: give the laws of weight and bias"
    else:
        try:
            adjustment = subtracted(adjust, spline, xs, ys)
            flow = GradientFlow(law, xs, ys - adjustment(xs))
            limit = flow.at(time)
            final_loss = flow.final_loss
        except DataError as error:
            no_limit = str(error)
    if spline is None and limit is None:
        raise DataError(no_spline or no_limit or "nothing can be said about these data")
    return Prediction(spline, no_spline, adjustment, limit, no_limit, final_loss)


def subtracted(adjust: str, spline: AdaptiveSpline | None, x: Array, y: Array) -> Adjustment:
    """The affine function that is subtracted from the data: a key of `ADJUSTMENTS`.

    Raises DataError for another word, and for "exact" without a spline.
    """
    _require_known(adjust)
    if adjust == "ols":
        return regression_line(x, y)
    if adjust == "exact":
        if spline is None:
            raise DataError("there is no adaptive spline of these data, so no (u, v): take adjust 'none' or 'ols'")
        return spline.uv()
    return Adjustment(0.0, 0.0)


def _require_known(adjust: str) -> None:
    if adjust not in ADJUSTMENTS:
        raise DataError(f"the data are adjusted by one of {', '.join(ADJUSTMENTS)}: got {adjust!r}")


def _require_curvature_in_doubles(x: Array, y: Array) -> None:
    """Raise DataError if a second divided difference of the data, or its square, may be beyond doubles."""
    spacing = np.diff(np.unique(x))
    if not len(spacing) or not np.isfinite(y).all():
        return  # refused elsewhere, with a better reason
    with np.errstate(over="ignore", divide="ignore"):
        curvature = np.abs(y).max() / spacing.min() / spacing.min()
    if curvature > STEEPEST:
        raise DataError(
            f"points {spacing.min():.3g} apart with values up to {np.abs(y).max():.3g} make second derivatives of "
            f"{curvature:.3g}, beyond what floating point integrates: scale x up, or y down"
        )
