"""Projections on cones and what finds them: exact ones, those to digits, and those in floating point."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.convex.programmes.cone_projection import exact_maximiser, exact_shares
from implicitbias.convex.programmes.differences import Differences, differences
from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares
from implicitbias.exact.fixed_point import solve_to_digits
from implicitbias.exact.vectors import dot

F = Fraction
ONE = tuple(tuple(F(int(i == j)) for j in range(3)) for i in range(3))
vectors = st.tuples(*[st.integers(-4, 4).map(F)] * 3)


@settings(max_examples=150)
@given(vectors, st.lists(vectors.filter(any), min_size=1, max_size=6, unique=True))
def test_the_exact_projection_satisfies_what_characterises_it(c: tuple[F, ...], rays: list[tuple[F, ...]]) -> None:
    shares = exact_shares(c, rays, ONE)
    q = tuple(sum((a * rays[k][i] for k, a in shares.items()), F(0)) for i in range(3))
    assert exact_maximiser(c, rays, ONE) == q
    assert all(a > 0 for a in shares.values())
    rest = [a - b for a, b in zip(c, q, strict=True)]
    assert all(dot(rest, ray) <= 0 for ray in rays)
    assert all(dot(rest, rays[k]) == 0 for k in shares)


@settings(max_examples=60)
@given(vectors, st.lists(vectors.filter(any), min_size=1, max_size=5, unique=True), st.randoms())
def test_where_it_starts_does_not_matter(c: tuple[F, ...], rays: list[tuple[F, ...]], rng: random.Random) -> None:
    start = rng.sample(range(len(rays)), rng.randint(0, len(rays)))
    assert exact_maximiser(c, rays, ONE, start) == exact_maximiser(c, rays, ONE)


def test_a_form_that_does_not_see_a_ray_has_no_maximum_along_it() -> None:
    flat = ((F(1), F(0)), (F(0), F(0)))
    with pytest.raises(ArithmeticError, match="no maximum"):
        exact_maximiser((F(0), F(1)), [(F(0), F(1))], flat)
    assert exact_maximiser((F(2), F(-1)), [(F(0), F(1)), (F(1), F(0))], flat) == (2, 0)


@pytest.mark.parametrize("width", [1.0, 1e-3, 1e-6])
def test_floating_point_agrees_with_fractions_also_on_narrow_cones(width: float) -> None:
    generator = np.random.default_rng(3)
    for _ in range(30):
        axis = generator.standard_normal(4)
        rays = axis + width * generator.standard_normal((7, 4))
        c = axis + 3 * width * generator.standard_normal(4)
        x = nonnegative_least_squares(rays.T, c)
        exact = exact_maximiser(
            tuple(map(F, c)),
            [tuple(map(F, ray)) for ray in rays],
            tuple(tuple(F(int(i == j)) for j in range(4)) for i in range(4)),
        )
        assert rays.T @ x == pytest.approx([float(v) for v in exact], abs=1e-8)


def test_equations_are_solved_to_a_hundred_digits() -> None:
    size = 12
    hilbert = [[F(1, i + j + 1) for j in range(size)] for i in range(size)]
    x = solve_to_digits(hilbert, [sum(row, F(0)) for row in hilbert])
    assert max(abs(value - 1) for value in x) < F(1, 10**80)


def test_equations_that_depend_on_each_other_leave_entries_at_zero() -> None:
    rows = [[F(1), F(2), F(3)], [F(2), F(4), F(6)], [F(0), F(1), F(1)]]
    x = solve_to_digits(rows, [F(6), F(12), F(2)])
    assert 0 in x
    for row, right in zip(rows, (6, 12, 2), strict=True):
        assert abs(dot(row, x) - right) < F(1, 10**100)


def test_differences_and_their_transpose() -> None:
    rows = differences(np.array([[0.0, 0.0, 1.0], [1e-6, 0.0, 1.0], [5.0, 0.0, 1.0], [1e-6, 1e-9, 1.0]]))
    assert set(rows.pairs) == {1, 3}
    generator = random.Random(1)
    v, m = ([F(generator.randint(-9, 9)) for _ in range(4)] for _ in range(2))
    assert dot(rows.back(m), v) == dot(m, rows.of(v))
    assert differences(np.eye(3) * 1e-9 + [0, 0, 1], none=True).pairs == {}


def test_values_that_differ_as_the_points_do_stay_moderate() -> None:
    rows = Differences({1: 0}, (F(1), F(1, 10**8)))
    assert rows.of([F(3), F(3) + F(2, 10**8)]) == [3, 2]
