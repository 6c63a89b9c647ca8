"""Exact points at which two formulas are compared before a computer algebra system is asked.

Simplification is generic: κ²√(1 + t²)/|κ| is not |κ|√(1 + t²) at κ = 0. So beside points in general position there are
zeros, ties, and points on the borders that the formulas draw themselves: where a denominator, a radicand, the argument
of an absolute value, or the difference of two arguments of Max vanishes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpq

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import DOMAINS, Assumption, Expression, Operation
from implicitbias.exact.rational_values import RationalValues

POINTS = 24
"""Number of points in general position."""

BORDER_POINTS = 80
"""Largest number of points on borders."""

Point = dict[str, Fraction]


def sample_points(variables: Mapping[str, Assumption], seed: int = 0, count: int = POINTS) -> Iterator[Point]:
    """Exact points of the domain: small whole numbers first, so that a counterexample is easy to check by hand."""
    generator = random.Random(seed)
    names = list(variables)
    if not names:
        yield {}
        return
    simple = {name: _simple_values(domain) for name, domain in variables.items()}
    for row in range(3):
        yield {name: simple[name][row % len(simple[name])] for name in names}
    for _ in range(count // 3):
        yield {name: generator.choice(simple[name]) for name in names}
    for _ in range(count - count // 3 - 3):
        yield {name: _random_value(generator, domain) for name, domain in variables.items()}


def small_points(variables: Mapping[str, Assumption], count: int, seed: int = 0) -> Iterator[Point]:
    """Exact points of the domain with coordinates below 1 in modulus, where whole numbers are not asked for."""
    generator = random.Random(seed)
    for _ in range(count):
        point = _somewhere(variables, generator)
        for name, domain in variables.items():
            if not domain.endswith("integer"):
                value = Fraction(generator.randint(1, 23), 24)
                negative = domain == "negative" or (domain == "real" and generator.random() < 0.5)
                point[name] = -value if negative else value
        yield point


def _simple_values(domain: Assumption) -> list[Fraction]:
    whole = [1, 2, 3]
    match domain:
        case "positive" | "positive integer":
            values = whole
        case "nonnegative" | "nonnegative integer":
            values = [*whole, 0]
        case "negative":
            values = [-1, -2, -3]
        case _:
            values = [1, -1, 2, 0, -3]
    return [Fraction(v) for v in values]


def _random_value(generator: random.Random, domain: Assumption) -> Fraction:
    if domain.endswith("integer"):
        least = {"integer": -9, "positive integer": 1, "nonnegative integer": 0}[domain]
        return Fraction(generator.randint(least, 9))
    value = Fraction(generator.randint(1, 400), generator.choice([1, 7, 10, 97]))
    return -value if domain == "negative" or (domain == "real" and generator.random() < 0.5) else value


def special_points(
    variables: Mapping[str, Assumption], formulas: Iterable[Operation], seed: int = 0
) -> Iterator[Point]:
    """Exact points of the domain with zeros, with ties, and on the borders that the formulas draw."""
    drawn = iter(_Drawn.of(tuple(variables.items()), seed))
    seen: set[tuple[Fraction, ...]] = set()
    points = itertools.chain(_zeros_and_ties(variables, drawn), _on_borders(variables, formulas, drawn))
    for point in itertools.islice(points, BORDER_POINTS):
        values = tuple(point.values())
        if values not in seen:
            seen.add(values)
            yield point


class _Drawn:
    """Points in general position, drawn once: every formula in the same variables begins with the same ones."""

    def __init__(self, variables: tuple[tuple[str, Assumption], ...], seed: int) -> None:
        self._variables = dict(variables)
        self._generator = random.Random(seed)
        self._points: list[Point] = []

    @staticmethod
    @lru_cache(maxsize=256)
    def of(variables: tuple[tuple[str, Assumption], ...], seed: int) -> _Drawn:
        return _Drawn(variables, seed)

    def __iter__(self) -> Iterator[Point]:
        for i in itertools.count():
            if i == len(self._points):
                self._points.append(_somewhere(self._variables, self._generator))
            yield self._points[i].copy()


def _somewhere(variables: Mapping[str, Assumption], generator: random.Random) -> Point:
    return {name: _random_value(generator, domain) for name, domain in variables.items()}


def _zeros_and_ties(variables: Mapping[str, Assumption], drawn: Iterator[Point]) -> Iterator[Point]:
    zero = {name: Fraction(0) for name, domain in variables.items() if allows(domain, Fraction(0))}
    if zero:
        yield {**next(drawn), **zero}
    for name in zero:
        yield {**next(drawn), name: Fraction(0)}
    for one, other in itertools.combinations(variables, 2):
        for sign in (1, -1):
            point = next(drawn)
            point[other] = sign * point[one]
            if allows(variables[other], point[other]):
                yield point


def _on_borders(
    variables: Mapping[str, Assumption], formulas: Iterable[Operation], drawn: Iterator[Point]
) -> Iterator[Point]:
    borders = dict.fromkeys(border for formula in formulas for border in _borders(formula))
    for border in borders:
        at = _Values(border)
        for name in variables:
            for point in itertools.islice(drawn, 2):
                for root in _rational_roots(at, point, name):
                    if allows(variables[name], root):
                        yield {**point, name: root}


def _borders(node: Operation) -> Iterator[Operation]:
    """What vanishes where a part of the formula is not smooth or has no value."""
    for argument in node.arguments:
        yield from _borders(argument)
    match node.head:
        case "/":
            yield node.arguments[1]
        case "Abs" | "sqrt" | "log" | "sign" | "floor" | "**":
            yield node.arguments[0]
        case "Max" | "Min":
            for pair in itertools.combinations(node.arguments, 2):
                yield Operation("-", pair)


class _Values:
    """The rational values of a formula, in flint's fractions."""

    def __init__(self, tree: Operation) -> None:
        self._tree = tree
        self._rational = RationalValues(tree)

    def __call__(self, point: Point) -> Any:
        """Raises NoValueError where the value is not rational."""
        if (value := self._rational.at(point)) is not None:
            return value
        other = evaluate(Expression("", frozenset(point), self._tree), point)
        if not isinstance(other, Fraction):
            raise NoValueError("not rational")
        return fmpq(other.numerator, other.denominator)


