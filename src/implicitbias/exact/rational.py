"""Exact numbers: fractions from user input, and closed intervals with fractional ends."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from implicitbias.errors import DataError

Real = int | float | str | Fraction | Decimal

MAX_EXPONENT = 400
"""Decimal exponents beyond this are refused: no double reaches them and 1e999999999 would fill the memory."""

MAX_LENGTH = 4000
"""Longer texts are refused: Python reads and writes no integers of more than 4300 digits."""

_RATIONAL = re.compile(r"\s*([+-]?\d+)\s*/\s*(\d+)\s*", re.ASCII)
_DECIMAL = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True)
class Interval:
    """The closed interval [lower, upper] of rationals; as an observation, it means that the true value lies in it."""

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"an interval needs lower <= upper: got [{self.lower}, {self.upper}]")

    @classmethod
    def around(cls, centre: Fraction | int | float, radius: Fraction | int | float) -> Interval:
        """[centre - radius, centre + radius], floats taken as the exact dyadic numbers they are."""
        return cls(Fraction(centre) - Fraction(radius), Fraction(centre) + Fraction(radius))

    @property
    def width(self) -> Fraction:
        return self.upper - self.lower

    def contains(self, number: Fraction | int) -> bool:
        return self.lower <= number <= self.upper


Number = int | Fraction | Interval
"""An exact real number, or one known to lie in an interval."""


def exact(number: Real) -> Fraction:
    """The fraction a number stands for: decimal text as written, a float as the exact dyadic number it is.

    >>> exact("0.1"), exact("1/3"), exact(0.5), exact("-2.5e-1")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(-1, 4))

    Raises DataError for NaN, infinities and text that is not a number.
    """
    if isinstance(number, bool):
        raise DataError(f"expected a number, got {number}")
    if isinstance(number, int | Fraction):
        return Fraction(number)
    if isinstance(number, str):
        return _from_text(number)
    if isinstance(number, Decimal):
        if not number.is_finite():
            raise DataError(f"expected a finite number, got {number}")
        return _from_text(str(number))
    number = float(number)
    if not math.isfinite(number):
        raise DataError(f"expected a finite number, got {number}")
    return Fraction(number)


def _from_text(text: str) -> Fraction:
    if len(text) > MAX_LENGTH:
        raise DataError(
            f"{_ends(text)!r}, {len(text)} characters long, is more than the {MAX_LENGTH} of a number that are read: "
            "round it, or write it as 1e-9 or 1/3"
        )
    if match := _RATIONAL.fullmatch(text):
        numerator, denominator = int(match[1]), int(match[2])
        if denominator == 0:
            raise DataError(f"{text.strip()!r} divides by zero")
        return Fraction(numerator, denominator)
    if match := _DECIMAL.fullmatch(text):
        if match[2] and abs(int(match[2][1:])) > MAX_EXPONENT:
            raise DataError(f"the exponent of {text.strip()!r} is beyond ±{MAX_EXPONENT}")
        return Fraction(text.strip())
    raise DataError(f"{_ends(text)!r} is not a number: write 2, -0.5, 1e-3 or 1/3; NaN and infinity are not allowed")


def _ends(text: str) -> str:
    stripped = text.strip()
    return stripped if len(stripped) <= 40 else f"{stripped[:20]}…{stripped[-12:]}"


def decimal_text(number: Fraction | int, digits: int = 12, rounding: str = ROUND_HALF_EVEN) -> str:
    """The number rounded to this many significant digits, for display.

    rounding  one of the names of `decimal`

    >>> decimal_text(Fraction(22613, 246)), decimal_text(Fraction(1, 2)), decimal_text(0)
    ('91.9227642276', '0.5', '0')
    """
    number = Fraction(number)
    context = Context(prec=digits, rounding=rounding)
    value = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    text = f"{value:f}" if -5 <= value.adjusted() < digits + 3 else f"{value:e}"
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text or "0"
