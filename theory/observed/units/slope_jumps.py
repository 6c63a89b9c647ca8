"""The second derivative of a sum of ReLU units, computed exactly from its values."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

from ..data.draws import signed

Line = tuple[Fraction, Fraction]
"""Slope and value at 0."""

FAR = Fraction(10**9)
"""Beyond every kink of the units drawn here: their kinks stay below a thousand."""


def jump(f: Callable[[Fraction], Fraction], at: Fraction, step: Fraction) -> Fraction:
    """The mass of f'' in (at - step, at + step) if f has no kink in that interval except possibly at `at`.

    It is (f(at + step) - 2 f(at) + f(at - step)) / step, which is then independent of the step.

    >>> jump(lambda x: 3 * abs(x - 2), Fraction(2), Fraction(1, 2))
    Fraction(6, 1)
    """
    return (f(at + step) - 2 * f(at) + f(at - step)) / step


def end_lines(f: Callable[[Fraction], Fraction]) -> tuple[Line, Line]:
    """The two lines with which f coincides far to the left and far to the right.

    >>> left, right = end_lines(lambda x: abs(x - 2))
    >>> left == (-1, 2), right == (1, -2)
    (True, True)
    """
    return _line(f, -FAR), _line(f, FAR)


def _line(f: Callable[[Fraction], Fraction], near: Fraction) -> Line:
    slope = f(near + 1) - f(near)
    return slope, f(near) - slope * near


def random_masses(generator: random.Random, places: range) -> dict[int, Fraction]:
    """A random mass at every place of the grid, without symmetry: often 0 or a small whole number, else of any size."""

    def mass() -> Fraction:
        return Fraction(generator.randint(-3, 3)) if generator.randrange(2) else signed(generator, -4, 5)

    return {t: generator.choice((0, 1, 1, 1)) * mass() for t in places}


def integral_against(masses: Mapping[int, Fraction], unit: Callable[[int], Fraction]) -> Fraction:
    """Σ_t masses[t] unit(t): the integral of `unit` against an atomic measure."""
    return sum((mass * unit(t) for t, mass in masses.items()), Fraction(0))
