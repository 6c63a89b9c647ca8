"""Yes or no: shown to hold, shown to fail, or not given."""

from __future__ import annotations

import pytest

from implicitbias.exact.formula import written
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.values.condition import Holds
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.theorem import Theorem, establish

REALS = Setting({"x": "real", "y": "real"})


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        (Holds("relu(x + y)", "relu(x) + relu(y)"), "1"),
        (Holds("relu(x)", "-1"), "0"),
        (Holds("relu(x) - relu(-x)", "x", "="), "1"),
        (Holds("relu(x) + 1", "0", "="), "0"),
        (Holds("relu(x) + 1", "0", ">"), "1"),
        (Holds("-relu(x)", "0", ">"), "0"),
        (Holds("x**2 + 1", "0", "<"), "0"),
    ],
)
def test_truth_is_shown_either_way(condition: Holds, truth: str) -> None:
    assert written(condition.establish(REALS, Steps())) == truth


@pytest.mark.parametrize(
    "condition",
    [
        Holds("relu(x)", "0"),
        Holds("relu(x)", "0", ">"),
        Holds("x", "y", "="),
        Holds("x", "y"),
        Holds("1/x", "1/x", "="),
    ],
)
def test_what_depends_on_the_point_or_has_no_value_gets_no_truth(condition: Holds) -> None:
    with pytest.raises((NotShownError, RefusedError)):
        condition.establish(REALS, Steps())


def test_cases_are_made_by_the_theorem() -> None:
    flat = Theorem("", Holds("relu(x)", "0"), {"x": "real"}, {"x": "x"}, split=("x",))
    assert {c.label: c.value for c in establish(flat).conclusions} == {"x > 0": "0", "x = 0": "1", "x < 0": "1"}


def test_a_quantity_may_be_compared() -> None:
    cheapest = Minimum(
        "unit_cost(v, w)",
        over={"v": "positive", "w": "positive"},
        at={"v": "1"},
        gap=("(v - 1/v)**2/2",),
        subject_to={"w": "v*w - 1"},
    )
    assert written(Holds("path_cost(1, 1)", cheapest).establish(REALS, Steps())) == "1"


def test_a_comparison_is_one_of_five() -> None:
    with pytest.raises(ValueError, match="a comparison"):
        Holds("x", "y", "!=").establish(REALS, Steps())
