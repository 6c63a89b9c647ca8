"""f'' of a smooth formula over an interval, as narrow as is cheap to get."""

from __future__ import annotations

from typing import Any

import sympy

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Assumption, Expression, Operation, parse
from implicitbias.exact.symbolic import from_sympy, to_sympy
from implicitbias.formulas.branches import Cell, normal
from implicitbias.formulas.ends import tidy
from implicitbias.formulas.jets import Arb, jet
from implicitbias.formulas.roots import Undecided

FEW_OPERATIONS = 400
STAGES = (150, 1500)
"""Numbers of intervals after which f'' is rewritten: as one fraction, then by sympy's simplifier."""


class SecondDerivative:
    """f'' by automatic differentiation, and once that takes many intervals also by symbolic differentiation.

    Written as one fraction f'' repeats x less often: for log(1+exp(3x)) automatic differentiation loses all digits of
    f'' = 9 exp(3x)/(1+exp(3x))² to cancellation. The two must overlap everywhere, or nothing is decided.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.tree = cell.tree
        self.closed: Operation | None = None
        self.intervals = 0

    def over(self, x: Arb) -> Arb:
        """An enclosure of f'' over the ball."""
        self.intervals += 1
        if self.intervals in STAGES:
            self.closed = self._rewritten(simplify=self.intervals == STAGES[-1]) or self.closed
        parts = jet(self.tree, x)
        natural = _narrowed(parts[2], parts[3], x, lambda m: jet(self.tree, m)[2])
        if self.closed is None or natural > 0 or natural < 0:
            return natural
        closed = self.closed
        values = jet(closed, x)
        other = _narrowed(values[0], values[1], x, lambda m: jet(closed, m)[0])
        if not natural.is_finite() or not other.is_finite():
            return other if other.is_finite() else natural
        if not natural.overlaps(other):
            raise Undecided("automatic and symbolic differentiation disagree")
        return other if other.is_zero() else natural.intersection(other)

    def _rewritten(self, simplify: bool) -> Operation | None:
        left, right = self.cell.left, self.cell.right
        domain: Assumption = "real"
        if left is not None and left.ball >= 0:
            domain = "positive"
        elif right is not None and right.ball <= 0:
            domain = "negative"
        f = to_sympy(Expression("", frozenset({"x"}), self.tree), {"x": domain})
        (x,) = f.free_symbols or {sympy.Symbol("x")}
        second = tidy(sympy.diff(f, x, 2))
        if sympy.count_ops(second) > FEW_OPERATIONS:
            return None
        try:
            tree = normal(parse(from_sympy(sympy.simplify(second) if simplify else second), ["x"]).tree)
            jet(tree, self.cell.point_ball())
        except (ValueError, FormulaError):
            return None  # a function that is not in the language, or not smooth
        return tree


def _narrowed(value: Arb, slope: Arb, x: Arb, at: Any) -> Arb:
    """g over x by the mean value theorem too, g(m) + g'(x)(x - m), where the plain enclosure has no sign."""
    if value > 0 or value < 0 or value.is_zero() or not value.is_finite() or not slope.is_finite():
        return value
    middle = x.mid()
    sharper = at(middle) + slope * (x - middle)
    return value.intersection(sharper) if sharper.is_finite() and value.overlaps(sharper) else value
