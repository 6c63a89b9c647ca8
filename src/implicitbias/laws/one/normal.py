"""The normal law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
import sympy
from scipy.special import ndtr

from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Acb, Arb, Array, BallDensity, Shape
from implicitbias.laws.one.location_scale import LocationScale, Standard, check_spread
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, positive

REACH = 39
"""exp(-39²/2) is the least that a double holds."""


def normal(mean: Parameter | Real, deviation: Parameter | Real) -> LocationScale:
    """N(mean, deviation²): the second parameter is the standard deviation.

    >>> normal(0, "sqrt(0.1)").moment(2)
    0.1
    """
    m, s = Parameter.of(mean), positive(deviation, "the standard deviation of normal(mean, standard deviation)")
    return check_spread(LocationScale(f"normal({m},{s})", StandardNormal(), m, s))


@dataclass(frozen=True)
class StandardNormal(Standard):
    """exp(-u²/2)/sqrt(2 pi)."""

    def density(self, u: Array) -> Array:
        return np.asarray(np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi))

    @property
    def knots(self) -> Array:
        return np.arange(-REACH, REACH + 1, dtype=float)

    @property
    def pieces(self) -> tuple[tuple[int | None, int | None, BallDensity], ...]:
        return ((None, None, _density),)

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        """-d log p/d log u = u²."""
        if reach > 0:
            return _density(flint.acb(reach), False).real, reach**2
        return 1 / (2 * flint.arb.pi()).sqrt(), flint.arb(0)

    def partial_moment(self, k: int, t: Array) -> Array:
        """Q_0 = Phi(-t), Q_1 = phi(t), Q_k = t^(k-1) phi(t) + (k-1) Q_(k-2)."""
        finite = np.clip(t, -REACH, REACH)
        low, high = ndtr(-t), self.density(finite) * np.isfinite(t)
        if k == 0:
            return np.asarray(low)
        if k == 1:
            return np.asarray(high)
        return np.asarray(finite ** (k - 1) * high + (k - 1) * self.partial_moment(k - 2, t))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(rng.standard_normal(shape))

    def formula(self, u: str, s: str) -> str:
        return f"exp(-{u}**2/(2*{s}**2))/({s}*sqrt(2*pi))"

    def symbolic(self, u: Any) -> tuple[tuple[Any, Any, Any], ...]:
        return ((-sympy.oo, sympy.oo, sympy.exp(-(u**2) / 2) / sympy.sqrt(2 * sympy.pi)),)


def _density(z: Acb, analytic: bool) -> Acb:
    return (-z * z / 2).exp() / (2 * flint.arb.pi()).sqrt()


LAWS = (Named(normal, ("normal(0,2)", "normal(1,0.5)"), also=("gaussian",), scipy={"norm": normal}),)
