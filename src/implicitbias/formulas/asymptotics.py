"""How a formula behaves towards an end of the line: g(t) = m(t) c(t) for all t >= L, with m a monomial and c enclosed.

Monomials are exp(Σ_r c_r t^r) t^a (log t)^b. Sums keep the dominating monomial and absorb the others into c, which is
rigorous because ratios of monomials that decrease from L on are largest at L. No limit is taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import sympy

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import NoValueError, evaluate, to_arb
from implicitbias.exact.formula import parse
from implicitbias.exact.symbolic import from_sympy
from implicitbias.formulas.jets import Arb, ball, integer_power
from implicitbias.formulas.roots import Undecided

Expr = Any  # sympy is not typed

t = sympy.Symbol("t", positive=True)


@dataclass(frozen=True)
class Monomial:
    """exp(Σ_r c_r t^r) t^a (log t)^b; `growth` holds the pairs (r, c_r), r > 0, from the largest r down."""

    growth: tuple[tuple[Fraction, Expr], ...] = ()
    power: Fraction = Fraction(0)
    log_power: Fraction = Fraction(0)

    def times(self, other: Monomial, q: Fraction | int = 1) -> Monomial:
        """self × other^q."""
        rates = dict(self.growth)
        for r, c in other.growth:
            rates[r] = rates.get(r, sympy.Integer(0)) + c * sympy.Rational(q.numerator, q.denominator)
        growth = tuple(sorted(((r, c) for r, c in rates.items() if not _is_zero(c)), key=lambda pair: -pair[0]))
        return Monomial(growth, self.power + other.power * q, self.log_power + other.log_power * q)

    @property
    def trend(self) -> int:
        """-1, 0, 1: tends to 0, is 1, tends to infinity."""
        if self.growth:
            return 1 if _value(self.growth[0][1]) > 0 else -1
        leading = self.power or self.log_power
        return (leading > 0) - (leading < 0)

    def decreases_from(self, L: Arb) -> bool:
        """Whether t m'(t)/m(t) = Σ r c_r t^r + a + b/log t is proved negative for all t >= L > 1.

        The leading term is negative; each positive one, divided by it, is largest at L.
        """
        terms = [(_value(c) * ball(r), r) for r, c in self.growth]
        terms.append((ball(self.power), Fraction(0)))
        values = [c * L ** ball(r) for c, r in terms]
        values.append(ball(self.log_power) / L.log())
        leading = next((value for value in values if not value.is_zero()), None)
        if leading is None or not leading < 0:
            return False
        return bool(sum((value for value in values if not value <= 0), leading) < 0)

    def at(self, L: Arb) -> Arb:
        exponent = sum((_value(c) * L ** ball(r) for r, c in self.growth), flint.arb(0))
        return exponent.exp() * L ** ball(self.power) * L.log() ** ball(self.log_power)

    def __str__(self) -> str:
        factors = []
        if self.growth:
            rates = sum((c * t ** sympy.Rational(r.numerator, r.denominator) for r, c in self.growth), sympy.Integer(0))
            factors.append(f"exp({rates})")
        for base, q in (("t", self.power), ("log(t)", self.log_power)):
            if q:
                factors.append(base if q == 1 else f"{base}^({q})" if q.denominator > 1 or q < 0 else f"{base}^{q}")
        return " ".join(factors) or "1"


ONE = Monomial()


@dataclass(frozen=True)
class Tail:
    """g(t) ∈ m(t) × coefficient for all t >= L."""

    monomial: Monomial
    coefficient: Arb

    @property
    def sign(self) -> int:
        """The sign of g from L on, 0 if it is not determined."""
        return 1 if self.coefficient > 0 else -1 if self.coefficient < 0 else 0


def enclose_tail(g: Expr, L: Arb) -> Tail:
    """g, a sympy expression in `t`, for all t >= L. Raises Undecided if the arithmetic cannot tell."""
    return _Tails(L).enclose(g)


def is_integrable(m: Monomial) -> bool:
    """Whether ∫^∞ m is finite."""
    if m.growth:
        return m.trend < 0
    return m.power < -1 or (m.power == -1 and m.log_power < -1)


def integral_bound(m: Monomial, L: Arb) -> Arb:
    """An upper bound of ∫_L^∞ m(t) dt for an integrable monomial. Raises Undecided if L is too small for one."""
    p = Fraction(2) if m.growth else (1 - m.power) / 2  # m t^p decreases, and t^-p is integrable
    if p <= 1 or not m.times(Monomial(power=p)).decreases_from(L):
        raise Undecided(f"the tail {m} could not be bounded")
    return m.at(L) * L / ball(p - 1)


def _is_zero(number: Expr) -> bool:
    return bool(number == 0) or bool(sympy.simplify(number) == 0)


def _value(number: Expr) -> Arb:
    try:
        value = evaluate(parse(from_sympy(number), ()), {}, flint.ctx.prec + 32)
    except (NoValueError, ValueError, FormulaError) as error:
        raise Undecided(f"the constant {number} could not be evaluated: {error}") from None
    return to_arb(value)


class _Tails:
    def __init__(self, L: Arb) -> None:
        self.L = L

    def enclose(self, g: Expr) -> Tail:
        if not g.has(t):
            return Tail(ONE, _value(g))
        if g == t:
            return Tail(Monomial(power=Fraction(1)), flint.arb(1))
        if g.is_Add:
            return self.total([part for term in g.args for part in self.parts(term)])
        if g.is_Mul:
            product = Tail(ONE, flint.arb(1))
            for factor in g.args:
                part = self.enclose(factor)
                product = Tail(product.monomial.times(part.monomial), product.coefficient * part.coefficient)
            return product
        if g.is_Pow and g.exp.is_Rational:
            return self.power(self.enclose(g.base), Fraction(int(g.exp.p), int(g.exp.q)))
        if isinstance(g, sympy.exp):
            return self.exp(g.args[0])
        if g.is_Pow and g.base.is_positive and not g.base.has(t):
            return self.exp(g.exp * sympy.log(g.base))
        if isinstance(g, sympy.log):
            return self.total(self.log(g.args[0]))
        if len(g.args) == 1 and g.func in _ODD:
            return self.odd(*_ODD[g.func], self.enclose(g.args[0]))
        if isinstance(g, sympy.cos):
            h = self.enclose(g.args[0])
            return Tail(ONE, self.bounded(h).cos() if h.monomial.trend <= 0 else flint.arb(-1).union(1))
        if len(g.args) == 1 and g.func in _OTHER:
            return Tail(ONE, _OTHER[g.func](self.bounded(self.enclose(g.args[0]))))
        raise Undecided(f"the behaviour of {g} far out is not known here")

    def parts(self, term: Expr) -> list[Tail]:
        """A summand split up: c log h as c (log of the monomial of h) + c log(coefficient).

        In log(1+exp(t)) - t the growing parts then cancel exactly.
        """
        constant, varying = term.as_independent(t, as_Add=False)
        if not isinstance(varying, sympy.log):
            return [self.enclose(term)]
        c = _value(constant)
        return [Tail(part.monomial, c * part.coefficient) for part in self.log(varying.args[0])]

    def small(self, m: Monomial) -> Arb:
        """An interval for m(t), t >= L, of a monomial that tends to 0."""
        if not m.decreases_from(self.L):
            raise Undecided(f"{m} does not decrease yet")
        return flint.arb(0).union(m.at(self.L))

    def bounded(self, tail: Tail) -> Arb:
        """An interval for the values of a bounded tail."""
        match tail.monomial.trend:
            case 0:
                return tail.coefficient
            case -1:
                return tail.coefficient * self.small(tail.monomial)
        raise Undecided("an argument grows without bound")

    def total(self, tails: Iterable[Tail]) -> Tail:
        sums: dict[Monomial, Arb] = {}
        for tail in tails:
            sums[tail.monomial] = sums.get(tail.monomial, flint.arb(0)) + tail.coefficient
        rest = [Tail(m, c) for m, c in sums.items() if not c.is_zero()]
        if not rest:
            return Tail(ONE, flint.arb(0))
        lead = rest.pop()
        for tail in rest:
            ratio = tail.monomial.times(lead.monomial, -1)
            if ratio.trend > 0:
                lead, tail, ratio = tail, lead, lead.monomial.times(tail.monomial, -1)
            if ratio.trend == 0:
                lead = Tail(lead.monomial, lead.coefficient + tail.coefficient)
            else:
                lead = Tail(lead.monomial, lead.coefficient + tail.coefficient * self.small(ratio))
        return lead

    def power(self, base: Tail, q: Fraction) -> Tail:
        c = base.coefficient
        if q.denominator == 1:
            if q < 0 and not (c > 0 or c < 0):
                raise Undecided("a denominator may vanish far out")
            value = integer_power(c, int(q))
        elif c > 0:
            value = c ** ball(q)
        else:
            raise Undecided("the base of a root may be negative far out")
        return Tail(ONE.times(base.monomial, q), value)

    def exp(self, argument: Expr) -> Tail:
        growth: dict[Fraction, Expr] = {}
        power, rest = Fraction(0), []
        for term in sympy.Add.make_args(sympy.expand(argument)):
            constant, varying = term.as_independent(t, as_Add=False)
            if varying == sympy.log(t) and constant.is_Rational:
                power += Fraction(int(constant.p), int(constant.q))
            elif (r := _exponent(varying)) is not None and r > 0:
                growth[r] = growth.get(r, sympy.Integer(0)) + constant
            else:
                rest.append(self.enclose(term))
        monomial = Monomial(power=power).times(Monomial(tuple(growth.items())))
        return Tail(monomial, self.bounded(self.total(rest)).exp())

    def log(self, argument: Expr) -> list[Tail]:
        if argument == t:
            return [Tail(Monomial(log_power=Fraction(1)), flint.arb(1))]
        one, rest = sympy.expand(argument).as_coeff_Add()
        if one == 1:
            h = self.enclose(rest)
            if h.monomial.trend < 0 and (values := self.bounded(h)) > -1:
                return [Tail(h.monomial, h.coefficient / (1 + flint.arb(0).union(values)))]  # log(1+h) = h/(1+ξ)
        h = self.enclose(argument)
        if not h.coefficient > 0:
            raise Undecided("the argument of a logarithm may be negative far out")
        if h.monomial.log_power:
            raise Undecided("log log t is not carried here")
        parts = [Tail(Monomial(power=r), _value(c)) for r, c in h.monomial.growth]
        parts.append(Tail(Monomial(log_power=Fraction(1)), ball(h.monomial.power)))
        parts.append(Tail(ONE, h.coefficient.log()))
        return parts

    def odd(
        self, value: Callable[[Arb], Arb], slope: Callable[[Arb], Arb], far: Callable[[Arb], Arb] | None, h: Tail
    ) -> Tail:
        """φ(h) of an odd φ: h φ'(ξ) where h tends to 0, `far` of its least size where it tends to infinity."""
        if h.monomial.trend < 0:
            return Tail(h.monomial, h.coefficient * slope(flint.arb(0).union(self.bounded(h))))
        if h.monomial.trend == 0:
            return Tail(ONE, value(h.coefficient))
        sign = h.sign
        if far is None or sign == 0:
            raise Undecided("an argument grows without bound")
        grown = flint.arb(1) / self.small(ONE.times(h.monomial, -1)).upper()
        return Tail(ONE, far(grown * h.coefficient.abs_lower()) * sign)


