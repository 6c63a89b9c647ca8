"""Around Corollary 3.4 and equation (28): the certified minimum against networks that try to be cheaper."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.functions.network import Network
from implicitbias.theory.observed.cheapest import attainment
from implicitbias.theory.observed.cheapest.cheapest_network import cheapest_with_absolute_loss
from implicitbias.theory.observed.cheapest.regularised_optimum import regularised_optimum
from implicitbias.theory.observed.data.datasets import DataSet, by_hand, random_batch, ten_points, through
from implicitbias.theory.observed.functions.loss_shape import shape
from implicitbias.theory.observed.functions.second_derivative import cheapest_exact_network
from implicitbias.theory.observed.training.shallow_runs import exact_objective
from implicitbias.theory.savarese2019.corollary_3_4 import spline_with_best_tails
from implicitbias.theory.savarese2019.sparsest import disjoint_needs, merged

entry = st.integers(-12, 12).map(lambda i: Fraction(i, 6))


@given(st.lists(st.tuples(entry, entry, entry), min_size=1, max_size=4), entry)
def test_no_network_ends_below_the_certified_minimum(units: list[tuple[Fraction, ...]], c: Fraction) -> None:
    data, lam = through("", [1, -1]), Fraction(1, 2)
    found = regularised_optimum(data, lam)
    assert found is not None
    network = Network(*zip(*units, strict=True), c)
    assert exact_objective(network, data, lam) >= found.value


def test_two_points_by_hand() -> None:
    # labels 0 and 1 a unit apart: the fitted difference is 1 - λ, the minimum λ - λ²/2
    found = regularised_optimum(DataSet("", (0, 1), (0, 1)), Fraction(1, 4))
    assert found is not None
    assert found.fitted == (Fraction(1, 8), Fraction(7, 8))
    assert found.value == Fraction(1, 4) - Fraction(1, 32)


@pytest.mark.parametrize(("lam", "cost"), [("1/100000", "4.3496"), ("1/1000", "4.31"), ("1/100", "3.95")])
def test_the_ten_points_cost_less_the_more_they_are_regularised(lam: str, cost: str) -> None:
    found = regularised_optimum(ten_points(), Fraction(lam))
    assert found is not None
    assert found.cost == Fraction(cost)


def test_beyond_the_hypothesis_the_optimum_is_not_certified_by_the_dual_of_the_data() -> None:
    assert regularised_optimum(DataSet("", (0, 1), (0, 1)), Fraction(3)) is None


def test_the_spline_with_best_tails_bends_at_the_left_end_only() -> None:
    for data in by_hand():
        if data.size == 1:
            continue
        spline = spline_with_best_tails(data)
        assert spline.interpolates(data)
        assert spline.end_slopes[1] == data.b
        assert (spline.left_slope != data.a) == data.tails_bend


def test_large_penalties_leave_a_median_and_no_cost() -> None:
    best = cheapest_with_absolute_loss(DataSet("", (0, 1, 2), (0, 5, 1)), 100)
    assert best.cost == 0
    assert best.objective == 5


def test_merged_kinks_keep_the_data_and_the_variation() -> None:
    for data in (*by_hand(), *random_batch(77, 30, 10)):
        jumps = merged(data)
        assert sum((abs(j) for j in jumps.values()), Fraction(0)) == data.variation
        assert len(jumps) == len(disjoint_needs(data))


def test_a_stationary_line_is_stationary_for_one_penalty_only() -> None:
    assert attainment.line_is_stationary(Fraction(1, 4))
    assert not attainment.line_is_stationary(Fraction(1, 3))
    assert not attainment.line_is_stationary(Fraction(1, 5))


@pytest.mark.parametrize(
    ("formula", "shift", "expected"),
    [  # lower semi-continuous, coercive, bounded below, convex, attained
        ("(z - 1)**2 + 1 - Abs(sign(z - 5))", "", (False, True, True, False, True)),
        ("exp(-z)*(1/10 + 2*sin(z/2 + pi/4)**2)", "2*pi", (True, False, True, False, False)),
        ("Abs(z - 1) + 1 - Abs(sign(z - 1))", "", (False, True, True, False, False)),
        ("log(1 + exp(-z)) + log(1 + exp(z))", "", (True, True, True, True, True)),
        ("Abs(sign(z))", "", (True, False, True, False, True)),
    ],
)
def test_the_shape_of_a_loss_is_read_off_its_formula(formula: str, shift: str, expected: tuple[bool, ...]) -> None:
    assert dataclasses.astuple(shape(formula, shift)) == expected


def test_a_shift_that_does_not_lower_a_loss_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="not shown"):
        shape("exp(-z)*(1 + sin(z)**2)", "-pi")


def test_the_penalty_is_paid_once_by_each_optimal_network() -> None:
    for data in random_batch(11, 10):
        best = cheapest_with_absolute_loss(data, Fraction(1, 3))
        loss = sum((abs(best(x) - y) for x, y in zip(data.x, data.y, strict=True)), Fraction(0))
        assert best.objective == loss + best.cost / 3
        fitted = data.with_labels([best(x) for x in data.x])
        assert cheapest_exact_network(spline_with_best_tails(fitted)) == best.cost
