"""Lists, means, measures, vectors and quantities within quantities in Coq: what is stated, and that Coq refuses what is
false."""

from __future__ import annotations

import shutil

import pytest

from implicitbias.formal import coqc
from implicitbias.formal.coqc import INSTALL
from implicitbias.formal.document import document
from implicitbias.formal.terms import NotInCoqError
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.sequences.lists import ListSum, Mean, MeasureIntegral
from implicitbias.theorems.rules.values.composition import Composition
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.rules.values.vectors import VectorValue
from implicitbias.theorems.theorem import Theorem

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is not installed: {INSTALL}")

LEMMA_1 = Minimum("unit_cost(a/t, b*t)", {"t": "positive"}, {"t": "sqrt(a)/sqrt(b)"}, ("(a/t - b*t)**2/2",))

SUM = Theorem(
    "",
    ListSum(
        term="relu(v)**2 + relu(-v)**2 + 3",
        entries={"v": "real"},
        totals={"S": "v**2"},
        by={"S": "1"},
        each="3",
        split=("v",),
        length="n",
    ),
    {"n": "positive integer", "S": "nonnegative"},
    {"n": "n", "S": "S"},
)
MEAN = Theorem(
    "",
    Mean(
        term="squared_loss(u, y)",
        entries={"u": "real"},
        totals={"M": "u", "Q": "u**2"},
        by={"M": "-y", "Q": "1/2"},
        each="y**2/2",
    ),
    {"y": "real", "M": "real", "Q": "real"},
    {"y": "y", "M": "M", "Q": "Q"},
)
MEASURE = Theorem(
    "",
    MeasureIntegral(
        term=Derivative("c*relu(z)", "z", "p"), entries={"c": "real", "p": "positive"}, totals={"K": "c"}, by={"K": "1"}
    ),
    {"K": "real"},
    {"K": "K"},
)
VECTORS = Theorem(
    "",
    VectorValue(
        formula="norm(u + l*v)**2 - norm(u)**2", vectors=("u", "v"), products={"u u": "r**2", "u v": "k", "v v": "s**2"}
    ),
    {"l": "real", "r": "positive", "s": "positive", "k": "real"},
    {"l": "l", "s": "s", "k": "k"},
    assuming=("k <= r*s", "-r*s <= k"),
)
SQUARE = Theorem(
    "",
    Composition("least**2 + 1", {"least": LEMMA_1}),
    {"a": "positive", "b": "positive"},
    {"a": "a", "b": "b"},
)
TWICE = Theorem(
    "",
    Integral(Integral("relu(s)*t", "s", "0", "1", ("s**2*t/2",)), "t", "0", "h", ("t**2/4",)),
    {"h": "positive"},
    {"h": "h"},
)
OUTER = Theorem(
    "",
    Minimum(Composition("least + z**2", {"least": LEMMA_1}), {"z": "real"}, {"z": "0"}, ("z**2",)),
    {"a": "positive", "b": "positive"},
    {"a": "a", "b": "b"},
)

MARGINS = Theorem(
    "",
    CheapestRamps(
        data=(("u", "-1"), ("u + g", "1")),
        network=(
            {"v": "(1 - u - g/2)/g", "s": "1", "c": "-1"},
            {"v": "-(1 + u + g/2)/g", "s": "-1", "c": "1"},
        ),
        multipliers=("-1/g", "1/g"),
        margins=True,
        cost=Composition("path_cost(v, n)", {"n": Value("relu(1)")}),
        kinks=("-1", "1"),
    ),
    {"u": "real", "g": "positive"},
    {"g": "g"},
    assuming=("u >= -1", "u + g <= 1"),
)

CASES = [
    pytest.param(MARGINS, "2/g", "1/g", id="ramps with margins and a cost that is a quantity"),
    pytest.param(SUM, "S + 3*n", "S + n", id="sum over a list"),
    pytest.param(MEAN, "(y**2 + Q)/2 - y*M", "(y - M)**2/2", id="mean"),
    pytest.param(MEASURE, "K", "K/2", id="measure, of a derivative"),
    pytest.param(VECTORS, "2*l*k + l**2*s**2", "l**2*s**2", id="vectors"),
    pytest.param(SQUARE, "a**2*b**2 + 1", "a*b + 1", id="formula in a minimum"),
    pytest.param(TWICE, "h**2/4", "h**2/2", id="integral of an integral"),
    pytest.param(OUTER, "a*b", "2*a*b", id="minimum of a minimum"),
]


@needs_coq
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("theorem", "formula", "control"), CASES)
def test_coq_accepts_the_theorem_and_that_the_control_is_excluded(theorem: Theorem, formula: str, control: str) -> None:
    made = document("A title", "", "tested.claim", [theorem], formula, [control])
    assert made.exclusions.keys() == {control}
    answer = coqc.check(made.text(), seconds=100)
    assert answer.accepted, answer.message


@needs_coq
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("theorem", "formula", "control"), CASES)
def test_coq_refuses_the_control_in_the_place_of_the_formula(theorem: Theorem, formula: str, control: str) -> None:
    answer = coqc.check(document("A title", "", "tested.claim", [theorem], control, []).text(), seconds=100)
    assert not answer.accepted
    assert answer.message.startswith("line ")


def stated(theorem: Theorem, formula: str) -> str:
    text = document("A title", "", "tested.claim", [theorem], formula, []).text()
    return text.split("Theorem tested_claim :")[-1].split("Proof.")[0]


def test_a_sum_is_about_every_list_with_the_totals_given_that_there_is_one() -> None:
    said = stated(SUM, "S + 3*n")
    assert "(exists l : list (R), length l = n /\\" in said
    assert "is_sum_given (A := R)" in said
    assert "I (fun (v : R) => (v ^ 2)) S_" in said


def test_that_there_is_a_list_with_the_totals_is_shown_at_a_point() -> None:
    text = document("A title", "", "tested.claim", [SUM], "S + 3*n", []).text()
    assert "tested_claim_is_not_vacuous : exists (n : nat) (S_ : R)" in text
    assert "has_totals" in text.split("is_not_vacuous")[1]


def test_a_part_stands_in_the_statement_by_its_definition_and_not_by_its_value() -> None:
    said = stated(SQUARE, "a**2*b**2 + 1")
    assert "is_min (A := R) (fun (t : R) => 0 < t)" in said
    assert "unit_cost (a / t) (b * t)" in said


def test_what_a_formula_in_parts_needs_to_have_a_value_is_stated_of_the_parts() -> None:
    divided = Theorem("", Composition("1/p", {"p": Value("unit_cost(a, a)")}), {"a": "positive"}, {"a": "a"})
    assert "(fun (p : R) => 0 <> p)" in stated(divided, "1/a**2")


def test_two_lists_in_one_theorem_have_no_file() -> None:
    both = Composition("one + two", {"one": MEAN.quantity, "two": SUM.quantity})
    with pytest.raises(NotInCoqError, match="several lists"):
        document("", "", "t", [Theorem("", both, {**MEAN.for_all, **SUM.for_all}, {"S": "S"})], "S", [])
