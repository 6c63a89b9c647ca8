"""Around Theorem 3.3, beyond the contract tests: equivalent conjectures, and tests of the oracles themselves."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Context
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.observed.cheapest.best_tails import best_tails
from implicitbias.theory.observed.cheapest.cheapest_network import (
    cheapest_near,
    cheapest_network,
    feature,
    holds_for_every_kink,
    range_at,
)
from implicitbias.theory.observed.data.datasets import DataSet, by_hand, random_batch, ten_points, through
from implicitbias.theory.observed.functions.second_derivative import SecondDerivative, cheapest_exact_network

CLAIMS = {claim.id.removeprefix("savarese2019."): claim for claim in load().claims}


@cache
def evidence(name: str) -> tuple[Evidence, ...]:
    return tuple(check.observe(Context(seed=3)) for check in CLAIMS[name].checks)


def outcomes(name: str, formula: str) -> set[Outcome]:
    claim: Claim = CLAIMS[name]
    return {judge(e, formula, tuple(claim.symbols)).outcome for e in evidence(name)}


LEAST_COST = [
    "T + Max(0, (Abs(a + b) - T)/2)",
    "(3*T + Abs(a + b) + Abs(T - Abs(a + b)))/4",
    "Max(T, T/2 + Max(a + b, -a - b)/2)",
    "Max(2*T, T + sqrt((a + b)**2))/2",
    "Max(T, (T + Abs(a) + Abs(b))/2)",  # differs from the closed form only where no data is
]
NOT_LEAST_COST = [
    "Max(T, Abs(a + b))",
    "T + Abs(a + b)",
    "T",
    "(T + Abs(a + b))/2",
    "Max(T, (T + Abs(a - b))/2)",
    "Max(T, (T + a + b)/2)",
    "Max(T, Abs(a + b)/2)",
    "Max(T, (2*T + Abs(a + b))/3)",
    "Max(T/2, (T + Abs(a + b))/2)",
    "T + Max(0, Abs(a + b) - T)",
    "sqrt(T*Max(T, Abs(a + b)))",
    "Max(T, Abs(a), Abs(b))",
]


@pytest.mark.parametrize("formula", LEAST_COST)
def test_the_least_cost_in_other_words_is_accepted_by_every_check(formula: str) -> None:
    assert outcomes("equation_27_minimum", formula) == {Outcome.ACCEPTED}


@pytest.mark.parametrize(
    "formula",
    [
        "Max(Abs(l_0 + l_N), Abs(b - l_N) + T + Abs(l_0 - a))",
        "Max(T + Abs(a - l_0) + Abs(b - l_N), l_0 + l_N, -l_0 - l_N)",
        "T + sqrt((a - l_0)**2) + Abs(b - l_N) + Max(0, Abs(l_0 + l_N) - T - Abs(a - l_0) - Abs(b - l_N))",
    ],
)
def test_the_least_cost_with_given_tails_in_other_words_is_accepted_by_every_check(formula: str) -> None:
    assert outcomes("theorem_3_3", formula) == {Outcome.ACCEPTED}


@pytest.mark.parametrize("name", ["equation_27_minimum", "theorem_3_3"])
@pytest.mark.parametrize("formula", NOT_LEAST_COST)
def test_a_wrong_least_cost_is_rejected_by_every_check(name: str, formula: str) -> None:
    assert outcomes(name, formula) == {Outcome.REJECTED}


@pytest.mark.parametrize(
    ("name", "formula", "outcome"),
    [
        ("equation_27", "Max(T + Abs(a - l_0) + Abs(b - l_N), l_0 + l_N, -l_0 - l_N)", Outcome.ACCEPTED),
        ("equation_27", "Max(T + Abs(a - l_0) + Abs(b - l_N), Abs(l_0 - l_N))", Outcome.REJECTED),
        ("equation_27", "Max(T + Abs(a - l_0) + Abs(b - l_N), l_0 + l_N)", Outcome.REJECTED),
        ("equation_27_end_slopes", "c - theta*Max(0, Min(c + d - T, 2*c + 2*d)/2)", Outcome.REJECTED),
        ("equation_27_end_slopes", "c - theta*(Max(0, c + d - T) - Max(0, -c - d - T))/2", Outcome.ACCEPTED),
        ("theorem_3_3_band", "Max(0, Min(k*t, m*(h - t))) + Max(0, Min(-k*t, m*(t - h)))", Outcome.ACCEPTED),
        ("theorem_3_3_band", "Max(0, Min(k*t, m*(h - t)))", Outcome.REJECTED),
        ("theorem_3_3_sparsest", "k_1 - floor(k_1/2) + k_2 - floor(k_2/2) + k_3 - floor(k_3/2)", Outcome.ACCEPTED),
        ("theorem_3_3_sparsest", "(k_1 + k_2 + k_3)/2", Outcome.REJECTED),
        ("theorem_3_3_units", "2*(N - 1) - N + 1", Outcome.ACCEPTED),
        ("theorem_3_3_units", "N - 3/2", Outcome.REJECTED),
    ],
)
def test_conjectures_about_tails_bands_knots_and_units(name: str, formula: str, outcome: Outcome) -> None:
    assert outcomes(name, formula) == {outcome}


@pytest.mark.parametrize("formula", ["N - 1/2", "Max(1, N - 1)", "2*floor(N/2)"])
def test_more_units_than_the_hardest_data_need_are_refused_by_these(formula: str) -> None:
    """A single point rejects Max(1, N - 1): a constant needs no unit."""
    assert Outcome.REJECTED in outcomes("theorem_3_3_units", formula)


def test_a_dual_vector_that_prices_some_kink_above_one_is_refused() -> None:
    assert holds_for_every_kink((0, 1), (-1, 1))
    assert not holds_for_every_kink((0, 1), (Fraction(-11, 10), Fraction(11, 10)))
    assert not holds_for_every_kink((0, 1), (-1, Fraction(1, 2)))  # the sum is not zero, so constants are not free
    # p = 1, -1, 0 at the data: within bounds for units turned right, but p - 1 = -2 for a unit turned left at 1
    assert not holds_for_every_kink((0, 1, 2), (-2, 3, -1))


def test_the_data_points_decide_what_every_kink_costs() -> None:
    for data in (*by_hand(), *random_batch(5, 12)):
        dual = cheapest_network(data).dual
        dense = [Fraction(data.x[0]) - 3 + Fraction(i, 7) * (data.x[-1] - data.x[0] + 6) / 20 for i in range(141)]
        for t in dense:
            for w in (1, -1):
                price = sum((v * feature((w, t), u) for u, v in zip(data.x, dual, strict=True)), Fraction(0))
                assert abs(price) <= 1


def test_the_oracle_finds_the_cost_of_the_ten_points_and_their_dual_vector() -> None:
    network = cheapest_network(ten_points())
    assert network.cost == Fraction(87, 20)
    assert network.dual == (-2, 2, 0, 4, -4, 0, -4, 4, 2, -2)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.integers(1, 3))
def test_the_oracle_scales_and_reflects_with_the_data(slopes: list[int], factor: int) -> None:
    data = through("", slopes)
    cost = cheapest_network(data).cost
    upside_down = data.with_labels([-factor * y for y in data.y])
    backward = DataSet("", tuple(-x for x in reversed(data.x)), tuple(reversed(data.y)))
    assert cheapest_network(upside_down).cost == factor * cost
    assert cheapest_network(backward).cost == cost


def test_the_least_value_of_27_is_not_beaten_on_a_grid_of_end_slopes() -> None:
    for T, a, b in ((1, 1, 2), (0, 1, 1), (3, 1, 2), (2, 1, -1), (1, -1, -2), (3, 3, 2)):
        grid = [Fraction(i, 4) for i in range(-20, 21)]
        brute = min(max(T + abs(p - a) + abs(q - b), abs(p + q)) for p in grid for q in grid)
        assert best_tails(Fraction(T), Fraction(a), Fraction(b)).value == brute


def test_a_free_gap_is_as_wide_as_its_two_extreme_minimisers() -> None:
    bowl = through("", [-2, 0, 2])
    low, high = range_at(bowl, Fraction(3, 2), cheapest_network(bowl).cost)
    assert (low, high) == (-3, -2)  # the chords continued meet at (3/2, -3); the spline is flat at -2
    assert range_at(bowl, Fraction(1, 2), cheapest_network(bowl).cost) == (-1, -1)


def test_an_error_at_the_data_lowers_the_cost_and_too_large_a_one_lowers_it_to_zero() -> None:
    tent = through("", [1, -1])
    assert cheapest_near(tent, 0).cost == 2
    assert cheapest_near(tent, Fraction(1, 4)).cost == 1
    assert cheapest_near(tent, Fraction(1, 2)).cost == 0


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=5), st.integers(-5, 5))
def test_the_cheapest_equal_network_costs_what_theorem_3_1_says(jumps: list[int], slope: int) -> None:
    f = SecondDerivative({Fraction(i): Fraction(k) for i, k in enumerate(jumps)}, {}, Fraction(slope), Fraction(0))
    assert cheapest_exact_network(f) == max(f.variation, abs(f.end_slope_sum))


def test_the_variants_of_a_spline_are_what_they_are_called() -> None:
    data = through("", [-3, -1, 0, 1, 3])
    variants = dict(SecondDerivative.of_spline(data).variants(data))
    smeared, wiggle = (
        variants["two kinks smeared out between them"],
        variants["a smooth wiggle between two data points"],
    )
    assert all(f.interpolates(data) for f in variants.values())
    assert smeared.variation == data.variation == 6
    assert cheapest_exact_network(smeared) is None
    assert wiggle.variation > 6
    assert len(variants["two kinks merged into one"].atoms) == len(data.kinks) - 1


def test_the_data_by_hand_holds_both_regimes_and_their_boundary() -> None:
    data = by_hand()
    assert any(d.tails_bend for d in data)
    assert any(d.variation == abs(d.a + d.b) > 0 for d in data)
    assert any(d.a + d.b < 0 and d.tails_bend for d in data)
    assert any(0 in d.kinks for d in data)
    assert all(u < v for d in data for u, v in pairwise(d.x))
