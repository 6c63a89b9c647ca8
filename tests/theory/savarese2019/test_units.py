"""Beside the proof of Theorem 3.3: vertices without the output bias, and those an edge away that have it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from implicitbias.theory.observed.units.unit_counts import with_the_bias


def at(units: tuple[tuple[int, Fraction | int, Fraction], ...], x: int) -> Fraction:
    return sum((u * max(w * (x - b), Fraction(0)) for w, b, u in units), Fraction(0))


def test_as_many_units_as_data_give_one_back_to_the_bias_at_the_same_cost() -> None:
    """[x + 1]₊ - [1 - x]₊ is 2x at the data, no dearer than the cheapest: one unit and a bias."""
    units = ((1, -1, Fraction(1)), (-1, 1, Fraction(-1)))
    x = (0, 1)
    moved = with_the_bias(units, x)
    assert len(moved) == 1
    assert sum(abs(u) for *_, u in moved) == 2
    assert at(moved, 1) - at(moved, 0) == at(units, 1) - at(units, 0)


def test_fewer_units_than_data_stay_as_they_are() -> None:
    units = ((1, 0, Fraction(1)),)
    assert with_the_bias(units, (0, 1)) == units


def test_what_is_not_optimal_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="not optimal"):
        with_the_bias(((1, -1, Fraction(1)), (1, 0, Fraction(-3))), (0, 1))
