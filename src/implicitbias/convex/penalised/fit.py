"""The least mean squared error plus penalty of a function of one input, between exact bounds.

V = min Σ_i (w_i/Σw)(f(x_i) - y_i)² + λ C(f), where C is R̄(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|), what weight decay costs
two-layer ReLU networks (Savarese et al. 2019), or ∫|f''| alone, which is L1 trend filtering. For values f at the data
both are Σ|p_i d_i| and more, maximised over a polytope of multipliers p of the changes d of the slope, so that any of
them gives a lower bound: with c = Dᵀp + m E - Gᵀq, |p_i| + |m| <= λ, |m| <= λ/2, q >= 0,

    V >= c·y - Σ c_i² Σw/(4 w_i),

D and E the maps to changes of the slope and to the sum of the end slopes, G f >= 0 the shape that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import inf, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.line import exact_points
from implicitbias.convex.minimum_norm.interpolants import Interpolant, min_norm_interpolant
from implicitbias.convex.penalised.certificate import Rows, penalised_line_certificate
from implicitbias.convex.penalised.dual import Dual, enclosed, feasible
from implicitbias.convex.penalised.programme import Approximation, solve
from implicitbias.convex.penalised.shapes import Shape
from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class PenalisedFunction(Shown, Drawn):
    """A function with the shape, and a lower bound of the penalised loss of all of them.

    x, y, weights  the data
    penalty        λ
    network        whether C is R̄; else ∫|f''|
    values         f at the data, exactly of the shape
    dual           multipliers, exactly feasible: what proves `lower`
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    penalty: Fraction
    network: bool
    shape: Shape
    values: tuple[Fraction, ...]
    dual: Dual

    @cached_property
    def cheapest(self) -> Interpolant:
        """The functions of least R̄ with these values."""
        return min_norm_interpolant(self.x, self.values)

    @cached_property
    def function(self) -> PiecewiseLinear:
        """The linear spline of the values; beyond the data of least cost, and of the shape that was asked for."""
        found = self.cheapest
        if not found.slopes or not self.network:
            ends = (found.slopes[0], found.slopes[-1]) if found.slopes else (0, 0)
            return PiecewiseLinear(self.x, self.values, *ends)
        return found.spline(self.shape.left_share(found.slopes[0], found.slopes[-1], found.correction))

    def _quantities(self) -> dict[str, Any]:
        return {"data": len(self.x), "penalty": self.penalty, "lower": self.lower, "upper": self.upper}

    def _drawing(self) -> Drawing:
        return Drawing(self.function, [place for place, _ in self.function.kinks], self.x, self.y)

    @property
    def cost(self) -> Fraction:
        """C(f)."""
        return self.cheapest.cost if self.network else self.cheapest.interior_variation

    @cached_property
    def loss(self) -> float:
        """Σ (w_i/Σw)(f(x_i) - y_i)², rounded up."""
        data = zip(self.shares, self.values, self.y, strict=True)
        return _above(enclosed([share * (f - y) ** 2 for share, f, y in data])[1])

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """w_i/Σw."""
        total = sum(self.weights, Fraction(0))
        return tuple(weight / total for weight in self.weights)

    @cached_property
    def lower(self) -> float:
        """A bound from below of the least penalised loss, rounded down."""
        return max(0.0, -_above(-enclosed(self.dual.terms(self.x, self.shares, self.y, self.shape))[0]))

    @property
    def upper(self) -> float:
        """The penalised loss of the function, rounded up."""
        return _above(self.penalty * self.cost + Fraction(self.loss))

    def certificate(self, rows: Rows | None = None) -> dict[str, Any]:
        """The proof of both bounds, for `check_certificate`.

        rows  (x, y, weight) of the data before equal inputs were taken together; those of this function without

        Raises CertificateError where numbers have more digits than a certificate may hold, and for bounds far apart.
        """
        return penalised_line_certificate(self, rows)

    @property
    def gap(self) -> float:
        """(upper - lower)/upper; 0 where the loss is 0."""
        return (self.upper - self.lower) / self.upper if self.upper else 0.0


