"""Cells counted by ranks alone (Whitney 1932, Zaslavsky 1975): no cell is looked at.

A central arrangement has Σ_B (-1)^{|B| - rank B} cells, the sum over all sets B of its hyperplanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from implicitbias.exact.vectors import rank

from .contact_sets import Point


def nullities(points: Sequence[Point]) -> tuple[int, int]:
    """How many sets of the x̃_i have an even, and how many an odd, number of dependences |B| - rank B.

    Cost: 2^n ranks.

    >>> nullities([(0, 1), (1, 1), (2, 1)])
    (7, 1)
    """
    counts = [0, 0]
    for size in range(len(points) + 1):
        for chosen in combinations(points, size):
            counts[(size - rank(chosen)) % 2] += 1
    return counts[0], counts[1]


def in_general_position(points: Sequence[Point]) -> bool:
    """Whether any d + 1 of the x̃_i, or all if there are fewer, are independent."""
    size = min(len(points), len(points[0]))
    return all(rank(chosen) == size for chosen in combinations(points, size))
