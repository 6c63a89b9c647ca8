"""How the checker says numbers: exactly, or with digits that are right. A bound is rounded away from what it bounds."""

from __future__ import annotations

from .budget import price, spend
from .rational import Rational

DIGITS = 12
"""Significant digits of a number."""
DIGITS_OF_BOUNDS = 18
"""Significant digits of a bound."""
SHORT_BITS = 160
"""A number of more bits is said by its decimal alone."""
LARGE = 100
"""A fraction with a larger denominator that is a short decimal is said as one."""


def kind_of(given: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}
    names |= {bool: "a truth value", int: "an integer", float: "a float"}
    return "null" if given is None else names.get(type(given), "something that JSON does not have")


def shown(given: object) -> str:
    if type(given) is str:
        return repr(given) if len(given) <= 60 else f"{given[:40]!r}… ({len(given)} characters)"
    return repr(given) if given is None or type(given) in (bool, float) else kind_of(given)


def in_words(number: Rational) -> str:
    """The number, and its decimal where it is a fraction; a long one by its decimal alone. "…": more digits follow.

    >>> in_words(Rational(13, 7)), in_words(Rational(5, 4)), in_words(Rational(-3))
    ('13/7 (1.85714285714…)', '5/4 (1.25)', '-3')
    """
    text, exact = _decimal(number, 0)
    decimal = text if exact else f"{text}…"
    if number.bits > SHORT_BITS or (exact and number.denominator > LARGE):
        return decimal
    return f"{number}" if number.denominator == 1 else f"{number} ({decimal})"


def at_least(number: Rational) -> str:
    """A lower bound: the number itself where it is short, else a decimal that is not above it.

    >>> at_least(Rational(1, 3)), at_least(Rational(10**40 + 1, 10**40)), at_least(Rational(-(10**60), 3))
    ('1/3', '1', '-3.33333333333333334e+59')
    """
    return _bound(number, -1)


def at_most(number: Rational) -> str:
    """An upper bound: the number itself where it is short, else a decimal that is not below it."""
    return _bound(number, 1)


def _bound(number: Rational, direction: int) -> str:
    text, exact = _decimal(number, direction, DIGITS_OF_BOUNDS)
    short = number.bits <= SHORT_BITS // 4 and not (exact and number.denominator > LARGE)
    return str(number) if short else text


def digits_between(low: Rational, high: Rational) -> str:
    """A number that lies between: the digits that it has in common with both, or both.

    >>> digits_between(Rational(1414213562373095, 10**15), Rational(1414213562373096, 10**15))
    '1.41421356237…'
    """
    first, last = _decimal(low, 0)[0], _decimal(high, 0)[0]
    return f"{first}…" if first == last else f"between {at_least(low)} and {at_most(high)}"


def _decimal(number: Rational, direction: int, digits: int = DIGITS) -> tuple[str, bool]:
    """So many significant digits, rounded up (direction 1), down (-1) or towards 0 (0); and whether nothing is lost."""
    if not number:
        return "0", True
    spend(1 + 4 * price(number.bits, number.bits))
    size, bottom = abs(number.numerator), number.denominator
    power = (size.bit_length() - bottom.bit_length()) * 30103 // 100_000 - 1
    while True:
        # size/bottom = mantissa·10^(power - digits + 1)
        shift = digits - 1 - power
        mantissa, rest = divmod(size * 10 ** max(0, shift), bottom * 10 ** max(0, -shift))
        if mantissa < 10**digits:
            break
        power += 1
    negative = number.numerator < 0
    if rest and direction == (-1 if negative else 1):
        mantissa += 1
        if mantissa == 10**digits:
            mantissa, power = mantissa // 10, power + 1
    figures = f"{mantissa}".rstrip("0")
    if -5 <= power < digits:
        padded = "0" * -power + figures if power < 0 else figures.ljust(power + 1, "0")
        whole, part = padded[: max(power, 0) + 1], padded[max(power, 0) + 1 :]
        text = f"{whole}.{part}" if part else whole
    else:
        text = f"{figures[0]}.{figures[1:]}".rstrip(".") + f"e{power:+d}"
    return ("-" if negative else "") + text, not rest
