"""Beyond the contract tests: whether the exact observations of jin2021 compute what they say."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.interpolate import CubicSpline

from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.theory.jin2021.training_data import floor
from implicitbias.theory.observed.data.draws import FOUR, UNEVEN, ZIGZAG
from implicitbias.theory.observed.wide.exact_laws import (
    Rectangle,
    area,
    binary,
    clip,
    rectangle_kernel,
    slab,
    slab_kernel,
    uniform,
)
from implicitbias.theory.observed.wide.interpolants import (
    regression_line,
    trained,
    trained_with_free_line,
)
from implicitbias.theory.observed.wide.weighted_spline import constant, pieces, weight_of, weighted_spline

fractions = st.fractions(min_value=-3, max_value=3, max_denominator=8)


@pytest.mark.parametrize(("x", "z"), [(0.5, -1.0), (2.0, 2.0), (-1.7, 0.3), (3.0, -0.4)])
def test_the_kernel_of_a_rectangle_is_its_double_integral(x, z):
    law = Rectangle(Fraction(-1), Fraction(2), Fraction(-3), Fraction(1))
    kernel = rectangle_kernel(law)
    value, _ = dblquad(lambda b, w: max(w * x + b, 0) * max(w * z + b, 0) / 12, -1, 2, -3, 1, epsabs=1e-7)
    assert float(kernel(Fraction(x), Fraction(z))) == pytest.approx(value, abs=1e-5)


def test_the_kernel_of_the_uniform_law_has_its_known_values():
    kernel = rectangle_kernel(uniform(1, 2))
    assert kernel(-2, Fraction(-17, 10)) == Fraction(236827, 192000)
    assert kernel(2, 2) == Fraction(4, 3)


@given(fractions, fractions)
def test_kernels_of_slabs_agree_with_sums_over_many_biases(x, z):
    law = (slab("1/3", 2, -5, 4), slab("2/3", -1, -2, 3))
    b = (np.arange(4000) + 0.5) / 4000
    total = 0.0
    for s in law:
        biases = float(s.low) + float(s.high - s.low) * b
        w = float(s.w)
        total += float(s.probability) * np.mean(
            np.maximum(w * float(x) + biases, 0) * np.maximum(w * float(z) + biases, 0)
        )
    assert float(slab_kernel(law)(x, z)) == pytest.approx(total, abs=1e-4)


@given(fractions, fractions, fractions)
def test_a_line_cuts_a_rectangle_into_parts_that_make_up_the_whole(p, q, r):
    corners = uniform(1, 2).corners
    parts = clip(corners, p, q, r), clip(corners, -p, -q, -r)
    total = sum(area(part) for part in parts if part)
    assert total == 8 or p == q == 0


@pytest.mark.parametrize("data", [ZIGZAG, FOUR, UNEVEN])
def test_the_spline_of_constant_weight_is_the_natural_cubic_spline(data):
    s = weighted_spline(data.x, data.y, constant(3))
    oracle = CubicSpline([float(v) for v in data.x], [float(v) for v in data.y], bc_type="natural")
    for z in np.linspace(float(data.x[0]), float(data.x[-1]), 23):
        assert float(s(Fraction(float(z)))) == pytest.approx(float(oracle(z)), abs=1e-11)


@pytest.mark.parametrize("data", [ZIGZAG, FOUR, UNEVEN])
def test_splines_of_stepped_weights_agree_with_the_package(data):
    knots, values = (-2, 0, 1, 2), ("1", "3", "1/2")
    s = weighted_spline(data.x, data.y, pieces(list(knots), list(values)))

    def zeta(x):
        return np.select([x < 0, x < 1], [1.0, 3.0], 0.5)

    other = AdaptiveSpline([float(v) for v in data.x], [float(v) for v in data.y], zeta, breaks=(0.0, 1.0))
    assert float(s.energy) == pytest.approx(float(other.energy), rel=1e-9)
    assert [float(v) for v in s.end_slopes] == pytest.approx([float(v) for v in other.end_slopes], rel=1e-8)


def test_the_exact_infinite_width_of_figure_1_has_its_known_numbers():
    kernel = rectangle_kernel(uniform(1, 2))
    found = trained_with_free_line(kernel, ZIGZAG.x, ZIGZAG.y)
    assert (found.u, found.v) == (0, Fraction(-27, 14))
    assert found.cost == Fraction(192, 7) * 16
    raw = trained(kernel, ZIGZAG.x, ZIGZAG.y)
    assert raw(Fraction(-3, 2)) - found(Fraction(-3, 2)) == Fraction(405, 46592)


def test_regression_leaves_more_error_than_raw_data_on_the_points_of_figure_1():
    kernel = rectangle_kernel(uniform(1, 2))
    slope, intercept = regression_line(ZIGZAG.x, ZIGZAG.y)
    assert (slope, intercept) == (0, Fraction(11, 10))
    adjusted = floor(kernel, ZIGZAG.x, ZIGZAG.y, slope, intercept)
    raw = floor(kernel, ZIGZAG.x, ZIGZAG.y, Fraction(0), Fraction(0))
    assert float(adjusted) == pytest.approx(0.0147, abs=2e-4)
    assert float(raw) == pytest.approx(0.0094, abs=2e-4)


def test_kinks_of_one_sign_carry_the_weight_where_the_other_has_none():
    weight = weight_of((slab("1/2", 1, -1, 3), slab("1/2", -1, -1, 3)))
    assert weight.knots == (-3, -1, 1, 3)
    assert weight.plus == (Fraction(1, 8), Fraction(1, 8), 0)
    assert weight.minus == (0, Fraction(1, 8), Fraction(1, 8))
    assert weight_of(binary(2))(0) == Fraction(1, 4)
