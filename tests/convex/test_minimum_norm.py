from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex import whole_numbers
from implicitbias.convex.minimum_norm.certificate import enclosed
from implicitbias.convex.minimum_norm.few_kinks import with_few_kinks
from implicitbias.convex.minimum_norm.interpolants import Interpolant, min_norm_interpolant
from implicitbias.convex.programmes.linear_programme import optimum
from implicitbias.errors import DataError
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.functions.network import attaining_network
from implicitbias.functions.representation_cost import representation_cost

Data = tuple[list[Fraction], list[Fraction]]


def exact_cost(x: Sequence[Fraction], y: Sequence[Fraction], kinks: Sequence[Fraction]) -> Fraction:
    """min Σ|v_i| over networks Σ v_i [±(x - b_i)]_+ + c through the data with kinks b_i here only: an exact LP."""
    ramps = [[max(Fraction(0), sign * (at - b)) for sign in (1, -1) for b in kinks] for at in x]
    rows = [[*row, *(-v for v in row), Fraction(1)] for row in ramps]
    units = 4 * len(kinks)
    return optimum([1] * units + [0], rows, y, free=[False] * units + [True]).value


def random_data(rng: random.Random, n: int, kind: str) -> Data:
    """Points with abscissae on a grid of tenths; the kinds make both regimes, ties, zero kinks and collinear data."""
    x = [Fraction(v, 10) for v in sorted(rng.sample(range(-50 - 2 * n, 51 + 2 * n), n))]
    slope = rng.randint(-3, 3)
    y = {
        "generic": lambda: [Fraction(rng.randint(-30, 30), 10) for _ in x],
        "ramp": lambda: [slope * v + Fraction(rng.randint(-4, 4), 10 * n) for v in x],
        "collinear": lambda: [slope * v + 1 for v in x],
        "steps": lambda: [Fraction(rng.randint(0, 2)) for _ in x],
        "convex": lambda: [max(v, Fraction(rng.randint(-3, 3))) * (slope or 1) for v in x],
    }[kind]()
    return x, y


KINDS = ("generic", "ramp", "collinear", "steps", "convex")


@pytest.mark.parametrize("kind", KINDS)
def test_the_cost_is_that_of_the_exact_programme_with_kinks_on_between_and_beyond_the_data(kind: str) -> None:
    rng = random.Random(kind)
    regimes = set()
    for _ in range(60):
        x, y = random_data(rng, rng.randint(1, 9), kind)
        found = min_norm_interpolant(x, y)
        elsewhere = [Fraction(rng.randint(-900, 900), 100) for _ in range(8)]
        assert found.cost == exact_cost(x, y, sorted({*x, *elsewhere})), (x, y)
        regimes.add(found.correction > 0)
    if kind in ("ramp", "convex"):
        assert regimes == {True, False}


