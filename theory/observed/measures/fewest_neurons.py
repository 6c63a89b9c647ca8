"""The fewest ReLU neurons through given data, wherever their weights may lie: an exhaustive search in rationals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from implicitbias.exact.vectors import dot, relu

from .contact_sets import Point


@dataclass(frozen=True)
class Fewest:
    """A network Σ s [θ·x̃]_+ through the data, and how many choices of fewer cells and signs are proved not to do."""

    neurons: tuple[tuple[int, Point], ...]
    excluded: int

    def passes(self, points: Sequence[Point], y: Sequence[Fraction]) -> bool:
        """Whether the network has the labels as its outputs."""
        return all(
            sum(s * relu(dot(theta, x)) for s, theta in self.neurons) == v for x, v in zip(points, y, strict=True)
        )


@dataclass(frozen=True)
class _Neurons:
    """The neurons of one sign in one closed cell: the rays that span it, and which data are active inside."""

    sign: int
    active: tuple[bool, ...]
    rays: tuple[tuple[int, ...], ...]


def fewest_neurons(points: Sequence[Point], y: Sequence[Fraction]) -> Fewest:
    """A network Σ c_j [θ_j·x̃]_+ with as few neurons as interpolate the labels at the lifted points x̃ = (x, 1).

    On a closed cell a neuron's outputs at the data are linear in θ, and neurons of one cell whose c has the same sign
    are on the data one neuron with the sum of their |c|θ. So k neurons suffice exactly if, for some k different pairs
    of cell and sign, the labels are in the sum of the cones that the outputs of the cells' rays span; each choice that
    fails is excluded by a Farkas proof, verified in rationals. A positive label needs a positive neuron active there, a
    negative one a negative: choices without are left out. Cost: pairs of cell and sign to the power of the result.
    """
    from implicitbias.convex.cells.arrangement import cells_of

    cells = cells_of([x[:-1] for x in points])
    lines = [tuple(side * t for t in line) for line in cells.lineality for side in (1, -1)]
    cones = [
        _Neurons(sign, tuple(map(bool, pattern)), (*cells.extreme_rays(k), *lines))
        for k, pattern in enumerate(cells.patterns)
        if any(pattern)
        for sign in (1, -1)
    ]
    excluded = 0
    for count in range(len(y) + 1):
        for chosen in combinations(cones, count):
            if all(v == 0 or any(c.sign * v > 0 and c.active[i] for c in chosen) for i, v in enumerate(y)):
                found = _weights(points, y, chosen)
                if found is not None:
                    return Fewest(tuple((c.sign, theta) for c, theta in zip(chosen, found, strict=True)), excluded)
                excluded += 1
    raise ArithmeticError("not even one neuron per datum interpolates: an input has two labels")


def _weights(points: Sequence[Point], y: Sequence[Fraction], chosen: Sequence[_Neurons]) -> list[Point] | None:
    """Weights in the closed cells with which the neurons' outputs add up to the labels; None if there are none."""
    from implicitbias.convex.programmes.linear_programme import Infeasible, minimise

    if not chosen:
        return None if any(y) else []
    rows = [[c.sign * relu(dot(ray, x)) for c in chosen for ray in c.rays] for x in points]
    found = minimise([0] * len(rows[0]), rows, y)
    if isinstance(found, Infeasible):
        return None
    weights, first = [], 0
    for c in chosen:
        sizes = found.primal[first : first + len(c.rays)]
        weights.append(tuple(dot(sizes, entries) for entries in zip(*c.rays, strict=True)))
        first += len(c.rays)
    return weights
