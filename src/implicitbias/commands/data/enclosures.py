"""Numbers that are known exactly or enclosed, as text and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.commands.data.numbers import DIGITS, decimal_of, shown, text_of
from implicitbias.exact.rational import Interval, Number

MAX_EXACT_DIGITS = 4000
"""A longer fraction is written as an enclosure: Python and many readers of JSON refuse longer integers."""

ENCLOSURE_DIGITS = 30


def as_json(number: Number | None, formula: str | None = None) -> dict[str, Any] | None:
    """{"exact": "p/q" or null, "formula": …, "decimal": "…", "interval": [lower, upper] or null}; null for no number.

    The decimal has the digits to which both ends of the interval round, 12 at most, and is null where there are none.

    >>> as_json(Fraction(1, 3))
    {'exact': '1/3', 'formula': None, 'decimal': '0.333333333333', 'interval': None}
    """
    if number is None:
        return None
    exact = _exact_text(number)
    return {
        "exact": exact,
        "formula": formula if formula != exact else None,
        "decimal": _decimal(number),
        "interval": None if exact is not None else list(decimal_interval(number)),
    }


def as_text(number: Number, formula: str | None = None) -> str:
    """The exact number if it is short, else a closed form, else as many digits as are certain.

    >>> as_text(Fraction(3, 2)), as_text(Interval(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)))
    ('1.5', '0.333333334 ± 7e-10')
    """
    if not isinstance(number, Interval):
        return shown(Fraction(number))
    if formula is not None:
        decimal = _decimal(number)
        return f"{formula} = " + (f"{decimal}…" if decimal is not None else _centre_and_radius(number))
    return _centre_and_radius(number)


def decimal_interval(number: Number, digits: int = ENCLOSURE_DIGITS) -> tuple[str, str]:
    """Decimals (lower, upper) that certainly contain the number, rounded outwards at this many significant digits.

    >>> decimal_interval(Fraction(2, 3), 4)
    ('0.6666', '0.6667')
    """
    lower, upper = (number.lower, number.upper) if isinstance(number, Interval) else (Fraction(number),) * 2
    return _rounded(lower, digits, up=False), _rounded(upper, digits, up=True)


def _rounded(number: Fraction, digits: int, up: bool) -> str:
    if number == 0:
        return "0"
    # log10 of the size from bit lengths is off by less than one digit, which only makes the decimal one digit longer.
    bits = abs(number.numerator).bit_length() - number.denominator.bit_length()
    places = digits - int(bits * 0.30103) - (bits > 0)
    scaled = number * Fraction(10) ** places
    whole = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return _decimal_text(whole, places)


def _decimal_text(whole: int, places: int) -> str:
    """whole / 10^places as decimal text."""
    sign, text = "-" if whole < 0 else "", str(abs(whole))
    if whole == 0:
        return "0"
    if places > 60:
        head, exponent = text, len(text) - 1 - places
        mantissa = f"{head[0]}.{head[1:]}".rstrip("0").rstrip(".")
        return f"{sign}{mantissa}e{exponent}"
    if places <= 0:
        return sign + text + "0" * -places
    text = text.rjust(places + 1, "0")
    return sign + f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".")


def _centre_and_radius(number: Interval) -> str:
    """`centre ± radius`, the radius rounded up, the centre's own rounding in it; at most 18 decimals."""
    digits = 18 if number.width == 0 else max(0, min(18, 1 - _magnitude(number.width)))
    centre = Fraction(round((number.lower + number.upper) / 2 * 10**digits), 10**digits)
    radius = max(number.upper - centre, centre - number.lower)
    if radius < Fraction(1, 10**60):
        radius = Fraction(1, 10**60)
    return f"{_decimal_text(int(centre * 10**digits), digits)} ± {float(_rounded(radius, 1, up=True)):.0e}"


def _magnitude(number: Fraction) -> int:
    """Floor of log10, or one more."""
    return int((number.numerator.bit_length() - number.denominator.bit_length()) * 0.30103)


def _exact_text(number: Number) -> str | None:
    if isinstance(number, Interval):
        return text_of(number.lower) if number.lower == number.upper else None
    fraction = Fraction(number)
    long = max(abs(fraction.numerator), fraction.denominator).bit_length() * 0.30103 > MAX_EXACT_DIGITS
    return None if long else text_of(fraction)


def _decimal(number: Number) -> str | None:
    if not isinstance(number, Interval):
        return decimal_of(Fraction(number))
    if number.contains(0) and number.width < Fraction(1, 10**20):
        return "0"
    for digits in range(DIGITS, 0, -1):
        text = decimal_of(number.lower, digits)
        if text == decimal_of(number.upper, digits):
            return text
    return None
