"""Probabilities of a unit with uniform weights."""

from fractions import Fraction

import numpy as np
import pytest

from theory.safran2022 import theorem_3_1_event as event


@pytest.mark.parametrize(
    ("R", "rho"), [("2", "1/2"), ("2", "3/2"), ("2", "7/2"), ("1", "1/3"), ("1/2", "1/4"), ("1/2", "1"), ("3", "4")]
)
def test_uniform_weights_are_counted_on_a_grid(R: str, rho: str) -> None:
    """Shares of a million cells of the square in which the breakpoint, or the whole of [-R, R], is as wanted."""
    at = (np.arange(1000) + 0.5) / 500 - 1
    w, b = np.meshgrid(at, at)
    right, length = float(Fraction(R)), float(Fraction(rho))
    knots = (right - length <= -b / w) & (-b / w <= right)
    active = np.minimum(w * right + b, b - w * right) > 0
    found = event._uniform(Fraction(R), Fraction(rho))
    assert [float(p) for p in found] == pytest.approx([knots.mean(), active.mean()], abs=2e-3)
