"""Derivatives of formulas, and their limits at infinity, by the rules of calculus.

A derivative is right wherever it and the formula have a value; a limit is found by the algebra of limits and by
"exponential beats polynomial", or not at all.
"""

from __future__ import annotations

from functools import cache

from implicitbias.exact.formula import Operation, parse, written
from implicitbias.theorems.setting import (
    NotShownError,
    Setting,
    minus,
    names_in,
    negated,
    number,
    put,
    times,
    total,
)
from implicitbias.theorems.sign import Sign

SLOPES = {
    "exp": "exp(u)",
    "log": "1/u",
    "sqrt": "1/(2*sqrt(u))",
    "sin": "cos(u)",
    "cos": "-sin(u)",
    "tan": "1 + tan(u)**2",
    "asin": "1/sqrt(1 - u**2)",
    "acos": "-1/sqrt(1 - u**2)",
    "atan": "1/(1 + u**2)",
    "sinh": "cosh(u)",
    "cosh": "sinh(u)",
    "tanh": "1 - tanh(u)**2",
    "erf": "2*exp(-u**2)/sqrt(pi)",
}
"""The derivatives of the functions that have one wherever it has a value."""

BOUNDED_AT_INFINITY = {"atan": "pi/2", "erf": "1", "tanh": "1"}
"""The odd functions with a limit at infinity."""


@cache
def _slope(head: str) -> Operation:
    return parse(SLOPES[head], ["u"]).tree


def derivative(tree: Operation, name: str) -> Operation:
    """The derivative in a variable. Raises NotShownError where Abs, Max, Min, sign, floor or gamma depend on it.

    >>> written(derivative(parse("w**2*exp(-w)").tree, "w"))
    '2*w*exp(-w) + w**2*(exp(-w)*(-1))'
    """
    if name not in names_in(tree):
        return number(0)
    if tree.is_name:
        return number(1)
    first, *others = tree.arguments
    match tree.head:
        case "+" | "-":
            return Operation(tree.head, (derivative(first, name), derivative(others[0], name)))
        case "neg":
            return negated(derivative(first, name))
        case "*":
            return _of_a_product(first, others[0], name)
        case "/":
            return _of_a_quotient(first, others[0], name)
        case "**":
            return _of_a_power(first, others[0], name)
    if tree.head not in SLOPES:
        raise NotShownError(f"the derivative of {written(tree)} in {name}")
    inner = derivative(first, name)
    outer = put(_slope(tree.head), {"u": first})
    return outer if inner == number(1) else times(outer, inner)


def _of_a_product(a: Operation, b: Operation, name: str) -> Operation:
    if name not in names_in(a):
        return times(a, derivative(b, name))
    if name not in names_in(b):
        return times(derivative(a, name), b)
    return total([times(derivative(a, name), b), times(a, derivative(b, name))])


def _of_a_quotient(a: Operation, b: Operation, name: str) -> Operation:
    if name not in names_in(b):
        return Operation("/", (derivative(a, name), b))
    over = minus(times(derivative(a, name), b), times(a, derivative(b, name)))
    return Operation("/", (over, Operation("**", (b, number(2)))))


def _of_a_power(base: Operation, exponent: Operation, name: str) -> Operation:
    if name in names_in(exponent):  # b**e = exp(e log b)
        power = times(exponent, Operation("log", (base,)))
        return times(Operation("**", (base, exponent)), derivative(power, name))
    less = number(exponent.number - 1) if exponent.number is not None else minus(exponent, number(1))
    power = base if less == number(1) else Operation("**", (base, less))
    slope = times(exponent, power)
    inner = derivative(base, name)
    return slope if inner == number(1) else times(slope, inner)


def limit_at_infinity(setting: Setting, tree: Operation, name: str) -> Operation:
    """The limit as the variable, which is none of the setting, grows beyond all bounds. Raises NotShownError.

    The formula must be continuous where it has a value; the limit is shown to have one.
    """
    found = _limit(setting, tree, name)
    setting.defined(found, f"the limit at infinity of {written(tree)}")
    return found


def _limit(setting: Setting, tree: Operation, name: str) -> Operation:
    if name not in names_in(tree):
        return tree
    if _decays(setting, tree, name):
        return number(0)
    if tree.head in BOUNDED_AT_INFINITY and (side := _grows(setting, tree.arguments[0], name)):
        return times(number(side), parse(BOUNDED_AT_INFINITY[tree.head], []).tree)
    if tree.head == "/":
        a, b = tree.arguments
        if (ratio := _limit_of_a_ratio(setting, a, b, name)) is not None:
            return ratio
        if _grows(setting, b, name):
            _limit(setting, a, name)
            return number(0)
    if tree.is_name or tree.head in ("sign", "floor"):
        raise NotShownError(f"the limit of {written(tree)} at infinity")
    return Operation(tree.head, tuple(_limit(setting, a, name) for a in tree.arguments))


