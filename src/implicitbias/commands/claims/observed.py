"""The evidence that a command works on: recorded here, come with the package from the same sources, or observed now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from implicitbias.claims.check import Budget

if TYPE_CHECKING:
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
    """Each claim's results, in the order of its checks: recorded ones if fresh, the others observed and recorded.

    A claim that has never run here is judged by what came with the package, if that was made from what is here now, as
    the interface does it.
    """
    from implicitbias.record.ledger import Ledger
    from implicitbias.report.progress import display
    from implicitbias.running.runner import run

    standard = folder is None and (budget, seed, str(device)) == (Budget.QUICK, 0, "cpu")
    came = _as_it_came(claims, ledger_file) if standard else {}
    claims = [claim for claim in claims if claim.id not in came]
    order = [(claim, check.name) for claim in claims for check in claim.checks]
    if not order:
        return came
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
    return came | {c.id: [found[c.id, k.name] for k in c.checks if (c.id, k.name) in found] for c in claims}


def _as_it_came(claims: Sequence[Claim], ledger_file: Path | None) -> dict[str, list[Result]]:
    """The results that came with the package, of the claims that have never run here and whose sources are the same."""
    from implicitbias.commands.claims.recorded import say_what_is_from_elsewhere
    from implicitbias.record.environment import environment
    from implicitbias.record.known import Known
    from implicitbias.record.present import Present
    from implicitbias.record.shipped import changes, is_from_elsewhere

    present = Present(None, environment())
    came = {}
    with Known(ledger_file) as known:
        for claim in claims:
            entries = [known.latest(claim.id, check.name) for check in claim.checks]
            if all(e and is_from_elsewhere(e.result) and not changes(e.result, present) for e in entries):
                came[claim.id] = [entry for entry in entries if entry is not None]
    say_what_is_from_elsewhere([entry for entries in came.values() for entry in entries])
    return {claim: [entry.result for entry in entries] for claim, entries in came.items()}
