"""Number of cells from ranks alone (Whitney 1932, Zaslavsky 1975), without enumerating cells.

A central arrangement has Σ_B (-1)^{|B| - rank B} cells, the sum over all sets B of its hyperplanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from implicitbias.exact.vectors import rank

from .contact_sets import Point


def nullities(points: Sequence[Point]) -> tuple[int, int]:
    """The numbers of subsets B of the x̃_i with even and with odd nullity |B| - rank B.

    Cost: 2^n rank computations.

    >>> nullities([(0, 1), (1, 1), (2, 1)])
    (7, 1)
    """
    counts = [0, 0]
    for size in range(len(points) + 1):
        for chosen in combinations(points, size):
            counts[(size - rank(chosen)) % 2] += 1
    return counts[0], counts[1]


def in_general_position(points: Sequence[Point]) -> bool:
    """Whether every d + 1 of the x̃_i (all of them, if fewer) are linearly independent."""
    size = min(len(points), len(points[0]))
    return all(rank(chosen) == size for chosen in combinations(points, size))