def _exponent(power: Expr) -> Fraction | None:
    """r of t^r."""
    if power == t:
        return Fraction(1)
    if power.is_Pow and power.base == t and power.exp.is_Rational:
        return Fraction(int(power.exp.p), int(power.exp.q))
    return None


def _bounded_by_one(least: Arb) -> Arb:
    return flint.arb(-1).union(1)


_ODD: dict[Any, tuple[Callable[[Arb], Arb], Callable[[Arb], Arb], Callable[[Arb], Arb] | None]] = {
    sympy.atan: (
        lambda u: u.atan(),
        lambda u: 1 / (1 + integer_power(u, 2)),
        lambda least: least.atan().union(flint.arb.pi() / 2),
    ),
    sympy.erf: (
        lambda u: u.erf(),
        lambda u: 2 * (-integer_power(u, 2)).exp() / flint.arb.pi().sqrt(),
        lambda least: least.erf().union(flint.arb(1)),
    ),
    sympy.tanh: (lambda u: u.tanh(), lambda u: u.sech() ** 2, lambda least: least.tanh().union(flint.arb(1))),
    sympy.sin: (lambda u: u.sin(), lambda u: u.cos(), _bounded_by_one),
    sympy.tan: (lambda u: u.tan(), lambda u: u.sec() ** 2, None),
    sympy.sinh: (lambda u: u.sinh(), lambda u: u.cosh(), None),
    sympy.asin: (lambda u: u.asin(), lambda u: (1 - integer_power(u, 2)).rsqrt(), None),
}
"""φ, φ', and an interval for φ beyond a least argument."""

_OTHER: dict[Any, Callable[[Arb], Arb]] = {
    sympy.cosh: lambda u: u.cosh(),
    sympy.acos: lambda u: u.acos(),
    sympy.gamma: lambda u: u.gamma(),
}
