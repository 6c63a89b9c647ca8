"""Values at rational points: as Python's fractions have them, and none where a part is not rational."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.enclosure import UndefinedError, evaluate
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval
from implicitbias.exact.rational_value import LARGEST_POWER, rational_value

FRACTIONS = st.fractions(max_denominator=50, min_value=-20, max_value=20)


def value(formula: str, **values: Fraction | int | Interval) -> Fraction | None:
    return rational_value(parse(formula, values.keys()).tree, values)


@given(FRACTIONS, FRACTIONS, FRACTIONS)
def test_operations_are_those_of_fractions(a: Fraction, b: Fraction, c: Fraction) -> None:
    assert value("Max(a - b*c, -a, b) + Min(a, Abs(c))*3/7", a=a, b=b, c=c) == (
        max(a - b * c, -a, b) + min(a, abs(c)) * Fraction(3, 7)
    )
    assert value("sign(a)*b**2 - floor(c)", a=a, b=b, c=c) == ((a > 0) - (a < 0)) * b**2 - c.__floor__()
    if b:
        assert value("a/b + b**(-2)", a=a, b=b) == a / b + b**-2


@given(FRACTIONS)
def test_roots_of_squares_are_rational_and_others_are_left_out(a: Fraction) -> None:
    assert value("sqrt(a**2)", a=a) == abs(a)
    found = value("sqrt(2*a**2 + 2)", a=a)
    assert found is None or found**2 == 2 * a**2 + 2
    assert value("sqrt(a**2 + 2)", a=Fraction(1, 2)) == Fraction(3, 2)
    assert value("sqrt(a**2 + 2)", a=1) is None
    assert value("sqrt(-a**2 - 1)", a=a) is None


@pytest.mark.parametrize("formula", ["pi*a", "exp(a)", "a**(1/2)", "2**a", "sqrt(a + 1)", "b"])
def test_what_is_not_rational_is_left_to_balls(formula: str) -> None:
    assert rational_value(parse(formula).tree, {"a": Fraction(1, 2)}) is None


def test_numbers_that_are_not_exact_are_left_to_balls() -> None:
    assert value("a + 1", a=Interval(Fraction(0), Fraction(1))) is None


@pytest.mark.parametrize("formula", ["a/(b - b)", "a*(b - b)**(-1)", "Max(1, 1/(a - a))"])
def test_a_division_by_zero_is_told(formula: str) -> None:
    values = {"a": Fraction(2), "b": Fraction(3)}
    with pytest.raises(ZeroDivisionError):
        rational_value(parse(formula).tree, values)
    with pytest.raises(UndefinedError, match="division by zero"):
        evaluate(parse(formula), values)


def test_powers_that_are_too_large_to_carry_are_left_to_balls() -> None:
    assert value("a**n", a=2, n=LARGEST_POWER // 4) == 2 ** (LARGEST_POWER // 4)
    assert value("a**n", a=2, n=LARGEST_POWER) is None


def test_a_name_that_is_given_stands_for_what_is_given() -> None:
    """Even one that is a constant elsewhere; each tree has its own function, whatever came before."""
    assert [value(f"a {sign} E", a=5, E=3) for sign in "+-*/"] == [
        Fraction(operation(Fraction(5), 3))
        for operation in (operator.add, operator.sub, operator.mul, operator.truediv)
    ]
