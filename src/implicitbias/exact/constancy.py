"""Is an expression zero because it is constant? As arctan(s) + arctan(1/s) - π/2, which sympy does not see.

An expression that is smooth on a product of intervals is constant if all its first derivatives vanish; then its value
at one point decides.
"""

from __future__ import annotations

import itertools
from typing import Any

import sympy

from implicitbias.exact.radicals import vanishes_by_radicals

Expr = Any  # sympy is not typed

SMOOTH = (
    sympy.exp,
    sympy.log,
    sympy.sin,
    sympy.cos,
    sympy.asin,
    sympy.acos,
    sympy.atan,
    sympy.sinh,
    sympy.cosh,
    sympy.tanh,
    sympy.erf,
)
"""Functions that are smooth inside their real domain, which is connected."""

POINTS = (1, 2, sympy.sqrt(3), sympy.Rational(1, 2))


ORDERS = 4
"""How often a derivative that does not vanish at once is differentiated again."""


def is_zero_as_a_constant(expr: Expr, orders: int = ORDERS) -> bool:
    """Whether the expression is smooth, all its first derivatives reduce to 0, and it is exactly 0 at some
    point or in the limit at 0.

    >>> s = sympy.Symbol("s", positive=True)
    >>> is_zero_as_a_constant(sympy.atan(s) + sympy.atan(1 / s) - sympy.pi / 2)
    True
    >>> t = sympy.Symbol("t", real=True)  # not continuous at 0, and false for t < 0
    >>> is_zero_as_a_constant(sympy.atan(t) + sympy.atan(1 / t) - sympy.pi / 2)
    False
    """
    symbols = sorted(expr.free_symbols, key=str)
    if not symbols or any(s.is_integer or not s.is_real for s in symbols) or not is_smooth(expr):
        return False
    derivatives = [_reduced(sympy.diff(expr, s)) for s in symbols]
    if not all(d == 0 or (orders > 1 and is_zero_as_a_constant(d, orders - 1)) for d in derivatives):
        return False
    points = [{s: -value if s.is_negative else value for s in symbols} for value in POINTS]
    return any(sympy.expand(expr.subs(point)) == 0 for point in points) or any(
        _limit(expr, list(order)) == 0 for order in itertools.islice(itertools.permutations(symbols), 6)
    )


def _reduced(expr: Expr) -> Expr:
    """The expression with the bases of its roots factored, so that roots of squares resolve, and then cancelled."""
    expr = expr.replace(_is_root, _root_of_a_quotient)
    reduced = sympy.cancel(sympy.together(expr))
    return sympy.Integer(0) if vanishes_by_radicals(reduced) else reduced


def _root_of_a_quotient(root: Expr) -> Expr:
    """(u/v)^q as u^q/v^q for v > 0, so that roots of v and of 1/v are one root."""
    top, bottom = sympy.fraction(sympy.factor(sympy.together(root.base)))
    if bottom != 1 and _is_positive_polynomial(bottom):
        return top**root.exp / bottom**root.exp
    return (top / bottom) ** root.exp


def _is_root(expr: Expr) -> bool:
    return bool(expr.is_Pow and expr.exp.is_Rational and not expr.exp.is_Integer)


def _limit(expr: Expr, symbols: list[Expr]) -> Expr:
    """The limit of a constant at 0, from inside the domain: where a value is not simplified, the limit may be.

    Term by term, which is right where the limits are finite, and fast.
    """
    for s in symbols:
        side = "-" if s.is_negative else "+"
        limits = [sympy.limit(term, s, 0, side) for term in sympy.Add.make_args(expr)]
        if not all(limit.is_finite for limit in limits):
            return sympy.nan
        expr = sum(limits)
    return sympy.expand(expr)


def is_smooth(expr: Expr) -> bool:
    """Whether sympy proves the expression smooth on the whole domain of its symbols; False proves nothing."""
    if expr.is_Atom:
        return True
    if not all(is_smooth(a) for a in expr.args):
        return False
    if isinstance(expr, sympy.Add | sympy.Mul):
        return True
    if isinstance(expr, sympy.Pow):
        base, exponent = expr.args
        if exponent.is_Integer:
            return bool(exponent >= 0) or _is_positive(base) or _is_positive(-base)
        return _is_positive(base)
    if isinstance(expr, sympy.log):
        return _is_positive(expr.args[0])
    if isinstance(expr, sympy.asin | sympy.acos):
        return _is_positive(1 - expr.args[0] ** 2)
    return isinstance(expr, SMOOTH)


def _is_positive(expr: Expr) -> bool:
    if any(form.is_positive for form in (expr, sympy.expand(expr), sympy.factor(sympy.together(expr)))):
        return True
    top, bottom = sympy.fraction(sympy.together(expr))
    return _is_positive_polynomial(top) and _is_positive_polynomial(bottom)


def _is_positive_polynomial(expr: Expr, depth: int = 2) -> bool:
    """By sympy's signs, factor by factor, or as a quadratic in one variable with negative discriminant."""
    expanded = sympy.expand(expr)
    if expr.is_positive or expanded.is_positive:
        return True
    if expr.is_Mul or expr.is_Pow:
        parts = expr.args if expr.is_Mul else expr.args[:1]
        return all(_is_positive_polynomial(part, depth) for part in parts)
    if depth == 0 or not expanded.is_polynomial():
        return False
    for s in expanded.free_symbols:
        if sympy.degree(expanded, s) == 2:
            a, b, c = (expanded.coeff(s, n) for n in (2, 1, 0))
            if _is_positive_polynomial(a, depth - 1) and _is_positive_polynomial(4 * a * c - b**2, depth - 1):
                return True
    return False
