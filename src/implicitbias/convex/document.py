"""Certificates as documents: the envelope, and numbers as text. Nothing is checked here; `certificate.kernel` does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kernel import FORMAT, VERSION, digest
from implicitbias.certificate.reading import MAX_DIGITS, Kind
from implicitbias.errors import CertificateError
from implicitbias.exact.rational import decimal_text

DIGITS = 24
"""Significant digits of the bounds as they are written, rounded outwards."""
TOO_LONG: int = 10 ** (MAX_DIGITS - 1)
"""A numerator or denominator of this size or more may be too long for a certificate, counting its sign."""


def certificate(kind: Kind, **fields: Any) -> dict[str, Any]:
    """The certificate of this kind with these fields, in this order, and their digest."""
    document = {"format": FORMAT, "version": VERSION, "kind": kind.name, **fields}
    return {**document, "digest": digest(document)}


def fits(number: Fraction) -> bool:
    """Whether the number is short enough for a certificate."""
    return abs(number.numerator) < TOO_LONG and number.denominator < TOO_LONG


def texts(numbers: Iterable[Fraction]) -> list[str]:
    """The numbers as text. Raises CertificateError if one is too long."""
    listed = list(numbers)
    if not all(map(fits, listed)):
        raise CertificateError(f"a number has more than the {MAX_DIGITS} digits of a certificate: round the data")
    return [str(number) for number in listed]


def bounds(lower: Fraction, upper: Fraction) -> dict[str, str]:
    """The claim lower <= V <= upper, with its relative gap: all rounded so that it stays true.

    Raises CertificateError for bounds that say next to nothing.
    """
    low, high = rounded_down(lower, DIGITS), rounded_up(upper, DIGITS)
    gap = rounded_up((high - low) / high, 2) if high else Fraction(0)
    if gap > Fraction(1, 2):  # what the checker takes for an answer at all
        raise CertificateError(
            f"the bounds {decimal_text(low, 3)} and {decimal_text(high, 3)} are all that was found, too far apart for "
            "a certificate: the data are too unevenly scaled for floating point; bring inputs and labels near 1"
        )
    return {"lower": str(low), "upper": str(high), "relative_gap": str(gap)}


def rounded_down(number: Fraction, digits: int) -> Fraction:
    """The largest decimal of about this many significant digits that is not above the number.

    >>> rounded_down(Fraction(2, 3), 3), rounded_down(Fraction(-2, 3), 3)
    (Fraction(333, 500), Fraction(-667, 1000))
    """
    if not number:
        return number
    scale = Fraction(10) ** (digits - 1 - _magnitude(abs(number)))
    return (number * scale).__floor__() / scale


def rounded_up(number: Fraction, digits: int) -> Fraction:
    """The smallest decimal of about this many significant digits that is not below the number."""
    return -rounded_down(-number, digits)


def _magnitude(number: Fraction) -> int:
    """⌊log10⌋ of a positive number."""
    power = (number.numerator.bit_length() - number.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** power > number:
        power -= 1
    while Fraction(10) ** (power + 1) <= number:
        power += 1
    return power
