"""Resting on another claim: its theorems are shown again, its hypotheses discharged, its words kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.claims import Claim, Context, Derivation, Observation, claim, proof, rests, rule, shows, theorem
from implicitbias.claims.evidence import Proven
from implicitbias.exact.formula import written
from implicitbias.judging.result import assess
from implicitbias.judging.verdict import Verdict
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.sequences.recurrence import Recurrence
from implicitbias.theorems.rules.values.condition import Holds
from implicitbias.theorems.rules.values.rests import Rests
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.theorem import Theorem, establish

CHEAPEST = Theorem(
    "",
    Minimum(
        "unit_cost(v, w)",
        over={"v": "positive", "w": "positive"},
        at={"v": "sqrt(p)"},
        gap=("(v - p/v)**2/2",),
        subject_to={"w": "v*w - p"},
    ),
    for_all={"p": "positive"},
    given={"a": "p", "b": "-p"},
    assuming=("p >= 1",),
)
"""The least cost of a unit of product p."""

ON_CHEAPEST = Rests("paper.cheapest", "(a - b)/2", (CHEAPEST,), {"a": "x + 1", "b": "-x - 1"})


def value(quantity: Rests, setting: Setting | None = None) -> str:
    return written(quantity.establish(setting or Setting({"x": "positive"}), Steps()))


def test_the_value_is_the_formula_of_the_other_claim() -> None:
    assert value(ON_CHEAPEST) == "(x + 1 - (-x - 1))/2"


def test_the_record_holds_the_other_theorem_whole() -> None:
    whole = Theorem("", ON_CHEAPEST, {"x": "positive"}, {"x": "x"})
    again = Theorem.from_json(whole.to_json())
    assert again == whole
    assert again.digest == whole.digest
    assert whole.primitives == {"unit_cost"}
    assert whole.in_words == ()


UNSOUND = {
    "another formula than the theorems show": replace(ON_CHEAPEST, formula="a - b"),
    "a hypothesis that does not hold": replace(ON_CHEAPEST, at={"a": "x", "b": "-x"}),
    "a value outside of the domain": replace(ON_CHEAPEST, at={"a": "-x - 1", "b": "x + 1"}),
    "symbols that do not fit together": replace(ON_CHEAPEST, at={"a": "x + 1", "b": "-x - 2"}),
    "a symbol forgotten": replace(ON_CHEAPEST, formula="a", at={"a": "x + 1"}),
    "a symbol that has no value": replace(ON_CHEAPEST, at={"a": "1 + x/(x - 1)", "b": "-1 - x/(x - 1)"}),
    "a theorem with a false witness": replace(
        ON_CHEAPEST, theorems=(replace(CHEAPEST, quantity=replace(CHEAPEST.quantity, gap=("(v - p/v)**2",))),)
    ),
    "a theorem that never says what its variable is": replace(
        ON_CHEAPEST, theorems=(replace(CHEAPEST, given={"a": "p*1", "b": "0 - p"}),)
    ),
}


@pytest.mark.parametrize("unsound", UNSOUND.values(), ids=UNSOUND)
def test_what_the_other_claim_does_not_give_is_refused(unsound: Rests) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        value(unsound)


def test_a_sequence_known_by_induction_is_not_rested_on() -> None:
    """Its start alone would be compared with the formula: 1 is the start of 2^k, not its value."""
    powers = Theorem("", Recurrence("k", "relu(1)", "2*previous"), {"k": "nonnegative integer"}, {"k": "k"})
    for formula in ("1", "2**k"):
        with pytest.raises(NotShownError, match="by induction"):
            Rests("paper.powers", formula, (powers,), {"k": "3"}).establish(Setting({"x": "real"}), Steps())


def test_what_is_rested_on_below_another_quantity_counts_too() -> None:
    compared = Theorem("", Holds("0", replace(ON_CHEAPEST, theorems=())), {"x": "positive"}, {"x": "x"})
    assert "rests on paper.cheapest, which no theorem proves" in compared.in_words
    assert Theorem("", Holds("0", ON_CHEAPEST), {"x": "positive"}, {"x": "x"}).primitives == {"unit_cost"}


def test_another_subject_reaches_the_theorems_rested_on() -> None:
    dearer = {**PRIMITIVES, "unit_cost": replace(PRIMITIVES["unit_cost"], formula="v**2 + w**2")}
    with pytest.raises(RefusedError):
        value(ON_CHEAPEST, Setting({"x": "positive"}, vocabulary=dearer))


@theorem("the unit switched on")
def switched_on() -> Observation:
    """For positive arguments."""
    from implicitbias.theorems.rules.values.value import Value

    yield shows(Value("relu(x)"), for_all={"x": "positive"}, x="x")


@proof("in the old way")
def in_the_old_way(d: Derivation) -> None:
    """An identity."""
    (x,) = d.symbols("x")
    d.concludes(x, "all x", x="x")


def _claim(*checks: object) -> Claim:
    return claim("paper.on", "1", "On", "On.", formula="x", symbols={"x": "x"}, controls={"2*x": ""}, checks=checks)  # type: ignore[arg-type]


def _verdict(on: Claim) -> tuple[Verdict, str]:
    @theorem("rests")
    def resting() -> Observation:
        """Twice."""
        yield shows(rests(on, x="y + 1"), for_all={"y": "positive"}, y="y")

    made = claim(
        "paper.resting", "2", "R", "R.", formula="y + 1", symbols={"y": "y"}, controls={"y": ""}, checks=(resting,)
    )
    result = assess(made, resting, resting.observe(Context()))
    return result.verdict, result.reason


def test_on_a_theorem_it_is_proved_and_on_less_it_is_derived() -> None:
    assert _verdict(_claim(switched_on))[0] is Verdict.PROVED
    verdict, reason = _verdict(_claim(in_the_old_way))
    assert verdict is Verdict.DERIVED
    assert "in words" in reason


def test_what_stands_in_words_below_stands_in_words_above() -> None:
    @theorem("in words")
    def worded() -> Observation:
        """With a step in words."""
        from implicitbias.theorems.rules.values.value import Value

        yield shows(Value("relu(x)"), for_all={"x": "positive"}, words=("a step",), x="x")

    verdict, reason = _verdict(_claim(worded))
    assert verdict is Verdict.DERIVED
    assert "1 step in words" in reason


def test_a_rule_has_no_value_to_rest_on() -> None:
    on = claim(
        "paper.rule",
        "1",
        "R",
        "R.",
        formula=rule("yes")(lambda given: 1),
        controls={rule("no")(lambda given: 0): ""},
        checks=(switched_on,),
    )
    with pytest.raises(TypeError, match=r"paper\.rule"):
        rests(on, x="1")


def test_the_steps_say_that_the_other_claim_was_asked() -> None:
    (shown,) = [item for item in [shows(ON_CHEAPEST, for_all={"x": "positive"}, x="x")] if isinstance(item, Proven)]
    assert any("paper.cheapest" in step.says for step in shown.steps)
    assert establish(Theorem.from_json(shown.document)).conclusions == shown.conclusions
