"""Random frozen features on the line, and whether output weights can fit arbitrary values; in exact rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import pi, tan
from random import Random

from implicitbias.exact.vectors import rank, relu


def interpolated_draws(draw: Random, switches: int, width: int, draws: int) -> tuple[int, int]:
    """(solved, drawn): of the draws with a kink in each gap and two neurons active everywhere, `solved` fit all labels.

    The m + 1 points are fractions near tan(π i/(2(m + 2))), the weights are standard normal doubles, taken exactly.
    """
    points = [Fraction(round(1000 * tan(pi * i / (2 * (switches + 2)))), 1000) for i in range(1, switches + 2)]
    solved = drawn = 0
    while drawn < draws:
        units = [(Fraction(draw.gauss(0, 1)), Fraction(draw.gauss(0, 1))) for _ in range(width)]
        kinks = [-b / w for w, b in units]
        everywhere = sum(all(w * x + b > 0 for x in points) for w, b in units)
        gaps = all(any(low < t < high for t in kinks) for low, high in pairwise(points))
        if everywhere < 2 or not gaps:
            continue
        drawn += 1
        solved += rank([[relu(w * x + b) for w, b in units] for x in points]) == len(points)
    return solved, drawn
