"""Second derivatives from values: the observations behind the claims of Section 4."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.vectors import relu
from implicitbias.theory.observed.data.datasets import by_hand, random_batch
from implicitbias.theory.observed.units.slope_jumps import end_lines, jump
from implicitbias.theory.savarese2019.equation_30 import linear_spline, spline_dual

places = st.integers(-20, 20)
weights = st.integers(-9, 9)


@given(weights, weights, places)
def test_the_jump_at_a_kink_is_the_difference_of_the_slopes(left: int, right: int, at: int) -> None:
    def f(x: Fraction) -> Fraction:
        return left * min(x - at, Fraction(0)) + right * max(x - at, Fraction(0))

    assert jump(f, Fraction(at), Fraction(1, 3)) == right - left
    assert jump(f, Fraction(at + 1), Fraction(1, 3)) == 0


@given(weights, places, places)
def test_the_end_lines_are_those_of_the_far_units(w: int, b: int, c: int) -> None:
    left, right = end_lines(lambda x: relu(w * x + b) + c)
    slope_left, slope_right = min(w, 0), max(w, 0)
    assert left == (slope_left, c + (b if w < 0 else max(b, 0) if w == 0 else 0))
    assert right == (slope_right, c + (b if w > 0 else max(b, 0) if w == 0 else 0))


def test_the_dual_vector_tests_every_affine_function_with_zero_and_the_spline_with_its_variation() -> None:
    for data in (*by_hand(), *random_batch(3, 12)):
        nu = spline_dual(data)
        for slope, height in ((0, 1), (1, 0), (-3, 7)):
            assert sum(n * (slope * x + height) for n, x in zip(nu, data.x, strict=True)) == 0
        assert sum(n * linear_spline(data, Fraction(x)) for n, x in zip(nu, data.x, strict=True)) == data.variation


def test_no_atom_anywhere_is_worth_more_than_its_mass_to_the_dual_vector() -> None:
    for data in random_batch(5, 8):
        nu = spline_dual(data)
        for n in range(-60, 61):
            b = Fraction(n, 10)
            assert abs(sum(v * relu(Fraction(x) - b) for v, x in zip(nu, data.x, strict=True))) <= 1
