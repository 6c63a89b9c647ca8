"""zeta integrated by sympy: zeta(x) = ∫ |w|³ p_W(w) p_B(-w x) dw (Jin & Montúfar 2021, Proposition 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from implicitbias.exact.symbolic import symbol
from implicitbias.laws.one.law import Law

Expr = Any  # sympy is not typed
Pieces = Sequence[tuple[Expr, Expr, Expr]]
"""A density: one (lower, upper, expression) per piece."""


def of_independent(weight: Law, bias: Law, x: Expr = None) -> Expr | None:
    """zeta of independent laws as an expression in x, or None if sympy leaves an integral."""
    x = symbol("x") if x is None else x
    w, b = symbol("w"), symbol("b")
    size = sympy.Dummy("x", positive=True)
    halves = []
    for direction in (1, -1):  # x < 0 is x > 0 with -B in the place of B
        total: Expr = sympy.Integer(0)
        for atom in weight.atoms:
            a = atom.place.symbolic
            total += sympy.nsimplify(atom.mass) * abs(a) ** 3 * _at(bias.symbolic(b), b, -a * size * direction)
        for atom in bias.atoms:
            a = -atom.place.symbolic / (size * direction)
            total += sympy.nsimplify(atom.mass) * abs(a) ** 3 / size * _at(weight.symbolic(w), w, a)
        if not weight.atoms and not bias.atoms:
            pieces = bias.symbolic(b)
            if direction < 0:
                pieces = tuple((-upper, -lower, p.subs(b, -b)) for lower, upper, p in pieces)
            total += zeta(weight.symbolic(w), pieces, size, w, b)
        if total.has(sympy.Integral) or total is sympy.nan:
            return None
        halves.append(sympy.simplify(total))
    if halves[0] == halves[1]:
        return halves[0].subs(size, sympy.Abs(x))
    return sympy.Piecewise((halves[0].subs(size, x), x >= 0), (halves[1].subs(size, -x), True))


def zeta(weight: Pieces, bias: Pieces, x: Expr, w: Expr, b: Expr) -> Expr:
    """∫ |w|³ p_W(w) p_B(-w x) dw for a positive x; the densities are given in the symbols w and b.

    >>> x, s, t = sympy.symbols("x sigma_w sigma_b", positive=True)
    >>> w, b = symbol("w"), symbol("b")
    >>> def normal(u, sd): return ((-sympy.oo, sympy.oo, sympy.exp(-u**2/(2*sd**2))/(sd*sympy.sqrt(2*sympy.pi))),)
    >>> found = zeta(normal(w, s), normal(b, t), x, w, b)
    >>> sympy.simplify(found - 2*s**3*t**3/(sympy.pi*(t**2 + x**2*s**2)**2))
    0
    """
    r = sympy.Dummy("r", positive=True)
    total: Expr = sympy.Integer(0)
    for low, high, p in weight:
        for below, above, q in bias:
            for sign in (1, -1):
                ends = (low, high) if sign > 0 else (-high, -low)
                other = (-above / x, -below / x) if sign > 0 else (below / x, above / x)
                start = sympy.Max(0, ends[0], other[0])
                end = sympy.Min(ends[1], other[1])
                integrand = r**3 * p.subs(w, sign * r) * q.subs(b, -sign * r * x)
                total += _integral(integrand, r, start, end)
    return total


def _integral(integrand: Expr, r: Expr, start: Expr, end: Expr) -> Expr:
    if (end - start).is_nonpositive:
        return sympy.Integer(0)
    if end.has(sympy.oo) or not (start.has(sympy.Max) or end.has(sympy.Min)):
        return sympy.integrate(sympy.powsimp(integrand), (r, start, end))
    first = sympy.integrate(integrand, r)
    return first.subs(r, sympy.Max(start, end)) - first.subs(r, start)


def _at(pieces: Pieces, variable: Expr, place: Expr) -> Expr:
    """The density at a place; the support includes its ends."""
    cases = []
    for lower, upper, p in pieces:
        inside = sympy.And(place >= lower, place <= upper)
        cases.append((p.subs(variable, place), inside))
    return sympy.Piecewise(*cases, (0, True)) if cases else sympy.Integer(0)
