"""Slopes of convex losses from difference quotients, against the derivatives."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from implicitbias.theory.observed.margin.convex_slopes import loss_at, mean_loss_at, slope


@pytest.mark.parametrize("q", [Fraction(-3), Fraction(0), Fraction(7, 2)])
def test_slopes_of_both_losses_are_enclosed(q: Fraction) -> None:
    for loss, expected in (("logistic", -1 / (1 + math.exp(q))), ("exponential", -math.exp(-q))):
        found = slope(lambda t, loss=loss: loss_at(loss, q + t))  # type: ignore[misc]
        assert float(found.lower) == pytest.approx(expected, rel=1e-14)
        assert 0 <= found.width < Fraction(1, 2**130)


def test_the_mean_loss_counts_inactive_data_at_the_margin_zero() -> None:
    found = mean_loss_at("exponential", Fraction(2), Fraction(1), Fraction(0), [-1, -3, 1, 2])
    assert float(found) == pytest.approx((2 + math.exp(-2) + math.exp(-4)) / 4)
