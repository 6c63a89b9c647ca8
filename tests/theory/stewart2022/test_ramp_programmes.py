"""The exact programmes for problem (9) and its relatives, against values computed elsewhere and against invariances."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.theory.stewart2022.equation_9 import terms
from implicitbias.theory.stewart2022.observed.points import Points, batch, by_hand, random_points
from implicitbias.theory.stewart2022.observed.ramp_programme import (
    certified_value,
    cheapest_ramps,
    feature,
    largest_price,
    off_data,
    price,
)

H = Fraction(1, 100)

REFERENCE = [
    ((-1, Fraction(-1, 2), 0, Fraction(1, 2), 1), (1, Fraction(1, 2), 0, Fraction(1, 2), 1), Fraction(2)),
    ((-1, 1), (1, 1), Fraction(1)),
    ((-1, 0, 1), (0, 1, 0), Fraction(3)),
    ((-1, 0, 1), (2, 3, 4), Fraction(3)),
    ((-1, Fraction(1, 2), 1), (1, 2, 1), Fraction(13, 3)),
    ((-1, -7 * H, H, 50 * H, 90 * H, 1), (3, -2, -1, 3, -1, -2), Fraction(3755, 93)),
    (
        (-1, -78 * H, -48 * H, -41 * H, -18 * H, 63 * H, 99 * H, 1),
        tuple(Fraction(v, 100) for v in (73, 100, 18, 88, 5, 56, 27, 20)),
        Fraction(2880673, 68310),
    ),
    (
        (-1, H, 41 * H, 73 * H, 84 * H, 87 * H, 95 * H, 1),
        tuple(Fraction(v, 10) for v in (74, 76, 78, 76, 71, 77, 79, 72)),
        Fraction(273707, 4048),
    ),
    (
        (-1, -95 * H, -7 * H, 3 * H, 31 * H, 57 * H, 60 * H, 1),
        tuple(map(Fraction, ("-161/4", "-151/4", "-61/20", "9/20", "57/5", "109/5", "23", "157/4"))),
        Fraction(445, 8),
    ),
]


@pytest.mark.parametrize(("x", "y", "value"), REFERENCE)
def test_the_certified_value_is_the_one_found_elsewhere(
    x: tuple[Fraction, ...], y: tuple[Fraction, ...], value: Fraction
) -> None:
    assert certified_value(x, y).value == value


def test_points_in_a_row_change_neither_the_value_nor_r_reg() -> None:
    for seed in range(12):
        few = random_points(Random(seed), 4)
        many = random_points(Random(seed), 4, row=True)
        assert {few.x[i] for i in few.support} == {many.x[i] for i in many.support}
        assert certified_value(few.x, few.y).value == certified_value(many.x, many.y).value


@given(st.integers(0, 10**6), st.fractions(-1, 1, max_denominator=50))
def test_the_dual_bounds_every_kink_and_the_primal_meets_the_data(seed: int, c: Fraction) -> None:
    (data,) = batch(Random(seed), 1)
    found = certified_value(data.x, data.y)
    assert all(found(at) == value for at, value in zip(data.x, data.y, strict=True))
    assert abs(price(data.x, found.alpha, (1, c))) <= 1 >= abs(price(data.x, found.alpha, (-1, c)))
    assert sum(map(abs, found.weights.values())) == found.value


def test_a_multiplier_moved_a_little_is_priced_above_one() -> None:
    data = by_hand()[8]  # the tent
    found = certified_value(data.x, data.y)
    moved = [found.alpha[0], found.alpha[1] + Fraction(1, 1000), found.alpha[2]]
    assert largest_price(data.x, found.alpha) == 1 < largest_price(data.x, moved)


def test_dropping_a_corner_makes_the_data_kinks_insufficient() -> None:
    assert cheapest_ramps((-1, 0, 1), (0, 1, 0), (-1, 1)) is None


def test_prices_on_a_grid_never_exceed_the_largest_price() -> None:
    generator = Random(5)
    for _ in range(10):
        data = random_points(generator, 5)
        alpha = [Fraction(generator.randint(-9, 9)) for _ in data.x]
        bound = largest_price(data.x, alpha)
        grid = [Fraction(j, 37) for j in range(-37, 38)]
        assert max(abs(price(data.x, alpha, (s, c))) for s in (1, -1) for c in grid) <= bound


def test_the_spline_passes_through_the_points_and_bends_there_only() -> None:
    data = Points("three", (-1, Fraction(1, 2), 1), (0, 3, 1))
    assert [data.spline(c) for c in data.x] == [0, 3, 1]
    assert data.spline(Fraction(-1, 4)) == Fraction(3, 2)
    assert data.slopes == (2, -4)
    assert data.kinks == (-6,)
    assert (data.rising, data.falling) == (0, 6)


def test_the_terms_of_the_closed_form_are_those_of_a_tent() -> None:
    found = terms(Points("tent", (-1, 0, 1), (0, 1, 0)))
    assert (found["P"], found["M"], found["g"], found["A_0"], found["B_0"]) == (0, 2, 1, 1, -1)


def test_off_data_places_lie_strictly_between() -> None:
    places = off_data((-1, 0, 1))
    assert len(places) == 4
    assert all(-1 < c < 1 and c != 0 for c in places)
    assert feature((-1, Fraction(0)), -1) == 1 > feature((1, Fraction(0)), -1) == 0
