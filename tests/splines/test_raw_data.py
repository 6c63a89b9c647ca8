"""The limit on data as they are, its course in time and its ridge form, against the kernel itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import make_smoothing_spline

from implicitbias.errors import DataError
from implicitbias.laws.joint.build import initialisation
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.early_stopping import GradientFlow
from implicitbias.splines.raw_data import interpolate, raw_data_limit
from implicitbias.splines.smoothing import SmoothingSpline, kernel_ridge

Array = NDArray[np.float64]

EVEN = (np.array([-2.0, -1, 0, 1, 2]), np.array([1.5, 0.5, 1.5, 0.5, 1.5]))
UNEVEN = (np.array([-2, -1.7, -1.6, 0.9, 1.1, 1.3, 2]), np.array([1.5, -1.2, 0.7, 2.4, 0.6, 2.8, 2.5]))
LAWS = [
    ("uniform(-1,1)", "uniform(-2,2)"),
    ("normal(0,1)", "normal(0,1)"),
    ("uniform(-1,2)", "uniform(-3,3)"),
    ("uniform(-1,2)", "normal(0.5,1)"),
]
GRID = np.linspace(-4, 4, 161)


def grams(law: object, x: Array) -> tuple[Array, Array]:
    kernel = law.kernel  # type: ignore[attr-defined]
    return kernel(x[:, None], x[None, :]), kernel(GRID[:, None], x[None, :])


@pytest.mark.parametrize("laws", LAWS, ids=" ".join)
@pytest.mark.parametrize("data", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_the_limit_is_the_interpolant_of_the_kernel_inside_and_outside_the_data(
    laws: tuple[str, str], data: tuple[Array, Array]
) -> None:
    law, (x, y) = initialisation(*laws), data
    K, across = grams(law, x)
    limit = raw_data_limit(law, x, y)
    slack = 1e-15 * np.linalg.cond(K)
    assert np.abs(limit(GRID) - across @ np.linalg.solve(K, y)).max() < 10 * slack
    assert limit.norm_squared == pytest.approx(y @ np.linalg.solve(K, y), rel=slack)
    assert np.abs(limit(x) - y).max() < 1e-13


@pytest.mark.parametrize("laws", LAWS, ids=" ".join)
def test_on_exactly_adjusted_data_the_limit_is_the_adaptive_spline(laws: tuple[str, str]) -> None:
    law, (x, y) = initialisation(*laws), UNEVEN
    spline = AdaptiveSpline(x, y, law)
    adjustment = spline.uv()
    limit = raw_data_limit(law, x, y - adjustment(x))
    assert np.abs(limit(GRID) + adjustment(GRID) - spline(GRID)).max() < 1e-12
    assert abs(limit.multipliers.sum()) < 1e-9 * np.abs(limit.multipliers).max()
    # an adjustment that ignores the asymmetry of the law does not do that
    if not law.symmetric:
        wrong = spline.uv(lambda c: np.full_like(c, 0.5))
        other = raw_data_limit(law, x, y - wrong(x))
        assert np.abs(other(GRID) + wrong(GRID) - spline(GRID)).max() > 1e-3


def test_raw_uniform_data_miss_the_spline_by_these_fractions() -> None:
    law, (x, y) = initialisation("uniform(-1,1)", "uniform(-2,2)"), EVEN
    limit, spline = raw_data_limit(law, x, y), AdaptiveSpline(x, y)
    known = {"-3/2": "405/46592", "-1/2": "-81/46592", "1/4": "-243/372736", "17/10": "7533/832000"}
    for at, missed in known.items():
        place = float(Fraction(at))
        assert float(limit(np.array(place))) - spline(place) == pytest.approx(float(Fraction(missed)), abs=1e-14)
    assert limit.multipliers.sum() == pytest.approx(-81 / 26, rel=1e-12)


@pytest.mark.parametrize("laws", LAWS[1:3], ids=" ".join)
def test_the_course_is_that_of_gradient_flow(laws: tuple[str, str]) -> None:
    law, (x, y) = initialisation(*laws), UNEVEN
    K, across = grams(law, x)
    values, vectors = np.linalg.eigh(K)
    flow = GradientFlow(law, x, y)
    # the other side applies the inverse of a rounded K
    slack = 1e-14 * values[-1] / values[0]
    for time in (0.1, 10.0, 1e4, 1e6):
        weights = -np.expm1(-time * values) / values
        assert np.abs(flow.at(time)(GRID) - across @ (vectors @ (weights * (vectors.T @ y)))).max() < slack
    assert np.abs(flow.at(np.inf)(GRID) - raw_data_limit(law, x, y)(GRID)).max() == 0
    assert np.abs(flow.at(0)(GRID)).max() == 0
    assert flow.modes == pytest.approx(values[::-1], rel=1e-8)


def test_slow_modes_are_right_where_the_kernel_matrix_is_singular_to_rounding() -> None:
    import mpmath

    law = initialisation("uniform(-1,1)", "uniform(-2,2)")
    x = np.sort(np.concatenate([[-1.0, 1.0], 0.2 + 1e-4 * np.arange(4)]))
    y = np.array([0.0, 1, 2, 1, 2, 1])
    flow = GradientFlow(law, x, y)
    with mpmath.workdps(60):

        def kernel(s: float, t: float) -> mpmath.mpf:
            """E[[Ws+B]₊[Wt+B]₊] for these laws, a polynomial in max, min and their difference."""
            low, high = sorted((mpmath.mpf(s), mpmath.mpf(t)))
            a, b, apart = low + 2, 2 - high, high - low
            return (
                (a**3 / 3 + apart * a**2 / 2 + b**3 / 3 + apart * b**2 / 2) / 32 + low * high / 24 + mpmath.mpf(1) / 2
            )

        K = mpmath.matrix([[kernel(s, t) for t in x] for s in x])
        values, vectors = mpmath.eigsy(K)
        assert values[5] / values[0] > 1e13
        assert flow.modes[::-1] == pytest.approx([float(v) for v in values], rel=1e-7)
        start = vectors.T * mpmath.matrix(list(y))
        for time in (1.0, 1e4, 1e9, 1e12, float(1 / values[0])):
            left = vectors * mpmath.matrix([mpmath.exp(-time * v) * s for v, s in zip(values, start, strict=True)])
            assert flow.residual(time) == pytest.approx([float(v) for v in left], abs=1e-6)


@pytest.mark.parametrize("laws", LAWS[1:3], ids=" ".join)
@pytest.mark.parametrize("penalty", [1e-4, 0.3, 1e3])
def test_kernel_ridge_is_kernel_ridge(laws: tuple[str, str], penalty: float) -> None:
    law, (x, y) = initialisation(*laws), UNEVEN
    K, across = grams(law, x)
    ridge = kernel_ridge(law, x, y, penalty)
    assert np.abs(ridge(GRID) - across @ np.linalg.solve(K + penalty * np.eye(len(x)), y)).max() < 1e-9


def test_ridge_stays_within_a_fifth_of_gradient_flow_and_agrees_at_first() -> None:
    law, (x, y) = initialisation("normal(0,1)", "normal(0,1)"), EVEN
    flow = GradientFlow(law, x, y)
    times = np.geomspace(1e-3, 1e5, 60)
    gaps = [np.linalg.norm(flow.at(T).values - interpolate(flow.system, y, 1 / T).values) for T in times]
    assert max(gaps) <= 0.20364 * np.linalg.norm(y)
    first = 1e-6
    assert flow.at(first).values == pytest.approx(kernel_ridge(law, x, y, 1 / first).values, rel=1e-5)


@pytest.mark.parametrize("penalty", [1e-6, 0.04, 50.0])
def test_a_constant_weight_gives_the_smoothing_spline_of_scipy(penalty: float) -> None:
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(0, 3, 30))
    y = np.sin(3 * x) + rng.normal(size=30) / 10
    theirs = make_smoothing_spline(x, y, lam=penalty / 2)
    ours = SmoothingSpline(x, y, 2, penalty=penalty)
    grid = np.linspace(x[0], x[-1], 101)
    assert np.abs(ours(grid) - theirs(grid)).max() < 1e-8 * (1 + np.abs(theirs(grid)).max())


def test_close_data_do_not_spoil_the_smoothing_spline() -> None:
    from flint import arb, arb_mat, ctx

    rng = np.random.default_rng(4)
    x = np.sort(rng.uniform(-2, 2, 30))
    x = np.sort(np.concatenate([x, x + 1e-9]))
    y, penalty = np.sin(3 * x) + rng.normal(size=60), 2e-3
    before, ctx.prec = ctx.prec, 400
    try:
        at = [arb(float(v)) for v in x]
        step = [b - a for a, b in pairwise(at)]
        D, A = arb_mat(58, 60), arb_mat(58, 58)
        for j in range(58):
            D[j, j], D[j, j + 2] = 1 / step[j], 1 / step[j + 1]
            D[j, j + 1] = -D[j, j] - D[j, j + 2]
            A[j, j] = (step[j] + step[j + 1]) / 3
            if j:
                A[j, j - 1] = A[j - 1, j] = step[j] / 6
        given = arb_mat([[float(v)] for v in y])
        found = given - penalty * D.transpose() * (A + penalty * D * D.transpose()).solve(D * given)
        wanted = np.array([float(found[j, 0].mid()) for j in range(60)])
        assert max(float(found[j, 0].rad()) for j in range(60)) < 1e-20
    finally:
        ctx.prec = before
    assert np.abs(SmoothingSpline(x, y, penalty=penalty).values - wanted).max() < 1e-14


def test_no_neighbour_beats_the_smoothing_spline_and_its_ends_are_known() -> None:
    x, y = UNEVEN
    zeta = "1/(0.1+x**2)**2"
    best = SmoothingSpline(x, y, zeta, penalty=1e-3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = best.values + 1e-3 * rng.normal(size=len(x))
        other = AdaptiveSpline(x, values, zeta)
        assert ((values - y) ** 2).sum() + 1e-3 * float(other.energy) > best.objective
    tight, loose = (SmoothingSpline(x, y, zeta, penalty=p) for p in (1e-14, 1e14))
    assert np.abs(tight(GRID) - AdaptiveSpline(x, y, zeta)(GRID)).max() < 1e-6
    assert np.abs(loose(GRID) - np.polyval(np.polyfit(x, y, 1), GRID)).max() < 1e-9


def test_data_that_no_unit_reaches_leave_a_loss() -> None:
    law = initialisation("binary(1)", "uniform(-1,1)")
    x, y = np.array([-0.5, 2, 3, 4]), np.array([0.0, 0, 1, 0])
    with pytest.raises(DataError, match="lie on no line"):
        raw_data_limit(law, x, y)
    flow = GradientFlow(law, x, y)
    assert 2 * flow.final_loss == pytest.approx(2 / 3)
    limit = flow.at(np.inf)
    assert limit.values == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert flow.at(1e9).values == pytest.approx(limit.values, abs=1e-9)


@pytest.mark.parametrize("time", [-1.0, float("nan")])
def test_times_are_not_negative(time: float) -> None:
    with pytest.raises(DataError, match="at least 0"):
        GradientFlow(initialisation("normal(0,1)", "normal(0,1)"), *EVEN).at(time)
