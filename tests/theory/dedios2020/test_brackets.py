"""Brackets of minima, least costs on cones and chords of roots against closed forms and brute force."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.theory.observed.cheapest.cone_programme import least_cost, unit_rays
from implicitbias.theory.observed.cheapest.convex_minimum import NoMinimumError, convex_minimum
from implicitbias.theory.observed.measures.chords import non_negative_multiples, root_chord
from implicitbias.theory.observed.measures.cone_measures import closed_cells, contains, member, random_atoms
from implicitbias.theory.observed.measures.power_potentials import least_power_mean
from implicitbias.theory.observed.units.neurons import (
    Neuron,
    lifted,
    mean_active_length,
    mean_square_output,
    random_data,
    random_neuron,
)
from implicitbias.theory.observed.units.rescaling import least_potential

positive = st.fractions(Fraction(1, 10**4), Fraction(10**4), max_denominator=10**4)


@given(positive, positive)
def test_the_bracket_holds_the_minimum_of_a_sum_of_two_powers(p: Fraction, q: Fraction) -> None:
    found = convex_minimum(lambda t: p * t * t + q / (t * t))
    assert found.value.lower**2 <= 4 * p * q <= found.value.upper**2
    assert found.place.lower**4 * p <= q <= found.place.upper**4 * p
    assert found.value.width <= found.value.upper * Fraction(1, 2**90)


@settings(max_examples=25)
@given(positive)
def test_the_bracket_holds_a_minimum_with_a_corner(p: Fraction) -> None:
    found = convex_minimum(lambda t: 2 * abs(t - p) + abs(t - 2 * p))
    assert found.value.lower <= p <= found.value.upper
    assert found.place.lower <= p <= found.place.upper


def test_a_constant_is_its_own_minimum_and_an_infimum_at_the_end_is_refused() -> None:
    assert convex_minimum(lambda t: Fraction(3)).value.lower == 3
    with pytest.raises(NoMinimumError):
        convex_minimum(lambda t: t)
    with pytest.raises(NoMinimumError):
        convex_minimum(lambda t: 1 / t)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_the_least_potential_of_a_neuron_is_the_corrected_closed_form(seed: int) -> None:
    draw = random.Random(seed)
    data = random_data(draw, 3, draw.choice((1, 2)))
    neuron = random_neuron(draw, data)
    found = least_potential(neuron, data).value
    square = 4 * neuron.c**2 * mean_square_output(neuron.theta, data) * mean_active_length(neuron.theta, data)
    assert found.lower**2 <= square <= found.upper**2


@settings(max_examples=25)
@given(st.lists(positive, min_size=1, max_size=5), st.integers(1, 4))
def test_power_means_enclose_the_power_of_the_sum(masses: list[Fraction], q: int) -> None:
    found = least_power_mean(masses, q)
    assert found.lower <= sum(masses) ** q <= found.upper
    assert found.width <= found.upper * Fraction(1, 10**9)


@given(
    positive, positive, st.fractions(0, 10**4, max_denominator=10**3), st.sampled_from([Fraction(1, 3), Fraction(1, 2)])
)
def test_chords_of_roots_are_compared_as_floats_compare_them(
    p: Fraction, q: Fraction, middle: Fraction, share: Fraction
) -> None:
    chord = float(share) * math.sqrt(p) + float(1 - share) * math.sqrt(q)
    root = math.sqrt(middle)
    equal, above = root_chord(p, q, middle, share)
    if abs(chord - root) > 1e-9 * (1 + chord):
        assert not equal
        assert above == (chord > root)
    exact = root_chord(p * p, q * q, (share * p + (1 - share) * q) ** 2, share)
    assert exact == (True, True)


def test_multiples_know_their_sign() -> None:
    u = [Fraction(1), Fraction(-2)]
    assert non_negative_multiples(u, [3 * t for t in u])
    assert non_negative_multiples(u, [Fraction(0), Fraction(0)])
    assert not non_negative_multiples(u, [-t for t in u])
    assert not non_negative_multiples(u, [Fraction(1), Fraction(2)])


@pytest.mark.parametrize(("s", "t"), [(1, 1), (1, -1), (-2, 1), (3, 0), (-1, -2)])
def test_costs_on_the_right_angle_are_euclidean_or_sums(s: int, t: int) -> None:
    first, second = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    found = least_cost(first, second, (Fraction(s), Fraction(t)))
    cost = math.hypot(s, t) if s * t >= 0 else abs(s) + abs(t)
    assert float(found.lower) <= cost * (1 + 1e-12)
    assert cost <= float(found.upper) * (1 + 1e-12)
    assert found.width <= found.upper / 1000


def test_rays_without_rational_length_are_refused() -> None:
    with pytest.raises(ValueError, match="rational"):
        unit_rays([(Fraction(1), Fraction(1)), (Fraction(0), Fraction(1))])


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_members_lie_in_their_cell_and_moments_predict_its_measures(seed: int) -> None:
    draw = random.Random(seed)
    d = draw.choice((1, 2))
    data = random_data(draw, d + 2, d)
    cone = draw.choice(closed_cells(data))
    assert contains(cone, member(cone, draw), data)
    measure = random_atoms(cone, draw, 3)
    assert sum(measure.masses) == 1
    single = Neuron(measure.moment(), Fraction(1))
    for i, x in enumerate(data):
        assert measure(x) == (
            sum(m * v for m, v in zip(single.theta, lifted(x), strict=True)) if i in cone.active else 0
        )
