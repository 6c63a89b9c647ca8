"""Numbers of labellings, sample sizes, and the exact law for one switch: against enumeration and simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest

from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import parse
from implicitbias.theory.safran2022.corollary_5_1 import SETTINGS, enough, enough_by_balls, growth
from implicitbias.theory.safran2022.corollary_5_1_error import ONE_SWITCH, largest_gaps, least_mean


@pytest.mark.parametrize("n", range(1, 9))
def test_labellings_with_few_switches_are_counted(n: int) -> None:
    switches = [sum(a != b for a, b in pairwise(row)) for row in product((0, 1), repeat=n)]
    for m in range(1, n + 2):
        assert growth(n, m) == sum(s <= m for s in switches)


def test_the_least_sample_satisfies_the_bound_and_a_slightly_smaller_one_does_not() -> None:
    r, eps, delta = 1, Fraction(1, 2), Fraction(1, 2)
    n = enough(r, eps, delta)
    assert 2 * growth(2 * n, 99) <= delta * 2 ** int(eps * n / 2)
    assert 2 * growth(2 * (n - 8), 99) > delta * 2 ** int(eps * (n - 8) / 2)


@pytest.mark.parametrize(("r", "eps", "delta"), SETTINGS[:12])
def test_labellings_that_are_bounded_ask_for_as_many_data_as_those_that_are_counted(
    r: int, eps: Fraction, delta: Fraction
) -> None:
    """Up to the bit that the bound gives away, the part of a step that integers round down, and both tolerances."""
    assert enough_by_balls(r, eps, delta) == pytest.approx(enough(r, eps, delta), rel=2e-4, abs=4 / float(eps))


def test_the_least_of_two_samples_by_quadrature() -> None:
    p, j, k = Fraction(1, 3), 3, 4
    t = np.linspace(0, float(p), 20_001)
    values = (1 - t * 3) ** j * (1 - t * 1.5) ** k
    assert float(least_mean(p, j, k)) == pytest.approx(np.trapezoid(values, t), rel=1e-6)


@pytest.mark.parametrize(("p", "n"), [(0.5, 4), (0.5, 12), (0.2, 10)])
def test_the_mean_error_for_one_switch_is_that_of_drawn_samples(p: float, n: int) -> None:
    x = np.random.default_rng(4).uniform(0, 1, (100_000, n)) - p
    left = np.where(x < 0, -x, np.inf).min(axis=1)
    right = np.where(x > 0, x, np.inf).min(axis=1)
    both = np.isfinite(left) & np.isfinite(right)
    errors = np.zeros(len(x))
    errors[both] = np.abs(left - right)[both] / 2
    formula = parse(str(ONE_SWITCH.formula))
    exact = float(evaluate(formula, {"p": Fraction(str(p)), "n": n}))  # type: ignore[arg-type]
    assert errors.mean() == pytest.approx(exact, abs=4 * errors.std() / 300)


def test_the_sauer_bound_exceeds_the_count_by_one_binomial() -> None:
    for n, m in ((5, 1), (7, 3), (9, 8)):
        assert sum(comb(n, j) for j in range(m + 2)) - growth(n, m) == comb(n - 1, m + 1)


@pytest.mark.parametrize(("n", "gaps"), [(5, 1), (12, 3), (30, 6)])
def test_the_mean_of_the_largest_gaps_is_that_of_drawn_samples(n: int, gaps: int) -> None:
    data = np.sort(np.random.default_rng(8).uniform(0, 1, (40_000, n)), axis=1)
    widths = np.sort(np.diff(data, axis=1, prepend=0, append=1), axis=1)
    sums = widths[:, -gaps:].sum(axis=1)
    exact = largest_gaps({"n": n, "K": gaps})
    assert isinstance(exact, Fraction)
    assert sums.mean() == pytest.approx(float(exact), abs=4 * sums.std() / 200)
