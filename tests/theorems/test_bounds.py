"""Theorems that bound what a claim is about: a formula that is no less is accepted, one that is less is left open."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from implicitbias.claims import shows
from implicitbias.claims.evidence import Evidence, Proven
from implicitbias.claims.writing import gathered
from implicitbias.formal.document import document
from implicitbias.formal.terms import NotInCoqError
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.recurrence import Recurrence
from implicitbias.theorems.rules.values.rests import Rests
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.theorem import Theorem, establish

BOUND = Theorem("", Value("relu(x)"), {"x": "real"}, {"x": "x"}, relation="<=")


def evidence() -> Evidence:
    shown = shows(Value("relu(x)"), for_all={"x": "real"}, relation="<=", x="x")
    assert isinstance(shown, Proven)
    return gathered([shown])


@pytest.mark.parametrize("formula", ["Max(0, x)", "Abs(x)", "1 + Abs(x)", "Max(0, x) + 1/(1 + x**2)"])
def test_what_is_no_less_than_the_bound_is_accepted(formula: str) -> None:
    judgement = judge(evidence(), formula, ["x"])
    assert judgement.outcome is Outcome.ACCEPTED
    assert judgement.reason == "1 case bounded for all values"


@pytest.mark.parametrize(
    "formula", ["x", "0", "Max(0, x) - 1", "x**2", "Abs(x) - 1/1000", "1/x**2 + Abs(x)", "sqrt(x)"]
)
def test_what_is_less_somewhere_or_has_no_value_is_neither_shown_nor_refuted(formula: str) -> None:
    assert judge(evidence(), formula, ["x"]).outcome is Outcome.UNDECIDED


def test_the_record_keeps_the_relation_and_that_of_an_equality_is_as_it_was() -> None:
    assert Theorem.from_json(json.loads(json.dumps(BOUND.to_json()))) == BOUND
    equality = replace(BOUND, relation="=")
    assert "relation" not in equality.to_json()
    assert Theorem.from_json(equality.to_json()) == equality
    assert equality.digest != BOUND.digest
    assert Evidence.from_json(json.loads(json.dumps(evidence().to_json()))) == evidence()


def test_nothing_rests_on_a_bound_as_on_a_value() -> None:
    on = Rests("a bound", "Max(0, x)", (BOUND,), {"x": "1"})
    with pytest.raises(NotShownError, match="is a bound"):
        on.establish(Setting({}), Steps())


def test_a_sequence_and_a_coq_file_are_no_bounds() -> None:
    powers = Recurrence("n", start="1", step="2*previous")
    with pytest.raises(RefusedError, match="bound"):
        establish(Theorem("", powers, {"n": "nonnegative integer"}, {"n": "n"}, relation="<="))
    with pytest.raises(NotInCoqError, match="bounds"):
        document("", "", "t", [BOUND], "Abs(x)", [])
