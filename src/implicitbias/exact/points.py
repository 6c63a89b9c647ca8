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

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Assumption, Expression, Operation

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
    drawn = _drawn(tuple(variables.items()), seed)
    seen: set[tuple[Fraction, ...]] = set()
    points = itertools.chain(map(dict, drawn.zeros_and_ties), _on_borders(variables, formulas, drawn))
    for point in itertools.islice(points, BORDER_POINTS):
        values = tuple(point.values())
        if values not in seen:
            seen.add(values)
            yield point


class _Drawn:
    """What is drawn for some variables, once for all formulas in them: zeros and ties, then points on demand."""

    def __init__(self, variables: Mapping[str, Assumption], seed: int) -> None:
        self._variables, self._generator = variables, random.Random(seed)
        self.zeros_and_ties = tuple(_zeros_and_ties(variables, self._generator))
        self._somewhere: list[Point] = []

    def somewhere(self) -> Iterator[Point]:
        """Points in general position, the same each time."""
        for index in itertools.count():
            if index == len(self._somewhere):
                self._somewhere.append(_somewhere(self._variables, self._generator))
            yield self._somewhere[index]


@lru_cache(maxsize=256)
def _drawn(variables: tuple[tuple[str, Assumption], ...], seed: int) -> _Drawn:
    return _Drawn(dict(variables), seed)


def _somewhere(variables: Mapping[str, Assumption], generator: random.Random) -> Point:
    return {name: _random_value(generator, domain) for name, domain in variables.items()}


def _zeros_and_ties(variables: Mapping[str, Assumption], generator: random.Random) -> Iterator[Point]:
    zero = {name: Fraction(0) for name, domain in variables.items() if allows(domain, Fraction(0))}
    if zero:
        yield {**_somewhere(variables, generator), **zero}
    for name in zero:
        yield {**_somewhere(variables, generator), name: Fraction(0)}
    for one, other in itertools.combinations(variables, 2):
        for sign in (1, -1):
            point = _somewhere(variables, generator)
            point[other] = sign * point[one]
            if allows(variables[other], point[other]):
                yield point


def _on_borders(variables: Mapping[str, Assumption], formulas: Iterable[Operation], drawn: _Drawn) -> Iterator[Point]:
    borders = dict.fromkeys(border for formula in formulas for border in _borders(formula))
    places = itertools.product(borders, variables, range(2))
    for (border, name, _), point in zip(places, drawn.somewhere(), strict=False):
        for root in _rational_roots(border, point, name):
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


def _rational_roots(border: Operation, point: Point, name: str) -> list[Fraction]:
    """The rational zeros in one variable of what is a polynomial of degree two at most in it, at the point."""
    try:
        at = [_at(border, {**point, name: Fraction(v)}) for v in (0, 1, -1, 2)]
        c, b, a = at[0], (at[1] - at[2]) / 2, (at[1] + at[2]) / 2 - at[0]
        if at[3] != 4 * a + 2 * b + c:
            return []
        if a == 0:
            return [-c / b] if b else []
        root = _at(Operation("sqrt", (Operation("", number=b * b - 4 * a * c),)), {})
        return [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    except NoValueError:
        return []


def _at(tree: Operation, point: Point) -> Fraction:
    """The value, where it is rational. Raises NoValueError otherwise."""
    value = evaluate(Expression("", frozenset(point), tree), point)
    if not isinstance(value, Fraction):
        raise NoValueError("not rational")
    return value


def allows(domain: Assumption, value: Fraction) -> bool:
    """Whether the number lies in the domain."""
    if domain.endswith("integer") and value.denominator != 1:
        return False
    if domain in ("positive", "positive integer"):
        return value > 0
    if domain in ("nonnegative", "nonnegative integer"):
        return value >= 0
    return value < 0 if domain == "negative" else True
