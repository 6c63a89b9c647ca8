"""The sphere, the bump of (38) and its dual function, against independent quadrature and known values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy import integrate, special

from implicitbias.exact.enclosure import Number, lower, upper
from implicitbias.exact.symbolic import evaluate_at
from implicitbias.theory.observed.functions import bump, bump_far, hessian_growth, sphere
from implicitbias.theory.savarese2019 import appendix_d, claim_5_2_fit, claim_5_2_minimal, section_5

DIMENSIONS = (2, 3, 4, 5, 7)


def directly(d: int, rho: float) -> float:
    """h at radius ρ: the hat averaged over w_1, whose density comes from the Beta law of w_1², not from angles."""
    law = special.beta(0.5, (d - 1) / 2)
    width = min(1.0, 1 / rho)
    mean = integrate.quad(
        lambda t: (1 - rho * t) * (1 - t * t) ** ((d - 3) / 2) * 2 / law,
        0,
        width,
        epsabs=1e-12,
    )[0]
    return float(mean * 2 * math.pi ** (d / 2) / math.gamma(d / 2))


def middle(number: Number) -> float:
    return float(lower(number))


@pytest.mark.parametrize("n", range(8))
def test_areas_and_volumes_are_those_of_the_gamma_function(n: int) -> None:
    assert (
        sympy.simplify(
            sphere.area(n) - 2 * sympy.pi ** sympy.Rational(n + 1, 2) / sympy.gamma(sympy.Rational(n + 1, 2))
        )
        == 0
    )
    assert sympy.simplify(sphere.ball_volume(n + 1) - sphere.area(n) / (n + 1)) == 0


def test_moments_agree_with_random_directions() -> None:
    rng = np.random.default_rng(4)
    w = rng.normal(size=(200_000, 3))
    w /= np.linalg.norm(w, axis=1)[:, None]
    for powers in ((2, 0, 0), (2, 2, 0), (4, 0, 2)):
        sampled = 4 * math.pi * np.prod(w ** np.array(powers), axis=1).mean()
        assert sampled == pytest.approx(float(sphere.moment(powers)), rel=0.02)
    assert sphere.moment((1, 2, 0)) == 0


@pytest.mark.parametrize("d", DIMENSIONS)
def test_the_bump_agrees_with_the_law_of_one_coordinate(d: int) -> None:
    for rho in (0.25, 0.75, 1.25, 4.0, 20.0):
        assert middle(bump.enclosed(d, Fraction(rho))) == pytest.approx(directly(d, rho), rel=1e-8)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_the_exact_bump_lies_in_its_enclosure_and_has_no_jump_at_the_unit_sphere(d: int) -> None:
    s, rho = bump.s_symbol(), sympy.Symbol("rho", positive=True)
    enclosed = bump.enclosed(d, Fraction(5, 4))
    exact = evaluate_at(bump.outside(d), {"s": Fraction(3, 4)})
    assert max(enclosed.lower, exact.lower) <= min(enclosed.upper, exact.upper)
    assert enclosed.width < Fraction(1, 2**200)
    at_one = sympy.limit(bump.outside(d), s, 0, "+")
    assert sympy.simplify(at_one - bump.inside(d).subs(rho, 1)) == 0


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_derivatives_agree_with_differences_of_the_bump(d: int) -> None:
    step, at = Fraction(1, 2**40), Fraction(5, 4)
    before, here, after = (bump.enclosed(d, at + k * step).lower for k in (-1, 0, 1))
    slope, curvature = (middle(evaluate_at(bump.in_s(d, k), {"s": Fraction(3, 4)})) for k in (1, 2))
    assert float((after - before) / (2 * step)) == pytest.approx(slope, rel=1e-9)
    assert float((after - 2 * here + before) / step**2) == pytest.approx(curvature, rel=1e-9)


@pytest.mark.parametrize(("d", "r", "value"), [(2, 10, 75.1816659184), (2, 100, 78.5798388541), (3, 10, 806.17616)])
def test_the_hessian_integral_has_the_values_of_another_quadrature(d: int, r: int, value: float) -> None:
    assert middle(hessian_growth.enclosed_integral(d, Fraction(r))) == pytest.approx(value, rel=1e-7)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_hessian_integral_agrees_with_finite_differences_of_the_bump(d: int) -> None:
    """Nuclear norm |h''| + (d-1)|h'|/ρ from differences of quadrature values, integrated over 1.5 < ρ < 3."""

    def density(rho: float) -> float:
        at, step = Fraction(rho), Fraction(1, 2**30)
        values = [bump.enclosed(d, at + k * step).lower for k in (-1, 0, 1)]
        slope = float((values[2] - values[0]) / (2 * step))
        curvature = float((values[2] - 2 * values[1] + values[0]) / step**2)
        return (abs(curvature) + (d - 1) * abs(slope) / rho) * rho ** (d - 1)

    nodes, weights = np.polynomial.legendre.leggauss(12)
    shell = sum(w * density(2.25 + 0.75 * x) for x, w in zip(nodes, weights, strict=True)) * 0.75
    shell *= 2 * math.pi ** (d / 2) / math.gamma(d / 2)
    outer, inner = (middle(hessian_growth.enclosed_integral(d, Fraction(r))) for r in (Fraction(3), Fraction(3, 2)))
    assert shell == pytest.approx(outer - inner, rel=1e-8)


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("rho", [Fraction(17, 16), Fraction(3), Fraction(1000)])
def test_the_bump_by_its_hat_is_the_sum_of_its_three_units(d: int, rho: Fraction) -> None:
    one, other = bump_far.directional(d, rho, 0), bump.enclosed(d, rho)
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)
    assert one.width < Fraction(1, 2**120)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("order", [1, 2])
