"""Bounds on the minimum of a convex function of one positive variable, using convexity alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.rational import Interval

GRID = 1 << 128
"""Arguments are rounded to multiples of 1/GRID, which keeps the exact fractions short."""
NARROW = Fraction(1, 1 << 56)
"""Target relative width of the bracket of the minimiser; that of the minimum is about its square."""


class NoMinimumError(ArithmeticError):
    """No minimiser between 2^-60 and 2^60: the infimum is not attained."""


@dataclass(frozen=True)
class Bracket:
    """The minimum lies in `value`, and some minimiser in `place`."""

    value: Interval
    place: Interval


def convex_minimum(f: Callable[[Fraction], Fraction]) -> Bracket:
    """Rigorous bounds on min f over (0, ∞), f convex with a minimiser there.

    Three arguments l < m < r with f(m) <= f(l), f(r) enclose a minimiser. Beyond m a convex function lies above the
    line through its values at l and m, so the gap between the bounds is O((r - l)²). Halving and parabolas serve only
    to choose the arguments.

    >>> found = convex_minimum(lambda t: t + 4 / t)
    >>> found.value.lower <= 4 <= found.value.upper, found.value.upper - found.value.lower < Fraction(1, 2**100)
    (True, True)
    """
    middle = _near_the_minimum(f)
    half = middle / 16
    for attempt in range(1000):
        values = [f(middle - half), f(middle), f(middle + half)]
        bend = values[0] - 2 * values[1] + values[2]
        if values[1] > min(values[0], values[2]):
            # the error of the guess exceeds its step: move downhill
            middle, half = middle + (half if values[2] < values[0] else -half), 2 * half
            half = min(half, middle / 2)
            continue
        if bend == 0 or half <= NARROW * middle:
            break
        if attempt > 40:
            # not smooth: the parabola through three values is not reliable
            quarter = half / 2
            middle = min((middle - quarter, middle, middle + quarter), key=f)
            half = quarter
            continue
        middle = _on_grid(middle + half * (values[0] - values[2]) / (2 * bend))
        half = _on_grid(max(8 * half**2 / middle, NARROW * middle / 2) if half < middle / 64 else half / 4)
    else:
        raise ArithmeticError("the bracket did not become narrow")
    falling, rising = (values[1] - values[0]) / half, (values[2] - values[1]) / half
    least = values[1] + half * min(falling, -rising)
    return Bracket(Interval(least, values[1]), Interval(middle - half, middle + half))


def _near_the_minimum(f: Callable[[Fraction], Fraction]) -> Fraction:
    """A power of 2 at which f is not greater than at its double and its half."""
    place, value = Fraction(1), f(Fraction(1))
    for factor in (Fraction(2), Fraction(1, 2)):
        while (further := f(factor * place)) < value:
            place, value = factor * place, further
            if not Fraction(1, 2**60) < place < 2**60:
                raise NoMinimumError("the function goes on falling beyond 2^-60 or 2^60")
    return place


def _on_grid(value: Fraction) -> Fraction:
    return Fraction(round(value * GRID), GRID)
