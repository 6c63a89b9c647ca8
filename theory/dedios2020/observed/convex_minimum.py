"""The least value of a convex function of one positive variable, bracketed by convexity alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.rational import Interval

ROUNDS = 140


class NoMinimumError(ArithmeticError):
    """No minimiser between 2^-200 and 2^200: the infimum is not attained."""


@dataclass(frozen=True)
class Bracket:
    """The minimum lies in `value`, and some minimiser in `place`."""

    value: Interval
    place: Interval


def convex_minimum(f: Callable[[Fraction], Fraction], rounds: int = ROUNDS) -> Bracket:
    """Rigorous bounds on min f over (0, ∞), f convex with a minimiser there.

    Three places l < m < r with f(m) <= f(l), f(r) enclose a minimiser; beyond m a convex function stays above its
    chord from l to m, so the bounds close as fast as the square of r - l.

    >>> found = convex_minimum(lambda t: t + 4 / t)
    >>> found.value.lower <= 4 <= found.value.upper, found.value.upper - found.value.lower < Fraction(1, 2**100)
    (True, True)
    """
    low, middle, high = Fraction(1, 2), Fraction(1), Fraction(2)
    values = [f(low), f(middle), f(high)]
    for _ in range(200):
        if values[1] <= values[0] and values[1] <= values[2]:
            break
        if values[0] < values[1]:
            low, middle, high = low / 2, low, middle
            values = [f(low), values[0], values[1]]
        else:
            low, middle, high = middle, high, high * 2
            values = [values[1], values[2], f(high)]
    else:
        raise NoMinimumError("the function goes on falling beyond 2^-200 or 2^200")
    for _ in range(rounds):
        left = middle - low >= high - middle
        place = (low + middle) / 2 if left else (middle + high) / 2
        value = f(place)
        if value < values[1]:
            if left:
                high, values[2] = middle, values[1]
            else:
                low, values[0] = middle, values[1]
            middle, values[1] = place, value
        elif left:
            low, values[0] = place, value
        else:
            high, values[2] = place, value
    falling = (values[1] - values[0]) / (middle - low)
    rising = (values[2] - values[1]) / (high - middle)
    least = values[1] + min(falling * (high - middle), -rising * (middle - low))
    return Bracket(Interval(least, values[1]), Interval(low, high))
