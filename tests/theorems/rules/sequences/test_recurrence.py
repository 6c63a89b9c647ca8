"""Sequences by start and step: what the judge accepts of them, and what is no induction."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from implicitbias.claims import Premise, shows
from implicitbias.claims.evidence import Evidence, Proven
from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Assumption
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.theorems.quantity import ByInduction
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.rules.sequences.moments import Moments
from implicitbias.theorems.rules.sequences.recurrence import Descent, Recurrence
from implicitbias.theorems.setting import NotShownError, RefusedError
from implicitbias.theorems.theorem import Theorem, establish

MODE: dict[str, Assumption] = {"r": "real", "q": "real", "t": "nonnegative integer"}
POWERS = Recurrence("t", start="r", step="q*previous")
DESCENT = Descent("t", loss="squared_loss(u, 0)", over="u", rate="q", start="r")
MOMENTS = Moments(
    "k",
    "w**k*exp(-a*w)",
    over="w",
    lower="0",
    upper="oo",
    first=("-exp(-a*w)/a",),
    ratio="(k + 1)/a",
    remainder=("-w**(k + 1)*exp(-a*w)/a",),
)
SCALE: dict[str, Assumption] = {"a": "positive", "k": "nonnegative integer"}


def proven(quantity: ByInduction, for_all: dict[str, Assumption], **stated: Any) -> Proven:
    given = {name: name for name in for_all}
    found = shows(quantity, for_all=for_all, **{**given, **stated})
    assert isinstance(found, Proven)
    return found


def judged(quantity: ByInduction, for_all: dict[str, Assumption], formula: str, **stated: Any) -> Judgement:
    return judge(Evidence(theorems=(proven(quantity, for_all, **stated),)), formula, list(for_all))


@pytest.mark.parametrize("formula", ["r*q**t", "q**t*r", "r*q**t + 0*t"])
def test_closed_forms(formula: str) -> None:
    found = judged(POWERS, MODE, formula)
    assert found.outcome is Outcome.ACCEPTED, found.reason


def test_a_formula_without_a_value_somewhere_is_rejected_there() -> None:
    found = judged(POWERS, MODE, "r*q**(2*t)/q**t")
    assert found.counterexample is not None
    assert found.counterexample.point["q"] == "0"


@pytest.mark.parametrize(
    "formula", ["r*q**(t + 1)", "r*(1 + t*(q - 1))", "r*q**t + t*(t - 1)*(t - 2)", "r*Abs(q)**t", "r"]
)
def test_false_formulas_have_a_counterexample(formula: str) -> None:
    found = judged(POWERS, MODE, formula)
    assert found.outcome is Outcome.REJECTED
    assert found.counterexample is not None
    assert int(found.counterexample.point["t"]) in range(9)


def test_a_formula_that_fails_late_is_not_accepted() -> None:
    late = "*".join(f"(t - {i})" for i in range(9))
    assert judged(POWERS, MODE, f"r*q**t + {late}").outcome is Outcome.UNDECIDED


def test_a_formula_that_fails_at_the_start_is_rejected_there() -> None:
    found = judged(Recurrence("t", start="r", step="0*previous"), MODE, "0")
    assert found.counterexample is not None
    assert found.counterexample.point["t"] == "0"


def test_the_step_may_depend_on_the_index() -> None:
    factorial = Recurrence("n", start="1", step="(n + 1)*previous")
    counted: dict[str, Assumption] = {"n": "nonnegative integer"}
    assert judged(factorial, counted, "gamma(n + 1)").outcome is Outcome.ACCEPTED
    triangle = Recurrence("n", start="0", step="before + n + 1", previous="before")
    assert judged(triangle, counted, "n*(n + 1)/2").outcome is Outcome.ACCEPTED
    assert judged(triangle, counted, "n*(n - 1)/2").outcome is Outcome.REJECTED


def test_descent_differentiates_its_loss() -> None:
    assert judged(DESCENT, MODE, "r*(1 - q)**t").outcome is Outcome.ACCEPTED
    changed = replace(DESCENT, loss="2*squared_loss(u, 0)")
    assert judged(changed, MODE, "r*(1 - q)**t").outcome is Outcome.REJECTED
    assert judged(changed, MODE, "r*(1 - 2*q)**t").outcome is Outcome.ACCEPTED


def test_moments_of_every_order() -> None:
    assert judged(MOMENTS, SCALE, "gamma(k + 1)/a**(k + 1)").outcome is Outcome.ACCEPTED
    for false in ("gamma(k + 1)/a**k", "gamma(k + 2)/a**(k + 1)", "k/a**(k + 1)", "1/a**(k + 1)"):
        assert judged(MOMENTS, SCALE, false).outcome is Outcome.REJECTED


def test_what_the_ends_leave_belongs_to_the_step() -> None:
    """∫₀¹ wᵏ dw, reduced to the one before with the ratio 1: the remainder is -∫ wᵏ(1 - w) dw."""
    powers = Moments(
        "k",
        "w**k",
        over="w",
        lower="0",
        upper="1",
        first=("w",),
        ratio="1",
        remainder=("w**(k + 2)/(k + 2) - w**(k + 1)/(k + 1)",),
    )
    counted: dict[str, Assumption] = {"k": "nonnegative integer"}
    assert judged(powers, counted, "1/(k + 1)").outcome is Outcome.ACCEPTED
    assert judged(powers, counted, "1/(k + 2)").outcome is Outcome.REJECTED


UNSOUND: dict[str, tuple[ByInduction, dict[str, Any]]] = {
    "an index that is a real number": (POWERS, {"for_all": {**MODE, "t": "real"}}),
    "an index that begins at 1": (POWERS, {"for_all": {**MODE, "t": "positive integer"}}),
    "an index that is no variable": (replace(POWERS, index="n"), {"for_all": MODE}),
    "a hypothesis on the index": (POWERS, {"for_all": MODE, "assuming": ("t < 5",)}),
    "a case of the index": (POWERS, {"for_all": MODE, "split": ("t",)}),
    "a start that depends on the index": (replace(POWERS, start="r*t"), {"for_all": MODE}),
    "a start that depends on what came before": (replace(POWERS, start="previous"), {"for_all": MODE}),
    "a step without a value": (replace(POWERS, step="1/previous"), {"for_all": MODE}),
    "a step without a value at one index": (replace(POWERS, step="previous/t"), {"for_all": MODE}),
    "a start without a value": (replace(POWERS, start="1/q"), {"for_all": MODE}),
    "a loss with a corner": (replace(DESCENT, loss="Abs(u)"), {"for_all": MODE}),
    "a loss without a value somewhere": (replace(DESCENT, loss="log(u)"), {"for_all": MODE}),
    "a wrong ratio": (replace(MOMENTS, ratio="k/a"), {"for_all": SCALE}),
    "a ratio that depends on the variable": (replace(MOMENTS, ratio="w"), {"for_all": SCALE}),
    "a wrong remainder": (replace(MOMENTS, remainder=("-w**(k + 2)*exp(-a*w)/a",)), {"for_all": SCALE}),
    "a wrong first antiderivative": (replace(MOMENTS, first=("exp(-a*w)",)), {"for_all": SCALE}),
    "a split point that depends on the index": (
        replace(MOMENTS, splits=("k + 1",), first=MOMENTS.first * 2, remainder=MOMENTS.remainder * 2),
        {"for_all": SCALE},
    ),
    "ends that leave what has no limit": (replace(MOMENTS, integrand="w**k*exp(a*w)"), {"for_all": SCALE}),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_refused(name: str) -> None:
    quantity, stated = UNSOUND[name]
    with pytest.raises((RefusedError, NotShownError, FormulaError)):
        establish(Theorem("", quantity, given={}, **stated))


def test_a_sequence_within_a_quantity_is_not_shown() -> None:
    whole = Integral(POWERS, over="w", lower="0", upper="1", antiderivatives=("w",))
    assert isinstance(shows(whole, for_all=MODE), Premise)


def test_a_record_reads_back_and_old_ones_do() -> None:
    found = proven(POWERS, MODE)
    document = json.loads(json.dumps(asdict(found)))
    assert Proven.from_json(document).conclusions == found.conclusions
    old = document["conclusions"][0]
    for name in ("index", "previous", "step"):
        del old[name]
    (read,) = Proven.from_json(document).conclusions
    assert (read.index, read.step) == ("", "")
    assert Theorem.from_json(found.document).to_json() == found.document
