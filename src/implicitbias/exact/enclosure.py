"""Rigorous values of formulas: exact fractions where only rational operations occur, enclosures otherwise.

Where a ball does not tell on which side of a zero its number lies (a radicand, a denominator), more digits are
computed; a radical that is exactly zero is recognised by its separation bound (`implicitbias.exact.separation`).
What is still open then is `UnresolvedError`, which says nothing about the formula; only `UndefinedError` does.

Ball arithmetic answers False to every comparison of overlapping balls, `==` and `!=` included. So balls are compared
here alone, by `compare`, and only a definite answer is a proof.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import flint

from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.no_value import (
    LARGE,
    NoValueError,
    TooLargeError,
    UndefinedError,
    UnresolvedError,
    called,
    why_undefined,
)
from implicitbias.exact.operations import Arb, at_balls, at_numbers
from implicitbias.exact.rational import Interval, Number
from implicitbias.exact.rational_values import rational_value
from implicitbias.exact.separation import separation_bits

__all__ = [
    "Comparison",
    "Interval",
    "NoValueError",
    "Number",
    "TooLargeError",
    "UndefinedError",
    "UnresolvedError",
    "compare",
    "enclose",
    "evaluate",
    "from_arb",
    "to_arb",
]

BITS = 256
MORE_DIGITS = (1, 4, 16)
"""Factors of the precision that are tried in turn where balls are too wide to decide."""


class Comparison(Enum):
    """What is proved about two numbers; UNKNOWN proves nothing."""

    LESS = "less"
    EQUAL = "equal"
    GREATER = "greater"
    UNKNOWN = "unknown"


def lower(a: Number) -> Fraction:
    return a if type(a) is Fraction else a.lower if isinstance(a, Interval) else Fraction(a)


def upper(a: Number) -> Fraction:
    return a if type(a) is Fraction else a.upper if isinstance(a, Interval) else Fraction(a)


def compare(a: Number, b: Number) -> Comparison:
    """How the numbers in a compare with those in b, where that is proved.

    >>> compare(Fraction(1, 3), Interval(Fraction(1, 2), Fraction(1)))
    <Comparison.LESS: 'less'>
    >>> compare(1, Interval(Fraction(0), Fraction(1)))
    <Comparison.UNKNOWN: 'unknown'>
    """
    if upper(a) < lower(b):
        return Comparison.LESS
    if lower(a) > upper(b):
        return Comparison.GREATER
    if lower(a) == upper(a) == lower(b) == upper(b):
        return Comparison.EQUAL
    return Comparison.UNKNOWN


def to_arb(number: Number) -> Arb:
    """A ball that contains the number, at the current working precision."""
    if isinstance(number, Interval):
        return _ball(number.lower).union(_ball(number.upper))
    return _ball(Fraction(number))


def _ball(number: Fraction) -> Arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def from_arb(ball: Arb) -> Interval:
    """The interval that the ball covers. Raises UnresolvedError where it is not finite or too large."""
    if not ball.is_finite():
        raise UnresolvedError("the enclosure is not finite")
    bound = flint.arb(2) ** LARGE
    if not ball.abs_upper() < bound:
        if ball.abs_lower() > bound:
            raise TooLargeError(1 if ball > 0 else -1)
        raise UnresolvedError(f"the enclosure reaches beyond 2^{LARGE}")
    if ball.abs_upper() < flint.arb(2) ** -LARGE:
        tiny = Fraction(1, 1 << LARGE)
        return Interval(Fraction(0) if ball >= 0 else -tiny, Fraction(0) if ball <= 0 else tiny)
    return Interval(_dyadic(ball.lower(), -1), _dyadic(ball.upper(), 1))


def _dyadic(end: Arb, outward: int) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    if exponent < -2 * LARGE:  # an end very much closer to zero than the other: move it outward
        return Fraction(outward, 1 << LARGE) if outward * mantissa > 0 else Fraction(0)
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def evaluate(expression: Expression, values: Mapping[str, Number], bits: int = BITS) -> Fraction | Interval:
    """The value of the formula where its names have these values: exact, or rigorously enclosed at `bits` bits or more.

    >>> evaluate(parse("Max(T, Abs(s))/2"), {"T": 1, "s": Fraction(-7, 3)})
    Fraction(7, 6)
    >>> float(evaluate(parse("sqrt(x)"), {"x": 2}).lower)
    1.4142135623730951
    >>> evaluate(parse("sqrt(sqrt(2)*sqrt(x) - 2)"), {"x": 2})
    Fraction(0, 1)

    Raises UndefinedError where it is proved that the formula has no real value, UnresolvedError where it could not be
    evaluated, KeyError for a name without a value.
    """
    exact = not any(isinstance(values.get(name), Interval) for name in expression.names)
    if exact and (rational := rational_value(expression.tree, values)) is not None:
        return rational
    evaluation = _Evaluation(values)
    for factor in MORE_DIGITS:
        try:
            return evaluation.at(expression.tree, bits * factor)
        except TooLargeError:
            raise
        except UnresolvedError:
            if not exact or factor == MORE_DIGITS[-1]:
                raise
    raise AssertionError("the last precision returns or raises")


def enclose(text: str, bits: int = BITS, **values: Number) -> Fraction | Interval:
    """`evaluate` of a formula given as text.

    >>> enclose("3*x/2", x=5)
    Fraction(15, 2)
    """
    return evaluate(parse(text, values.keys()), values, bits)


class _Evaluation:
    """One formula's parts at given values: their balls at the working precision, and their signs where needed."""

    def __init__(self, values: Mapping[str, Number]) -> None:
        self._values = values

    def at(self, tree: Operation, bits: int) -> Fraction | Interval:
        with _precision(bits):
            value = self._value(tree)
            return value if isinstance(value, Fraction) else from_arb(value)

    def _value(self, node: Operation) -> Any:
        """A Fraction, or a finite ball at the working precision."""
        if node.number is not None:
            return node.number
        if node.is_name:
            if node.head in self._values:
                given = self._values[node.head]
                return to_arb(given) if isinstance(given, Interval) else Fraction(given)
            if node.head in ("pi", "E"):
                return flint.arb.pi() if node.head == "pi" else flint.arb(1).exp()
            raise KeyError(f"no value for {node.head!r}")
        arguments = [self._value(a) for a in node.arguments]
        for need in _needs(node.head, arguments):
            arguments[need.place] = self._within(node, arguments[need.place], need)
        if all(isinstance(a, Fraction) for a in arguments):
            result = at_numbers(node.head, arguments)
            if result is not None:
                return result
        return at_balls(node.head, [_ball(a) if isinstance(a, Fraction) else a for a in arguments], arguments)

    def _within(self, node: Operation, argument: Any, need: _Need) -> Any:
        """The argument where the operation takes it: exact on the border, else a ball that excludes the border."""
        sign = _sign_of(argument - need.border)
        if sign is None:
            border = Operation(str(need.border), number=Fraction(need.border))
            sign, difference = self._decided(Operation("-", (node.arguments[need.place], border)))
            argument = Fraction(need.border) if sign == 0 else difference + need.border
            if node.head == "floor" and sign is not None:
                return Fraction(2 * need.border - (sign < 0), 2)  # another number with the same floor
        if sign is None:
            told = f"{flint.ctx.prec} bits do not tell its argument from {need.border}"
            raise UnresolvedError(f"{called(node.head)} could not be evaluated: {told}")
        if sign not in need.signs:
            if not need.proves:
                raise UnresolvedError(
                    f"{called(node.head)} of a number that is not positive, with an exponent in a ball"
                )
            raise UndefinedError(why_undefined(node.head, need.border, sign))
        return argument

    def _decided(self, node: Operation) -> tuple[int | None, Any]:
        """The proved sign of a part and its value at the precision that shows it; None where that is not reached."""
        needed = separation_bits(node, self._values)
        if needed is None:
            return None, self._value(node)
        bits = flint.ctx.prec
        while True:
            bits *= 2
            with _precision(bits):
                value = self._value(node)
                sign = _sign_of(value)
                if sign is None and value.abs_upper() < flint.arb(2) ** -needed:
                    sign = 0
            if sign is not None or bits > 4 * (needed + BITS):
                return sign, value


