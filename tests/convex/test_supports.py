"""Supports, runs and bins, by brute force."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.convex.margin.bins import binned, midpoints, nearest_bin, rescaled
from implicitbias.convex.ramps.supports import classification_support, equal_runs, regression_support
from implicitbias.errors import DataError


@given(st.fractions(0, 1, max_denominator=200), st.integers(2, 40))
def test_a_bin_is_the_leftmost_of_the_nearest_midpoints(y: Fraction, k: int) -> None:
    distances = [abs(y - mid) for mid in midpoints(k)]
    assert nearest_bin(y, k) == distances.index(min(distances))


@given(st.integers(2, 40), st.data())
def test_ties_go_to_the_left(k: int, data: st.DataObject) -> None:
    j = data.draw(st.integers(0, k - 2))
    assert nearest_bin(Fraction(2 * j + 1, 2 * (k - 1)), k) == j


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(2, 40) for k in range(2, 12)])
def test_the_support_of_absolute_values_has_the_size_of_the_formula(n: int, k: int) -> None:
    """min(n, 4(k-1) + 2), one less where n = 4(k-1) + 1."""
    y = [abs(Fraction(2 * i, n - 1) - 1) for i in range(n)]
    assert len(classification_support(binned(y, k))) == min(n, 4 * (k - 1) + 2) - (n == 4 * (k - 1) + 1)


@given(st.text("abc", min_size=1, max_size=12))
def test_the_classification_support_is_its_definition(labels: str) -> None:
    n = len(labels)
    expected = {
        i
        for i in range(n)
        if i in (0, n - 1) or (i and labels[i - 1] != labels[i]) or (i < n - 1 and labels[i + 1] != labels[i])
    }
    assert set(classification_support(labels)) == expected
    assert expected == {end for run in equal_runs(labels) for end in run} | {0, n - 1}


def test_the_regression_support_has_no_tolerance() -> None:
    x = [Fraction(-1), Fraction(0), Fraction(1)]
    assert regression_support(x, [Fraction(0), Fraction(1), Fraction(2)]) == (0, 2)
    assert regression_support(x, [Fraction(0), Fraction(1), Fraction(2) + Fraction(1, 10**40)]) == (0, 1, 2)
    assert regression_support([Fraction(3)], [Fraction(1)]) == (0,)


@pytest.mark.parametrize(("y", "k"), [("1.1", 3), (-1, 3), ("0.5", 1), ("0.5", 10**6)])
def test_bad_bins_are_named(y: str, k: int) -> None:
    with pytest.raises(DataError):
        nearest_bin(y, k)


def test_labels_are_brought_to_the_unit_interval() -> None:
    assert rescaled([3, 5, 4]) == (0, 1, Fraction(1, 2))
    assert rescaled([3, 3]) == (0, 0)
    assert rescaled([]) == ()
