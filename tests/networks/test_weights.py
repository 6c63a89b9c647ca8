"""What is said of weights is what fractions and many digits say."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.rational import Interval
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.weights import Weights, section
from implicitbias.training.two_layer import TwoLayer
from tests.networks.test_rays import ray
from tests.support.networks import NETWORKS

mpmath.mp.dps = 40


def square(numbers):
    return sum((Fraction(x) ** 2 for x in np.ravel(numbers).tolist()), Fraction(0))


def length(numbers):
    found = square(numbers)
    return mpmath.sqrt(mpmath.mpf(found.numerator) / found.denominator)


def contains(found, number) -> bool:
    """Whether an exact number equals, or an interval contains, this one of forty digits."""
    low, high = (found.lower, found.upper) if isinstance(found, Interval) else (found, found)
    low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (low, high))
    slack = abs(number) * mpmath.mpf(10) ** -35
    return bool(low - slack <= number <= high + slack and high - low <= number * mpmath.mpf(10) ** -11)


def merged(written, output=None, biases=False):
    """Σ over rays of ‖Σ ‖w‖ v‖, in forty digits."""
    units = [(w.tolist(), b, v) for w, b, v in zip(written.w, written.b.tolist(), written.v, strict=True) if w.any()]
    keyed = sorted(((ray([*w, b]), w, b, v) for w, b, v in units if v.any()), key=lambda unit: unit[0])
    found = mpmath.mpf(0)
    for _, group in groupby(keyed, key=lambda unit: unit[0]):
        columns = range(written.v.shape[1]) if output is None else [output]
        sums = [mpmath.mpf(0) for _ in columns]
        for _, w, b, v in group:
            size = length([*w, b] if biases else w)
            sums = [s + size * mpmath.mpf(v[k].item()) for s, k in zip(sums, columns, strict=True)]
        found += mpmath.sqrt(sum(s**2 for s in sums))
    return found


@pytest.mark.parametrize("name", NETWORKS)
def test_each_number_is_that_of_another_computation(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    stack = read_network(written.given)
    found = Weights(stack.two_layer)
    assert found.squares == (square(written.w) + square(written.v)) / 2
    assert found.all_squares == found.squares + (square(written.b) + square(written.c)) / 2
    norms = [(length(w), length(v)) for w, v in zip(written.w, written.v, strict=True)]
    assert contains(found.path_norm, sum(w * v for w, v in norms))
    assert contains(found.merged_path_norm, merged(written))
    assert found.imbalance(False) == pytest.approx(float(max(abs(w - v) for w, v in norms)), rel=1e-12)
    for output in range(stack.outputs):
        flat = [v[output] * max(b, 0) for w, b, v in zip(written.w, written.b, written.v, strict=True) if not w.any()]
        constant = Fraction(written.c[output]) + sum(map(Fraction, flat), Fraction(0))
        expected = merged(written, output, biases=True) + abs(mpmath.mpf(constant.numerator) / constant.denominator)
        assert contains(found.variation(output), expected)


@pytest.mark.parametrize(
    ("name", "zero", "constant", "doubled"),
    [("dead", 3, 1, 0), ("duplicated", 0, 0, 3), ("duplicated in the plane", 0, 0, 2), ("two inputs", 0, 0, 0)],
)
def test_dead_and_duplicate_units_are_counted(
    name: str, zero: int, constant: int, doubled: int, tmp_path: Path
) -> None:
    stack = read_network(NETWORKS[name](tmp_path).given)
    told = {q.key: q.value for q in section(Weights(stack.two_layer), True).quantities}
    assert (told["zero_units"], told.get("constant_units", 0), told["duplicate_units"]) == (zero, constant, doubled)


WHOLE = st.integers(-4, 4).map(float)
UNITS = st.integers(1, 3).flatmap(
    lambda d: st.lists(st.tuples(st.tuples(*[WHOLE] * d), WHOLE, WHOLE), min_size=1, max_size=9)
)


def network(units, factors=None):
    factors = factors or [1.0] * len(units)
    return TwoLayer(
        np.array([[f * x for x in w] for f, (w, _, _) in zip(factors, units, strict=True)]),
        np.array([f * b for f, (_, b, _) in zip(factors, units, strict=True)]),
        np.array([[v / f] for f, (_, _, v) in zip(factors, units, strict=True)]),
        np.array([0.0]),
    )


def bounds(cost):
    return (cost.lower, cost.upper) if isinstance(cost, Interval) else (cost, cost)


@given(UNITS, st.data())
def test_rescaling_units_leaves_the_function_and_its_costs_alone(units, data):
    factors = [2.0 ** data.draw(st.integers(-20, 20)) for _ in units]
    before, after = network(units), network(units, factors)
    x = np.random.default_rng(0).normal(size=(5, len(units[0][0])))
    assert np.array_equal(before(x), after(x)), "powers of two change no rounding"
    here, there = Weights(before), Weights(after)
    for name in ("path_norm", "merged_path_norm"):
        (low, high), (least, most) = bounds(getattr(here, name)), bounds(getattr(there, name))
        assert low <= most
        assert least <= high
    assert here.squares >= bounds(here.path_norm)[0], "no rescaling of units has less than the path norm"


@given(UNITS)
def test_merging_units_never_raises_the_cost(units):
    found = Weights(network(units))
    assert bounds(found.merged_path_norm)[0] <= bounds(found.path_norm)[1]


def test_a_thousand_inputs_stay_enclosed():
    rng = np.random.default_rng(1)
    w, b, v = rng.normal(size=(6, 1000)), rng.normal(size=6), rng.normal(size=(6, 5))
    w[3], b[3] = 2 * w[1], 2 * b[1]
    found = Weights(TwoLayer(w, b, v, np.zeros(5)))
    norms = [length(row) for row in w]
    one = [norms[1] * mpmath.mpf(x) + norms[3] * mpmath.mpf(y) for x, y in zip(*v[[1, 3]].tolist(), strict=True)]
    expected = mpmath.sqrt(sum(x**2 for x in one)) + sum(norms[j] * length(v[j]) for j in (0, 2, 4, 5))
    assert contains(found.merged_path_norm, expected)
