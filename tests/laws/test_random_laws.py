"""Floating point against balls, for laws and points drawn at random."""

from __future__ import annotations

import math
import random

import pytest

from implicitbias.errors import DegenerateLawError
from implicitbias.laws.joint.build import initialisation

CASES = 120


def random_law(draw: random.Random) -> str:
    m, s = round(draw.uniform(-3, 3), 3), round(math.exp(draw.uniform(-3, 3)), 4)
    return draw.choice(
        [
            f"normal({m},{s})",
            f"normal(0,{s})",
            f"uniform({m},{m + s})",
            f"uniform({s})",
            f"laplace({m},{s})",
            f"student_t({round(draw.uniform(3.2, 12), 2)},{m},{s})",
            f"exponential({s},{m})",
            f"truncated(normal({m},{s}),{m - s},{m + 2 * s})",
            f"truncated(laplace({m},{s}),{m + s})",
            f"binary({s})",
            f"constant({m})",
        ]
    )


@pytest.mark.parametrize("seed", range(6))
def test_floats_lie_in_the_balls_up_to_rounding(seed: int) -> None:
    """Within 1e-12 of a ball whose own width is below 1e-15, wherever zeta is a normal double."""
    draw = random.Random(seed)
    compared = 0
    for _ in range(CASES // 6):
        made = initialisation(random_law(draw), random_law(draw))
        x = round(draw.choice([0, 1, 1, -1]) * math.exp(draw.uniform(-6, 6)), 5)
        try:
            value = made.zeta(x)
        except DegenerateLawError:
            continue
        ball = made.zeta_enclosure(x)
        middle = float((ball.lower + ball.upper) / 2)
        if middle < 1e-290:
            assert value < 1e-280
            continue
        compared += 1
        assert float(ball.width) < 1e-15 * middle, (made.text, x)
        assert value == pytest.approx(middle, rel=1e-12), (made.text, x)
    assert compared > 5
