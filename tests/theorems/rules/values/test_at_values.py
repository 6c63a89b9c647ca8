"""Quantities in variables of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.errors import FormulaError
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.programme import ListProgramme
from implicitbias.theorems.rules.values.at_values import AtValues
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

KINKS = ListProgramme(
    cost="path_cost(v, 1)",
    free={"v": "real", "c": "nonnegative"},
    where=("c <= 1",),
    wanted={"turn": "v", "rise": "v*ramp(1, c, 1)"},
    added=({"v": "rise", "c": "0"}, {"v": "turn - rise", "c": "1"}),
    multipliers={"turn": "sign(turn - rise)", "rise": "sign(rise) - sign(turn - rise)"},
)
"""Kinks in an interval with the slope's whole turn and the mean slope prescribed."""
BETWEEN = AtValues(
    of=KINKS,
    over={"rise": "real", "turn": "real"},
    at={"rise": "x - y", "turn": "z - y"},
    value="Abs(rise) + Abs(turn - rise)",
    split=("rise", "turn - rise"),
)
SLOPES = Setting({"x": "real", "y": "real", "z": "real"})


def test_the_value_is_put_in() -> None:
    found = BETWEEN.establish(SLOPES, Steps())
    SLOPES.zero(minus(found, SLOPES.read("Abs(x - y) + Abs(z - x)")), "the value")


@pytest.mark.parametrize(
    "quantity",
    [
        replace(BETWEEN, value="Abs(turn)"),
        replace(BETWEEN, value="Abs(rise) + turn - rise"),
        replace(BETWEEN, value="Abs(rise) + Abs(turn - rise) + x"),
        replace(BETWEEN, value="1/rise"),
        replace(BETWEEN, split=()),
        replace(BETWEEN, split=("rise",)),
        replace(BETWEEN, at={"rise": "x - y"}),
        replace(BETWEEN, at={"rise": "x - y", "turn": "1/z"}),
        replace(BETWEEN, over={"rise": "real", "turn": "positive"}),
        replace(BETWEEN, over={"rise": "real", "turn": "real", "x": "real"}, at={**BETWEEN.at, "x": "x"}),
        replace(BETWEEN, of=replace(KINKS, where=("c <= 1/2",))),
        replace(BETWEEN, of=replace(KINKS, where=("c < 1",))),
        replace(BETWEEN, of=replace(KINKS, added=KINKS.added[:1])),
        replace(BETWEEN, of=replace(KINKS, added=({"v": "rise", "c": "0"}, {"v": "turn - rise", "c": "2"}))),
    ],
    ids=str,
)
def test_a_wrong_value_split_or_domain_is_refused(quantity: AtValues) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError, ValueError)):
        quantity.establish(SLOPES, Steps())
