"""Laws with singular densities, laws nested wrongly, and laws at the limits of doubles: right, or refused at once."""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from implicitbias.errors import DataError
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.one.student_t import student_t
from implicitbias.laws.one.table import law
from implicitbias.laws.one.uniform import uniform
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.raw_data import raw_data_limit

AT = (0.0, 0.5, -1.3, 3.0)


def phi(t: Any) -> Any:
    return mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi)


def mean_over_beta(g: Callable[[Any], Any], a: float, b: float) -> Any:
    """E g(X) for X ~ Beta(a, b) with b < 1: u = (1 - X)^b takes the singularity away."""
    b = mp.mpf(str(b))
    root = 1 / b
    return mp.quad(
        lambda u: g(1 - u**root) * (1 - u**root) ** (a - 1) / (b * mp.beta(a, b)),
        [0, 0.25, 0.5, 0.75, *sorted([mp.mpf("0.5") ** b, mp.mpf("0.9")]), 0.99, 0.999, 1],
    )


def mean_over_arcsine(g: Callable[[Any], Any]) -> Any:
    return mp.quad(lambda t: g(mp.sin(t) ** 2) * 2 / mp.pi, [0, 0.1, 0.3, mp.pi / 4, mp.pi / 2])


def mean_over_gamma(g: Callable[[Any], Any], k: float) -> Any:
    """E g(G) for G ~ Gamma(k), with u = G^k."""
    k = mp.mpf(str(k))
    ends = [mp.mpf(t) ** k for t in (0, 1e-8, 1e-4, 0.01, 0.1, 0.5, 1, 2, 4, 8, 16, 32, 64)]
    return mp.quad(lambda u: g(u ** (1 / k)) * mp.exp(-(u ** (1 / k))) / (k * mp.gamma(k)), ends)


WEIGHTS = [
    ("beta(2,.1)", stats.beta(2, 0.1), lambda g: mean_over_beta(g, 2, 0.1), 1e-9),
    ("beta(2,.3)", stats.beta(2, 0.3), lambda g: mean_over_beta(g, 2, 0.3), 1e-10),
    ("arcsine", stats.arcsine(), mean_over_arcsine, 1e-12),
    ("gamma(.1,loc=1)", stats.gamma(0.1, loc=1), lambda g: mean_over_gamma(lambda t: g(1 + t), 0.1), 1e-9),
    ("gamma(.2)", stats.gamma(0.2), lambda g: mean_over_gamma(g, 0.2), 1e-11),
    ("mirrored", stats.beta(0.3, 2, loc=-1, scale=2), lambda g: mean_over_beta(lambda t: g(1 - 2 * t), 2, 0.3), 1e-10),
]


@pytest.mark.parametrize(("frozen", "mean", "tolerance"), [row[1:] for row in WEIGHTS], ids=[row[0] for row in WEIGHTS])
def test_zeta_of_a_singular_weight_is_the_mean_over_its_quantiles(
    frozen: Any, mean: Callable[[Any], Any], tolerance: float
) -> None:
    made = initialisation(frozen, stats.norm())
    for x in AT:
        wanted = mean(lambda w, x=x: abs(w) ** 3 * phi(w * x))
        assert made.zeta(x) == pytest.approx(float(wanted), rel=tolerance), x
    assert made.moment(0, 0) == pytest.approx(1.0, abs=1e-13)
    assert made.moment(2, 0) == pytest.approx(float(mean(lambda w: w**2)), rel=tolerance)
    kernel = mean(lambda w: (lambda s: s**2 * mp.ncdf(s) + s * phi(s) + mp.ncdf(s))(0.7 * w))
    assert float(made.kernel(0.7, 0.7)) == pytest.approx(float(kernel), rel=tolerance)


@pytest.mark.parametrize("row", [WEIGHTS[0], WEIGHTS[1], WEIGHTS[2]], ids=lambda row: row[0])
def test_zeta_of_a_singular_bias_is_the_mean_over_its_quantiles(row: Any) -> None:
    _, frozen, mean, _ = row
    made = initialisation(stats.norm(), frozen)
    for x in (0.5, -1.3, 3.0, 30.0):
        wanted = mean(lambda b, x=x: abs(b) ** 3 / abs(x) ** 4 * phi(b / x))
        # rounding of -w x counts next to the end of a bias, unlike that of a weight
        assert made.zeta(x) == pytest.approx(float(wanted), rel=3e-8), x


