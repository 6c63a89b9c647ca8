"""Labelled points without repetitions, and their cells, if they are few enough for a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.convex.cells.arrangement import Cells, cells_of
from implicitbias.convex.cells.counts import general_position_count
from implicitbias.convex.cells.lifted import Number, independent_columns, lifted
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact

Point = tuple[Fraction, ...]
"""(x, 1)."""

MOST_CELLS = 6000
"""Data with more cells are refused: each cell is a row of the certificate."""


def distinct(
    points: Sequence[Sequence[Number]], labels: Sequence[Number]
) -> tuple[tuple[Point, ...], tuple[Fraction, ...]]:
    """(x, 1) of the different points, and their labels. Raises DataError if equal points have different labels."""
    if len(points) != len(labels):
        raise DataError(f"{len(points)} points and {len(labels)} labels are given: one label per point is needed")
    lifted(points)  # refuses ragged and empty data
    seen: dict[Point, Fraction] = {}
    for n, (x, label) in enumerate(zip(points, labels, strict=True)):
        point, value = (*map(exact, x), Fraction(1)), exact(label)
        if seen.setdefault(point, value) != value:
            raise DataError(
                f"point {n + 1} is equal to an earlier one and has another label: no function has two values at one "
                "place; keep one of them or their mean"
            )
    return tuple(seen), tuple(seen.values())


def has_few_cells(points: Sequence[Sequence[Number]]) -> bool:
    """Whether the points have at most MOST_CELLS cells, however they lie."""
    return general_position_count(len(points), len(independent_columns(lifted(points)))) <= MOST_CELLS


def few_cells(at: Sequence[Point]) -> Cells:
    """All cells of the points. Raises DataError if there are too many for a certificate."""
    rows = lifted([point[:-1] for point in at])
    n, d = len(at), len(at[0]) - 1
    possible = general_position_count(n, len(independent_columns(rows)))
    if possible > MOST_CELLS:
        number = str(possible) if possible < 10**9 else f"about {float(Fraction(possible)):.3g}"
        raise DataError(
            f"{n} points in dimension {d} can have {number} cells, and the certificate has a row for each: at most "
            f"{MOST_CELLS} are taken; take fewer points or fewer columns"
        )
    return cells_of([point[:-1] for point in at])
