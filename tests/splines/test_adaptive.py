"""Adaptive natural splines against other routes: kernels, scipy, exact gaps, published data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

from implicitbias.errors import DataError
from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.optimality import optimality
from implicitbias.splines.piecewise_polynomial import PiecewisePolynomial
from implicitbias.splines.points import points
from implicitbias.splines.solution import solve, with_ell
from implicitbias.splines.weight import weight

Array = NDArray[np.float64]

EVEN = ([-2, -1, 0, 1, 2], ["1.5", "0.5", "1.5", "0.5", "1.5"])
UNEVEN = (["-2", "-1.7", "-1.6", ".9", "1.1", "1.3", "2"], ["1.5", "-1.2", ".7", "2.4", ".6", "2.8", "2.5"])
GAP = PiecewisePolynomial.of([-2, -1, 1, 2], [[0], [1], [0], [1], [0]])


def bordered(x: Array, y: Array, zeta: Callable[[float], float], at: float) -> float:
    """The same function by its kernel κ(x, x') = ∫ζ(c)(x - c)₊(x' - c)₊dc bordered by 1 and x: no hats, no panels."""

    def kappa(a: float, b: float) -> float:
        top = min(a, b)
        inner = [float(p) for p in x if x[0] < p < top]
        return float(
            quad(lambda c: zeta(c) * (a - c) * (b - c), x[0], top, points=[0.0, *inner], epsabs=0, epsrel=1e-13)[0]
        )

    n = len(x)
    system = np.zeros((n + 2, n + 2))
    system[:n, :n] = [[kappa(a, b) for b in x] for a in x]
    system[:n, n:] = np.column_stack([np.ones(n), x])
    system[n:, :n] = system[:n, n:].T
    found = np.linalg.solve(system, np.append(y, [0, 0]))
    return float(sum(found[j] * kappa(at, x[j]) for j in range(n)) + found[n] + found[n + 1] * at)


@pytest.mark.parametrize(
    ("text", "zeta"),
    [
        ("1/(0.1+x**2)**2", lambda c: (0.1 + c * c) ** -2),
        ("exp(-x**2)*(1+0.8*sin(3*x))", lambda c: np.exp(-c * c) * (1 + 0.8 * np.sin(3 * c))),
        ("exp(-abs(x))", lambda c: np.exp(-abs(c))),
        ("Max(1-x**2/9, 0.05)", lambda c: max(1 - c * c / 9, 0.05)),
    ],
)
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_the_spline_is_the_bordered_kernel_interpolant(text: str, zeta: Callable[[float], float]) -> None:
    x, y = (np.array([float(Fraction(v)) for v in column]) for column in UNEVEN)
    spline = AdaptiveSpline(x, y, text)
    for at in (-1.83, -1.64, -0.4, 0.3, 1.19, 1.7):
        assert spline(at) == pytest.approx(bordered(x, y, zeta, at), rel=2e-9, abs=2e-9)
    assert spline.optimality().holds


def test_a_constant_weight_gives_the_natural_cubic_spline_of_scipy() -> None:
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(-3, 3, 40)), rng.normal(size=40)
    ours, theirs = AdaptiveSpline(x, y, 0.25), CubicSpline(x, y, bc_type="natural")
    grid = np.linspace(x[0], x[-1], 1001)
    size = np.abs(theirs(grid)).max()
    assert np.abs(ours(grid) - theirs(grid)).max() < 1e-11 * size
    assert np.abs(ours.derivative(grid, 1) - theirs(grid, 1)).max() < 1e-10 * np.abs(theirs(grid, 1)).max()
    assert np.abs(ours.derivative(grid, 2) - theirs(grid, 2)).max() < 1e-9 * np.abs(theirs(grid, 2)).max()


def test_doubles_and_fractions_agree_and_fractions_are_exact() -> None:
    hole = PiecewisePolynomial.of(["-1/2", "1/2"], [[1], [0], [1, 1]])
    for zeta in (1, "1+x**2/3", hole):
        exact, doubles = AdaptiveSpline(*EVEN, zeta), AdaptiveSpline(*EVEN, zeta, exact=False)
        assert exact.is_exact
        assert not doubles.is_exact
        for at in (Fraction(-7, 3), Fraction(-8, 5), Fraction(1, 7), Fraction(9, 4)):
            for order in (0, 1, 2):
                assert doubles.derivative(at, order) == pytest.approx(float(exact.derivative(at, order)), abs=1e-12)
        certificate = exact.optimality()
        assert certificate.holds
        assert (certificate.interpolation, certificate.slope_jump, certificate.curvature, certificate.gap) == (0,) * 4


def test_even_data_have_the_hand_computed_natural_spline() -> None:
    s = AdaptiveSpline(*EVEN)
    assert s.ell == (0, Fraction(30, 7), Fraction(-36, 7), Fraction(30, 7), 0)
    assert s.energy == Fraction(192, 7)
    adjustment = s.uv()
    assert (adjustment.u, adjustment.v) == (0, Fraction(-27, 14))


def test_a_gap_in_the_weight_is_crossed_by_a_straight_line_that_meets_both_sides_smoothly() -> None:
    s = AdaptiveSpline([-2, -1, 1, 2], [0, 1, 0, 1], GAP)
    assert s.energy == Fraction(27, 2)
    assert s(Fraction(-3, 2)) == Fraction(25, 32)
    assert s.derivative(Fraction(0)) == Fraction(-1, 2) == s.derivative(Fraction(-1)) == s.derivative(Fraction(1))
    numeric = AdaptiveSpline(
        [-2, -1, 1, 2], [0, 1, 0, 1], lambda c: np.where((np.abs(c) > 1) & (np.abs(c) < 2), 1.0, 0)
    )
    assert numeric.energy == pytest.approx(13.5, rel=1e-13)
    assert numeric(-1.5) == pytest.approx(25 / 32, rel=1e-13)


def test_one_datum_on_each_side_of_the_support_is_reached_by_straight_lines() -> None:
    s = AdaptiveSpline([-2, 0, 2], [1, 0, 1], PiecewisePolynomial.of([-1, 1], [[0], [1], [0]]))
    assert s.derivative(Fraction(3, 2), 2) == 0
    assert s.derivative(Fraction(1)) == s.derivative(Fraction(2))
    assert s(2) == 1
    assert s.optimality().holds


@pytest.mark.parametrize("exact", [True, False])
def test_data_that_turn_where_no_unit_bends_are_refused(exact: bool) -> None:
    support = PiecewisePolynomial.of([-1, 1], [[0], [1], [0]])
    with pytest.raises(DataError, match="lie on no line"):
        AdaptiveSpline([Fraction(-1, 2), 2, 3, 4], [0, 0, 1, 0], support, exact=exact)
    straight = AdaptiveSpline([Fraction(-1, 2), 2, 3, 4], ["0", "0.1", "0.2", "0.3"], support, exact=exact)
    assert float(straight(3.5)) == pytest.approx(0.25, abs=1e-14)


def test_a_wrong_ell_or_wrong_ends_fail_the_certificate() -> None:
    right = solve(points(*UNEVEN), weight("1/(1+x**2)**2"))
    assert optimality(right).holds
    for change in (np.array([0, 0, 1e-6, 0, 0, 0, 0]), np.array([1e-6, 0, 0, 0, 0, 0, 0])):
        assert not optimality(with_ell(right, right.ell + change * np.abs(right.ell).max())).holds
    assert not optimality(replace(right, ell=right.ell * (1 + 1e-6))).holds


def test_a_narrow_peak_is_found() -> None:
    width = 1e-4
    s = AdaptiveSpline([-1, 0, 1], [1, 0, 1], lambda c: np.exp(-((c / width) ** 2) / 2) + 1e-30, breaks=[0])
    # ζ acts as a point mass at the middle datum, where the spline has then a kink of size 2
    assert s(0.5) == pytest.approx(0.5, abs=1e-3)
    assert s.end_slopes[1] == pytest.approx(1, abs=1e-3)


def test_inside_a_peak_that_no_datum_resolves_the_spline_has_its_digits() -> None:
    import mpmath

    with mpmath.workdps(30):
        s = AdaptiveSpline([-1, 0, 1], [1, 0, 1], "1/(0.0001+x**2)**2")
        assert s.optimality().holds
        curve = solve(points([-1, 0, 1], [1, 0, 1]), weight("1/(0.0001+x**2)**2")).curve

        def zeta(c: mpmath.mpf) -> mpmath.mpf:
            return (1 - c) / (mpmath.mpf(1) / 10**4 + c**2) ** 2

        pieces = [0, 0.002, 0.01, 0.03, 0.1, 0.4, 1]
        ell = 1 / mpmath.quad(lambda c: (1 - c) * zeta(c), pieces)
        for at in (0.002, 0.01, 0.1):
            value = ell * mpmath.quad(lambda c, at=at: (at - c) * zeta(c), [p for p in pieces if p <= at])
            bend = ell * zeta(mpmath.mpf(at))
            assert s(at) == pytest.approx(float(value), rel=1e-11)
            assert s.derivative(at, 2) == pytest.approx(float(bend), rel=1e-11)
            assert float(curve(np.array(at), 2)) == pytest.approx(float(bend), rel=1e-10)


@given(st.integers(0, 10**6), st.floats(0.1, 10), st.floats(-3, 3), st.floats(0.2, 5))
@settings(max_examples=30)
def test_the_spline_does_not_see_the_scale_of_the_weight_and_moves_with_the_data(
    seed: int, factor: float, shift: float, stretch: float
) -> None:
    rng = np.random.default_rng(seed)
    x, y = np.cumsum(rng.uniform(0.2, 1, 7)), rng.normal(size=7)
    at = np.linspace(x[0] - 1, x[-1] + 1, 50)
    first = AdaptiveSpline(x, y, lambda c: 1 / (1 + (c - 2) ** 2) ** 2)
    moved = AdaptiveSpline(
        stretch * x + shift, y + 2 * x - 1, lambda c: factor / (1 + ((c - shift) / stretch - 2) ** 2) ** 2
    )
    scale = 1 + np.abs(first(at)).max()
    assert np.abs(moved(stretch * at + shift) - (first(at) + 2 * at - 1)).max() < 1e-10 * scale
    reflected = AdaptiveSpline(-x[::-1], y[::-1], lambda c: 1 / (1 + (-c - 2) ** 2) ** 2)
    assert np.abs(reflected(-at) - first(at)).max() < 1e-10 * scale


@pytest.mark.parametrize(
    ("x", "y", "zeta", "words"),
    [
        ([0], [1], 1, "at least 2 points"),
        ([0, 0], [1, 2], 1, "x repeats"),
        ([1, 0], [1, 2], 1, "x must increase"),
        ([0, float("nan")], [1, 2], 1, "finite"),
        ([0, 1, 2], [1, 2], 1, "as many y"),
        ([0, 1], [1, 2], 0, "positive"),
        ([0, 1], [1, float("inf")], 1, "finite"),
        ([-1, 1], [1, 2], "x", "at least 0"),
        ([-1, 0, 1], [1, 2, 1], "x", "at least 0"),
        ([-1, 0, 1], [1, 2, 1], "log(x+3)/0", "finite"),
        ([0, 1], [1, 2], object(), "ζ is given by"),
    ],
)
def test_bad_data_are_refused_with_the_reason(x: list[float], y: list[float], zeta: object, words: str) -> None:
    with pytest.raises(DataError, match=words):
        AdaptiveSpline(x, y, zeta)


def test_many_points_in_linear_time() -> None:
    x = np.sort(np.random.default_rng(0).uniform(-2, 2, 20_000))
    s = AdaptiveSpline(x, np.sin(3 * x), "1/(0.1+x**2)**2")
    assert s.optimality().holds
    assert np.abs(s(x) - np.sin(3 * x)).max() < 1e-14
