"""Closed cells as cones: random parameters in them and measures on them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.vectors import dot

from ..units.neurons import Neuron, Point, lifted


@dataclass(frozen=True)
class Cone:
    """A closed cell: all non-negative combinations of its rays. `active`: the data active in its interior."""

    rays: tuple[Point, ...]
    active: tuple[int, ...]


def closed_cells(data: Sequence[Point]) -> list[Cone]:
    """All closed cells of data whose x̃_i span R^{d+1}.

    >>> [cone.active for cone in closed_cells([(Fraction(0),), (Fraction(1),)])]
    [(), (1,), (0,), (0, 1)]
    """
    from implicitbias.convex.cells.arrangement import cells_of

    cells = cells_of(data)
    if cells.lineality:
        raise ValueError("the data do not span: cells contain lines")
    return [
        Cone(tuple(tuple(map(Fraction, ray)) for ray in cells.extreme_rays(k)), cells.active(k))
        for k in range(len(cells))
    ]


def member(cone: Cone, draw: random.Random) -> Point:
    """A random parameter of the closed cell, often on its walls."""
    shares = [Fraction(draw.choice((0, 0, 1, 1, 2, 5)), draw.randint(1, 3)) for _ in cone.rays]
    if not any(shares):
        shares[0] = Fraction(1)
    size = len(cone.rays[0])
    return tuple(sum((s * ray[k] for s, ray in zip(shares, cone.rays, strict=True)), Fraction(0)) for k in range(size))


@dataclass(frozen=True)
class Atoms:
    """A discrete measure: neurons with positive masses."""

    neurons: tuple[Neuron, ...]
    masses: tuple[Fraction, ...]

    def __call__(self, x: Point) -> Fraction:
        """f_μ(x)."""
        return sum((m * neuron(x) for m, neuron in zip(self.masses, self.neurons, strict=True)), Fraction(0))

    def moment(self) -> Point:
        """∫ c·(a, b) dμ."""
        return self._mean([neuron.c for neuron in self.neurons])

    def plain_moment(self) -> Point:
        """∫ (a, b) dμ."""
        return self._mean([Fraction(1)] * len(self.neurons))

    def _mean(self, weights: Sequence[Fraction]) -> Point:
        size = len(self.neurons[0].theta)
        terms = list(zip(self.masses, weights, self.neurons, strict=True))
        return tuple(sum((m * c * neuron.theta[k] for m, c, neuron in terms), Fraction(0)) for k in range(size))


def random_atoms(cone: Cone, draw: random.Random, count: int) -> Atoms:
    """A random probability measure with `count` signed neurons in the closed cell."""
    neurons = tuple(Neuron(member(cone, draw), Fraction(draw.randint(-6, 6), 2)) for _ in range(count))
    shares = [draw.randint(1, 5) for _ in neurons]
    return Atoms(neurons, tuple(Fraction(share, sum(shares)) for share in shares))


def contains(cone: Cone, theta: Sequence[Fraction], data: Sequence[Point]) -> bool:
    """Whether θ lies in the closed cell: θ·x̃_i >= 0 at its active data and θ·x̃_i <= 0 at the others."""
    return all(
        (dot(theta, lifted(x)) >= 0) if i in cone.active else (dot(theta, lifted(x)) <= 0) for i, x in enumerate(data)
    )
