"""Regression turned into classification: which of k bins a label falls into (Stewart et al. 2022, Section 2)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact

MOST_BINS = 10_000
"""More bins than this are refused: no solvable data set has as many points that matter."""


def midpoints(k: int) -> tuple[Fraction, ...]:
    """λ_j = j/(k - 1), j = 0, …, k - 1: equally spaced from 0 to 1, k >= 2.

    >>> midpoints(3)
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
    """
    if not 2 <= k <= MOST_BINS:
        raise DataError(f"the number of bins lies between 2 and {MOST_BINS}: got {k}")
    return tuple(Fraction(j, k - 1) for j in range(k))


def nearest_bin(y: Real, k: int) -> int:
    """argmin_j |y - λ_j| for y in [0, 1], counted from 0, the leftmost in case of a tie.

    Bin j holds the y in ((j - 1/2)/(k - 1), (j + 1/2)/(k - 1)]: the first and the last bin have midpoints 0 and
    1, so that only one half of each lies in [0, 1].

    >>> [nearest_bin(y, 3) for y in (0, "0.25", "0.26", 1)]
    [0, 0, 1, 2]
    """
    value = exact(y)
    if not 0 <= value <= 1:
        raise DataError(f"a label to be binned lies in [0, 1]: got {value}; rescale the labels (`rescaled`)")
    midpoints(k)
    # ⌈y(k - 1) - 1/2⌉, by integers
    return max(0, -((1 - 2 * value * (k - 1)) / 2).__floor__())


def binned(y: Iterable[Real], k: int) -> tuple[int, ...]:
    """`nearest_bin` of each.

    >>> binned([1, "0.5", 0, "0.5", 1], 2)
    (1, 0, 0, 0, 1)
    """
    return tuple(nearest_bin(value, k) for value in y)


def rescaled(y: Iterable[Real]) -> tuple[Fraction, ...]:
    """(y_i - min)/(max - min): labels brought to [0, 1]; constant labels become 0."""
    values = [exact(value) for value in y]
    if not values:
        return ()
    low, high = min(values), max(values)
    return tuple((value - low) / (high - low) if high > low else Fraction(0) for value in values)
