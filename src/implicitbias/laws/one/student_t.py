"""Student's t law, whose tails are heavy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
import numpy as np
import sympy
from scipy.special import stdtr

from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Acb, Arb, Array, BallDensity, Shape
from implicitbias.laws.one.location_scale import LocationScale, Standard, check_spread
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, positive


def student_t(degrees: Parameter | Real, location: Parameter | Real = 0, scale: Parameter | Real = 1) -> LocationScale:
    """Student's t, moved and scaled; moments of orders below its degrees of freedom exist.

    >>> student_t(5).moment(2), student_t(5).moments_below
    (1.6666666666666667, 5.0)
    """
    nu = positive(degrees, "the degrees of freedom of student_t")
    m, s = Parameter.of(location), positive(scale, "the scale of student_t(degrees, location, scale)")
    standard = m.sign == 0 and s.rational == 1
    name = f"student_t({nu})" if standard else f"student_t({nu},{m},{s})"
    return check_spread(LocationScale(name, StandardStudent(nu), m, s))


def cauchy(location: Parameter | Real = 0, scale: Parameter | Real = 1) -> LocationScale:
    """Student's t with one degree of freedom: no mean, no variance."""
    return student_t(1, location, scale)


@dataclass(frozen=True)
class StandardStudent(Standard):
    """c (1 + u²/nu)^(-(nu+1)/2) with c = Gamma((nu+1)/2)/(Gamma(nu/2) sqrt(pi nu))."""

    nu: Parameter

    @property
    def moments_below(self) -> float:  # type: ignore[override]
        return self.nu.number

    @property
    def _height_ball(self) -> Arb:
        nu = self.nu.ball
        return ((nu + 1) / 2).gamma() / ((nu / 2).gamma() * (flint.arb.pi() * nu).sqrt())

    @cached_property
    def _height(self) -> float:
        return float(self._height_ball.mid())

    def density(self, u: Array) -> Array:
        nu = self.nu.number
        return np.asarray(self._height * np.exp(-(nu + 1) / 2 * np.log1p(np.square(u) / nu)))

    @cached_property
    def knots(self) -> Array:
        """The poles lie at ±i sqrt(nu). Many degrees: nearly normal; few: a power-law tail."""
        near = np.sqrt(self.nu.number) * np.array([0.5, 1.0, 2.0])
        far = 2.0 ** np.arange(0, 140)
        right = np.unique(np.concatenate([near, np.arange(1.0, 40.0), far]))
        return np.concatenate([-right[::-1], [0.0], right])

    @property
    def pieces(self) -> tuple[tuple[int | None, int | None, BallDensity], ...]:
        return ((None, None, self._density_ball),)

    def _density_ball(self, z: Acb, analytic: bool) -> Acb:
        nu = self.nu.ball
        inside = 1 + z * z / nu
        if self.nu.rational is not None and self.nu.rational.denominator == 1 and self.nu.rational % 2:
            return self._height_ball * inside ** (-int(self.nu.rational + 1) // 2)
        return self._height_ball * inside.pow(flint.acb(-(nu + 1) / 2), analytic=analytic)

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        """-d log p/d log u = (nu + 1) u²/(nu + u²)."""
        if reach > 0:
            nu = self.nu.ball
            return self._density_ball(flint.acb(reach), False).real, (nu + 1) * reach**2 / (nu + reach**2)
        return self._height_ball, flint.arb(0)

    def partial_moment(self, k: int, t: Array) -> Array:
        """M_k = ((k-1) nu M_(k-2) + t^(k-1) (nu + t²) p(t))/(nu - k)."""
        nu, t = self.nu.number, np.asarray(t, float)
        if k == 0:
            return np.asarray(stdtr(nu, -t))
        finite = np.where(np.isfinite(t), t, 0.0)
        edge = np.where(np.isfinite(t), finite ** (k - 1) * (nu + finite**2) * self.density(finite), 0.0)
        before = (k - 1) * nu * self.partial_moment(k - 2, t) if k > 1 else 0.0
        return np.asarray((before + edge) / (nu - k))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(rng.standard_t(self.nu.number, shape))

    def symbolic(self, u: Any) -> tuple[tuple[Any, Any, Any], ...]:
        nu = self.nu.symbolic
        height = sympy.gamma((nu + 1) / 2) / (sympy.gamma(nu / 2) * sympy.sqrt(sympy.pi * nu))
        return ((-sympy.oo, sympy.oo, height * (1 + u**2 / nu) ** (-(nu + 1) / 2)),)


LAWS = (
    Named(student_t, ("student_t(6)", "student_t(6,1,2)"), scipy={"t": student_t}),
    Named(cauchy, ("cauchy(0,1)",), scipy={"cauchy": cauchy}),
)
