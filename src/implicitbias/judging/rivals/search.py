"""The search for rivals: formulas that meet every demand of the evidence and part from the claim's elsewhere.

Three sources, each evaluated in floating point at a few points that were tried and a few that were not: the claimed
formula with two places changed, expressions in growing size, and these in the places of the claimed formula's parts.
Nothing here is a proof; the exact judge has the last word (`implicitbias.judging.rivals.confirmed`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import numpy as np

from implicitbias.claims.domain import condition
from implicitbias.claims.evidence import Evidence, Relation
from implicitbias.exact.floating import Array, Mask, Rows, value
from implicitbias.exact.formula import Operation, parse, substituted
from implicitbias.exact.points import Point
from implicitbias.judging.rivals.bank import BLOCK, LARGEST, Bank, constants_of, keys, leaves
from implicitbias.judging.rivals.demands import ROUNDING, Demand, Demands, demands_of
from implicitbias.judging.rivals.edits import HOLES, INSERTED, Place, pairs, places, replaced, small_edits
from implicitbias.judging.rivals.elsewhere import Elsewhere, elsewhere, length
from implicitbias.judging.rivals.joins import joined
from implicitbias.judging.rivals.region import Region, region_of
from implicitbias.judging.rivals.told import UntoldError, meets, told, with_room
from implicitbias.judging.rivals.variation import Variation, variation_of

EXPRESSIONS = 300_000
SECONDS = 20.0
PROBED = 48
"""Points that were tried at which every expression is evaluated; the few that pass are evaluated at all."""
TOLD_APART = 48
"""Points that were not tried at which expressions are told apart."""
BANKED = 40_000
"""Expressions that are kept as parts of larger ones."""
PUT_IN = 3000
"""Expressions that are put in the place of each part of the claim's formula."""
KEPT = 400
"""The most survivors that are kept of each sort, the first found."""
POINTS = 8
"""The most points, the simplest first, that are kept of those where a survivor parts from the claim."""
DIFFERENT = 1e-6
"""Formulas differ at a point if their values do by this, relative to their size."""


class Sort(StrEnum):
    """What a formula claims: a value, or a bound of what was observed."""

    EQUALITY = "equality"
    UPPER = "upper bound"
    LOWER = "lower bound"


@dataclass(frozen=True)
class Survivor:
    """A formula that no demand excludes.

    parts     points where it parts from the claim's formula, the simplest first, those that were tried before others
    inside    some of them lie in the region that was tried
    looser    it never says more than the claim, which is a bound: it follows from it
    tried     so many of the points were tried: a bound or an enclosure leaves room there
    """

    tree: Operation
    parts: tuple[Point, ...]
    inside: bool
    looser: bool = False
    tried: int = 0


@dataclass(frozen=True)
class Found:
    """What a search has found.

    sort       what the claim's formula is judged as
    evaluated  how many expressions were evaluated, `distinct` how many of those built from below differ
    inside, outside, looser   how many survivors of each sort
    survivors  of each sort the first ones
    variation  how the symbols varied
    factors    the formula times anything between these meets the demands too, in floating point
    trouble    why nothing was searched
    """

    sort: Sort
    region: Region | None = None
    evaluated: int = 0
    distinct: int = 0
    inside: int = 0
    outside: int = 0
    looser: int = 0
    survivors: tuple[Survivor, ...] = ()
    variation: Variation = field(default_factory=Variation)
    factors: tuple[float, float] = (1.0, 1.0)
    seconds: float = 0.0
    trouble: str = ""


def sort_of(relations: frozenset[Relation]) -> Sort:
    """An upper bound where what was observed is at most the formula, somewhere strictly; and so on."""
    if "<=" in relations and ">=" not in relations:
        return Sort.UPPER
    return Sort.LOWER if ">=" in relations and "<=" not in relations else Sort.EQUALITY


