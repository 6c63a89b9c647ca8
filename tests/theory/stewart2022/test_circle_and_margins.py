"""Bounds for problem (4) over the circle and for problem (10), against grids, solvers and known values."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.theory.observed.cheapest import group_programme as g
from implicitbias.theory.observed.cheapest.circle import bracket, largest_square
from implicitbias.theory.observed.cheapest.margins import bracketed, most_mass, two_classes

small = st.integers(-9, 9)


@given(st.lists(small, min_size=2, max_size=4, unique=True), st.data())
def test_the_largest_square_is_never_below_a_grid_and_close_to_it(x: list[int], data: st.DataObject) -> None:
    alpha = [Fraction(data.draw(small)) for _ in x]
    exact = float(largest_square(sorted(x), alpha))
    places = sorted(x)
    sampled = 0.0
    for j in range(2000):
        a, b = math.cos(j * math.pi / 1000), math.sin(j * math.pi / 1000)
        total = sum(float(w) * max(0.0, a * c + b) for w, c in zip(alpha, places, strict=True))
        sampled = max(sampled, total**2)
    assert sampled <= exact * (1 + 1e-12) + 1e-12
    assert exact <= sampled * 1.02 + 1e-9


def test_problem_4_of_one_ramp_between_the_data_is_the_root_of_17() -> None:
    found = bracket((-1, Fraction(-1, 2), Fraction(1, 2), 1), (0, 0, 1, 3))
    assert found.lower <= Fraction(math.sqrt(17)) + Fraction(1, 10**12)
    assert Fraction(math.sqrt(17)) - Fraction(1, 10**12) <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**5)


def test_bounds_for_three_classes_contain_the_value_found_elsewhere() -> None:
    x = [Fraction(j, 6) for j in range(-6, 7)]
    found = bracketed(x, [2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 2, 2], 3)
    assert float(found.lower) == pytest.approx(37.71270137, abs=1e-7)
    assert 0 <= found.upper - found.lower < Fraction(1, 10**6)
    active = {u for u, p in found.prices.items() if p > 1 - Fraction(1, 10**5)}
    assert {float(c) for _, c in active} == {-1.0, 1.0, -2 / 3, 2 / 3, -1 / 6, 1 / 6}


def test_repaired_measures_keep_all_margins_exactly() -> None:
    x, labels = [Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(1)], [0, 1, 2, 0]
    found = bracketed(x, labels, 3)
    for at, label in zip(x, labels, strict=True):
        scores = [
            sum((w[j] * max(Fraction(0), s * (at - c)) for (s, c), w in found.weights.items()), Fraction(0))
            for j in range(3)
        ]
        assert all(scores[label] - scores[j] >= 1 for j in range(3) if j != label)


def test_two_classes_by_hand() -> None:
    assert two_classes([Fraction(-1), Fraction(1)], [-1, 1]).value == 1
    assert two_classes([Fraction(-1), Fraction(0), Fraction(1)], [-1, 1, -1]).value == 5
    third = Fraction(1, 3)
    assert two_classes([Fraction(-1), -third, third, Fraction(1)], [-1, 1, -1, 1]).value == 12


def test_no_optimum_has_mass_at_the_end_of_an_outer_run() -> None:
    x = [Fraction(j, 7) for j in range(-7, 8, 2)]
    sigma = [-1, -1, 1, 1, -1, -1, 1, 1]
    value = two_classes(x, sigma).value
    assert most_mass(x, sigma, value, x[1]) == 0 < most_mass(x, sigma, value, x[2])
    assert most_mass(x, sigma, value + 1, x[1]) > 0


@pytest.mark.parametrize("kind", ["l1", "linf"])
def test_primal_and_dual_of_random_margins_agree_and_bound_all_kinks(kind: g.PolyhedralNorm) -> None:
    generator = Random(3)
    for _ in range(3):
        x = [Fraction(-1), *sorted(Fraction(generator.randint(-9, 9), 10) for _ in range(2)), Fraction(1)]
        if len(set(x)) < 4:
            continue
        labels = [generator.randrange(3) for _ in x]
        margins = g.margins(labels, 3)
        primal, dual = g.cheapest_group(x, margins, x, kind), g.best_dual(x, margins, x, g.DUAL[kind])
        assert primal.value == dual.value
        assert g.largest_price(x, dual.alpha, g.DUAL[kind]) <= 1
        assert sum((g.norm(w, kind) for w in primal.weights.values()), Fraction(0)) == primal.value
        for at, label in zip(x, labels, strict=True):
            scores = primal.at(at)
            assert all(scores[label] - scores[j] >= 1 for j in range(3) if j != label)
