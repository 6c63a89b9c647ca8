"""The uniform law on an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import Comparison, compare
from implicitbias.exact.formula import Operation
from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Arb, Array, Law, Piece, Shape
from implicitbias.laws.one.location_scale import NARROW
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, increasing


def uniform(lower: Parameter | Real, upper: Parameter | Real | None = None) -> Uniform:
    """U(lower, upper); with one number a, U(-a, a).

    >>> uniform(-2, 2).moment(2)
    1.3333333333333333
    """
    if upper is None:
        upper = Parameter.of(lower)
        lower = upper.negated
    ends = Parameter.of(lower), Parameter.of(upper)
    increasing(*ends, "uniform(lower, upper)")
    made = Uniform(*ends)
    if made.length < NARROW * max(abs(made.lower.number), abs(made.upper.number)):
        raise DataError(f"{made.text}: the length {made.length:g} vanishes next to the ends in double precision")
    return made


@dataclass(frozen=True)
class Uniform(Law):
    """Density 1/(upper - lower) on [lower, upper]."""

    lower: Parameter
    upper: Parameter

    @property
    def text(self) -> str:
        return f"uniform({self.lower},{self.upper})"

    @property
    def support(self) -> tuple[float, float]:
        return self.lower.number, self.upper.number

    @property
    def ends(self) -> tuple[Parameter, Parameter]:
        return self.lower, self.upper

    @property
    def length(self) -> float:
        return self.upper.number - self.lower.number

    @property
    def symmetric(self) -> bool:
        return compare(self.lower.value, self.upper.negated.value) is Comparison.EQUAL or (
            self.lower.expression.tree == Operation("neg", (self.upper.expression.tree,))
        )

    def density(self, x: Array) -> Array:
        inside = (np.asarray(x) >= self.lower.number) & (np.asarray(x) <= self.upper.number)
        return np.where(inside, 1 / self.length, 0.0)

    @property
    def knots(self) -> Array:
        return np.array([self.lower.number, self.upper.number])

    @property
    def kinks(self) -> tuple[float, ...]:
        return self.support

    @property
    def pieces(self) -> tuple[Piece, ...]:
        lower, upper = self.lower.ball, self.upper.ball
        height = flint.acb(1 / (upper - lower))
        return (Piece(lower, upper, lambda z, analytic: height),)

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        if reach > abs(self.lower.ball).max(abs(self.upper.ball)):
            return flint.arb(0), flint.arb(0)
        return 1 / (self.upper.ball - self.lower.ball), flint.arb(0)

    @property
    def moments_below(self) -> float:
        return np.inf

    def partial_moment(self, k: int, t: Array) -> Array:
        start = np.clip(t, self.lower.number, self.upper.number)
        end = self.upper.number
        # (end^(k+1) - start^(k+1))/(k+1) without cancellation
        powers = sum(end**j * start ** (k - j) for j in range(k + 1))
        return np.asarray((end - start) * powers / ((k + 1) * self.length))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(rng.uniform(self.lower.number, self.upper.number, shape))

    def symbolic(self, x: Any) -> tuple[tuple[Any, Any, Any], ...]:
        lower, upper = self.lower.symbolic, self.upper.symbolic
        return ((lower, upper, 1 / (upper - lower)),)


LAWS = (
    Named(
        uniform,
        ("uniform(-1,1)", "uniform(-1,2)"),
        scipy={"uniform": lambda loc, scale: uniform(loc, loc + scale)},
    ),
)
