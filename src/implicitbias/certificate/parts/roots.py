"""Square roots, enclosed by rationals."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

ROOT_BITS = 96
"""Bits of a square root."""


def root_above(square: Fraction) -> Fraction:
    """A rational not below √square, larger by a relative error of about 2^-ROOT_BITS."""
    if not square:
        return Fraction(0)
    shift = max(0, ROOT_BITS + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    return Fraction(isqrt((square.numerator << (2 * shift)) // square.denominator) + 1, 1 << shift)
