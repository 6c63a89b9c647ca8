"""ζ as a spline needs it: its values, the share of positive weights, where it is not smooth, and its exact form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import exact
from implicitbias.formulas.on_arrays import on_arrays
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.splines.piecewise_polynomial import PiecewisePolynomial, polynomial_of

Array = NDArray[np.float64]
ArrayFunction = Callable[[Array], Array]


@dataclass(frozen=True)
class Weight:
    """The weight ζ >= 0 of a spline that minimises ∫(s'')²/ζ.

    values      x -> ζ(x), on arrays of any shape
    right       x -> ζ₊(x), the part of ζ that units with positive weights contribute; None: half of ζ
    breaks      where ζ may not be smooth, or where its mass lies: the quadrature is split there
    polynomial  ζ exactly, if it is a piecewise polynomial with rational data
    says        what it is, in words
    require     raises DataError where ζ is known to be infinite in an interval: quadrature would find out slowly
    """

    values: ArrayFunction
    right: ArrayFunction | None = None
    breaks: tuple[float, ...] = ()
    polynomial: PiecewisePolynomial | None = field(default=None, repr=False)
    says: str = "ζ"
    require: Callable[[float, float], None] | None = None


def weight(zeta: Any, breaks: Iterable[float] = ()) -> Weight:
    """ζ from any description of it.

    zeta    a positive number (constant), formula text in x ("1/(0.1+x**2)**2"), PiecewisePolynomial, PiecewiseLinear,
            an initialisation (something with `.zeta`), or a function of an array (or of one number)
    breaks  places where a function is not smooth; otherwise found by bisection

    Raises DataError if it is none of these.
    """
    extra = tuple(float(place) for place in breaks)
    if isinstance(zeta, Weight):
        return zeta
    if isinstance(zeta, PiecewisePolynomial):
        return _piecewise(zeta, "a piecewise polynomial")
    if isinstance(zeta, PiecewiseLinear):
        return _piecewise(_from_piecewise_linear(zeta), "a piecewise-linear function")
    if isinstance(zeta, str):
        return _formula(zeta, extra)
    if hasattr(zeta, "zeta"):
        return _initialisation(zeta, extra)
    if callable(zeta):
        return Weight(partial(_on_arrays, zeta), breaks=extra, says=getattr(zeta, "__name__", "a function"))
    try:
        number = exact(zeta)
    except (DataError, TypeError, ValueError):
        raise DataError(
            f"ζ is given by a positive number, formula text in x, an initialisation, or a function: got {zeta!r}"
        ) from None
    return _piecewise(PiecewisePolynomial.of([], [[number]]), str(zeta))


def _piecewise(p: PiecewisePolynomial, says: str) -> Weight:
    if not p.breaks and len(p.pieces[0]) == 1 and p.pieces[0][0] <= 0:
        raise DataError(f"ζ must be positive somewhere: got the constant {p.pieces[0][0]}")
    return Weight(p.on_array, breaks=tuple(float(place) for place in p.breaks), polynomial=p, says=says)


def _from_piecewise_linear(f: PiecewiseLinear) -> PiecewisePolynomial:
    ends = [0, *range(len(f.knots))]
    pieces = [(f.values[n] - slope * f.knots[n], slope) for n, slope in zip(ends, f.slopes, strict=True)]
    return PiecewisePolynomial.of(f.knots, pieces)


def _formula(text: str, breaks: tuple[float, ...]) -> Weight:
    expression = parse(text, ["x"])
    coefficients = polynomial_of(expression.tree, "x")
    if coefficients is not None:
        return _piecewise(PiecewisePolynomial.of([], [coefficients]), text)
    return Weight(on_arrays(expression), breaks=breaks, says=text)


def _initialisation(law: Any, breaks: tuple[float, ...]) -> Weight:
    right = None if law.symmetric else partial(_right_side, law)
    places = {*breaks, *law.kinks, *_quantiles(law)}
    require = getattr(law, "require_finite_zeta", None)
    return Weight(law.zeta, right, tuple(sorted(places)), says=f"ζ of {law}", require=require)


def _right_side(law: Any, x: Array) -> Array:
    positive: Array = law.sides(x.ravel())[1]
    return positive.reshape(x.shape)


def _quantiles(law: Any) -> list[float]:
    """Where the kinks of the law lie, from a sample with a fixed seed, so that the quadrature misses no narrow peak."""
    w, b = law.sample(4096, np.random.default_rng(0))
    moving = w != 0
    if not moving.any():
        return []
    kinks = -b[moving] / w[moving]
    places = np.quantile(kinks[np.isfinite(kinks)], np.linspace(0.01, 0.99, 15))
    return [float(place) for place in np.unique(places)]


def _on_arrays(function: Callable[[Any], Any], x: Array) -> Array:
    """A function of an array, or of one number, at all entries."""
    try:
        result = np.asarray(function(x), dtype=np.float64)
        if result.shape == x.shape:
            return result
        if result.ndim == 0:
            return np.full(x.shape, float(result))
    except (TypeError, ValueError):
        pass
    return np.array([float(function(float(place))) for place in x.ravel()]).reshape(x.shape)
