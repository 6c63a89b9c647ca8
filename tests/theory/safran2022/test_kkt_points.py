"""The observations behind the claims on KKT points, against independent computations."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from implicitbias.certificate import kernel
from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Budget, Context
from implicitbias.theory.observed.margin import kink_words, kkt_points
from implicitbias.theory.observed.margin.frozen_svm import frozen_svm
from implicitbias.theory.observed.margin.kink_words import C, L, R, Run, S
from implicitbias.theory.observed.margin.three_kinks import regions_of_three_kinks
from implicitbias.theory.safran2022 import one_switch, section_4_1, theorem_4_2


def values(point, places):
    """f at the given points, in doubles, from the definition."""
    total = np.zeros(len(places))
    for unit in point.units:
        w, b = map(float, point.direction(unit))
        total += unit.sign * float(unit.square) * np.maximum(unit.sign * (w * places + b), 0)
    return total


def test_families_are_classified_and_their_labels_switch_as_often_as_said():
    seen = set()
    for found in kkt_points.families(random.Random(3), 40):
        assert kernel.check_certificate(found.document).valid
        margins = values(found.point, np.array(found.point.x, dtype=float)) * np.array(found.point.labels)
        assert margins.min() > 1 - 1e-12
        assert found.cost == sum(found.point.multipliers.values())
        seen.add(found.switches)
    assert seen == {0, 1, 2}


def test_searched_points_have_the_switches_asked_for_and_are_not_all_optima():
    from implicitbias.convex.kkt.dual import optimality

    draw = random.Random(8)
    points = kkt_points.searched(draw, {0: 4, 2: 4, 3: 4}, share=0.5)
    assert [found.switches for found in points] == sorted(found.switches for found in points)
    assert {0, 2, 3} == {found.switches for found in points}
    assert {optimality(found.point).status for found in points} == {"global", "not global"}


def allowed(word, run):
    """The rules for one word, checked pair by pair and stretch by stretch, without constructing the word."""
    places = range(len(word))
    supports = [k for k in places if word[k] & S]
    cuts = [k for k in places if word[k] & C]
    if len(cuts) > 1:
        return False
    for letter in (R, L):
        at = [k for k in places if word[k] & letter]
        for one, two in itertools.combinations(at, 2):
            inside = [k for k in supports if one < k < two]
            if not inside and not (one in supports and two in supports):
                return False
    edges = [0, *cuts, len(word) - 1]
    for low, high in itertools.pairwise(edges):
        here = [k for k in supports if low <= k <= high]
        if len(here) > run.supports:
            return False
        if len(here) > 2 and any(word[k] & (R | L) for k in range(here[0] + 1, here[-1])):
            return False
    if run.left and any(word[k] & L and not any(i < k for i in supports) for k in places):
        return False
    if run.right and any(word[k] & R and not any(i > k for i in supports) for k in places):
        return False
    if run.only and supports:
        left = any(word[k] & R and k < supports[0] for k in places)
        right = any(word[k] & L and k > supports[-1] for k in places)
        return not (left and right)
    return True


@pytest.mark.parametrize(
    ("run", "letters", "longest"),
    [
        (Run(R), R, 6),
        (Run(R | L), R | L, 5),
        (Run(R | L, left=True), R | L, 5),
        (Run(R | L, left=True, right=True, only=True), R | L, 5),
        (Run(L | C), L | C, 5),
        (Run(L | C, left=True), L | C, 5),
    ],
)
def test_words_are_those_that_the_rules_allow(run, letters, longest):
    alphabet = [place for place in range(1, 16) if not place & ~(S | letters)]
    brute = {
        word
        for length in range(longest + 1)
        for word in itertools.product(alphabet, repeat=length)
        if allowed(word, run)
    }
    assert {word for word in kink_words.words(run) if len(word) <= longest} == brute


def test_the_pair_rule_is_that_of_chords():
    """Whether nonnegative multiples of (x_i, 1) add up to e(b) - e(b'), by linear programming."""
    rng = np.random.default_rng(1)

    def e(b):
        return np.array([1, -b]) / np.hypot(1, b)

    for _ in range(60):
        low, high = np.sort(rng.normal(size=2) * 2)
        middle = np.tan((np.arctan(low) + np.arctan(high)) / 2)
        for places, possible in (
            ([], False),
            ([low], False),
            ([high], False),
            ([low, high], True),
            ([middle], True),
            ([(low + middle) / 2], False),
            ([(low + middle) / 2, (middle + high) / 2], True),
        ):
            columns = np.array([list(places), np.ones(len(places))]) if places else np.zeros((2, 1))
            found = linprog(np.zeros(columns.shape[1]), A_eq=columns, b_eq=e(low) - e(high), method="highs")
            assert (found.status == 0) == possible


def test_three_kinks_for_one_label_in_doubles():
    assert regions_of_three_kinks() == 4
    root = 3**0.5
    x, weight, square = (
        np.array([-2 * root, 3 * root / 5]),
        np.array([1, 2.5]) / 13**0.5,
        np.array([2, 0.5, 1]) / 13**0.5,
    )
    active = np.array([[0, 1], [1, 0], [1, 1]])
    s = (active * weight) @ np.stack([x, np.ones(2)], axis=1)
    assert np.allclose(np.hypot(*s.T), 1)
    heights = np.maximum(s @ np.stack([x, np.ones(2)]), 0)
    assert np.allclose(square @ heights, 1)
    assert ((heights > 1e-12) == active).all()
    assert np.allclose(sorted(-s[:, 1] / s[:, 0]), sorted([-5 * root / 9, root / 6, 7 * root / 3]))


def test_the_boundary_is_where_the_function_changes_its_sign():
    check = load().claim("safran2022.theorem_4_2_boundary").check("certified points")
    for found in check.observe(Context()).instances:
        point, boundary = kkt_points.one_switch(found.given["a"], found.given["c"]), float(found.observed)
        left, right = values(point, np.array([boundary - 1e-6, boundary + 1e-6]))
        assert left < 0 < right
        assert found.given["a"] < found.observed < found.given["c"]


def test_a_frozen_layer_is_the_optimum_of_its_margin():
    draw = random.Random(4)
    x, labels = kkt_points.random_data(draw, 2, 8)
    found = frozen_svm(draw, x, labels, 60)
    units = found.regions.units
    w, b, v = (np.array([float(number) for number in row]) for row in (units.w, units.b, units.v))
    features = np.maximum(np.outer(np.array(x, dtype=float), w) + b, 0) * np.array(labels)[:, None]
    margin = (features @ v).min()
    best = linprog(np.zeros(60), -features, -np.ones(8), bounds=(None, None), method="highs")
    assert best.status == 0
    # no other v with these margins is shorter: v lies in the cone of the tight rows
    from scipy.optimize import nnls

    tight = features[np.abs(features @ v - margin) < 1e-3 * margin]
    assert nnls(tight.T, v)[1] < 1e-3 * np.linalg.norm(v)
    assert found.correct
    assert found.active >= 50


@pytest.mark.parametrize(("switches", "width"), [(0, 1), (1, 2), (2, 3), (3, 4), (5, 4), (6, 5), (7, 6)])
def test_the_narrowest_teacher_of_so_many_switches(switches, width):
    assert theorem_4_2.smallest_teacher(switches) == width


def test_kinks_by_segment_add_up_to_those_inside_runs():
    point = kkt_points.accepted("C", kkt_points.one_switch(Fraction(3, 4), Fraction(4, 3)))
    assert theorem_4_2.kinks_by_segment(point) == [(1, 1), (1, 1)]
    beyond = kkt_points.accepted("beyond", kkt_points.one_switch(Fraction(-4, 3), Fraction(12, 5)))
    assert theorem_4_2.kinks_by_segment(beyond) == [(0, 1), (0, 1)]
    two = kkt_points.accepted("A", kkt_points.two_units(Fraction(4, 3), 1, 1))
    assert theorem_4_2.kinks_by_segment(two) == [(2, 2)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_dual_bound_of_other_origin_is_below_every_cost(seed):
    draw = random.Random(seed)
    for found in kkt_points.searched(draw, {1: 1, 2: 2}, share=0.5):
        assert section_4_1.lower_bound(found) <= found.cost


def test_observations_repeat_for_a_seed():
    context = Context(seed=5, budget=Budget.QUICK)
    assert one_switch.costs_of_points.observe(context) == one_switch.costs_of_points.observe(context)
