"""The largest values of g on all cells at once, against the cells one by one and against directions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from implicitbias.convex.cells.arrangement import cells_of
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.cells.walls import walls
from implicitbias.convex.variation.bounds import exact_dual
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.programme import excesses
from implicitbias.exact.vectors import combined, dot, values_at

Data = list[list[Number]]
GRID: Data = [[i, j] for i in range(3) for j in range(3)]
LINE: Data = [[i, 2 * i] for i in range(5)]


def data(seed: int, n: int, d: int) -> Data:
    return [[str(v) for v in row] for row in np.random.default_rng(seed).normal(size=(n, d)).round(3)]


def peaks_and_directions(x: Data) -> tuple[Peaks, NDArray[np.float64]]:
    table = np.array([[*map(float, row), 1.0] for row in x])
    directions = table / np.linalg.norm(table, axis=1)[:, None]
    return Peaks(directions, cells_of(x).patterns), directions


@pytest.mark.parametrize("x", [data(0, 5, 1), data(1, 8, 2), data(2, 6, 3), GRID, LINE], ids=str)
def test_walls_are_the_hyperplanes_that_hold_a_piece_of_the_cell(x: Data) -> None:
    """Exactly, from the rays: a wall is a hyperplane on which extreme rays and lines of the cell span rank - 1."""
    cells = cells_of(x)
    found = walls(cells.patterns)
    for k in range(len(cells)):
        rays = [*cells.extreme_rays(k), *cells.lineality]
        for i, row in enumerate(cells.rows):
            on = [ray for ray in rays if sum(a * b for a, b in zip(ray, row, strict=True)) == 0]
            spans = int(np.linalg.matrix_rank(np.array(on, float))) if on else 0
            assert found[k, i] == (spans == len(row) - 1)


@pytest.mark.parametrize("x", [data(0, 5, 1), data(1, 10, 2), data(2, 8, 3), data(3, 6, 4), GRID], ids=str)
@pytest.mark.parametrize("size", [0.3, 1.0, 5.0])
def test_the_largest_values_are_those_of_the_cells_one_by_one(x: Data, size: float) -> None:
    peaks, directions = peaks_and_directions(x)
    rng = np.random.default_rng(len(x))
    for _ in range(4):
        p = size * rng.normal(size=len(x))
        slow = excesses(directions, p, peaks.patterns)
        assert peaks.largest_excess(p) == pytest.approx(slow.max(), abs=1e-9)
        bounds, multipliers = peaks.bounds(peaks.vectors(p))
        assert (bounds >= 1 + slow - 1e-9)[slow > 0].all()
        assert (multipliers >= 0).all()
        worst = set(peaks.violated(p, 1e-6, 10**6, set()))
        assert worst == {(int(k), int(side)) for side, k in np.argwhere(slow > 1e-6)}
        theta = rng.normal(size=(2000, directions.shape[1]))
        heights = np.maximum(theta @ directions.T, 0) @ p / np.linalg.norm(theta, axis=1)
        assert np.abs(heights).max() <= 1 + peaks.largest_excess(p) + 1e-9


@pytest.mark.parametrize("x", [data(1, 10, 2), data(2, 7, 3), GRID], ids=str)
def test_duals_from_walls_are_as_good_as_those_from_all_hyperplanes(x: Data) -> None:
    peaks, _ = peaks_and_directions(x)
    at = [(*(Fraction(v) for v in row), Fraction(1)) for row in x]
    p = np.random.default_rng(4).normal(size=len(x))
    fast, slow = (exact_dual(at, p, peaks.patterns, given) for given in (peaks, None))
    ratio = fast.p[0] / slow.p[0]
    assert abs(ratio - 1) < Fraction(1, 10**20)
    assert all(all(m >= 0 for _, m in row) for row in (*fast.above, *fast.below))


def test_sums_by_flint_are_sums() -> None:
    a: list[int | Fraction] = [Fraction(1, 3), 2, Fraction(-5, 7)]
    b: list[int | Fraction] = [Fraction(9), Fraction(1, 2), 7]
    assert dot(a, b) == sum(p * q for p, q in zip(a, b, strict=True))
    assert dot([], []) == 0
    with pytest.raises(ValueError, match=r"shorter|longer"):
        dot([1], [1, 2])
    assert values_at([a, b], [a]) == [[dot(a, a)], [dot(b, a)]]
    assert combined([2, 3], [a, b]) == [2 * p + 3 * q for p, q in zip(a, b, strict=True)]
