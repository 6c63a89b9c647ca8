"""Signs of polynomials in generators: shown by a certificate, never by assumption.

A polynomial is shown to be positive (nonnegative) if each of its factors has a known sign, where a factor's sign is
known from its terms, or from a representation as a combination, with positive rational coefficients, of products of
hypotheses, of generators whose sign is known, and of squares (`combinations`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.combinations import LARGEST_PROGRAMME, Question, combination, combined
from implicitbias.theorems.factors import Polynomial, factored
from implicitbias.theorems.normal_form import Field, NotReducedError, Ratio
from implicitbias.theorems.sign import Hypothesis, Sign

WHOLE = ("nonnegative integer", "positive integer")

_BY_DOMAIN: dict[Assumption, Sign | None] = {
    "real": None,
    "integer": None,
    "nonnegative": Sign.NONNEGATIVE,
    "nonnegative integer": Sign.NONNEGATIVE,
    "positive": Sign.POSITIVE,
    "positive integer": Sign.POSITIVE,
    "negative": Sign.NEGATIVE,
}


@dataclass
class Signs:
    """The signs that follow from the domains of the variables and from hypotheses.

    >>> from implicitbias.exact.formula import parse
    >>> signs = Signs({"a": "positive", "b": "real"}, (Hypothesis(parse("a - b").tree, strict=True),))
    >>> signs.of(parse("a**2 - 2*b*a + b**2").tree), signs.of(parse("2*a - b").tree), signs.of(parse("b").tree)
    (<Sign.POSITIVE: '> 0'>, <Sign.POSITIVE: '> 0'>, None)
    """

    variables: Mapping[str, Assumption]
    hypotheses: Sequence[Hypothesis] = ()
    _known: list[tuple[Polynomial, bool]] | None = None
    _cache: dict[str, Sign | None] = field(default_factory=dict)
    _with_root: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.field = Field(
            self._is_positive,
            frozenset(name for name, domain in self.variables.items() if domain in WHOLE),
        )
        for name in self.variables:  # their order is the order in which normal forms are written
            self.field.generator(name)

    def of(self, tree: Operation) -> Sign | None:
        """The sign of a formula without Abs, Max, Min and sign; None if it is not shown or depends on the point."""
        found = self._by_structure(tree)
        if found is Sign.POSITIVE or found is Sign.NEGATIVE:
            return found
        try:
            ratio = self.field.of(tree)
        except NotReducedError:
            return found
        return self.of_ratio(ratio) or found

    def searched(self, tree: Operation) -> Sign | None:
        """As `of`, then of the formula times a positive generator, then by squares of sums: slower."""
        if (found := self.of(tree)) in (Sign.POSITIVE, Sign.NEGATIVE, Sign.ZERO):
            return found
        try:
            ratio = self.field.of(tree)
        except NotReducedError:
            return found
        polynomial = self.field.finest(ratio.numerator * ratio.denominator, self._has_a_root)
        for slot in sorted(set().union(*(_slots(h) for h, _ in self._hypotheses()))):
            if self._of_a_generator(slot) is Sign.POSITIVE:
                sought = self._whole(polynomial * self.field.generator_at(slot))
                if sought in (Sign.POSITIVE, Sign.NEGATIVE):
                    return sought
        total = Sign.POSITIVE
        for part in (self.field.finest(part, self._has_a_root) for part in ratio):
            content, factors = factored(part)
            total = total if content > 0 else total.mirrored
            for factor, exponent in factors:
                if (sign := self._by_squares(factor)) is None:
                    return found
                total = _product(total, sign if exponent % 2 else _product(sign, sign))
        return total

    def _by_squares(self, polynomial: Polynomial) -> Sign | None:
        """As a combination of hypotheses times squares of monomials, and of squares of their sums and differences."""
        known = self.of_polynomial(polynomial)
        if known in (Sign.POSITIVE, Sign.NEGATIVE):
            return known
        for sided, sign in ((polynomial, Sign.POSITIVE), (-polynomial, Sign.NEGATIVE)):
            halves = self._halves(sided)
            weighed = [
                (h * m * m, strict and self.of_polynomial(m) in (Sign.POSITIVE, Sign.NEGATIVE))
                for h, strict in self._hypotheses()
                for m in halves
            ]
            roots = [*halves, *(r for w, _ in weighed for part in (w, -w) for r in self._halves(part))]
            squares = [(m * m, self.of_polynomial(m) in (Sign.POSITIVE, Sign.NEGATIVE)) for m in roots]
            squares += [((a + s * b) ** 2, False) for a, b in itertools.combinations(roots, 2) for s in (1, -1)]
            products = [*weighed, *squares][:LARGEST_PROGRAMME]
            weights = combination(sided, [p for p, _ in products], [s for _, s in products]) if products else None
            if weights is not None:
                strict = any(w > 0 and s for w, (_, s) in zip(weights, products, strict=True))
                found = Sign.POSITIVE if strict else Sign.NONNEGATIVE
                return found if sign is Sign.POSITIVE else found.mirrored
        return known

    def _halves(self, polynomial: Polynomial) -> list[Polynomial]:
        """The monomials whose squares are terms with a positive coefficient."""
        terms = [e for e, c in polynomial.to_dict().items() if c > 0 and not any(k % 2 for k in e)]
        return [self.field.polynomial({tuple(k // 2 for k in e): 1}) for e in terms]

    def _by_structure(self, tree: Operation) -> Sign | None:
        """From the parts of a product, a quotient, an even power or a sum, as they are written."""
        match tree.head, tree.arguments:
            case "neg", (a,):
                inner = self.of(a)
                return inner.mirrored if inner else None
            case (("*" | "/"), (a, b)):
                left, right = self.of(a), self.of(b)
                return _product(left, right) if left and right else None
            case "-", (Operation("-", (a, Operation(number=1))), b) if _tangent(a, b):
                away = self.of(Operation("-", (a, Operation("number", number=Fraction(1)))))
                return Sign.POSITIVE if away in (Sign.POSITIVE, Sign.NEGATIVE) else Sign.NONNEGATIVE
            case "+", (a, b):
                left, right = self.of(a), self.of(b)
                if left and right and left.at_least_zero and right.at_least_zero:
                    return Sign.POSITIVE if Sign.POSITIVE in (left, right) else Sign.NONNEGATIVE
            case "**", (a, b) if b.number is not None and b.number.denominator == 1:
                base = self.of(a)
                if b.number % 2 == 0:
                    return Sign.POSITIVE if base in (Sign.POSITIVE, Sign.NEGATIVE) else Sign.NONNEGATIVE
                return base
            case "gamma", (a,):
                return Sign.POSITIVE if self.of(a) is Sign.POSITIVE else None
        return None

    def of_ratio(self, ratio: Ratio) -> Sign | None:
        """The sign of numerator / denominator, the denominator not being 0."""
        if self.field.vanishes(ratio):
            return Sign.ZERO
        numerator, denominator = self.of_polynomial(ratio.numerator), self.of_polynomial(ratio.denominator)
        if numerator is None or denominator is None:
            return self.of_polynomial(ratio.numerator * ratio.denominator)
        return numerator if denominator.at_least_zero else numerator.mirrored

    @property
    def contradictory(self) -> bool:
        """Whether the hypotheses are shown to exclude each other: then 0 is a positive combination of them."""
        known = self._hypotheses()
        if any(polynomial == 0 and strict for polynomial, strict in known):
            return True
        return bool(known) and self._combined(self.field.number(0).numerator) is Sign.POSITIVE

    def pinned(self, ratio: Ratio) -> bool:
        """Whether the hypotheses leave a factor of the numerator no value but 0: minus its square is at least 0."""
        _, factors = factored(ratio.numerator)
        return bool(self._hypotheses()) and any(self._combined(-(f**2)) is not None for f, _ in factors)

    def of_polynomial(self, polynomial: Polynomial) -> Sign | None:
        polynomial = self.field.finest(polynomial, self._has_a_root)
        if polynomial == 0:
            return Sign.ZERO
        key = str(polynomial)
        if key not in self._cache:
            self._cache[key] = None  # a question within the question is not answered by itself
            self._cache[key] = self._shown(polynomial)
        return self._cache[key]

    def _shown(self, polynomial: Polynomial) -> Sign | None:
        content, factors = factored(polynomial)
        total = Sign.POSITIVE if content > 0 else Sign.NEGATIVE
        for factor, exponent in factors:
            sign = self._of_a_factor(factor)
            if sign is None and exponent % 2 == 0:
                sign = Sign.NONNEGATIVE
            if sign is None:
                return self._whole(polynomial)
            total = _product(total, sign if exponent % 2 else _product(sign, sign))
        return total

    def _whole(self, polynomial: Polynomial) -> Sign | None:
        """Of a product whose factors have no sign of their own: a combination of products may still have one."""
        for sided, sign in ((polynomial, 1), (-polynomial, -1)):
            found = self._combined(sided) if self._hypotheses() else None
            if found is not None:
                return found if sign > 0 else found.mirrored
        return None

    def _of_a_factor(self, factor: Polynomial) -> Sign | None:
        for sided, sign in ((factor, 1), (-factor, -1)):
            found = self._by_terms(sided) or self._combined(sided) or self._by_roots(sided)
            if found is not None:
                return found if sign > 0 else found.mirrored
        return None

    def _by_terms(self, polynomial: Polynomial) -> Sign | None:
        """Every term is at least 0; positive if one term is."""
        best: Sign | None = None
        for exponents, coefficient in polynomial.to_dict().items():
            sign = self._of_a_term(exponents)
            if sign is not None and coefficient < 0:
                sign = sign.mirrored
            if sign is None or not sign.at_least_zero:
                return None
            best = Sign.POSITIVE if Sign.POSITIVE in (sign, best) else Sign.NONNEGATIVE
        return best

    def _by_roots(self, polynomial: Polynomial) -> Sign | None:
        """Terms with the same roots taken together: all parts are at least 0, or one of two is, and not the smaller."""
        grouped: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
        for exponents, coefficient in polynomial.to_dict().items():
            roots = tuple(exponents[slot] for slot in self.field.squares)
            grouped.setdefault(roots, {})[exponents] = coefficient
        parts = [self.field.polynomial(terms) for terms in grouped.values()]
        if len(parts) < 2:
            return None
        signs = [self.of_polynomial(part) for part in parts]
        if all(sign is not None and sign.at_least_zero for sign in signs):
            return Sign.POSITIVE if Sign.POSITIVE in signs else Sign.NONNEGATIVE
        if len(parts) > 2:
            return None
        for (larger, smaller), sign in zip((parts, parts[::-1]), signs, strict=True):
            if sign is not None and sign.at_least_zero:
                difference = self.of_ratio(self.field.ratio(larger**2 - smaller**2, self.field.number(1).numerator))
                if difference is not None and difference.at_least_zero:
                    return Sign.POSITIVE if difference is Sign.POSITIVE else Sign.NONNEGATIVE
        return None

    def _of_a_term(self, exponents: Sequence[int]) -> Sign | None:
        total = Sign.POSITIVE
        for slot, exponent in enumerate(exponents):
            if not exponent:
                continue
            sign = self._of_a_generator(slot)
            if exponent % 2 == 0:
                sign = Sign.NONNEGATIVE if sign is None else _product(sign, sign)
            if sign is None:
                return None
            total = _product(total, sign)
        return total

    def _of_a_generator(self, slot: int) -> Sign | None:
        key = self.field.keys[slot]
        match key[0]:
            case "pi" | "exp" | "cosh":
                return Sign.POSITIVE
            case "sqrt":
                radicand = self.field.squares.get(slot)
                if radicand is None:
                    return Sign.NONNEGATIVE
                plain = all(self._by_terms(part) is Sign.POSITIVE for part in radicand)  # before roots stand for it
                shown = plain or self.of_ratio(radicand) is Sign.POSITIVE
                return Sign.POSITIVE if shown else Sign.NONNEGATIVE
            case "log":  # of u: the sign of u - 1
                (argument,) = self.field.arguments(slot)
                return self.of_ratio(self.field.add(argument, self.field.number(-1)))
            case str() as name if len(key) == 1 and name in self.variables:
                return _BY_DOMAIN[self.variables[name]]
        return None

    def _has_a_root(self, slot: int) -> bool:
        """Whether the generator is nonnegative: by its domain, or as a combination of hypotheses."""
        if slot not in self._with_root:
            self._with_root[slot] = False  # while it is asked
            sign = self._of_a_generator(slot) or self._combined(self.field.generator_at(slot))
            self._with_root[slot] = sign is not None and sign.at_least_zero
        return self._with_root[slot]

    def _is_positive(self, polynomial: Polynomial) -> bool:
        return self.of_polynomial(polynomial) is Sign.POSITIVE

    # combinations of hypotheses

    def _hypotheses(self) -> list[tuple[Polynomial, bool]]:
        """The hypotheses as polynomials that are positive (True) or nonnegative, factors of known sign left out."""
        if self._known is None:
            self._known = []
            for hypothesis in self.hypotheses:
                try:
                    ratio = self.field.of(hypothesis.tree)
                except NotReducedError:
                    continue
                self._known.append((self._without_positive_factors(ratio), hypothesis.strict))
            self._cache.clear()
            self._with_root.clear()
        return [(self.field.finest(p, self._has_a_root), strict) for p, strict in self._known]  # roots met since

    def _without_positive_factors(self, ratio: Ratio) -> Polynomial:
        polynomial = self.field.number(1).numerator
        for part in (self.field.finest(part, self._has_a_root) for part in ratio):
            content, factors = factored(part) if part != 0 else (fmpq(0), [])
            polynomial *= 1 if content > 0 else -1 if content < 0 else 0
            for factor, exponent in factors:
                if self._by_terms(factor) is Sign.POSITIVE:
                    continue
                if self._by_terms(-factor) is Sign.POSITIVE:
                    polynomial *= (-1) ** exponent
                    continue
                polynomial *= factor ** (1 if exponent % 2 else 2)
        return polynomial

    def _combined(self, polynomial: Polynomial) -> Sign | None:
        """As a combination of products, each at least 0: positive if a positive product takes part."""
        hypotheses = self._hypotheses()
        met = _slots(polynomial).union(*(_slots(h) for h, _ in hypotheses))
        wanted = self.field.reduced(polynomial)  # as the products are
        signs = tuple((slot, self._of_a_generator(slot)) for slot in sorted(met))
        texts = (str(wanted), *((str(h), strict) for h, strict in hypotheses))
        return combined(Question((texts, signs, self.field.relations), wanted, hypotheses, signs, self.field))


def _tangent(a: Operation, b: Operation) -> bool:
    """Whether a - 1 - b is u - 1 - log u or exp u - 1 - u: at least 0 where defined, and 0 only at a = 1."""
    return b == Operation("log", (a,)) or a == Operation("exp", (b,))


def _slots(polynomial: Polynomial) -> set[int]:
    return {slot for slot, degree in enumerate(polynomial.degrees()) if degree > 0}


def _product(a: Sign, b: Sign) -> Sign:
    if Sign.ZERO in (a, b):
        return Sign.ZERO
    if not a.at_least_zero:
        return _product(a.mirrored, b).mirrored
    if not b.at_least_zero:
        return _product(a, b.mirrored).mirrored
    return Sign.POSITIVE if a is b is Sign.POSITIVE else Sign.NONNEGATIVE
