"""T and s of a formula as symbolic expressions, if sympy finds the turning points of f' and its limits.

Nothing here is trusted: a closed form is kept only when it lies in the enclosures that ball arithmetic gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

import flint
import sympy
from sympy.polys.polyerrors import BasePolynomialError

from implicitbias.exact.formula import Expression
from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy
from implicitbias.formulas.asymptotics import enclose_tail, t
from implicitbias.formulas.branches import Cell
from implicitbias.formulas.curvature import Variation
from implicitbias.formulas.ends import tidy, without_hyperbolics
from implicitbias.formulas.jets import Arb, ball
from implicitbias.formulas.roots import Root, Undecided

Expr = Any

FEW_OPERATIONS = 120
"""Larger formulas are not passed to sympy's limits and factorisation, whose run time is unpredictable."""

DIGITS = 40
GIVEN_UP = (NotImplementedError, RecursionError, BasePolynomialError)
"""The exceptions by which sympy gives up."""

MAX_LENGTH = 160
"""Longer expressions do not help a reader and take sympy minutes to simplify."""

SIMPLE = 1000
FAR = 60


def closed_form(subdivision: list[Cell], found: Variation) -> tuple[str | None, str | None]:
    """(T, s) as text of the formula language; None for what was not found."""
    limits = _Limits(found)
    T = _text(lambda: _variation(subdivision, found, limits), found.total)
    s = _text(lambda: limits.sum(subdivision), found.left_slope + found.right_slope)
    return T, s


def _text(search: Callable[[], Expr | None], enclosure: Arb) -> str | None:
    try:
        expr = search()
        if expr is None:
            return None
        if len(str(expr)) > MAX_LENGTH:
            return None
        shortest = _shortest(expr)
        return from_sympy(shortest) if _agrees(shortest, enclosure) else None
    except (*GIVEN_UP, ValueError, TypeError, AttributeError, ZeroDivisionError):
        return None  # sympy gives up often and in many ways; the enclosure does not need it


class _Limits:
    """f' at the ends of cells, symbolically."""

    def __init__(self, found: Variation) -> None:
        self.enclosures = {-1: found.left_slope, 1: found.right_slope}
        self.known: dict[tuple[Expr, Root | None, int], Expr | None] = {}

    def sum(self, subdivision: list[Cell]) -> Expr | None:
        """f'(-oo) + f'(+oo)."""
        x = symbol("x")
        total = sympy.Integer(0)
        for cell, side in ((subdivision[0], -1), (subdivision[-1], 1)):
            first = sympy.diff(to_sympy(Expression("", frozenset({"x"}), cell.tree), {"x": "real"}), x)
            if sympy.count_ops(first) > FEW_OPERATIONS:
                return None
            total += self.slope(first, x, None, side)
        return total

    def slope(self, first: Expr, x: Expr, root: Root | None, side: int) -> Expr | None:
        key = (first, root, side)
        if key not in self.known:
            self.known[key] = self._slope(first, x, root, side)
        return self.known[key]

    def _slope(self, first: Expr, x: Expr, root: Root | None, side: int) -> Expr | None:
        if root is None:
            guess = self._proved_guess(first, x, side)
            return guess if guess is not None else sympy.limit(first, x, side * sympy.oo)
        if root.exact is None:
            return None
        place = sympy.Rational(root.exact.numerator, root.exact.denominator)
        return sympy.limit(first, x, place, "-" if side > 0 else "+")

    def _proved_guess(self, first: Expr, x: Expr, side: int) -> Expr | None:
        """A simple fraction q in the enclosure, if f' - q is a monomial that tends to 0, times something bounded.

        sympy's limits take seconds for hyperbolic functions; this takes milliseconds.
        """
        if not first.has(x):
            return first
        enclosure = self.enclosures[side]
        q = Fraction(float(enclosure.mid())).limit_denominator(SIMPLE)
        if not enclosure.contains(ball(q)):
            return None
        guess = sympy.Rational(q.numerator, q.denominator)
        try:
            tail = enclose_tail(tidy(without_hyperbolics(first.subs(x, side * t)) - guess), flint.arb(2) ** FAR)
        except Undecided:
            return None
        return guess if tail.monomial.trend < 0 and tail.coefficient.is_finite() else None


def _variation(subdivision: list[Cell], found: Variation, limits: _Limits) -> Expr | None:
    paths: list[list[Expr]] = []
    for cell in subdivision:
        path = _slopes(cell, found, limits)
        if path is None:
            return None
        paths.append(path)
    whole = [slope for path in paths for slope in path]
    return sum((_distance(a, b) for a, b in pairwise(whole)), sympy.Integer(0))