@pytest.mark.parametrize(("n", "kind"), [(50, "generic"), (50, "ramp"), (200, "generic"), (200, "ramp")])
def test_large_data_agree_with_the_exact_programme_to_the_last_digit(n: int, kind: str) -> None:
    rng = random.Random(n)
    x, y = random_data(rng, n, kind)
    if kind == "ramp":
        y = [3 * v + Fraction(i in (5, n // 2), 100) for i, v in enumerate(x)]
    found = min_norm_interpolant(x, y)
    assert (found.correction > 0) == (kind == "ramp")
    assert found.cost == exact_cost(x, y, x)


@pytest.mark.parametrize("kind", KINDS)
def test_no_end_slopes_outside_the_segment_are_optimal_and_all_on_it_are(kind: str) -> None:
    rng = random.Random(kind)
    for _ in range(40):
        found = min_norm_interpolant(*random_data(rng, rng.randint(1, 7), kind))
        for share in (0, 1, Fraction(rng.randint(1, 99), 100)):
            f = found.spline(share)
            assert representation_cost(f) == found.cost
            assert (f.left_slope, f.right_slope) in found.end_slopes
        (a, b), (p, q) = found.end_slopes.first, found.end_slopes.last
        for left in {a, p, a - 1, p + 1, (a + p) / 2, 2 * a - p, 2 * p - a}:
            for right in {b, q, b - 1, q + 1, (b + q) / 2, 2 * b - q, 2 * q - b}:
                f = type(found.function)(found.x, found.y, left, right)
                assert (representation_cost(f) == found.cost) == ((left, right) in found.end_slopes)


def interval_widths(found: Interpolant, at: Fraction) -> bool:
    """Whether minimisers differ at this place: the smallest and largest value f(at) there of cost R, by exact LPs."""
    x, y = list(found.x), list(found.y)
    kinks = sorted({*x, at, *(v + Fraction(d, 7) * (w - v) for v, w in pairwise(x) for d in (1, 3, 5))})
    ramps = [[max(Fraction(0), sign * (place - b)) for sign in (1, -1) for b in kinks] for place in [*x, at]]
    rows = [[*row, *(-v for v in row), Fraction(1)] for row in ramps]
    units = 4 * len(kinks)
    ends = [
        optimum(
            [sign * v for v in rows[-1]],
            rows[:-1],
            y,
            [[Fraction(1)] * units + [Fraction(0)]],
            [found.cost],
            free=[False] * units + [True],
        ).value
        for sign in (1, -1)
    ]
    return ends[0] != -ends[1]


@pytest.mark.parametrize("kind", KINDS)
def test_minimisers_differ_exactly_on_the_free_intervals(kind: str) -> None:
    rng = random.Random(kind)
    for _ in range(8):
        found = min_norm_interpolant(*random_data(rng, rng.randint(2, 6), kind))
        for i, (v, w) in enumerate(pairwise(found.x)):
            assert interval_widths(found, (v + w) / 2) == (i in found.free_intervals), (found.x, found.y, i)
        beyond = [interval_widths(found, at) for at in (found.x[0] - 1, found.x[-1] + 1)]
        assert beyond == [found.correction > 0] * 2
        assert found.unique == (not found.free_intervals and not any(beyond))


@given(st.integers(0, 10**9))
def test_the_dual_is_feasible_and_its_bound_is_the_cost(seed: int) -> None:
    rng = random.Random(seed)
    x, y = random_data(rng, rng.randint(1, 12), rng.choice(KINDS))
    found = min_norm_interpolant(x, y)
    dual = found.dual
    assert sum(dual.nu) == 0
    assert sum(n * v for n, v in zip(dual.nu, x, strict=True)) == dual.m
    assert all(abs(p) <= 1 and abs(p - dual.m) <= 1 for p in dual.p)
    for at, p in zip(x, dual.p, strict=True):
        assert p == sum(n * max(v - at, Fraction(0)) for n, v in zip(dual.nu, x, strict=True))
    assert dual.bound(y) == found.cost


@given(st.integers(0, 10**9), st.fractions(-5, 5, max_denominator=20), st.fractions(-5, 5, max_denominator=20))
def test_symmetries_of_the_data_are_symmetries_of_the_answer(seed: int, shift: Fraction, scale: Fraction) -> None:
    rng = random.Random(seed)
    x, y = random_data(rng, rng.randint(1, 9), rng.choice(KINDS))
    found = min_norm_interpolant(x, y)
    (a, b), (p, q) = found.end_slopes.first, found.end_slopes.last
    moved = min_norm_interpolant([v + shift for v in x], [v - shift for v in y])
    assert (moved.cost, moved.end_slopes) == (found.cost, found.end_slopes)
    mirrored = min_norm_interpolant([-v for v in reversed(x)], y[::-1])
    assert mirrored.cost == found.cost
    assert mirrored.unique == found.unique
    assert (mirrored.end_slopes.first, mirrored.end_slopes.last) == ((-q, -p), (-b, -a))
    assert min_norm_interpolant(x, [scale * v for v in y]).cost == abs(scale) * found.cost
    if scale > 0:
        assert min_norm_interpolant([scale * v for v in x], y).cost == found.cost / scale


@given(st.integers(0, 10**9))
def test_a_network_with_fewer_units_than_points_attains_the_cost(seed: int) -> None:
    rng = random.Random(seed)
    x, y = random_data(rng, rng.randint(2, 9), rng.choice(KINDS))
    found = min_norm_interpolant(x, y)
    network = attaining_network(found.function)
    assert len(network.w) <= len(x) - 1
    assert network.path_norm == found.cost
    assert [network(v) for v in x] == y


@given(st.integers(0, 10**9))
def test_merging_kinks_of_one_sign_keeps_the_data_and_the_cost(seed: int) -> None:
    rng = random.Random(seed)
    x, y = random_data(rng, rng.randint(1, 12), rng.choice(KINDS))
    found = min_norm_interpolant(x, y)
    f = with_few_kinks(found)
    assert [f(v) for v in x] == y
    assert representation_cost(f) == found.cost
    assert len(f.kinks) <= len(found.function.kinks)
    if found.unique:
        assert f == found.function


def test_runs_of_kinks_of_one_sign_are_halved() -> None:
    found = min_norm_interpolant([0, 1, 2, 3, 4, 5, 6], [9, 4, 1, 0, 1, 4, 9])
    assert len(found.function.kinks) == 5
    assert len(with_few_kinks(found).kinks) == 3


def test_the_correction_goes_to_the_end_where_it_saves_a_kink() -> None:
    concave = min_norm_interpolant([0, 1, 2], [0, 3, 5])
    assert len(concave.function.kinks) == 2
    assert len(with_few_kinks(concave).kinks) == 1
    convex = min_norm_interpolant([0, 1, 2], [0, 2, 5])
    assert len(with_few_kinks(convex).kinks) == 1


PUBLISHED = [
    ([0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1], 8, True, ()),
    ([0, 1, 2, 3, 4, 5], [0, 0, 1, 0, 0, 3], 7, False, (3,)),
    ([0, 1, 2, 3, 4, 5], [5, 2, 1, 1, 2, 5], 6, False, (1, 2, 3)),
    ([0, 1, 2, 3, 4, 5], [0, 2, 3, 3, 2, 0], 4, False, (1, 2, 3)),
    (["-2.7", "-1.8", "2", "4.9"], ["-8.2", "-5.3", "5.9", "14.6"], Fraction(560, 171), False, ()),
    (["0.1", "1.3", "3.4"], ["-2.8", "-2.6", "-2.9"], Fraction(13, 42), True, ()),
    ([0, 2], [1, 5], 2, False, ()),
    ([0, 1, 2], [0, 1, 2], 1, False, ()),
    ([0, 1, 2], [4, 4, 4], 0, True, ()),
    ([7], [3], 0, True, ()),
    # Convex with a horizontal first line: T_int = |a + b|, the boundary of the two regimes.
    ([0, 1, 2, 3], [0, 0, 1, 3], 2, False, (1,)),
]


@pytest.mark.parametrize(("x", "y", "cost", "unique", "free"), PUBLISHED)
def test_cases_worked_by_hand(x: list[int], y: list[int], cost: Fraction, unique: bool, free: tuple[int, ...]) -> None:
    found = min_norm_interpolant(x, y)
    assert (found.cost, found.unique, found.free_intervals) == (cost, unique, free)


def test_one_line_may_bend_at_either_end() -> None:
    found = min_norm_interpolant([0, 1], [0, 3])
    assert (found.end_slopes.first, found.end_slopes.last) == ((0, 3), (3, 0))
    assert (1, 2) in found.end_slopes
    assert (1, 3) not in found.end_slopes
    assert (4, -1) not in found.end_slopes
    with pytest.raises(DataError, match="between 0 and 1"):
        found.spline(2)


def test_numbers_are_taken_as_they_are_written() -> None:
    decimals = min_norm_interpolant(["0.1", "0.2"], [Decimal("0.3"), "1/3"])
    assert decimals.cost == Fraction(1, 3)
    assert min_norm_interpolant([0.1, 0.2], [0, 1]).cost == 1 / (Fraction(0.2) - Fraction(0.1))
    assert min_norm_interpolant(np.array([0.0, 2.0]), np.array([1, 5])).cost == 2
    assert min_norm_interpolant([0, 1e-300], [0, 1e308]).cost == Fraction(1e308) / Fraction(1e-300)


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [
        ([], [], "no data"),
        ([0, 1], [0], "as many numbers each: got 2 and 1"),
        ([0, float("nan")], [0, 1], r"x\[1\]: expected a finite number"),
        ([0, 1], [0, float("inf")], r"y\[1\]: expected a finite number"),
        ([0, 1], [0, "NaN"], r"y\[1\]: 'NaN' is not a number"),
        ([0, 2, 1], [0, 1, 2], r"x must increase: x\[1\]=2 is not below x\[2\]=1; sort"),
        ([0, 1, 1], [0, 1, 1], r"the point x\[1\]=1 is given twice, at x\[1\] and x\[2\]"),
        ([0, 1, 1], [0, 1, 2], r"no function passes .* x\[1\]=1 with y\[1\]=1 and y\[2\]=2"),
    ],
)
def test_bad_data_are_refused_with_the_place(x: list[float], y: list[float], says: str) -> None:
    with pytest.raises(DataError, match=says):
        min_norm_interpolant(x, y)


def test_a_hundred_thousand_points_of_seventeen_digits_take_seconds() -> None:
    rng = np.random.default_rng(0)
    x, y = np.arange(100_000) + rng.uniform(0, 0.5, size=100_000), rng.normal(size=100_000)
    start = time.process_time()
    found = min_norm_interpolant(map(repr, x.tolist()), map(repr, y.tolist()))
    assert time.process_time() - start < 10
    slopes = np.diff(y) / np.diff(x)
    # In double precision x near 10⁵ is known to 10^-11, so slopes over gaps of at least 1/2 to a relative 10^-10 or so.
    assert float(found.cost) == pytest.approx(float(np.abs(np.diff(slopes)).sum()), rel=1e-9)


exact_numbers = st.one_of(
    st.integers(-9, 9).map(Fraction),
    st.fractions(-3, 3, max_denominator=50),
    st.floats(-3, 3, allow_subnormal=False).map(Fraction),
)


@given(st.lists(st.tuples(exact_numbers, exact_numbers), min_size=1, max_size=30, unique_by=lambda point: point[0]))
def test_whole_numbers_and_fractions_are_the_same_interpolant(points: list[tuple[Fraction, Fraction]]) -> None:
    x, y = [at for at, _ in sorted(points)], [value for _, value in sorted(points)]
    found = min_norm_interpolant(x, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_numbers, "LONGEST", 0)
        slow = min_norm_interpolant(x, y)
        assert slow.cost == found.cost
    slopes = [(q - p) / (t - s) for (s, p), (t, q) in pairwise(zip(x, y, strict=True))]
    assert found.kinks == slow.kinks == tuple((b > a) - (b < a) for a, b in pairwise(slopes))
    assert found.interior_variation == sum((abs(b - a) for a, b in pairwise(slopes)), Fraction(0))
    assert found.correction == max(Fraction(0), (abs(found.end_slope_sum) - found.interior_variation) / 2)
    assert (found.end_slopes, found.unique, found.dual.p) == (slow.end_slopes, slow.unique, slow.dual.p)
    assert found.certificate() == slow.certificate()


@given(
    st.lists(st.tuples(st.integers(0, 10**30), st.integers(1, 10**18)), min_size=1, max_size=60),
    st.fractions(Fraction(1, 10**6), 10**6),
    st.integers(-2, 2),
)
def test_a_sum_that_is_not_added_up_is_compared_and_enclosed_as_if_it_were(
    quotients: list[tuple[int, int]], unit: Fraction, away: int
) -> None:
    numerators, denominators = [p + 1 for p, _ in quotients], [q for _, q in quotients]
    value = unit * sum((Fraction(p, q) for p, q in zip(numerators, denominators, strict=True)), Fraction(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_numbers, "FEW_BITS", 0)
        total = whole_numbers.QuotientSum(numerators, denominators, unit)
        assert not total.is_short
        for other in (value, value + away, value + Fraction(away, 10**40), value * (1 + Fraction(away, 10**400))):
            assert total.sign_beside(other) == (value > other) - (value < other)
    low, high = total.bounds(50)
    assert low <= value <= high
    assert total.exact == value
    written = enclosed(total)
    at_least, at_most = Fraction(written["at_least"]), Fraction(written["at_most"])
    assert at_least <= value <= at_most
    assert at_most - at_least <= value / 10**25


def test_denominators_without_a_short_common_one_are_left_as_they_are() -> None:
    x = [Fraction(n) + Fraction(1, sympy.prime(500 + n)) for n in range(400)]
    y = [Fraction(n % 3) for n in range(400)]
    assert whole_numbers.whole_points(x, y) is None
    found = min_norm_interpolant(x, y)
    slopes = [(q - p) / (t - s) for (s, p), (t, q) in pairwise(zip(x, y, strict=True))]
    assert found.interior_variation == exact_sum(abs(b - a) for a, b in pairwise(slopes))
    assert check_certificate(found.certificate()).valid


def scattered(count: int) -> tuple[list[float], list[float]]:
    rng = np.random.default_rng(0)
    return np.sort(rng.uniform(-1, 1, count)).tolist(), rng.normal(size=count).tolist()


def test_memory_is_linear_in_the_points_the_certificate_included() -> None:
    def peak(count: int) -> int:
        points = scattered(count)
        tracemalloc.start()
        document = min_norm_interpolant(*points).certificate()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert isinstance(document["claim"]["value"], dict) == (count > 10_000)
        return found

    peak(100)  # what is compiled and cached once
    assert peak(48_000) < 4.5 * peak(12_000)


def test_a_hundred_thousand_points_have_a_certificate_in_seconds() -> None:
    points = scattered(100_000)
    start = time.process_time()
    assert isinstance(min_norm_interpolant(*points).certificate()["claim"]["value"], dict)
    assert time.process_time() - start < 5  # well below one on an idle machine
