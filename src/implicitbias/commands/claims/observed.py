"""The evidence that a command works on: what is recorded and fresh, the rest observed now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.claims.check import Budget
    from implicitbias.claims.statement import Claim
    from implicitbias.commands.options import Device
    from implicitbias.judging.result import Result


def observed(
    claims: Sequence[Claim],
    folder: Path | None,
    ledger_file: Path | None,
    budget: Budget,
    seed: int,
    device: Device,
    workers: int | None,
    time_limit: float | None,
) -> dict[str, list[Result]]:
    """Each claim's results, in the order of its checks: recorded ones if fresh, the others observed and recorded."""
    from implicitbias.record.ledger import Ledger
    from implicitbias.report.progress import display
    from implicitbias.running.runner import run

    order = [(claim, check.name) for claim in claims for check in claim.checks]
    with Ledger(ledger_file) as ledger, display(order, quiet=True) as progress:
        results = run(
            claims,
            folder=folder,
            budget=budget,
            seed=seed,
            workers=workers,
            device=device,
            ledger=ledger,
            time_limit=time_limit,
            progress=progress,
        )
        found = {(result.claim, result.check): result for result in results}
    return {c.id: [found[c.id, k.name] for k in c.checks if (c.id, k.name) in found] for c in claims}