def test_zeta_is_infinite_where_it_is() -> None:
    assert initialisation("binary(1)", stats.arcsine()).zeta(0.0) == np.inf
    assert initialisation("binary(1)", stats.arcsine()).zeta([-1.0, 0.3, 1.0]).tolist() == [
        np.inf, pytest.approx(stats.arcsine().pdf(0.3) / 2), np.inf
    ]  # fmt: skip
    assert initialisation(stats.norm(), stats.gamma(0.2)).zeta(0.0) == np.inf
    assert initialisation(stats.arcsine(), "constant(2)").zeta(-2.0) == np.inf, "all kinks of weight 1 lie there"
    both = initialisation(stats.arcsine(), stats.arcsine(loc=1))
    assert both.zeta(-2.0) == np.inf, "1/t where the ends of both meet"
    assert np.isfinite(both.zeta([-1.99, -2.01])).all()
    mild = initialisation(stats.beta(2, 0.7), stats.beta(2, 0.7, loc=1))
    assert np.isfinite(mild.zeta(-2.0)), "t^(-0.6) is integrable"


@pytest.mark.parametrize("frozen", [stats.beta(0.9, 1), stats.beta(0.6, 2)])
def test_scipys_overflow_at_subnormal_numbers_does_not_matter(frozen: Any) -> None:
    made = initialisation(frozen, stats.norm())
    a, b = frozen.args
    wanted = mp.quad(lambda w: w ** (2 + a) * (1 - w) ** (b - 1) / mp.beta(a, b) * phi(w), [0, 0.1, 0.5, 1])
    assert made.zeta(1.0) == pytest.approx(float(wanted), rel=1e-12)


def test_a_density_that_is_singular_inside_its_support_is_refused() -> None:
    with pytest.raises(DataError, match="cannot be resolved in doubles: its panels hold a probability of 0"):
        law(stats.dgamma(0.1, loc=1))


def test_a_histogram_is_the_mixture_of_its_bins() -> None:
    heights, edges = np.array([1.0, 3.0, 2.0]), np.array([-1.0, 0.5, 1.0, 2.5])
    masses = heights / heights.sum()
    made = initialisation(stats.norm(), stats.rv_histogram((heights, edges), density=False))
    parts = [initialisation("normal(0,1)", f"uniform({low},{high})") for low, high in pairwise(edges)]
    for x in (0.1, -0.7, 2.0):
        wanted = sum(mass * part.zeta(x) for mass, part in zip(masses, parts, strict=True))
        assert made.zeta(x) == pytest.approx(wanted, rel=1e-12)
    assert made.moment(0, 2) == pytest.approx(
        sum(m * p.moment(0, 2) for m, p in zip(masses, parts, strict=True)), rel=1e-12
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exponential(normal(0,1))", r"in exponential\(scale, \[start\]\): scale is a number, not a law"),
        ("student_t(normal(0,1),1)", "degrees is a number, not a law"),
        ("truncated(normal(0,1),normal(0,1))", "lower is a number, not a law"),
        ("truncated(1,2,3)", "the first parameter of truncated"),
        ("uniform(3,1e308)", "1e308 is too great for a parameter of a law"),
        ("normal(0.1,1e300)", "1e300 is too great"),
        ("normal(0,1e-200)", "1e-200 is too small"),
        ("student_t(1e200)", "too great"),
        ("normal(0,exp(-800))", "too small for a parameter|beyond"),
        ("uniform(1,1.00000000000000000001)", "vanishes next to the ends"),
    ],
)
def test_laws_that_cannot_be_are_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        law(text)


def test_the_same_holds_for_python() -> None:
    for given in (law("normal(0,1)"), [1, 2], None):
        with pytest.raises(DataError, match="a parameter of a law is a number"):
            student_t(given)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="too great"):
        uniform(1e300)


@pytest.mark.parametrize("weight", ["cauchy(0,1)", "student_t(2)", "student_t(2.5)", "student_t(3)"])
@pytest.mark.parametrize("bias", ["normal(0,1)", "uniform(-2,2)"])
def test_weights_without_a_third_moment_are_refused_at_once_where_data_lie_around_zero(weight: str, bias: str) -> None:
    made = initialisation(weight, bias)
    begun = time.process_time()
    for build in (lambda x: AdaptiveSpline(x, [0, 1, 0], made), lambda x: raw_data_limit(made, x, [0, 1, 0])):
        with pytest.raises(DataError, match="infinite for student_t"):
            build([-1, 1, 2])
    assert time.process_time() - begun < 1.0
