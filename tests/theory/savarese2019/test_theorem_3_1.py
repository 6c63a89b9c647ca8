"""Beyond the contract tests: whether the observations around Theorem 3.1 compute what they say."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import exp, pi, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from implicitbias.claims.check import Context
from implicitbias.exact.formula import parse
from implicitbias.formulas.smooth import as_piecewise_linear
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.observed.cheapest.cheapest_measure import cheapest_measure
from implicitbias.theory.observed.cheapest.programme_20 import Programme20
from implicitbias.theory.observed.functions.piecewise_linear_cases import (
    REGIMES,
    from_jumps,
    random_case,
    simple_cases,
    with_room,
)
from implicitbias.theory.observed.functions.smooth_functions import SMOOTH, analyse
from implicitbias.theory.observed.units.approaching_networks import enclosure_of_the_cost, explicit_cost
from implicitbias.theory.observed.units.outward_tails import outward_mass
from implicitbias.theory.savarese2019 import definition_6, theorem_3_1

WRITTEN = {
    "x": "x",
    "-x": "-x",
    "[x]_+": "Max(x,0)",
    "-[x]_+": "-Max(x,0)",
    "[-x]_+": "Max(-x,0)",
    "|x|": "Abs(x)",
    "x + |x|/4": "x+Abs(x)/4",
    "leaky ReLU with slope 1/10": "Max(x,x/10)",
    "the hat [1 - |x|]_+": "Max(0,1-Abs(x))",
    "hard tanh": "Max(-1,Min(1,x))",
    "5 - 3[2x - 1]_+": "5-3*Max(2*x-1,0)",
    "[x]_+ - [x - 1]_+ + 2x": "Max(x,0)-Max(x-1,0)+2*x",
    "x/3 + |x|": "x/3+Abs(x)",
    "-2|x| - x/5 + 1": "-2*Abs(x)-x/5+1",
    "-3x + [x - 7]_+ - [x + 7]_+": "-3*x+Max(x-7,0)-Max(x+7,0)",
    "|x| + |x - 1| + 2x": "Abs(x)+Abs(x-1)+2*x",
    "100x + 2|x - 1000|": "100*x+2*Abs(x-1000)",
}


def by_name(name):
    return next(f for f in SMOOTH if f.name == name)


@pytest.fixture(scope="module")
def evidence():
    return [check.observe(Context(seed=5)) for check in (theorem_3_1.weak_duality, theorem_3_1.cheapest_measures)]


def test_the_simple_functions_are_what_their_labels_say():
    cases = dict(simple_cases())
    assert len(set(WRITTEN) - set(cases)) == 0
    for label, formula in WRITTEN.items():
        assert as_piecewise_linear(parse(formula, ("x",)).tree) == cases[label], label


@given(st.integers(0, 10**9), st.sampled_from(REGIMES))
def test_random_functions_are_of_their_regime(seed, regime):
    f = random_case(Random(seed), regime)
    T, s = f.total_variation, abs(f.end_slope_sum)
    holds = {"|s| = T": s == T > 0, "|s| > T": s > T > 0, "s = 0": s == 0, "T = 0": T == 0 < s}
    assert holds.get(regime, 0 < s < T)


@given(st.integers(0, 10**9), st.sampled_from(REGIMES), st.booleans())
def test_the_cheapest_measure_is_the_function_and_the_multipliers_bound_every_network(seed, regime, everywhere):
    random = Random(seed)
    f = random_case(random, regime, 3)
    found = cheapest_measure(f, with_room(f), everywhere)
    for x in (*found.thresholds, (found.thresholds[0] + found.thresholds[-1]) / 2):
        assert found.at(x) == f(x)
    if everywhere:
        assert found.at(Fraction(-(10**5))) == f(Fraction(-(10**5)))
        assert found.at(Fraction(10**5)) == f(Fraction(10**5))
    far = Fraction(random.randint(-(10**6), 10**6), 7)
    assert abs(found.multiplier_of_forward(far)) <= 1
    assert abs(found.multiplier_of_backward(far)) <= 1


def test_multipliers_that_reward_a_unit_too_well_are_no_proof():
    f = from_jumps([0], [2], 0)
    found = cheapest_measure(f, with_room(f))
    greedy = replace(found, values_at=tuple(3 * nu for nu in found.values_at), slopes_at=(Fraction(0), Fraction(2)))
    assert found.beats_every_measure()
    assert not greedy.beats_every_measure()


def test_a_line_costs_one_on_a_window_and_two_everywhere():
    line = from_jumps([], [], 2)
    assert cheapest_measure(line, [-5, 5]).cost == 2
    assert cheapest_measure(line, [-5, 5], everywhere=False).cost == 1


def test_the_multiplier_of_the_programme_is_an_interval_on_the_boundary_only():
    assert Programme20((Fraction(1), Fraction(0)), Fraction(1)).multipliers() == (-1, 0)
    assert Programme20((Fraction(1), Fraction(0)), Fraction(1, 2)).multipliers() == (0, 0)
    assert Programme20((Fraction(1), Fraction(0)), Fraction(-3)).multipliers() == (1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"factor": "2*exp(x)/(1+exp(x))**2"},
        {"sign": "-1"},
        {"right_slope": "2"},
        {"right_intercept": "1"},
        {"left_intercept": None},
        {"m": "-x"},
    ],
)
def test_a_wrong_entry_of_a_smooth_function_is_not_believed(wrong):
    with pytest.raises(ArithmeticError, match="softplus"):
        analyse(replace(by_name("softplus"), **wrong))


@pytest.mark.parametrize(
    ("name", "second", "outside"),
    [
        ("softplus", lambda x: exp(-abs(x)) / (1 + exp(-abs(x))) ** 2, 0),
        ("log(1 + x²)", lambda x: 2 * (1 - x**2) / (1 + x**2) ** 2, 2 * 60 / 901),
        ("GELU", lambda x: (2 - x**2) * exp(-(x**2) / 2) / sqrt(2 * pi), 0),
        ("bell curve", lambda x: (x**2 - 1) * exp(-(x**2) / 2), 0),
    ],
)
def test_enclosures_of_the_cost_agree_with_quadrature_of_the_second_derivative(name, second, outside):
    breaks = [-30, -sqrt(2), -1, 0, 1, sqrt(2), 30]
    inside = sum(quad(lambda x: abs(second(x)), a, b, epsabs=1e-11)[0] for a, b in pairwise(breaks))
    cost = enclosure_of_the_cost(analyse(by_name(name)), 40, weighted=True).cost
    assert float(cost.lower) - 1e-8 <= inside + outside <= float(cost.upper) + 1e-8
    assert cost.width < Fraction(1, 1000)


def test_an_explicit_network_costs_what_the_exact_programme_says():
    kinks, values = [Fraction(b) for b in (-2, 0, 3)], [Fraction(y) for y in (1, -1, 4)]
    for ends in ((0, 0), (3, 2), (-9, -9), (Fraction(1, 2), 20)):
        f = PiecewiseLinear(kinks, values, *ends)
        assert explicit_cost(kinks, values, (Fraction(ends[0]), Fraction(ends[1]))) == cheapest_measure(f, [7]).cost


def test_no_network_is_near_a_function_that_grows_like_a_logarithm_off_its_asymptotes():
    found = analyse(by_name("x·arctan x - ½log(1 + x²)"))
    assert definition_6.no_network_is_near(found) > 3
    assert not definition_6.networks_come_near(found, (20, 80)).closer
    near = analyse(by_name("square root of 1 + x²"))
    assert definition_6.no_network_is_near(near) is None
    assert definition_6.networks_come_near(near, (20, 80)).closer


def test_turning_the_tails_outward_costs_twice_their_mass_when_the_end_slopes_rule():
    found = analyse(by_name("(x·arctan x - ½log(1 + x²))/π + x/2"))
    reached = [float(outward_mass(found, Fraction(K)).total.upper) for K in (10, 100, 1000)]
    assert reached == pytest.approx([1.0634510349, 1.0063659864, 1.0006366196], abs=1e-9)


@pytest.mark.parametrize(
    ("formula", "outcome"),
    [
        ("Max(T, s, -s)", Outcome.ACCEPTED),
        ("(T + Abs(s) + Abs(T - Abs(s)))/2", Outcome.ACCEPTED),
        ("sqrt(Max(T**2, s**2))", Outcome.ACCEPTED),
        ("-Min(-T, -Abs(s))", Outcome.ACCEPTED),
        ("(Abs(T + s) + Abs(T - s))/2", Outcome.ACCEPTED),
        ("Max(T, s, 0)", Outcome.REJECTED),
        ("Max(T, Abs(s), 1)", Outcome.REJECTED),
        ("Max(T, Abs(s)) + 0.000000001", Outcome.REJECTED),
        ("Max(T, Abs(s))*1.0000001", Outcome.REJECTED),
        ("Min(T + Abs(s), Max(T, 2))", Outcome.REJECTED),
    ],
)
def test_conjectures_in_the_place_of_theorem_3_1(evidence, formula, outcome):
    outcomes = {judge(seen, formula, ("T", "s")).outcome for seen in evidence}
    # that √s² is s where s >= T >= 0 is more than the rules of the theorem know
    undecided = {Outcome.UNDECIDED} if formula == "sqrt(Max(T**2, s**2))" else set()
    assert outcomes - undecided == {outcome}
