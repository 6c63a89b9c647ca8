"""What the ledger holds, and what a given id means, for the commands that run nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from implicitbias.claims.statement import Claim
from implicitbias.commands.output import remark
from implicitbias.judging.result import Result

if TYPE_CHECKING:
    from implicitbias.record.rows import Entry


def recorded_results(ledger_file: Path | None, *, evidence: bool = True, of: Claim | None = None) -> tuple[Result, ...]:
    """The last result of every check, with or without its evidence; `of`: the evidence of this claim alone.

    A remark says how many of them came with the package, for want of any recorded here.
    """
    from implicitbias.record.known import Known

    with Known(ledger_file) as known:
        _, entries = known.since(evidence=evidence and of is None)
        if of is not None:
            found = [known.latest(of.id, check.name) for check in of.checks]
            others = [entry for entry in entries if entry.result.claim != of.id]
            entries = (*others, *(entry for entry in found if entry is not None))
    say_what_is_from_elsewhere(entries)
    return tuple(entry.result for entry in entries)


def say_what_is_from_elsewhere(entries: Sequence[Entry]) -> None:
    """Tell how many of these results came with the package, when and with what they were made."""
    from implicitbias.record.shipped import is_from_elsewhere, told

    if says := told([entry for entry in entries if is_from_elsewhere(entry.result)], len(entries)):
        remark(f"{says}; `implicitbias verify` runs checks here")


def say_if_merged(claim: Claim, given: str) -> None:
    """Tell whoever asked by the id of a merged claim which claim holds it now."""
    if given in claim.formerly:
        remark(f"{given} is now part of {claim.id}")
