"""How the checker reads a document: fields, lists and numbers have the form they must have, or are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

MAX_DIGITS = 4000
"""A longer numerator or denominator is refused: Python itself reads no more than 4300 digits."""
MAX_NUMBERS = 4_000_000
"""More numbers than this in one list are refused."""

_NUMBER = re.compile(r"-?[0-9]+(?:/[0-9]+)?", re.ASCII)

Fields = dict[str, object]
"""A JSON object: nothing is known about its values before they are read."""


@dataclass(frozen=True)
class Kind:
    """A kind of certificate, as the kernel finds it in a file of kinds/.

    name    the document's field "kind"
    fields  those between "kind" and "digest"
    check   says what a document with these fields proves, in words, or refuses it
    """

    name: str
    fields: tuple[str, ...]
    check: Callable[[Fields], str]


class RefusedError(Exception):
    """The certificate is refused; the message says why."""


def refuse(reason: str) -> NoReturn:
    raise RefusedError(reason)


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


def read_numbers(given: object, where: str) -> list[Fraction]:
    if not isinstance(given, list):
        refuse(f"{where} must be a list of numbers, not {kind_of(given)}")
    if len(given) > MAX_NUMBERS:
        refuse(f"{where} has {len(given)} numbers; {MAX_NUMBERS} are allowed")
    return [read_number(text, where, i) for i, text in enumerate(given)]


def read_number(given: object, where: str, index: int | None = None) -> Fraction:
    """The rational that the text is, if it is written in the one allowed way."""
    if (number := _rational(given) if type(given) is str else None) is None:
        refuse(
            f'{where if index is None else f"{where}[{index}]"} must be a rational in lowest terms as text, "-7/3" or '
            f'"12", of at most {MAX_DIGITS} digits: got {shown(given)}'
        )
    return number


def _rational(text: str) -> Fraction | None:
    top, _, bottom = text.partition("/")
    if len(top) > MAX_DIGITS or len(bottom) > MAX_DIGITS or not _NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(int(top), int(bottom or "1"))
        return number if str(number) == text else None
    except (ZeroDivisionError, ValueError):
        return None  # a ValueError: Python was told to read fewer digits than MAX_DIGITS


def require_increasing(numbers: list[Fraction], where: str) -> None:
    for i in range(1, len(numbers)):
        if numbers[i - 1] >= numbers[i]:
            below, above = in_words(numbers[i - 1]), in_words(numbers[i])
            refuse(f"{where} must increase: [{i - 1}] = {below} is not below [{i}] = {above}")


def read_bounds(given: object, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The claim {"lower": L, "upper": U, "relative_gap": G}, if L <= lower, upper <= U and U - L <= G·U, G < 1.

    lower, upper  what the dual and the primal prove
    """
    claim = read_fields(given, "claim", ("lower", "upper", "relative_gap"))
    low, high, gap = (read_number(claim[name], f"claim.{name}") for name in ("lower", "upper", "relative_gap"))
    if low > lower:
        refuse(f"claim.lower is above what the dual proves, {in_words(lower)}")
    if high < upper:
        refuse(f"claim.upper is below what the primal proves, {in_words(upper)}")
    if not 0 <= gap < 1 or high - low > gap * high:
        refuse("claim.relative_gap must be at least (upper - lower)/upper, and below 1")
    return low, high, gap


# Words ----------------------------------------------------------------------------------------------------------------


def kind_of(given: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}
    names |= {bool: "a truth value", int: "an integer", float: "a float"}
    return "null" if given is None else names.get(type(given), "something that JSON does not have")


def shown(given: object) -> str:
    if isinstance(given, str):
        return repr(given) if len(given) <= 60 else f"{given[:40]!r}… ({len(given)} characters)"
    return repr(given) if given is None or isinstance(given, bool | float) else kind_of(given)


def in_words(number: Fraction) -> str:
    """The number, with its decimal value where it is a fraction; a long one by its decimal value alone."""
    text = str(number)
    try:
        decimal = f"{float(number):.12g}"
    except OverflowError:
        return shown(text)
    exact = text if number.denominator == 1 else f"{text} (about {decimal})"
    return exact if len(text) <= 60 else f"about {decimal}"