def _slopes(cell: Cell, found: Variation, limits: _Limits) -> list[Expr] | None:
    """f' at the left end, at the turning points, and at the right end of the cell."""
    x = symbol("x")
    f = to_sympy(Expression("", frozenset({"x"}), cell.tree), {"x": "real"})
    first = sympy.diff(f, x)
    if not first.has(x):
        return [first, first]
    if sympy.count_ops(first) > FEW_OPERATIONS:
        return None
    inside = [turn for turn in found.turns if _inside(turn, cell)]
    points = _zeros(sympy.diff(first, x), x) if inside else []
    if points is None:
        return None
    points = [p for p in points if _in_cell(p, cell)]
    if sum(len(str(p)) for p in points) > MAX_LENGTH:
        return None
    if not all(any(_agrees(p, turn, slack=2.0**-20) for p in points) for turn in inside):
        return None
    points.sort(key=lambda p: p.evalf(DIGITS))
    ends = [limits.slope(first, x, cell.left, -1), limits.slope(first, x, cell.right, 1)]
    if any(end is None or not end.is_finite for end in ends):
        return None
    return [ends[0], *(first.subs(x, p) for p in points), ends[1]]


def _zeros(g: Expr, x: Expr) -> list[Expr] | None:
    """All real zeros, if every factor of the numerator is positive or solvable; otherwise None."""
    hyperbolic = g.has(sympy.tanh, sympy.sinh, sympy.cosh)
    g = g.rewrite(sympy.exp) if hyperbolic and not g.has(sympy.sin, sympy.cos) else g
    numerator = sympy.fraction(sympy.together(g))[0]
    found: list[Expr] = []
    for factor in _factors(sympy.factor(sympy.expand(numerator))):
        if not factor.has(x) or isinstance(factor, sympy.exp):
            continue
        if factor.is_polynomial(x):
            solved = _solved(sympy.Poly(factor, x))
            if solved is None:
                return None
            found += [root for root in solved if root.is_real]
            continue
        roots = _exponential_roots(factor, x)
        if roots is None:
            if factor.is_positive or factor.is_negative:
                continue
            return None
        found += roots
    return list(dict.fromkeys(found))


def _exponential_roots(factor: Expr, x: Expr) -> list[Expr] | None:
    """The real zeros of a polynomial in exp(r x), r rational."""
    rates = [u.args[0] / x for u in factor.atoms(sympy.exp)]
    if not rates or not all(rate.is_Rational for rate in rates):
        return None
    r = sympy.gcd_list(rates)
    E = sympy.Symbol("E", positive=True)
    in_exp = factor.replace(lambda u: isinstance(u, sympy.exp), lambda u: E ** (u.args[0] / x / r))
    if in_exp.has(x):
        return None
    roots = _solved(sympy.Poly(sympy.fraction(sympy.together(in_exp))[0], E))
    return None if roots is None else [sympy.log(root) / r for root in roots if root.is_positive]


def _solved(polynomial: Expr) -> list[Expr] | None:
    """The roots of a polynomial in x^k of degree 2 at most; those of others are unreadable."""
    step = gcd(*(exponent for (exponent,) in polynomial.monoms()))
    if polynomial.degree() > 2 * max(step, 1):
        return None
    roots = sympy.roots(polynomial)
    return list(roots) if sum(roots.values()) == polynomial.degree() else None


def _factors(product: Expr) -> Iterator[Expr]:
    for factor in sympy.Mul.make_args(product):
        yield factor.base if factor.is_Pow and factor.exp.is_Integer else factor


def _inside(turn: Arb, cell: Cell) -> bool:
    return (cell.left is None or cell.left.ball < turn) and (cell.right is None or turn < cell.right.ball)


def _in_cell(p: Expr, cell: Cell) -> bool:
    value = p.evalf(DIGITS)
    low = cell.left is None or float(value) > float(cell.left.ball.mid())
    return low and (cell.right is None or float(value) < float(cell.right.ball.mid()))


def _distance(a: Expr, b: Expr) -> Expr:
    """|a - b|, the sign taken from a numerical value."""
    difference = b - a
    return difference if difference.evalf(DIGITS) >= 0 else -difference


def _shortest(expr: Expr) -> Expr:
    in_exp = expr.rewrite(sympy.exp) if expr.has(sympy.tanh, sympy.sinh, sympy.cosh) else expr
    simple = sympy.simplify(in_exp)
    return min(
        (expr, simple, sympy.radsimp(simple), sympy.sqrtdenest(sympy.radsimp(simple))), key=lambda e: len(str(e))
    )


def _agrees(expr: Expr, enclosure: Arb, slack: float = 0.0) -> bool:
    """Whether the number, to 40 digits, lies in the ball."""
    value = flint.arb(str(expr.evalf(DIGITS)))
    room = flint.arb(0, abs(value).upper() * flint.arb(10) ** (2 - DIGITS) + flint.arb(slack))
    return bool((value + room + ball(0)).overlaps(enclosure))