def test_directional_derivatives_hold_those_of_the_exact_bump(d: int, order: int) -> None:
    found = bump_far.directional(d, Fraction(5, 4), order)
    exact = evaluate_at(bump.in_s(d, order), {"s": Fraction(3, 4)})
    assert found.lower <= lower(exact) <= upper(exact) <= found.upper
    across = bump_far.directional(d, Fraction(5, 4), 2, 0)
    by_slope = evaluate_at(bump.in_s(d, 1), {"s": Fraction(3, 4)})
    assert middle(across) == pytest.approx(middle(by_slope) / 1.25, rel=1e-12)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_what_is_enclosed_far_out_holds_at_a_larger_radius(order: int) -> None:
    radius = 2**59
    for d, c in ((2, 1), (4, Fraction(3, 5)), (7, 0)):
        there, enclosed = bump_far.directional(d, radius, order, c), bump_far.far_out(d, order, c)
        assert enclosed.lower <= there.lower * radius ** (order + 1) <= enclosed.upper


def test_the_bound_of_the_bump_holds_on_circles_in_the_complex_plane() -> None:
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for d in (2, 5, 8):
        for size in (1.25, 2.0, 9.0):
            rho = size * np.exp(2j * np.pi * np.arange(16) / 16)
            end = np.arcsin(1 / rho)[:, None]
            tilts = end * (nodes + 1) / 2
            values = (weights * end / 2 * (1 - rho[:, None] * np.sin(tilts)) * np.cos(tilts) ** (d - 2)).sum(axis=1)
            area = 2 * math.pi ** ((d - 1) / 2) / math.gamma((d - 1) / 2)
            assert np.abs(2 * area * values).max() <= float(bump_far.largest(d, size, size))


def test_caps_have_the_areas_of_the_beta_law() -> None:
    import flint

    for d in DIMENSIONS:
        for t in (-0.5, 0.0, 0.75):
            share = special.betainc((d - 1) / 2, (d - 1) / 2, (1 - t) / 2)
            whole = 2 * math.pi ** (d / 2) / math.gamma(d / 2)
            assert float(appendix_d.cap(d, flint.arb(t))) == pytest.approx(share * whole, rel=1e-12)


def test_a_tent_of_units_has_the_tent_for_second_derivative() -> None:
    shape = (Fraction(-1), Fraction(1, 2), Fraction(3), Fraction(2))
    for t in (Fraction(-2), Fraction(-1, 4), Fraction(1), Fraction(5)):
        h = Fraction(1, 100)
        values = [section_5.tent_of_units(shape, t + k * h) for k in (-1, 0, 1)]
        assert (values[0] - 2 * values[1] + values[2]) / h**2 == section_5.tent(shape, t)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_dual_function_meets_a_unit_as_its_profile_says(d: int) -> None:
    """P(b) = ∫φ(x)[x_1+b]_+ dx over the ball of radius 2, integrated in polar coordinates."""
    powers = {float(k): float(c) for k, c in claim_5_2_minimal.test_function(d).items()}
    equator = 2 * math.pi ** ((d - 1) / 2) / math.gamma((d - 1) / 2)
    shape, _ = claim_5_2_minimal.dual_profile(d)
    profile = sympy.lambdify(sympy.Symbol("z"), shape)
    nodes, weights = np.polynomial.legendre.leggauss(160)
    rho = (nodes + 1)[:, None]
    phi_values = sum(c * (1 - rho**2 / 4) ** k for k, c in powers.items())
    for b in (-1.5, -1.0, 0.0, 0.3, 1.0, 1.9):
        on = np.arccos(np.clip(-b / rho, -1, 1))  # the unit is active at smaller angles
        angle = on * (nodes + 1) / 2
        mass = weights[:, None] * (weights * on / 2) * equator * rho ** (d - 1) * np.sin(angle) ** (d - 2)
        met = float((phi_values * (rho * np.cos(angle) + b) * mass).sum())
        assert met == pytest.approx(float(profile(b * b / 4)), abs=1e-3)


def test_a_dual_profile_that_exceeds_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    z = sympy.Symbol("z")
    claim_5_2_minimal.stays_within_one.cache_clear()
    monkeypatch.setattr(claim_5_2_minimal, "dual_profile", lambda d: ((1 - z) ** 4 * (-1 + 40 * z), 4))
    assert not claim_5_2_minimal.stays_within_one(3)
    claim_5_2_minimal.stays_within_one.cache_clear()


@pytest.mark.parametrize(
    ("matrix", "positive"),
    [([[2, 1], [1, 2]], 2), ([[1, 2], [2, 1]], 1), ([[-1, 0], [0, -2]], 0), ([[2, -1, 0], [-1, 2, -1], [0, -1, 2]], 3)],
)
def test_pivots_count_the_positive_eigenvalues(matrix: list[list[int]], positive: int) -> None:
    import flint

    found, certain, _ = claim_5_2_fit.positive_pivots([[flint.arb(a) for a in row] for row in matrix])
    assert (found, certain) == (positive, True)
    assert positive == int((np.linalg.eigvalsh(np.array(matrix, dtype=float)) > 0).sum())


def test_a_singular_matrix_leaves_the_sign_of_a_pivot_open() -> None:
    import flint

    third = flint.arb(1) / 3
    _, certain, _ = claim_5_2_fit.positive_pivots([[third, third], [third, third]])
    assert not certain
