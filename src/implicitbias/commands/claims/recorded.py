"""What the ledger holds, and what a given id means, for the commands that run nothing."""

from __future__ import annotations

from pathlib import Path

from implicitbias.claims.statement import Claim
from implicitbias.commands.output import remark
from implicitbias.judging.result import Result


def recorded_results(ledger_file: Path | None, *, evidence: bool = True) -> tuple[Result, ...]:
    """The last result of every check, with or without its evidence; empty if no ledger has been written yet."""
    from implicitbias.record.ledger import Ledger, default_path

    path = ledger_file or default_path()
    if not path.exists():
        return ()
    with Ledger(path, read_only=True) as ledger:
        return ledger.all_latest(evidence=evidence)


def say_if_merged(claim: Claim, given: str) -> None:
    """Tell whoever asked by the id of a merged claim which claim holds it now."""
    if given in claim.formerly:
        remark(f"{given} is now part of {claim.id}")
