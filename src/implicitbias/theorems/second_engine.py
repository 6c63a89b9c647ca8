"""The second engine for equalities: sympy does the polynomial arithmetic that python-flint has done.

Both take the formula in the same generators; what each generator is, and that roots square to their radicands, they
share. Sums, products, quotients and powers are sympy's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import sympy

from implicitbias.exact.formula import Operation
from implicitbias.theorems.normal_form import GENERATORS, Field, Ratio

Expr = Any  # sympy is not typed

SYMBOLS = {f"g{i}": sympy.Symbol(f"g{i}") for i in range(GENERATORS)}


def vanishes(tree: Operation, field: Field) -> bool:
    """Whether sympy, too, reduces the numerator to 0."""
    numerator, _ = sympy.fraction(sympy.together(_rational(tree, field)))
    numerator = sympy.expand(numerator)
    for slot, square in sorted(field.squares.items(), reverse=True):
        root = SYMBOLS[f"g{slot}"]
        if not numerator.has(root):
            continue
        relation = _ratio(field, Ratio(square.denominator, field.number(1).denominator)) * root**2
        relation -= _ratio(field, Ratio(square.numerator, field.number(1).denominator))
        numerator = sympy.expand(sympy.prem(numerator, relation, root))
    for sine, cosine in field.sines.items():
        s, c = SYMBOLS[f"g{sine}"], SYMBOLS[f"g{cosine}"]
        if numerator.has(s):
            numerator = sympy.expand(sympy.rem(numerator, s**2 + c**2 - 1, s))
    return bool(numerator == 0)


def _rational(tree: Operation, field: Field) -> Expr:
    if tree.number is not None:
        return sympy.Rational(tree.number.numerator, tree.number.denominator)
    match tree.head:
        case "+" | "-" | "*" | "/":
            a, b = (_rational(part, field) for part in tree.arguments)
            return _OPERATIONS[tree.head](a, b)
        case "neg":
            return -_rational(tree.arguments[0], field)
        case "**" if tree.arguments[1].number is not None and tree.arguments[1].number.denominator == 1:
            return _rational(tree.arguments[0], field) ** int(tree.arguments[1].number)
    return _ratio(field, field.of(tree))


_OPERATIONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: a / b if b != 0 else sympy.nan,
}


def _ratio(field: Field, ratio: Ratio) -> Expr:
    return _polynomial(ratio.numerator) / _polynomial(ratio.denominator)


def _polynomial(polynomial: Any) -> Expr:
    terms = []
    for exponents, coefficient in polynomial.to_dict().items():
        term = sympy.Rational(int(coefficient.p), int(coefficient.q))
        for slot, exponent in enumerate(exponents):
            if exponent:
                term *= SYMBOLS[f"g{slot}"] ** exponent
        terms.append(term)
    return sympy.Add(*terms)
