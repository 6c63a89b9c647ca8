"""Vectors and small matrices of rationals against elimination by hand and integer square roots."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, isqrt

import pytest

from implicitbias.exact.vectors import (
    dot,
    flint_matrix,
    matrix_of,
    rank,
    rational_root,
    relu,
    root_above,
    root_between,
    root_on_grid,
    solve,
)


def some(draw: random.Random) -> Fraction:
    return Fraction(draw.randint(-9, 9), draw.randint(1, 7))


def test_products_and_ramps_are_fractions_for_integers_too() -> None:
    assert dot([1, 2], [3, 4]) == 11
    assert isinstance(dot([1, 2], [3, 4]), Fraction)
    assert dot([], []) == 0
    assert [relu(z) for z in (-2, Fraction(-1, 3), 0, 5)] == [0, 0, 0, 5]
    assert isinstance(relu(5), Fraction)
    with pytest.raises(ValueError, match="zip"):
        dot([1], [1, 2])


@pytest.mark.parametrize("seed", range(20))
def test_a_solution_solves_and_a_singular_system_is_refused(seed: int) -> None:
    draw = random.Random(seed)
    n = draw.randint(1, 5)
    matrix = [[some(draw) for _ in range(n)] for _ in range(n)]
    right = [some(draw) for _ in range(n)]
    if rank(matrix) == n:
        assert [dot(row, solve(matrix, right)) for row in matrix] == right
    singular = [*matrix[:-1], [sum(entries, Fraction(0)) for entries in zip(*matrix[:-1], strict=True)] or [0]]
    if n > 1:
        assert rank(singular) < n
        with pytest.raises(ArithmeticError, match="singular"):
            solve(singular, right)


def test_the_rank_counts_independent_rows() -> None:
    assert rank([]) == rank([[]]) == 0
    assert rank([[0, 0]]) == 0
    assert rank([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == 2
    assert solve([], []) == ()


def test_flint_and_back() -> None:
    rows = ((Fraction(1, 2), Fraction(-3)), (Fraction(0), Fraction(5, 7)))
    assert matrix_of(flint_matrix(rows)) == rows


@pytest.mark.parametrize("seed", range(30))
def test_roots_lie_between_their_bounds(seed: int) -> None:
    draw = random.Random(seed)
    square = Fraction(draw.randint(1, 10 ** draw.randint(1, 60)), draw.randint(1, 10 ** draw.randint(1, 60)))
    for bits in (20, 96, 128):
        found = root_between(square, bits)
        assert found.lower**2 <= square < found.upper**2
        assert found.width <= found.upper * Fraction(4, 2**bits)
        assert root_above(square, bits) == found.upper
    for bits in (60, 120):
        grid = root_on_grid(square, bits)
        assert grid.lower**2 <= square <= grid.upper**2
        assert grid.width <= Fraction(3, 2**bits)
        assert grid.upper == Fraction(isqrt(ceil(square * 4**bits)) + 1, 2**bits)
    assert rational_root(square**2) == square


def test_the_root_of_zero_is_zero_and_an_irrational_root_is_refused() -> None:
    assert root_above(Fraction(0)) == 0
    assert root_on_grid(Fraction(0), 8).lower == 0
    with pytest.raises(ValueError, match="2 is not the square of a rational"):
        rational_root(Fraction(2))
