"""The Laplace law and its positive half, the exponential law."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any

import flint
import numpy as np
import sympy

from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Arb, Array, BallDensity, Law, Shape
from implicitbias.laws.one.location_scale import LocationScale, Standard, check_spread, of_family
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.penalty.zeta_form import ClosedForm, bracketed

REACH = np.concatenate([[0, 1, 2, 4, 8, 16], np.arange(32, 745, 16), [745]]).astype(float)
"""exp(-745) is the least that a double holds; 24 nodes integrate exp over panels of 16 to rounding."""


def laplace(mean: Parameter | Real, scale: Parameter | Real | None = None) -> LocationScale:
    """Density exp(-|x - mean|/scale)/(2 scale), variance 2 scale²; with one number, that is the scale.

    >>> laplace(0, 3).moment(2)
    18.0
    """
    m, b = (Parameter.of(0), mean) if scale is None else (Parameter.of(mean), scale)
    s = positive(b, "the scale of laplace(mean, scale)")
    return check_spread(LocationScale(f"laplace({m},{s})", StandardLaplace(), m, s))


def exponential(scale: Parameter | Real, start: Parameter | Real = 0) -> LocationScale:
    """Density exp(-(x - start)/scale)/scale for x >= start: the scale is the mean less the start.

    >>> exponential(2).moment(1)
    2.0
    """
    s, m = positive(scale, "the scale of exponential(scale)"), Parameter.of(start)
    name = f"exponential({s})" if m.sign == 0 else f"exponential({s},{m})"
    return check_spread(LocationScale(name, StandardExponential(), m, s))


def _above(k: int, t: Array) -> Array:
    """∫_t^oo u^k exp(-u) du for t >= 0."""
    finite = np.minimum(t, REACH[-1])
    return np.asarray(np.exp(-finite) * sum(factorial(k) // factorial(j) * finite**j for j in range(k + 1)))


@dataclass(frozen=True)
class StandardLaplace(Standard):
    """exp(-|u|)/2."""

    kinks = (0,)

    def density(self, u: Array) -> Array:
        return np.asarray(np.exp(-np.abs(u)) / 2)

    @property
    def knots(self) -> Array:
        return np.concatenate([-REACH[:0:-1], REACH])

    @property
    def pieces(self) -> tuple[tuple[int | None, int | None, BallDensity], ...]:
        return ((None, 0, lambda z, analytic: z.exp() / 2), (0, None, lambda z, analytic: (-z).exp() / 2))

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        if reach > 0:
            return (-reach).exp() / 2, reach
        return flint.arb(1) / 2, flint.arb(0)

    def partial_moment(self, k: int, t: Array) -> Array:
        beyond = _above(k, np.abs(t))
        below = factorial(k) + (-1) ** k * (factorial(k) - beyond)
        return np.asarray(np.where(np.asarray(t) >= 0, beyond, below) / 2)

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(rng.laplace(0, 1, shape))

    def formula(self, u: str, s: str) -> str:
        return f"exp(-Abs({u})/{s})/(2*{s})"

    def symbolic(self, u: Any) -> tuple[tuple[Any, Any, Any], ...]:
        return ((-sympy.oo, sympy.Integer(0), sympy.exp(u) / 2), (sympy.Integer(0), sympy.oo, sympy.exp(-u) / 2))


@dataclass(frozen=True)
class StandardExponential(Standard):
    """exp(-u) for u >= 0."""

    symmetric = False
    support = (0.0, np.inf)
    kinks = (0,)

    def density(self, u: Array) -> Array:
        return np.where(np.asarray(u) >= 0, np.exp(-np.maximum(u, 0)), 0.0)

    @property
    def knots(self) -> Array:
        return REACH

    @property
    def pieces(self) -> tuple[tuple[int | None, int | None, BallDensity], ...]:
        return ((0, None, lambda z, analytic: (-z).exp()),)

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        if reach > 0:
            return (-reach).exp(), reach
        return flint.arb(1), flint.arb(0)

    def partial_moment(self, k: int, t: Array) -> Array:
        return _above(k, np.maximum(t, 0))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(rng.standard_exponential(shape))

    def symbolic(self, u: Any) -> tuple[tuple[Any, Any, Any], ...]:
        return ((sympy.Integer(0), sympy.oo, sympy.exp(-u)),)


def laplace_pair(weight: Law, bias: Law) -> ClosedForm | None:
    """zeta(x) = 3 s³ t³/(t + s|x|)⁴ for W and B both Laplace about 0, with scales s and t."""
    w, b = of_family(weight, StandardLaplace), of_family(bias, StandardLaplace)
    if w is None or b is None or not (w.centred and b.centred):
        return None
    s, t = bracketed(w.scale.text), bracketed(b.scale.text)
    return ClosedForm(f"3*{s}**3*{t}**3/({t} + {s}*Abs(x))**4")


LAWS = (
    Named(laplace, ("laplace(0,1)", "laplace(0.5,2)"), scipy={"laplace": laplace}, forms=(laplace_pair,)),
    Named(
        exponential,
        ("exponential(1)", "exponential(2,-1)"),
        scipy={"expon": lambda loc, scale: exponential(scale, loc)},
    ),
)
