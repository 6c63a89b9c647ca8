"""Sets of parameters near a neuron with equal outputs on the data; Jacobians by exact difference quotients."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from implicitbias.exact.vectors import dot, rank

from .neurons import Neuron, Point, lifted, random_fraction


@dataclass(frozen=True)
class Fibre:
    """A set of parameters near the neuron with equal outputs: its dimension, and two different members (`twins`)."""

    dimension: int
    twins: tuple[Point, Point] | None


def outputs(theta: Sequence[Fraction], data: Sequence[Point]) -> tuple[Fraction, ...]:
    """((aᵀx_1 + b)_+, …, (aᵀx_n + b)_+)."""
    unit = Neuron(tuple(theta), Fraction(1))
    return tuple(unit(x) for x in data)


def kernel_vector(rows: Sequence[Point]) -> Point:
    """A nonzero vector orthogonal to every row. Raises ValueError if there is none."""
    from implicitbias.convex.cells.lifted import null_space

    basis = null_space([tuple(_whole(row)) for row in rows])
    if not basis:
        raise ValueError("the rows span everything")
    return tuple(Fraction(value) for value in basis[0])


def _whole(row: Point) -> list[int]:
    scale = lcm(*(value.denominator for value in row))
    return [int(value * scale) for value in row]


def largest_fibre(theta: Point, data: Sequence[Point], draw: random.Random, tries: int = 6) -> Fibre:
    """The largest fibre of θ ↦ outputs near θ, over sampled cells adjacent to θ.

    The Jacobian is computed by difference quotients at parameters off all walls, in several directions from θ. One
    direction is -e_{d+1}: it deactivates every datum on the hinge, which leaves the fewest nonzero rows.

    >>> F = Fraction
    >>> largest_fibre((F(1), F(0)), [(F(0),), (F(1),)], random.Random(0)).dimension
    1
    """
    size = len(theta)
    down = (*(Fraction(0),) * (size - 1), Fraction(-1))
    directions = [down, tuple(-value for value in down)]
    directions += [tuple(random_fraction(draw) for _ in range(size)) for _ in range(tries)]
    found = Fibre(0, None)
    for direction in directions:
        near = _beside(theta, direction, data)
        if near is None:
            continue
        step = min(abs(dot(near, lifted(x))) / (4 * max(map(abs, lifted(x)))) for x in data)
        here = outputs(near, data)
        columns = []
        for k in range(size):
            moved = [value + (step if j == k else 0) for j, value in enumerate(near)]
            columns.append([(p - q) / step for p, q in zip(outputs(moved, data), here, strict=True)])
        rows = [tuple(column[i] for column in columns) for i in range(len(data))]
        dimension = size - rank(rows)
        if dimension > found.dimension:
            flat = kernel_vector(rows)
            length = sum(map(abs, flat))
            twin = tuple(value + step * v / length for value, v in zip(near, flat, strict=True))
            if outputs(twin, data) != here:
                raise ArithmeticError("a move in the kernel changed the outputs")
            found = Fibre(dimension, (near, twin))
    return found


def _beside(theta: Point, direction: Point, data: Sequence[Point]) -> Point | None:
    """θ moved along the direction by at most 1/4 of the distance to any wall; None if it is still on a wall."""
    reach = Fraction(1)
    for x in data:
        height, slope = dot(theta, lifted(x)), dot(direction, lifted(x))
        if height and slope:
            reach = min(reach, abs(height / slope) / 4)
    near = tuple(value + reach * u for value, u in zip(theta, direction, strict=True))
    return near if all(dot(near, lifted(x)) for x in data) else None
