"""Sums and products of many doubles, exactly and fast: a double is an integer times a power of two."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST = 2**26
"""Terms of a sum: the 27 bits of each that are added at once stay exact in doubles."""
HALF = 27
TALL = 256
"""Exponents that differ by less are counted as they are, others first sorted."""
SCALE = 106
"""Mantissas of products, below 1, are multiples of 2^-106."""


@dataclass(frozen=True, eq=False)
class Dyadics:
    """Numbers (high + low)·2^exponent, one an entry, with 1/4 <= |high| < 1 (or 0) and |low| <= 2^-54."""

    high: Array
    low: Array
    exponent: Integers


def product(a: Array, b: Array) -> Dyadics:
    """a·b exactly, entry by entry, for finite doubles of any size (Dekker 1971)."""
    (p, e), (q, f) = np.frexp(a), np.frexp(b)
    high = p * q
    (p1, p2), (q1, q2) = _split(p), _split(q)
    low = p2 * q2 - (((high - p1 * q1) - p2 * q1) - p1 * q2)
    return Dyadics(high, low, e.astype(np.int64) + f)


def _split(a: Array) -> tuple[Array, Array]:
    """a as the sum of two numbers of 26 bits (Veltkamp)."""
    c = (2.0**HALF + 1) * a
    top = c - (c - a)
    return top, a - top


def equal_products(a: Array, b: Array, c: Array, d: Array) -> NDArray[np.bool_]:
    """Whether a·b = c·d exactly, entry by entry."""
    sides = []
    for left, right in ((a, b), (c, d)):
        found = product(left, right)
        high, shift = np.frexp(found.high)
        exponent = np.where(high == 0, 0, found.exponent + shift)
        sides.append((high, np.ldexp(found.low, -shift), exponent))
    return np.asarray(np.logical_and.reduce([x == y for x, y in zip(*sides, strict=True)]))


def total(numbers: Dyadics | Array) -> Fraction:
    """The exact sum.

    >>> total(np.array([1e100, 1.0, -1e100])), total(product(np.array([0.1]), np.array([0.1]))) == Fraction(0.1) ** 2
    (Fraction(1, 1), True)
    """
    return totals(numbers, None, 1)[0]


def totals(numbers: Dyadics | Array, bins: Integers | None, count: int) -> list[Fraction]:
    """The exact sums of the entries with bin 0, 1, …, count - 1."""
    given = numbers if isinstance(numbers, Dyadics) else product(numbers, np.ones_like(numbers))
    if not given.high.size:
        return [Fraction(0)] * count
    if given.high.size > MOST:
        raise ValueError(f"at most {MOST} numbers are added: got {given.high.size}")
    lowest = int(given.exponent.min())
    level = given.exponent - lowest
    if (height := int(level.max()) + 1) > TALL:
        levels, level = np.unique(level, return_inverse=True)
    else:
        levels = np.arange(height)
    place = level if bins is None else bins * len(levels) + level
    sums = [0] * count
    for part, below in ((given.high, SCALE // 2 + 1), (given.low, SCALE)):
        if not part.any():
            continue  # products of floats of 24 bits are doubles
        whole = np.ldexp(part, below).astype(np.int64)
        for digits, shift in ((whole >> HALF, HALF), (whole & (2**HALF - 1), 0)):
            added = np.bincount(place, digits.astype(np.float64), minlength=count * len(levels))
            for at in np.flatnonzero(added).tolist():
                k, j = divmod(at, len(levels))
                sums[k] += int(added[at]) << (int(levels[j]) + shift + SCALE - below)
    unit = Fraction(2) ** (lowest - SCALE)
    return [Fraction(number) * unit for number in sums]
