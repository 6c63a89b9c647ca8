"""Rigorous values of formulas: exact fractions where only rational operations occur, enclosures otherwise.

Ball arithmetic answers False to every comparison of overlapping balls, `==` and `!=` included. So balls are compared
here alone, by `compare`, and only a definite answer is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from math import factorial, isqrt
from typing import Any

import flint

from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.rational import Interval, Number

__all__ = ["Comparison", "Interval", "Number", "UndefinedError", "compare", "enclose", "evaluate", "from_arb", "to_arb"]

Arb = flint.arb
BITS = 256
LARGE = 1 << 12  # numbers beyond 2^±LARGE are not carried: no claim here needs them and their ends fill the memory


class UndefinedError(ArithmeticError):
    """The formula has no real value there: a division by zero, the logarithm of a negative number, or too large."""


class Comparison(Enum):
    """What is proved about two numbers; UNKNOWN proves nothing."""

    LESS = "less"
    EQUAL = "equal"
    GREATER = "greater"
    UNKNOWN = "unknown"


def lower(a: Number) -> Fraction:
    return a.lower if isinstance(a, Interval) else Fraction(a)


def upper(a: Number) -> Fraction:
    return a.upper if isinstance(a, Interval) else Fraction(a)


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
    """The interval that the ball covers. Raises UndefinedError where it is not finite or too large."""
    if not ball.is_finite():
        raise UndefinedError("there is no finite value")
    if not ball.abs_upper() < flint.arb(2) ** LARGE:
        raise UndefinedError(f"the value exceeds 2^{LARGE}")
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
    """The value of the formula where its names have these values: exact, or rigorously enclosed at `bits` bits.

    >>> evaluate(parse("Max(T, Abs(s))/2"), {"T": 1, "s": Fraction(-7, 3)})
    Fraction(7, 6)
    >>> float(evaluate(parse("sqrt(x)"), {"x": 2}).lower)
    1.4142135623730951

    Raises UndefinedError where the formula has no real value, KeyError for a name without a value.
    """
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        value = _value(expression.tree, values)
        return value if isinstance(value, Fraction) else from_arb(value)
    finally:
        flint.ctx.prec = before


def enclose(text: str, bits: int = BITS, **values: Number) -> Fraction | Interval:
    """`evaluate` of a formula given as text.

    >>> enclose("3*x/2", x=5)
    Fraction(15, 2)
    """
    return evaluate(parse(text, values.keys()), values, bits)


def _value(node: Operation, values: Mapping[str, Number]) -> Any:
    if node.number is not None:
        return node.number
    if node.is_name:
        if node.head in values:
            given = values[node.head]
            return to_arb(given) if isinstance(given, Interval) else Fraction(given)
        if node.head in ("pi", "E"):
            return flint.arb.pi() if node.head == "pi" else flint.arb(1).exp()
        raise KeyError(f"no value for {node.head!r}")
    arguments = [_value(a, values) for a in node.arguments]
    if all(isinstance(a, Fraction) for a in arguments):
        result = _exact(node.head, arguments)
        if result is not None:
            return result
    return _in_balls(node.head, [_ball(a) if isinstance(a, Fraction) else a for a in arguments], arguments)


def _exact(head: str, a: list[Fraction]) -> Fraction | None:
    """The rational value of an operation on rationals, or None where it is irrational (or too large to carry)."""
    match head:
        case "+":
            return a[0] + a[1]
        case "-":
            return a[0] - a[1]
        case "*":
            return a[0] * a[1]
        case "/":
            if a[1] == 0:
                raise UndefinedError("division by zero")
            return a[0] / a[1]
        case "neg":
            return -a[0]
        case "Abs":
            return abs(a[0])
        case "Max":
            return max(a)
        case "Min":
            return min(a)
        case "sign":
            return Fraction((a[0] > 0) - (a[0] < 0))
        case "floor":
            return Fraction(a[0].numerator // a[0].denominator)
        case "sqrt":
            return _power(a[0], Fraction(1, 2))
        case "**":
            return _power(a[0], a[1])
        case "gamma":
            return _gamma(a[0])
        case "log":
            return Fraction(0) if a[0] == 1 else None
        case "exp" | "cos" | "cosh":
            return Fraction(1) if a[0] == 0 else None
        case "acos":
            return Fraction(0) if a[0] == 1 else None
        case _:
            return Fraction(0) if a[0] == 0 else None


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if base == 0:
        if exponent < 0:
            raise UndefinedError("division by zero")
        return Fraction(int(exponent == 0))
    if base < 0 and exponent.denominator != 1:
        raise UndefinedError(f"a negative number to the power {exponent}")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent.numerator) * size > LARGE * exponent.denominator or exponent.denominator > 64:
        return None
    root = base
    if exponent.denominator != 1:
        top, bottom = _root(base.numerator, exponent.denominator), _root(base.denominator, exponent.denominator)
        if top is None or bottom is None:
            return None
        root = Fraction(top, bottom)
    return root**exponent.numerator


def _root(number: int, degree: int) -> int | None:
    """The integer whose `degree`-th power is the number, if there is one."""
    root = isqrt(number) if degree == 2 else int(flint.fmpz(number).root(degree))
    return root if root**degree == number else None


def _gamma(a: Fraction) -> Fraction | None:
    if a.denominator == 1 and a <= 0:
        raise UndefinedError(f"gamma has a pole at {a}")
    return Fraction(factorial(int(a) - 1)) if a.denominator == 1 and a <= 500 else None


_BALL_FUNCTIONS: dict[str, Callable[[Arb], Arb]] = {
    "neg": lambda x: -x,
    "Abs": abs,
    "sqrt": lambda x: x.sqrt(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "tan": lambda x: x.tan(),
    "asin": lambda x: x.asin(),
    "acos": lambda x: x.acos(),
    "atan": lambda x: x.atan(),
    "sinh": lambda x: x.sinh(),
    "cosh": lambda x: x.cosh(),
    "tanh": lambda x: x.tanh(),
    "erf": lambda x: x.erf(),
    "gamma": lambda x: x.gamma(),
    "sign": lambda x: x.sgn(),
    "floor": lambda x: x.floor(),
}


def _in_balls(head: str, a: list[Arb], exact_arguments: list[Any]) -> Arb:
    match head:
        case "+":
            result = a[0] + a[1]
        case "-":
            result = a[0] - a[1]
        case "*":
            result = a[0] * a[1]
        case "/":
            result = a[0] / a[1]
        case "**":
            exponent = exact_arguments[1]
            whole = isinstance(exponent, Fraction) and exponent.denominator == 1
            result = a[0] ** int(exponent) if whole and abs(exponent) < LARGE else a[0] ** a[1]
        case "Max" | "Min":
            result = a[0]
            for other in a[1:]:
                result = result.max(other) if head == "Max" else result.min(other)
        case _:
            result = _BALL_FUNCTIONS[head](a[0])
    if not result.is_finite():
        raise UndefinedError(f"{head} has no finite real value there")
    return result
