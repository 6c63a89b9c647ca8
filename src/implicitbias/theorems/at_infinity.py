"""Limits of formulas at infinity: by the algebra of limits and by "exponential beats polynomial", or not at all."""

from __future__ import annotations

from implicitbias.exact.formula import Operation, parse, written
from implicitbias.theorems.setting import (
    NotShownError,
    Setting,
    names_in,
    negated,
    number,
    times,
    total,
)
from implicitbias.theorems.sign import Sign

BOUNDED_AT_INFINITY = {"atan": "pi/2", "erf": "1", "tanh": "1"}
"""The odd functions with a limit at infinity."""


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
            setting.defined(_limit(setting, a, name), f"the limit at infinity of {written(a)}")
            return number(0)
    if tree.is_name or tree.head in ("sign", "floor"):
        raise NotShownError(f"the limit of {written(tree)} at infinity")
    limits = tuple(_limit(setting, a, name) for a in tree.arguments)
    if tree.head == "**" and name in names_in(tree.arguments[1]) and setting.sign(limits[0]) is not Sign.POSITIVE:
        raise NotShownError(f"the limit of {written(tree)} at infinity")  # (-> 0)**(-> 0) may tend to anything
    return Operation(tree.head, limits)


def coefficients(tree: Operation, name: str) -> list[Operation] | None:
    """Of a polynomial in the variable, from the constant on; None for anything else."""
    if name not in names_in(tree):
        return [tree]
    if tree.is_name:
        return [number(0), number(1)]
    if tree.head == "**":
        base, exponent = coefficients(tree.arguments[0], name), tree.arguments[1].number
        if base is None or exponent is None or exponent.denominator != 1 or not 0 <= exponent <= 16:
            return None
        power = [number(1)]
        for _ in range(int(exponent)):
            power = _multiplied(power, base)
        return power
    parts = [coefficients(a, name) for a in tree.arguments]
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
    found = coefficients(tree, name) or []
    for degree in reversed(range(len(found))):
        match setting.sign(found[degree]):
            case Sign.POSITIVE:
                return degree, found[degree], 1
            case Sign.NEGATIVE:
                return degree, found[degree], -1
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
    above, below = coefficients(a, name), _leading(setting, b, name)
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
