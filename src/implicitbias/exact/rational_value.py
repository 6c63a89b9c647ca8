"""The values of formulas at rational points, where only rational operations occur: most of all values that are asked.

A formula is asked at many points, so it is turned into nested functions once. They compute with flint's fractions,
which take a tenth of the time of Python's. What is not rational is left to `implicitbias.exact.enclosure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from operator import itemgetter
from typing import TYPE_CHECKING

from flint import fmpq

if TYPE_CHECKING:
    from implicitbias.exact.formula import Operation
    from implicitbias.exact.rational import Number

LARGEST_POWER = 1 << 12
"""Bits of the largest power that is carried: larger ones are enclosed."""

KEPT = 1 << 10
"""The most formulas whose functions are kept."""

At = Callable[[Mapping[str, fmpq]], fmpq]


class _NotRationalError(Exception):
    """A part of the formula is not rational there, or has no value."""


@dataclass(frozen=True)
class _Made:
    """A formula, the names in it, and the function of their values; None if it is never rational."""

    tree: Operation
    names: tuple[str, ...]
    at: At | None


_made: dict[int, _Made] = {}
"""By the identity of the tree, which is kept with it: to hash or to compare trees takes as long as to evaluate them."""


def rational_value(tree: Operation, values: Mapping[str, Number]) -> Fraction | None:
    """The value where its names have these values; None where a part is not rational, or it cannot be told here.

    >>> from implicitbias.exact.formula import parse
    >>> rational_value(parse("Max(T, Abs(s))/2").tree, {"T": 1, "s": Fraction(-7, 3)})
    Fraction(7, 6)
    >>> rational_value(parse("sqrt(x)").tree, {"x": 2}) is None
    True

    Raises ZeroDivisionError where a division by zero is met before anything that is not rational.
    """
    made = _made.get(id(tree))
    if made is None:
        if len(_made) >= KEPT:
            _made.clear()
        made = _made[id(tree)] = _Made(tree, tuple(_names(tree)), _function(tree))
    if made.at is None:
        return None
    given = {}
    for name in made.names:
        value = values.get(name)
        if not isinstance(value, int | Fraction):
            return None
        given[name] = fmpq(value.numerator, value.denominator)
    try:
        found = made.at(given)
    except _NotRationalError:
        return None
    return Fraction(int(found.p), int(found.q))


def _names(tree: Operation) -> dict[str, None]:
    if tree.is_name:
        return {tree.head: None}
    return {name: None for argument in tree.arguments for name in _names(argument)}


def _function(node: Operation) -> At | None:
    if node.number is not None:
        constant = fmpq(node.number.numerator, node.number.denominator)
        return lambda values: constant
    if node.is_name:
        return itemgetter(node.head)
    parts = [_function(argument) for argument in node.arguments]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    match node.head, known:
        case "+", [a, b]:
            return lambda values: a(values) + b(values)
        case "-", [a, b]:
            return lambda values: a(values) - b(values)
        case "*", [a, b]:
            return lambda values: a(values) * b(values)
        case "/", [a, b]:
            return lambda values: a(values) / b(values)
        case "neg", [a]:
            return lambda values: -a(values)
        case "Abs", [a]:
            return lambda values: abs(a(values))
        case "Max", _:
            return lambda values: max([part(values) for part in known])
        case "Min", _:
            return lambda values: min([part(values) for part in known])
        case "sign", [a]:
            return lambda values: _sign(a(values))
        case "floor", [a]:
            return lambda values: fmpq(a(values).floor())
        case "sqrt", [a]:
            return lambda values: _root(a(values))
        case "**", [a, b]:
            return lambda values: _power(a(values), b(values))
    return None


def _sign(value: fmpq) -> fmpq:
    return fmpq((value > 0) - (value < 0))


def _bits(value: fmpq) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def _root(value: fmpq) -> fmpq:
    if value < 0 or _bits(value) > 2 * LARGEST_POWER:
        raise _NotRationalError
    top, bottom = isqrt(int(value.p)), isqrt(int(value.q))
    root = fmpq(top, bottom)
    if root * root != value:
        raise _NotRationalError
    return root


def _power(base: fmpq, exponent: fmpq) -> fmpq:
    if exponent.q != 1:
        raise _NotRationalError
    if base == 0:
        if exponent < 0:
            raise ZeroDivisionError
        return fmpq(int(exponent == 0))
    if abs(int(exponent.p)) * _bits(base) > LARGEST_POWER:
        raise _NotRationalError
    return base ** int(exponent.p)
