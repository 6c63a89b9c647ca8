"""Reading the ledger. Each function opens the file, reads, and closes it."""

from __future__ import annotations

from pathlib import Path

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget
from implicitbias.record.environment import environment
from implicitbias.record.freshness import freshness
from implicitbias.record.ledger import Entry, Ledger
from implicitbias.record.present import Present

PATIENCE = 1.0
"""Seconds to wait for a writer; a reader seldom waits, and a failed look is repeated."""


def since(path: Path, row: int) -> tuple[int, tuple[Entry, ...]]:
    """The last result of each check recorded after that row, without evidence. Raises LedgerError."""
    if not path.exists():
        return 0, ()
    with Ledger(path, read_only=True, patience=PATIENCE) as ledger:
        return ledger.since(row)


def entry(path: Path, claim: str, check: str) -> Entry | None:
    """The last result of a check with all its evidence. Raises LedgerError."""
    if not path.exists():
        return None
    with Ledger(path, read_only=True, patience=PATIENCE) as ledger:
        return ledger.latest(claim, check)


def history(path: Path, claim: str, check: str) -> tuple[Entry, ...]:
    """All results of a check, the newest first. Raises LedgerError."""
    if not path.exists():
        return ()
    with Ledger(path, read_only=True, patience=PATIENCE) as ledger:
        return ledger.history(claim, check)[::-1]


def stale(
    path: Path, catalogue: Catalogue, budget: Budget, seed: int, device: str
) -> dict[tuple[str, str], tuple[str, ...]]:
    """The recorded checks that `verify` would run again, with the reasons. Raises LedgerError."""
    if not path.exists():
        return {}
    found = {}
    present = Present(catalogue.folder, environment())
    with Ledger(path, read_only=True, patience=PATIENCE) as ledger:
        ran = ledger.seconds()
        for claim in catalogue.claims:
            for check in claim.checks:
                if (claim.id, check.name) in ran:
                    look = freshness(
                        ledger, catalogue, claim, check, budget=budget, seed=seed, device=device, present=present
                    )
                    if look.fresh is None:
                        found[claim.id, check.name] = look.reasons
    return found
