"""Behaviour far out: enclosures contain the values, signs are right, integrals are told apart from divergence."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy

from implicitbias.exact.enclosure import evaluate, to_arb
from implicitbias.exact.formula import parse
from implicitbias.exact.symbolic import from_sympy
from implicitbias.formulas.asymptotics import Monomial, enclose_tail, integral_bound, is_integrable, t
from implicitbias.formulas.oscillation import oscillating_growth
from implicitbias.formulas.roots import Undecided

EXPRESSIONS = [
    t**2 - 5 * t + 1,
    1 / (1 + t**2) - 3 / t**3,
    sympy.exp(-t) * t**3 - sympy.exp(-2 * t),
    (sympy.exp(t) - 2 * t) / (1 + sympy.exp(t)) ** 2,
    sympy.sqrt(1 + t**2) / t - sympy.exp(-(t**2)),
    sympy.log(1 + sympy.exp(t)) - t,
    sympy.log(1 + t**2) / t,
    sympy.log(3 + t) * sympy.exp(-t),
    sympy.atan(t) * t - sympy.erf(t),
    sympy.sin(t) / t + 2,
    sympy.cos(1 / t),
    sympy.sin(1 / t) ** 2,
    sympy.exp(-t + sympy.log(t) + 1 / t),
    (1 + 1 / t) ** sympy.Rational(1, 3),
    sympy.Integer(2) ** (-t),
    sympy.tanh(1 / t) - sympy.asin(1 / t**2),
]


@pytest.mark.parametrize("g", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("level", [5, 9, 20])
def test_the_monomial_times_its_coefficient_contains_the_values(g: sympy.Expr, level: int) -> None:
    L = flint.arb(2) ** level
    tail = enclose_tail(g, L)
    for factor in (1, 3, 40):
        if (level == 20 and g.has(sympy.exp)) or (level > 5 and g == 2 ** (-t)):
            continue  # numbers beyond 2^±4096 are not carried by the independent evaluation
        value = to_arb(evaluate(parse(from_sympy(g.subs(t, factor * 2**level))), {}))
        place = factor * L
        assert (tail.monomial.at(place) * tail.coefficient).overlaps(value), (factor, tail)
    if tail.sign:
        assert tail.sign == (1 if g.subs(t, sympy.Float(2**level, 60)).evalf(60) > 0 else -1)


def test_what_cancels_has_no_sign() -> None:
    L = flint.arb(2) ** 10
    assert enclose_tail(sympy.sqrt(t**2 + 1) - t, L).sign == 0
    assert enclose_tail(sympy.sin(t) + 1 / t, L).sign == 0
    with pytest.raises(Undecided):
        enclose_tail(sympy.exp(sympy.exp(t)), L)


@pytest.mark.parametrize(
    ("monomial", "finite"),
    [
        (Monomial(power=Fraction(-1)), False),
        (Monomial(power=Fraction(-2)), True),
        (Monomial(), False),
        (Monomial(power=Fraction(-1), log_power=Fraction(-1)), False),
        (Monomial(power=Fraction(-1), log_power=Fraction(-2)), True),
        (Monomial(growth=((Fraction(1), sympy.Integer(-1)),), power=Fraction(5)), True),
        (Monomial(growth=((Fraction(2), sympy.Integer(1)), (Fraction(1), sympy.Integer(-9)))), False),
    ],
    ids=str,
)
def test_integrability_is_that_of_the_monomial(monomial: Monomial, finite: bool) -> None:
    assert is_integrable(monomial) is finite


def test_integrals_are_bounded_from_above() -> None:
    L = flint.arb(16)
    # ∫_16^oo t^-3 = 1/512, ∫_16^oo e^-t = e^-16
    cube = integral_bound(Monomial(power=Fraction(-3)), L)
    assert flint.arb(1) / 512 <= cube <= flint.arb(1) / 100
    exponential = integral_bound(Monomial(growth=((Fraction(1), sympy.Integer(-1)),)), L)
    assert (-L).exp() <= exponential <= 20 * (-L).exp()


def test_only_waves_that_die_too_slowly_bend_infinitely_much() -> None:
    assert oscillating_growth(sympy.sin(t)) == Monomial()
    assert oscillating_growth(sympy.sin(t) / t + sympy.cos(3 * t) / t**2) is not None
    assert oscillating_growth(sympy.sin(t) / t**2) is None
    assert oscillating_growth(sympy.sin(t) ** 2 + sympy.cos(t) ** 2 - 1) is None
    assert oscillating_growth(t * (sympy.sin(t) ** 2 + sympy.cos(t) ** 2 - 1) + sympy.sin(t) / t**2) is None
    assert oscillating_growth(sympy.sin(t**2)) is None  # not a sum of waves of fixed frequencies
