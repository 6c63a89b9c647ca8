"""Sums over lists of any length, means over any law, integrals over any measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.sequences.lists import ListSum, Mean, MeasureIntegral
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

LISTS: Mapping[str, Assumption] = {"n": "positive integer", "S": "real", "Q": "real", "c": "real"}
PLAIN = Setting(LISTS)

SPREAD = ListSum(
    term="squared_loss(v, c)",
    entries={"v": "real"},
    length="n",
    totals={"S": "v", "Q": "v**2"},
    by={"Q": "1/2", "S": "-c"},
    each="c**2/2",
)

CELL = MeasureIntegral(
    term="unit(c, 1, b, p)",
    entries={"c": "real", "p": "real", "b": "real"},
    where=("p + b >= 0",),
    totals={"K": "c*p", "N": "c*b"},
    by={"K": "1", "N": "1"},
)
MOMENTS = Setting(dict.fromkeys(("K", "N"), "real"))

SECOND_MOMENT = Mean(
    term="w**2*(kink(w, b) - c)**2",
    entries={"w": "real", "b": "real"},
    where=("w**2 > 0",),
    totals={"P": "w**2", "R": "w*b", "Q": "b**2"},
    by={"Q": "1", "R": "2*c", "P": "c**2"},
    split=("w",),
)
LAWS = Setting({"P": "positive", "R": "real", "Q": "nonnegative", "c": "real"})


def is_value(quantity: Quantity, setting: Setting, formula: str) -> None:
    value = quantity.establish(setting, Steps())
    setting.zero(minus(value, setting.read(formula)), "the value")


@pytest.mark.parametrize(
    ("quantity", "setting", "value"),
    [
        (SPREAD, PLAIN, "Q/2 - c*S + n*c**2/2"),
        (CELL, MOMENTS, "K + N"),
        (replace(CELL, where=("p + b <= 0",), by={}), MOMENTS, "0"),
        (SECOND_MOMENT, LAWS, "Q + 2*c*R + c**2*P"),
    ],
    ids=["squares about a point", "active cell", "inactive cell", "both signs of w"],
)
def test_a_sum_is_the_combination_of_its_totals(quantity: Quantity, setting: Setting, value: str) -> None:
    is_value(quantity, setting, value)


def test_a_total_may_be_named_in_the_formula_of_a_later_one() -> None:
    about = ListSum(
        term="v**2",
        entries={"v": "real"},
        length="n",
        totals={"S": "v", "Q": "(v - S/n)**2"},
        by={"Q": "1", "S": "2*S/n"},
        each="-S**2/n**2",
    )
    is_value(about, PLAIN, "Q + S**2/n")


def test_a_sum_of_sums_is_one_over_all_pairs() -> None:
    inner = ListSum(term="(v*t)**2", entries={"t": "real"}, length="k", totals={"T": "t**2"}, by={"T": "v**2"})
    outer = ListSum(term=inner, entries={"v": "real"}, length="n", totals={"Q": "v**2"}, by={"Q": "T"})
    is_value(outer, Setting({"n": "positive integer", "k": "positive integer", "T": "real", "Q": "real"}), "Q*T")


@pytest.mark.parametrize(
    ("quantity", "setting", "says"),
    [
        (replace(SPREAD, by={"Q": "1/2", "S": "c"}), PLAIN, "not 0"),
        (replace(SPREAD, by={"Q": "1/2"}), PLAIN, "not 0"),
        (replace(SPREAD, each="c**2"), PLAIN, "not 0"),
        (replace(SPREAD, term="squared_loss(v, c)*v"), PLAIN, "not 0"),
        (replace(SPREAD, by={"Q": "1/2", "S": "-c", "n": "1"}), PLAIN, "n is no total"),
        (replace(SPREAD, totals={"S": "v", "Z": "v**2"}), PLAIN, "Z is no total|Q is no total"),
        (replace(SPREAD, totals={"Q": "S*v", "S": "v"}, by={}), PLAIN, "not known before it"),
        (replace(SPREAD, totals={"S": "S + v", "Q": "v**2"}), PLAIN, "not known before it"),
        (replace(SPREAD, split=("v - S",)), PLAIN, "not split by the total S"),
        (replace(SPREAD, length="c"), PLAIN, "no whole number"),
        (replace(SPREAD, length="2"), PLAIN, "no whole number"),
        (replace(SPREAD, entries={"c": "real"}), PLAIN, "taken"),
        (replace(CELL, where=()), MOMENTS, "not 0"),
        (replace(CELL, where=("p + b",)), MOMENTS, "compares two formulas"),
        (replace(CELL, each="K"), MOMENTS, "make the mass a total"),
        (replace(CELL, totals={"K": "c*p", "N": "c*b + 1"}), MOMENTS, "not 0"),
    ],
    ids=[
        "wrong coefficient",
        "total left out",
        "wrong remainder",
        "term of a higher degree",
        "coefficient of what is no total",
        "total that is no variable",
        "total used before it is known",
        "total that defines itself",
        "split by a total",
        "length that is no whole number",
        "length that is no variable",
        "entry named like a variable of the theorem",
        "cell forgotten",
        "condition that compares nothing",
        "constant integrated without the mass",
        "moments confused",
    ],
)
def test_what_is_wrong_is_refused(quantity: Quantity, setting: Setting, says: str) -> None:
    with pytest.raises((RefusedError, ValueError), match=says):
        quantity.establish(setting, Steps())


def test_a_value_typed_in_the_place_of_the_term_is_refused() -> None:
    typed = replace(SPREAD, term="Q/n", by={}, each="Q/n")
    with pytest.raises(RefusedError, match="holds nothing of an entry"):
        typed.establish(PLAIN, Steps())


def test_a_coefficient_that_depends_on_the_entry_is_refused() -> None:
    with pytest.raises(FormulaError, match="v"):
        replace(SPREAD, by={"Q": "1/2 - c/v"}).establish(PLAIN, Steps())


@pytest.mark.parametrize(
    ("quantity", "setting"),
    [
        (replace(SPREAD, term="1/v", by={}, each="0"), PLAIN),
        (replace(SECOND_MOMENT, where=()), LAWS),
        (replace(SPREAD, term="v", totals={"S": "v", "Q": "sqrt(v)"}, by={"S": "1"}, each="0"), PLAIN),
    ],
    ids=["term undefined at 0", "case of w = 0", "total undefined"],
)
def test_what_has_no_value_for_some_entry_is_not_accepted(quantity: Quantity, setting: Setting) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(setting, Steps())


def test_totals_that_no_list_has_are_not_accepted() -> None:
    impossible = assumed(PLAIN, "Q < 0")
    with pytest.raises(NotShownError, match="may be empty"):
        SPREAD.establish(impossible, Steps())


def test_the_rectifier_squared_gives_another_sum() -> None:
    squared = {**PRIMITIVES, "relu": replace(PRIMITIVES["relu"], formula="Max(0, z)**2")}
    with pytest.raises(RefusedError, match="not 0"):
        CELL.establish(replace(MOMENTS, vocabulary=squared), Steps())


def test_a_total_of_the_theorem_does_not_depend_on_an_entry_outside() -> None:
    """K would be another number for each v, and was found to be the mean over v of itself."""
    inner = Mean(term="relu(v)*relu(w)", entries={"w": "real"}, totals={"K": "relu(v)*relu(w)"}, by={"K": "1"})
    outer = Mean(term=inner, entries={"v": "real"}, totals={"P": "relu(v)"}, by={}, each="K")
    totals = Setting(dict.fromkeys(("K", "P"), "nonnegative"))
    with pytest.raises(RefusedError, match="holds v"):
        outer.establish(totals, Steps())
    own = replace(inner, term="relu(v)*relu(w)", totals={"K": "relu(w)"}, by={"K": "relu(v)"})
    value = replace(outer, term=own, by={"P": "K"}, each="0").establish(totals, Steps())
    assert totals.zero(minus(value, totals.read("K*P")), "the mean of a product")


def test_a_total_that_belongs_to_an_outer_entry_may_depend_on_the_rest_of_it() -> None:
    of_an_entry = ListSum(
        term="c**2*relu(z)", entries={"z": "real"}, length="n", totals={"V": "c*relu(z)"}, by={"V": "c"}
    )
    outer = ListSum(
        term=of_an_entry,
        entries={"c": "real", "V": "real"},
        length="m",
        totals={"W": "c*V"},
        by={"W": "1"},
    )
    setting = Setting({**dict.fromkeys(("m", "n"), "positive integer"), "W": "real"})
    assert setting.zero(minus(outer.establish(setting, Steps()), setting.read("W")), "the sum")
