"""Problem (10): bounds that bracket what others compute, in any units, whatever the solver said."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pytest

import implicitbias as ib
from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.margin import programme as margin_programme
from implicitbias.convex.margin.arithmetic import Balls
from implicitbias.convex.margin.bounds import Grid, feasible_multipliers, feasible_ramps
from implicitbias.convex.margin.classifier import MaxMargin, max_margin
from implicitbias.convex.margin.programme import Guess, Interior
from implicitbias.convex.margin.refined import refine
from implicitbias.convex.margin.two_classes import two_class_variation
from implicitbias.convex.programmes.linear_programme import optimum
from implicitbias.errors import DataError

TENTHS = [Fraction(j, 10) for j in range(-10, 11)]
REFERENCES = [
    ([Fraction(-1), Fraction(1)], "01", 2, 1 / sqrt(2), 2),
    ([Fraction(-1), Fraction(0), Fraction(1)], "222", 4, sqrt(3) / 2, 2),
    ([Fraction(j, 6) for j in range(-6, 7)], "2211100011122", 3, 37.71270137, 10),
    (TENTHS, "443322211000112223344", 5, 130.11823146, 18),
    (TENTHS, "000111112222233333444", 5, 61.06709138, 10),
    (
        [Fraction(v, 100) for v in (-100, -96, -91, -85, -65, -46, -38, 2, 27, 30, 62, 70, 82, 100)],
        "11221112022012",
        3,
        201.99753977,
        13,
    ),
]


def brackets(found: MaxMargin, value: float, digits: float = 1e-8) -> bool:
    return float(found.lower) <= value * (1 + digits) and value * (1 - digits) <= float(found.upper)


def check(found: MaxMargin) -> None:
    """Feasibility of both, from the definitions, and the certificate."""
    k = len(found.classes)
    for at, own in zip(found.x, found.positions, strict=True):
        scores = found.scores(at)
        assert all(scores[own] - score >= 1 for rival, score in enumerate(scores) if rival != own)
    assert sum(ramp.norm for ramp in found.ramps) <= float(found.upper) * (1 + 1e-12)
    alpha = [[Fraction(0)] * k for _ in found.x]
    for (i, rival), value in found.beta.items():
        assert value > 0
        alpha[i][found.positions[i]] += value
        alpha[i][rival] -= value
    for c in (*found.kinks, *found.x):
        for side in (1, -1):
            heights = [max(Fraction(0), side * (at - c)) for at in found.x]
            g = [sum(a[j] * h for a, h in zip(alpha, heights, strict=True)) for j in range(k)]
            assert sum(v * v for v in g) <= 1
    assert sum(found.beta.values()) == found.lower
    assert found.lower <= found.upper
    outcome = check_certificate(found.certificate())
    assert outcome.valid, outcome.reason


@pytest.mark.parametrize(("x", "labels", "k", "value", "support"), REFERENCES)
def test_reference_values_lie_within_tight_bounds(
    x: list[Fraction], labels: str, k: int, value: float, support: int
) -> None:
    found = max_margin(x, list(labels), [str(name) for name in range(k)])
    assert brackets(found, value)
    assert found.gap < 1e-8
    assert len(found.support) == support
    check(found)


def by_cvxpy(x: list[Fraction], labels: list[int], k: int, norm: Any = 2) -> float:
    """The same programme in the ramps themselves, by another modelling tool."""
    cvxpy: Any = pytest.importorskip("cvxpy")
    points = [float(at) for at in x]
    kinks = [(1, c) for c in points[:-1]] + [(-1, c) for c in points[1:]]
    ramps = np.array([[max(0.0, side * (at - c)) for side, c in kinks] for at in points])
    W = cvxpy.Variable((len(kinks), k))
    scores = ramps @ W
    margins = [
        scores[i, label] - scores[i, rival] >= 1
        for i, label in enumerate(labels)
        for rival in range(k)
        if rival != label
    ]
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(cvxpy.norm(W, norm, axis=1))), margins)
    problem.solve(solver=cvxpy.CLARABEL, tol_gap_rel=1e-10, tol_feas=1e-10)
    return float(problem.value)


@pytest.mark.parametrize(("n", "k", "seed"), [(6, 3, 0), (9, 3, 1), (12, 4, 2), (15, 6, 3), (20, 9, 4), (8, 8, 5)])
def test_random_labels_agree_with_cvxpy_in_another_basis(n: int, k: int, seed: int) -> None:
    rng = random.Random(seed)
    x = [Fraction(-1), *(Fraction(v, 50) for v in sorted(rng.sample(range(-49, 50), n - 2))), Fraction(1)]
    labels = [rng.randrange(k) for _ in x]
    found = max_margin(x, labels, range(k))
    assert brackets(found, by_cvxpy(x, labels, k), 1e-7)
    assert found.gap < 1e-8
    check(found)


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_are_the_closed_form_and_need_no_solver(seed: int) -> None:
    rng = random.Random(seed)
    x = [Fraction(v, 10) for v in sorted(rng.sample(range(-10, 11), 7))]
    labels = [rng.choice(["cat", "dog"]) for _ in x[2:]] + ["cat", "dog"]
    found = max_margin(x, labels)
    exact = two_class_variation(x, labels)
    assert found.lower**2 <= exact**2 / 2 <= found.upper**2
    assert found.gap < Fraction(1, 10**15)
    assert found.status == "closed form"
    check(found)


def test_constant_labels_cost_what_the_formula_says() -> None:
    for k in (2, 3, 7):
        found = max_margin([-1, 0, 1], [0, 0, 0], range(k))
        assert found.lower**2 <= Fraction(k - 1, k) <= found.upper**2
        check(found)


def test_classes_without_points_raise_the_value_a_little_and_are_solved_as_one() -> None:
    x, labels = [-1, "-1/2", 0, "1/2", 1], [0, 1, 2, 1, 0]
    values = [13.50351931, 13.52245190, 13.53372032, 13.54119545]
    found = [max_margin(x, labels, range(k)) for k in (3, 4, 5, 6)]
    assert all(brackets(f, value) for f, value in zip(found, values, strict=True))
    for f in found:
        check(f)


def test_points_inside_a_run_change_nothing() -> None:
    x, labels = [Fraction(-1), Fraction(-1, 3), Fraction(0), Fraction(1, 2), Fraction(1)], [0, 1, 1, 2, 0]
    found = max_margin(x, labels)
    more = max_margin([*x[:2], Fraction(-1, 6), Fraction(-1, 7), *x[2:]], [0, 1, 1, 1, 1, 2, 0])
    assert abs(found.value / more.value - 1) < 1e-8
    assert len(more.support) == len(found.support)
    check(more)


def test_the_value_scales_with_the_units_of_x() -> None:
    x, labels = [-1, "-0.2", "0.3", 1], "abca"
    found = max_margin(x, labels)
    scaled = max_margin([Fraction(v) * 1000 + 5 for v in map(Fraction, x)], labels)
    assert brackets(scaled, found.value / 1000, 2e-8)
    assert scaled.kinks == (-995, 1005)
    assert brackets(
        max_margin([Fraction(-1), Fraction(-1, 5), Fraction(3, 10), Fraction(1)], labels, kinks=(-1, 1)),
        found.value,
        2e-8,
    )


def test_a_wider_range_of_kinks_costs_less() -> None:
    x, labels = ["-0.5", "-0.2", "0.3", "0.5"], "abca"
    values = [max_margin(x, labels, kinks=(-end, end)).value for end in (Fraction(1, 2), 1, 5)]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[2] * 1.0001
    check(max_margin(x, labels))


def test_the_optimum_uses_fewer_kinks_than_the_support_allows() -> None:
    found = max_margin(TENTHS, [int(v) for v in "443322211000112223344"])
    kinks = {abs(c) for _, c in found.active()}
    assert kinks == {Fraction(1), Fraction(3, 5), Fraction(3, 10), Fraction(1, 10)}
    excluded = {c for c in TENTHS if abs(c) not in kinks}
    bounds = found.excess()
    assert all(bounds[1, c] < found.upper / 10**6 for c in excluded)
    assert len(found.support) == 18


def test_bounds_hold_for_the_other_norms_bound_too() -> None:
    """‖w‖_2 <= ‖w‖_1 <= √k ‖w‖_2: an exact linear programme brackets the cone programme."""
    x, labels = [Fraction(-1), Fraction(-1, 2), Fraction(1, 4), Fraction(1)], [0, 2, 1, 0]
    found = max_margin(x, labels)
    ramps = [(1, c) for c in x[:-1]] + [(-1, c) for c in x[1:]]
    rows = [
        [
            turned * ((j == label) - (j == rival)) * max(Fraction(0), side * (at - c))
            for turned in (-1, 1)
            for side, c in ramps
            for j in range(3)
        ]
        for at, label in zip(x, labels, strict=True)
        for rival in range(3)
        if rival != label
    ]
    value = optimum([Fraction(1)] * len(rows[0]), [], [], rows, [Fraction(-1)] * len(rows)).value
    assert found.lower <= value
    assert value**2 <= 3 * found.upper**2


def clusters(seed: int, k: int, groups: int, each: int, width: int) -> tuple[list[Fraction], list[int]]:
    """Points in groups a few millionths wide, labels at random: weights of 10^6 and more that nearly cancel."""
    rng = random.Random(seed)
    middles = [rng.randint(-900_000_000, 900_000_000) for _ in range(groups)]
    places = sorted({c + rng.randint(-width, width) for c in middles for _ in range(each)})
    return [Fraction(v, 10**9) for v in places], [rng.randrange(k) for _ in places]


@pytest.mark.parametrize(
    ("seed", "k", "classes"), [(0, 3, 3), (1, 3, 3), (2, 5, 5), (3, 8, 8), (4, 5, 7), (5, 12, 12), (6, 20, 30)]
)
def test_points_close_together_are_bracketed_as_tightly(seed: int, k: int, classes: int) -> None:
    x, labels = clusters(seed, k, 4, 5, 20_000)
    found = max_margin(x, labels, range(classes))
    assert found.gap < 1e-8
    check(found)


def test_steps_with_exact_residuals_close_a_gap_that_doubles_leave() -> None:
    x, labels = clusters(2, 5, 5, 6, 5_000)
    grid = Grid.of(x, (x[0], x[-1]))
    points = np.array([float((2 * at - x[0] - x[-1]) / (x[-1] - x[0])) for at in x])
    used = sorted(set(labels))
    places = [used.index(label) for label in labels]
    kinks = [*((1, c) for c in (x[0], *x[1:-1])), *((-1, c) for c in (*x[1:-1], x[-1]))]

    def gap(weights: Any, beta: Any) -> float:
        ramps = [(side, c, row) for (side, c), row in zip(kinks, weights, strict=True)]
        above = feasible_ramps(grid, places, len(used), ramps)
        multipliers = {(i, j): v for i, row in enumerate(beta) for j, v in enumerate(row) if v > 0}
        below = feasible_multipliers(grid, places, len(used), multipliers)
        return float(1 - below.lower / above.upper) if above and below else 1.0

    at_once = margin_programme.solve(points, np.array(places), len(used), -1.0, 1.0)
    assert gap(np.vstack([at_once.right, at_once.left]).tolist(), at_once.beta.tolist()) > 1e-7
    start = margin_programme.solve(
        points, np.array(places), len(used), -1.0, 1.0, 1, margin_programme.STARTS[1]
    ).interior
    assert start is not None
    half = float(x[-1] - x[0]) / 2
    refined = refine(grid, places, len(used), start.in_units(half))
    assert refined is not None
    assert gap(refined.weights, refined.beta) < 1e-9


def test_a_start_outside_of_the_cones_is_declined() -> None:
    grid = Grid.of([Fraction(-1), Fraction(0), Fraction(1)], (Fraction(-1), Fraction(1)))
    nothing = Interior(np.zeros((4, 3)), np.zeros(4), np.zeros((4, 4)), np.zeros((3, 3)), np.zeros((3, 3)), "none")
    assert refine(grid, [0, 1, 2], 3, nothing) is None


def test_whatever_the_solver_says_the_bounds_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    true, rng, real = (
        max_margin(TENTHS, [int(v) for v in "443322211000112223344"]),
        np.random.default_rng(0),
        margin_programme.solve,
    )

    def noisy(*arguments: Any) -> Guess:
        guess = real(*arguments)
        parts = [part * (1 + 1e-4 * rng.normal(size=part.shape)) for part in (guess.right, guess.left, guess.beta)]
        return Guess(*parts, "Solved", 1)

    monkeypatch.setattr(margin_programme, "solve", noisy)
    monkeypatch.setattr(Balls, "most", 0)  # which need no solver
    found = max_margin(TENTHS, [int(v) for v in "443322211000112223344"])
    assert found.lower < true.upper
    assert found.upper > true.lower
    assert found.gap > true.gap
    check(found)


def test_a_solver_that_fails_altogether_is_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(x: Any, labels: Any, k: int, *_: Any) -> Guess:
        nothing = np.full((len(x) - 1, k), np.nan)
        return Guess(nothing, nothing, np.full((len(x), k), np.nan), "NumericalError", 1)

    monkeypatch.setattr(margin_programme, "solve", broken)
    assert max_margin([-1, 0, 1], "abc").gap < 1e-8, "steps in balls need no solver"
    monkeypatch.setattr(Balls, "most", 0)
    with pytest.raises(ArithmeticError, match="NumericalError"):
        max_margin([-1, 0, 1], "abc")


def test_regions_are_where_each_class_leads() -> None:
    found = max_margin(TENTHS, [int(v) for v in "443322211000112223344"])
    regions = found.regions()
    assert (regions[0][0], regions[-1][1]) == found.kinks
    assert all(a[1] == b[0] and a[2] != b[2] for a, b in pairwise(regions))
    for start, end, name in regions:
        for share in (Fraction(1, 100), Fraction(1, 2), Fraction(99, 100)):
            assert found.classify(start + share * (end - start)) == name


def test_numpy_labels_and_the_package_s_own_name() -> None:
    found = ib.max_margin(np.array([-1.0, 0.0, 1.0]), np.array(["b", "a", "c"]))
    assert found.classes == ("a", "b", "c")
    assert found.positions == (1, 0, 2)


@pytest.mark.parametrize(
    ("x", "labels", "classes", "says"),
    [
        ([0, 1], "aa", None, "one class only"),
        ([0], "a", None, "one class only"),
        ([0, 1], [float("nan"), 1.0], None, "labels.0. is nan"),
        ([0, 1], [None, 1], None, "labels.0. is None"),
        ([0, 0], "ab", None, "has the labels 'a' and 'b'"),
        ([0, 0], "aa", None, "given twice"),
        ([1, 0], "ab", None, "x must increase"),
        ([0, 1], "abc", None, "as many"),
        ([], "", None, "no data"),
        ([0, 1], "ab", "a", "at least two"),
        ([0, 1], "ab", "bc", "none of the 2 classes"),
        (list(range(50_000)), [i % 3 for i in range(50_000)], None, "more than the 80000"),
    ],
)
def test_bad_data_are_named(x: list[Any], labels: Any, classes: Any, says: str) -> None:
    with pytest.raises(DataError, match=says):
        max_margin(x, labels, classes)


def test_as_many_classes_as_points_and_words_and_numbers_mixed() -> None:
    found = max_margin([-1, 0, 1], ["a", 1, (2, 3)])
    assert len(found.classes) == 3
    check(found)
