"""Is a formula with roots zero? Each root becomes a variable of its own, bound by its equation, and polynomials decide.

With s = √u in place of a root, the numerator of the formula is a polynomial in s. Reduced by s² = u, for every root
from the outermost in, it vanishes only if the formula does: a sufficient test, whatever the signs of the roots.
"""

from __future__ import annotations

import math
from typing import Any

import sympy

Expr = Any  # sympy is not typed

MOST_ROOTS = 8


def vanishes_by_radicals(expr: Expr) -> bool:
    """Whether reduction by the equations of its roots shows the expression to be 0 wherever it is defined.

    >>> x = sympy.Symbol("x", real=True)
    >>> s = sympy.sqrt(1 + x**2)
    >>> vanishes_by_radicals(1 / (s + x) + x - s)
    True
    >>> vanishes_by_radicals(s - x)
    False
    """
    roots: list[tuple[Expr, Expr, int]] = []
    while (inner := _innermost_root(expr)) is not None:
        if len(roots) == MOST_ROOTS:
            return False
        base, degree = inner
        variable = sympy.Dummy(f"root{len(roots)}")
        roots.append((variable, base, degree))
        expr = expr.replace(
            lambda e, base=base, degree=degree: _is_root_of(e, base, degree),
            lambda e, variable=variable, degree=degree: variable ** (e.exp * degree),
        )
    numerator = sympy.numer(sympy.together(expr))
    for variable, base, degree in reversed(roots):
        top, bottom = sympy.fraction(sympy.together(base))
        numerator = sympy.rem(sympy.expand(numerator), bottom * variable**degree - top, variable)
        numerator = sympy.numer(sympy.together(numerator))
    return bool(sympy.expand(numerator) == 0)


def _innermost_root(expr: Expr) -> tuple[Expr, int] | None:
    roots = [p for p in expr.atoms(sympy.Pow) if p.exp.is_Rational and not p.exp.is_Integer and p.base.free_symbols]
    plain = [p for p in roots if not any(q is not p and p.base.has(q) for q in roots)]
    if not plain:
        return None
    chosen = min(plain, key=str)
    return chosen.base, math.lcm(*(int(p.exp.q) for p in roots if p.base == chosen.base))


def _is_root_of(expr: Expr, base: Expr, degree: int) -> bool:
    return bool(expr.is_Pow and expr.base == base and expr.exp.is_Rational and (expr.exp * degree).is_Integer)
