"""Numbers become the fractions they stand for, or are refused."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.exact.rational import Interval, decimal_text, exact


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_dyadic_number_it_is(number: float) -> None:
    assert exact(number) == Fraction(number)
    assert exact(repr(number)) == Fraction(repr(number))


@pytest.mark.parametrize(
    "bad", ["nan", "inf", "-Infinity", "", "1,5", "0x10", "1/0", "1e500", "1_0", "one", "1" * 6000]
)
def test_what_is_no_finite_number_is_refused(bad: str) -> None:
    with pytest.raises(DataError):
        exact(bad)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), True, Decimal("NaN"), Decimal("Infinity")])
def test_not_a_number_is_refused_in_every_type(bad: float | Decimal) -> None:
    with pytest.raises(DataError):
        exact(bad)


@given(st.fractions(), st.integers(3, 30))
def test_decimals_are_correctly_rounded(number: Fraction, digits: int) -> None:
    error = abs(Fraction(decimal_text(number, digits)) - number)
    assert error <= abs(number) * Fraction(1, 10 ** (digits - 1))


def test_an_interval_has_its_ends_in_order() -> None:
    with pytest.raises(ValueError, match="lower <= upper"):
        Interval(Fraction(1), Fraction(0))
    assert Interval.around(1, 0.5).contains(Fraction(3, 2))


LONG = ["{}", "-{}", "0.{}", "{}.5", "1/{}", "{}/7", "{}e-5", "1e{}", "1e-{}", ".{}"]


@pytest.mark.parametrize("digits", [4001, 4300, 4301, 5000, 100_000])
@pytest.mark.parametrize("form", LONG)
def test_a_number_that_is_too_long_is_refused_with_its_length(form: str, digits: int) -> None:
    text = form.format("7" * digits)
    with pytest.raises(DataError, match=f"{len(text)} characters long, is more than the 4000 of a number"):
        exact(text)


@pytest.mark.parametrize("form", LONG[:6])
def test_the_longest_number_is_read_exactly_and_can_be_written(form: str) -> None:
    text = form.format("7" * (4000 - len(form.format(""))))
    assert abs(exact(text)) == abs(Fraction(text))
    assert str(exact(text))


@pytest.mark.parametrize("text", ["٣", "１２", "1٫5", "1\u00a0000", "²", "½", "−1"])
def test_digits_of_other_scripts_are_not_guessed_at(text: str) -> None:
    with pytest.raises(DataError, match="is not a number"):
        exact(text)
