"""Weights and biases that are jointly normal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt
from typing import Any

import flint
import numpy as np
import sympy
from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import Comparison, compare, from_arb
from implicitbias.exact.rational import Interval, Real, exact
from implicitbias.exact.symbolic import symbol
from implicitbias.laws.joint.joint_law import BITS, Initialisation
from implicitbias.laws.joint.output_kernel import arc_cosine, given_weight
from implicitbias.laws.one.law import Array, Shape
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.normal import StandardNormal, normal
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.penalty.balls import precision
from implicitbias.laws.penalty.weight_panels import NODES, WEIGHTS
from implicitbias.laws.penalty.zeta_form import ClosedForm, bracketed


def correlated_normal(
    weight_deviation: Parameter | Real,
    bias_deviation: Parameter | Real,
    correlation: Parameter | Real,
    weight_mean: Parameter | Real = 0,
    bias_mean: Parameter | Real = 0,
) -> CorrelatedNormal:
    """(W, B) jointly normal with these standard deviations, this correlation in (-1, 1) and these means.

    >>> round(correlated_normal("1.5", "0.7", "0.6").zeta(0.0), 12)
    1.57154138093
    """
    return CorrelatedNormal(
        positive(weight_deviation, "the standard deviation of the weight"),
        positive(bias_deviation, "the standard deviation of the bias"),
        proper_correlation(correlation),
        Parameter.of(weight_mean),
        Parameter.of(bias_mean),
    )


def proper_correlation(given: Parameter | Real) -> Parameter:
    rho = Parameter.of(given)
    if compare(rho.value, 1) is not Comparison.LESS or compare(rho.value, -1) is not Comparison.GREATER:
        raise DataError(f"the correlation must lie strictly between -1 and 1, got {rho.text}")
    return rho


def normal_sides(x: Array, spread: tuple[float, float, float], mean: tuple[float, float], power: int) -> list[Array]:
    """∫ |w|^power p(w, -w x) dw over w < 0 and w > 0 for (W, B) normal with deviations and correlation `spread`.

    That is the density of W x + B at 0 times E[|Y|^power 1{±Y > 0}], Y the weight given W x + B = 0, itself normal.
    """
    s, t, rho = spread
    m, n = mean
    variance = (s * x + rho * t) ** 2 + (1 - rho**2) * t**2
    miss = m * x + n
    height = np.exp(-(miss**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    # m - s (s x + rho t) miss/variance, without the cancellation
    centre = (t * m * (t + rho * s * x) - s * n * (s * x + rho * t)) / variance
    deviation = s * t * sqrt(1 - rho**2) / np.sqrt(variance)
    return [height * _above_zero(sign * centre, deviation, power) for sign in (-1, 1)]


def _above_zero(mean: Array, deviation: Array, power: int) -> Array:
    """E[Y^power 1{Y > 0}] for Y normal."""
    standard, t = StandardNormal(), -mean / deviation
    total = sum(
        comb(power, j) * mean ** (power - j) * deviation**j * standard.partial_moment(j, t) for j in range(power + 1)
    )
    return np.maximum(total, 0)


@dataclass(frozen=True, repr=False)
class CorrelatedNormal(Initialisation):
    """zeta(x) = 2 s³ t³ (1-rho²)^(3/2)/(pi (t² + 2 rho s t x + s² x²)²) if the means are zero."""

    s: Parameter
    t: Parameter
    rho: Parameter
    m: Parameter
    n: Parameter

    @property
    def text(self) -> str:
        means = f",{self.m},{self.n}" if not self.centred else ""
        return f"correlated_normal({self.s},{self.t},{self.rho}{means})"

    @property
    def centred(self) -> bool:
        return self.m.sign == 0 and self.n.sign == 0

    @property
    def symmetric(self) -> bool:
        return self.centred

    @property
    def support(self) -> tuple[tuple[float, float], ...]:
        return ((-np.inf, np.inf),)

    @property
    def kinks(self) -> tuple[float, ...]:
        return ()

    @property
    def covariance(self) -> Array:
        s, t, rho = self.s.number, self.t.number, self.rho.number
        return np.array([[s * s, rho * s * t], [rho * s * t, t * t]])

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        spread = self.s.number, self.t.number, self.rho.number
        left, right = normal_sides(np.asarray(x, float), spread, (self.m.number, self.n.number), order + 1)
        return left, right

    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        """By the closed form, in balls."""
        with precision(2 * bits + 100):
            place = exact(x)
            found = zeta_in_balls(
                (self.s.ball, self.t.ball, self.rho.ball),
                (self.m.ball, self.n.ball),
                flint.arb(flint.fmpq(place.numerator, place.denominator)),
            )
            return from_arb(found)

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        u, v = rng.standard_normal(shape), rng.standard_normal(shape)
        rho = self.rho.number
        w = self.m.number + self.s.number * u
        return np.asarray(w), np.asarray(self.n.number + self.t.number * (rho * u + sqrt(1 - rho**2) * v))

    def moment(self, j: int, k: int) -> float:
        """E[W^j B^k] with B = n + t (rho U + sqrt(1-rho²) V), W = m + s U."""
        rho, rest = self.rho.number, sqrt(1 - self.rho.number**2)
        total = 0.0
        for i in range(k + 1):  # B = (n + t rho U) + t rest V
            even = normal(0, 1).moment(i)
            for a in range(j + 1):
                for c in range(k - i + 1):
                    total += (
                        comb(k, i)
                        * (self.t.number * rest) ** i
                        * even
                        * comb(j, a)
                        * self.s.number**a
                        * self.m.number ** (j - a)
                        * comb(k - i, c)
                        * (self.t.number * rho) ** c
                        * self.n.number ** (k - i - c)
                        * normal(0, 1).moment(a + c)
                    )
        return total

    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        if self.centred:
            return arc_cosine(self.covariance, x, other)
        return self._kernel_with_means(x, other)

    def _kernel_with_means(self, x: ArrayLike, other: ArrayLike) -> Array:
        """Over W by panels; given W = m + s u the bias is normal with mean n + t rho u."""
        first, second = np.broadcast_arrays(np.asarray(x, float), np.asarray(other, float))
        a, b = first.ravel()[:, None], second.ravel()[:, None]
        # at w = 0 the larger of w x and w x' changes
        edges = np.unique(np.append(np.arange(-39.0, 39.5, 0.5), -self.m.number / self.s.number))
        halves = np.diff(edges)[:, None] / 2
        u = (edges[:-1, None] + halves * (1 + NODES)).ravel()
        mass = (halves * WEIGHTS).ravel() * StandardNormal().density(u)
        w, mean = self.m.number + self.s.number * u, self.n.number + self.t.number * self.rho.number * u
        rest = normal(0, 1)
        scale = self.t.number * sqrt(1 - self.rho.number**2)
        values = np.array(
            [
                (scale**2 * given_weight(rest, (w * p + mean) / scale, (w * q + mean) / scale)) @ mass
                for p, q in zip(a, b, strict=True)
            ]
        )
        return values.reshape(first.shape)

    @cached_property
    def closed_form(self) -> ClosedForm | None:
        if not self.centred:
            return None
        s, t, rho = (bracketed(p.text) for p in (self.s, self.t, self.rho))
        return ClosedForm(f"2*{s}**3*{t}**3*(1-{rho}**2)**(3/2)/(pi*({t}**2 + 2*{rho}*{s}*{t}*x + {s}**2*x**2)**2)")

    def zeta_symbolic(self, x: Any = None) -> Any:
        """∫ |w|³ p(w, -w x) dw by sympy, for means zero."""
        if not self.centred:
            return None
        x = symbol("x") if x is None else x
        s, t, rho = (p.symbolic for p in (self.s, self.t, self.rho))
        r, q = sympy.Dummy("r", positive=True), sympy.Dummy("q", positive=True)
        form = (1 / s**2 + 2 * rho * x / (s * t) + x**2 / t**2) / (1 - rho**2)
        integral = 2 * sympy.integrate(r**3 * sympy.exp(-q * r**2 / 2), (r, 0, sympy.oo))
        return sympy.simplify(integral.subs(q, form) / (2 * sympy.pi * s * t * sympy.sqrt(1 - rho**2)))


def zeta_in_balls(spread: tuple[Any, Any, Any], mean: tuple[Any, Any], x: Any) -> Any:
    """The density of W x + B at 0 times E|Y|³, Y normal with mean c and deviation d.

    E|Y|³ = c (c² + 3 d²) erf(c/(d sqrt 2)) + sqrt(2/pi) d (c² + 2 d²) exp(-c²/(2 d²)).
    """
    (s, t, rho), (m, n) = spread, mean
    variance = (s * x + rho * t) ** 2 + (1 - rho**2) * t**2
    miss = m * x + n
    height = (-(miss**2) / (2 * variance)).exp() / (2 * flint.arb.pi() * variance).sqrt()
    c = (t * m * (t + rho * s * x) - s * n * (s * x + rho * t)) / variance
    d = s * t * ((1 - rho**2) / variance).sqrt()
    third = c * (c**2 + 3 * d**2) * (c / (d * flint.arb(2).sqrt())).erf()
    third += (2 / flint.arb.pi()).sqrt() * d * (c**2 + 2 * d**2) * (-(c**2) / (2 * d**2)).exp()
    return height * third


LAWS = (
    Named(
        correlated_normal,
        ("correlated_normal(1.5,0.7,0.6)", "correlated_normal(1,0.7,-0.6,0.5,-1)", "correlated_gaussian(1,1,0.2)"),
        also=("correlated_gaussian",),
    ),
)
