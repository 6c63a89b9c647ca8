"""Problem (9): the closed form, its dual and its ramps against exact programmes that share no code with them."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.programmes.linear_programme import optimum
from implicitbias.convex.ramps.interpolant import (
    RampInterpolant,
    in_fractions,
    least_variation,
    least_variation_on_the_line,
    ramp_interpolant,
)
from implicitbias.convex.ramps.supports import fewest_kinks, is_only_optimum_at_data, regression_support, sparse_ramps
from implicitbias.convex.ramps.whole_shares import whole_shares
from implicitbias.convex.whole_numbers import changes_of_slope, whole_points
from implicitbias.errors import DataError

ONE = (Fraction(-1), Fraction(1))


def programme(
    x: list[Fraction], y: list[Fraction], kinks: tuple[Fraction, Fraction], off_data: list[Fraction] | None = None
) -> Fraction:
    """The optimum over ramps with kinks at the ends, the data and wherever else, by an exact simplex method."""
    right, left = sorted({kinks[0], *x, *(off_data or [])}), sorted({kinks[1], *x, *(off_data or [])})
    ramps = [[max(Fraction(0), at - c) for c in right] + [max(Fraction(0), c - at) for c in left] for at in x]
    rows = [[*row, *(-v for v in row)] for row in ramps]
    return optimum([1] * len(rows[0]), rows, y).value


def check(found: RampInterpolant) -> None:
    """Everything `found` says of itself, by definition."""
    A, B = found.kinks
    assert [found(at) for at in found.x] == list(found.y)
    assert [found.function(at) for at in found.x] == list(found.y)
    for c in (A - 1, A, (2 * A + B) / 3, B, B + 2):
        assert found.function(c) == found(c)
    assert sum(abs(ramp.weight) for ramp in found.ramps) == found.value
    assert all(A <= ramp.kink <= B for ramp in found.ramps)
    assert sum(0 < share < 1 for share in found.left_shares) <= 2
    assert sum(a * b for a, b in zip(found.alpha, found.y, strict=True)) == found.value
    for side in (1, -1):
        for c in (A, B, *found.x, *((p + q) / 2 for p, q in pairwise(found.x))):
            assert abs(found.feature(side, c)) <= 1
    active = set(found.active)
    support = {found.x[i] for i in regression_support(found.x, found.y)}
    for ramp in found.ramps:
        assert (ramp.side, ramp.kink) in active or len(found.x) == 1
        assert ramp.kink in support | {A, B}
    assert all(a == 0 for a, at in zip(found.alpha, found.x, strict=True) if at not in support)


REFERENCES = [
    ([-1, "-1/2", 0, "1/2", 1], [1, "1/2", 0, "1/2", 1], "2", "zero"),
    ([-1, 1], [1, 1], "1", "point"),
    ([-1, 0, 1], [-1, 0, 1], "1", "slope"),
    ([-1, 0, 1], [0, 1, 0], "3", "point"),
    ([-1, 0, 1], [2, 3, 4], "3", "point"),
    ([-1, "1/2", 1], [1, 2, 1], "13/3", "point"),
    ([-1, "-7/100", "1/100", "1/2", "9/10", 1], [3, -2, -1, 3, -1, -2], "3755/93", "zero"),
    (
        [-1, "-39/50", "-12/25", "-41/100", "-9/50", "63/100", "99/100", 1],
        ["73/100", 1, "18/100", "88/100", "5/100", "56/100", "27/100", "20/100"],
        "2880673/68310",
        "zero",
    ),
    (
        [-1, "1/100", "41/100", "73/100", "21/25", "87/100", "19/20", 1],
        ["7.4", "7.6", "7.8", "7.6", "7.1", "7.7", "7.9", "7.2"],
        "273707/4048",
        "point",
    ),
    (
        [-1, "-19/20", "-7/100", "3/100", "31/100", "57/100", "3/5", 1],
        ["-161/4", "-151/4", "-61/20", "9/20", "57/5", "109/5", 23, "157/4"],
        "445/8",
        "slope",
    ),
]


@pytest.mark.parametrize(("x", "y", "value", "case"), REFERENCES)
def test_worked_examples_have_their_value_and_case(x: list[object], y: list[object], value: str, case: str) -> None:
    found = ramp_interpolant(x, y)  # type: ignore[arg-type]
    assert (found.value, found.case) == (Fraction(value), case)
    assert least_variation(x, y) == Fraction(value)  # type: ignore[arg-type]
    check(found)


@pytest.mark.parametrize("seed", range(8))
def test_random_data_of_all_kinds_agree_with_an_exact_programme(seed: int) -> None:
    rng, cases = random.Random(seed), set()
    for _ in range(30):
        n = rng.randint(1, 7)
        x = [Fraction(v, 10) for v in sorted(rng.sample(range(-10, 11), n))]
        if n > 1 and rng.random() < 0.5:
            x[0], x[-1] = ONE
        den, step = rng.choice([1, 2, 3, 10]), rng.choice([0, 0, 9])
        y = [Fraction(rng.randint(-3, 3), den) + rng.choice([0, 0, 7]) * (rng.random() < 0.9) + step * at for at in x]
        given, kinks = None, ONE
        if rng.random() < 0.3:
            given = kinks = (x[0] - Fraction(rng.randint(0, 5), 7), x[-1] + Fraction(rng.randint(1, 9), 7))
        found = ramp_interpolant(x, y, given)
        assert found.kinks == kinks
        assert found.value == programme(x, y, kinks) == least_variation(x, y, given), (x, y, given)
        check(found)
        cases.add(found.case)
    assert cases == {"zero", "slope", "point"}


def test_kinks_off_the_data_never_help() -> None:
    rng = random.Random(7)
    for _ in range(25):
        x = [Fraction(-1), *(Fraction(v, 10) for v in sorted(rng.sample(range(-9, 10), 3))), Fraction(1)]
        y = [Fraction(rng.randint(-4, 4), 2) for _ in x]
        more = [Fraction(rng.randint(-999, 999), 1000) for _ in range(6)]
        assert programme(x, y, ONE, more) == ramp_interpolant(x, y).value


@given(
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-20, 20)), min_size=1, max_size=9, unique_by=lambda p: p[0]),
    st.integers(1, 7),
)
@example([(0, 0)], 1)
@example([(-99, 1), (0, 1), (99, 1)], 1)
def test_value_is_a_norm_and_a_mirror_image_costs_the_same(points: list[tuple[int, int]], scale: int) -> None:
    points.sort()
    x, y = [Fraction(p, 99) for p, _ in points], [Fraction(q) for _, q in points]
    value = ramp_interpolant(x, y).value
    assert ramp_interpolant(x, [-scale * v for v in y]).value == scale * value
    assert ramp_interpolant([-at for at in reversed(x)], y[::-1]).value == value
    twice = [v + at for v, at in zip(y, x, strict=True)]
    assert ramp_interpolant(x, twice).value <= value + ramp_interpolant(x, x).value
    check(ramp_interpolant(x, y))


def test_points_on_the_lines_change_nothing() -> None:
    x, y = (
        [Fraction(-1), Fraction(-1, 3), Fraction(1, 5), Fraction(1)],
        [Fraction(2), Fraction(-1), Fraction(4), Fraction(0)],
    )
    found = ramp_interpolant(x, y)
    more = sorted({*x, *((p + q) / 2 for p, q in pairwise(x))})
    fine = ramp_interpolant(more, [found.function(at) for at in more])
    assert fine.value == found.value
    assert [fine.x[i] for i in regression_support(fine.x, fine.y)] == x
    check(fine)


def test_on_the_whole_line_it_is_the_smallest_representation_cost() -> None:
    rng, attained = random.Random(3), set()
    for _ in range(60):
        x = sorted(rng.sample(range(-9, 10), rng.randint(1, 6)))
        y = [rng.randint(-3, 3) + rng.choice([0, 5]) * at for at in x]
        value, yes = least_variation_on_the_line(x, y)
        assert value == min_norm_interpolant(x, y).cost
        far = least_variation(x, y, (x[0] - 10**6, x[-1] + 10**6))
        assert value <= far < value + Fraction(1, 1000)
        assert yes == (far == value)
        attained.add(yes)
    assert attained == {True, False}


def test_the_written_support_is_not_the_sparsest() -> None:
    found = ramp_interpolant(["-1", "-1/2", "1/2", "1"], [0, 0, 1, 3])
    (single,) = sparse_ramps(found)
    assert (single.side, single.kink, abs(single.weight)) == (1, Fraction(1, 4), found.value)
    assert fewest_kinks(found.x, found.y) == 1
    rng = random.Random(5)
    for _ in range(40):
        x = [Fraction(-1), *(Fraction(v, 20) for v in sorted(rng.sample(range(-19, 20), 7))), Fraction(1)]
        found = ramp_interpolant(x, [Fraction(rng.randint(-9, 9)) for _ in x])
        sparse = sparse_ramps(found)
        assert [sum(ramp(at) for ramp in sparse) for at in x] == list(found.y)
        assert sum(abs(ramp.weight) for ramp in sparse) == found.value
        inside = {ramp.kink for ramp in sparse if x[0] < ramp.kink < x[-1]}
        assert fewest_kinks(x, found.y) <= len(inside) <= len(regression_support(x, found.y)) - 2


def test_uniqueness_by_rank_is_what_a_range_of_optima_shows() -> None:
    assert is_only_optimum_at_data(ramp_interpolant([-1, "1/2", 1], [1, 2, 1]))
    assert not is_only_optimum_at_data(ramp_interpolant([-1, 0, 1], [0, 1, 0]))
    assert is_only_optimum_at_data(ramp_interpolant([-1, 1], [1, 1]))
    rng, seen = random.Random(11), set()
    for _ in range(30):
        x = [Fraction(-1), *(Fraction(v, 5) for v in sorted(rng.sample(range(-4, 5), 2))), Fraction(1)]
        y = [Fraction(rng.randint(-2, 2)) for _ in x]
        found = ramp_interpolant(x, y)
        right, left = [c for c in x if c < 1], [c for c in x if c > -1]
        ramps = [[max(Fraction(0), at - c) for c in right] + [max(Fraction(0), c - at) for c in left] for at in x]
        rows = [[*row, *(-v for v in row)] for row in ramps]
        size, value = len(rows[0]), found.value
        budget = [*rows, [Fraction(1)] * size]
        half = size // 2
        # the smallest of (least weight - largest weight): 0 if no weight can move
        room = min(
            optimum([-1 if m == n else 1 if m == half + n else 0 for m in range(size)], budget, [*y, value]).value
            + optimum([1 if m == n else -1 if m == half + n else 0 for m in range(size)], budget, [*y, value]).value
            for n in range(half)
        )
        assert is_only_optimum_at_data(found) == (room == 0), (x, y)
        seen.add(room == 0)
    assert seen == {True, False}


def test_a_wrong_case_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses only order the cases: with useless guesses the answer is the same."""
    from implicitbias.convex.ramps import shares as ramp_shares
    from implicitbias.convex.ramps import whole_shares

    rng = random.Random(2)
    data = [
        (
            [Fraction(v, 9) for v in sorted(rng.sample(range(-9, 10), 6))],
            [Fraction(rng.randint(-5, 5)) for _ in range(6)],
        )
        for _ in range(20)
    ]
    right = [ramp_interpolant(x, y).value for x, y in data]
    monkeypatch.setattr(whole_shares._Problem, "_guessed_window", lambda *_: (0, 0))
    assert [ramp_interpolant(x, y).value for x, y in data] == right
    monkeypatch.setattr(whole_shares._Problem, "likely", lambda *_: [("slope", 1, 0), ("point", 1, 0), ("zero", 0, 0)])
    assert [ramp_interpolant(x, y).value for x, y in data] == right
    monkeypatch.setattr(ramp_shares, "PRECISION", 2)
    assert [ramp_interpolant(x, y).value for x, y in data] == right


