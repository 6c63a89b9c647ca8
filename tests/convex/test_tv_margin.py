"""Largest margins for the total variation: programmes over directions, closed forms, altered certificates."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from implicitbias.certificate.kernel import check_certificate, digest
from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.variation.margin import TvMargin, tv_margin
from implicitbias.errors import DataError
from tests.support.corruptions import corrupted

XOR = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
CLASSES = [1, -1, -1, 1]


def random_data(seed: int, n: int, d: int) -> tuple[list[list[str]], list[int]]:
    generator = np.random.default_rng(seed)
    x = np.round(generator.standard_normal((n, d)), 2)
    return [[str(v) for v in row] for row in x], [1 if v > 0 else -1 for v in generator.standard_normal(n)]


def over_directions(found: TvMargin, d: int, count: int) -> float:
    """The same problem over random directions and those of the units: never below the value."""
    generator = np.random.default_rng(0)
    x, s = np.array(found.points, float), np.array(found.classes, float)
    near = [np.array(unit.theta, float) for unit in found.strong_units()]
    theta = np.vstack([generator.standard_normal((count, d + 1)), *near])
    theta /= np.linalg.norm(theta, axis=1)[:, None]
    outputs = np.maximum(x @ theta.T, 0) * s[:, None]
    answer = linprog(np.ones(2 * len(theta)), A_ub=-np.hstack([outputs, -outputs]), b_ub=-np.ones(len(x)))
    return float(answer.fun)


@pytest.mark.parametrize(("seed", "n", "d"), [(0, 8, 1), (1, 8, 2), (4, 9, 2), (5, 7, 3)])
def test_programmes_over_directions_come_down_to_the_value_and_never_below(seed: int, n: int, d: int) -> None:
    x, classes = random_data(seed, n, d)
    found = tv_margin(x, classes)
    assert found.gap < 1e-11
    assert min(found.margins()) >= 1
    assert float(found.lower) * (1 - 1e-7) <= over_directions(found, d, 3000) <= float(found.upper) * (1 + 1e-7)


def test_points_that_are_far_on_their_side_change_nothing() -> None:
    four, five = tv_margin(XOR, CLASSES), tv_margin([*XOR, [3, 3]], [*CLASSES, 1])
    assert five.support == (0, 1, 2, 3)
    assert four.lower <= five.upper
    assert five.lower <= four.upper
    assert four.lower**2 <= 8 <= four.upper**2
    assert max(five.margins()) > 1


def test_it_costs_no_more_than_interpolation_and_less_where_points_have_room() -> None:
    x, classes = random_data(4, 9, 2)
    margin, through = tv_margin(x, classes), tv_interpolant(x, classes)
    assert margin.upper < through.lower


def test_turning_the_classes_round_changes_nothing() -> None:
    x, classes = random_data(1, 7, 2)
    one, other = tv_margin(x, classes), tv_margin(x, [-c for c in classes])
    assert one.lower <= other.upper
    assert other.lower <= one.upper


def test_two_points_on_a_line() -> None:
    # f(0) >= 1, f(1) <= -1: [1 - x]_+·1 and a unit that is negative at 1, as for labels 1, -1
    margin, through = tv_margin([[0], [1]], [1, -1]), tv_interpolant([[0], [1]], [1, -1])
    assert margin.lower <= through.upper
    assert through.lower <= margin.upper


def test_bad_classes_are_refused() -> None:
    for classes in ([1, 1], [1, 2], [0, 1]):
        with pytest.raises(DataError, match="two classes"):
            tv_margin([[0], [1]], classes)
    with pytest.raises(DataError, match="another label"):
        tv_margin([[0], [0]], [1, -1])


def reason(document: dict[str, Any], *changes: tuple[tuple[Any, ...], Any]) -> str:
    document = copy.deepcopy(document)
    for path, value in changes:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    document["digest"] = digest(document)
    return check_certificate(document).reason


def test_certificates_pass_and_altered_ones_do_not() -> None:
    found = tv_margin([*XOR, [3, 3]], [*CLASSES, 1])
    document = found.certificate()
    outcome = check_certificate(document)
    assert outcome.valid, outcome.reason
    assert "with y·f >= 1 at the 5 data points in dimension 2" in outcome.statement
    assert "below 1" in reason(document, (("data", "y", 4), "-1"))
    assert "must hold 1 and -1" in reason(document, (("data", "y", 4), "2"))
    assert "signs of the classes" in reason(document, (("dual", "p", 0), "-1/10"))
    assert reason(document, (("dual", "p", 4), "1/1000")) != ""
    assert "below 1" in reason(document, (("primal", "units"), []))
    assert "claim.lower is above" in reason(document, (("claim", "lower"), "3"), (("claim", "upper"), "3"))
    assert "shows nothing" in reason(document, (("dual", "p"), ["0"] * 5))


def test_corrupted_certificates_are_refused() -> None:
    document, rng, refused = tv_margin(XOR, CLASSES).certificate(), random.Random(3), 0
    while refused < 200:
        forged = corrupted(document, rng)
        if forged is not None:
            assert not check_certificate(forged).valid
            refused += 1


def test_a_certificate_of_margins_is_none_of_interpolation() -> None:
    document = tv_margin([*XOR, [3, 3]], [*CLASSES, 1]).certificate()
    assert "miss the data point 4" in reason(document, (("kind",), "interpolation of least total variation"))
    assert found_value(document) > 2


def found_value(document: dict[str, Any]) -> Fraction:
    return Fraction(document["claim"]["lower"])


def test_the_same_points_of_margin_one_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    def counted(points: Any, labels: Any, again: bool = True) -> Any:
        tried.append(again)
        return tv_interpolant(points, labels, again)

    monkeypatch.setattr("implicitbias.convex.variation.margin.tv_interpolant", counted)
    monkeypatch.setattr("implicitbias.convex.variation.margin.CLOSE", -1)  # nothing is close enough to stop early
    assert tv_margin(XOR, CLASSES).support == (0, 1, 2, 3)
    assert tried == [True, False]  # the points themselves, and the solver's values at all points
