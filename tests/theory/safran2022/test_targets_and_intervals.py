"""Teachers for given switches, their constant intervals, and waves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from implicitbias.functions.network import Network
from implicitbias.theory.observed.data.targets import (
    agrees,
    constant_intervals,
    fewest_regions,
    network_for,
    sign,
    target_sign,
    wave,
    zeros,
)

switches = st.lists(st.integers(-99, 99), unique=True, max_size=9).map(lambda ps: [Fraction(p, 50) for p in sorted(ps)])
signs = st.sampled_from([1, -1])


@given(switches, signs)
def test_a_teacher_has_one_unit_a_switch_and_the_sign_of_its_target(places: list[Fraction], first: int) -> None:
    network = network_for(places, first)
    assert network.width == max(1, len(places))
    edges = [Fraction(-2), *places, Fraction(2)]
    inner = [low + (high - low) * Fraction(j, 7) for low, high in pairwise(edges) for j in range(1, 7)]
    for x in [*edges, *inner]:
        assert sign(network(x)) == target_sign(places, first, x)


@given(switches.filter(len), signs)
def test_another_target_is_told_apart(places: list[Fraction], first: int) -> None:
    network = network_for(places, first)
    assert agrees(network, places, first, Fraction(2))
    assert not agrees(network, places, -first, Fraction(2))
    assert not agrees(network, places[:-1], first, Fraction(2))


@given(switches, signs)
def test_constant_intervals_fill_the_range(places: list[Fraction], first: int) -> None:
    found = constant_intervals(network_for(places, first).to_piecewise_linear(), Fraction(2))
    assert [low for low, _ in found] == [-2, *places]
    assert [high for _, high in found] == [*places, 2]


def test_a_zero_touched_from_above_is_an_interval_of_length_zero() -> None:
    absolute = Network([1, -1], [0, 0], [1, 1]).to_piecewise_linear()
    assert constant_intervals(absolute, Fraction(1)) == [(-1, 0), (0, 0), (0, 1)]
    assert zeros(absolute) == [0]


@given(switches.filter(len))
def test_a_wave_has_its_zeros_and_as_many_regions(places: list[Fraction]) -> None:
    f = wave(places)
    assert zeros(f) == places
    assert f.pieces == len(places)
    assert f(places[0] - 1) == 1


@given(st.lists(signs, min_size=1, max_size=8))
def test_the_fewest_regions_are_the_switches(labels: list[int]) -> None:
    points = [Fraction(j * j) for j in range(len(labels))]
    assert fewest_regions(points, labels) == max(1, sum(a != b for a, b in pairwise(labels)))
