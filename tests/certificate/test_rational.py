"""The kernel's rationals: the same as `fractions.Fraction`, closed, and paid for."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.certificate.budget import RefusedError, limited_to, spend
from implicitbias.certificate.rational import Rational, total

integers = st.integers() | st.integers(-(10**80), 10**80)
fractions = st.builds(Fraction, integers, integers.filter(bool)) | st.builds(Fraction, st.integers(-5, 5))
OPERATIONS: list[Callable[[Any, Any], Any]] = [operator.add, operator.sub, operator.mul, operator.truediv]
COMPARISONS: list[Callable[[Any, Any], bool]] = [
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


def rational(number: Fraction) -> Rational:
    return Rational(number.numerator, number.denominator)


def parts(number: Rational | Fraction) -> tuple[int, int]:
    return number.numerator, number.denominator


@given(fractions, fractions)
def test_operations_are_those_of_fractions(a: Fraction, b: Fraction) -> None:
    for operation in OPERATIONS:
        if b or operation is not operator.truediv:
            assert parts(operation(rational(a), rational(b))) == parts(operation(a, b))
    for comparison in COMPARISONS:
        assert comparison(rational(a), rational(b)) == comparison(a, b)
    assert parts(abs(rational(a))) == parts(abs(a))
    assert parts(-rational(a)) == parts(-a)
    assert parts(rational(a) ** 2) == parts(a**2)
    assert bool(rational(a)) == bool(a)
    assert str(rational(a)) == str(a)
    assert (hash(rational(a)) == hash(rational(b))) or a != b


@given(fractions, st.integers(-(10**30), 10**30))
def test_integers_are_operands_too(a: Fraction, n: int) -> None:
    assert parts(rational(a) + n) == parts(n + rational(a)) == parts(a + n)
    assert parts(rational(a) * n) == parts(n * rational(a)) == parts(a * n)
    assert parts(rational(a) - n) == parts(a - n)
    assert parts(n - rational(a)) == parts(n - a)
    for comparison in COMPARISONS:
        assert comparison(rational(a), n) == comparison(a, n)
    if a.denominator == 1:
        assert hash(rational(a)) == hash(int(a))


@given(integers, integers.filter(bool))
def test_it_is_in_lowest_terms(top: int, bottom: int) -> None:
    assert parts(Rational(top, bottom)) == parts(Fraction(top, bottom))


@given(st.lists(fractions, max_size=20))
def test_totals_are_sums(numbers: list[Fraction]) -> None:
    assert parts(total(map(rational, numbers))) == parts(sum(numbers, Fraction(0)))


@given(fractions.filter(lambda a: abs(a) < 10**300))
def test_the_nearest_double_is_that_of_fractions(a: Fraction) -> None:
    assert float(rational(a)) == float(a)


@pytest.mark.parametrize("other", [0.5, Fraction(1, 2), Decimal(1), "1", None])
def test_nothing_else_mixes_with_it(other: Any) -> None:
    for operation in [*OPERATIONS, *COMPARISONS[:4]]:
        with pytest.raises(TypeError):
            operation(Rational(1, 2), other)
    assert Rational(1, 2) != other


def test_a_quotient_by_nothing_raises() -> None:
    for act in (lambda: Rational(1, 0), lambda: Rational(1) / Rational(0), lambda: Rational(1) / 0):
        with pytest.raises(ZeroDivisionError):
            act()
    with pytest.raises(ValueError, match="square"):
        Rational(2) ** 3


def test_every_operation_is_paid_for_and_long_ones_cost_more() -> None:
    long, short = Rational(3**4000, 2**6000), Rational(1, 3)
    for act in (
        lambda a: a + a,
        lambda a: a - 1,
        lambda a: a * a,
        lambda a: a / a,
        lambda a: a < short,
        lambda a: a == long,
        lambda a: hash(a),
        lambda a: float(a),
        lambda a: total([a, a]),
    ):
        with limited_to(10**6):
            act(short)
        with pytest.raises(RefusedError, match="undecided"), limited_to(0):
            act(short)
        with pytest.raises(RefusedError, match="undecided"), limited_to(10):
            act(long)


def test_what_is_spent_in_one_thread_is_not_spent_in_another() -> None:
    done = []

    def elsewhere() -> None:
        spend(10**9)
        done.append(Rational(1, 3) + 1)

    with limited_to(5):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        spend(5)
    assert parts(done[0]) == (4, 3)


def test_outside_of_a_check_nothing_is_limited() -> None:
    with pytest.raises(RefusedError), limited_to(1):
        spend(2)
    spend(10**12)
