"""Ingredients of the finite programme (49): outputs of sub-networks at the data, their kernel, the bridge penalty."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from ..units.parallel_networks import SubNetwork, forward, normalised_sub_network

Column = tuple[Fraction, ...]


def outputs(subs: Sequence[SubNetwork], points: Sequence[Sequence[Fraction]]) -> list[Column]:
    """One column per sub-network: its outputs at the points."""
    return [tuple(forward(sub, x) for x in points) for sub in subs]


def kernel(columns: Sequence[Column]) -> list[list[Fraction]]:
    """An exact basis of {b : Σ b_i column_i = 0}."""
    import flint

    rows, count = len(columns[0]), len(columns)
    entries = [flint.fmpq(c[n].numerator, c[n].denominator) for n in range(rows) for c in columns]
    reduced, rank = flint.fmpq_mat(rows, count, entries).rref()
    matrix = [[Fraction(int(reduced[r, c].p), int(reduced[r, c].q)) for c in range(count)] for r in range(rank)]
    pivots = [next(c for c in range(count) if row[c] != 0) for row in matrix]
    basis = []
    for free in (c for c in range(count) if c not in pivots):
        vector = [Fraction(int(c == free)) for c in range(count)]
        for row, pivot in zip(matrix, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def penalty(alpha: Sequence[Fraction], depth: int) -> tuple[Fraction, Fraction]:
    """Rigorous lower and upper bounds on ‖α‖_{2/L}^{2/L}."""
    from implicitbias.exact.enclosure import enclose, lower, upper

    parts = [enclose("a**(2/L)", a=abs(a), L=depth) for a in alpha if a != 0]
    return sum(map(lower, parts), Fraction(0)), sum(map(upper, parts), Fraction(0))


def some_points(draw: Random, count: int, inputs: int) -> list[list[Fraction]]:
    """Random points whose last entry is positive."""
    return [[Fraction(draw.randint(-6, 6)) for _ in range(inputs - 1)] + [Fraction(draw.randint(1, 9))]
            for _ in range(count)]  # fmt: skip


def some_columns(draw: Random, depth: int, count: int, inputs: int, how_many: int) -> list[Column]:
    """The outputs of random normalised sub-networks at random points, none of them inactive at all points."""
    points = some_points(draw, count, inputs)
    found: list[Column] = []
    while len(found) < how_many:
        (column,) = outputs([normalised_sub_network(draw, depth, inputs, 2)], points)
        if any(column):
            found.append(column)
    return found
