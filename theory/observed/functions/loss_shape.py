"""Observed: what a loss of one number is like, worked out from its formula: where it jumps, its tails, its minimum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

Expr = Any  # sympy is not typed


@dataclass(frozen=True)
class Shape:
    """Properties of z -> l(z) on the real line.

    lower_semicontinuous  no value is above a one-sided limit there
    coercive              it tends to infinity at both ends
    bounded               it is bounded below
    convex                slopes increase, across the breaks too
    attained              some z attains the infimum
    """

    lower_semicontinuous: bool
    coercive: bool
    bounded: bool
    convex: bool
    attained: bool


@dataclass(frozen=True)
class _Piece:
    """A smooth formula on the open interval between two breaks."""

    low: Expr
    high: Expr
    formula: Expr


@lru_cache(maxsize=256)
def shape(formula: str, shift: str = "") -> Shape:
    """The shape of a loss, a formula of z; with `shift`, a loss that is smaller at z + shift than at z, for every z.

    Raises ArithmeticError where sympy does not settle a sign or a root.

    >>> shape("Max(0, 1 - z)")
    Shape(lower_semicontinuous=True, coercive=False, bounded=True, convex=True, attained=True)
    >>> shape("exp(-z)").attained, shape("Abs(z) + 1 - Abs(sign(z))").attained, shape("-z").bounded
    (False, False, False)
    >>> shape("exp(-z)*(1 + 2*sin(z)**2)", "pi").attained
    False
    """
    import sympy

    from implicitbias.exact.symbolic import symbol, to_sympy

    z, expr = symbol("z"), to_sympy(formula, {"z": "real"})
    if shift:
        return _shape_of_one_that_runs_away(expr, z, to_sympy(shift, {}))
    pieces = list(_pieces(_Piece(-sympy.oo, sympy.oo, expr), z))
    breaks = [piece.low for piece in pieces[1:]]
    at_breaks = {place: expr.subs(z, place) for place in breaks}
    left = {piece.high: sympy.limit(piece.formula, z, piece.high, "-") for piece in pieces}
    right = {piece.low: sympy.limit(piece.formula, z, piece.low, "+") for piece in pieces}
    values = [*at_breaks.values(), *(v for piece in pieces for v in _stationary_values(piece, z))]
    lowest = sympy.Min(*left.values(), *right.values(), *values)
    tails = left[sympy.oo], right[-sympy.oo]
    continuous = all(left[b] == at_breaks[b] == right[b] for b in breaks)
    return Shape(
        lower_semicontinuous=all(at_breaks[b] <= left[b] and at_breaks[b] <= right[b] for b in breaks),
        coercive=all(tail == sympy.oo for tail in tails),
        bounded=lowest != -sympy.oo,
        convex=continuous and all(_curves_up(piece, z) for piece in pieces) and _slopes_rise(pieces, z),
        attained=any(sympy.simplify(value - lowest) == 0 for value in values),
    )


def _shape_of_one_that_runs_away(expr: Expr, z: Expr, shift: Expr) -> Shape:
    """A smooth positive loss with l(z + shift) < l(z) for all z: not coercive, and no z is a minimiser."""
    import sympy

    if expr.has(sympy.Abs, sympy.sign, sympy.Max, sympy.Min) or not expr.is_positive:
        raise ArithmeticError(f"{expr}: a shift is for smooth positive losses")
    change = sympy.factor(sympy.expand(expr.subs(z, z + shift), trig=False) - sympy.expand(expr, trig=False))
    if not change.is_negative:
        raise ArithmeticError(f"{expr}: not shown to be smaller at z + {shift}")
    return Shape(True, False, True, _curves_up(_Piece(-sympy.oo, sympy.oo, expr), z), False)


def _pieces(piece: _Piece, z: Expr) -> Iterator[_Piece]:
    """The piece cut where the argument of an innermost Abs, sign, Max or Min changes sign, and these resolved."""
    import sympy

    special = (sympy.Abs, sympy.sign, sympy.Max, sympy.Min)
    node = next((n for n in sympy.postorder_traversal(piece.formula) if isinstance(n, special)), None)
    if node is None:
        yield piece
        return
    gap = node.args[0] - node.args[1] if isinstance(node, sympy.Max | sympy.Min) else node.args[0]
    roots = {root for root in sympy.Poly(gap, z).real_roots() if piece.low < root < piece.high}
    ends = [piece.low, *sorted(roots), piece.high]
    for low, high in pairwise(ends):
        up = gap.subs(z, _inside(low, high)) > 0
        first, second = (node.args[0], node.args[1]) if len(node.args) == 2 else (gap, -gap)
        if isinstance(node, sympy.sign):
            first, second = sympy.Integer(1), sympy.Integer(-1)
        kept = (first if up else second) if not isinstance(node, sympy.Min) else (second if up else first)
        yield from _pieces(_Piece(low, high, piece.formula.xreplace({node: kept})), z)


def _inside(low: Expr, high: Expr) -> Expr:
    """A point of the open interval."""
    if low.is_infinite:
        return 0 if high.is_infinite else high - 1
    return low + 1 if high.is_infinite else (low + high) / 2


def _stationary_values(piece: _Piece, z: Expr) -> list[Expr]:
    """The values where the derivative is zero inside the piece."""
    import sympy

    slope = sympy.factor(sympy.simplify(sympy.diff(piece.formula, z)))
    if slope == 0:
        return [piece.formula.subs(z, _inside(piece.low, piece.high))]
    if slope.is_negative or slope.is_positive:
        return []
    numerator = sympy.numer(sympy.together(slope))
    if numerator.is_polynomial(z):
        roots = sympy.Poly(numerator, z).real_roots()
    else:
        power = sympy.Symbol("power", positive=True)  # z -> exp(z), as in the logistic loss of both labels
        rational = sympy.together(sympy.diff(piece.formula, z).subs(z, sympy.log(power)))
        if rational.has(z):
            raise ArithmeticError(f"{piece.formula}: where is it stationary?")
        roots = [sympy.log(r) for r in sympy.Poly(sympy.numer(rational), power).real_roots() if r > 0]
    return [piece.formula.subs(z, root) for root in roots if piece.low < root < piece.high]


def _curves_up(piece: _Piece, z: Expr) -> bool:
    """Whether the second derivative is nonnegative on the piece: proved, or refuted at a point."""
    import sympy

    second = sympy.factor(sympy.simplify(sympy.diff(piece.formula, z, 2)))
    if second.is_nonnegative:
        return True
    low = piece.low if not piece.low.is_infinite else -8
    high = piece.high if not piece.high.is_infinite else 8
    tried = [low + (high - low) * sympy.Rational(n, 16) for n in range(1, 16)]
    if any(second.subs(z, point) < 0 for point in tried):
        return False
    raise ArithmeticError(f"{piece.formula}: is it convex between {piece.low} and {piece.high}?")


def _slopes_rise(pieces: list[_Piece], z: Expr) -> bool:
    """Whether the slope does not fall at the breaks."""
    import sympy

    slopes = [sympy.diff(piece.formula, z) for piece in pieces]
    return all(
        sympy.limit(before, z, piece.low, "-") <= sympy.limit(after, z, piece.low, "+")
        for before, after, piece in zip(slopes, slopes[1:], pieces[1:], strict=False)
    )
