"""How a claim's symbols varied in its evidence: what it cannot tell because they stood still, or moved together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isfinite, isinf
from typing import Any

from implicitbias.claims.evidence import Evidence
from implicitbias.exact.points import Point
from implicitbias.exact.rational import Interval
from implicitbias.judging.rivals.demands import ROUNDING, Demand, Demands
from implicitbias.judging.tried import Range

FEW = 3
"""Values from which on it is told that a symbol determines another."""


@dataclass(frozen=True)
class SymbolValues:
    """The values of one symbol: its range, how many there were, which signs, whether all were whole."""

    name: str
    range: Range
    distinct: int
    signs: tuple[str, ...]
    whole: bool


@dataclass(frozen=True)
class Variation:
    """How the symbols varied.

    symbols      each with its values
    together     pairs that never varied apart, in words
    never_equal  pairs of which both orders were seen, and never a tie
    one_order    pairs of which one order was seen, in words
    attained     at how many points a bound was met with equality, `of` how many; None where nothing is a bound
    only_where   symbols that stood still wherever the bound was met, with the value
    answers      what was observed in a rule's instances, with the number of times
    """

    symbols: tuple[SymbolValues, ...] = ()
    together: tuple[str, ...] = ()
    never_equal: tuple[str, ...] = ()
    one_order: tuple[str, ...] = ()
    attained: int | None = None
    of: int = 0
    only_where: tuple[str, ...] = ()
    answers: tuple[tuple[str, int], ...] = ()

    @property
    def fixed(self) -> tuple[str, ...]:
        """The symbols that never varied."""
        return tuple(s.name for s in self.symbols if s.distinct == 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "symbols": {
                s.name: {"from": str(s.range.least), "to": str(s.range.greatest), "distinct": s.distinct,
                         "signs": list(s.signs), "whole": s.whole}
                for s in self.symbols
            },
            "fixed": list(self.fixed),
            "together": list(self.together),
            "never_equal": list(self.never_equal),
            "one_order": list(self.one_order),
            "attained": None if self.attained is None else {"met": self.attained, "of": self.of,
                                                             "only_where": list(self.only_where)},
            "answers": dict(self.answers),
        }  # fmt: skip


def variation_of(demands: Demands, says: Sequence[float]) -> Variation:
    """How the symbols varied where the evidence demands something; `says`: the claim's values there."""
    points = [d.given for d in demands.all]
    values = {name: [p[name] for p in points] for name in demands.symbols}
    symbols = tuple(_values(name, seen) for name, seen in values.items() if seen)
    varied = [s.name for s in symbols if s.distinct > 1]
    pairs = list(combinations(varied, 2))
    met, of, only = _attained(demands, says)
    return Variation(
        symbols=symbols,
        together=tuple(_together(pairs, points)),
        never_equal=tuple(f"{a}, {b}" for a, b in pairs if _orders(points, a, b) == {-1, 1}),
        one_order=tuple(_one_order(pairs, points)),
        attained=met,
        of=of,
        only_where=only,
    )


def answers_of(evidence: Sequence[Evidence]) -> Variation:
    """What was observed in a rule's instances, and the numbers that every instance gives."""
    instances = [i for seen in evidence for i in seen.instances]
    shared = [n for n in (instances[0].given if instances else ()) if all(_number(i.given.get(n)) for i in instances)]
    values = {n: [_middle(i.given[n]) for i in instances] for n in shared}
    words = Counter(_short(i.observed) for i in instances)
    return Variation(
        symbols=tuple(_values(name, seen) for name, seen in values.items()), answers=tuple(words.most_common())
    )


def _values(name: str, seen: Sequence[Fraction]) -> SymbolValues:
    signs = [word for word, there in (
        ("negative", any(v < 0 for v in seen)), ("zero", 0 in seen), ("positive", any(v > 0 for v in seen)),
    ) if there]  # fmt: skip
    whole = all(v.denominator == 1 for v in seen)
    return SymbolValues(name, Range(min(seen), max(seen)), len(set(seen)), tuple(signs), whole)


def _together(pairs: Sequence[tuple[str, str]], points: Sequence[Point]) -> Iterator[str]:
    for a, b in pairs:
        seen = {(p[a], p[b]) for p in points}
        firsts, seconds = {x for x, _ in seen}, {y for _, y in seen}
        if len(seen) != len(firsts) or len(seen) != len(seconds) or len(seen) < FEW:
            continue
        if line := _line(sorted(seen)):
            yield f"{b} = {_written(*line, a)}"
        elif len(seen) < len(points) / 2:
            yield f"{a} determines {b}, and {b} determines {a}"


def _line(seen: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction] | None:
    (x0, y0), (x1, y1) = seen[0], seen[-1]
    slope = (y1 - y0) / (x1 - x0)
    start = y0 - slope * x0
    return (slope, start) if all(y == slope * x + start for x, y in seen) else None


def _written(slope: Fraction, start: Fraction, name: str) -> str:
    factor = {1: "", -1: "-"}.get(int(slope)) if slope in (1, -1) else f"{slope}*"
    return f"{factor}{name}" + (f" {'-' if start < 0 else '+'} {abs(start)}" if start else "")


def _orders(points: Sequence[Point], a: str, b: str) -> set[int]:
    return {(p[a] > p[b]) - (p[a] < p[b]) for p in points}


def _one_order(pairs: Sequence[tuple[str, str]], points: Sequence[Point]) -> Iterator[str]:
    words = {frozenset({1}): ">", frozenset({0, 1}): ">=", frozenset({-1}): "<", frozenset({-1, 0}): "<="}
    for a, b in pairs:
        word = words.get(frozenset(_orders(points, a, b)))
        if word:
            yield f"{a} {word} {b}"


def _attained(demands: Demands, says: Sequence[float]) -> tuple[int | None, int, tuple[str, ...]]:
    if demands.relations <= {"="}:
        return None, 0, ()
    met = [d for d, said in zip(demands.all, says, strict=True) if _meets(d, said)]
    varied = [n for n in demands.symbols if len({d.given[n] for d in demands.all}) > 1]
    still = [n for n in varied if len({d.given[n] for d in met}) == 1]
    return len(met), len(demands.all), tuple(f"{n} = {met[0].given[n]}" for n in still)


def _meets(demand: Demand, said: float) -> bool:
    room = ROUNDING * (1 + abs(said))
    ends = [end for end in (demand.least, demand.greatest) if not isinf(end)]
    return isfinite(said) and any(abs(end - said) <= room for end in ends)


def _number(value: object) -> bool:
    return isinstance(value, int | Fraction | Interval) and not isinstance(value, bool)


def _middle(value: Any) -> Fraction:
    return (value.lower + value.upper) / 2 if isinstance(value, Interval) else Fraction(value)


def _short(value: object) -> str:
    from implicitbias.judging.readable import text

    found = text(value)  # type: ignore[arg-type]
    return found if len(found) <= 60 else f"{found[:59]}…"
