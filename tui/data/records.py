"""Reading what is recorded. Each function opens the files, reads, and closes them."""

from __future__ import annotations

from pathlib import Path

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget
from implicitbias.record import shipped
from implicitbias.record.environment import environment
from implicitbias.record.known import Known
from implicitbias.record.ledger import Entry

PATIENCE = 1.0
"""Seconds to wait for a writer; a reader seldom waits, and a failed look is repeated."""


def since(path: Path, row: int) -> tuple[int, tuple[Entry, ...]]:
    """The last result of each check recorded after that row, without evidence. Raises LedgerError."""
    with Known(path, patience=PATIENCE) as known:
        return known.since(row)


def entry(path: Path, claim: str, check: str) -> Entry | None:
    """The last result of a check with all its evidence. Raises LedgerError."""
    with Known(path, patience=PATIENCE) as known:
        return known.latest(claim, check)


def history(path: Path, claim: str, check: str) -> tuple[Entry, ...]:
    """All results of a check, the newest first. Raises LedgerError."""
    with Known(path, patience=PATIENCE) as known:
        return known.history(claim, check)[::-1]


def stale(
    path: Path, catalogue: Catalogue, budget: Budget, seed: int, device: str
) -> dict[tuple[str, str], tuple[str, ...]]:
    """The checks recorded here that `verify` would run again, with the reasons; of those from elsewhere, the ones whose
    sources are others here. Raises LedgerError.
    """
    from implicitbias.record.freshness import freshness
    from implicitbias.record.present import Present

    present = Present(catalogue.folder, environment())
    with Known(path, patience=PATIENCE) as known:
        found = {
            (entry.result.claim, entry.result.check): changes
            for entry in known.elsewhere()
            if (changes := shipped.changes(entry.result, present))
        }
        ran = known.here.checks() if known.here is not None else frozenset()
        for claim in catalogue.claims:
            for check in claim.checks:
                if known.here is not None and (claim.id, check.name) in ran:
                    look = freshness(
                        known.here, catalogue, claim, check, budget=budget, seed=seed, device=device, present=present
                    )
                    if look.fresh is None:
                        found[claim.id, check.name] = look.reasons
    return found
