"""Confidence intervals against tables, against how often they cover, and against sums of binomial probabilities."""

from __future__ import annotations

import statistics
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from implicitbias.exact.sampling import (
    half_width,
    lower_limit,
    mean_interval,
    proportion_interval,
    student_quantile,
    upper_limit,
)


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.706), (5, 2.571), (30, 2.042), (1000, 1.962)])
def test_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.05, freedom) == pytest.approx(quantile, abs=5e-4)
    assert student_quantile(0.1, freedom, comparisons=2) == student_quantile(0.05, freedom)


def test_the_interval_of_a_mean_by_hand() -> None:
    samples = [1.0, 2.5, 3.0, 7.0]
    found = mean_interval(samples, 0.01, comparisons=3, allowance=0.25)
    half = student_quantile(0.01 / 3, 3) * statistics.stdev(samples) / 2 + 0.25
    assert float(found.lower) == pytest.approx(statistics.fmean(samples) - half, rel=1e-14)
    assert float(found.upper) == pytest.approx(statistics.fmean(samples) + half, rel=1e-14)
    assert half_width(statistics.stdev(samples), 4, 0.01, 3) == pytest.approx(half - 0.25, rel=1e-14)


def test_intervals_of_means_cover_as_often_as_their_level_says() -> None:
    rng = np.random.default_rng(0)
    missed = sum(not mean_interval(rng.normal(3, 2, 6).tolist(), 0.1).contains(3) for _ in range(2000))
    assert 150 < missed < 250


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (1, 10), (6, 10), (10, 10), (3, 50)])
def test_limits_of_a_proportion_put_the_tail_beyond_what_was_seen(successes: int, trials: int) -> None:
    def probability(counts: range, p: float) -> float:
        return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in counts)

    low, high = lower_limit(successes, trials, 0.025), upper_limit(successes, trials, 0.025)
    if successes:
        assert probability(range(successes, trials + 1), low) == pytest.approx(0.025, rel=1e-9)
    else:
        assert low == 0
    if successes < trials:
        assert probability(range(successes + 1), high) == pytest.approx(0.025, rel=1e-9)
    else:
        assert high == 1
    found = proportion_interval(successes, trials, 0.1, comparisons=2)
    assert (found.lower, found.upper) == (Fraction(low), Fraction(high))
