"""Cells of the data's hyperplanes: three ways of counting, and linear programmes in fractions as judges."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.convex.cells.arrangement import cells_of, too_many
from implicitbias.convex.cells.counts import count_by_deletion, general_position_count
from implicitbias.convex.cells.lifted import lifted, null_space
from implicitbias.convex.programmes.linear_programme import Optimum, minimise
from implicitbias.errors import DataError

GRID = [(i, j) for i in range(3) for j in range(3)]
SPECIAL = [
    ([(0,), (0,), (1,), (2,)], 6),
    ([(i, 2 * i - 1) for i in range(5)], 10),
    ([(0, 0), (1, 0), (2, 0), (1, 3)], 12),
    ([(i, j) for i in range(3) for j in range(2)], 28),
    (GRID, 58),
    (list(product((0, 1), repeat=2)), 14),
    (list(product((0, 1), repeat=3)), 104),
    (list(product((0, 1), repeat=4)), 1882),
    ([(5, -2, 1)], 2),
    ([(1, 2), (1, 2)], 2),
    ([(1, 2, 3, 4), (0, 1, 0, 1)], 4),
]


def patterns_by_programmes(points: list[tuple[int, ...]]) -> set[tuple[bool, ...]]:
    """Every sign pattern s with a θ such that s_i θ·(x_i, 1) >= 1: a linear programme in fractions for each."""
    found = set()
    for pattern in product((False, True), repeat=len(points)):
        rows = [[Fraction(-1 if on else 1) * v for v in (*x, 1)] for on, x in zip(pattern, points, strict=True)]
        if isinstance(minimise([0] * len(rows[0]), A_ub=rows, b_ub=[-1] * len(rows), free=True), Optimum):
            found.add(pattern)
    return found


@pytest.mark.parametrize(("points", "count"), SPECIAL)
def test_listing_and_deletion_agree_in_special_position(points: list[tuple[int, ...]], count: int) -> None:
    found = cells_of(points)
    assert len(found) == count
    assert count_by_deletion(found.rows) == count
    assert count <= general_position_count(len(points), found.rank)


def test_cover_does_not_apply_to_a_grid() -> None:
    found = cells_of(GRID)
    assert not found.general_position
    assert general_position_count(len(GRID), 3) == 74 != len(found)


@pytest.mark.parametrize(("n", "d"), [(7, 1), (6, 2), (10, 2), (7, 3), (8, 4), (9, 5), (4, 5)])
def test_three_ways_agree_in_general_position(n: int, d: int) -> None:
    found = cells_of(np.random.default_rng(n + d).standard_normal((n, d)).tolist())
    assert found.general_position
    assert len(found) == count_by_deletion(found.rows) == general_position_count(n, min(n, d + 1))
    assert (len(found) == 2**n) == (n <= d + 1)


@pytest.mark.parametrize(
    "points", [GRID[:6], [(0, 0), (1, 1), (2, 2), (3, 3)], [(0,), (0,), (2,), (5,)], [(1, 0, 2), (0, 1, 1), (1, 1, 3)]]
)
def test_the_patterns_are_those_that_linear_programmes_find(points: list[tuple[int, ...]]) -> None:
    listed = [tuple(map(bool, row)) for row in cells_of(points).patterns]
    assert set(listed) == patterns_by_programmes(points)
    assert len(set(listed)) == len(listed)


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=1, max_size=9))
def test_counts_agree_on_small_integers_and_interior_points_have_their_pattern(points: list[tuple[int, int]]) -> None:
    found = cells_of(points)
    assert len(found) == count_by_deletion(found.rows)
    for k in range(len(found)):
        theta = found.interior(k)
        values = [sum(t * v for t, v in zip(theta, (*x, 1), strict=True)) for x in points]
        assert 0 not in values
        assert [v > 0 for v in values] == found.patterns[k].tolist()


def test_random_parameters_on_and_off_walls_fall_into_listed_cells() -> None:
    listed = {tuple(map(bool, row)) for row in cells_of(GRID).patterns}
    met = set()
    for theta in product(range(-4, 5), repeat=3):
        met.add(tuple(sum(t * v for t, v in zip(theta, (*x, 1), strict=True)) > 0 for x in GRID))
    assert met <= listed
    assert len(met) > 50


def test_extreme_rays_span_the_cell_and_none_is_a_sum_of_others() -> None:
    points = [(0, 0), (1, 0), (0, 1), (1, 1), (3, 2)]
    found = cells_of(points)
    for k in range(len(found)):
        rays = found.extreme_rays(k)
        sides = [1 if on else -1 for on in found.patterns[k]]
        for ray in rays:
            signs = [
                s * sum(r * v for r, v in zip(ray, (*x, 1), strict=True)) for s, x in zip(sides, points, strict=True)
            ]
            assert min(signs) >= 0
            assert np.linalg.matrix_rank([(*x, 1) for x, s in zip(points, signs, strict=True) if s == 0]) == 2
            others = [other for other in rays if other != ray]
            columns = [[other[j] for other in others] for j in range(3)]
            assert not isinstance(minimise([0] * len(others), A_eq=columns, b_eq=list(ray)), Optimum)


def test_points_on_a_line_leave_lines_in_every_cell() -> None:
    found = cells_of([(i, 2 * i) for i in range(4)])
    assert found.rank == 2
    assert found.lineality == ((-2, 1, 0),)
    assert null_space(found.rows) == found.lineality


def test_long_decimals_are_counted_without_overflow() -> None:
    tiny = Fraction(1, 10**30)
    assert len(cells_of([(0, 0), (1, 1), (2, 2 + tiny), (3, 1)])) == 14
    assert len(cells_of([(0, 0), (1, 1), (2, 2), (3, 1)])) == 12


@pytest.mark.parametrize(("n", "d"), [(40, 3), (200, 2)])
def test_large_arrangements_have_all_their_cells(n: int, d: int) -> None:
    points = np.random.default_rng(1).integers(-(10**6), 10**6, (n, d)).tolist()
    found = cells_of(points)
    assert len(found) == 2 * sum(comb(n - 1, k) for k in range(d + 1)) == count_by_deletion(found.rows)
    flipped = {row.tobytes() for row in ~found.patterns}
    assert flipped == {row.tobytes() for row in found.patterns}


def test_too_many_cells_are_refused_with_an_estimate() -> None:
    points = np.random.default_rng(2).integers(-99, 99, (10**4, 5)).tolist()
    with pytest.raises(DataError, match=r"10000 points in dimension 5 have about 1\.67e\+18 cells"):
        cells_of(points)
    assert too_many(200, 2, 3) is None


def test_points_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="as many coordinates"):
        lifted([(1, 2), (3,)])
    with pytest.raises(DataError, match="at least one"):
        lifted([])
