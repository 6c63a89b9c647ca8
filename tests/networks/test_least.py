"""How many times the least a network costs, with a certificate that the trusted checker accepts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import implicitbias as ib
from implicitbias.exact.rational import Interval
from implicitbias.functions.network import attaining_network
from implicitbias.networks.least import times

WHOLE = st.integers(-5, 5)
VALUES = st.lists(WHOLE, min_size=2, max_size=7).filter(lambda y: len(set(y)) > 1)


@given(VALUES)
@settings(max_examples=25)
def test_a_network_built_from_the_minimum_norm_costs_the_least_once(y):
    x = list(range(len(y)))
    best = ib.min_norm_interpolant(x, y)
    network = attaining_network(best.function).rescaled([1] * attaining_network(best.function).width)
    found = ib.inspect(network, [float(at) for at in x], [float(value) for value in y])
    assert found["times_least_function"] == found["times_least_merged"] == found["times_least_path_norm"] == 1
    assert found["times_least_weights"] >= 1
    assert f"{float(found['times_least_path_norm']):.3f}" == "1.000"


def test_balanced_weights_of_the_least_cost_cost_1_000_times_the_least():
    network = attaining_network(ib.min_norm_interpolant([0, 1, 2, 3], [0, 3, 1, 1]).function).balanced()
    found = ib.inspect(network, [0.0, 1.0, 2.0, 3.0])
    assert found.headline == "The weights cost 1.000 times the least that has the same values at the data."


@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1, max_size=6))
@settings(max_examples=25)
def test_the_least_is_that_of_the_function_at_the_data(units):
    w, b, v = (list(map(float, column)) for column in zip(*units, strict=True))
    x = [-2.0, -1.0, 0.5, 3.0]
    found = ib.inspect(ib.Network(w, b, v, 1), x)
    f = ib.Network(w, b, v, 1).to_piecewise_linear()
    least = ib.min_norm_interpolant(x, [f(Fraction(at)) for at in x])
    assert found["least"] == least.cost
    assert found["times_least_function"] == (ib.representation_cost(f) / least.cost if least.cost else None)
    assert found.certificates[0] is not None
    assert ib.check_certificate(found.certificates[0]).valid


def test_several_inputs_lie_between_bounds_that_are_certified():
    rng = np.random.default_rng(2)
    w, b, v = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=6)
    x = rng.integers(-3, 4, size=(5, 2)) / 2
    found = ib.inspect({"w": w, "b": b, "v": v}, np.unique(x, axis=0))
    assert ib.check_certificate(found.certificates[0]).valid
    ratio = found["times_least_network"]
    assert 1 <= ratio.lower <= ratio.upper < ratio.lower * (1 + Fraction(1, 10**8))
    size = np.abs(v) @ np.hypot(np.hypot(*w.T), b)
    assert float(found["variation"].upper) == pytest.approx(size, rel=1e-12)


def test_one_unit_through_two_points_is_as_cheap_as_can_be():
    """f(x) = [x₁]₊ at (1, 0) and (-1, 0): θ = (1/2, 0, 1/2) costs 1/√2, and the dual of two points shows it."""
    found = ib.inspect({"w": [[1.0, 0.0]], "b": [0.0], "v": [1.0]}, [[1, 0], [-1, 0]])
    assert float(found["least"].upper) == pytest.approx(0.5**0.5, rel=1e-9)
    assert float(found["times_least_network"].lower) == pytest.approx(2**0.5, rel=1e-9)


def test_beyond_lists_of_cells_the_least_is_bounded_by_cones():
    """f(x) = 2|x₁|: its units cost 4, and at so many points of the plane nothing is cheaper by a hundredth."""
    x = np.random.default_rng(5).normal(size=(60, 2))
    network = {"w": [[1.0, 0.0], [-1.0, 0.0]], "b": [0.0, 0.0], "v": [2.0, 2.0]}
    found = ib.inspect(network, x)
    assert ib.check_certificate(found.certificates[0]).valid
    assert 3.96 < found["least"].lower <= found["least"].upper == pytest.approx(4)
    assert float(found["times_least_network"].lower) == pytest.approx(1)
    assert "certified" in found.quantities["least"].note
    nothing = {"w": [[0.0, 1.0], [0.0, 1.0], [0.0, 0.0]], "b": [9.0, 8.0, 1.0], "v": [1.0, -1.0, -1.0]}
    wasteful = {name: [*network[name], *nothing[name]] for name in network}
    assert float(ib.inspect(wasteful, x)["times_least_network"].lower) == pytest.approx(5.53, rel=0.02)


def test_too_many_cells_are_refused_in_words():
    found = ib.inspect(
        {"w": np.ones((2, 9)), "b": [0.0, 1.0], "v": [1.0, 1.0]}, np.random.default_rng(0).normal(size=(40, 9))
    )
    assert found["least"] is None
    assert "give fewer points" in found.quantities["least"].note
    assert found.headline == ""


def test_a_constant_has_no_ratio():
    assert ib.inspect({"w": [1.0], "b": [0.0], "v": [1.0]}, [-2, -1])["times_least_function"] is None
    assert times(Fraction(1), Interval(Fraction(0), Fraction(1))) is None
    assert times(Fraction(3), Interval(Fraction(1), Fraction(2))) == Interval(Fraction(3, 2), Fraction(3))
