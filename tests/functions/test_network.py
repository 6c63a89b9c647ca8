"""Two-layer networks: dead, duplicate, cancelling and unbalanced units, and networks that attain the cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.functions.network import Network, attaining_network
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.functions.representation_cost import local_cost, representation_cost
from tests.support.few_fractions import few_fractions

numbers = few_fractions(-4, 4, 4)
weights = st.sampled_from([Fraction(n, 2) for n in range(-4, 5)])  # zeros, repetitions and opposites are likely
units = st.lists(st.tuples(weights, weights, weights), max_size=7)


def network(rows: list[tuple[Fraction, Fraction, Fraction]], c: Fraction) -> Network:
    return Network([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], c)


@st.composite
def functions(draw: st.DrawFn) -> PiecewiseLinear:
    knots = sorted(draw(st.sets(numbers, min_size=1, max_size=5)))
    scale = draw(st.sampled_from([0, 1, 1, 30]))
    f = PiecewiseLinear(knots, [draw(numbers) for _ in knots], draw(numbers), draw(numbers))
    return f + PiecewiseLinear.affine(scale * draw(numbers), draw(numbers))


@given(units, numbers, st.lists(numbers, min_size=1, max_size=8))
def test_the_function_of_a_network_is_the_sum_of_its_units(
    rows: list[tuple[Fraction, Fraction, Fraction]], c: Fraction, xs: list[Fraction]
) -> None:
    net = network(rows, c)
    f = net.to_piecewise_linear()
    for x in [*xs, *f.knots, Fraction(-1000), Fraction(1000)]:
        by_hand = sum((v * max(w * x + b, Fraction(0)) for w, b, v in rows), c)
        assert net(x) == by_hand == f(x)
    assert f.simplified().knots == f.knots or f.is_affine
    doubles = net(np.array([float(x) for x in xs]))
    assert doubles == pytest.approx([float(net(x)) for x in xs], abs=1e-12)


@given(units, numbers)
def test_rescalings_keep_the_function_and_cost_at_least_the_path_norm(
    rows: list[tuple[Fraction, Fraction, Fraction]], c: Fraction
) -> None:
    net = network(rows, c)
    f = net.to_piecewise_linear()
    for same in (net.simplified(), net.unit_rows(), net.balanced()):
        assert same.to_piecewise_linear() == f
        assert same.path_norm == net.path_norm
        assert all(same.w)
        assert all(same.v)
    assert net.cost >= net.path_norm >= representation_cost(net)
    assert {abs(w) for w in net.unit_rows().w} <= {1}
    assert 0 <= net.balanced().cost - net.path_norm <= net.path_norm / 2**120


def test_balancing_is_exact_where_the_ratio_is_a_rational_square() -> None:
    net = Network([1, -2], [3, 1], [4, Fraction(9, 8)], c=5).balanced()
    assert net.is_balanced
    assert net.cost == net.path_norm == 4 + Fraction(9, 4)
    assert (net.w, net.v) == ((2, Fraction(-3, 2)), (2, Fraction(3, 2)))
    assert not Network([1], [0], [2]).balanced().is_balanced


def test_balanced_factors_are_close_for_very_unequal_weights() -> None:
    for v in (Fraction(3, 10**60), Fraction(7 * 10**60)):
        net = Network([1], [1], [v])
        assert 0 <= net.balanced().cost / net.path_norm - 1 < Fraction(1, 2**120)


def test_dead_units_become_a_constant_or_vanish() -> None:
    net = Network(w=[0, 0, 1], b=[1, -1, 0], v=[3, 5, 0], c=Fraction(1, 2))
    assert net.to_piecewise_linear() == PiecewiseLinear.affine(0, Fraction(7, 2))
    assert net.cost == Fraction(9 + 25 + 1, 2)
    assert (net.path_norm, net.simplified().width, net.simplified().c) == (0, 0, Fraction(7, 2))


def test_units_that_cancel_leave_no_kink() -> None:
    net = Network(w=[1, 2, -1], b=[-1, -2, 1], v=[2, -1, 3])
    f = net.to_piecewise_linear()
    assert f == PiecewiseLinear([1], [0], -3, 0)
    assert f.kinks == ((1, 3),)
    # [x-1]_+ - [1-x]_+ is affine: two units, no kink.
    assert Network([1, -1], [-1, 1], [1, -1]).to_piecewise_linear() == PiecewiseLinear.affine(1, -1)


@given(functions())
def test_the_attaining_network_is_the_function_at_exactly_its_cost(f: PiecewiseLinear) -> None:
    net = attaining_network(f)
    assert net.to_piecewise_linear() == f
    assert {abs(w) for w in net.w} <= {1}
    assert sum(abs(v) for v in net.v) == net.path_norm == representation_cost(f)
    assert net.width <= max(2, len(f.kinks) + 1)


@given(units, numbers)
def test_no_network_has_less_path_norm_than_the_cost_of_its_function(
    rows: list[tuple[Fraction, Fraction, Fraction]], c: Fraction
) -> None:
    net = network(rows, c)
    f = net.to_piecewise_linear()
    assert attaining_network(f).path_norm <= net.path_norm


@pytest.mark.parametrize(
    ("f", "T", "s", "cost", "local"),
    [
        (PiecewiseLinear.affine(0, 7), 0, 0, 0, 0),
        (PiecewiseLinear.affine(1, 0), 0, 2, 2, 1),
        (PiecewiseLinear.affine(-3, 1), 0, -6, 6, 3),
        (PiecewiseLinear([0], [0], 0, 1), 1, 1, 1, 1),
        (PiecewiseLinear(["1/2"], [5], 0, -6), 6, -6, 6, 6),
        (PiecewiseLinear([0], [0], -1, 1), 2, 0, 2, 2),
        (PiecewiseLinear([0], [0], "0.1", 1), "0.9", "1.1", "1.1", 1),
        (PiecewiseLinear([0], [0], "3/4", "5/4"), "0.5", 2, 2, "1.25"),
        (PiecewiseLinear([-1, 1], [-1, 1], 0, 0), 2, 0, 2, 2),
        (PiecewiseLinear([-1, 0, 1], [0, 1, 0], 0, 0), 4, 0, 4, 4),
    ],
    ids=["constant", "x", "-3x", "relu", "-3 relu(2x-1)", "|x|", "leaky relu", "x+|x|/4", "hard tanh", "hat"],
)
def test_simple_functions_cost_what_was_computed_by_hand(
    f: PiecewiseLinear, T: str, s: str, cost: str, local: str
) -> None:
    assert (f.total_variation, f.end_slope_sum) == (Fraction(T), Fraction(s))
    assert representation_cost(f) == Fraction(cost)
    assert local_cost(f) == Fraction(local)
    assert attaining_network(f).path_norm == Fraction(cost)


def test_bad_input_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match="got 2, 1 and 2 numbers"):
        Network([1, 2], [1], [1, 2])
    with pytest.raises(DataError, match=r"v\[1\]: expected a finite number, got nan"):
        Network([1, 2], [1, 2], [1, float("nan")])
    with pytest.raises(DataError, match="one positive factor per unit"):
        Network([1], [0], [1]).rescaled([-1])


def test_a_wide_network_of_floats_is_converted_exactly_and_quickly() -> None:
    rng = np.random.default_rng(1)
    w, b, v = rng.standard_normal((3, 2000))
    net = Network(w, b, v)
    f = net.to_piecewise_linear()
    xs = np.linspace(-5, 5, 101)
    direct = np.maximum(np.outer(xs, w) + b, 0) @ v
    assert net(xs) == pytest.approx(direct, abs=1e-9)
    assert f(xs) == pytest.approx(direct, abs=1e-9)
    assert float(f.total_variation) == pytest.approx(np.abs(v * w).sum(), rel=1e-12)
