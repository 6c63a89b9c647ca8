"""How many cells the hyperplanes of the data cut parameter space into, without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from implicitbias.convex.cells.lifted import Vector, primitive


def general_position_count(n: int, rank: int) -> int:
    """2 Σ_{k<rank} C(n-1, k): the cells of n hyperplanes through 0 in R^rank of which any rank meet in 0 alone (Cover
    1965). It is the largest number for n hyperplanes in any position.

    >>> general_position_count(9, 3)
    74
    """
    return 2 * sum(comb(n - 1, k) for k in range(rank))


def deletion_work(n: int, rank: int) -> int:
    """About how many vectors `count_by_deletion` has to normalise."""
    return n * comb(n, max(rank - 2, 0))


def count_by_deletion(rows: Sequence[Vector]) -> int:
    """The cells of the hyperplanes {θ: θ·row = 0}, by deletion and restriction in integers.

    A new hyperplane H adds as many cells as the existing hyperplanes cut H into. So
    count = 1 + Σ_i count of the first i - 1 hyperplanes within the i-th; repeated ones add nothing.

    >>> count_by_deletion([(x, y, 1) for x in range(3) for y in range(3)])
    58
    """
    distinct = list(dict.fromkeys(_line(row) for row in rows if any(row)))
    size = len(rows[0]) if rows else 0
    if size <= 2:
        # lines through 0 in the plane, or the point 0 of the line
        return max(1, 2 * len(distinct))
    total = 1
    for i, row in enumerate(distinct):
        total += count_by_deletion([_within(row, other) for other in distinct[:i]]) if i else 1
    return total


def _line(row: Sequence[int]) -> Vector:
    """The primitive multiple of the row whose first non-zero entry is positive."""
    vector = primitive(row)
    leading = next(value for value in vector if value)
    return vector if leading > 0 else tuple(-value for value in vector)


def _within(row: Vector, other: Vector) -> Vector:
    """`other` as a form on the hyperplane of `row`, the coordinate of the first non-zero entry of `row` eliminated."""
    k = next(j for j, value in enumerate(row) if value)
    return tuple(row[k] * other[j] - other[k] * row[j] for j in range(len(row)) if j != k)