def search(
    evidence: Sequence[Evidence],
    formula: str,
    symbols: Sequence[str],
    expressions: int = EXPRESSIONS,
    seconds: float = SECONDS,
    domain: Sequence[str] = (),
) -> Found:
    """What this evidence would accept instead of the formula.

    expressions  the number to evaluate at least, unless there are fewer or the time is up
    seconds      of its own CPU time after which the search ends, whatever it has found
    domain       conditions on the symbols: what breaks them is no point where a formula could part from the claim's
    Raises FormulaError for a formula outside the language.
    """
    began = time.process_time()
    demands = demands_of(evidence, symbols)
    sort = sort_of(demands.relations)
    tree = parse(formula, symbols).tree
    names = {name for _, part in places(tree) if part.is_name for name in [part.head]}
    if not demands.all:
        return Found(sort, trouble="the evidence gives no numbers that a formula could be held against")
    if missing := sorted(names & set(symbols) - set(demands.symbols)):
        return Found(sort, trouble=f"the evidence gives no number for {', '.join(missing)}")
    says = _said(tree, demands)
    variation = variation_of(demands, says.tolist())
    conditions = [condition(text, demands.symbols) for text in domain]
    try:
        demands, exact = told(demands, tree, says, conditions)
    except UntoldError as error:
        return Found(sort, variation=variation, trouble=str(error))
    arrays, says = demands.points, _said(tree, demands)
    least, greatest = with_room(demands, says)
    region = region_of([d.given for d in demands.all], arrays, [d.given for d in demands.all if not d.proved])
    beyond = elsewhere([d.given for d in demands.all], region, tree, conditions)
    hunt = _Hunt(tree, sort, demands, exact, arrays, least, greatest, says, beyond, began + seconds)
    hunt.run(expressions)
    return Found(
        sort=sort,
        region=region,
        variation=variation,
        factors=_factors(says, least, greatest),
        evaluated=hunt.evaluated,
        distinct=hunt.bank.distinct if hunt.bank else 0,
        inside=hunt.counts["inside"],
        outside=hunt.counts["outside"],
        looser=hunt.counts["looser"],
        survivors=tuple(hunt.survivors()),
        seconds=time.process_time() - began,
    )


def _said(tree: Operation, demands: Demands) -> Array:
    """What the formula says at the points of the demands."""
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(value(tree, demands.points), float), (len(demands.all),))


def _factors(says: Array, least: Array, greatest: Array) -> tuple[float, float]:
    """The formula times c meets every demand for c between these; 1 and 1 where rounding leaves nothing between."""
    with np.errstate(all="ignore"):
        ends = np.stack([least / says, greatest / says])
    ends = ends[:, says != 0]
    low, high = float(ends.min(axis=0).max(initial=0.0)), float(ends.max(axis=0).min(initial=np.inf))
    return (low if low < 1 - 2 * ROUNDING else 1.0), (high if high > 1 + 2 * ROUNDING else 1.0)


