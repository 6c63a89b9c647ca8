"""How many directions the cheapest networks use: one for each closed cell and sign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.errors import FormulaError
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits
from implicitbias.theorems.rules.extrema.merged_atoms import DirectionsInACell, DirectionsOfASign, MergedDirections
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

NUMBERS = Setting({"S": "positive integer", "n": "positive integer", "r": "positive"})
PAIRS = MergedDirections(
    output="c*relu(p)", cost="path_cost(c, w)", shares=("Abs(c)", "Abs(c_2)"), merged="c/Abs(c)", cells="S"
)
ONE = DirectionsInACell(
    output=PAIRS.output, cost=PAIRS.cost, shares=PAIRS.shares, merged=PAIRS.merged, rest="1 + c_2*p_2/(c*p)"
)
NETWORK = CheapestUnits(
    data=(("0", "-3/5"), ("3/4", "3/4")),
    network=({"v": "1", "w": "1", "b": "0"}, {"v": "-1/5", "w": "-4", "b": "3"}),
    multipliers=("-5/3", "4/3"),
    further=((("x", "3/4 - x"), "x - (3 - 4*x)/5"),),
    cost="path_cost(v, pair_norm(w, b))",
)
MANY = replace(ONE, rest="", attained=NETWORK)
ALONE = CheapestUnits(
    data=(("0", "0"), ("3/4", "3/4")),
    network=({"v": "1", "w": "1", "b": "0"},),
    multipliers=("-4/3", "4/3"),
    further=((("x", "3/4 - x"), "x"),),
    cost="path_cost(v, pair_norm(w, b))",
)
"""Cheapest, too, with one direction."""


def test_each_cell_but_one_holds_a_direction_of_either_sign() -> None:
    found = PAIRS.establish(NUMBERS, Steps())
    NUMBERS.zero(minus(found, NUMBERS.read("2*S - 2")), "the number")


def test_a_cell_holds_one_direction_of_a_sign() -> None:
    sign = DirectionsOfASign(output=PAIRS.output, cost=PAIRS.cost, shares=PAIRS.shares, merged=PAIRS.merged)
    assert sign.establish(NUMBERS, Steps()).number == 1
    with pytest.raises(RefusedError):
        replace(sign, cost="path_cost(c, 1)").establish(NUMBERS, Steps())


def test_one_datum_has_one_direction_and_more_have_two() -> None:
    assert ONE.establish(NUMBERS, Steps()).number == 1
    assert MANY.establish(NUMBERS, Steps()).number == 2
    assert ALONE.establish(NUMBERS, Steps())  # it is the number of its units that is refused below


@pytest.mark.parametrize(
    "quantity",
    [
        replace(PAIRS, output="c*p"),  # of an inactive neuron too
        replace(PAIRS, output="c*relu(p)**2"),
        replace(PAIRS, output="c*step(p)"),
        replace(PAIRS, output="relu(c*p)"),
        replace(PAIRS, output="c**2*relu(p)"),
        replace(PAIRS, output="relu(p)"),
        replace(PAIRS, output="r"),
        replace(PAIRS, cost="unit_cost(c, w)"),  # not balanced: half the output weight costs more than half
        replace(PAIRS, cost="path_cost(c, 1)"),  # whatever w is: it does not grow
        replace(PAIRS, cost="path_cost(c, w) + 1"),
        replace(PAIRS, cost="-path_cost(c, w)"),
        replace(PAIRS, cost="c*w"),
        replace(PAIRS, cost="S"),
        replace(PAIRS, shares=("c", "c_2")),
        replace(PAIRS, shares=("Abs(c)", "Abs(c)")),
        replace(PAIRS, shares=("1/2", "1/2")),
        replace(PAIRS, shares=("Abs(c)", "0")),
        replace(PAIRS, shares=("Abs(c)*p", "Abs(c_2)*p")),
        replace(PAIRS, merged="1"),
        replace(PAIRS, merged="c"),
        replace(PAIRS, merged="-c/Abs(c)"),
        replace(PAIRS, merged="(c + c_2)/2"),
        replace(PAIRS, merged="c/Abs(c)*w/w"),
        replace(PAIRS, cells="S + 1"),
        replace(PAIRS, cells="r"),
        replace(PAIRS, names=("c", "S", "w")),
        replace(ONE, rest="1"),
        replace(ONE, rest="0"),
        replace(ONE, rest="1 - c_2*p_2/(c*p)"),
        replace(ONE, rest=""),
        replace(MANY, attained=ALONE),
        replace(MANY, attained=replace(NETWORK, multipliers=("-5/3", "1"))),
        replace(MANY, attained=replace(NETWORK, further=())),
        replace(MANY, attained=replace(NETWORK, further=((("x - 3/4",), "x"),))),  # there the second unit is inactive
        replace(MANY, attained=replace(NETWORK, cost="path_cost(v, norm(w))")),
        replace(MANY, length="norm(w)"),
        replace(MANY, output="2*c*relu(p)"),
        replace(MANY, attained=replace(NETWORK, network=(NETWORK.network[0],) * 2)),
    ],
    ids=str,
)
def test_what_cannot_be_merged_or_is_not_cheapest_is_refused(quantity: Quantity) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError, ValueError)):
        quantity.establish(NUMBERS, Steps())


@pytest.mark.parametrize(("name", "formula"), [("relu", "z**2"), ("relu", "Abs(z)"), ("path_cost", "v**2 + w**2")])
def test_another_neuron_is_not_merged(name: str, formula: str) -> None:
    other = {**PRIMITIVES, name: replace(PRIMITIVES[name], formula=formula)}
    with pytest.raises((RefusedError, NotShownError)):
        PAIRS.establish(replace(NUMBERS, vocabulary=other), Steps())
