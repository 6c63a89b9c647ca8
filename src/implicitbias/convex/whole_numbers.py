"""Data on a line in whole numbers, and sums of slopes that are added up only as far as needed.

x_i = X_i/x_unit and y_i = Y_i/y_unit with integers. The slopes from point to point are then rises/widths, in units of
x_unit/y_unit, the signs of their changes are those of 2×2 determinants, and a sum of integer multiples of slopes is a
sum over few denominators if many widths are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm

from flint import fmpq, fmpz

from implicitbias.functions.exact_sum import coprime

LONGEST = 2200
"""Bits of a common denominator beyond which fractions are better: all doubles have one of 1074."""
FEW_BITS = 1_000_000
"""Sums whose denominators have no more bits together are added up exactly in a tenth of a second."""
PRECISIONS = (96, 1024)
"""Bits after the point with which longer sums are enclosed before they are added up."""


@dataclass(frozen=True)
class WholePoints:
    """The data as integers; see above.

    X, Y            (n,)
    widths, rises   (n - 1,) differences of X and Y
    signs           (n - 2,) of the changes of slope at the inner points
    """

    X: list[int]
    Y: list[int]
    x_unit: int
    y_unit: int
    widths: list[int]
    rises: list[int]
    signs: list[int]

    @property
    def unit(self) -> Fraction:
        """By which a slope in whole numbers is multiplied to be a slope of the data."""
        return Fraction(self.x_unit, self.y_unit)


def whole_points(x: Sequence[Fraction], y: Sequence[Fraction], also: Iterable[Fraction] = ()) -> WholePoints | None:
    """The points in whole numbers, x increasing; None if the common denominators are too long.

    also  further places, whose denominators x_unit is a multiple of
    """
    ratios = [v.as_integer_ratio() for v in x], [v.as_integer_ratio() for v in y]
    units = []
    for pairs, others in zip(ratios, (also, ()), strict=True):
        unit = _common({q for _, q in pairs} | {v.denominator for v in others})
        if unit is None:
            return None
        units.append(unit)
    X, Y = ([p if q == unit else p * (unit // q) for p, q in pairs] for pairs, unit in zip(ratios, units, strict=True))
    widths, rises = [b - a for a, b in pairwise(X)], [b - a for a, b in pairwise(Y)]
    signs = []
    for i in range(len(widths) - 1):
        turn = rises[i + 1] * widths[i] - rises[i] * widths[i + 1]
        signs.append((turn > 0) - (turn < 0))
    return WholePoints(X, Y, units[0], units[1], widths, rises, signs)


def changes_of_slope(points: WholePoints) -> tuple[Fraction, ...]:
    """κ_2, …, κ_{n-1} of the data."""
    steps = zip(pairwise(points.rises), pairwise(points.widths), strict=True)
    up, down = points.x_unit, points.y_unit
    return tuple(Fraction((d * a - c * b) * up, a * b * down) for (c, d), (a, b) in steps)


def bends_between(points: WholePoints, at: Sequence[int], values: Sequence[Fraction]) -> dict[int, Fraction]:
    """The changes of slope at x[at] of the function with these values there, linear between, at inner ones of `at`."""
    unit = lcm(*{value.denominator for value in values})
    whole = [value.numerator * (unit // value.denominator) for value in values]
    widths = [points.X[j] - points.X[i] for i, j in pairwise(at)]
    rises = [after - before for before, after in pairwise(whole)]
    steps = zip(at[1:-1], pairwise(rises), pairwise(widths), strict=True)
    return {i: Fraction((d * a - c * b) * points.x_unit, a * b * unit) for i, (c, d), (a, b) in steps}


def _common(denominators: set[int]) -> int | None:
    """The least common multiple, unless it is too long."""
    found = 1
    for denominator in denominators:
        found = lcm(found, denominator)
        if found.bit_length() > LONGEST:
            return None
    return found


class QuotientSum:
    """unit·Σ numerators/denominators of integers, denominators positive."""

    def __init__(self, numerators: Iterable[int], denominators: Iterable[int], unit: Fraction = Fraction(1)) -> None:
        groups: dict[int, int] = {}
        for p, q in zip(numerators, denominators, strict=True):
            if p:
                groups[q] = groups.get(q, 0) + p
        self.groups = [(p, q) for q, p in groups.items() if p]
        self.unit = unit

    @cached_property
    def is_short(self) -> bool:
        """Whether adding it up exactly takes next to no time."""
        return sum(q.bit_length() for _, q in self.groups) <= FEW_BITS

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Around a positive unit's sum, as far apart as 2^-bits times the unit for each quotient."""
        low = sum((p << bits) // q for p, q in self.groups)
        one = self.unit / (1 << bits)
        return low * one, (low + len(self.groups)) * one

    def sign_beside(self, other: Fraction) -> int:
        """The sign of the sum minus the other number, added up no further than needed."""
        if not self.is_short:
            for bits in PRECISIONS:
                low, high = self.bounds(bits)
                if low > other or high < other:
                    return 1 if low > other else -1
        exact = self.exact
        return (exact > other) - (exact < other)

    @cached_property
    def exact(self) -> Fraction:
        """The sum, by a balanced tree whose only common divisor is sought at its root."""
        if not self.groups:
            return Fraction(0)
        level = [(fmpz(p), fmpz(q)) for p, q in self.groups]
        while len(level) > 1:
            odd = level[-1:] if len(level) % 2 else []
            level = [(p * s + r * q, q * s) for (p, q), (r, s) in zip(level[::2], level[1::2], strict=False)] + odd
        found = fmpq(*level[0]) * fmpq(self.unit.numerator, self.unit.denominator)
        return coprime(int(found.p), int(found.q))


def slope_changes(points: WholePoints, multiples: Sequence[int], unit: Fraction = Fraction(1)) -> QuotientSum:
    """Σ c_i κ_i over the inner points, κ_i the changes of slope in whole numbers or, with `unit`, those of the data.

    multiples  (n,) integers c_i, 0 at both ends
    """
    shares = (rise * (a - b) for rise, (a, b) in zip(points.rises, pairwise(multiples), strict=True))
    return QuotientSum(shares, points.widths, unit)


def moments_of_changes(points: WholePoints, multiples: Sequence[int]) -> tuple[QuotientSum, int]:
    """Σ c_i κ_i X_i, likewise: quotients, and the integer to be added to them."""
    numerators, denominators, whole = [], [], 0
    for i, (a, b) in enumerate(pairwise(multiples)):
        if a == b:  # a (X_i - X_{i+1}) rise/width
            whole -= a * points.rises[i]
        else:
            numerators.append(points.rises[i] * (a * points.X[i] - b * points.X[i + 1]))
            denominators.append(points.widths[i])
    return QuotientSum(numerators, denominators), whole
