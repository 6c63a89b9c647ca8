"""The function of one input is that of the exact network."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.functions.network import Network
from implicitbias.functions.representation_cost import representation_cost
from implicitbias.networks.one_input import Line
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.weights import Weights
from implicitbias.training.two_layer import TwoLayer
from tests.support.networks import NETWORKS

ONE_INPUT = [name for name in NETWORKS if "one input" in name] + [
    "one unit", "dead", "duplicated", "state dict", "safetensors", "onnx", "onnx, half", "csv",
]  # fmt: skip


def check(line: Line, network: Network, x: list[Fraction]) -> None:
    function = network.to_piecewise_linear()
    assert line.cost == representation_cost(function)
    assert line.variation == function.total_variation
    assert line.end_slopes == (function.left_slope, function.right_slope)
    assert line.kinks == len(function.kinks)
    assert tuple(line.first_kinks(len(function.kinks))) == function.kinks
    assert line.kink_places.tolist() == [float(place) for place, _ in function.kinks]
    assert line.values(x) == [network(at) for at in x]
    assert line.function == function


@pytest.mark.parametrize("name", ONE_INPUT)
def test_each_number_is_that_of_the_exact_function(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    found = Weights(read_network(written.given).two_layer)
    for k in range(written.v.shape[1]):
        network = Network(written.w[:, 0].tolist(), written.b.tolist(), written.v[:, k].tolist(), written.c[k].item())
        line = Line(found, k)
        kinks = [place for place, _ in network.to_piecewise_linear().kinks]
        check(line, network, sorted({*kinks, *(Fraction(i, 7) for i in range(-21, 22))}))


NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([0.1, 0.3, -0.7, 1e-8, 1e9]))


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=10),
    st.lists(st.fractions(-4, 4, max_denominator=10), unique=True, min_size=1, max_size=8).map(sorted),
)
def test_units_that_share_places_cancel_or_are_flat(units, x):
    w, b, v = (list(column) for column in zip(*units, strict=True))
    line = Line(Weights(TwoLayer(np.array(w)[:, None], np.array(b), np.array(v)[:, None], np.array([0.5]))))
    check(line, Network(w, b, v, 0.5), x)


def test_a_kink_beside_a_datum_of_the_same_double_is_on_its_own_side():
    third = Fraction(1, 3)
    line = Line(Weights(TwoLayer(np.array([[3.0]]), np.array([-1.0]), np.array([[1.0]]), np.array([0.0]))))
    x = [third - Fraction(1, 10**30), third, third + Fraction(1, 10**30)]
    assert line.values(x) == [0, 0, Fraction(3, 10**30)]


def test_a_million_units_take_seconds():
    import time

    rng = np.random.default_rng(0)
    w, b, v = rng.normal(size=(3, 10**6)).astype(np.float32).astype(float)
    begin = time.process_time()
    line = Line(Weights(TwoLayer(w[:, None], b, v[:, None], np.zeros(1))))
    cost, kinks = line.cost, line.kinks
    assert time.process_time() - begin < 5
    assert kinks == 10**6
    assert float(cost) == pytest.approx(max(np.abs(v * w).sum(), abs(v @ w)), rel=1e-9)
