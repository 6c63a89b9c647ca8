"""Numbers in sentences: every digit is right, and a bound is never beyond what it bounds."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate.rational import Rational
from implicitbias.certificate.words import at_least, at_most, digits_between, in_words

magnitudes = st.integers(-400, 400)
numbers = st.builds(
    lambda a, b, power: Fraction(a, b) * Fraction(10) ** power, st.integers(), st.integers(1, 10**40), magnitudes
)


def rational(number: Fraction) -> Rational:
    return Rational(number.numerator, number.denominator)


@given(numbers)
def test_bounds_are_rounded_outwards_and_are_near(number: Fraction) -> None:
    low, high = Fraction(at_least(rational(number))), Fraction(at_most(rational(number)))
    assert low <= number <= high
    assert high - low <= abs(number) / 10**16


@given(numbers)
def test_decimals_are_cut_off_never_rounded(number: Fraction) -> None:
    said = in_words(rational(number))
    decimal = (re.search(r"\((.*)\)", said) or re.fullmatch("(.*)", said))[1]  # type: ignore[index]
    shown = Fraction(decimal.rstrip("…"))
    if decimal.endswith("…"):
        digits, _, power = decimal.rstrip("…").partition("e")
        unit = Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2]))
        assert abs(shown) < abs(number) < abs(shown) + unit * 10
        assert (shown < 0) == (number < 0)
    else:
        assert shown == number
    if "(" in said:
        assert Fraction(said.split(" ")[0]) == number


@given(numbers, st.integers(0, 30))
def test_common_digits_of_two_ends_are_digits_of_what_lies_between(number: Fraction, places: int) -> None:
    low, high = number, number + abs(number) / Fraction(10) ** places
    said = digits_between(rational(low), rational(high))
    if said.startswith("between"):
        first, last = said.removeprefix("between ").split(" and ")
        assert Fraction(first) <= low <= high <= Fraction(last)
    else:
        assert abs(Fraction(said.rstrip("…"))) <= min(abs(low), abs(high))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (Fraction(0), "0"),
        (Fraction(-7), "-7"),
        (Fraction(5, 4), "5/4 (1.25)"),
        (Fraction(1, 3), "1/3 (0.333333333333…)"),
        (Fraction(-1, 3), "-1/3 (-0.333333333333…)"),
        (Fraction(915099, 10**6), "0.915099"),
        (Fraction(10**400), "1e+400"),
        (Fraction(10**400 + 1), "1e+400…"),
        (Fraction(1449, 10**30), "1.449e-27"),
    ],
)
def test_numbers_are_said_in_one_way(number: Fraction, words: str) -> None:
    assert in_words(rational(number)) == words


def test_the_reported_radius_is_not_rounded_down() -> None:
    radius = Rational(1449 * 10**30 + 1, 10**60)
    assert at_most(radius) == "1.44900000000000001e-27"
    assert at_least(radius) == "1.449e-27"


@given(st.integers(1, 10**6), st.integers(4300, 9000))
def test_numbers_too_long_for_python_to_write_are_said(top: int, digits: int) -> None:
    number = Rational(top * 10**digits + 1, 10 ** (digits // 2) + 7)
    for words in (in_words(number), at_least(number), at_most(number)):
        assert len(words) < 40
