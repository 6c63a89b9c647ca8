"""Enclosures contain the truth, and only a definite comparison is a proof."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.enclosure import (
    Comparison,
    TooLargeError,
    UndefinedError,
    UnresolvedError,
    compare,
    enclose,
    from_arb,
    to_arb,
)
from implicitbias.exact.rational import Interval

FUNCTIONS = {
    "sqrt(x)": mpmath.sqrt,
    "exp(x)": mpmath.exp,
    "log(x)": mpmath.log,
    "sin(x)": mpmath.sin,
    "cos(x)": mpmath.cos,
    "tan(x)": mpmath.tan,
    "atan(x)": mpmath.atan,
    "sinh(x)": mpmath.sinh,
    "cosh(x)": mpmath.cosh,
    "tanh(x)": mpmath.tanh,
    "erf(x)": mpmath.erf,
    "gamma(x)": mpmath.gamma,
    "asin(x/9)": lambda x: mpmath.asin(x / 9),
    "acos(x/9)": lambda x: mpmath.acos(x / 9),
    "x**(1/3)": mpmath.cbrt,
    "pi*x": lambda x: mpmath.pi * x,
    "E**x": mpmath.exp,
}


@pytest.mark.parametrize("text", FUNCTIONS)
def test_every_function_agrees_with_an_independent_library(text: str) -> None:
    with mpmath.workdps(60):
        for x in (Fraction(1, 3), Fraction(7, 2), Fraction(8)):
            found = enclose(text, x=x)
            truth = FUNCTIONS[text](mpmath.mpf(x.numerator) / x.denominator)
            low, high = (found, found) if isinstance(found, Fraction) else (found.lower, found.upper)
            assert mpmath.mpf(low.numerator) / low.denominator <= truth + mpmath.mpf(10) ** -50
            assert mpmath.mpf(high.numerator) / high.denominator >= truth - mpmath.mpf(10) ** -50
            assert high - low <= abs(high) * Fraction(1, 10**60)


@pytest.mark.parametrize(
    "text",
    [
        "1/0",
        "0**(-1)",
        "log(0)",
        "log(-1)",
        "sqrt(-2)",
        "(-1)**(1/2)",
        "gamma(0)",
        "acos(2)",
        "1/sin(0)",
        "(-8)**(1/3)",
    ],
)
def test_where_there_is_no_real_value_it_is_said(text: str) -> None:
    with pytest.raises(UndefinedError):
        enclose(text)


@pytest.mark.parametrize(
    "text",
    ["1/(sqrt(2)*sqrt(3) - sqrt(6))", "log(sqrt(2)**2 - 2)", "sqrt(sqrt(2)*sqrt(3) - sqrt(6) - 1/10**40)"],
)
def test_that_a_radical_is_no_argument_is_proved_beyond_the_working_precision(text: str) -> None:
    with pytest.raises(UndefinedError):
        enclose(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sqrt(sqrt(2)*sqrt(2) - 2)", 0),
        ("sign(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))", 0),
        ("sign(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3) + 1/10**200)", 1),
        ("acos(sqrt(2)*sqrt(2)/2)", 0),
        ("floor(sqrt(2)*sqrt(2))", 2),
        ("floor(3 - 1/10**90 + sqrt(2) - sqrt(2))", 2),
        ("(sqrt(2) - sqrt(2))**0", 1),
    ],
)
def test_radicals_on_a_border_are_evaluated_exactly(text: str, value: int) -> None:
    found = enclose(text)
    assert value in (found, getattr(found, "lower", None))


@pytest.mark.parametrize("text", ["sqrt(exp(log(2)) - 2)", "1/(sin(1)**2 + cos(1)**2 - 1)", "tan(pi/2)"])
def test_what_is_not_decided_is_not_called_undefined(text: str) -> None:
    with pytest.raises(UnresolvedError):
        enclose(text)


@pytest.mark.parametrize(("text", "sign"), [("exp(10**9)", 1), ("-exp(10**9)", -1)])
def test_what_is_too_large_has_a_sign(text: str, sign: int) -> None:
    with pytest.raises(TooLargeError) as caught:
        enclose(text)
    assert caught.value.sign == sign


def test_an_even_power_of_a_ball_around_zero_is_a_number() -> None:
    found = enclose("(sqrt(2) - sqrt(2))**2")
    assert isinstance(found, Interval)
    assert abs(found.upper) < Fraction(1, 10**100)


def test_what_underflows_is_enclosed_all_the_same() -> None:
    tiny = enclose("exp(-10**9)")
    assert isinstance(tiny, Interval)
    assert tiny.lower == 0 < tiny.upper < Fraction(1, 10**1000)


@given(st.fractions(), st.fractions(min_value=0), st.fractions(), st.fractions(min_value=0))
def test_a_definite_comparison_holds_for_every_pair_of_points(
    a: Fraction, r: Fraction, b: Fraction, q: Fraction
) -> None:
    first, second = Interval.around(a, r), Interval.around(b, q)
    order = compare(first, second)
    if order is Comparison.LESS:
        assert first.upper < second.lower
    elif order is Comparison.GREATER:
        assert first.lower > second.upper
    elif order is Comparison.EQUAL:
        assert first == second
        assert first.width == 0
    else:
        assert max(first.lower, second.lower) <= min(first.upper, second.upper)


@given(st.fractions(), st.fractions(min_value=0))
def test_balls_and_intervals_convert_outward(centre: Fraction, radius: Fraction) -> None:
    given_interval = Interval.around(centre, radius)
    back = from_arb(to_arb(given_interval))
    assert back.lower <= given_interval.lower
    assert given_interval.upper <= back.upper
