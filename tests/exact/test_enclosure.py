"""Enclosures contain the truth, and only a definite comparison is a proof."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.enclosure import Comparison, UndefinedError, compare, enclose, from_arb, to_arb
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
    ["1/0", "0**(-1)", "log(0)", "log(-1)", "sqrt(-2)", "(-1)**(1/2)", "gamma(0)", "acos(2)", "exp(10**9)", "1/sin(0)"],
)
def test_where_there_is_no_real_value_it_is_said(text: str) -> None:
    with pytest.raises(UndefinedError):
        enclose(text)


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
