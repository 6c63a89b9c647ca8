"""Attacks on theorems: what is altered, and that rules which check too little are found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.attacks.alterations import States, perturbed, planted, with_holes
from implicitbias.theorems.attacks.attack import Fate, Stated, attack, attacks, counted, holes
from implicitbias.theorems.dependence import ignored, otherwise, reached
from implicitbias.theorems.primitives import PRIMITIVES, read, unfolded
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.extrema.extremum import Infimum, Minimum
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import Setting, put
from implicitbias.theorems.theorem import Theorem

BALANCED = Minimum(
    "unit_cost(v, w)",
    over={"v": "real", "w": "positive"},
    subject_to={"v": "unit(v, w, 0, 1) - k"},
    at={"w": "sqrt(k)"},
    gap=("(k - w**2)**2/(2*w**2)",),
)
COST = Theorem("", BALANCED, {"k": "positive"}, {"a": "k"})


@dataclass(frozen=True)
class TakesItsWord(Quantity):
    """An unsound rule: the value is what the witness says, and the definition is not looked at."""

    formula: str = defined()
    value: str = witness()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        return setting.read(self.value)


@dataclass(frozen=True)
class AnyPoint(Quantity):
    """An unsound rule: the value is the objective at the point, which need not be the lowest."""

    objective: str = defined()
    over: Mapping[str, Assumption] = bound()
    at: Mapping[str, str] = witness()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        at = {name: setting.read(text) for name, text in self.at.items()}
        return put(setting.with_variables(self.over).read(self.objective), at)


@dataclass(frozen=True)
class FirstPart(Quantity):
    """A rule that fails where a part of the witness is missing."""

    formula: str = defined()
    parts: tuple[str, ...] = witness()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        setting.read(self.parts[0])
        return setting.read(self.formula)


def fates(quantity: Quantity, claimed: str, *controls: str, **for_all: Assumption) -> dict[Fate, int]:
    theorem = Theorem("", quantity, for_all, {name: name for name in for_all})
    return counted(attack(Stated(theorem, claimed, controls)))


def test_a_rule_that_takes_the_value_from_the_witness_is_found_out() -> None:
    found = holes(
        attack(Stated(Theorem("", TakesItsWord("relu(x)", "x"), {"x": "positive"}, {"x": "x"}), "x", ["2*x"]))
    )
    assert any("2*x in the place of value" in trial.how for trial in found)
    assert any("relu" in trial.how for trial in found), "and it does not care what a rectifier is"


def test_a_rule_that_takes_any_point_for_the_lowest_is_found_out() -> None:
    quantity = AnyPoint("relu(x)*x + 1", over={"x": "real"}, at={"x": "0"})
    found = holes(attack(Stated(Theorem("", quantity, {"c": "real"}, {"c": "c"}), "1 + 0*c", ["2"])))
    assert any("another value is found" in trial.detail for trial in found)


def test_a_rule_that_breaks_is_found_out() -> None:
    assert fates(FirstPart("relu(x)", ("x",)), "x", "2*x", x="positive")[Fate.BROKEN] == 1


def test_nothing_false_is_accepted_of_a_minimum() -> None:
    found = list(attack(Stated(COST, "a", ["2*a", "a**2"])))
    assert not holes(found)
    assert len(found) > 50


def test_a_false_formula_goes_wherever_the_claims_formula_stands_equal_or_not() -> None:
    quantity = Minimum("relu(x*y)", over={"y": "positive"}, subject_to={"y": "y - relu(x)"}, at={"y": "x"}, gap=("0",))
    theorem = Theorem("", quantity, {"x": "positive"}, {"a": "x"})
    places = [altered.how for altered in planted(theorem, "a", "2*a")]
    assert [how for how in places if "0 in the witness" not in how] == [
        "2*x in the place of at[y]",
        "2*x in the place of gap[0]",
        "2*x in the place of objective",
        "2*x in the place of subject_to[y]",
        "2*x in the place of every text of the witness",
        "2*x in the place of every text of the definition",
        "2*x in the place of every text",
    ]
    product = Theorem("", Value("relu(x)*(x + 1) - relu(x)"), {"x": "positive"}, {"a": "x"})
    assert [a.how for a in planted(product, "a**2", "a**2/2")] == ["x**2/2 in the place of formula"]


def test_a_formula_in_the_place_of_a_definition_of_several_texts_comes_with_an_empty_witness_too() -> None:
    altered = [a for a in planted(COST, "a", "2*a") if "0 in the witness" in a.how]
    first = altered[0].theorem.quantity
    assert isinstance(first, Minimum)
    assert (first.objective, first.gap, first.at) == ("2*k", ("0",), {"w": "0"})


def test_numbers_signs_terms_symbols_and_roots_of_the_witness_are_changed() -> None:
    made = [altered.how for altered in perturbed(COST)]
    for how in (
        "at[w]: k in the place of sqrt(k)",
        "at[w]: sqrt(w) in the place of sqrt(k)",
        "gap[0]: (k + w**2)**2/(2*w**2) in the place of (k - w**2)**2/(2*w**2)",
        "gap[0]: k**2/(2*w**2) in the place of (k - w**2)**2/(2*w**2)",
        "gap[0]: (k - w**2)**2/(3*w**2) in the place of (k - w**2)**2/(2*w**2)",
        "gap[0]: (k - w**3)**2/(2*w**2) in the place of (k - w**2)**2/(2*w**2)",
    ):
        assert how in made


def test_parts_splits_and_hypotheses_are_left_out_and_domains_widened() -> None:
    theorem = Theorem("", BALANCED, {"k": "positive"}, {"a": "k"}, ("k < 9",), ("k - 1",))
    made = {altered.how: altered.states for altered in with_holes(theorem)}
    assert made == {
        "at[w] left out": States.SAME,
        "gap[0] left out": States.SAME,
        "no split on k - 1": States.SAME,
        "without the hypothesis k < 9": States.MORE,
        "k nonnegative in the place of positive": States.MORE,
        "with the hypotheses k > 1 and k < -1": States.NOTHING,
    }


def test_parts_of_a_nested_witness_are_left_out_too() -> None:
    inner = Minimum("squared_loss(x, y)", over={"x": "real"}, at={"x": "y"}, gap=("(x - y)**2/2",))
    outer = Infimum(inner, over={"y": "positive"}, at={"y": "e"})
    made = [altered.how for altered in with_holes(Theorem("", outer, {"c": "real"}, {}))]
    assert "objective[gap][0] left out" in made


def test_as_many_attacks_as_asked_are_drawn_and_the_same_by_the_same_seed() -> None:
    stated = Stated(COST, "a", ["2*a"])
    few = [one.how for one in attacks(stated, 6, seed=3)]
    assert len(few) == 6
    assert few == [one.how for one in attacks(stated, 6, seed=3)]
    assert few != [one.how for one in attacks(stated, 6, seed=4)]


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_can_be_another_and_none_stays_the_same(name: str) -> None:
    parameters = dict.fromkeys(PRIMITIVES[name].parameters)
    call = read(f"{name}({', '.join(parameters)})", parameters).tree
    before = unfolded(call)
    for how, vocabulary in otherwise(name):
        assert unfolded(call, vocabulary) != before, how
    assert not ignored([call], dict.fromkeys(parameters, "positive"))


def test_a_primitive_that_others_are_made_of_is_reached() -> None:
    assert reached(COST.definitions) == ("relu", "unit", "unit_cost")


def test_a_definition_that_names_a_primitive_in_vain_stands_in_words() -> None:
    for formula in ("x**2 + 0*relu(x)", "x**2 + relu(x) - relu(x)", "x**2*relu(x)/relu(x)"):
        theorem = Theorem("", Value(formula), {"x": "positive"}, {"x": "x"})
        assert theorem.independent_of == ("relu",)
        assert theorem.in_words == ("the definition uses no primitive",)
    assert COST.independent_of == ()
    assert COST.in_words == ()
