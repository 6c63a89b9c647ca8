"""A minimum-norm interpolant with fewer kinks than the linear spline, where there is one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from implicitbias.functions.piecewise_linear import PiecewiseLinear

if TYPE_CHECKING:
    from implicitbias.convex.minimum_norm.interpolants import Interpolant


def with_few_kinks(found: Interpolant) -> PiecewiseLinear:
    """The optimal function in which neighbouring kinks of the same sign are merged in pairs, from left to right.

    Where κ_n and κ_{n+1} have the same sign, the lines before x_n and after x_{n+1} meet between the two points; going
    straight on to where they meet changes neither ∫|f''| nor the end slopes. So a run of k kinks of one sign becomes
    ⌈k/2⌉. Where end slopes are free, the correction is put at the end that gives fewer kinks. O(N).

    >>> from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
    >>> with_few_kinks(min_norm_interpolant([0, 1, 2, 3], [1, 0, 0, 1]))
    PiecewiseLinear([3/2], [-1/2], -1, 1)
    """
    candidates = [_merged(found, left_share) for left_share in (1, 0)]
    return min(candidates, key=lambda f: len(f.kinks))


def _merged(found: Interpolant, left_share: int) -> PiecewiseLinear:
    left, right = found.end_slopes.at(left_share)
    slopes = (left, *found.slopes, right) if found.slopes else (left, right)
    signs = [(after > before) - (after < before) for before, after in pairwise(slopes)]
    knots: list[tuple[Fraction, Fraction]] = []
    n = 0
    while n < len(signs):
        x, y = found.x[n], found.y[n]
        if signs[n] and n + 1 < len(signs) and signs[n] == signs[n + 1]:
            before, after = slopes[n], slopes[n + 2]
            # y + before (t - x) = Y + after (t - X)
            X, Y = found.x[n + 1], found.y[n + 1]
            t = (Y - y + before * x - after * X) / (before - after)
            knots.append((t, y + before * (t - x)))
            n += 2
        else:
            if signs[n]:
                knots.append((x, y))
            n += 1
    knots = knots or [(found.x[0], found.y[0])]
    return PiecewiseLinear([t for t, _ in knots], [value for _, value in knots], left, right)
