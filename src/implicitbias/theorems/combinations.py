"""Combinations, with positive rational coefficients, of products that are at least 0: they show a polynomial's sign.

The combination is found by a linear programme in floats and solved again and checked in fractions, so the programme is
trusted by nobody.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from flint import fmpq, fmpq_mat, fmpq_mpoly_ctx

from implicitbias.theorems.factors import Polynomial
from implicitbias.theorems.normal_form import Field
from implicitbias.theorems.sign import Sign

LARGEST_PROGRAMME = 400
"""The most products that one linear programme combines."""


@dataclass(frozen=True)
class Question:
    """Is the polynomial a combination of products of hypotheses and generators?

    The same is asked in every setting with these hypotheses: the key is all that the answer depends on.
    """

    key: tuple[object, ...]
    wanted: Polynomial = field(compare=False)
    hypotheses: Sequence[tuple[Polynomial, bool]] = field(compare=False)
    signs: Sequence[tuple[int, Sign | None]] = field(compare=False)
    among: Field = field(compare=False)

    def programme(self) -> tuple[Polynomial, list[tuple[Polynomial, bool]]]:
        """What is to be combined, and of what; where no root is met, in polynomials of the generators met alone."""
        slots = [slot for slot, _ in self.signs]
        if self.among.related.intersection(slots):
            generators = [self.among.generator_at(slot) for slot in slots]
            products = _products(self.among.one, self.hypotheses, generators, [sign for _, sign in self.signs])
            reduced = ((self.among.reduced(product), strict) for product, strict in products)
            return self.wanted, list(itertools.islice(reduced, LARGEST_PROGRAMME))
        few = fmpq_mpoly_ctx.get([f"g{i}" for i in range(len(slots))])

        def among_few(polynomial: Polynomial) -> Polynomial:
            return few.from_dict({tuple(e[slot] for slot in slots): c for e, c in polynomial.to_dict().items()})

        hypotheses = [(among_few(h), strict) for h, strict in self.hypotheses]
        products = _products(few.constant(1), hypotheses, few.gens(), [sign for _, sign in self.signs])
        return among_few(self.wanted), list(itertools.islice(products, LARGEST_PROGRAMME))


def _products(
    one: Polynomial,
    hypotheses: Sequence[tuple[Polynomial, bool]],
    generators: Sequence[Polynomial],
    signs: Sequence[Sign | None],
) -> Iterator[tuple[Polynomial, bool]]:
    """Products of up to two of: 1, hypotheses, generators of known sign; squares of the other generators."""
    singles: list[tuple[Polynomial, bool]] = [(one, True), *hypotheses]
    squares = []
    for generator, sign in zip(generators, signs, strict=True):
        if sign is None:
            squares.append(generator)
        elif sign is Sign.NEGATIVE:
            singles.append((-generator, True))
        else:
            singles.append((generator, sign is Sign.POSITIVE))
    for (a, a_strict), (b, b_strict) in itertools.combinations_with_replacement(singles, 2):
        yield a * b, a_strict and b_strict
    for x, y in itertools.combinations_with_replacement(squares, 2):
        if x == y:
            yield x * x, False
        else:
            yield (x - y) ** 2, False
            yield (x + y) ** 2, False


@lru_cache(maxsize=1024)
def combined(question: Question) -> Sign | None:
    """Positive if a positive product takes part, nonnegative if none does, None if there is no combination."""
    wanted, products = question.programme()
    weights = combination(wanted, [p for p, _ in products], [strict for _, strict in products])
    if weights is None:
        return None
    strict = any(w > 0 and s for w, (_, s) in zip(weights, products, strict=True))
    return Sign.POSITIVE if strict else Sign.NONNEGATIVE


def combination(target: Polynomial, products: Sequence[Polynomial], strict: Sequence[bool]) -> list[Fraction] | None:
    """c >= 0 with Σ cᵢ productsᵢ = target, exactly, and a strict product with cᵢ > 0 if there is such a c."""
    numbered: dict[tuple[int, ...], int] = {}  # exponents are long: they are looked up once
    columns, wanted = [_numbered(p, numbered) for p in products], _numbered(target, numbered)
    usable = _taking_part(columns, wanted)
    at_hand = {(row, c > 0) for j in usable for row, c in columns[j].items()}
    if any((row, c > 0) not in at_hand for row, c in wanted.items()):
        return None
    if not usable:
        return [Fraction(0)] * len(products)  # of 0
    met = {row for row, _ in at_hand}
    rows = [row for _, row in sorted(numbered.items()) if row in met]
    from scipy.optimize import linprog

    # the variables are c and t <= 1, t <= Σ of the strict c: the programme stays bounded where 0 is a combination
    matrix = [[_float(columns[j].get(row)) for j in usable] + [0.0] for row in rows]
    right = [_float(wanted.get(row)) for row in rows]
    at_most = [[-1.0 if strict[j] else 0.0 for j in usable] + [1.0]]
    bounds = [(0.0, None)] * len(usable) + [(0.0, 1.0)]
    found = linprog([0.0] * len(usable) + [-1.0], at_most, [0.0], matrix, right, bounds, method="highs-ds")
    if found.x is None:
        return None
    support = [j for j, value in zip(usable, found.x, strict=False) if value > 1e-9]
    strict_sum = sum(value for j, value in zip(usable, found.x, strict=False) if strict[j])
    equations = [[_fmpq(columns[j].get(row)) for j in support] + [_fmpq(wanted.get(row))] for row in rows]
    if abs(strict_sum - 1) < 1e-9:  # then the vertex is determined by this equation too
        equations.append([fmpq(int(strict[j])) for j in support] + [fmpq(1)])
    solved = _solved(equations, len(support))
    if solved is None or any(c < 0 for c in solved):
        return None
    weights = [Fraction(0)] * len(products)
    for j, c in zip(support, solved, strict=True):
        weights[j] = c
    return weights


def _numbered(polynomial: Polynomial, numbers: dict[tuple[int, ...], int]) -> dict[int, fmpq]:
    """The coefficients by the number of their exponents, which is the next one if they have none."""
    return {numbers.setdefault(exponents, len(numbers)): c for exponents, c in polynomial.to_dict().items()}


def _taking_part(columns: Sequence[Mapping[int, fmpq]], wanted: Mapping[int, fmpq]) -> list[int]:
    """The columns that may have a weight: each of their terms is wanted, or another column can cancel it."""
    usable = [j for j, column in enumerate(columns) if column]
    has = {j: frozenset((row, c > 0) for row, c in columns[j].items()) for j in usable}
    needs = {j: frozenset((row, not positive) for row, positive in has[j]) for j in usable}
    of_wanted = {(row, c < 0) for row, c in wanted.items()}
    while True:
        signs = of_wanted.union(*(has[j] for j in usable))
        left = [j for j in usable if needs[j] <= signs]
        if len(left) == len(usable):
            return usable
        usable = left


def _float(coefficient: fmpq | None) -> float:
    return int(coefficient.p) / int(coefficient.q) if coefficient is not None else 0.0


def _fmpq(coefficient: fmpq | None) -> fmpq:
    return coefficient if coefficient is not None else fmpq(0)


def _solved(equations: Sequence[Sequence[fmpq]], unknowns: int) -> list[Fraction] | None:
    """A solution of the linear equations (right-hand side last), free unknowns 0; None if there is none."""
    if not unknowns:
        return [] if all(row[-1] == 0 for row in equations) else None
    echelon, rank = fmpq_mat([list(row) for row in equations]).rref()
    solution = [Fraction(0)] * unknowns
    for i in range(rank):
        pivot = next(j for j in range(unknowns + 1) if echelon[i, j] != 0)
        if pivot == unknowns:
            return None
        solution[pivot] = Fraction(int(echelon[i, unknowns].p), int(echelon[i, unknowns].q))
    return solution
