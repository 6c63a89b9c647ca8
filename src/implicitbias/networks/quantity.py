"""What is said of a network: named quantities with their formulas, in sections. Every screen shows the same record."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval, decimal_text

DIGITS = 12
"""Significant digits of a number that is printed."""
LISTED = 8
"""Entries of a list that are printed."""

Value = Fraction | Interval | int | float | str | tuple[Any, ...] | None


@dataclass(frozen=True)
class Quantity:
    """One thing that was computed.

    key      its name for programs
    name     its name for readers
    value    a Fraction: exact; an Interval: certainly in it; a float: rounded; None: not computed, and `note` says why
    formula  what it is
    note     how it was computed, what it means, or why it was not computed
    """

    key: str
    name: str
    value: Value
    formula: str = ""
    note: str = ""

    @property
    def words(self) -> str:
        """The value to be read."""
        return as_words(self.value)


@dataclass(frozen=True)
class Section:
    """Quantities that belong together."""

    title: str
    quantities: tuple[Quantity, ...]


def as_words(value: Value) -> str:
    """A value to be read: numbers to at most 12 digits, of an interval those that are certain.

    >>> as_words(Fraction(1, 3)), as_words(Interval(Fraction(2), Fraction(2) + Fraction(1, 10**6))), as_words(None)
    ('0.333333333333', '2', 'not computed')
    """
    match value:
        case None:
            return "not computed"
        case bool():
            return "yes" if value else "no"
        case Fraction():
            return decimal_text(value, DIGITS)
        case Interval():
            return _certain(value)
        case float():
            return f"{value:.6g}"
        case tuple():
            shown = ", ".join(as_words(entry) for entry in value[:LISTED])
            return shown + (f", … ({len(value)} in all)" if len(value) > LISTED else "")
    return str(value)


def _certain(value: Interval) -> str:
    for digits in range(DIGITS, 0, -1):
        text = decimal_text(value.lower, digits)
        if text == decimal_text(value.upper, digits):
            return text
    return f"{decimal_text(value.lower, 3)} … {decimal_text(value.upper, 3)}"
