"""Rivals: survivors of the search whom the exact judge, on all the evidence, accepts in the claim's place."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.enclosure import Comparison, NoValueError, compare, evaluate
from implicitbias.exact.formula import Expression, Operation, parse, written
from implicitbias.exact.points import Point
from implicitbias.judging.conjecture import judged, together
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.readable import text
from implicitbias.judging.result import Result
from implicitbias.judging.rivals.covered import covered
from implicitbias.judging.rivals.search import EXPRESSIONS, SECONDS, Found, Sort, Survivor, search
from implicitbias.judging.rivals.variation import answers_of
from implicitbias.judging.tried import cases_of
from implicitbias.running.executor import OutOfTimeError, WorkerDiedError, WorkerPool

SHOWN = {"inside": 5, "outside": 3, "looser": 2}
"""The most rivals of each sort that are confirmed, the simplest first."""
BUSY = 20
"""On a busy machine a search may take so many times its CPU time."""
REFUSED = 8
"""Survivors that the judge does not accept before no more of their sort are put before it."""
JUDGING = 20.0
"""Seconds for one judgement by one check."""
LONG = 10**6
"""A number whose numerator or denominator reaches this stays as it was made."""
FLOORS = 3
"""What `floor` and `sign` count more than another operation: who reads on wants the smooth ones first."""


@dataclass(frozen=True)
class Rival:
    """A formula that every check accepts, and the simplest point known where it says something else than the claim.

    outside  what the point has that was not tried, in words; empty for a point inside the region that was tried
    tried    the point was tried: the evidence there leaves room for both
    looser   it follows from the claim, which is judged as a bound
    """

    formula: str
    point: Mapping[str, str]
    claim_says: str
    rival_says: str
    outside: tuple[str, ...] = ()
    tried: bool = False
    looser: bool = False


@dataclass(frozen=True)
class Rivals:
    """What a search in a claim's evidence came to: `found` in floating point, `rivals` confirmed exactly.

    undecided  survivors that the judge neither accepted nor rejected
    unasked    survivors inside the region that it was not asked about, after many that it did not accept
    """

    found: Found
    rivals: tuple[Rival, ...] = ()
    undecided: int = 0
    rejected: int = 0
    unasked: int = 0
    seconds: float = 0.0
    trouble: str = ""

    @property
    def inside(self) -> tuple[Rival, ...]:
        return tuple(r for r in self.rivals if not r.outside and not r.looser)

    @property
    def outside(self) -> tuple[Rival, ...]:
        return tuple(r for r in self.rivals if r.outside and not r.looser)

    @property
    def looser(self) -> tuple[Rival, ...]:
        return tuple(r for r in self.rivals if r.looser)


def rivals_of(
    results: Sequence[Result],
    formula: str,
    symbols: Sequence[str],
    pool: WorkerPool,
    expressions: int = EXPRESSIONS,
    seconds: float = SECONDS,
    domain: Sequence[str] = (),
) -> Rivals:
    """Search in a worker of the pool for `seconds` of CPU time at most, then ask the judge for about as long.

    Raises FormulaError for a formula outside the language.
    """
    began = time.perf_counter()
    evidence = [r.evidence for r in results if all(p.holds for p in r.evidence.premises)]
    try:
        given = (evidence, formula, tuple(symbols), expressions, seconds, tuple(domain))
        found = pool.submit_within(BUSY * seconds, search, *given)
        survivors = found.result()
    except (OutOfTimeError, WorkerDiedError, CancelledError) as error:
        return Rivals(Found(Sort.EQUALITY), seconds=time.perf_counter() - began, trouble=str(error))
    asked = _Asked(results, formula, tuple(symbols), pool, survivors, time.perf_counter() + BUSY * seconds / 4)
    rivals = tuple(asked.confirmed())
    return Rivals(
        found=survivors,
        rivals=rivals,
        undecided=asked.undecided,
        rejected=asked.rejected,
        unasked=asked.unasked,
        seconds=time.perf_counter() - began,
        trouble=survivors.trouble,
    )


def variation_alone(results: Sequence[Result]) -> Rivals:
    """For a rule, which no formula can rival: the values that were given and the answers that were observed."""
    evidence = [r.evidence for r in results]
    trouble = "a rule is judged: there are no formulas to search among"
    return Rivals(Found(Sort.EQUALITY, variation=answers_of(evidence)), trouble=trouble)


def folded(tree: Operation) -> Operation:
    """The same formula, what is constant and rational written as a number, a + -b as a - b.

    >>> written(folded(parse("n*2**3 + -(n - 1/2)").tree))
    'n*8 - (n - (1/2))'
    """
    if not tree.arguments:
        return tree
    arguments = tuple(map(folded, tree.arguments))
    found = Operation(tree.head, arguments)
    if all(a.number is not None for a in arguments):
        with contextlib.suppress(NoValueError):
            number = evaluate(Expression("", frozenset(), found), {})
            if isinstance(number, Fraction) and abs(number.numerator) < LONG and number.denominator < LONG:
                return Operation("number", number=number)
    if tree.head in ("+", "-") and arguments[1].head == "neg":
        return Operation("-" if tree.head == "+" else "+", (arguments[0], *arguments[1].arguments))
    return found


def cost(tree: Operation) -> int:
    """How hard a formula is to read."""
    own = FLOORS if tree.head in ("floor", "sign") else 1
    return own + sum(map(cost, tree.arguments))


class _Asked:
    """The judge is asked about the survivors, the simplest first."""

    def __init__(
        self,
        results: Sequence[Result],
        formula: str,
        symbols: tuple[str, ...],
        pool: WorkerPool,
        found: Found,
        until: float,
    ) -> None:
        self.results = sorted(results, key=lambda r: bool(cases_of(r.evidence)))  # proofs last: they take long
        self.formula, self.symbols, self.pool, self.found, self.until = formula, symbols, pool, found, until
        self.evidence = [r.evidence for r in results]
        self.undecided = self.rejected = self.unasked = 0

    def confirmed(self) -> Iterator[Rival]:
        kinds: dict[str, list[Survivor]] = {"inside": [], "outside": [], "looser": []}
        for survivor in self.found.survivors:
            kinds["looser" if survivor.looser else "inside" if survivor.inside else "outside"].append(survivor)
        for kind, survivors in kinds.items():
            survivors.sort(key=lambda s: (cost(folded(s.tree)), written(s.tree)))
            left, refused = SHOWN[kind], 0
            for place, survivor in enumerate(survivors):
                if not left or refused == REFUSED or time.perf_counter() > self.until:
                    self.unasked += len(survivors) - place if left and kind == "inside" else 0
                    break
                asked = self.undecided + self.rejected
                rival = self._rival(survivor)
                refused += self.undecided + self.rejected - asked
                if rival is not None:
                    left -= 1
                    yield rival

    def _rival(self, survivor: Survivor) -> Rival | None:
        formula = written(folded(survivor.tree))
        if not survivor.looser and any(covered(self.evidence, point) for point in survivor.parts):
            return None  # a proof gives the value there
        parts = next(filter(None, (self._parting(formula, point) for point in survivor.parts)), None)
        tried = parts is not None and parts[0] in survivor.parts[: survivor.tried]
        if parts is None and not survivor.looser:
            return None
        outcome = self._judged(formula)
        self.undecided += outcome is Outcome.UNDECIDED
        self.rejected += outcome is Outcome.REJECTED
        if outcome is not Outcome.ACCEPTED:
            return None
        point, claim_says, rival_says = parts or ({}, "", "")
        why = self.found.region.why_outside(point) if self.found.region and point and not survivor.inside else ()
        said = {name: text(number) for name, number in point.items()}
        return Rival(formula, said, claim_says, rival_says, why, tried, survivor.looser)

    def _parting(self, formula: str, point: Point) -> tuple[Point, str, str] | None:
        """The exact values of claim and rival at the point, if they are proved to differ."""
        try:
            claim, rival = (evaluate(parse(f, self.symbols), point) for f in (self.formula, formula))
        except NoValueError:
            return None
        if compare(claim, rival) not in (Comparison.LESS, Comparison.GREATER):
            return None
        return point, text(claim), text(rival)

    def _judged(self, formula: str) -> Outcome:
        outcomes = []
        for _, judgement in judged(self.results, formula, self.symbols, self.pool, JUDGING):
            if judgement.outcome is Outcome.REJECTED:
                return Outcome.REJECTED
            outcomes.append(judgement)
        return together(outcomes)