@contextlib.contextmanager
def _precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def _sign_of(value: Any) -> int | None:
    """The sign of a Fraction or of every number of a ball; None where these differ."""
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0 if value == 0 else None


@dataclass(frozen=True)
class _Need:
    """Which signs the difference of an argument and a border must have; `proves`: other signs leave it undefined."""

    place: int
    border: int
    signs: frozenset[int]
    proves: bool = True


_ANY, _POSITIVE, _NONNEGATIVE = frozenset({-1, 0, 1}), frozenset({1}), frozenset({0, 1})
_NONPOSITIVE, _NONZERO = frozenset({-1, 0}), frozenset({-1, 1})


def _needs(head: str, a: list[Any]) -> Sequence[_Need]:
    match head:
        case "/":
            return (_Need(1, 0, _NONZERO),)
        case "sqrt":
            return (_Need(0, 0, _NONNEGATIVE),)
        case "log":
            return (_Need(0, 0, _POSITIVE),)
        case "sign":
            return (_Need(0, 0, _ANY),)
        case "acos" | "asin":
            return (_Need(0, 1, _NONPOSITIVE), _Need(0, -1, _NONNEGATIVE))
        case "**":
            return _needs_of_a_power(a[1])
        case "floor" if not isinstance(a[0], Fraction):
            whole = (a[0] + 0.5).floor().unique_fmpz()
            return () if whole is None else (_Need(0, int(whole), _ANY),)
    return ()


def _needs_of_a_power(exponent: Any) -> Sequence[_Need]:
    if not isinstance(exponent, Fraction):
        return (_Need(0, 0, _POSITIVE, proves=False),)
    if exponent.denominator == 1:
        return (_Need(0, 0, _NONZERO),) if exponent < 0 else ()
    return (_Need(0, 0, _POSITIVE if exponent < 0 else _NONNEGATIVE),)
