"""Laws with atoms only: a constant, and a random sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Arb, Array, Atom, Law, Piece, Shape
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.parameter import Parameter, positive


def constant(value: Parameter | Real) -> Points:
    """The law of a constant; constant(0) is the bias that starts at zero."""
    place = Parameter.of(value)
    return Points(f"constant({place})", (Atom(place, 1.0),))


def binary(size: Parameter | Real = 1) -> Points:
    """±size with probability one half each: Rademacher for size 1.

    >>> binary(1).moment(2), binary(1).moment(3)
    (1.0, 0.0)
    """
    a = positive(size, "the size of binary(size)")
    return Points(f"binary({a})", (Atom(a.negated, 0.5), Atom(a, 0.5)))


@dataclass(frozen=True)
class Points(Law):
    """Atoms only, in increasing order."""

    called: str
    points: tuple[Atom, ...]

    @property
    def text(self) -> str:
        return self.called

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return self.points

    @property
    def support(self) -> tuple[float, float]:
        return self.points[0].place.number, self.points[-1].place.number

    @property
    def symmetric(self) -> bool:
        return len(self.points) == 2 or self.points[0].place.sign == 0

    def density(self, x: Array) -> Array:
        return np.zeros_like(np.asarray(x, float))

    @property
    def knots(self) -> Array:
        return np.array([atom.place.number for atom in self.points])

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(float(x) for x in self.knots)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return ()

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        return flint.arb(0), flint.arb(0)

    @property
    def moments_below(self) -> float:
        return np.inf

    def partial_moment(self, k: int, t: Array) -> Array:
        places = self.knots
        masses = np.array([atom.mass for atom in self.points])
        return np.asarray((masses * places**k * (places > np.asarray(t)[..., None])).sum(-1))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        if len(self.points) == 1:
            return np.full(shape, self.points[0].place.number)
        return np.asarray(rng.choice(self.knots, shape, p=[atom.mass for atom in self.points]))

    def symbolic(self, x: Any) -> tuple[tuple[Any, Any, Any], ...]:
        return ()


LAWS = (
    Named(binary, ("binary(2)", "rademacher"), also=("rademacher",)),
    Named(constant, ("constant(1)",)),
)