_TRIED = tuple(map(Fraction, (0, 1, -1, 2)))


def _rational_roots(border: _Values, point: Point, name: str) -> list[Fraction]:
    """The rational zeros in one variable of what is a polynomial of degree two at most in it, at the point."""
    try:
        at = [border({**point, name: v}) for v in _TRIED]
    except NoValueError:
        return []
    c, b, a = at[0], (at[1] - at[2]) / 2, (at[1] + at[2]) / 2 - at[0]
    if at[3] != 4 * a + 2 * b + c:
        return []
    if a == 0:
        return [_fraction(-c / b)] if b else []
    discriminant = _fraction(b * b - 4 * a * c)
    try:
        root = _Values(Operation("sqrt", (Operation("", number=discriminant),)))({})
    except NoValueError:
        return []
    return [_fraction((-b + root) / (2 * a)), _fraction((-b - root) / (2 * a))]


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def allows(domain: Assumption, value: Fraction) -> bool:
    """Whether the number lies in the domain.

    Raises ValueError for a domain that does not exist.

    >>> allows("nonnegative", Fraction(0)), allows("positive integer", Fraction(1, 2))
    (True, False)
    """
    if domain not in DOMAINS:
        raise ValueError(f"{domain!r} is no domain of a variable: allowed are {', '.join(DOMAINS)}")
    if domain.endswith("integer") and value.denominator != 1:
        return False
    if domain in ("positive", "positive integer"):
        return value > 0
    if domain in ("nonnegative", "nonnegative integer"):
        return value >= 0
    return value < 0 if domain == "negative" else True
