"""Shapes that a function of one input may be asked to have: what they ask of the slopes between the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from implicitbias.errors import DataError

SIGNS = {None: 0, "increasing": 1, "decreasing": -1, "convex": 1, "concave": -1}


@dataclass(frozen=True)
class Shape:
    """rising * slope >= 0 and bending * (change of the slope) >= 0; 0 asks for nothing."""

    rising: int = 0
    bending: int = 0

    @classmethod
    def named(cls, monotone: str | None, curved: str | None) -> Shape:
        """Raises DataError for other words."""
        if monotone not in (None, "increasing", "decreasing"):
            raise DataError(f"monotone is None, 'increasing' or 'decreasing': got {monotone!r}")
        if curved not in (None, "convex", "concave"):
            raise DataError(f"curved is None, 'convex' or 'concave': got {curved!r}")
        return cls(SIGNS[monotone], SIGNS[curved])

    def repaired(self, slopes: Sequence[Fraction]) -> list[Fraction]:
        """Slopes near the given ones that have the shape."""
        if self.bending:
            slopes = [self.bending * slope for slope in accumulate((self.bending * slope for slope in slopes), max)]
        return [self.rising * max(self.rising * slope, Fraction(0)) if self.rising else slope for slope in slopes]

    def left_share(self, first: Fraction, last: Fraction, correction: Fraction) -> Fraction:
        """The share of the end slopes' correction at the left end with which the shape holds beyond the data too.

        The corrections are -share t at the left and -(1 - share) t at the right end, times the sign of first + last.
        """
        sigma = 1 if first + last > 0 else -1
        if self.bending:
            return Fraction(int(sigma == self.bending))
        if self.rising and correction:
            return min(Fraction(1), abs(first) / correction)
        return Fraction(1)
