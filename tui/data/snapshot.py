"""Everything known at one moment: never changed, only replaced, so that no screen sees half of a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import WEAKEST_FIRST, Standing
from implicitbias.record.known import NOTHING_READ
from implicitbias.record.ledger import Entry
from implicitbias.record.shipped import is_from_elsewhere
from implicitbias.record.standings import standings
from implicitbias.report.summary import is_expected, survivors

Key = tuple[str, str]
"""A check: the claim's id and the check's name."""


@dataclass(frozen=True)
class Snapshot:
    """Claims, how they stand, and the last result of each check (without its evidence, which is read when shown).

    recorded  when the last result of a check was recorded
    stale     why `verify` would run a check again; checks not in it are fresh, or not yet examined
    row       the last row of the ledger that is included; before the first look -1
    trouble   why the ledger could not be read, if it could not
    """

    catalogue: Catalogue
    standings: Mapping[str, ClaimStanding]
    results: Mapping[Key, Result] = field(default_factory=dict)
    recorded: Mapping[Key, datetime] = field(default_factory=dict)
    stale: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    row: int = NOTHING_READ
    trouble: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.catalogue.claims

    def standing(self, claim_id: str) -> ClaimStanding:
        return self.standings[claim_id]

    def result(self, claim_id: str, check: str) -> Result | None:
        return self.results.get((claim_id, check))

    def is_stale(self, claim: Claim) -> bool:
        return any((claim.id, check.name) in self.stale for check in claim.checks)

    def is_from_elsewhere(self, claim_id: str, check: str) -> bool:
        """Whether the result of a check came with the package."""
        result = self.result(claim_id, check)
        return result is not None and is_from_elsewhere(result)

    @property
    def elsewhere(self) -> tuple[Key, ...]:
        """The checks whose results came with the package."""
        return tuple(key for key, result in self.results.items() if is_from_elsewhere(result))

    def has_run(self, claim: Claim) -> bool:
        """Whether every check has a result that was made here."""
        return all(
            (claim.id, check.name) in self.results and not self.is_from_elsewhere(claim.id, check.name)
            for check in claim.checks
        )

    def needs_look(self, claim: Claim) -> bool:
        """Whether it does not stand as expected, some control survives, or a result is no longer fresh."""
        standing = self.standings[claim.id]
        return not is_expected(standing) or bool(survivors(standing)) or self.is_stale(claim)

    def failed(self) -> tuple[Claim, ...]:
        """The claims that were checked and do not stand as expected."""
        return tuple(
            claim
            for claim in self.claims
            if self.standings[claim.id].results and not is_expected(self.standings[claim.id])
        )

    def rolled_up(self, claims: Iterable[Claim]) -> dict[Standing, int]:
        """How many of the claims have each standing that occurs, the weakest first."""
        found = [self.standings[claim.id].standing for claim in claims]
        return {word: found.count(word) for word in WEAKEST_FIRST if word in found}

    def with_support(self, claim: Claim) -> tuple[Claim, ...]:
        """The claim with all claims of the catalogue that it rests on, directly or not, in reading order."""
        known, found, open_ = {c.id: c for c in self.claims}, {claim.id}, [claim]
        while open_:
            below = [name for name in open_.pop().rests_on if name in known and name not in found]
            found.update(below)
            open_ += [known[name] for name in below]
        return tuple(c for c in self.claims if c.id in found)

    def took(self, claims: Iterable[Claim]) -> float | None:
        """The seconds that the checks of these claims took when they were last run; None if some have not been."""
        found = [self.result(claim.id, check.name) for claim in claims for check in claim.checks]
        known = [result.seconds for result in found if result is not None]
        return sum(known) if known and len(known) == len(found) else None

    def related(self, claim: Claim) -> tuple[tuple[str, list[str]], ...]:
        """The ids of the claim's headline, its parts, what it rests on, what rests on it, and what it says to see."""
        ids = {other.id for other in self.claims}
        below = [name for name in claim.rests_on if name in ids]
        above = [other.id for other in self.catalogue.resting_on(claim.id)]
        return (
            ("its headline", [claim.part_of] if claim.part_of else []),
            ("its parts", [part.id for part in self.catalogue.parts_of(claim.id)]),
            ("it rests on", below),
            ("rested on by", above),
            ("see also", [name for name in self.catalogue.beside(claim.id) if name in ids - {*below, *above}]),
        )

    def family(self, claim: Claim) -> tuple[Claim, ...]:
        """A headline with its parts; a part alone."""
        return (claim, *self.catalogue.parts_of(claim.id))


def of(catalogue: Catalogue) -> Snapshot:
    """The snapshot before any result is known."""
    return Snapshot(catalogue, standings(catalogue, ()))


def with_entries(before: Snapshot, entries: Iterable[Entry], row: int | None = None) -> Snapshot:
    """The snapshot with these results as well, which reach up to that row of the ledger."""
    news = list(entries)
    if not news:
        return before if row is None else replace(before, row=row)
    keys = {(e.result.claim, e.result.check): e for e in news}
    results = {**before.results, **{key: e.result for key, e in keys.items()}}
    return replace(
        before,
        results=results,
        recorded={**before.recorded, **{key: e.recorded for key, e in keys.items()}},
        stale={key: why for key, why in before.stale.items() if key not in keys},
        standings=standings(before.catalogue, results.values()),
        row=before.row if row is None else row,
        trouble="",
    )
