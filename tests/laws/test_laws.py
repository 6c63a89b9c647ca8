"""Laws of one variable: densities, moments, tails, draws, and what they refuse."""

from __future__ import annotations

import math

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from implicitbias.errors import DataError
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.table import law
from implicitbias.laws.penalty.balls import precision

ORACLES = {
    "normal(0.5,2)": stats.norm(0.5, 2),
    "uniform(-1,2.5)": stats.uniform(-1, 3.5),
    "laplace(-1,0.5)": stats.laplace(-1, 0.5),
    "student_t(4.5,1,2)": stats.t(4.5, 1, 2),
    "student_t(40)": stats.t(40),
    "exponential(2,-1)": stats.expon(-1, 2),
    "truncated_normal(1,2,-1,3)": stats.truncnorm(-1, 1, 1, 2),
    "truncated(laplace(0,1),0)": stats.expon(0, 1),
    "truncated(normal(0,1),5,7)": stats.truncnorm(5, 7),
    "truncated(normal(0,1),-7,-5)": stats.truncnorm(-7, -5),
}
"""Each law here with scipy's of the same name."""


@pytest.mark.parametrize("text", ORACLES)
def test_densities_and_moments_are_scipys(text: str) -> None:
    ours, theirs = law(text), ORACLES[text]
    low, high = ours.support
    points = np.linspace(max(low, -9.0), min(high, 9.0), 41)
    assert ours.density(points) == pytest.approx(theirs.pdf(points), rel=1e-11, abs=1e-300)
    for k in range(5):
        if k < ours.moments_below:
            assert ours.moment(k) == pytest.approx(theirs.moment(k), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("text", ORACLES)
def test_partial_moments_are_integrals_of_the_density(text: str) -> None:
    ours, theirs = law(text), ORACLES[text]
    for t in (-0.7, 0.0, 1.3, 5.5, -5.5):
        start, end = max(t, theirs.support()[0]), theirs.support()[1]
        for k in range(4):
            expected = 0.0
            if start < end:
                expected = sum(
                    integrate.quad(lambda x, k=k: x**k * theirs.pdf(x), a, b, epsabs=0, epsrel=1e-11, limit=200)[0]
                    for a, b in ((start, min(end, start + 3)), (min(end, start + 3), end))
                    if a < b
                )
            assert float(ours.partial_moment(k, np.array([t]))[0]) == pytest.approx(expected, rel=1e-8, abs=1e-14)


def test_partial_moments_at_both_ends_of_the_line() -> None:
    for text in ORACLES:
        ends = law(text).partial_moment(2, np.array([-np.inf, np.inf]))
        assert ends[0] == pytest.approx(ORACLES[text].moment(2), rel=1e-9)
        assert ends[1] == pytest.approx(0, abs=1e-300)


@pytest.mark.parametrize("text", [*ORACLES, "binary(2)", "constant(-1.5)"])
def test_draws_have_the_laws_moments(text: str) -> None:
    """Each mean within 5 standard errors: a right sampler fails with probability below 1e-5 for all of them."""
    ours = law(text)
    drawn = ours.sample((100, 400), np.random.default_rng(7))
    assert drawn.shape == (100, 400)
    for k in (1, 2):
        powers = drawn**k
        assert abs(powers.mean() - ours.moment(k)) <= 5 * powers.std() / 200 + 1e-12
    assert drawn.min() >= ours.support[0]
    assert drawn.max() <= ours.support[1]


@pytest.mark.parametrize("text", [t for t in ORACLES if math.inf in np.abs(law(t).support)])
@given(reach=st.floats(0.01, 50), beyond=st.floats(1, 100), sign=st.sampled_from([-1, 1]))
@settings(max_examples=30, deadline=None)
def test_tails_lie_below_their_bound(text: str, reach: float, beyond: float, sign: int) -> None:
    ours = law(text)
    with precision(100):
        height, alpha = ours.tail(flint.arb(reach))
        bound = float((height * flint.arb(1 / beyond) ** alpha).upper())
    assert ours.density(np.array([sign * reach * beyond]))[0] <= bound * (1 + 1e-9)


@pytest.mark.parametrize(
    ("given_", "symmetric"),
    [
        ("normal(0,1)", True),
        ("normal(0.1,1)", False),
        ("uniform(-2,2)", True),
        ("uniform(-2,2.5)", False),
        ("uniform(sqrt(2))", True),
        ("uniform(-sqrt(2),sqrt(2))", True),
        ("uniform(-0.5,1/2)", True),
        ("binary(3)", True),
        ("constant(0)", True),
        ("constant(1)", False),
        ("exponential(1)", False),
        ("truncated(normal(0,1),-2,2)", True),
        ("truncated(normal(0,1),-2,1)", False),
        ("truncated(normal(1,1),-2,2)", False),
    ],
)
def test_symmetry_is_known(given_: str, symmetric: bool) -> None:
    assert law(given_).symmetric is symmetric


@pytest.mark.parametrize(
    ("frozen", "text"),
    [
        (stats.norm(1, 2), "normal(1.0,2.0)"),
        (stats.norm(loc=1, scale=2), "normal(1.0,2.0)"),
        (stats.uniform(-1, 3), "uniform(-1.0,2.0)"),
        (stats.t(5, scale=2), "student_t(5.0,0.0,2.0)"),
        (stats.expon(scale=3), "exponential(3.0)"),
    ],
)
def test_scipys_laws_that_are_known_here_become_ours(frozen: object, text: str) -> None:
    found = law(frozen)
    assert found.text == text
    assert found.pieces


@pytest.mark.parametrize(
    "frozen",
    [stats.gamma(2.5), stats.beta(2, 3, -1, 2), stats.triang(0.3, -1, 2), stats.logistic(1, 2), stats.gamma(0.5)],
    ids=lambda frozen: str(frozen.dist.name),
)
def test_any_other_law_of_scipy_is_resolved_by_its_panels(frozen: object) -> None:
    found: Law = law(frozen)
    for k in range(4):
        assert found.moment(k) == pytest.approx(frozen.moment(k), rel=1e-11)  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="floating point only"):
        _ = found.pieces


def test_heavy_tails_of_scipys_laws_are_noticed() -> None:
    pareto = law(stats.pareto(3.5))
    assert pareto.moments_below == pytest.approx(3.5, abs=1e-5)
    with pytest.raises(DataError, match="infinite"):
        pareto.moment(4)


def test_discrete_laws_of_scipy_are_refused() -> None:
    with pytest.raises(DataError, match="continuous"):
        law(stats.poisson(2))


def test_numbers_are_taken_as_written() -> None:
    from fractions import Fraction

    tenth = law("normal(0,0.1)")
    assert tenth.scale.rational == Fraction(1, 10)  # type: ignore[attr-defined]
    assert law("normal(0,sqrt(0.1))").moment(2) == pytest.approx(0.1, rel=1e-15)
