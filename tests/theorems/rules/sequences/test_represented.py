"""The optimum under any number of conditions: what a datum adds is a combination of the totals, or the rule refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.exact.formula import Assumption, written
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.represented import RepresentedEntry
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

SETTING = Setting({"x": "real", "w": "real", "T": "real"})
AT_A_KINK = RepresentedEntry(
    tests="unit(1, e, f, t)",
    given={"e": "real", "f": "real"},
    datum={"t": "real"},
    multiplier="lam",
    at_no_cost=("1", "t"),
    at={"e": "w", "f": "-w*x"},
    totals={"T": "lam*relu(t - x)"},
    by={"T": "Abs(w)"},
    less=("-Min(0, w)*x", "Min(0, w)"),
)


@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_a_unit_of_either_sign_is_moved_by_as_much(sign: Assumption) -> None:
    setting = replace(SETTING, variables={**SETTING.variables, "w": sign})
    steps = Steps()
    value = AT_A_KINK.establish(setting, steps)
    assert setting.zero(minus(value, setting.read("Abs(w)*T")), "the value")
    assert [step.says for step in steps] == [
        "each datum contributes a combination of the totals",
        "the optimum is spanned by what the conditions test",
    ]


def test_without_a_free_line_one_total_does_not_tell_the_optimum() -> None:
    with pytest.raises(RefusedError):
        replace(AT_A_KINK, at_no_cost=(), less=()).establish(SETTING, Steps())
    with pytest.raises(RefusedError):
        replace(AT_A_KINK, at_no_cost=("1",), less=("-Min(0, w)*x",)).establish(SETTING, Steps())
    right = Setting({"x": "real", "w": "positive", "T": "real"})
    value = replace(AT_A_KINK, at_no_cost=(), less=()).establish(right, Steps())
    assert written(value) == "Abs(w)*T"


@pytest.mark.parametrize("by", ["w", "1", "-Abs(w)", "2*Abs(w)", "Abs(w)*T"])
def test_wrong_coefficients_are_refused(by: str) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        replace(AT_A_KINK, by={"T": by}).establish(SETTING, Steps())


def test_a_total_is_no_function_of_what_is_bound_outside() -> None:
    bound = Setting({"x": "real", "T": "real"}).with_variables({"w": "real"})
    of_w = replace(AT_A_KINK, totals={"T": "lam*relu(w*(t - x))"}, by={"T": "1"}, less=("0", "0"))
    assert of_w.establish(SETTING, Steps())
    with pytest.raises(RefusedError, match="holds w"):
        of_w.establish(bound, Steps())


@pytest.mark.parametrize(
    ("altered", "message"),
    [
        ({"tests": "relu(t)"}, "holds nothing of an entry"),
        ({"tests": "unit(1, e, f, 0)"}, "holds nothing of an entry"),
        ({"tests": "unit(lam, e, f, t)"}, "belongs neither"),
        ({"at_no_cost": ("1", "lam*t")}, "does not belong to a datum"),
        ({"at": {"e": "w"}}, "must give e, f"),
        ({"by": {"S": "1"}}, "S is no total"),
        ({"less": ()}, "needs a coefficient"),
        ({"at_no_cost": ("1", "1/t")}, "is not nonzero"),
    ],
)
def test_what_is_no_such_problem_is_refused(altered: dict[str, object], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        replace(AT_A_KINK, **altered).establish(SETTING, Steps())  # type: ignore[arg-type]


def test_a_total_has_no_other_hypotheses() -> None:
    positive = Setting({"x": "real", "w": "real", "T": "positive"})
    with pytest.raises(RefusedError, match="real variable"):
        AT_A_KINK.establish(positive, Steps())
    with pytest.raises(RefusedError, match="real variable"):
        AT_A_KINK.establish(SETTING.assuming(SETTING.read("T - x")), Steps())
