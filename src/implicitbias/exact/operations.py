"""One operation of the formula language: at rational numbers, where its value is rational, and at balls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial, isqrt
from typing import Any

import flint

from implicitbias.exact.no_value import LARGE, UndefinedError, UnresolvedError, called
from implicitbias.exact.rational_values import LARGEST_POWER

Arb = flint.arb


def at_numbers(head: str, a: list[Fraction]) -> Fraction | None:
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
    if abs(exponent.numerator) * size > LARGEST_POWER * exponent.denominator or exponent.denominator > 64:
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


def at_balls(head: str, a: list[Arb], exact_arguments: list[Any]) -> Arb:
    """A finite ball; `exact_arguments`: the same arguments, exact where they are known so. Raises UnresolvedError."""
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
            result = _whole_power(a[0], int(exponent)) if whole and abs(exponent) < LARGE else a[0] ** a[1]
        case "Max" | "Min":
            result = a[0]
            for other in a[1:]:
                result = result.max(other) if head == "Max" else result.min(other)
        case _:
            result = _BALL_FUNCTIONS[head](a[0])
    if not result.is_finite():
        raise UnresolvedError(f"no finite enclosure of {called(head)} was found")
    return result


def _whole_power(base: Arb, exponent: int) -> Arb:
    """base^exponent; an even power of a ball around 0 is enclosed from 0 on."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    if exponent == 0:
        return flint.arb(1)
    if exponent % 2 == 0 and not (base > 0 or base < 0):
        return flint.arb(0).union(base.abs_upper() ** exponent)
    return base**exponent
