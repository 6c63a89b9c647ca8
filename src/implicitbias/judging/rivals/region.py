"""The region that was tried: the range of each symbol, its signs, and the orders in which the symbols stood.

A point inside it is of a kind that the evidence has seen, as far as one, two and three symbols tell. Conditions of two
symbols are taken as they were seen. A relation of three, or a square, counts only if that it was never broken is no
accident: symbols that were independent, with the values seen, would have broken it with a chance of `SURE` or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np

from implicitbias.exact.floating import Array, Mask, value
from implicitbias.exact.formula import Operation, parse
from implicitbias.judging.rivals.demands import ROUNDING
from implicitbias.judging.tried import Range

SURE = 0.999
DRAWN = 2000
"""Points with the coordinates of different points, to see how often independent symbols break a relation."""


@dataclass(frozen=True)
class Condition:
    """The signs (-1, 0, 1) that a formula had at all points that were tried."""

    text: str
    tree: Operation
    signs: frozenset[int]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_names(self.tree)))

    def holds(self, points: Mapping[str, Array]) -> Mask:
        return np.isin(signs(self.tree, points), list(self.signs))

    def __str__(self) -> str:
        means = {
            frozenset({1}): "> 0", frozenset({0, 1}): ">= 0", frozenset({0}): "= 0",
            frozenset({-1}): "< 0", frozenset({-1, 0}): "<= 0", frozenset({-1, 1}): "is not 0",
        }  # fmt: skip
        return f"{self.text} {means[self.signs]}"


@dataclass(frozen=True)
class Region:
    """What was tried, as a region of the symbols' values.

    least, greatest  of each symbol
    whole            the symbols that took whole values only
    cases_only       only cases of a proof were tried: nothing is inside but these, where the proof gives the value
    conditions       the signs of symbols, of their sums and differences, and of a few forms of three
    """

    least: Mapping[str, Fraction]
    greatest: Mapping[str, Fraction]
    whole: frozenset[str]
    conditions: tuple[Condition, ...]
    cases_only: bool = False

    @property
    def ties(self) -> tuple[Condition, ...]:
        """What was 0 throughout: two symbols that never varied apart. It may be a hypothesis or an oversight."""
        return tuple(c for c in self.conditions if c.signs == {0} and len(c.names) > 1)

    def plausible(self, points: Mapping[str, Array]) -> Mask:
        """Where every condition but the ties holds, whatever the ranges: what may be taken for the claim's domain."""
        held = np.ones(len(next(iter(points.values()))), bool)
        for condition in self.conditions:
            if condition.signs != {0}:
                held &= condition.holds(points)
        return held

    def holds(self, points: Mapping[str, Array]) -> Mask:
        """Where every symbol lies in its range and no tie is broken."""
        held = np.full(len(next(iter(points.values()))), not self.cases_only)
        for name in self.least:
            held &= (points[name] >= float(self.least[name])) & (points[name] <= float(self.greatest[name]))
        for tie in self.ties:
            held &= tie.holds(points)
        return held

    def why_outside(self, point: Mapping[str, Fraction]) -> tuple[str, ...]:
        """What the point has that was not tried, in words; empty inside."""
        found = [
            f"{n} {Range(self.least[n], self.greatest[n])}"
            for n in self.least
            if not self.least[n] <= point[n] <= self.greatest[n]
        ]
        at = {name: np.array([float(number)]) for name, number in point.items()}
        found += [str(tie) for tie in self.ties if not tie.holds(at)[0]]
        return tuple(found) or ("the cases of the proof",) * self.cases_only


def region_of(
    tried: Sequence[Mapping[str, Fraction]], arrays: Mapping[str, Array], ranged: Sequence[Mapping[str, Fraction]]
) -> Region:
    """The region of these points.

    tried   all points, which say what may be taken for the domain; `arrays` holds them as floats
    ranged  the points from which the ranges are taken: the instances, if there are any
    """
    ends = ranged or tried
    symbols = list(arrays)
    whole = frozenset(n for n in symbols if all(p[n].denominator == 1 for p in tried))
    return Region(
        least={n: min(p[n] for p in ends) for n in symbols},
        greatest={n: max(p[n] for p in ends) for n in symbols},
        whole=whole,
        conditions=tuple(_conditions(arrays)),
        cases_only=not ranged,
    )


