"""Numbers a + b√D: the laws of an ordered field, against floating point."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.exact.quadratic import Quadratic

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=40)
numbers = st.builds(lambda a, b: Quadratic(a, b, 7), rationals, rationals)


@given(numbers, numbers, numbers)
def test_the_laws_of_a_field(x: Quadratic, y: Quadratic, z: Quadratic) -> None:
    assert x * (y + z) == x * y + x * z
    assert (x - y) + y == x
    assert 2 - x == -(x - 2)
    if y:
        assert x / y * y == x
        assert 1 / y * y == Quadratic(Fraction(1), Fraction(0), 7)


@given(numbers, numbers)
def test_the_order_is_that_of_the_real_numbers(x: Quadratic, y: Quadratic) -> None:
    difference = float(x) - float(y)
    assume(abs(difference) > 1e-9)
    assert (x > y, x < y, x >= y, x <= y) == (difference > 0, difference < 0, difference > 0, difference < 0)


@given(rationals)
def test_a_product_of_conjugates_is_never_below_minus_its_norm(b: Fraction) -> None:
    x = Quadratic(Fraction(8), Fraction(-3), 7)  # 8 - 3√7 = 1/(8 + 3√7) > 0
    assert x.sign() == 1
    assert (x * Quadratic(b, b, 7)).sign() == (b > 0) - (b < 0)


def test_roots_that_are_rational_or_differ_are_refused() -> None:
    with pytest.raises(DataError, match="not a square"):
        Quadratic(Fraction(1), Fraction(1), 9)
    with pytest.raises(DataError, match="different fields"):
        Quadratic(Fraction(1), Fraction(1), 2) + Quadratic(Fraction(1), Fraction(1), 3)
