"""How the checker reads a document: fields, lists and numbers have the form they must have, or are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from math import gcd

from .about import Data
from .budget import price, refuse, spend
from .rational import Rational
from .words import at_least, at_most, in_words, kind_of, shown

MAX_DIGITS = 4000
"""A longer numerator or denominator is refused: Python itself reads no more than 4300 digits."""
MAX_NUMBERS = 4_000_000
"""More numbers than this in one list are refused."""

WIDEST = Rational(1, 10**20)
"""A claimed number may be enclosed with this relative width."""
WIDEST_GAP = Rational(1, 2)
"""The largest relative gap of two bounds that is accepted: wider ones say too little."""

_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)

Fields = dict[str, object]
"""A JSON object: nothing is known about its values before they are read."""


@dataclass(frozen=True)
class Kind:
    """A kind of certificate, as the kernel finds it in a file of kinds/.

    name    the document's field "kind"
    fields  those between "kind" and "digest"
    check   says what a document with these fields proves, in words and about which data, or refuses it; words alone
            where it is about no data
    """

    name: str
    fields: tuple[str, ...]
    check: Callable[[Fields], Proved | str]


@dataclass(frozen=True)
class Proved:
    """What a certificate proves, in words, and the data that it is about."""

    statement: str
    data: Data


# Fields, lists and numbers --------------------------------------------------------------------------------------------


def read_fields(given: object, where: str, names: Sequence[str]) -> Fields:
    """A JSON object with exactly these fields."""
    if not isinstance(given, dict):
        refuse(f"{where} must be a JSON object with the fields {', '.join(names)}, not {kind_of(given)}")
    for name in given:
        if name not in names:
            refuse(f"{where} has an unknown field {shown(name)}")
    for name in names:
        if name not in given:
            refuse(f"{where} lacks the field {name!r}")
    return given


def read_list(given: object, otherwise: str, length: int | None = None) -> list[object]:
    """A JSON list, of this length if one is given; anything else is refused with the reason `otherwise`."""
    if not isinstance(given, list) or (length is not None and len(given) != length):
        refuse(otherwise)
    return given


def read_integer(given: object, allowed: Container[int], otherwise: str) -> int:
    """A JSON integer that is allowed; anything else, True and 1.0 included, is refused with the reason `otherwise`."""
    if type(given) is not int or given not in allowed:
        refuse(otherwise)
    return given


def read_numbers(given: object, where: str) -> list[Rational]:
    if not isinstance(given, list):
        refuse(f"{where} must be a list of numbers, not {kind_of(given)}")
    if len(given) > MAX_NUMBERS:
        refuse(f"{where} has {len(given)} numbers; {MAX_NUMBERS} are allowed")
    return [read_number(text, where, i) for i, text in enumerate(given)]


def read_number(given: object, where: str, index: int | None = None) -> Rational:
    """The rational that the text is, if it is written in the one allowed way."""
    if (number := _rational(given) if type(given) is str else None) is None:
        refuse(
            f'{where if index is None else f"{where}[{index}]"} must be a rational in lowest terms as text, "-7/3" or '
            f'"12", of at most {MAX_DIGITS} digits: got {shown(given)}'
        )
    return number


def _rational(text: str) -> Rational | None:
    """The number that is written in the one allowed way: no sign, zero or factor too many."""
    match = _NUMBER.fullmatch(text) if len(text) <= 2 * MAX_DIGITS + 2 else None
    if match is None or len(match[1]) > MAX_DIGITS or len(match[2] or "") > MAX_DIGITS:
        return None
    try:
        top, bottom = int(match[1]), int(match[2] or 1)
    except ValueError:
        return None  # Python was told to read fewer digits than MAX_DIGITS
    spend(1 + 2 * price(top.bit_length(), bottom.bit_length()))
    if match[2] and (bottom == 1 or gcd(top, bottom) != 1):
        return None
    return Rational(top, bottom)


def require_increasing(numbers: list[Rational], where: str) -> None:
    for i in range(1, len(numbers)):
        if numbers[i - 1] >= numbers[i]:
            below, above = in_words(numbers[i - 1]), in_words(numbers[i])
            refuse(f"{where} must increase: [{i - 1}] = {below} is not below [{i}] = {above}")


def read_bounds(given: object, lower: Rational, upper: Rational) -> str:
    """The claim {"lower": L, "upper": U, "relative_gap": G}, if L <= lower, upper <= U and U - L <= G·U; in words.

    G may be WIDEST_GAP at most.

    lower, upper  what the dual and the primal prove
    """
    claim = read_fields(given, "claim", ("lower", "upper", "relative_gap"))
    low, high, gap = (read_number(claim[name], f"claim.{name}") for name in ("lower", "upper", "relative_gap"))
    if low > lower:
        refuse(f"claim.lower is above what the dual proves, {in_words(lower)}")
    if high < upper:
        refuse(f"claim.upper is below what the primal proves, {in_words(upper)}")
    if gap < 0 or gap > WIDEST_GAP or high - low > gap * high:
        refuse("claim.relative_gap must be at least (upper - lower)/upper, and at most 1/2")
    return f"lies between {at_least(low)} and {at_most(high)}; relative gap at most {at_most(gap)}"


def read_value(given: object, where: str) -> tuple[Rational, Rational]:
    """A number, twice, or the ends of its enclosure {"at_least": A, "at_most": B}; refused if that is wide."""
    if not isinstance(given, dict):
        number = read_number(given, where)
        return number, number
    ends = read_fields(given, where, ("at_least", "at_most"))
    low, high = (read_number(ends[name], f"{where}.{name}") for name in ("at_least", "at_most"))
    if low > high or high - low > WIDEST * max(abs(low), abs(high)):
        refuse(
            f"{where} must enclose a number, at_least <= at_most, with a relative width of at most 1e-20, which "
            f"{at_least(low)} and {at_most(high)} do not"
        )
    return low, high


def value_in_words(low: Rational, high: Rational) -> str:
    """What `read_value` read, with its verb."""
    return f"is {in_words(low)}" if low == high else f"lies between {at_least(low)} and {at_most(high)}"
