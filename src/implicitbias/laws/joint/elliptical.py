"""Laws of (W, B) that are spherical up to a linear map: W = s R cos a, B = t R (rho cos a + sqrt(1-rho²) sin a)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, pi, sqrt
from typing import Any

import numpy as np
import sympy
from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import enclose
from implicitbias.exact.rational import Interval, Real, exact
from implicitbias.exact.symbolic import symbol, to_sympy
from implicitbias.laws.joint.correlated_normal import correlated_normal, proper_correlation
from implicitbias.laws.joint.joint_law import BITS, Initialisation
from implicitbias.laws.joint.output_kernel import arc_cosine
from implicitbias.laws.one.law import Array, Shape
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.penalty.zeta_form import ClosedForm, bracketed


def circle(radius: Parameter | Real = 1) -> Elliptical:
    """(W, B) uniform on the circle of this radius; zeta(x) = radius²/(pi (1 + x²)²).

    >>> round(circle(1).zeta(0.0) * np.pi, 12)
    1.0
    """
    r = positive(radius, "the radius of circle(radius)")
    return Elliptical(f"circle({r})", Circle(), r, r, Parameter.of(0))


def disk(radius: Parameter | Real = 1) -> Elliptical:
    """(W, B) uniform on the disk of this radius; zeta(x) = radius²/(2 pi (1 + x²)²)."""
    r = positive(radius, "the radius of disk(radius)")
    return Elliptical(f"disk({r})", Disk(), r, r, Parameter.of(0))


def bivariate_t(
    degrees: Parameter | Real,
    weight_scale: Parameter | Real = 1,
    bias_scale: Parameter | Real = 1,
    correlation: Parameter | Real = 0,
) -> Elliptical:
    """(W, B) = normal(scales, correlation) * sqrt(degrees/chi²): one chi² for both, so they are not independent."""
    nu = positive(degrees, "the degrees of freedom of bivariate_t")
    s = positive(weight_scale, "the scale of the weight")
    t = positive(bias_scale, "the scale of the bias")
    rho = proper_correlation(correlation)
    plain = s.rational == t.rational == 1 and rho.sign == 0
    return Elliptical(f"bivariate_t({nu})" if plain else f"bivariate_t({nu},{s},{t},{rho})", RadialT(nu), s, t, rho)


class Radius(ABC):
    """The law of the radius R."""

    moments_below: float = np.inf

    @abstractmethod
    def moment(self, k: int) -> float:
        """E[R^k]."""

    @property
    @abstractmethod
    def square(self) -> str:
        """E[R²] in the formula language."""

    @abstractmethod
    def sample(self, shape: Shape, rng: np.random.Generator) -> Array: ...


class Circle(Radius):
    """R = 1."""

    square = "1"

    def moment(self, k: int) -> float:
        return 1.0

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.ones(shape)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Disk(Circle):
    """R² uniform on [0, 1]."""

    square = "(1/2)"

    def moment(self, k: int) -> float:
        return 2 / (k + 2)

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.sqrt(rng.uniform(size=shape))


@dataclass(frozen=True)
class RadialT(Radius):
    """R² = (U² + V²) nu/chi²_nu."""

    nu: Parameter

    @property
    def moments_below(self) -> float:  # type: ignore[override]
        return self.nu.number

    def moment(self, k: int) -> float:
        """(2^(k/2) Gamma(1+k/2)) (nu/2)^(k/2) Gamma((nu-k)/2)/Gamma(nu/2)."""
        nu = self.nu.number
        with_normal = k / 2 * np.log(2) + lgamma(1 + k / 2)
        return float(np.exp(with_normal + k / 2 * np.log(nu / 2) + lgamma((nu - k) / 2) - lgamma(nu / 2)))

    @property
    def square(self) -> str:
        return f"(2*{bracketed(self.nu.text)}/({bracketed(self.nu.text)}-2))"

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        chi = rng.chisquare(self.nu.number, shape)
        return np.asarray(np.sqrt(2 * rng.standard_exponential(shape) * self.nu.number / chi))


@dataclass(frozen=True, repr=False)
class Elliptical(Initialisation):
    """zeta(x) = E[R²] s³ t³ (1-rho²)^(3/2)/(pi (t² + 2 rho s t x + s² x²)²): only E[R²] of the radius matters."""

    called: str
    radius: Radius
    s: Parameter
    t: Parameter
    rho: Parameter

    @property
    def text(self) -> str:
        return self.called

    @property
    def symmetric(self) -> bool:
        return True

    @property
    def support(self) -> tuple[tuple[float, float], ...]:
        return ((-np.inf, np.inf),)

    @property
    def kinks(self) -> tuple[float, ...]:
        return ()

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        """Each side is half of E[R^order] (s t sqrt(1-rho²))^(order+1)/(pi (…)^(order/2+1))."""
        self._require(order)
        s, t, rho = self.s.number, self.t.number, self.rho.number
        x = np.asarray(x, float)
        form = (s * x + rho * t) ** 2 + (1 - rho**2) * t**2
        area = s * t * sqrt(1 - rho**2)
        half = self.radius.moment(order) * area ** (order + 1) / (2 * pi * form ** (order / 2 + 1))
        return half, half.copy()

    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        """By the closed form, in balls."""
        self._require(2)
        found = enclose(self.closed_form.formula, bits=bits + 100, x=exact(x))
        return found if isinstance(found, Interval) else Interval(found, found)

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        angle, r = rng.uniform(0, 2 * pi, shape), self.radius.sample(shape, rng)
        rho = self.rho.number
        w = self.s.number * r * np.cos(angle)
        return np.asarray(w), np.asarray(self.t.number * r * (rho * np.cos(angle) + sqrt(1 - rho**2) * np.sin(angle)))

    @cached_property
    def _normal(self) -> Any:
        return correlated_normal(self.s, self.t, self.rho)

    def moment(self, j: int, k: int) -> float:
        """The normal law's, times the ratio of E[R^(j+k)]."""
        self._require(j + k)
        order = j + k
        if order % 2:
            return 0.0
        half = order // 2
        return float(self._normal.moment(j, k) * self.radius.moment(order) / (2.0**half * np.exp(lgamma(half + 1))))

    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        """The arc-cosine kernel, times E[R²]/2."""
        self._require(2)
        return np.asarray(self.radius.moment(2) / 2 * arc_cosine(self._normal.covariance, x, other))

    @cached_property
    def closed_form(self) -> ClosedForm:
        s, t, rho = (bracketed(p.text) for p in (self.s, self.t, self.rho))
        if self.rho.sign == 0 and s == t:
            scale = "" if s == "1" else f"{s}**2*"
            factor = "" if self.radius.square == "1" else f"{self.radius.square}*"
            return ClosedForm(f"{factor}{scale}1/(pi*(1 + x**2)**2)")
        form = f"({t}**2 + 2*{rho}*{s}*{t}*x + {s}**2*x**2)"
        return ClosedForm(f"{self.radius.square}*{s}**3*{t}**3*(1-{rho}**2)**(3/2)/(pi*{form}**2)")

    def zeta_symbolic(self, x: Any = None) -> Any:
        """From the angle: C = -B/W has a density, and E[W² | C] = E[R²] s² cos²."""
        self._require(2)
        x = symbol("x") if x is None else x
        s, t, rho = (p.symbolic for p in (self.s, self.t, self.rho))
        c = sympy.Dummy("c", real=True)
        # tan a = -(s c + rho t)/(t sqrt(1-rho²)), two angles a for each c, each with density 1/(2 pi)
        tangent = -(s * c + rho * t) / (t * sympy.sqrt(1 - rho**2))
        angle_speed = sympy.Abs(sympy.diff(sympy.atan(tangent), c))
        square = to_sympy(self.radius.square, {})
        return sympy.simplify((2 * angle_speed / (2 * sympy.pi) * square * s**2 / (1 + tangent**2)).subs(c, x))

    def _require(self, order: int) -> None:
        if order >= self.radius.moments_below:
            raise DataError(
                f"moments of order {order} are infinite for {self.text}: "
                f"it has those of orders below {self.radius.moments_below:g} only"
            )


LAWS = (
    Named(bivariate_t, ("bivariate_t(6)", "bivariate_t(6,2,1/3,0.9)")),
    Named(circle, ("circle(2)",)),
    Named(disk, ("disk(1)",)),
)
