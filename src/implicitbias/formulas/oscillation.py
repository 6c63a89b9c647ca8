"""When does a function that oscillates forever bend infinitely much?"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any

import flint
import sympy
from sympy.simplify.fu import TR8

from implicitbias.exact.enclosure import evaluate, to_arb
from implicitbias.exact.formula import Expression, Operation
from implicitbias.exact.symbolic import symbol, to_sympy
from implicitbias.formulas.asymptotics import Monomial, enclose_tail, is_integrable, t
from implicitbias.formulas.jets import Arb, depends
from implicitbias.formulas.roots import Undecided

Expr = Any

LEVELS = (4, 8, 14)
FEW_OPERATIONS = 800


def period(tree: Operation) -> Expr | None:
    """A period of a formula in which x occurs only in sin and cos of arguments a x + b with commensurable a's.

    The formula must have a value everywhere (`is_total` is enough).

    >>> from implicitbias.exact.formula import parse
    >>> period(parse("abs(sin(x)) + cos(3*x/2)").tree), period(parse("x + sin(x)").tree)
    (4*pi, None)
    """
    rates = _rates(tree)
    if not rates:
        return None
    ratios = [sympy.nsimplify(rate / rates[0]) for rate in rates]
    if not all(ratio.is_Rational for ratio in ratios):
        return None
    common = lcm(*(int(ratio.q) for ratio in ratios))
    return sympy.simplify(2 * sympy.pi * common / abs(rates[0]) / gcd(*(int(ratio * common) for ratio in ratios)))


def _rates(tree: Operation) -> list[Expr] | None:
    """The a's of the arguments a x + b; None if x occurs elsewhere."""
    if not depends(tree):
        return []
    if tree.head in ("sin", "cos"):
        x = symbol("x")
        rate = sympy.diff(to_sympy(Expression("", frozenset({"x"}), tree.arguments[0]), {"x": "real"}), x)
        return None if rate.has(x) or rate == 0 else [rate]
    if tree.is_name:
        return None
    found = [_rates(argument) for argument in tree.arguments]
    return None if any(rates is None for rates in found) else [rate for rates in found if rates for rate in rates]


def is_total(tree: Operation) -> bool:
    """Whether the formula has a value on the whole line by its form: no roots, logarithms and denominators in x."""
    if not depends(tree):
        return True
    if tree.head in ("log", "sqrt", "tan", "asin", "acos", "gamma"):
        return False
    if tree.head == "/" and depends(tree.arguments[1]):
        return False
    if tree.head == "**":
        power = tree.arguments[1].number
        if power is None or power < 0 or power.denominator > 1:
            return False
    return all(is_total(argument) for argument in tree.arguments)


def varies(tree: Operation) -> bool:
    """Whether the formula provably takes two different values."""
    first, *others = [_value(tree, Fraction(k, 7)) for k in range(24)]
    return any(value < first or value > first for value in others)


def _value(tree: Operation, x: Fraction) -> Arb:
    return to_arb(evaluate(Expression("", frozenset({"x"}), tree), {"x": x}))


def oscillating_growth(curvature: Expr) -> Monomial | None:
    """m, if g = m(t) (P(t) + o(1)) with P ≠ 0 a sum of sines and cosines of fixed frequencies and ∫^∞ m = oo.

    Then ∫^∞ |g| = oo, since |P| has a positive mean. None if that is not proved.
    """
    numerator, denominator = sympy.fraction(sympy.together(curvature))
    if denominator.has(sympy.sin, sympy.cos) or sympy.count_ops(numerator) > FEW_OPERATIONS:
        return None
    flat = sympy.expand(TR8(sympy.expand(numerator)))
    terms: dict[Expr, Expr] = {}
    for term in sympy.Add.make_args(flat):
        coefficient, wave = term.as_independent(sympy.sin, sympy.cos)
        if wave != 1 and not _is_wave(wave):
            return None
        terms[wave] = terms.get(wave, sympy.Integer(0)) + coefficient
    if not any(wave != 1 for wave in terms):
        return None
    for level in LEVELS:
        L = flint.arb(2) ** level
        try:
            tails = [enclose_tail(coefficient / denominator, L) for coefficient in terms.values() if coefficient != 0]
            lead = tails[0]
            for tail in tails[1:]:
                if tail.monomial.times(lead.monomial, -1).trend > 0:
                    lead = tail
        except Undecided:
            continue
        leaders = [tail for tail in tails if tail.monomial == lead.monomial]
        if any(tail.sign for tail in leaders) and not is_integrable(lead.monomial) and not lead.monomial.growth:
            return lead.monomial
    return None


def _is_wave(wave: Expr) -> bool:
    """sin(a t + b) or cos(a t + b): with b = 0 waves of different text are linearly independent."""
    if not isinstance(wave, sympy.sin | sympy.cos):
        return False
    rate = wave.args[0] / t
    return not sympy.simplify(rate).has(t) and bool(rate.is_positive)
