"""Roots of squares: √(u²r) = |u|√r where r > 0, so that the sign of u makes cells like any other modulus."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from implicitbias.exact.formula import Operation
from implicitbias.theorems.factors import Polynomial
from implicitbias.theorems.normal_form import Field, NotReducedError, Ratio


def with_moduli(tree: Operation, field: Field) -> Operation:
    """The formula, without Abs, Max, Min and sign, with squares of unknown sign taken out of its roots as moduli."""
    if not tree.arguments:
        return tree
    arguments = tuple(with_moduli(argument, field) for argument in tree.arguments)
    inner = tree if arguments == tree.arguments else Operation(tree.head, arguments)
    if inner is not tree:  # what is inside has new moduli: their cells come first
        return inner
    if tree.head == "sqrt":
        return _taken_out(arguments[0], field) or tree
    if tree.head == "**" and (halves := _halves(arguments[1])) and (root := _taken_out(arguments[0], field)):
        return Operation("**", (root, Operation("number", number=Fraction(halves))))
    return tree


def _halves(exponent: Operation) -> int | None:
    """How often 1/2 goes into an exponent that is 1/2, 3/2, …, as it is written."""
    if exponent.head == "/":
        above, below = (part.number for part in exponent.arguments)
        if above is None or not below:
            return None
        number: Fraction | None = above / below
    else:
        number = exponent.number
    return number.numerator if number is not None and number.denominator == 2 else None


def _taken_out(radicand: Operation, field: Field) -> Operation | None:
    """√radicand with moduli; None where no square of unknown sign can be taken out of it."""
    try:
        return _without_squares(field.of(radicand), field)
    except NotReducedError:
        return None


def _without_squares(ratio: Ratio, field: Field) -> Operation | None:
    """`_taken_out` of a normal form. Raises NotReducedError where a factor's power is too large."""
    if ratio.numerator == 0:
        return None
    one = field.number(1)
    outside = inside = one
    for factor, exponent in _factors(ratio):
        plain = field.power(Ratio(factor, one.denominator), exponent)
        if factor.is_constant() or field.positive(factor) or field.positive(-factor):
            inside = field.multiply(inside, plain)
        elif exponent % 2 == 0:
            outside = field.multiply(outside, field.power(Ratio(factor, one.denominator), exponent // 2))
        else:
            return None
    if outside == one or not field.positive(inside.numerator) or not field.positive(inside.denominator):
        return None
    modulus = Operation("Abs", (field.tree(outside),))
    return modulus if inside == one else Operation("*", (modulus, Operation("sqrt", (field.tree(inside),))))


def _factors(ratio: Ratio) -> Iterable[tuple[Polynomial, int]]:
    """The factors of numerator and denominator with their exponents, a number among them."""
    for polynomial, side in ((ratio.numerator, 1), (ratio.denominator, -1)):
        content, factors = polynomial.factor()
        one = polynomial**0
        yield one * content, side
        for factor, times in factors:
            yield factor, side * int(times)
