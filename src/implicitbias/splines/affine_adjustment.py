"""The exact (u, v) of Theorem 1: the affine function subtracted from the data so that training gives the spline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.curve import at_nodes
from implicitbias.splines.panels import panels

if TYPE_CHECKING:
    from implicitbias.splines.solution import Solution

Array = NDArray[np.float64]
Number = Fraction | float


@dataclass(frozen=True)
class Adjustment:
    """x -> u x + v."""

    u: Number
    v: Number

    def __call__(self, x: Array) -> Array:
        return float(self.u) * np.asarray(x, dtype=np.float64) + float(self.v)


ADJUSTMENTS = {
    "none": "the data as they are",
    "exact": "the (u, v) of Theorem 1, for which training gives the adaptive spline",
    "ols": "the regression line, which the paper uses in practice",
}
"""Which affine function is subtracted from the data before training and added to what was learned."""


def regression_line(x: Array, y: Array) -> Adjustment:
    """The line of least squares."""
    centre = x.mean()
    u = float((x - centre) @ (y - y.mean()) / ((x - centre) @ (x - centre)))
    return Adjustment(u, float(y.mean() - u * centre))


def adjustment(found: Solution, right_share: Callable[[Array], Array] | None = None) -> Adjustment:
    """u = s'(x_1) + ∫(1 - r)s'' and v = s(x_1) - x_1 s'(x_1) - ∫(1 - r(c)) c s''(c) dc, with r = ζ₊/ζ.

    If (W, B) and (-W, -B) have the same law, r = 1/2: u is the mean slope and v the mean intercept of the two end
    tangents. The trained network is E[φ(x) γ] with Σλ_j = Σλ_j x_j = 0; its affine part on the left of the data
    comes from units with W < 0 alone, all others being off there, and that is what (u, v) removes.
    """
    if right_share is None and found.zeta.right is None:
        return _symmetric(found)
    grid = found.panels
    if right_share is not None:
        grid = panels(with_share(found, right_share), found.data.x)
    if grid.positive is None:
        raise AssertionError("the panels carry ζ₊")

    negative = (grid.zeta - grid.positive) * at_nodes(grid, found.ell)
    start, value, slope = float(found.data.x[0]), float(found.data.y[0]), float(found.leaving[0])
    # moments about x_1, which may be far from 0
    total = float(grid.integrals(negative).sum())
    moment = float(grid.integrals(negative * (grid.nodes - start)).sum())
    u = slope + total
    return Adjustment(u, value - start * u - moment)


def with_share(found: Solution, right_share: Callable[[Array], Array]) -> Any:
    """ζ with ζ₊ = r ζ."""
    values = found.zeta.values
    return replace(found.zeta, right=lambda x: values(x) * right_share(x), polynomial=None)


def _symmetric(found: Solution) -> Adjustment:
    if found.rational is not None:
        s = found.rational
        ends = ((s.x[0], s.y[0], s.leaving[0]), (s.x[-1], s.y[-1], s.arriving[-1]))
        return Adjustment((ends[0][2] + ends[1][2]) / 2, sum((y - x * d for x, y, d in ends), Fraction(0)) / 2)
    x, y = found.data.x, found.data.y
    left, right = float(found.leaving[0]), float(found.arriving[-1])
    return Adjustment((left + right) / 2, (float(y[0]) - float(x[0]) * left + float(y[-1]) - float(x[-1]) * right) / 2)
