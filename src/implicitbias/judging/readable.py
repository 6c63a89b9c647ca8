"""Values for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims.evidence import Value
from implicitbias.exact.rational import Interval, decimal_text


def text(value: Value) -> str:
    """A value for a reader: short fractions as they are, long ones and enclosures as decimals."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "nothing"}[value]
    if isinstance(value, int | Fraction):
        return number_text(Fraction(value))
    if isinstance(value, Interval):
        return _interval_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "(" + ", ".join(text(v) for v in value) + ")"
    return str(value)


def number_text(number: Fraction) -> str:
    """As it is where it is short, else twelve digits after a sign that says so."""
    if number.denominator == 1 and abs(number) < 10**15:
        return str(number)
    if number.denominator < 10**9 and abs(number.numerator) < 10**12:
        return str(number)
    return "≈ " + decimal_text(number)


def _interval_text(interval: Interval) -> str:
    if interval.lower == interval.upper:
        return number_text(interval.lower)
    size = max(abs(interval.lower), abs(interval.upper))
    if interval.width <= size * Fraction(1, 10**12):
        return "≈ " + decimal_text((interval.lower + interval.upper) / 2)
    return f"between {decimal_text(interval.lower, 8)} and {decimal_text(interval.upper, 8)}"
