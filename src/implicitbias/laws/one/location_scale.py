"""Location-scale families: X = m + s U, where U has a standard law."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.laws.one.law import Arb, Array, BallDensity, Law, Piece, Shape
from implicitbias.laws.one.parameter import Parameter
from implicitbias.laws.penalty.zeta_form import bracketed

NARROW = 1e-12
"""A law narrower than this part of its distance from 0 is known to too few digits in doubles."""


class Standard(ABC):
    """The standard law U of a family; its methods are as in `Law`."""

    symmetric: bool = True
    support: tuple[float, float] = (-np.inf, np.inf)
    moments_below: float = np.inf
    kinks: tuple[int, ...] = ()

    @abstractmethod
    def density(self, u: Array) -> Array: ...

    @property
    @abstractmethod
    def knots(self) -> Array: ...

    @property
    @abstractmethod
    def pieces(self) -> tuple[tuple[int | None, int | None, BallDensity], ...]:
        """The pieces of the density, as in `Law.pieces` but with integer ends."""

    @abstractmethod
    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        """A bound of the tail, as in `Law.tail` but for any reach; (sup of the density, 0) is always valid."""

    @abstractmethod
    def partial_moment(self, k: int, t: Array) -> Array: ...

    @abstractmethod
    def sample(self, shape: Shape, rng: np.random.Generator) -> Array: ...

    def formula(self, u: str, s: str) -> str | None:
        """The density of s U at u in the formula language, if one formula holds on the whole line."""
        return None

    @abstractmethod
    def symbolic(self, u: Any) -> tuple[tuple[Any, Any, Any], ...]: ...


@dataclass(frozen=True)
class LocationScale(Law):
    """The law of location + scale U. `called` is how the text form writes it."""

    called: str
    standard: Standard
    location: Parameter
    scale: Parameter

    @property
    def text(self) -> str:
        return self.called

    @property
    def centred(self) -> bool:
        return self.location.sign == 0

    @property
    def symmetric(self) -> bool:
        return self.standard.symmetric and self.centred

    @property
    def support(self) -> tuple[float, float]:
        m, s = self.location.number, self.scale.number
        return m + s * self.standard.support[0], m + s * self.standard.support[1]

    @property
    def ends(self) -> tuple[Parameter | None, None]:
        return (self.location if self.standard.support[0] == 0 else None), None

    @property
    def moments_below(self) -> float:
        return self.standard.moments_below

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(self.location.number + self.scale.number * u for u in self.standard.kinks)

    @cached_property
    def knots(self) -> Array:
        return self.location.number + self.scale.number * self.standard.knots

    def density(self, x: Array) -> Array:
        s = self.scale.number
        return self.standard.density((np.asarray(x, float) - self.location.number) / s) / s

    @property
    def pieces(self) -> tuple[Piece, ...]:
        m, s = self.location.ball, self.scale.ball

        def moved(density: BallDensity) -> BallDensity:
            return lambda z, analytic: density((z - m) / s, analytic) / s

        return tuple(
            Piece(None if lower is None else m + s * lower, None if upper is None else m + s * upper, moved(density))
            for lower, upper, density in self.standard.pieces
        )

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        """From U's: |u| >= v = (reach - |m|)/s, and d log p/d log x = x/(x - m) d log p/d log u."""
        m, s = abs(self.location.ball), self.scale.ball
        height, alpha = self.standard.tail((reach - m) / s)
        return height / s, alpha * reach / (reach + m) if reach > 0 else 0 * m

    def partial_moment(self, k: int, t: Array) -> Array:
        m, s = self.location.number, self.scale.number
        u = (np.asarray(t, float) - m) / s
        total = s**k * self.standard.partial_moment(k, u)
        if m != 0:
            for j in range(k):
                total = total + comb(k, j) * m ** (k - j) * s**j * self.standard.partial_moment(j, u)
        return np.asarray(total)

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return self.location.number + self.scale.number * self.standard.sample(shape, rng)

    def formula(self, x: str) -> str | None:
        m, s = bracketed(self.location.text), bracketed(self.scale.text)
        return self.standard.formula(x if self.centred else f"({x} - {m})", s)

    def symbolic(self, x: Any) -> tuple[tuple[Any, Any, Any], ...]:
        m, s = self.location.symbolic, self.scale.symbolic
        return tuple((m + s * lower, m + s * upper, p / s) for lower, upper, p in self.standard.symbolic((x - m) / s))


def check_spread(law: LocationScale) -> LocationScale:
    """Raises DataError if a double cannot tell location from location + scale."""
    m, s = law.location.number, law.scale.number
    if m != 0 and s < NARROW * abs(m):
        raise DataError(f"{law.text}: the scale {s:g} vanishes next to the location {m:g} in double precision")
    return law


def of_family(law: Law, standard: type[Standard]) -> LocationScale | None:
    """The law, if its standard law is this one."""
    return law if isinstance(law, LocationScale) and isinstance(law.standard, standard) else None
