"""A formula in x with its first three derivatives, in ball arithmetic: f, f', f'', f''' enclosed over an interval."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import flint

from implicitbias.exact.formula import Operation

Arb = flint.arb
Jet = tuple[Arb, Arb, Arb, Arb]
"""(f, f', f'', f''')."""

NUMBER, VARIABLE = "number", "x"


def number(value: Fraction | int) -> Operation:
    return Operation(NUMBER, number=Fraction(value))


def ball(value: Fraction | int) -> Arb:
    """The number in a ball, at the current working precision."""
    return _rounded(Fraction(value), flint.ctx.prec)


@lru_cache(maxsize=4096)
def _rounded(value: Fraction, bits: int) -> Arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def depends(tree: Operation) -> bool:
    """Whether x occurs in the formula."""
    if tree.is_name:
        return tree.head == VARIABLE
    return any(depends(argument) for argument in tree.arguments)


def jet(tree: Operation, x: Arb) -> Jet:
    """f, f', f'', f''' over all of the ball x; a part that is not finite is unknown.

    The tree must be smooth: Abs, Max, Min, sign and floor of anything with x are resolved before (`branches`).

    >>> from implicitbias.exact.formula import parse
    >>> [float(part) for part in jet(parse("x**3").tree, flint.arb(2))]
    [8.0, 12.0, 12.0, 6.0]
    """
    if tree.number is not None:
        return _constant(ball(tree.number))
    if tree.is_name:
        if tree.head == VARIABLE:
            return (x, flint.arb(1), flint.arb(0), flint.arb(0))
        return _constant(flint.arb.pi() if tree.head == "pi" else flint.arb.const_e())
    arguments = [jet(argument, x) for argument in tree.arguments]
    a = arguments[0]
    match tree.head:
        case "+":
            return _add(a, arguments[1])
        case "-":
            return _add(a, _scale(arguments[1], flint.arb(-1)))
        case "neg":
            return _scale(a, flint.arb(-1))
        case "*":
            return _multiply(a, arguments[1])
        case "/":
            return _multiply(a, _chain(_power(arguments[1][0], Fraction(-1)), arguments[1]))
        case "**":
            exponent = tree.arguments[1].number
            if exponent is None and depends(tree):
                raise ValueError("exponents of what varies are numbers by now")
            if exponent is None:
                return _constant(a[0] ** arguments[1][0])
            if tree.arguments[0].head == "cosh":
                inner = jet(tree.arguments[0].arguments[0], x)
                return _chain(_power_of_cosh(inner[0], exponent), inner)
            return _chain(_power(a[0], exponent), a)
        case "sqrt":
            return _chain(_power(a[0], Fraction(1, 2)), a)
        case head if head in _DERIVATIVES:
            return _chain(_DERIVATIVES[head](a[0]), a)
    if all(not depends(argument) for argument in tree.arguments):
        return _constant(_step(tree.head, [argument[0] for argument in arguments]))
    raise ValueError(f"{tree.head} is not smooth")


def is_finite(parts: Jet) -> bool:
    return all(part.is_finite() for part in parts)


def _constant(value: Arb) -> Jet:
    return (value, flint.arb(0), flint.arb(0), flint.arb(0))


def _add(a: Jet, b: Jet) -> Jet:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def _scale(a: Jet, factor: Arb) -> Jet:
    return (a[0] * factor, a[1] * factor, a[2] * factor, a[3] * factor)


def _multiply(a: Jet, b: Jet) -> Jet:
    return (
        a[0] * b[0],
        a[1] * b[0] + a[0] * b[1],
        a[2] * b[0] + 2 * a[1] * b[1] + a[0] * b[2],
        a[3] * b[0] + 3 * (a[2] * b[1] + a[1] * b[2]) + a[0] * b[3],
    )


def _chain(outer: Jet, u: Jet) -> Jet:
    """(φ∘u, its derivatives) from φ, φ', φ'', φ''' at u: the rule of Faà di Bruno."""
    return (
        outer[0],
        outer[1] * u[1],
        outer[2] * integer_power(u[1], 2) + outer[1] * u[2],
        outer[3] * integer_power(u[1], 3) + 3 * outer[2] * u[1] * u[2] + outer[1] * u[3],
    )


def _power(u: Arb, q: Fraction) -> Jet:
    """u^q and its derivatives in u; for fractional q only where u >= 0, the derivatives only where u > 0."""

    coefficients = (Fraction(1), q, q * (q - 1), q * (q - 1) * (q - 2))
    if q.denominator == 1:
        n = int(q)
        f0, f1, f2, f3 = (
            int(c) * integer_power(u, n - order) if c else flint.arb(0) for order, c in enumerate(coefficients)
        )
    else:
        root = u.sqrt() if q.denominator == 2 else u ** ball(Fraction(1, q.denominator))
        f0, f1, f2, f3 = (
            ball(c) * integer_power(root, q.numerator - order * q.denominator) for order, c in enumerate(coefficients)
        )
    return f0, f1, f2, f3


def _power_of_cosh(u: Arb, q: Fraction) -> Jet:
    """cosh(u)^q and its derivatives in u, each a product of the power and a polynomial in tanh(u).

    So each has its sign on long intervals far out, where cosh(u) ranges over many powers of ten. The power is monotone
    in |u|, and enclosed from the ends of the interval.
    """
    power = _power(u.abs_lower().cosh(), q)[0].union(_power(u.abs_upper().cosh(), q)[0])
    t = u.tanh()
    square = integer_power(t, 2)
    second = 1 + ball(q - 1) * square
    third = ball(3 * q - 2) + ball((q - 1) * (q - 2)) * square
    scaled = ball(q) * power
    return power, scaled * t, scaled * second, scaled * t * third


def integer_power(u: Arb, n: int) -> Arb:
    """u^n by multiplication: python-flint's own is NaN for balls with centre 0.

    Even powers of balls around zero are enclosed in [0, max|u|^n], where products would reach below zero.
    """
    if n < 0:
        return 1 / integer_power(u, -n)
    if n > 0 and n % 2 == 0 and u.contains(0):
        return flint.arb(0).union(_product(u.abs_upper(), n))
    return _product(u, n)


def _product(u: Arb, n: int) -> Arb:
    result = None
    while n:
        if n & 1:
            result = u if result is None else result * u
        n >>= 1
        u = u * u
    return flint.arb(1) if result is None else result


def _exp(u: Arb) -> Jet:
    e = u.exp()
    return (e, e, e, e)


def _log(u: Arb) -> Jet:
    return (u.log(), 1 / u, -1 / u**2, 2 / u**3)


def _sin(u: Arb) -> Jet:
    s, c = u.sin_cos()
    return (s, c, -s, -c)


def _cos(u: Arb) -> Jet:
    s, c = u.sin_cos()
    return (c, -s, -c, s)


def _tan(u: Arb) -> Jet:
    t, s = u.tan(), u.sec() ** 2
    return (t, s, 2 * t * s, 2 * s * (3 * s - 2))


def _asin(u: Arb) -> Jet:
    r = (1 - integer_power(u, 2)).rsqrt()
    return (u.asin(), r, u * r**3, (1 + 2 * integer_power(u, 2)) * r**5)


def _acos(u: Arb) -> Jet:
    value, first, second, third = _asin(u)
    return (u.acos() if value.is_finite() else value, -first, -second, -third)


def _atan(u: Arb) -> Jet:
    r = 1 / (1 + integer_power(u, 2))
    return (u.atan(), r, -2 * u * r**2, (6 * integer_power(u, 2) - 2) * r**3)


def _sinh(u: Arb) -> Jet:
    s, c = u.sinh_cosh()
    return (s, c, s, c)


def _cosh(u: Arb) -> Jet:
    s, c = u.sinh_cosh()
    return (c, s, c, s)


def _tanh(u: Arb) -> Jet:
    t, s = u.tanh(), u.sech() ** 2
    return (t, s, -2 * t * s, s * (4 - 6 * s))


def _erf(u: Arb) -> Jet:
    g = 2 * (-integer_power(u, 2)).exp() / flint.arb.pi().sqrt()
    return (u.erf(), g, -2 * u * g, (4 * integer_power(u, 2) - 2) * g)


def _gamma(u: Arb) -> Jet:
    g, p0 = u.gamma(), u.digamma()
    p1, p2 = (flint.acb(u).polygamma(flint.acb(order)).real for order in (1, 2))
    return (g, g * p0, g * (p0**2 + p1), g * (p0**3 + 3 * p0 * p1 + p2))


_DERIVATIVES: dict[str, Callable[[Arb], Jet]] = {
    "exp": _exp,
    "log": _log,
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "asin": _asin,
    "acos": _acos,
    "atan": _atan,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "erf": _erf,
    "gamma": _gamma,
}


def _step(head: str, a: list[Arb]) -> Arb:
    """The functions that are not smooth, of a constant."""
    match head:
        case "Abs":
            return abs(a[0])
        case "sign":
            return a[0].sgn()
        case "floor":
            return a[0].floor()
    result = a[0]
    for other in a[1:]:
        result = result.max(other) if head == "Max" else result.min(other)
    return result
