"""Observed: a ReLU unit under rescaling, w₂[⟨w₁,x⟩+β]₊ = (w₂/c)[⟨cw₁,x⟩+cβ]₊, and the cost of its weights.

The minimum over the squared scale t = c² is bracketed by convexity only, without derivatives or the AM-GM inequality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import relu

Number = int | Fraction
HALVINGS = 48
"""A bracket shrinks by a factor of about 2^48, to far less than the difference between candidate formulas."""
ROOM = Fraction(1, 2**80)
"""Relative margin above the least cost found, which may be the minimum: a formula's enclosure has positive width."""
REACH = 60
"""Squared scales from 2^-60 to 2^60 are tried for a bracket."""


@dataclass(frozen=True)
class Minimum:
    """Enclosures of the place and the value of the minimum of a convex function on (0, ∞)."""

    place: Interval
    value: Interval


def unit(w2: Number, w1: Sequence[Number], bias: Number, x: Sequence[Number]) -> Fraction:
    """w₂[⟨w₁,x⟩+β]₊ at one point x of ℝ^d."""
    return Fraction(w2) * relu(sum((Fraction(w) * z for w, z in zip(w1, x, strict=True)), Fraction(bias)))


def rescaled_cost(a: Number, b: Number, t: Fraction) -> Fraction:
    """½(a²/t + b²t): the cost of a unit with |w₂| = a, ‖w₁‖ = b after multiplying w₁ and dividing w₂ by √t."""
    return (Fraction(a) ** 2 / t + Fraction(b) ** 2 * t) / 2


def bracketed_minimum(cost: Callable[[Fraction], Fraction]) -> Minimum | None:
    """The minimum of a convex function on (0, ∞), or None if the least cost is at the first or last scale tried.

    Three points left < middle < right with cost(middle) below the other two bracket every minimiser of a convex
    function, and its secants extended past the middle bound the minimum from below.

    >>> found = bracketed_minimum(lambda t: (9 / t + 4 * t) / 2)
    >>> found.value.lower <= 6 <= found.value.upper, found.place.lower <= Fraction(3, 2) <= found.place.upper
    (True, True)
    """
    scales = [Fraction(2) ** j for j in range(-REACH, REACH + 1)]
    costs = [cost(t) for t in scales]
    best = min(range(len(scales)), key=costs.__getitem__)
    if best in (0, len(scales) - 1):
        return None
    left, middle, right = scales[best - 1 : best + 2]
    at_left, at_middle, at_right = costs[best - 1 : best + 2]
    for _ in range(2 * HALVINGS):
        longer_right = right - middle > middle - left
        probe = (middle + right) / 2 if longer_right else (left + middle) / 2
        at_probe = cost(probe)
        if at_probe < at_middle:
            if longer_right:
                left, at_left = middle, at_middle
            else:
                right, at_right = middle, at_middle
            middle, at_middle = probe, at_probe
        elif longer_right:
            right, at_right = probe, at_probe
        else:
            left, at_left = probe, at_probe
    fall = max(
        (at_left - at_middle) / (middle - left) * (right - middle),
        (at_right - at_middle) / (right - middle) * (middle - left),
    )
    return Minimum(Interval(left, right), Interval(at_middle - fall, at_middle * (1 + ROOM)))


def weights(rational: Callable[[], Fraction], count: int) -> list[tuple[Fraction, Fraction]]:
    """Pairs (|w₂|, ‖w₁‖), both positive: fixed pairs, balanced and unbalanced either way, then random ones."""
    simple: list[tuple[Number, Number]] = [
        (1, 1),
        (2, 1),
        (1, 2),
        (3, 5),
        (7, 7),
        (100, 1),
        (Fraction(1, 100), 3),
        (Fraction(5, 7), Fraction(1, 9)),
    ]
    return [(Fraction(a), Fraction(b)) for a, b in simple] + [(rational(), rational()) for _ in range(count)]
