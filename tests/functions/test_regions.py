"""Linear regions: counted against the slopes of the function itself, between all places where it could bend."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import implicitbias as ib
from implicitbias.errors import DataError
from implicitbias.functions.regions import is_balanced_with_biases, linear_regions

SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=4)
UNITS = st.lists(st.tuples(SMALL, SMALL, SMALL), max_size=9)


def network(units):
    return ib.Network(*(list(row) for row in zip(*units, strict=True))) if units else ib.Network([], [], [])


def kinks_by_slopes(net):
    """Where the slope of x -> net(x), from values alone, differs on the two sides of a candidate."""
    candidates = sorted({-b / w for w, b in zip(net.w, net.b, strict=True) if w})
    if not candidates:
        return []
    around = [candidates[0] - 2, *candidates, candidates[-1] + 2]
    slopes = []
    for left, right in pairwise(around):
        one, other = (2 * left + right) / 3, (left + 2 * right) / 3
        slopes.append((net(other) - net(one)) / (other - one))
    return [(x, b - a) for x, (a, b) in zip(candidates, pairwise(slopes), strict=True) if a != b]


@given(UNITS)
def test_kinks_and_jumps_are_those_of_the_function(units):
    net = network(units)
    found = linear_regions(net)
    assert list(zip(found.kinks, found.jumps, strict=True)) == kinks_by_slopes(net)
    assert found.exact == 1 + len(found.kinks)
    assert found.exact <= found.merged <= found.raw <= 1 + net.width
    assert set(found.dead) == {
        i for i in range(net.width) if all(network([units[i]])(x) == 0 for x in (Fraction(-1000), 0, Fraction(1000)))
    }


@given(UNITS)
def test_doubles_and_fractions_of_the_same_numbers_agree(units):
    rows = [np.array([float(number) for number in row]) for row in zip(*units, strict=True)] if units else [[], [], []]
    rows = [np.asarray(row, dtype=float) for row in rows]
    fast = linear_regions(SimpleNamespace(w=rows[0], b=rows[1], v=rows[2]))
    slow = linear_regions(ib.Network(*(row.tolist() for row in rows)))
    for name in ("raw", "merged", "exact", "dead", "constant", "cancelling", "shared", "kinks", "jumps"):
        assert getattr(fast, name) == getattr(slow, name), name


@given(UNITS)
def test_the_piecewise_linear_function_has_the_same_knots(units):
    net = network(units)
    assert linear_regions(net).exact == net.to_piecewise_linear().pieces


def test_a_right_and_a_left_unit_at_one_place_can_leave_a_straight_line():
    found = linear_regions(ib.Network([1, -2], [-1, 2], [4, -2]))
    assert (found.raw, found.merged, found.exact, found.cancelling) == (3, 2, 1, (0, 1))


def test_places_that_doubles_cannot_tell_apart_are_kept_apart():
    step = 2.0**-52
    w, b, v = np.array([1.0, 1 + step, 1.0]), -np.array([1 + step, 1 + 2 * step, 1.0]), np.ones(3)
    close = SimpleNamespace(w=w, b=b, v=v)
    exact = sorted({Fraction(-float(p)) / Fraction(float(q)) for p, q in zip(b, w, strict=True)})
    assert len(exact) == 3
    assert len(set((-b / w).tolist())) == 2
    assert list(linear_regions(close).kinks) == exact


def test_bends_whose_sum_doubles_round_to_nothing_are_kinks():
    tiny = SimpleNamespace(w=np.ones(3), b=np.zeros(3), v=np.array([1.0, 2.0**-60, -1.0]))
    assert linear_regions(tiny).exact == 2
    under = SimpleNamespace(w=np.array([2.0**-1000]), b=np.array([0.0]), v=np.array([2.0**-1000]))
    assert linear_regions(under).jumps == (Fraction(1, 2**2000),)


def test_places_beyond_the_range_of_doubles_are_told_apart():
    far = SimpleNamespace(w=np.array([1e-200, 2e-200]), b=np.array([-1e200, -1e200]), v=np.ones(2))
    assert linear_regions(far).exact == 3
    assert linear_regions(ib.Network(["1e-200", "2e-200"], ["-1e200", "-1e200"], [1, 1])).exact == 3


def test_many_units_of_unrelated_denominators_at_one_place_are_summed_exactly():
    rng = random.Random(3)
    w = [Fraction(1, rng.randrange(10**9, 10**10)) for _ in range(300)]
    v = [Fraction(rng.randrange(1, 100)) for _ in w]
    total = sum((a * c for a, c in zip(w, v, strict=True)), Fraction(0))
    found = linear_regions(ib.Network([*w, 1], [0] * 301, [*v, -total]))
    assert found.exact == 1
    assert linear_regions(ib.Network([*w, 1], [0] * 301, [*v, 1 - total])).jumps == (Fraction(1),)


def test_a_million_units_take_seconds():
    rng = np.random.default_rng(1)
    w, b, v = rng.normal(size=(3, 10**6))
    # a tenth are copies, a tenth cancel, and 1000 are dead
    w[:100_000], b[:100_000] = 2 * w[100_000:200_000], 2 * b[100_000:200_000]
    w[200_000:300_000], b[200_000:300_000] = -w[300_000:400_000], -b[300_000:400_000]
    v[200_000:300_000] = -v[300_000:400_000]
    v[-1000:] = 0
    start = time.process_time()
    found = linear_regions(SimpleNamespace(w=w, b=b, v=v))
    assert time.process_time() - start < 20
    assert found.raw == 10**6 + 1
    assert found.merged == 10**6 + 1 - 200_000 - 1000
    assert found.exact == found.merged - 100_000
    assert (len(found.cancelling), len(found.dead), found.shared) == (200_000, 1000, 200_000)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_named(bad):
    with pytest.raises(DataError, match=r"b\[1\]"):
        linear_regions(SimpleNamespace(w=np.ones(2), b=np.array([0.0, bad]), v=np.ones(2)))


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="2, 1 and 2"):
        linear_regions(SimpleNamespace(w=np.ones(2), b=np.ones(1), v=np.ones(2)))


def test_balance_is_decided_exactly():
    assert is_balanced_with_biases(ib.Network(["3/5"], ["4/5"], [1]))
    assert not is_balanced_with_biases(ib.Network([0.6], [0.8], [1]))  # these doubles are not on the circle
