"""Formulas without Abs, Max, Min and sign as quotients of polynomials in generators: variables, roots, exponentials, ….

Two formulas whose difference has the numerator 0 here are equal wherever both have a value. The converse does not
hold: generators that depend on each other in a way that is not known here are taken for independent.

What is known: exp(a + b) = exp(a) exp(b), exp(log u) = u, log(exp u) = u, u^a = exp(a log u) for u > 0, 0^a = 0 for
a > 0, √u² = u, √(uv) = √u √v and log(uv) = log u + log v for u, v > 0, u^(m + n) = u^m uⁿ for whole m, n >= 0,
cos² + sin² = 1 and the parity of both, Γ(u + 1) = u Γ(u).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mpoly_ctx, fmpz

from implicitbias.exact.formula import Operation
from implicitbias.theorems.factors import Polynomial, factored

GENERATORS = 40
"""The most generators of one comparison; what needs more is not shown."""

LARGEST_POWER = 64


class NotReducedError(Exception):
    """The formula has no normal form here."""


class Ratio(NamedTuple):
    """numerator / denominator, without a common factor."""

    numerator: Polynomial
    denominator: Polynomial


Key = tuple[object, ...]


@dataclass
class Field:
    """The generators found so far, and what is known of them.

    positive  whether a formula without Abs, Max, Min and sign is positive; asked before a root or a logarithm of a
              product is taken apart
    naturals  the variables that are whole numbers from 0 on
    """

    positive: Callable[[Polynomial], bool]
    naturals: frozenset[str] = frozenset()
    _slots: dict[Key, int] = field(default_factory=dict)
    _keys: list[Key] = field(default_factory=list)
    _meanings: list[tuple[str, tuple[Ratio, ...]]] = field(default_factory=list)
    _logarithms: dict[str, Polynomial] = field(default_factory=dict)
    _squares: dict[int, Ratio] = field(default_factory=dict)
    _sines: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._context = fmpq_mpoly_ctx.get([f"g{i}" for i in range(GENERATORS)])
        self._generators = self._context.gens()

    # numbers and generators

    def number(self, value: Fraction | int) -> Ratio:
        f = Fraction(value)
        return Ratio(self._context.constant(fmpq(f.numerator, f.denominator)), self._context.constant(1))

    def generator(self, head: str, *arguments: Ratio) -> Ratio:
        """A name, or a function of which nothing more is known at these arguments."""
        return Ratio(self._generators[self._slot(head, *arguments)], self._context.constant(1))

    def generator_at(self, slot: int) -> Polynomial:
        return self._generators[slot]

    def _slot(self, head: str, *arguments: Ratio) -> int:
        key = (head, *(str(part) for argument in arguments for part in argument))
        if key not in self._slots:
            if len(self._slots) == GENERATORS:
                raise NotReducedError(f"more than {GENERATORS} different parts")
            self._slots[key] = len(self._slots)
            self._keys.append(key)
            self._meanings.append((head, arguments))
        return self._slots[key]

    @property
    def keys(self) -> Sequence[Key]:
        """What each generator stands for."""
        return self._keys

    def arguments(self, slot: int) -> tuple[Ratio, ...]:
        """What the function of a generator is applied to."""
        return self._meanings[slot][1]

    @property
    def squares(self) -> Mapping[int, Ratio]:
        """The radicands of the generators that are square roots."""
        return self._squares

    @property
    def sines(self) -> Mapping[int, int]:
        """The generators that are sines, with the cosine of the same argument."""
        return self._sines

    @property
    def relations(self) -> tuple[object, ...]:
        """What is known of generators by others, roots and sines, as something that can be compared."""
        return (*((slot, *map(str, square)) for slot, square in self._squares.items()), *self._sines.items())

    @property
    def related(self) -> frozenset[int]:
        """The generators that are roots or sines: their squares are replaced in `reduced`."""
        return frozenset({*self._squares, *self._sines})

    @property
    def one(self) -> Polynomial:
        return self._context.constant(1)

    def polynomial(self, terms: Mapping[tuple[int, ...], Any]) -> Polynomial:
        """The polynomial with these coefficients by exponents."""
        return self._context.from_dict(dict(terms))

    # arithmetic

    def ratio(self, numerator: Polynomial, denominator: Polynomial) -> Ratio:
        numerator, denominator = self.reduced(numerator), self.reduced(denominator)
        if denominator == 0:
            raise NotReducedError("a denominator is 0")
        common = numerator.gcd(denominator)
        if common != 0 and common != 1:
            numerator, denominator = numerator / common, denominator / common
        lead = denominator.leading_coefficient()
        return Ratio(numerator / lead, denominator / lead)

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        return self.ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

    def multiply(self, a: Ratio, b: Ratio) -> Ratio:
        return self.ratio(a.numerator * b.numerator, a.denominator * b.denominator)

    def inverse(self, a: Ratio) -> Ratio:
        if a.numerator == 0:
            raise NotReducedError("division by 0")
        return self.ratio(a.denominator, a.numerator)

    def power(self, a: Ratio, exponent: int) -> Ratio:
        if abs(exponent) > LARGEST_POWER:
            raise NotReducedError(f"the power {exponent}")
        if exponent < 0:
            return self.power(self.inverse(a), -exponent)
        return self.ratio(a.numerator**exponent, a.denominator**exponent)

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """Squares of roots replaced by their radicands (times a denominator that is not 0), sin² by 1 − cos².

        Only replacements without denominators are made here: the others wait for `vanishes`.
        """
        for slot, square in sorted(self._squares.items(), reverse=True):
            if square.denominator == 1:
                polynomial = self._replaced(polynomial, slot, square.numerator)
        for sine, cosine in self._sines.items():
            polynomial = self._replaced(polynomial, sine, 1 - self._generators[cosine] ** 2)
        return polynomial

    def _replaced(self, polynomial: Polynomial, slot: int, square: Polynomial) -> Polynomial:
        """g² replaced by `square` until g occurs to the first power at most."""
        while polynomial.degrees()[slot] > 1:
            replaced = self._context.constant(0)
            for exponents, coefficient in polynomial.to_dict().items():
                odd = exponents[slot] % 2
                rest = list(exponents)
                rest[slot] = odd
                term = self._context.from_dict({tuple(rest): coefficient})
                replaced += term * square ** (exponents[slot] // 2)
            polynomial = replaced
        return polynomial

    def vanishes(self, a: Ratio) -> bool:
        """Whether the numerator is 0, once squares of roots are replaced by their radicands."""
        polynomial = a.numerator
        for slot, square in sorted(self._squares.items(), reverse=True):
            degree = polynomial.degrees()[slot]
            if degree > 1:  # times denominator^(degree // 2), which is not 0
                total = self._context.constant(0)
                for exponents, coefficient in polynomial.to_dict().items():
                    times = exponents[slot] // 2
                    rest = list(exponents)
                    rest[slot] %= 2
                    term = self._context.from_dict({tuple(rest): coefficient})
                    total += term * square.numerator**times * square.denominator ** (degree // 2 - times)
                polynomial = self.reduced(total)
        return bool(polynomial == 0)

    def at_zero(self, a: Ratio, name: str) -> Ratio:
        """Where the variable is 0; the denominator may be 0 then. Raises NotReducedError if it is inside a function."""
        slot = self._slots.get((name,))
        if slot is None:
            return a
        inside = re.compile(rf"\bg{slot}\b")
        if any(inside.search(str(part)) for key in self._keys for part in key):
            raise NotReducedError(f"{name} stands inside a function")
        kept = [{k: c for k, c in part.to_dict().items() if not k[slot]} for part in a]
        return Ratio(*map(self.polynomial, kept))

    def finest(self, polynomial: Polynomial, nonnegative: Callable[[int], bool]) -> Polynomial:
        """The polynomial in roots of generators in the place of the generators: a − b² factors as (√a − b)(√a + b).

        Only of those known to be nonnegative: that some formula had a root of one says nothing about another formula.
        """
        for root, square in sorted(self._squares.items()):
            whole = next(
                (i for i, g in enumerate(self._generators) if square == Ratio(g, self._context.constant(1))), None
            )
            if whole is None or not polynomial.degrees()[whole] or not nonnegative(whole):
                continue
            terms: dict[tuple[int, ...], Any] = {}
            for exponents, coefficient in polynomial.to_dict().items():
                moved = list(exponents)
                moved[root] += 2 * moved[whole]
                moved[whole] = 0
                terms[tuple(moved)] = terms.get(tuple(moved), 0) + coefficient
            polynomial = self.polynomial(terms)
        return polynomial

    # back to formulas

    def tree(self, a: Ratio) -> Operation:
        """The normal form as a formula."""
        numerator, denominator = self._sum(a.numerator), self._sum(a.denominator)
        return numerator if denominator.number == 1 else Operation("/", (numerator, denominator))

    def _sum(self, polynomial: Polynomial) -> Operation:
        total: Operation | None = None
        for exponents, coefficient in polynomial.to_dict().items():
            value = Fraction(int(coefficient.p), int(coefficient.q))
            term = self._monomial(exponents, abs(value))
            if total is None:
                total = term if value > 0 else Operation("neg", (term,))
            else:
                total = Operation("+" if value > 0 else "-", (total, term))
        return total or Operation("number", number=Fraction(0))

    def _monomial(self, exponents: Sequence[int], coefficient: Fraction) -> Operation:
        factors = [self._raised(slot, exponent) for slot, exponent in enumerate(map(int, exponents)) if exponent]
        if coefficient.numerator != 1 or not factors:
            factors.insert(0, Operation("number", number=Fraction(coefficient.numerator)))
        product = factors[0]
        for factor in factors[1:]:
            product = Operation("*", (product, factor))
        if coefficient.denominator == 1:
            return product
        return Operation("/", (product, Operation("number", number=Fraction(coefficient.denominator))))

    def _raised(self, slot: int, exponent: int) -> Operation:
        head, arguments = self._meanings[slot]
        if head == "exp":
            return Operation("exp", (self.tree(self.multiply(self.number(exponent), arguments[0])),))
        one = Operation(head, tuple(map(self.tree, arguments)))
        return one if exponent == 1 else Operation("**", (one, Operation("number", number=Fraction(exponent))))

    # functions

    def root(self, a: Ratio) -> Ratio:
        """√a: positive factors of even power come out, positive factors of odd power get a root each.

        A factor whose negative is positive counts as that negative and -1.
        """
        result, rest = self.number(1), self.number(1)
        for factor, exponent in self._factors(a):
            if not self.positive(factor) and self.positive(-factor):
                factor = -factor
                rest = self.multiply(rest, self.number((-1) ** exponent))
            if self.positive(factor):
                whole = self.power(Ratio(factor, self._context.constant(1)), exponent // 2)
                result = self.multiply(result, whole)
                if exponent % 2:
                    result = self.multiply(result, self._simple_root(Ratio(factor, self._context.constant(1))))
            else:
                rest = self.multiply(rest, self.power(Ratio(factor, self._context.constant(1)), exponent))
        return result if rest == self.number(1) else self.multiply(result, self._simple_root(rest))

    def _simple_root(self, radicand: Ratio) -> Ratio:
        if radicand in (self.number(0), self.number(1)):
            return radicand
        slot = self._slot("sqrt", radicand)
        self._squares[slot] = radicand
        return Ratio(self._generators[slot], self._context.constant(1))

    def _factors(self, a: Ratio) -> list[tuple[Polynomial, int]]:
        """The factors of numerator and denominator with their exponents; whole numbers as their primes.

        Of a factor that is negative its negative is taken, so that w² has the root -w for w < 0.
        """
        if a.numerator == 0:
            raise NotReducedError("the factors of 0")
        found: list[tuple[Polynomial, int]] = []
        negative = False
        for polynomial, sign in ((a.numerator, 1), (a.denominator, -1)):
            content, factors = factored(polynomial)
            value = Fraction(int(content.p), int(content.q))
            negative ^= value < 0
            for part, side in ((abs(value.numerator), 1), (value.denominator, -1)):
                if part.bit_length() > 200:
                    raise NotReducedError("a number too long to factor")
                found += [
                    (self._context.constant(int(prime)), side * sign * int(times))
                    for prime, times in fmpz(part).factor()
                    if part > 1
                ]
            for factor, times in factors:
                if self.positive(-factor):
                    factor, negative = -factor, negative ^ (int(times) % 2 == 1)
                found.append((factor, sign * int(times)))
        return [*found, (self._context.constant(-1), 1)] if negative else found

    def logarithm(self, a: Ratio) -> Ratio:
        """log a: a sum over the factors where all are positive."""
        factors = self._factors(a)
        if not all(self.positive(factor) for factor, _ in factors):
            return self.generator("log", a)
        total = self.number(0)
        for factor, exponent in factors:
            total = self.add(total, self.multiply(self.number(exponent), self._logarithm_of_a_factor(factor)))
        return total

    def _logarithm_of_a_factor(self, factor: Polynomial) -> Ratio:
        for slot, (head, arguments) in enumerate(self._meanings):
            if head == "exp" and self._generators[slot] == factor:
                return arguments[0]
        self._logarithms[str(factor)] = factor
        return self.generator("log", Ratio(factor, self._context.constant(1)))

    def exponential(self, a: Ratio) -> Ratio:
        """exp a: a product over the terms of the numerator; exp(n log u) = uⁿ for whole and half n."""
        result = self.number(1)
        for exponents, coefficient in a.numerator.to_dict().items():
            number = Fraction(int(coefficient.p), int(coefficient.q))
            result = self.multiply(result, self._exponential_of_a_term(exponents, number, a.denominator))
        return result

    def _exponential_of_a_term(self, exponents: tuple[int, ...], number: Fraction, denominator: Polynomial) -> Ratio:
        if denominator != 1:
            reduced = self.ratio(self._context.from_dict({exponents: 1}), denominator)
            if reduced.denominator == 1:  # as in exp((n log u)/n)
                ((exponents, coefficient),) = reduced.numerator.to_dict().items()
                number *= Fraction(int(coefficient.p), int(coefficient.q))
                denominator = reduced.denominator
        keys = self._keys
        logs = [i for i, e in enumerate(exponents) if e and keys[i][0] == "log" and keys[i][2] == "1"]
        alone = len(logs) == 1 and sum(exponents) == 1 and denominator == 1
        if alone and str(keys[logs[0]][1]) in self._logarithms and (2 * number).denominator == 1:
            base = Ratio(self._logarithms[str(keys[logs[0]][1])], self._context.constant(1))
            whole = self.power(base, math.floor(number))
            return whole if number.denominator == 1 else self.multiply(whole, self.root(base))
        if not any(exponents) and denominator == 1:
            monomial: Polynomial = self._context.constant(1)
        else:
            monomial = self._context.from_dict({exponents: 1})
        term = self.ratio(monomial, denominator)
        # the generator is exp(monomial / 12): rational coefficients with such a denominator become powers of it
        scaled = number * 12
        if scaled.denominator != 1 or abs(scaled) > 12 * LARGEST_POWER:
            return self.generator("exp", self.multiply(self.number(number), term))
        base = self.generator("exp", self.multiply(self.number(Fraction(1, 12)), term))
        return self._power_of_exponential(base, int(scaled))

    def _power_of_exponential(self, base: Ratio, exponent: int) -> Ratio:
        raised = Ratio(base.numerator ** abs(exponent), self._context.constant(1))
        return raised if exponent >= 0 else Ratio(raised.denominator, raised.numerator)

    def circular(self, head: str, a: Ratio) -> Ratio:
        """sin a or cos a, with the sign of the argument taken out."""
        if a.numerator == 0:
            return self.number(0 if head == "sin" else 1)
        negative = a.numerator.leading_coefficient() < 0
        if negative:
            a = Ratio(-a.numerator, a.denominator)
        if self._is_pi(a):
            return self.number(0 if head == "sin" else -1)
        cosine, sine = self._slot("cos", a), self._slot("sin", a)
        self._sines[sine] = cosine
        found = Ratio(self._generators[cosine if head == "cos" else sine], self._context.constant(1))
        return Ratio(-found.numerator, found.denominator) if negative and head == "sin" else found

    def _is_pi(self, a: Ratio) -> bool:
        return a == self.generator("pi")

    def gamma(self, a: Ratio) -> Ratio:
        """Γ(a) by Γ(u + 1) = u Γ(u), down to a constant part in (0, 1]."""
        if a.denominator != 1:
            return self.generator("gamma", a)
        constant = a.numerator.to_dict().get((0,) * GENERATORS, fmpq(0))
        shift = math.ceil(Fraction(int(constant.p), int(constant.q))) - 1
        base, result = Ratio(a.numerator - shift, a.denominator), self.number(1)
        if abs(shift) > LARGEST_POWER:
            raise NotReducedError("Γ of a large number")
        for i in range(shift) if shift > 0 else range(shift, 0):
            part = Ratio(base.numerator + i, base.denominator)
            result = self.multiply(result, part if shift > 0 else self.inverse(part))
        if base == self.number(1):
            return result
        if base == self.number(Fraction(1, 2)):
            return self.multiply(result, self.root(self.generator("pi")))
        return self.multiply(result, self.generator("gamma", base))

    # formulas

    def of(self, tree: Operation) -> Ratio:
        """The normal form of a formula. Raises NotReducedError."""
        if tree.number is not None:
            return self.number(tree.number)
        if tree.is_name:
            return self.exponential(self.number(1)) if tree.head == "E" else self.generator(tree.head)
        if tree.head in ("Abs", "Max", "Min", "sign", "floor"):
            raise NotReducedError(f"{tree.head} is left")
        if tree.head == "**":
            return self._power_of(*tree.arguments)
        arguments = [self.of(a) for a in tree.arguments]
        return self._applied(tree.head, arguments)

    def _applied(self, head: str, a: list[Ratio]) -> Ratio:
        match head:
            case "+":
                return self.add(*a)
            case "-":
                return self.add(a[0], self.multiply(self.number(-1), a[1]))
            case "*":
                return self.multiply(*a)
            case "/":
                return self.multiply(a[0], self.inverse(a[1]))
            case "neg":
                return self.multiply(self.number(-1), a[0])
            case "sqrt":
                return self.number(0) if a[0].numerator == 0 else self.root(a[0])
            case "exp":
                return self.exponential(a[0])
            case "log":
                return self.logarithm(a[0])
            case "sin" | "cos":
                return self.circular(head, a[0])
            case "gamma":
                return self.gamma(a[0])
            case "sinh" | "cosh":
                up, down = self.exponential(a[0]), self.exponential(self.multiply(self.number(-1), a[0]))
                down = self.multiply(self.number(1 if head == "cosh" else -1), down)
                return self.multiply(self.number(Fraction(1, 2)), self.add(up, down))
            case "atan" | "asin" | "erf" | "tan" | "tanh":
                return self._odd(head, a[0])
        return self.generator(head, *a)

    def _odd(self, head: str, a: Ratio) -> Ratio:
        if a.numerator == 0:
            return self.number(0)
        if a.numerator.leading_coefficient() < 0:
            return self.multiply(self.number(-1), self._odd(head, Ratio(-a.numerator, a.denominator)))
        return self.generator(head, a)

    def _power_of(self, base: Operation, exponent: Operation) -> Ratio:
        power = self.of(exponent)
        constant = power.numerator.is_constant() and power.denominator.is_constant()
        if constant:
            coefficient = power.numerator.leading_coefficient() if power.numerator != 0 else fmpq(0)
            number = Fraction(int(coefficient.p), int(coefficient.q))
            if number.denominator == 1:
                return self.power(self.of(base), int(number))
            if number.denominator in (2, 4, 8):
                root = self.of(base)
                for _ in range(number.denominator.bit_length() - 1):
                    root = self.root(root)
                return self.power(root, number.numerator)
        below = self.of(base)
        if below.numerator == 0 and self.positive(power.numerator) and self.positive(power.denominator):
            return self.number(0)
        if (found := self._natural_power(below, power)) is not None:
            return found
        if not self.positive(below.numerator) or not self.positive(below.denominator):
            raise NotReducedError("a power whose base is not shown to be positive")
        return self.exponential(self.multiply(power, self.logarithm(below)))

    def _natural_power(self, base: Ratio, exponent: Ratio) -> Ratio | None:
        """u^(m + n) = u^m uⁿ for any u, where the exponent is a sum of products of whole numbers from 0 on."""
        terms = [(e, Fraction(int(c.p), int(c.q))) for e, c in exponent.numerator.to_dict().items()]
        whole = {slot for name in self.naturals if (slot := self._slots.get((name,))) is not None}
        for exponents, times in terms:
            if times < 0 or times.denominator != 1 or any(e and slot not in whole for slot, e in enumerate(exponents)):
                return None
        if exponent.denominator != 1 or self.positive(base.numerator * base.denominator):
            return None
        result = self.number(1)
        for exponents, times in terms:
            part = base
            if any(exponents):
                monomial = Ratio(self._context.from_dict({exponents: 1}), self._context.constant(1))
                part = self.generator("**", base, monomial)
            result = self.multiply(result, self.power(part, int(times)))
        return result
