"""All that is known at one moment: never changed, only replaced, so that no screen sees half of a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import Standing
from implicitbias.record.ledger import Entry
from implicitbias.record.standings import standings
from implicitbias.report.summary import is_expected, survivors

Key = tuple[str, str]
"""A check: the claim's id and the check's name."""

WORST_FIRST = (
    Standing.BROKEN,
    Standing.REFUTED,
    Standing.UNDECIDED,
    Standing.UNCHECKED,
    Standing.ESTABLISHED,
    Standing.CORRECTED,
)


@dataclass(frozen=True)
class Snapshot:
    """Claims, how they stand, and the last result of each check (without its evidence, which is read when shown).

    recorded  when the last result of a check was recorded
    stale     why `verify` would run a check again; what is not in it is fresh or not yet looked at
    row       the ledger's last row that was taken in
    trouble   why the ledger could not be read, if it could not
    """

    catalogue: Catalogue
    standings: Mapping[str, ClaimStanding]
    results: Mapping[Key, Result] = field(default_factory=dict)
    recorded: Mapping[Key, datetime] = field(default_factory=dict)
    stale: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    row: int = 0
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

    def needs_look(self, claim: Claim) -> bool:
        """Not as the catalogue expects, a control that survives, or a result that is no longer fresh."""
        standing = self.standings[claim.id]
        return not is_expected(standing) or bool(survivors(standing)) or self.is_stale(claim)

    def failed(self) -> tuple[Claim, ...]:
        """The claims that were checked and do not stand as expected."""
        return tuple(
            claim
            for claim in self.claims
            if self.standings[claim.id].results and not is_expected(self.standings[claim.id])
        )

    def rolled_up(self, claims: Sequence[Claim]) -> tuple[Standing, Mapping[Standing, int]]:
        """The worst standing among the claims, and how many have each, what calls for attention first."""
        counts = dict.fromkeys(WORST_FIRST, 0)
        for claim in claims:
            counts[self.standings[claim.id].standing] += 1
        found = {word: count for word, count in counts.items() if count}
        return next(iter(found), Standing.UNCHECKED), found


def of(catalogue: Catalogue) -> Snapshot:
    """Before anything is known of results."""
    return Snapshot(catalogue, standings(catalogue, ()))


def with_entries(before: Snapshot, entries: Iterable[Entry], row: int | None = None) -> Snapshot:
    """The snapshot after these results, and up to which row of the ledger that is."""
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