numbers = st.one_of(
    st.integers(-9, 9).map(Fraction),
    st.fractions(-3, 3, max_denominator=50),
    st.floats(-3, 3, allow_subnormal=False).map(Fraction),
)


@given(
    st.lists(st.tuples(numbers, numbers), min_size=2, max_size=40, unique_by=lambda point: point[0]),
    st.sampled_from([None, (0, 0), (1, 0), (0, 7), (5, 1)]),
    st.sampled_from([0, 3, Fraction(-50), Fraction(200)]),
)
def test_whole_numbers_and_fractions_find_the_same_optimum(
    points: list[tuple[Fraction, Fraction]], room: tuple[int, int] | None, tilt: Fraction
) -> None:
    x = tuple(at for at, _ in sorted(points))
    y = tuple(value + tilt * at for at, value in sorted(points))
    kinks = None if room is None else (x[0] - room[0], x[-1] + room[1])
    whole = whole_points(x, y, kinks or ())
    assert whole is not None
    found = ramp_interpolant(x, y, kinks)
    slow, variation = in_fractions(x, y, found.kinks)
    assert found.variation == variation
    assert found.value == variation + sum(map(abs, slow.end_weights))
    assert (found.eta, found.lam) == (slow.eta, slow.lam)
    assert check_certificate(found.certificate()).valid
    assert changes_of_slope(whole) == tuple(b - a for a, b in pairwise(found.slopes))


