"""The Coq file of a theorem: that it states the record, no less; and that Coq refuses it where the record is false."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from implicitbias.formal import coqc
from implicitbias.formal.axioms import Grade
from implicitbias.formal.coqc import INSTALL
from implicitbias.formal.document import Formalised, document
from implicitbias.formal.terms import NotInCoqError, Scope, definitions
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.extrema.extremum import Infimum, Minimum
from implicitbias.theorems.rules.extrema.minimiser import Minimiser
from implicitbias.theorems.rules.sequences.moments import Moments
from implicitbias.theorems.rules.values.condition import Holds
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import Setting
from implicitbias.theorems.theorem import Theorem

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is not installed: {INSTALL}")

LEMMA_1 = Theorem(
    "",
    Minimum("unit_cost(a/t, b*t)", {"t": "positive"}, {"t": "sqrt(a)/sqrt(b)"}, ("(a/t - b*t)**2/2",)),
    {"a": "positive", "b": "positive"},
    {"a": "a", "b": "b"},
)
SCALE = replace(
    LEMMA_1,
    quantity=Minimiser(
        "t**2",
        "unit_cost(a/t, b*t)",
        {"t": "positive"},
        {"t": "sqrt(a)/sqrt(b)"},
        ("((sqrt(a) - sqrt(b)*t)*(sqrt(a) + sqrt(b)*t))**2/(2*t**2)",),
    ),
)
BY_SIGN = Theorem("", Value("2*relu(y) - relu(-y)"), {"y": "real"}, {"y": "y"}, split=("y",))
INACTIVE = Theorem(
    "",
    GradientProduct("v_**2 + w_**2", "v_*relu(w_*x)", ("v_", "w_"), {"v_": "v", "w_": "w"}),
    dict.fromkeys("vwx", "real"),
    {"a": "0*x"},
    assuming=("w*x < 0",),
)


NEVER = Theorem("", Holds("-relu(x)", "0", ">"), {"x": "real"}, {})


def written(theorem: Theorem, formula: str, *controls: str) -> Formalised:
    return document("A title", "Section 1", "tested.claim", [theorem], formula, controls)


# what is stated


def test_a_minimum_is_stated_by_its_definition_with_its_domain_and_its_hypotheses() -> None:
    text = written(LEMMA_1, "a*b").text()
    stated = text.split("Theorem tested_claim :")[1].split("Proof.")[0]
    assert "0 < a -> 0 < b ->" in stated
    assert "is_min" in stated
    assert "0 < t" in stated
    assert "unit_cost (a / t) (b * t)" in stated
    assert "(a * b)" in stated


def test_the_primitives_of_a_definition_are_defined_in_the_file_from_the_one_table() -> None:
    text = written(LEMMA_1, "a*b").text()
    for line in definitions(frozenset({"unit_cost"})):
        assert line in text


def test_what_the_definition_and_the_formula_need_to_have_a_value_is_stated() -> None:
    stated = written(SCALE, "a/b").text().split("Theorem tested_claim :")[1].split("Proof.")[0]
    assert "forall t : R, 0 < t -> 0 <> t" in stated
    assert "0 <> b" in stated


def test_a_hypothesis_stands_in_the_statement_as_it_is_assumed() -> None:
    assert "(w * x) < 0 ->" in written(INACTIVE, "a").text()


def test_the_cases_of_a_split_are_joined_to_one_statement_without_them() -> None:
    text = written(BY_SIGN, "y + Max(0, y)").text()
    whole = text.split("Theorem tested_claim :")[1].split("Proof.")[0]
    assert [f"tested_claim_case_{i} :" in text for i in (1, 2, 3)] == [True, True, True]
    assert "0 < y" not in whole
    assert "y < 0" not in whole


def test_a_constraint_is_part_of_the_feasible_set() -> None:
    constrained = Minimum(
        "unit_cost(v, w)",
        {"v": "real", "w": "positive"},
        {"w": "sqrt(k)"},
        ("(k - w**2)**2/(2*w**2)",),
        {"v": "unit(v, w, 0, 1) - k"},
    )
    text = written(Theorem("", constrained, {"k": "positive"}, {"k": "k"}), "k").text()
    assert "fun '(v, w) => 0 < w /\\ ((unit v w 0 1) - k) = 0" in text


def test_each_control_is_excluded_by_a_theorem_of_its_own() -> None:
    made = written(LEMMA_1, "a*b", "a*b/2", "2*a*b")
    assert [made.exclusions[control].name for control in ("a*b/2", "2*a*b")] == [
        "tested_claim_not_1",
        "tested_claim_not_2",
    ]
    assert "~ (forall (a : R) (b : R), 0 < a -> 0 < b ->" in made.exclusions["2*a*b"].text


def test_a_control_that_is_equal_to_the_formula_is_not_excluded() -> None:
    made = written(LEMMA_1, "a*b", "b*a")
    assert made.left_out.keys() == {"b*a"}
    assert "_not_1" not in made.text()


def test_a_vacuous_theorem_has_no_file() -> None:
    with pytest.raises(NotInCoqError, match="no point is known"):
        written(replace(LEMMA_1, assuming=("a*b < 1", "a > 10**9", "b > 10**9")), "a*b")


def test_another_record_makes_another_file() -> None:
    made = written(LEMMA_1, "a*b")
    assert LEMMA_1.digest in made.text()
    assert written(replace(LEMMA_1, label="other"), "a*b").text() != made.text()


def test_a_kind_without_a_generator_has_no_file() -> None:
    counted = Moments("k", "x**k", "x", "0", "1", ("x",), "1", ("x",))
    with pytest.raises(NotInCoqError, match="Moments has no Coq generator yet"):
        written(Theorem("", counted, {"k": "nonnegative integer"}, {"k": "k"}), "k")


@pytest.mark.parametrize(
    ("formula", "term"),
    [
        ("x**(1/2)", "(sqrt x)"),
        ("x**(3/2)", "((sqrt x) ^ 3)"),
        ("x**(-1/2)", "(/ ((sqrt x) ^ 1))"),
        ("x**(1/4)", "(sqrt (sqrt x))"),
        ("x**(1/3)", "(Rpower x (1 / 3))"),
        ("x**k", "(x ^ (k))"),
    ],
)
def test_powers(formula: str, term: str) -> None:
    assert Scope(Setting({"x": "positive", "k": "nonnegative integer"})).term(formula) == term


def test_a_power_that_is_an_exponential_in_coq_has_a_positive_base() -> None:
    """In Coq 0 to the power 1/3 is 1."""
    assert "0 < x" in Scope(Setting({"x": "nonnegative"})).definedness("x**(1/3)")


# what Coq says


@needs_coq
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("theorem", "formula", "controls"),
    [
        (LEMMA_1, "a*b", ("a*b/2", "(a**2 + b**2)/2")),
        (SCALE, "a/b", ("sqrt(a/b)",)),
        (BY_SIGN, "y + Max(0, y)", ("y",)),
        (INACTIVE, "a", ("a + 1",)),
        (NEVER, "0", ("1",)),
    ],
)
def test_coq_accepts_true_theorems_and_that_controls_are_excluded(
    theorem: Theorem, formula: str, controls: tuple[str, ...]
) -> None:
    made = written(theorem, formula, *controls)
    assert made.exclusions.keys() == set(controls)
    answer = coqc.check(made.text(), seconds=100)
    assert answer.accepted, answer.message
    assert answer.grade is Grade.CLASSICAL


@needs_coq
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("theorem", "formula"),
    [
        (BY_SIGN, "y + Max(0, 2*y)"),
        (BY_SIGN, "y*Max(0, y)/y + y"),
        (replace(INACTIVE, assuming=("w*x > 0",)), "a"),
    ],
    ids=["false", "true but not defined at 0", "another hypothesis"],
)
def test_coq_refuses_what_is_false_or_not_defined(theorem: Theorem, formula: str) -> None:
    answer = coqc.check(written(theorem, formula).text(), seconds=100)
    assert not answer.accepted
    assert answer.message.startswith("line ")


@needs_coq
@pytest.mark.timeout(600)
def test_coq_accepts_an_infimum_that_is_not_attained() -> None:
    quantity = Infimum("unit_cost(c, w)", over={"w": "positive"}, at={"w": "e"}, gap=("w**2/2",))
    answer = coqc.check(written(Theorem("", quantity, {"c": "real"}, {"c": "c"}), "c**2/2").text(), seconds=100)
    assert answer.accepted, answer.message
