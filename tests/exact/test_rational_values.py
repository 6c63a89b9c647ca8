"""The rational values of a formula are those that `evaluate` gives, and nothing else is called one."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from flint import fmpq
from hypothesis import given, settings

from implicitbias.exact import enclosure
from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.rational_values import RationalValues
from tests.support.formulas import everywhere, texts, tree

POINT = {"x": Fraction(-9, 4), "y": Fraction(2), "z": Fraction(0)}


def value(formula: str) -> Fraction | None:
    found = RationalValues(parse(formula).tree).at(POINT)
    return None if found is None else Fraction(int(found.p), int(found.q))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("x + y/3 - 7", Fraction(-9, 4) + Fraction(2, 3) - 7),
        ("-(x*y)**3", Fraction(729, 8)),
        ("y**-3 + (x/y)**0 + z**0", Fraction(17, 8)),
        ("sqrt(-x) + (-x)**(1/2)", Fraction(3)),
        ("Max(x, y, z) - Min(x, y, z) + Abs(x)", Fraction(13, 2)),
        ("Max(x) + Min(y)", Fraction(-1, 4)),
        ("sign(x) + 2*sign(y) + 5*sign(z)", Fraction(1)),
        ("floor(x) + floor(-x)", Fraction(-1)),
        ("7", Fraction(7)),
        ("y", Fraction(2)),
    ],
)
def test_values_by_hand(formula: str, expected: Fraction) -> None:
    assert value(formula) == expected == evaluate(parse(formula), POINT)
    with patch.object(enclosure, "rational_value", lambda tree, values: None):
        assert evaluate(parse(formula), POINT) == expected


@pytest.mark.parametrize(
    "formula",
    ["1/z", "z**-1", "sqrt(y)", "sqrt(x)", "(-x)**(1/3)", "y**x", "exp(z)", "pi*z", "E", "y**4097", "x**999999"],
)
def test_what_is_irrational_undefined_or_too_large_is_left_to_others(formula: str) -> None:
    assert RationalValues(_unbounded(formula)).at(POINT) is None


def _unbounded(formula: str) -> Operation:
    """The formula, also with an exponent that `parse` refuses."""
    base, power, exponent = formula.partition("**")
    if not power:
        return parse(formula).tree
    return Operation("**", (parse(base).tree, parse(exponent).tree))


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="w"):
        RationalValues(parse("x + w").tree).at(POINT)


def test_what_stands_in_several_places_is_computed_once() -> None:
    deep = parse("x + 1").tree
    for _ in range(200):
        deep = Operation("-", (Operation("+", (deep, deep)), deep))
    found = RationalValues(deep).at(POINT)
    assert found == -5 / fmpq(4)


@settings(max_examples=60, deadline=None)
@given(texts())
def test_they_are_those_of_evaluate(text: str) -> None:
    formula = tree(text)
    values = RationalValues(formula)
    for point in everywhere(step=29):
        found = values.at(point)
        try:
            with patch.object(enclosure, "rational_value", lambda tree, values: None):
                other = evaluate(Expression("", frozenset(point), formula), point)
        except NoValueError:
            assert found is None, point
            continue
        if found is not None:
            assert other == Fraction(int(found.p), int(found.q)), point
