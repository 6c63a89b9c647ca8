"""Dead neurons, mistakes, occupied gaps, stuck starts: against enumeration and scipy."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from implicitbias.exact.enclosure import lower, upper
from implicitbias.theory.observed.margin.dead_neurons import (
    dead_probability,
    enclosed,
    least_dead,
    least_mistakes,
    occupied,
    share_of_mistakes,
)
from implicitbias.theory.observed.margin.stuck import mean_loss, stuck, stuck_loss


@given(st.integers(1, 300))
def test_binomial_tails_are_those_of_scipy(k: int) -> None:
    assert float(dead_probability(k)) == pytest.approx(stats.binom.sf(least_dead(k) - 1, k, 0.25), rel=1e-9)


@given(st.fractions(0, 1))
def test_enclosures_hold_the_number(p: Fraction) -> None:
    found = enclosed(p**40)
    assert lower(found) <= p**40 <= upper(found)
    assert upper(found) - lower(found) <= Fraction(1, 10**40)


@pytest.mark.parametrize("m", range(1, 9))
def test_mistakes_by_dynamic_programming_are_those_of_all_sequences(m: int) -> None:
    for changes in range(m + 1):
        fewest = min(
            sum(s != (-1) ** i for i, s in enumerate(signs))
            for signs in product((1, -1), repeat=m + 1)
            if sum(a != b for a, b in pairwise(signs)) <= changes
        )
        assert least_mistakes(m, changes) == fewest


@pytest.mark.parametrize(
    ("r", "k", "share"),
    [
        (1, 1, (1, 1)),
        (2, 2, (1, 3)),
        (3, 3, (1, 4)),
        (4, 4, (1, 3)),
        (4, 5, (1, 3)),
        (8, 8, (1, 9)),
        (240, 312, (3, 241)),
    ],
)
def test_shares_of_mistakes_at_known_widths(r: int, k: int, share: tuple[int, int]) -> None:
    assert share_of_mistakes(r, k) == Fraction(*share)


def test_occupied_gaps_are_those_of_all_assignments() -> None:
    gaps, gap, active, k = 2, Fraction(1, 8), Fraction(3, 16), 5
    kinds = {"a": gap, "b": gap, "active": active, "other": 1 - 2 * gap - active}
    total = Fraction(0)
    for row in product(kinds, repeat=k):
        if "a" in row and "b" in row and row.count("active") >= 2:
            p = Fraction(1)
            for kind in row:
                p *= kinds[kind]
            total += p
    assert occupied(gaps, gap, active, k) == total


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_stuck_starts_lie_between_log_two_and_one(n: int) -> None:
    network, x, y = stuck(n, spaced=True)
    assert network(x[0]) == 0
    assert len(x) == len(set(x)) == n
    found = mean_loss(network, x, y, "logistic")
    assert float(lower(found)) * n > 0.69314
    assert float(upper(found)) * n < 1
    assert float(upper(stuck_loss(n, spaced=True))) == pytest.approx(float(upper(found)), rel=1e-6)
    assert float(lower(stuck_loss(n))) >= float(lower(stuck_loss(n, spaced=True))) * (1 - 1e-12)
