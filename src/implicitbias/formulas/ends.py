"""A smooth formula near an end of a cell: near infinity, or near a point where it is not differentiable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import flint
import sympy

from implicitbias.exact.formula import Expression, Operation
from implicitbias.exact.symbolic import to_sympy
from implicitbias.formulas.asymptotics import ONE, Monomial, Tail, enclose_tail, integral_bound, is_integrable, t
from implicitbias.formulas.jets import Arb, ball, is_finite, jet
from implicitbias.formulas.roots import Root, Undecided

Expr = Any
Side = Literal[-1, 1]

LEVELS = (3, 4, 5, 6, 8, 10, 14, 20, 30, 60)
"""L = 2^level is tried in this order until a sign is proved for all t >= L."""

BOUNDED_LEVELS = (3, 4, 5, 6, 8)
"""The same if the formula oscillates and only its size is bounded: the rest must be enclosed step by step."""

FAR_LEVELS = (300, 120, 60, 40, 20, 10, 6, 4)
"""Limits are enclosed by a value at t = 2^level and a bound of what is beyond."""

SMALL = flint.arb(2) ** -80
FEW_OPERATIONS = 600
"""Larger formulas are not passed to sympy's simplifier, whose run time is unpredictable."""


@dataclass(frozen=True)
class End:
    """x(t), t -> oo: ±t towards infinity, root ± 1/t towards a rational root. `side`: on which of the cell it lies."""

    root: Root | None
    side: Side

    @property
    def place(self) -> Expr:
        if self.root is None:
            return self.side * t
        if self.root.exact is None:
            raise Undecided(f"the formula is not smooth at x = {float(self.root.ball.mid()):g}, which is not rational")
        return sympy.Rational(self.root.exact.numerator, self.root.exact.denominator) - self.side / t

    def at(self, level: int) -> Fraction:
        """x at t = 2^level."""
        if self.root is None:
            return Fraction(self.side * 2**level)
        if self.root.exact is None:
            raise Undecided("an irrational end has no exact neighbours")
        return self.root.exact - Fraction(self.side, 2**level)

    def __str__(self) -> str:
        if self.root is None:
            return f"x -> {'+' if self.side > 0 else '-'}oo"
        return f"x -> {self.root.exact}{'-' if self.side > 0 else '+'}"


@dataclass(frozen=True)
class Settled:
    """g(x(t)) for t >= 2^level: in tail.monomial × tail.coefficient, a proved sign where `sign` is not 0."""

    level: int
    tail: Tail

    @property
    def sign(self) -> int:
        return self.tail.sign

    @property
    def monomial(self) -> Monomial:
        return self.tail.monomial

    @cached_property
    def is_zero(self) -> bool:
        return bool(self.tail.coefficient.is_zero())


def formula_at(tree: Operation, end: End) -> Expr:
    """The formula as a sympy expression in t."""
    expression = Expression("", frozenset({"x"}), tree)
    return without_hyperbolics(to_sympy(expression, {}, x=end.place))


def curvature_at(tree: Operation, end: End) -> list[Expr]:
    """f''(x(t)) x'(t), for each term of f: its absolute integral over t >= L is the variation of f' beyond x(L)."""
    f = sympy.expand(formula_at(tree, end))
    speed = sympy.diff(end.place, t)
    return [sympy.diff(tidy(sympy.diff(term, t) / speed), t) for term in sympy.Add.make_args(f)]


def settle(parts: list[Expr], end: End) -> Settled:
    """The behaviour of a sum far out: with a settled sign, or at least bounded. Raises Undecided."""
    bounded: list[Settled] = []
    reason = "the sign far out could not be determined"
    for form in _forms(parts):
        if form == 0:
            return Settled(LEVELS[0], Tail(ONE, flint.arb(0)))
        for level in LEVELS:
            try:
                tail = enclose_tail(form, flint.arb(2) ** level)
            except Undecided as error:
                reason = str(error)
                continue
            if not tail.coefficient.is_finite():
                continue
            if tail.sign:
                return Settled(level, tail)
            if level in BOUNDED_LEVELS:
                bounded.append(Settled(level, tail))
    for candidate in bounded:
        if is_integrable(candidate.monomial) and remainder(candidate, candidate.level) < SMALL:
            return candidate
    if bounded:
        return bounded[-1]
    raise Undecided(f"nothing is known for {end}: {reason}")


def remainder(settled: Settled, level: int) -> Arb:
    """A bound of ∫ |g| over t >= 2^level, for an integrable tail; infinite if there is none at this level."""
    try:
        return settled.tail.coefficient.abs_upper() * integral_bound(settled.monomial, flint.arb(2) ** level)
    except Undecided:
        return flint.arb.pos_inf()


def limit_slope(tree: Operation, end: End, settled: Settled) -> Arb:
    """f' at the end, enclosed: f'(x(t)) far out, and what may be added beyond. For integrable tails."""
    before = flint.ctx.prec
    flint.ctx.prec = before + 2 * FAR_LEVELS[0]
    try:
        for level in FAR_LEVELS:
            if level < settled.level and level != FAR_LEVELS[-1]:
                continue
            there = jet(tree, ball(end.at(max(level, settled.level))))
            rest = remainder(settled, max(level, settled.level))
            if there[1].is_finite() and rest.is_finite():
                return there[1] + flint.arb(0, rest)
    finally:
        flint.ctx.prec = before
    raise Undecided(f"the slope for {end} could not be enclosed")


def is_regular(tree: Operation, root: Root) -> bool:
    """Whether the smooth formula of a cell has three derivatives at this end of it, in ball arithmetic."""
    return is_finite(jet(tree, root.ball))


def _forms(parts: list[Expr]) -> Iterator[Expr]:
    """Ways to write the sum, cheap ones first: which of them shows the sign depends on cancellation."""
    whole = sympy.Add(*(tidy(part) for part in parts))
    yield whole
    together = tidy(whole)
    if together != whole:
        yield together
    if sympy.count_ops(together) < FEW_OPERATIONS:
        simplified = tidy(sympy.simplify(together))
        if simplified not in (whole, together):
            yield simplified


def tidy(g: Expr) -> Expr:
    """One fraction with its numerator multiplied out."""
    numerator, denominator = sympy.fraction(sympy.together(g))
    return sympy.expand(numerator) / denominator


def without_hyperbolics(g: Expr) -> Expr:
    """sinh, cosh and tanh through exp, so that e.g. 1 - tanh² cancels symbolically."""
    # By hand: sympy's rewrite would turn a sine in the argument into complex exponentials.
    g = g.replace(sympy.tanh, lambda u: (sympy.exp(2 * u) - 1) / (sympy.exp(2 * u) + 1))
    g = g.replace(sympy.sinh, lambda u: (sympy.exp(u) - sympy.exp(-u)) / 2)
    return g.replace(sympy.cosh, lambda u: (sympy.exp(u) + sympy.exp(-u)) / 2)
