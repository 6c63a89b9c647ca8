"""Minima over lists of any length."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimiser, ListMinimum
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

UNITS = Setting({"m": "real", "B": "positive", "k": "positive integer"})
CONSTANT = ListMinimum(
    cost="unit_cost(v, 0)",
    over={"v": "real", "b": "real"},
    where=("b <= B",),
    length="k",
    totals={"m": "unit(v, 0, b, 0)"},
    at={"v": "m/(k*B)", "b": "B"},
    multipliers={"m": "m/(k*B**2)"},
    gap=("(v - m/(k*B)*relu(b)/B)**2/2", "(m/(k*B))**2*(1 - relu(b)**2/B**2)/2"),
)

LAYERS = Setting({"l": "real", "L": "positive integer"})
EQUAL = ListMinimum(
    cost="layer_cost(n, L)",
    over={"n": "positive"},
    length="L",
    totals={"l": "log(n)"},
    at={"n": "exp(l/L)"},
    multipliers={"l": "2*exp(2*l/L)/L"},
    gap=("exp(2*l/L)/L*(n**2/exp(2*l/L) - 1 - log(n**2/exp(2*l/L)))",),
)
EQUAL_LAYER = ListMinimiser(
    of="n",
    cost=EQUAL.cost,
    over=EQUAL.over,
    length="L",
    totals=EQUAL.totals,
    at=EQUAL.at,
    multipliers=EQUAL.multipliers,
    gap=EQUAL.gap,
)


@pytest.mark.parametrize(
    ("quantity", "setting", "value"),
    [
        (CONSTANT, UNITS, "m**2/(2*k*B**2)"),
        (EQUAL, LAYERS, "exp(2*l/L)"),
        (EQUAL_LAYER, LAYERS, "exp(l)**(1/L)"),
    ],
    ids=["units with bounded biases", "layers with a product", "a layer's norm"],
)
def test_equal_entries_cost_least(quantity: ListMinimum | ListMinimiser, setting: Setting, value: str) -> None:
    found = quantity.establish(setting, Steps())
    setting.zero(minus(found, setting.read(value)), "the value")


@pytest.mark.parametrize(
    ("quantity", "setting"),
    [
        (replace(CONSTANT, where=()), UNITS),
        (replace(CONSTANT, at={"v": "m/(k*B)", "b": "2*B"}), UNITS),
        (replace(CONSTANT, at={"v": "2*m/(k*B)", "b": "B/2"}), UNITS),
        (replace(CONSTANT, at={"v": "m/B", "b": "B"}), UNITS),
        (replace(CONSTANT, at={"v": "m/(k*B)"}), UNITS),
        (replace(CONSTANT, multipliers={}), UNITS),
        (replace(CONSTANT, multipliers={"m": "-m/(k*B**2)"}), UNITS),
        (replace(CONSTANT, multipliers={"B": "m"}), UNITS),
        (replace(CONSTANT, gap=CONSTANT.gap[:1]), UNITS),
        (replace(CONSTANT, gap=("v**2/2 - m*relu(b)*v/(k*B**2)", "m**2/(2*k**2*B**2)")), UNITS),
        (replace(CONSTANT, cost="-unit_cost(v, 0)", multipliers={"m": "-m/(k*B**2)"}, gap=()), UNITS),
        (replace(CONSTANT, cost="unit_cost(v, 0)/b"), UNITS),
        (replace(EQUAL, over={"n": "real"}), LAYERS),
        (replace(EQUAL, cost="-layer_cost(n, L)", multipliers={"l": "-2*exp(2*l/L)/L"}, gap=()), LAYERS),
        (replace(EQUAL, at={"n": "-exp(l/L)"}), LAYERS),
        (replace(EQUAL, length="l"), LAYERS),
    ],
    ids=[
        "bound on the biases forgotten",
        "common entry beyond the bound",
        "common entry that is not the cheapest",
        "common entry without the total",
        "variable left out of the common entry",
        "no multiplier",
        "multiplier of the other sign",
        "multiplier of what is no total",
        "part of the gap left out",
        "gap negative in a corner",
        "maximum taken for a minimum",
        "cost without a value",
        "logarithm of a negative norm",
        "largest cost of layers",
        "common entry out of the domain",
        "length that is no whole number",
    ],
)
def test_what_is_wrong_is_not_accepted(quantity: ListMinimum, setting: Setting) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(setting, Steps())


@pytest.mark.parametrize("of", ["exp(l)", "n + l", "2"])
def test_a_value_typed_in_the_place_of_what_is_wanted_of_the_minimiser_is_refused(of: str) -> None:
    with pytest.raises(RefusedError, match="not typed"):
        replace(EQUAL_LAYER, of=of).establish(LAYERS, Steps())


def test_a_cost_without_anything_of_an_entry_is_refused() -> None:
    with pytest.raises(RefusedError, match="holds nothing of an entry"):
        replace(CONSTANT, cost="m**2/k", multipliers={}, gap=()).establish(UNITS, Steps())


def test_a_cheapest_list_that_is_not_the_only_one_is_not_accepted() -> None:
    flat = ListMinimiser(
        of="v",
        cost="path_cost(v, 1)",
        over={"v": "nonnegative"},
        length="k",
        totals={"S": "v"},
        at={"v": "S/k"},
        multipliers={"S": "1"},
    )
    setting = Setting({"S": "nonnegative", "k": "positive integer"})
    with pytest.raises(NotShownError, match="not shown to be positive"):
        flat.establish(setting, Steps())


@pytest.mark.parametrize(
    ("primitive", "formula"),
    [("unit_cost", "v**4 + w**2"), ("unit_cost", "Abs(v) + Abs(w)"), ("relu", "Max(0, z)**2"), ("relu", "z")],
)
def test_another_subject_is_not_accepted_with_this_witness(primitive: str, formula: str) -> None:
    other = {**PRIMITIVES, primitive: replace(PRIMITIVES[primitive], formula=formula)}
    with pytest.raises((RefusedError, NotShownError)):
        CONSTANT.establish(replace(UNITS, vocabulary=other), Steps())