class _Hunt:
    """One search: candidates come in blocks of values at the places, those that pass are kept."""

    def __init__(
        self,
        tree: Operation,
        sort: Sort,
        demands: Demands,
        exact: Sequence[Demand],
        arrays: Mapping[str, Array],
        least: Array,
        greatest: Array,
        says: Array,
        beyond: Elsewhere,
        until: float,
    ) -> None:
        self.tree, self.sort, self.beyond, self.until = tree, sort, beyond, until
        self.demands, self.arrays, self.least, self.greatest = demands, arrays, least, greatest
        self.exact = exact
        self.probe = _probe(least, greatest, says)
        inside, outside = (np.flatnonzero(beyond.general & kind) for kind in (beyond.inside, ~beyond.inside))
        told = [*_some(inside, TOLD_APART * 2 // 3), *_some(outside, TOLD_APART // 3)]
        self.told = np.array(told, int)
        self.tried = len(self.probe)
        self.places = {
            name: np.concatenate([arrays[name][self.probe], beyond.arrays[name][self.told]]) for name in arrays
        }
        self.width = self.tried + len(self.told)
        self.says = self._at(tree, self.places, self.width)
        self.says_tried = says
        self.says_beyond = self._at(tree, beyond.arrays, len(beyond.points))
        self.evaluated = 0
        self.bank: Bank | None = None
        self.seen: set[int] = {int(keys(self.says[None, :])[0])}
        self.kept: dict[str, list[Operation]] = {"inside": [], "outside": [], "looser": []}
        self.counts = dict.fromkeys(self.kept, 0)

    def run(self, expressions: int) -> None:
        """All sources in turn, each with its share of the expressions."""
        if not self.arrays:
            return
        parts = _numbers_and_names(self.tree)
        bank = Bank(leaves(self.places, parts, self.width), self.tried, BANKED)
        self.bank = bank
        for row in range(len(bank)):
            self._consider(bank.tree(row))
        for _ in range(3):
            self._grow(bank, expressions)
        self._edited(expressions // 3)
        while not self._over and bank.evaluated < expressions // 3 and not bank.is_full:
            before = len(bank)
            self._grow(bank, expressions)
            if len(bank) == before:
                break
        self._put_in(bank, expressions - self.evaluated - bank.evaluated)
        for tree in joined(bank, self.says[: self.tried], self.sort_is_equality, self.until):
            self._consider(tree)
        self.evaluated += bank.evaluated

    @property
    def sort_is_equality(self) -> bool:
        return self.sort is Sort.EQUALITY

    @property
    def _over(self) -> bool:
        return time.process_time() > self.until

    def _grow(self, bank: Bank, expressions: int) -> None:
        for grown in bank.grow():
            self._take(grown.values, partial(bank.grown_tree, grown))
            if self._over or bank.evaluated > expressions:
                return

    def _edited(self, most: int) -> None:
        """The formula with one place changed a little, then two."""
        edits = small_edits(self.tree, list(self.arrays))
        for edit in edits:
            self._consider(replaced(self.tree, edit.place, edit.part))
        self.evaluated += len(edits)
        for one, first, other, second in pairs(edits):
            self._two(one, first, other, second)
            if self._over or self.evaluated > most:
                return

    def _two(self, one: Place, first: Sequence[Operation], other: Place, second: Sequence[Operation]) -> None:
        context = replaced(replaced(self.tree, one, Operation(HOLES[0])), other, Operation(HOLES[1]))
        rows, columns = self._stack(first), self._stack(second)
        step = max(1, BLOCK // len(second))
        for start in range(0, len(first), step):
            block = rows[start : start + step]
            arrays = {**self.places, HOLES[0]: block[:, None, :], HOLES[1]: columns[None, :, :]}
            values = self._values(context, arrays, (len(block), len(columns), self.width)).reshape(-1, self.width)
            self.evaluated += len(values)

            def made(row: int, start: int = start) -> Operation:
                i, j = divmod(row, len(second))
                return replaced(replaced(self.tree, one, first[start + i]), other, second[j])

            self._take(values, made)

    def _put_in(self, bank: Bank, most: int) -> None:
        """Expressions in the place of each part of the formula, and joined to it by an operation."""
        count = min(len(bank), PUT_IN)
        values = bank.values[:count]
        begun = self.evaluated
        for place, part in places(self.tree):
            context = replaced(self.tree, place, Operation(HOLES[0]))
            hole = Operation(HOLES[1])
            for form in (hole, *(Operation(head, (part, hole)) for head in INSERTED)):
                there = replaced(context, place, form)
                found = self._values(there, {**self.places, HOLES[1]: values}, (count, self.width))
                self.evaluated += count
                self._take(found, partial(_filled, there, bank))
                if self._over or self.evaluated - begun > most:
                    return

    def _consider(self, tree: Operation) -> None:
        self._take(self._at(tree, self.places, self.width)[None, :], lambda _: tree)

    def _take(self, values: Array, made: Callable[[int], Operation]) -> None:
        """Keep of these candidates those that meet the demands and part from the claim, until there are enough."""
        tried = values[:, : self.tried]
        rows = np.flatnonzero(((tried >= self.least[self.probe]) & (tried <= self.greatest[self.probe])).all(axis=1))
        if not len(rows):
            return
        values = values[rows]
        for row, key, kind in zip(rows.tolist(), keys(values).tolist(), self._kinds(values), strict=True):
            if key in self.seen:
                continue
            self.seen.add(key)
            if not kind:
                continue
            if len(self.kept[kind]) < KEPT:
                tree = made(row)
                if not self._meets_all(tree):
                    continue
                self.kept[kind].append(tree)
            self.counts[kind] += 1

    def _meets_all(self, tree: Operation) -> bool:
        """Whether it meets the demand at every point, not only at those of the probe."""
        values = self._at(tree, self.arrays, len(self.least))
        fits = bool(((values >= self.least) & (values <= self.greatest)).all())
        return fits and all(meets(demand, tree) for demand in self.exact)

    def _kinds(self, values: Array) -> Iterator[str]:
        """Whether each candidate parts inside, outside, or is looser than the claim; empty where they agree."""
        stronger, differs = _differences(self.sort, values, self.says)
        inside = np.concatenate([np.ones(self.tried, bool), self.beyond.inside[self.told]])
        for row in range(len(values)):
            if (stronger[row] & inside).any():
                yield "inside"
            elif stronger[row].any():
                yield "outside"
            else:
                yield "looser" if differs[row].any() else ""

    def survivors(self) -> Iterator[Survivor]:
        """The kept candidates, with the points where they part."""
        for kind, trees in self.kept.items():
            for tree in trees:
                values = self._at(tree, self.arrays, len(self.least))
                known = _differences(self.sort, values, self.says_tried)
                there = self._at(tree, self.beyond.arrays, len(self.beyond.points))
                unknown = _differences(self.sort, there, self.says_beyond)
                yield self._survivor(tree, kind, known[kind == "looser"], unknown[kind == "looser"])

    def _survivor(self, tree: Operation, kind: str, known: Mask, unknown: Mask) -> Survivor:
        """`known` and `unknown`: where it parts among the points that were tried, and among those that were not."""
        beyond = self.beyond
        tried = sorted((self.demands.all[i].given for i in np.flatnonzero(known)), key=length)
        inside = bool(tried) or bool((unknown & beyond.inside & beyond.general).any())
        new = np.flatnonzero(unknown & beyond.inside if inside else unknown)
        parts = (*tried[:POINTS], *(beyond.points[i] for i in new[:POINTS]))
        return Survivor(tree, parts, inside, kind == "looser", tried=len(tried[:POINTS]))

    def _stack(self, parts: Sequence[Operation]) -> Array:
        return np.stack([self._at(part, self.places, self.width) for part in parts])

    def _at(self, tree: Operation, arrays: Mapping[str, Array], count: int) -> Array:
        return self._values(tree, arrays, (count,))

    def _values(self, tree: Operation, arrays: Mapping[str, Array], shape: tuple[int, ...]) -> Array:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(value(tree, arrays), float), shape)


def _differences(sort: Sort, values: Array, says: Array) -> tuple[Mask, Mask]:
    """Where a candidate says what does not follow from the claim, and where it says anything else."""
    with np.errstate(all="ignore"):
        gap = (values - says) / (1 + np.abs(says))
    differs = np.isfinite(gap) & (np.abs(gap) > DIFFERENT)
    stronger = {Sort.EQUALITY: differs, Sort.UPPER: differs & (gap < 0), Sort.LOWER: differs & (gap > 0)}[sort]
    return stronger, differs


def _probe(least: Array, greatest: Array, says: Array) -> Rows:
    """The points where the demands leave the claim's formula the least room, and some of the rest."""
    with np.errstate(all="ignore"):
        room = np.minimum(says - least, greatest - says) / (1 + np.abs(says))
    ordered = np.argsort(room, kind="stable")
    if len(ordered) <= PROBED:
        return ordered
    rest = ordered[PROBED // 2 :]
    return np.concatenate([ordered[: PROBED // 2], rest[np.linspace(0, len(rest) - 1, PROBED // 2).astype(int)]])


def _some(rows: Rows, most: int) -> list[int]:
    return [int(rows[i]) for i in np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int)] if len(rows) else []


def _numbers_and_names(tree: Operation) -> list[Operation]:
    return [c for c in constants_of(tree) if c.number is None or abs(c.number) < LARGEST]


def _filled(tree: Operation, bank: Bank, row: int) -> Operation:
    """The formula with an expression of the bank in the place of the second hole."""
    return substituted(tree, {HOLES[1]: bank.tree(row)})
