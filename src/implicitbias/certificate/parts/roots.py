"""Square roots, enclosed by rationals."""

from __future__ import annotations

from math import isqrt

from ..budget import price, spend
from ..rational import Rational

ROOT_BITS = 96
"""Bits of a square root."""


def root_above(square: Rational) -> Rational:
    """A rational not below √square, larger by a relative error of about 2^-ROOT_BITS."""
    if not square:
        return Rational(0)
    shift = max(0, ROOT_BITS + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    bits = square.bits + 2 * shift
    spend(8 * price(bits, bits))
    return Rational(isqrt((square.numerator << (2 * shift)) // square.denominator) + 1, 1 << shift)
