"""Points that were not tried: where formulas that agree with all the evidence are told apart.

They are made of the values that the symbols took, of simple values between them, and of a few beyond the ranges; the
conditions of the region hold at all of them, and the claim's formula has a value there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from implicitbias.claims.domain import Condition
from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.floating import Array, Mask, Rows, value
from implicitbias.exact.formula import Expression, Operation
from implicitbias.exact.points import Point
from implicitbias.judging.rivals.demands import as_arrays
from implicitbias.judging.rivals.region import Region, signs

DRAWN = 5000
KEPT = 160
"""The most points that are kept inside the ranges, and half as many outside."""
VALUES = 24
"""The most values of one symbol that are taken from the evidence, the simplest first."""

SHRUNK = (Fraction(1), Fraction(1, 1000))
"""Where a symbol at 0 is moved to: a share of an end of its range, times one of these."""

BETWEEN = [n for n in range(60, 137) if n != 97]
"""A value times one of these 97ths is no simple value any more."""


@dataclass(frozen=True)
class Elsewhere:
    """The points and as arrays.

    inside   which lie in the region that was tried
    general  which are in general position, no real symbol at 0: what differs at others alone differs at isolated values
             of a real symbol
    """

    points: tuple[Point, ...]
    arrays: Mapping[str, Array]
    inside: Mask
    general: Mask


def elsewhere(
    tried: Sequence[Point], region: Region, formula: Operation, domain: Sequence[Condition] = (), seed: int = 0
) -> Elsewhere:
    """Points of the region that were not tried, and points of its kind beyond the ranges, the simplest first.

    domain  what the claim says of its symbols
    The formula has a value at them, of a sign that it had where it was tried.
    """
    symbols = list(region.least)
    if not symbols:
        return _nowhere([])
    generator = np.random.default_rng(seed)
    within = {n: _within(sorted({p[n] for p in tried}, key=simplicity), region, n) for n in symbols}
    beyond = {n: _beyond(region, n) for n in symbols}
    drawn = {tuple(p.values()): (p, general) for p, general in _drawn(tried, region, within, beyond, generator)}
    for known in tried:
        drawn.pop(tuple(known[n] for n in symbols), None)
    found = sorted(drawn.values(), key=lambda drawn: length(drawn[0]))
    ordered = [point for point, _ in found]
    if not ordered:
        return _nowhere(symbols)
    arrays = as_arrays(ordered, symbols)
    with np.errstate(all="ignore"):
        says = np.broadcast_to(np.asarray(value(formula, arrays), float), len(ordered))
        seen = np.atleast_1d(signs(formula, as_arrays(tried, symbols)))
        usable = np.isfinite(says) & np.isin(signs(formula, arrays), seen) & region.plausible(arrays)
        for condition in domain:
            usable &= holds(condition, arrays)
    inside = region.holds(arrays)
    general = np.array([g for _, g in found])
    rows = [
        row
        for chosen, most in ((inside, KEPT), (~inside, KEPT // 2))
        for of_kind in (general, ~general)
        for row in _spread(np.flatnonzero(usable & chosen & of_kind), most // 2)
    ]
    rows.sort()
    kept = tuple(ordered[i] for i in rows)
    return Elsewhere(kept, as_arrays(kept, symbols), inside[rows], general[rows])


def _nowhere(symbols: Sequence[str]) -> Elsewhere:
    return Elsewhere((), as_arrays([], symbols), np.zeros(0, bool), np.zeros(0, bool))


def holds(condition: Condition, arrays: Mapping[str, Array]) -> Mask:
    """Where the condition holds, up to rounding, which is relative to the size of what is compared."""
    found: Mask = np.isin(signs(condition.difference, arrays), [1] if condition.strict else [0, 1])
    return found


def simplicity(number: Fraction) -> int:
    """How long a number is to write: the smaller the simpler.

    >>> [simplicity(Fraction(text)) for text in ("0", "1", "-1", "7", "1/2", "22/7")]
    [0, 1, 2, 7, 3, 34]
    """
    return min(abs(number.numerator) + 2 * (number.denominator - 1), 10**6) + (number < 0)


def length(point: Point) -> int:
    """How long a point is to write."""
    return sum(map(simplicity, point.values()))


def _spread(rows: Rows, most: int) -> list[int]:
    """The first half of them, the simplest, and as many of the rest, evenly."""
    if len(rows) <= most:
        return [int(row) for row in rows]
    rest = rows[most // 2 :]
    places = np.linspace(0, len(rest) - 1, most - most // 2).astype(int)
    return [*(int(row) for row in rows[: most // 2]), *(int(row) for row in rest[places])]


def _within(seen: Sequence[Fraction], region: Region, name: str) -> list[Fraction]:
    least, greatest = region.least[name], region.greatest[name]
    ends = range(ceil(least), min(floor(greatest), ceil(least) + 40) + 1)
    small = [Fraction(n) for n in (*ends, *range(-6, 7)) if least <= n <= greatest]
    if name not in region.whole:
        small += [f for n in range(-5, 6) for d in (2, 3) if least <= (f := Fraction(n, d)) <= greatest]
        small += [least + (greatest - least) * Fraction(k, 7) for k in range(1, 7)]
    kept = list(dict.fromkeys([*seen[:VALUES], *small]))
    return sorted(kept, key=simplicity)


def _beyond(region: Region, name: str) -> list[Fraction]:
    least, greatest = region.least[name], region.greatest[name]
    above = [Fraction(floor(greatest) + k) for k in (1, 2, 3)] + [2 * greatest, 10 * greatest]
    below = [Fraction(ceil(least) - k) for k in (1, 2)] + [2 * least]
    if name not in region.whole:
        below.append(least / 2)
    return [v for v in dict.fromkeys([*above, *below]) if not least <= v <= greatest]


def _drawn(
    tried: Sequence[Point],
    region: Region,
    within: Mapping[str, list[Fraction]],
    beyond: Mapping[str, list[Fraction]],
    generator: np.random.Generator,
) -> Iterator[tuple[Point, bool]]:
    """Points that were tried with some coordinates changed, and whether what is not whole was drawn in between."""
    symbols = list(within)
    for row in range(DRAWN):
        base = tried[int(generator.integers(len(tried)))]
        changed = generator.random(len(symbols)) < (1.0, 0.6, 0.35)[row % 3]
        changed[int(generator.integers(len(symbols)))] = True
        far, between = row % 4 == 0, row % 2 == 0
        point = {name: base[name] for name in symbols}
        for place, name in enumerate(symbols):
            if changed[place]:
                pool = beyond[name] if far and beyond[name] and generator.random() < 0.6 else within[name]
                simple = generator.random() < 0.5
                point[name] = pool[int(generator.integers(min(len(pool), 8) if simple else len(pool)))]
                if between and name not in region.whole:
                    point[name] *= Fraction(int(generator.choice(BETWEEN)), 97)
            if between and name not in region.whole and point[name] == 0:
                point[name] = _beside_zero(region, name, generator)
        if row % 8:
            for tie in region.ties:
                _tie(point, tie.tree)
        yield point, between or region.whole.issuperset(symbols)


def _beside_zero(region: Region, name: str, generator: np.random.Generator) -> Fraction:
    """A value of the symbol's range that is no simple one, of the size of an end or much smaller: a factor leaves 0.

    0 where it was never anything else.
    """
    ends = [end for end in (region.least[name], region.greatest[name]) if end]
    if not ends:
        return Fraction(0)
    share = Fraction(int(generator.choice(BETWEEN)), 2 * 97)  # less than 1
    return ends[int(generator.integers(len(ends)))] * share * SHRUNK[int(generator.integers(len(SHRUNK)))]


def _tie(point: Point, tree: Operation) -> None:
    """Change the first symbol of a form that is linear in it so that the form is 0."""
    first = tree
    while first.arguments and first.head in "+-":
        first = first.arguments[0]
    if first.is_name:
        off = evaluate(Expression("", frozenset(point), tree), point)
        if isinstance(off, Fraction):
            point[first.head] -= off
