"""Data lifted to forms on parameter space: θ = (a, b) ↦ θ·x̃ with x̃ = (x, 1), in integers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from flint import fmpz_mat

from implicitbias.errors import DataError
from implicitbias.exact.rational import exact

Vector = tuple[int, ...]
Number = int | Fraction | float | str

MOST_INPUTS = 1000
"""Points with more coordinates are refused: a basis of the parameters has the square of this many entries."""


def lifted(points: Sequence[Sequence[Number]]) -> tuple[Vector, ...]:
    """For each x the primitive integer vector that is a positive multiple of (x, 1): it has the signs of θ·(x, 1).

    >>> lifted([["1/2", 3], [0, "0.25"]])
    ((1, 6, 2), (0, 1, 4))
    """
    if not points:
        raise DataError("no points are given: at least one is needed")
    d = len(points[0])
    if d == 0 or any(len(x) != d for x in points):
        raise DataError(f"every point needs as many coordinates, at least one: got {sorted({len(x) for x in points})}")
    if d > MOST_INPUTS:
        raise DataError(
            f"points with {d} coordinates are more than the {MOST_INPUTS} that are taken: choose some with --x"
        )
    return tuple(_integers([*map(exact, x), Fraction(1)]) for x in points)


def _integers(vector: Sequence[Fraction]) -> Vector:
    scale = lcm(*(value.denominator for value in vector))
    return primitive([int(value * scale) for value in vector])


def primitive(vector: Sequence[int]) -> Vector:
    """The vector divided by the greatest common divisor of its entries."""
    divisor = gcd(*vector) or 1
    return tuple(int(value) // divisor for value in vector)


def independent_columns(rows: Sequence[Vector]) -> list[int]:
    """Indices of a maximal linearly independent set of columns, the first possible ones."""
    reduced, _, rank = fmpz_mat([list(row) for row in rows]).rref()
    columns, j = [], 0
    for i in range(rank):
        while int(reduced[i, j]) == 0:
            j += 1
        columns.append(j)
    return columns


def null_space(rows: Sequence[Vector]) -> tuple[Vector, ...]:
    """A basis of {θ: θ·row = 0 for every row}, primitive.

    >>> null_space([(1, 2, 1), (2, 4, 1)])
    ((-2, 1, 0),)
    """
    reduced, scale, rank = fmpz_mat([list(row) for row in rows]).rref()
    pivots, size = independent_columns(rows), len(rows[0])
    basis = []
    for j in (j for j in range(size) if j not in pivots):
        vector = [0] * size
        vector[j] = int(scale)
        for i, pivot in enumerate(pivots[:rank]):
            vector[pivot] = -int(reduced[i, j])
        sign = 1 if int(scale) > 0 else -1
        basis.append(primitive([sign * value for value in vector]))
    return tuple(basis)
