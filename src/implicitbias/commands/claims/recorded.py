"""What the ledger holds, for the commands that run nothing."""

from __future__ import annotations

from pathlib import Path

from implicitbias.judging.result import Result


def recorded_results(ledger_file: Path | None, *, evidence: bool = True) -> tuple[Result, ...]:
    """The last result of every check, with or without its evidence; none where no ledger has been written yet."""
    from implicitbias.record.ledger import Ledger, default_path

    path = ledger_file or default_path()
    if not path.exists():
        return ()
    with Ledger(path, read_only=True) as ledger:
        return ledger.all_latest(evidence=evidence)
