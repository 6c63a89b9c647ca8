"""Stochastic descent in integers: its enclosures hold, also where steps are large and the order is bad."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from theory.observed.training.exact_stochastic import LOSSES, ONE, Course, wandered

ROWS = [[Fraction(1), Fraction(2), Fraction(-1, 3)], [Fraction(1), Fraction(-1, 2), Fraction(4, 3)]]
REST = [Fraction(5, 2), Fraction(-7)]

SLOPES: dict[str, Callable[[float], float]] = {
    "square": lambda u: u,
    "Huber's": lambda u: min(1.0, max(-1.0, u)),
    "lopsided": lambda u: u if u > 0 else u / 3,
    "√(1 + u²)": lambda u: u / (1 + u * u) ** 0.5,
}


def least_norm(rows: list[list[Fraction]], rest: list[Fraction]) -> Fraction:
    (p, q), (r, s) = rows, rest
    a, b, c = (sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0)) for u, v in ((p, p), (p, q), (q, q)))
    return (c * r * r - 2 * b * r * s + a * s * s) / (a * c - b * b)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(1), Fraction(19, 10)])
def test_the_enclosure_holds_the_least_norm(loss: str, share: Fraction) -> None:
    wanted = least_norm(ROWS, REST)
    found = [wandered(ROWS, REST, loss, share, Random(seed)) for seed in range(3)]
    for end in found:
        assert end is not None
        assert end[0].contains(wanted)
        assert end[0].width < Fraction(1, 10**12)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_course_is_that_of_doubles_in_the_same_order(loss: str) -> None:
    share, draw = Fraction(3, 4), Random(8)
    course = Course(ROWS, REST, loss, share)
    z, r = np.array(ROWS, dtype=float), np.array(REST, dtype=float)
    eta = float(share) / max((z**2).sum(1))
    change = np.zeros(3)
    for _ in range(40):
        j = draw.randrange(2)
        course.step(j)
        change -= eta * SLOPES[loss](z[j] @ change - r[j]) * z[j]
    assert np.abs(change).min() > 0.1
    np.testing.assert_allclose([d / ONE for d in course.change], change, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_slopes_are_those_of_convex_losses_with_a_1_lipschitz_derivative(loss: str) -> None:
    slope, draw = LOSSES[loss], Random(3)
    assert slope(0) == 0
    for _ in range(300):
        u, v = (draw.randint(-5 * ONE, 5 * ONE) for _ in range(2))
        low, high = sorted((u, v))
        assert -2 <= slope(high) - slope(low) <= high - low + 2


def test_a_course_that_does_not_end_is_none() -> None:
    """Steps beyond 2/max‖z‖² diverge."""
    assert wandered(ROWS, REST, "square", Fraction(9, 2), Random(0)) is None
