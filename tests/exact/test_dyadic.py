"""Sums and products of doubles are exact: the same as of fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.dyadic import equal_products, product, total, totals

SIZES = st.one_of(st.just(0.0), st.floats(1e-150, 1e150), st.floats(-1e150, -1e-150), st.integers(-9, 9).map(float))
PAIRS = st.lists(st.tuples(SIZES, SIZES), max_size=12)


@given(PAIRS)
def test_a_sum_of_products_is_that_of_fractions(pairs):
    a, b = np.array(pairs, dtype=float).reshape(-1, 2).T
    assert total(product(a, b)) == sum((Fraction(x) * Fraction(y) for x, y in pairs), Fraction(0))


@given(PAIRS, st.data())
def test_sums_by_bins_are_those_of_fractions(pairs, data):
    bins = np.array([data.draw(st.integers(0, 3)) for _ in pairs], dtype=np.int64)
    a, b = np.array(pairs, dtype=float).reshape(-1, 2).T
    expected = [
        sum((Fraction(x) * Fraction(y) for (x, y), k in zip(pairs, bins, strict=True) if k == m), Fraction(0))
        for m in range(4)
    ]
    assert totals(product(a, b), bins, 4) == expected


@given(SIZES, SIZES, SIZES, SIZES)
def test_products_are_compared_exactly(a, b, c, d):
    found = equal_products(*(np.array([x]) for x in (a, b, c, d)))[0]
    assert found == (Fraction(a) * Fraction(b) == Fraction(c) * Fraction(d))


def test_products_that_round_to_the_same_double_differ():
    a = np.array([1 + 2.0**-52])
    assert not equal_products(a, a, np.array([1 + 2.0**-51]), np.array([1.0]))[0]


def test_too_many_numbers_are_refused(monkeypatch):
    monkeypatch.setattr("implicitbias.exact.dyadic.MOST", 2)
    with pytest.raises(ValueError, match="at most 2"):
        total(np.ones(3))
