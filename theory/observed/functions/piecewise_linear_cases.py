"""Exact piecewise-linear functions for testing the univariate claims: simple cases and random ones of every regime."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from ..data.draws import of_any_size

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

REGIMES = ("|s| < T", "|s| = T", "|s| > T", "s = 0", "T = 0", "one sign", "far apart")


def from_jumps(
    kinks: Sequence[Fraction | int], jumps: Sequence[Fraction | int], s: Fraction | int, offset: Fraction | int = 0
) -> PiecewiseLinear:
    """The function with the given kinks and slope jumps, f'(-∞) + f'(+∞) = s, and the value `offset` at 0.

    f'(-∞) = (s - Σ jumps)/2, since f'(+∞) - f'(-∞) is the sum of the jumps.
    """
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    left_slope = (Fraction(s) - sum(map(Fraction, jumps))) / 2
    return PiecewiseLinear.from_kinks(zip(kinks, jumps, strict=True), left_slope, value=offset)


def simple_cases() -> list[tuple[str, PiecewiseLinear]]:
    """Simple functions covering every regime of (T, s), including degenerate and boundary cases."""
    third = Fraction(1, 3)
    return [
        ("x", from_jumps([], [], 2)),
        ("a constant", from_jumps([], [], 0, 5)),
        ("-x", from_jumps([], [], -2)),
        ("3x/2", from_jumps([], [], 3)),
        ("-3x/2", from_jumps([], [], -3)),
        ("x/4", from_jumps([], [], Fraction(1, 2))),
        ("-x/4", from_jumps([], [], Fraction(-1, 2))),
        ("x/3", from_jumps([], [], 2 * third)),
        ("-x/3", from_jumps([], [], -2 * third)),
        ("[x]_+", from_jumps([0], [1], 1)),
        ("-[x]_+", from_jumps([0], [-1], -1)),
        ("[-x]_+", from_jumps([0], [1], -1)),
        ("|x|", from_jumps([0], [2], 0)),
        ("x + |x|/4", from_jumps([0], [Fraction(1, 2)], 2)),
        ("leaky ReLU with slope 1/10", from_jumps([0], [Fraction(9, 10)], Fraction(11, 10))),
        ("the hat [1 - |x|]_+", from_jumps([-1, 0, 1], [1, -2, 1], 0, 1)),
        ("hard tanh", from_jumps([-1, 1], [1, -1], 0)),
        ("5 - 3[2x - 1]_+", from_jumps([Fraction(1, 2)], [-6], -6, 5)),
        ("[x]_+ - [x - 1]_+ + 2x", from_jumps([0, 1], [1, -1], 4)),
        ("x/3 + |x|", from_jumps([0], [2], 2 * third)),
        ("-2|x| - x/5 + 1", from_jumps([0], [-4], Fraction(-2, 5), 1)),
        ("-3x + [x - 7]_+ - [x + 7]_+", from_jumps([-7, 7], [-1, 1], -6, -7)),
        ("|x| + |x - 1| + 2x", from_jumps([0, 1], [2, 2], 4, 1)),
        ("100x + 2|x - 1000|", from_jumps([1000], [4], 200, 2000)),
        ("a zigzag of slopes 1, -1, 1, -1, 1", from_jumps([0, 1, 2, 3], [-2, 2, -2, 2], 2)),
    ]


def random_case(random: Random, regime: str, most: int = 5) -> PiecewiseLinear:
    """A random exact function of the regime with at most `most` kinks and slopes of any size."""
    count = 0 if regime == "T = 0" else random.randint(1, most)
    spread = 1000 if regime == "far apart" else 6
    kinks: set[Fraction] = set()
    while len(kinks) < count:
        kinks.add(Fraction(random.randint(-6 * spread, 6 * spread), random.randint(1, 6)))
    size = Fraction(2) ** random.randint(-7, 3)
    jumps = [random.choice((-1, 1)) * size * Fraction(random.randint(1, 30), random.randint(1, 7)) for _ in kinks]
    if regime == "one sign":
        jumps = [abs(jump) for jump in jumps]
    T = sum((abs(jump) for jump in jumps), Fraction(0))
    sign = random.choice((-1, 1))
    inside = Fraction(random.randint(1, 8), 9)
    s = {
        "|s| = T": T,
        "|s| > T": T + of_any_size(random),
        "s = 0": Fraction(0),
        "T = 0": of_any_size(random),
    }.get(regime, inside * T)
    return from_jumps(sorted(kinks), jumps, sign * s, Fraction(random.randint(-20, 20), random.randint(1, 5)))


def random_cases(random: Random, each: int, most: int = 5) -> list[tuple[str, PiecewiseLinear]]:
    """`each` random functions per regime of T = ∫|f''| and s = f'(-∞) + f'(+∞)."""
    return [(f"random {i + 1}, {regime}", random_case(random, regime, most)) for regime in REGIMES for i in range(each)]


def with_room(f: PiecewiseLinear) -> list[Fraction]:
    """Thresholds off the kinks: one beyond each end and one between neighbouring kinks."""
    knots = [Fraction(k) for k in f.knots]
    return [knots[0] - 1, *((a + b) / 2 for a, b in pairwise(knots)), knots[-1] + 1]


def in_words(f: PiecewiseLinear) -> dict[str, Fraction | tuple[Fraction, ...]]:
    """A description of the function for users and rules: kinks, slope jumps, end slopes."""
    return {
        "kinks": tuple(f.knots),
        "jumps": tuple(f.jumps),
        "left slope": Fraction(f.left_slope),
        "right slope": Fraction(f.right_slope),
    }
