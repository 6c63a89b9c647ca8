"""Suprema over vector measures: the value, against atoms in two norms, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.vectors import dot
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.extrema.largest_over_measures import LargestOverMeasures
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, number, put

HERE = Setting({"t": "nonnegative", "G": "nonnegative", "q": "real", "r": "real"})
CONJUGATE = LargestOverMeasures(gain="dot(g, v) - norm(v)", budget="t", largest="G")


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({}, "t*Max(0, G - 1)"),
        ({"gain": "dot(g, v)"}, "t*G"),
        ({"gain": "dot(v, g) + norm(v)"}, "t*(G + 1)"),
        ({"gain": "norm(v)"}, "t"),
        ({"gain": "-norm(v)"}, "0"),
        ({"gain": "q*dot(g, v) - r*norm(v)"}, "t*Max(0, Abs(q)*G - r)"),
        ({"budget": "1"}, "Max(0, G - 1)"),
        ({"largest": "2*G"}, "t*Max(0, 2*G - 1)"),
    ],
)
def test_value(changes: dict[str, str], value: str) -> None:
    found = replace(CONJUGATE, **changes).establish(HERE, Steps())
    HERE.zero(minus(found, HERE.read(value)), "the value")


def test_no_atom_of_two_norms_gains_more_and_one_gains_as_much() -> None:
    table = [(Fraction(3, 2), Fraction(-1)), (Fraction(0), Fraction(1, 3)), (Fraction(-5, 2), Fraction(2))]
    corners = {"l1": [(1, 0), (0, 1), (-1, 0), (0, -1)], "linf": [(1, 1), (1, -1), (-1, 1), (-1, -1)]}
    dual = {"l1": lambda g: max(map(abs, g)), "linf": lambda g: sum(map(abs, g))}
    for kind, ball in corners.items():
        greatest = max(dot(g, v) - 1 for g in table for v in ball)
        at = {"t": number(1), "G": number(max(map(dual[kind], table)))}
        found = put(CONJUGATE.establish(HERE, Steps()), at)
        Setting({}).zero(minus(found, number(max(greatest, Fraction(0)))), kind)


@pytest.mark.parametrize(
    "changes",
    [
        {"gain": "dot(g, v)**2"},
        {"gain": "norm(v)**2 - dot(g, v)"},
        {"gain": "Abs(dot(g, v)) - norm(v)"},
        {"gain": "dot(g, v) - norm(v) + 1"},
        {"gain": "dot(g, v)*norm(v)"},
        {"gain": "dot(g, v)/norm(v)"},
        {"gain": "dot(g, v) - norm(g)"},
        {"gain": "dot(v, v)"},
        {"gain": "dot(g, 2*v)"},
        {"gain": "norm(2*v)"},
        {"gain": "g*v"},
        {"gain": "t*Max(0, G - 1)"},
        {"gain": "mass"},
        {"budget": "-t"},
        {"budget": "t - 1"},
        {"budget": "1/t"},
        {"largest": "G - 1"},
        {"largest": "q"},
        {"vectors": ("g", "t")},
    ],
)
def test_what_is_wrong_is_not_accepted(changes: dict[str, Any]) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError, ValueError)):
        replace(CONJUGATE, **changes).establish(HERE, Steps())


@pytest.mark.parametrize("name", ["dot", "norm"])
def test_another_product_or_length_is_refused(name: str) -> None:
    other = {**PRIMITIVES, name: replace(PRIMITIVES[name], formula=f"2*({PRIMITIVES[name].formula})")}
    with pytest.raises(RefusedError, match="vocabulary"):
        CONJUGATE.establish(replace(HERE, vocabulary=other), Steps())
