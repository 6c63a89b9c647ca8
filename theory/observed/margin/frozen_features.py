"""Random frozen features on the line: whether output weights fit any values, or given labels; in exact rationals."""

from __future__ import annotations

from collections.abc import Iterable
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


def separate(w: Iterable[float], b: Iterable[float], x: Iterable[float], y: Iterable[float]) -> bool:
    """Whether some u has y_i Σ_j u_j [w_j x_i + b_j]_+ > 0 at all i, by a linear programme in rationals."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    units = [(Fraction(float(one)), Fraction(float(other))) for one, other in zip(w, b, strict=True)]
    rows = [
        [-int(label) * relu(slope * Fraction(float(at)) + shift) for slope, shift in units]
        for at, label in zip(x, y, strict=True)
    ]
    found = minimise([Fraction(0)] * len(units), A_ub=rows, b_ub=[Fraction(-1)] * len(rows), free=True)
    return isinstance(found, Optimum)
