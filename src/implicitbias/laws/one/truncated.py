"""A law conditioned on an interval."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import flint
import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Arb, Array, BallDensity, Law, Piece, Shape
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.normal import normal
from implicitbias.laws.one.parameter import Parameter, increasing
from implicitbias.laws.one.tail_sums import TailSums

LEAST_MASS = 1e-200


def truncated(law: Law, lower: Parameter | Real, upper: Parameter | Real | None = None) -> Truncated:
    """The law of X given lower <= X <= upper; without an upper end, given X >= lower.

    >>> round(truncated(normal(0, 1), 0).moment(1) ** 2, 12)  # half normal: 2/pi
    0.636619772368
    """
    if not isinstance(law, Law):
        raise DataError("the first parameter of truncated(law, lower, upper) is a law, such as normal(0,1)")
    if law.atoms:
        raise DataError(f"truncated needs a law with a density, got {law.text}")
    low, high = Parameter.of(lower), None if upper is None else Parameter.of(upper)
    if high is not None:
        increasing(low, high, "truncated(law, lower, upper)")
    made = Truncated(law, low, high)
    if not made.mass > LEAST_MASS:
        raise DataError(f"{law.text} has no probability that a double holds there: {made.text}")
    return made


def truncated_normal(
    mean: Parameter | Real, deviation: Parameter | Real, lower: Parameter | Real, upper: Parameter | Real
) -> Truncated:
    """normal(mean, deviation) conditioned on [lower, upper]; mean and deviation are those of the whole normal law."""
    return truncated(normal(mean, deviation), lower, upper)


@dataclass(frozen=True)
class Truncated(Law):
    """p(x)/P(lower <= X <= upper) on [lower, upper]."""

    law: Law
    lower: Parameter
    upper: Parameter | None

    @property
    def text(self) -> str:
        upper = "" if self.upper is None else f",{self.upper}"
        return f"truncated({self.law.text},{self.lower}{upper})"

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.law.support
        return max(low, self.lower.number), high if self.upper is None else min(high, self.upper.number)

    @property
    def symmetric(self) -> bool:
        return self.law.symmetric and self.upper is not None and self.upper.value == self.lower.negated.value

    @property
    def ends(self) -> tuple[Parameter, Parameter | None]:
        low, high = self.law.ends
        lower = low if low is not None and low.number > self.lower.number else self.lower
        if high is None or (self.upper is not None and self.upper.number < high.number):
            return lower, self.upper
        return lower, high

    @cached_property
    def mass(self) -> float:
        return float(_mass(self, 160).mid())

    def density(self, x: Array) -> Array:
        low, high = self.support
        return np.where((x >= low) & (x <= high), self.law.density(x) / self.mass, 0.0)

    @cached_property
    def knots(self) -> Array:
        low, high = self.support
        inner = self.law.knots[(self.law.knots > low) & (self.law.knots < high)]
        return np.concatenate([[low], inner, [high] if np.isfinite(high) else []])

    @property
    def kinks(self) -> tuple[float, ...]:
        low, high = self.support
        inner = (k for k in self.law.kinks if low < k < high)
        return tuple(sorted({low, *inner, *([high] if np.isfinite(high) else [])}))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        mass = _mass(self, flint.ctx.prec)

        def divided(density: BallDensity) -> BallDensity:
            return lambda z, analytic: density(z, analytic) / mass

        return tuple(Piece(start, end, divided(density)) for start, end, density in _clipped(self))

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        ends = [end for end in self.support if np.isfinite(end)]
        if len(ends) == 2 and reach > 2 * max(abs(end) for end in ends):
            return flint.arb(0), flint.arb(0)
        height, alpha = self.law.tail(reach)
        return height / _mass(self, flint.ctx.prec), alpha

    @property
    def moments_below(self) -> float:
        return np.inf if np.isfinite(self.support).all() else self.law.moments_below

    @cached_property
    def _sums(self) -> TailSums:
        return TailSums(self)

    def partial_moment(self, k: int, t: Array) -> Array:
        """If the upper end is finite, sums over the panels: differences of the law's own moments would cancel."""
        if np.isfinite(self.support[1]):
            return self._sums.partial_moment(k, t)
        return np.asarray(self.law.partial_moment(k, np.maximum(t, self.support[0])) / self.mass)

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        """By rejection if that succeeds often enough, otherwise by inverting the distribution function."""
        size = int(np.prod(shape))
        low, high = self.support
        if self.mass < 0.05:
            return self._sums.quantiles(rng.uniform(size=size)).reshape(shape)
        drawn = np.empty(0)
        while drawn.size < size:
            more = self.law.sample(int(1.2 * (size - drawn.size) / self.mass) + 16, rng)
            drawn = np.concatenate([drawn, more[(more >= low) & (more <= high)]])
        return drawn[:size].reshape(shape)

    def symbolic(self, x: Any) -> tuple[tuple[Any, Any, Any], ...]:
        raise DataError(f"{self.text} has no symbolic density here")


def _clipped(law: Truncated) -> list[tuple[Arb, Arb | None, BallDensity]]:
    low, high = law.lower.ball, None if law.upper is None else law.upper.ball
    found = []
    for piece in law.law.pieces:
        start = low if piece.lower is None else piece.lower.max(low)
        end = piece.upper if high is None else high if piece.upper is None else piece.upper.min(high)
        if end is None or not end <= start:
            found.append((start, end, piece.density))
    return found


@lru_cache(maxsize=256)
def _mass(law: Truncated, bits: int) -> Arb:
    """P(lower <= X <= upper) in balls."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        total = flint.arb(0)
        for start, end, density in _clipped(law):
            if end is None:
                end, rest = _far(law.law, start, bits)
                total += rest
            tiny = flint.arb(2) ** -1100
            total += flint.acb.integral(density, start, end, abs_tol=tiny, eval_limit=100_000).real
        return total
    finally:
        flint.ctx.prec = before


def _far(law: Law, start: Arb, bits: int) -> tuple[Arb, Arb]:
    """A point T, and the ball of P(X > T)."""
    point = abs(start).max(flint.arb(1))
    first, best = None, None
    for _ in range(4000):
        height, alpha = law.tail(point)
        if alpha > 1:
            rest = height * point / (alpha - 1)
            first = rest if first is None else first
            best = point, flint.arb(0).union(rest)
            if rest < first * flint.arb(2) ** -bits:
                break
        point = point * (flint.arb(5) / 4 if point < 2**20 else 2)
    if best is None:
        raise DataError(f"the tail of {law.text} could not be bounded")
    return best


LAWS = (
    Named(truncated, ("truncated(normal(0,1),-1,2)", "truncated(laplace(0,1),0)")),
    Named(
        truncated_normal,
        ("truncated_normal(0,1,0.5,3)",),
        scipy={"truncnorm": lambda a, b, loc, scale: truncated(normal(loc, scale), loc + a * scale, loc + b * scale)},
    ),
)
