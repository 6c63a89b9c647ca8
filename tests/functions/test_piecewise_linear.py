"""Piecewise-linear functions: exact arithmetic held against pointwise evaluation, and against other engines."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from tests.support.few_fractions import few_fractions

numbers = few_fractions(-5, 5, 6)
places = st.lists(few_fractions(-12, 12, 12), min_size=1, max_size=6)


@st.composite
def functions(draw: st.DrawFn) -> PiecewiseLinear:
    knots = sorted(draw(st.sets(numbers, min_size=1, max_size=6)))
    values = [draw(numbers) for _ in knots]
    return PiecewiseLinear(knots, values, draw(numbers), draw(numbers))


@settings(max_examples=40)
@given(functions(), functions(), numbers, places)
def test_algebra_agrees_with_pointwise_arithmetic(
    f: PiecewiseLinear, g: PiecewiseLinear, a: Fraction, xs: list[Fraction]
) -> None:
    for x in xs:
        assert (f + g)(x) == f(x) + g(x)
        assert (f - g)(x) == f(x) - g(x)
        assert (a * f + 1)(x) == a * f(x) + 1
        assert (2 - f / 3)(x) == 2 - f(x) / 3
        assert f.maximum(g)(x) == max(f(x), g(x))
        assert f.minimum(a)(x) == min(f(x), a)
        assert abs(f)(x) == abs(f(x))
        assert f.positive_part()(x) == max(f(x), 0)
        assert f.after(g)(x) == f(g(x))
        assert f.shifted(a)(x) == f(x - a)
        assert f.scaled(a)(x) == f(a * x)
        assert f.reflected()(x) == f(-x)
        assert f.refined(xs)(x) == f(x)


@given(functions(), places)
def test_the_same_function_is_equal_however_it_is_written(f: PiecewiseLinear, xs: list[Fraction]) -> None:
    refined = f.refined(xs)
    assert refined == f
    assert hash(refined) == hash(f)
    assert f.simplified() == f
    assert len(f.simplified().knots) == max(1, len(f.kinks))
    assert refined.total_variation == f.total_variation
    assert f + Fraction(1, 10**30) != f
    assert f - f == PiecewiseLinear.affine(0, 0)


@given(functions())
def test_kinks_left_slope_and_one_value_determine_the_function(f: PiecewiseLinear) -> None:
    assert PiecewiseLinear.from_kinks(reversed(f.kinks), f.left_slope, at=f.knots[0], value=f.values[0]) == f


@given(functions())
def test_slope_differences_far_out_give_total_variation_and_end_slope_sum(f: PiecewiseLinear) -> None:
    # Another way to T: the variation of difference quotients on a grid that contains every knot.
    grid = sorted({*f.knots, *(Fraction(k) for k in range(-8, 9))})
    quotients = [(f(b) - f(a)) / (b - a) for a, b in pairwise(grid)]
    assert f.total_variation == sum(abs(b - a) for a, b in pairwise(quotients))
    assert f.end_slope_sum == quotients[0] + quotients[-1]


@settings(max_examples=40)
@given(functions(), functions())
def test_total_variation_is_a_seminorm_that_ignores_affine_terms(f: PiecewiseLinear, g: PiecewiseLinear) -> None:
    assert (f + g).total_variation <= f.total_variation + g.total_variation
    assert (-3 * f).total_variation == 3 * f.total_variation
    assert (f + PiecewiseLinear.affine(7, 1)).total_variation == f.total_variation
    assert f.shifted(2).total_variation == f.total_variation


@given(functions(), numbers, numbers)
def test_the_integral_is_that_of_the_trapezoidal_rule_on_a_fine_grid(
    f: PiecewiseLinear, a: Fraction, b: Fraction
) -> None:
    grid = np.linspace(float(a), float(b), 20_001)
    assert abs(float(f.integral(a, b)) - np.trapezoid(f(grid), grid)) < 1e-3
    assert f.integral(b, a) == -f.integral(a, b)


@given(functions(), places)
def test_floats_and_arrays_agree_with_exact_values(f: PiecewiseLinear, xs: list[Fraction]) -> None:
    array = f(np.array([[float(x) for x in xs]]))
    assert array.shape == (1, len(xs))
    for x, y in zip(xs, array[0], strict=True):
        assert abs(y - f(x)) < 1e-12 * (1 + sum(map(abs, f.slopes)) * 20 + max(map(abs, f.values)))
        assert f(float(x)) == y


def test_derivatives_are_one_sided_at_kinks() -> None:
    f = PiecewiseLinear([0, 1], [0, 1], -1, 1)
    assert (f.derivative(-3), f.derivative(0, "left"), f.derivative(0, "right"), f.derivative(1)) == (-1, -1, 1, 1)
    with pytest.raises(DataError, match="kink at x=0: f' is -1 on its left, 1 on its right"):
        f.derivative(0)


def test_variation_between_leaves_out_kinks_at_the_ends() -> None:
    f = PiecewiseLinear.from_kinks([(0, 1), (1, -2), (2, 4)], left_slope=0)
    assert f.variation_between(0, 2) == 2
    assert f.variation_between(-1, 3) == 7
    assert f.variation_between(Fraction(1, 4), Fraction(1, 2)) == 0


def test_asymptotes_are_the_lines_at_both_ends() -> None:
    assert PiecewiseLinear([1, 2], [5, 7], -1, 3).asymptotes == ((-1, 6), (3, 1))


def test_points_continue_with_their_end_pieces_unless_slopes_are_given() -> None:
    spline = PiecewiseLinear.from_points(["0.1", "0.3", 1], [0, 1, "1/2"])
    assert (spline.left_slope, spline.right_slope) == (5, Fraction(-5, 7))
    assert spline.slopes == (5, 5, Fraction(-5, 7), Fraction(-5, 7))
    assert PiecewiseLinear.from_points([0, 1], [0, 1], right_slope=7)(2) == 8
    assert PiecewiseLinear.from_points([3], [4]) == PiecewiseLinear.affine(0, 4)


def test_numbers_are_taken_exactly() -> None:
    assert PiecewiseLinear(["0.1"], [0.1], 0, 0).values != PiecewiseLinear(["0.1"], ["0.1"], 0, 0).values
    assert PiecewiseLinear(np.array([2**60 + 1]), [0], 1, 1).knots == (2**60 + 1,)


@pytest.mark.parametrize(
    ("knots", "values", "says"),
    [
        ([], [], "at least one knot"),
        ([0, 1], [0], "2 knots, 1 values"),
        ([0, 1, 1], [0, 0, 0], r"knots\[1\]=1 is not below knots\[2\]=1"),
        ([0, -1], [0, 0], r"knots\[0\]=0 is not below knots\[1\]=-1"),
        ([0, float("nan")], [0, 0], r"knots\[1\]: expected a finite number"),
        ([0], ["x"], r"values\[0\]: 'x' is not a number"),
    ],
)
def test_bad_input_is_refused_with_its_place(knots: list[float], values: list[float | str], says: str) -> None:
    with pytest.raises(DataError, match=says):
        PiecewiseLinear(knots, values, 0, 0)


def test_huge_values_are_exact_and_say_so_when_doubles_cannot_hold_them() -> None:
    f = PiecewiseLinear([0], [10**400], 1, 1)
    assert f(Fraction(1)) == 10**400 + 1
    with pytest.raises(DataError, match=r"exceeds 1\.8e308"):
        f(1.0)


def test_thirty_thousand_knots_with_unrelated_gaps_take_seconds() -> None:
    rng = np.random.default_rng(0)
    knots = np.cumsum(rng.integers(1, 10**6, 30_000))
    values = rng.integers(-(10**6), 10**6, 30_000)
    started = time.process_time()
    f = PiecewiseLinear.from_points(knots, values)
    T = f.total_variation
    assert time.process_time() - started < 20
    slopes = np.diff(values) / np.diff(knots)
    assert float(T) == pytest.approx(np.abs(np.diff(slopes)).sum(), rel=1e-9)
    assert f(knots[1::2] / 1.0) == pytest.approx(values[1::2])