def signs(tree: Operation, points: Mapping[str, Array]) -> Array:
    """The sign of the formula at each point, 0 where it is so small that rounding may have made it.

    Rounding is relative to what was added up, not to what is left of it: a - b is 0 where it is small beside |a| + |b|,
    however large or small they are, and a symbol by itself has the sign of its value.

    >>> small, large = np.array([1e-12, 2e-12]), np.array([1e12, 1e12 + 1e-4])
    >>> difference = parse("a - b", ["a", "b"]).tree
    >>> [signs(difference, {"a": a, "b": b}).tolist() for a, b in (small, large)]
    [-1.0, 0.0]
    """
    values = np.asarray(value(tree, points), float)
    found: Array = np.sign(np.where(np.abs(values) <= ROUNDING * size(tree, points), 0.0, values))
    return found


def size(tree: Operation, points: Mapping[str, Array]) -> Array:
    """What the rounding error of the formula is relative to: its value, were all that it adds up positive."""
    parts = [size(part, points) for part in tree.arguments]
    match tree.head, parts:
        case "+" | "-", [one, other]:
            return one + other
        case "*", [one, other]:
            return one * other
        case "neg" | "Abs", [one]:
            return one
        case "Max" | "Min", [one, *others]:
            for other in others:
                one = np.maximum(one, other)
            return one
    found: Array = np.abs(np.asarray(value(tree, points), float))
    return found


def _conditions(arrays: Mapping[str, Array]) -> Iterator[Condition]:
    symbols = list(arrays)
    for text in [*symbols, *(f"{a} - {b}" for a, b in combinations(symbols, 2))]:
        yield from _seen(text, arrays)
    for a, b in combinations(symbols, 2):
        if _is_mixed(arrays[a]) or _is_mixed(arrays[b]):
            yield from _seen(f"{a} + {b}", arrays)
    generator = np.random.default_rng(0)
    count = len(arrays[symbols[0]]) if symbols else 0
    mixed = {n: found[generator.integers(0, count, DRAWN)] for n, found in arrays.items()}
    for text in _forms(symbols):
        yield from _sure(text, arrays, mixed)


def _is_mixed(values: Array) -> bool:
    return bool(values.min() < 0 < values.max())


def _seen(text: str, arrays: Mapping[str, Array]) -> Iterator[Condition]:
    tree = parse(text, arrays).tree
    found = frozenset(int(s) for s in np.unique(signs(tree, arrays)))
    if len(found) < 3:
        yield Condition(text, tree, found)


def _forms(symbols: Sequence[str]) -> Iterator[str]:
    """What hypotheses are made of: the triangle, products, squares."""
    for a, b in permutations(symbols, 2):
        yield f"{a}**2 - {b}"
    for c in symbols:
        for a, b in combinations([s for s in symbols if s != c], 2):
            yield f"{c} - Abs({a} - {b})"
            yield f"{c} - Abs({a} + {b})"
            yield f"{c} - {a} - {b}"
            yield f"{c} - {a} + {b}"
            yield f"{c} - {a}*{b}"
            yield f"{c}**2 - {a}*{b}"


def _sure(text: str, arrays: Mapping[str, Array], mixed: Mapping[str, Array]) -> Iterator[Condition]:
    for found in _seen(text, arrays):
        found = Condition(found.text, found.tree, found.signs | {0} if 0 not in found.signs else found.signs)
        if len(found.signs) == 3:
            continue
        distinct = len(np.unique(np.stack([arrays[n] for n in found.names]), axis=1).T)
        broken = 1 - found.holds(mixed).mean()
        if (1 - broken) ** distinct <= 1 - SURE:
            yield found


def _names(tree: Operation) -> Iterator[str]:
    if tree.is_name:
        yield tree.head
    for part in tree.arguments:
        yield from _names(part)