@pytest.mark.parametrize(
    ("tilt", "lift", "case"), [(0, 0, "zero"), (2000, 0, "slope"), (0, 3000, "point"), (0, -2000, "point")]
)
def test_the_quick_way_decides_every_case_of_many_points(tilt: int, lift: int, case: str) -> None:
    rng = random.Random(5)
    x = tuple(Fraction(v, 1000) for v in sorted(rng.sample(range(-1000, 1001), 300)))
    y = tuple(Fraction(rng.randint(0, 100), 10**5) + tilt * at + lift for at in x)
    kinks = (Fraction(-1), Fraction(1))
    points = whole_points(x, y, kinks)
    assert points is not None
    quick = whole_shares(points, kinks)
    slow, variation = in_fractions(x, y, kinks)
    assert quick is not None
    assert quick.variation == variation
    assert quick.shares == slow
    assert ramp_interpolant(x, y).case == case


@pytest.mark.parametrize("kind", ["doubles", "decimals", "nearly straight"])
def test_ten_thousand_points_take_seconds(kind: str) -> None:
    rng = np.random.default_rng(0)
    x = [Fraction(v) for v in np.sort(rng.uniform(-1, 1, 10_000)).tolist()]
    y = [Fraction(v) for v in rng.normal(size=10_000).tolist()]
    if kind == "decimals":
        x = [Fraction(int(v), 10**6) for v in np.sort(rng.choice(2 * 10**6, 10_000, replace=False) - 10**6)]
    if kind == "nearly straight":
        y = [v / 10**9 + 50 * at + 1 for v, at in zip(y, x, strict=True)]
    start = time.process_time()
    found = ramp_interpolant(x, y)
    assert time.process_time() - start < 15  # one or two seconds on an idle machine
    assert found.case == ("slope" if kind == "nearly straight" else "zero")


@pytest.mark.parametrize(
    ("x", "y", "kinks", "says"),
    [
        ([0, 0], [1, 2], None, "two points with the same x"),
        ([1, 0], [1, 2], None, "x must increase"),
        ([0, float("nan")], [1, 2], None, "finite"),
        ([5], [1], None, "A < B"),
        ([0, 2], [1, 2], (0, 1), "widen the range"),
        ([], [], None, "no data"),
    ],
)
def test_bad_data_are_named(x: list[float], y: list[float], kinks: tuple[int, int] | None, says: str) -> None:
    with pytest.raises(DataError, match=says):
        ramp_interpolant(x, y, kinks)
