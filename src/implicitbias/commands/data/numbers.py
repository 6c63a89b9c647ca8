"""Exact numbers as text, to be read and for programs."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.exact.rational import decimal_text

SHORT = 24
"""Characters up to which an exact number is printed as such, not as its decimal value alone."""


def shown(number: Fraction) -> str:
    """The exact number with its decimal value if it is short, otherwise the decimal value alone."""
    decimal = decimal_of(number)
    if Fraction(decimal) == number:
        return decimal
    if abs(number.numerator) >= 10**SHORT or number.denominator >= 10**SHORT:
        return f"≈{decimal}"
    return f"{number} ≈ {decimal}" if len(str(number)) <= SHORT else f"≈{decimal}"


def equals(number: Fraction) -> str:
    text = shown(number)
    return text if text.startswith("≈") else f"= {text}"


DIGITS = 12
"""Significant digits of a decimal."""


def decimal_of(number: Fraction, digits: int = DIGITS) -> str:
    """Significant digits, also for fractions with a million digits."""
    size = number.numerator.bit_length() + number.denominator.bit_length()
    if size > 4096:
        shift = 256 + number.denominator.bit_length() - number.numerator.bit_length()
        number = Fraction(int(number * 2**shift) if shift >= 0 else int(number / 2**-shift)) / Fraction(2) ** shift
    return decimal_text(number, digits)


def text_of(number: Fraction) -> str:
    """p/q in lowest terms, also for integers that are too long for `str`."""
    if max(abs(number.numerator), number.denominator).bit_length() < 10_000:
        return str(number)
    from flint import fmpz

    numerator, denominator = str(fmpz(number.numerator)), str(fmpz(number.denominator))
    return numerator if denominator == "1" else f"{numerator}/{denominator}"
