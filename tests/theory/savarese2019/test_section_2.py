"""The observations of Section 2 against independent computations."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.claims.check import Context
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.functions.network import Network
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.functions.representation_cost import representation_cost
from implicitbias.theory.savarese2019 import footnote_2_biases, section_2_learning
from implicitbias.theory.savarese2019.observed.cost_programme import Polyline, interpolation, representation
from implicitbias.theory.savarese2019.observed.unit_rescaling import bracketed_minimum, rescaled_cost
from implicitbias.theory.savarese2019.section_2_pieces import slope_jumps

small = st.integers(-5, 5)
positive = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


def as_function(f: Polyline) -> PiecewiseLinear:
    kinks = sorted(f.jumps)
    right = f.left_slope + sum(f.jumps.values(), Fraction(0))
    return PiecewiseLinear(kinks, [f(b) for b in kinks], f.left_slope, right)


@given(st.dictionaries(st.integers(-6, 6), small, min_size=1, max_size=4), small, small)
def test_the_programme_over_units_finds_the_closed_form_of_the_cost(
    jumps: dict[int, int], left: int, offset: int
) -> None:
    f = Polyline.of(dict(jumps), left, offset)
    cost, units = representation(f, list(f.jumps))
    assert cost == representation_cost(as_function(f))
    network = Network([w for w, _, _ in units], [-w * b for w, b, _ in units], [u for *_, u in units])
    assert network.path_norm == cost
    assert network.to_piecewise_linear() - as_function(f) == PiecewiseLinear([0], [network(0) - f(Fraction(0))], 0, 0)


def test_a_kink_more_or_less_in_the_programme_changes_nothing_while_the_output_bias_is_free() -> None:
    f = Polyline.of({0: 2, 1: -3}, left_slope=1)
    assert representation(f, [0, 1])[0] == representation(f, [-4, 0, Fraction(1, 3), 1, 9])[0]


def test_without_an_output_bias_a_wider_grid_is_cheaper() -> None:
    one = Polyline.of({}, offset=1)
    narrow, wide = (representation(one, [0, reach], output_bias=False)[0] for reach in (1, 1000))
    assert narrow > wide > 0


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=6, unique_by=lambda p: p[0]))
def test_the_programme_of_interpolation_agrees_with_the_spline_with_its_best_tails(
    points: list[tuple[int, int]],
) -> None:
    x, y = zip(*sorted(points), strict=True)
    found = interpolation(x, y)
    assert found.cost == min_norm_interpolant(x, y).cost
    assert sum(v * z for v, z in zip(found.prices, y, strict=True)) == found.cost
    network = Network([w for w, _, _ in found.units], [-w * b for w, b, _ in found.units], [u for *_, u in found.units])
    assert len({network(z) - value for z, value in zip(x, y, strict=True)}) == 1


@given(positive, positive)
def test_the_bracket_holds_a_minimum_known_by_another_route(a: Fraction, b: Fraction) -> None:
    found = bracketed_minimum(lambda t: rescaled_cost(a, b, t))
    assert found is not None
    assert found.place.lower <= a / b <= found.place.upper
    assert found.value.lower <= rescaled_cost(a, b, a / b) <= found.value.upper


@pytest.mark.parametrize("cost", [lambda t: 1 / t, lambda t: t, lambda t: -t])
def test_there_is_no_bracket_where_no_scale_is_best(cost: Callable[[Fraction], Fraction]) -> None:
    assert bracketed_minimum(cost) is None


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-2, 2)), max_size=6))
def test_slope_jumps_are_those_of_the_network(units: list[tuple[int, int, int]]) -> None:
    jumps = slope_jumps([(w, b, Fraction(v)) for w, b, v in units])
    w, b, v = (list(column) for column in zip(*units, strict=True)) if units else ([], [], [])
    assert tuple(sorted(jumps.items())) == Network(w, b, v).to_piecewise_linear().kinks


def test_the_single_kink_is_the_cheapest_interpolant_also_where_biases_are_penalised() -> None:
    """Prices ν with Σν = 0 that no unit exceeds: |Σνₙ[w(xₙ−b)]₊| <= √(1+b²) for both orientations, with equality at t.

    That bounds every network, so the experiment with penalised biases is compared with its true minimum.
    """
    for parameters in footnote_2_biases.penalised_runs(Context()):
        t, sign = Fraction(parameters["numerator"], parameters["denominator"]), parameters["kappa"]
        root = {Fraction(0): Fraction(1), Fraction(9, 16): Fraction(5, 4), Fraction(16, 9): Fraction(5, 3)}[t * t]
        tangent = t / root
        tilt = max(Fraction(0), root - tangent - 1)
        nu = [tangent + tilt, -root - tangent - tilt, root]
        x = [t - 1, t, t + 1]
        assert sum(nu) == 0
        assert nu[2] == root, "the interpolant κ[x−t]₊ has the price |κ|√(1+t²)"
        for b in [t, *(Fraction(n, 64) for n in range(-640, 641))]:
            for w in (1, -1):
                price = sum(v * max(w * (z - b), Fraction(0)) for v, z in zip(nu, x, strict=True))
                assert price**2 <= 1 + b**2, (t, sign, w, b)


def test_the_waves_have_the_cost_and_the_prices_that_slopes_alone_give() -> None:
    x, y = section_2_learning.waves()
    found = interpolation(x, y)
    slopes = section_2_learning.WAVES_SLOPES
    assert found.cost == sum(abs(after - before) for before, after in pairwise(slopes))
    assert found.prices == (-2, 2, 0, 4, -4, 0, -4, 4, 2, -2)
