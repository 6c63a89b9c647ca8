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