def _coefficients(tree: Operation, name: str) -> list[Operation] | None:
    """Of a polynomial in the variable, from the constant on; None for anything else."""
    if name not in names_in(tree):
        return [tree]
    if tree.is_name:
        return [number(0), number(1)]
    if tree.head == "**":
        base, exponent = _coefficients(tree.arguments[0], name), tree.arguments[1].number
        if base is None or exponent is None or exponent.denominator != 1 or not 0 <= exponent <= 16:
            return None
        power = [number(1)]
        for _ in range(int(exponent)):
            power = _multiplied(power, base)
        return power
    parts = [_coefficients(a, name) for a in tree.arguments]
    match tree.head, parts:
        case "neg", [list(a)]:
            return [negated(c) for c in a]
        case (("+" | "-"), [list(a), list(b)]):
            size = max(len(a), len(b))
            a, b = ([*c, *[number(0)] * (size - len(c))] for c in (a, b))
            return [Operation(tree.head, pair) for pair in zip(a, b, strict=True)]
        case "*", [list(a), list(b)]:
            return _multiplied(a, b)
        case "/", [list(a), [b]]:
            return [Operation("/", (c, b)) for c in a]
    return None


def _multiplied(a: list[Operation], b: list[Operation]) -> list[Operation]:
    return [
        total([times(a[i], b[n - i]) for i in range(len(a)) if 0 <= n - i < len(b)]) for n in range(len(a) + len(b) - 1)
    ]


def _leading(setting: Setting, tree: Operation, name: str) -> tuple[int, Operation, int] | None:
    """Degree, leading coefficient and its sign, of a polynomial whose leading coefficient has a known sign."""
    coefficients = _coefficients(tree, name) or []
    for degree in reversed(range(len(coefficients))):
        match setting.sign(coefficients[degree]):
            case Sign.POSITIVE:
                return degree, coefficients[degree], 1
            case Sign.NEGATIVE:
                return degree, coefficients[degree], -1
            case Sign.ZERO:
                continue
        return None
    return None


def _grows(setting: Setting, tree: Operation, name: str) -> int:
    """1 or -1 for a polynomial that tends to infinity with that sign, else 0."""
    found = _leading(setting, tree, name)
    return found[2] if found and found[0] > 0 else 0


def _limit_of_a_ratio(setting: Setting, a: Operation, b: Operation, name: str) -> Operation | None:
    """Of two polynomials by their degrees; None if it is not finite, or not shown."""
    above, below = _coefficients(a, name), _leading(setting, b, name)
    if above is None or below is None or len(above) - 1 > below[0]:
        return None
    return Operation("/", (above[below[0]], below[1])) if len(above) - 1 == below[0] else number(0)


def _decays(setting: Setting, tree: Operation, name: str) -> bool:
    """Whether the formula times any polynomial tends to 0: exponentials of what tends to minus infinity."""
    a = tree.arguments
    match tree.head:
        case "exp":
            return _grows(setting, a[0], name) < 0
        case "neg":
            return _decays(setting, a[0], name)
        case "+" | "-":
            return all(_decays(setting, part, name) for part in a)
        case "*":
            return any(_decays(setting, p, name) and _tame(setting, q, name) for p, q in (a, a[::-1]))
        case "/":
            return _decays(setting, a[0], name) and _away_from_zero(setting, a[1], name)
        case "**":
            exponent = a[1].number
            return exponent is not None and exponent > 0 and _decays(setting, a[0], name)
    return False


def _tame(setting: Setting, tree: Operation, name: str) -> bool:
    """Whether the formula grows no faster than some polynomial."""
    if name not in names_in(tree) or tree.is_name:
        return True
    a = tree.arguments
    match tree.head:
        case "+" | "-" | "*" | "neg":
            return all(_tame(setting, part, name) for part in a)
        case "/":
            return _tame(setting, a[0], name) and _away_from_zero(setting, a[1], name)
        case "**":  # (tends to infinity)**(anything constant); (tame)**(whole number)
            if name not in names_in(a[1]) and _grows(setting, a[0], name) > 0:
                return True
            exponent = a[1].number
            return exponent is not None and exponent >= 0 and exponent.denominator == 1 and _tame(setting, a[0], name)
        case "atan" | "erf" | "tanh" | "sin" | "cos":
            return True
    return _decays(setting, tree, name)


def _away_from_zero(setting: Setting, tree: Operation, name: str) -> bool:
    """Whether 1/formula stays bounded: a constant (which is not 0 where the formula has a value), or what grows."""
    return name not in names_in(tree) or _grows(setting, tree, name) != 0