def penalised_function(
    x: Iterable[Real],
    y: Iterable[Real],
    penalty: Real,
    *,
    weights: Iterable[Real] | None = None,
    network: bool = True,
    monotone: str | None = None,
    curved: str | None = None,
) -> PenalisedFunction:
    """The best function between exact bounds.

    x, y      x strictly increasing
    penalty   λ > 0
    weights   w_i > 0; 1 without
    network   whether C is R̄, else ∫|f''|
    monotone  None, "increasing" or "decreasing"
    curved    None, "convex" or "concave"

    >>> found = penalised_function([0, 1, 2], [0, 1, 0], Fraction(1, 10), network=False)
    >>> round(found.upper, 9), found.gap < 1e-9
    (0.155, True)

    Raises DataError for bad data, a penalty or a weight that is not positive, and another word.
    """
    xs, ys = exact_points(x, y)
    shape, by = Shape.named(monotone, curved), exact(penalty)
    heavy = tuple(map(exact, weights)) if weights is not None else (Fraction(1),) * len(xs)
    if len(heavy) != len(xs) or any(w <= 0 for w in heavy):
        raise DataError("weights must be positive, and as many as data")
    if by <= 0:
        raise DataError(f"the penalty must be positive, not {by}: without one, take min_norm_interpolant")
    shares = [w / sum(heavy, Fraction(0)) for w in heavy]
    if _costless(xs, ys, network, shape):
        nothing = Dual((Fraction(0),) * (len(xs) - 2), Fraction(0), (Fraction(0),) * (len(xs) - 1))
        return PenalisedFunction(xs, ys, heavy, by, network, shape, ys, nothing)
    found, units = _approximately(xs, ys, shares, by, network, shape)
    values = _of_shape(xs, [Fraction(float(v)) for v in found.values], shares, ys, shape)
    return PenalisedFunction(xs, ys, heavy, by, network, shape, values, feasible(found, units, by, network, shape))


def _costless(x: Sequence[Fraction], y: Sequence[Fraction], network: bool, shape: Shape) -> bool:
    """Whether a function through the data has the shape and costs nothing: no other can be as good."""
    slopes = {(g - f) / (b - a) for (a, f), (b, g) in pairwise(zip(x, y, strict=True))} or {Fraction(0)}
    slope = slopes.pop()
    return not slopes and (not network or not slope) and shape.rising * slope >= 0


def _approximately(
    x: Sequence[Fraction], y: Sequence[Fraction], shares: Sequence[Fraction], by: Fraction, network: bool, shape: Shape
) -> tuple[Approximation, float]:
    """The programme on data of unit size, its values in the given units, its multipliers times (second) the factor."""
    start, width = x[0], x[-1] - x[0]
    middle = sum((w * v for w, v in zip(shares, y, strict=True)), Fraction(0))
    size = max(abs(v - middle) for v in y) or Fraction(1)
    at = np.array([float((v - start) / width) for v in x])
    labels = np.array([float((v - middle) / size) for v in y])
    # in f/size and x/width: the loss is divided by size², the cost multiplied by width/size
    scaled = float(by / (size * width))
    found = solve(at, labels, np.array([float(w) for w in shares]), scaled, network, shape)
    units = float(size * width)
    values = found.values * float(size) + float(middle)
    return Approximation(values, found.bends, found.ends, found.shape), units


def _of_shape(
    x: Sequence[Fraction], near: Sequence[Fraction], shares: Sequence[Fraction], y: Sequence[Fraction], shape: Shape
) -> tuple[Fraction, ...]:
    """Values near the given ones that have the shape exactly, with the best mean."""
    if not (shape.rising or shape.bending):
        return tuple(near)
    slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(zip(x, near, strict=True))]
    steps = [slope * (b - a) for slope, (a, b) in zip(shape.repaired(slopes), pairwise(x), strict=True)]
    values = list(accumulate(steps, initial=near[0]))
    # to doubles again, for short fractions, would lose the shape: only their common height is mended
    missed = sum((w * (v - f) for w, v, f in zip(shares, y, values, strict=True)), Fraction(0))
    height = Fraction(float(missed))
    return tuple(value + height for value in values)


def _above(number: Fraction) -> float:
    """A double that is not below the number."""
    found = float(number)
    return found if Fraction(found) >= number else nextafter(found, inf)
