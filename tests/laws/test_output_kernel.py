"""The kernel of the output layer: closed forms, quadrature, and the integral over kinks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.laws.joint import from_sides
from implicitbias.laws.joint.build import initialisation
from implicitbias.laws.joint.output_kernel import arc_cosine, of_independent

POINTS = [(-2.0, -1.7), (0.5, -1.0), (2.0, 2.0), (0.0, 0.0), (0.3, 0.3000001), (-40.0, 3.0)]


def polynomial(x: Fraction, other: Fraction) -> Fraction:
    """W ~ U(-1,1), B ~ U(-2,2), |x|, |x'| <= 2, integrated by hand."""
    low, high, gap = min(x, other) + 2, 2 - max(x, other), abs(x - other)
    ends = low**3 / 3 + gap * low**2 / 2 + high**3 / 3 + gap * high**2 / 2
    return ends / 32 + x * other / 24 + Fraction(1, 2)


@pytest.mark.parametrize(("x", "other"), [("-2", "-1.7"), ("1/2", "-1"), ("2", "2"), ("0", "1.25")])
def test_uniform_laws_have_a_polynomial_kernel(x: str, other: str) -> None:
    made = initialisation("uniform(1)", "uniform(2)")
    expected = float(polynomial(Fraction(x), Fraction(other)))
    assert made.kernel(float(Fraction(x)), float(Fraction(other))) == pytest.approx(expected, rel=1e-14)


def test_normal_laws_have_the_arc_cosine_kernel() -> None:
    made = initialisation("normal(0,1.5)", "normal(0,0.5)")
    for x, other in POINTS:
        by_quadrature = of_independent(made.weight, made.bias, x, other)  # type: ignore[attr-defined]
        assert made.kernel(x, other) == pytest.approx(by_quadrature, rel=1e-13)


def test_the_arc_cosine_kernel_at_angles_that_are_known() -> None:
    """At a right angle it is 1/(2 pi) times the lengths, in one direction half the square, opposite zero."""
    assert arc_cosine(np.eye(2), 1.0, -1.0) == pytest.approx(2 / (2 * np.pi))
    assert arc_cosine(np.eye(2), 1.0, 1.0) == pytest.approx(1.0)
    assert arc_cosine(np.diag([1.0, 1e-18]), 3.0, -2.0) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    "made",
    [
        initialisation("normal(0.5,1)", "uniform(-1,2)"),
        initialisation("exponential(1)", "laplace(0,1)"),
        initialisation("correlated_normal(1.5,0.7,0.6)"),
        initialisation("correlated_normal(1.5,0.7,-0.6,1,-2)"),
        initialisation("bivariate_t(5,2,1/3,0.9)"),
        initialisation("binary(2)", "normal(1,1)"),
    ],
    ids=str,
)
def test_the_kernel_is_an_integral_of_zetas_sides(made) -> None:  # type: ignore[no-untyped-def]
    """∫_(-oo)^min zeta_+(c)(x-c)(x'-c) dc + ∫_max^oo zeta_-(c)(x-c)(x'-c) dc shares nothing with the closed forms."""
    for x, other in ((0.5, -1.0), (1.0, 1.0), (0.0, 2.5)):
        assert made.kernel(x, other) == pytest.approx(
            float(from_sides.kernel(made.sides, made.kinks, x, other)), rel=1e-8
        )


def test_the_second_difference_of_the_kernel_is_zeta_on_the_diagonal() -> None:
    """d²/dx² d²/dx'² K = zeta(x) delta(x - x'): summed over a bump the fourth difference gives zeta."""
    made = initialisation("normal(0,1)", "uniform(-2,2)")
    step = 1e-2
    stencil = np.array([1.0, -2.0, 1.0])
    for x in (0.3, -1.1):
        row = x + step * np.arange(-1, 2)
        grid = made.kernel(row[:, None], row[None, :])
        # the hat of width `step` has square integral 2 step/3
        assert stencil @ grid @ stencil / step**3 == pytest.approx(made.zeta(x) * 2 / 3, rel=2e-3)


def test_the_kernel_broadcasts_its_two_arguments() -> None:
    x = np.linspace(-1, 1, 4)
    assert initialisation("normal(0,1)", "uniform(2)").kernel(x[:, None], x[None, :3]).shape == (4, 3)
    assert initialisation("circle(1)").kernel(x, 0.5).shape == (4,)
