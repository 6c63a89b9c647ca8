"""`implicitbias explain CLAIM`: what `verify` would take from the ledger, what it would run again, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from implicitbias.claims.check import Budget
from implicitbias.commands.options import (
    AsJson,
    BudgetOption,
    ClaimId,
    ClaimsFolder,
    Device,
    DeviceOption,
    LedgerFile,
    Seed,
    TimeLimit,
)
from implicitbias.commands.output import print_json
from implicitbias.report.words import titled

if TYPE_CHECKING:
    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.claims.check import Check
    from implicitbias.claims.statement import Claim
    from implicitbias.record.freshness import Freshness


def explain(
    claim_id: ClaimId,
    budget: BudgetOption = Budget.QUICK,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    time_limit: TimeLimit = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Explain why results are fresh or stale.

    For each check: what `verify` with these options would take from the ledger, or why it would run the check.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import say_if_merged

    catalogue = load(claims)
    claim = catalogue.claim(claim_id)
    say_if_merged(claim, claim_id)
    found = _ask(catalogue, claim, ledger, budget, seed, device, time_limit)
    if as_json:
        checks = [_entry(check, f) for check, f in found]
        print_json({"schema": 1, "claim": claim.id, "checks": checks})
    else:
        _print(claim, found)


def _ask(
    catalogue: Catalogue,
    claim: Claim,
    ledger_file: Path | None,
    budget: Budget,
    seed: int,
    device: Device,
    time_limit: float | None,
) -> list[tuple[Check, Freshness]]:
    from implicitbias.record.freshness import Freshness, freshness
    from implicitbias.record.ledger import Ledger, default_path

    path = ledger_file or default_path()
    if not path.exists():
        return [(check, Freshness(None, ("never run",))) for check in claim.checks]
    options: dict[str, Any] = {"budget": budget, "seed": seed, "device": device, "time_limit": time_limit}
    with Ledger(path, read_only=True) as ledger:
        return [(check, freshness(ledger, catalogue, claim, check, **options)) for check in claim.checks]


def _print(claim: Claim, found: Sequence[tuple[Check, Freshness]]) -> None:
    from rich.console import Group, RenderableType
    from rich.padding import Padding
    from rich.text import Text

    from implicitbias.report.words import seconds, show, verdict_badge

    show(Text.assemble((claim.id, "bold"), f"  {titled(claim)}"))
    for check, f in found:
        lines: list[RenderableType]
        if f.fresh:
            result = f.fresh.result
            recorded = f.fresh.recorded.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            head = Text.assemble((check.name, "bold"), f"  {check.kind}  fresh: ", verdict_badge(result))
            made = f"recorded {recorded}, took {seconds(result.seconds)}; nothing it was made from has changed"
            lines = [Text(line) for line in (result.reason, made) if line]
        else:
            head = Text.assemble((check.name, "bold"), f"  {check.kind}  ", ("stale: verify would run it", "yellow"))
            lines = [Text(f"because {reason}" if i == 0 else f"and {reason}") for i, reason in enumerate(f.reasons)]
        show(Padding(Group(head, Padding(Group(*lines), (0, 0, 0, 2))), (0, 0, 0, 2)))


def _entry(check: Check, f: Freshness) -> dict[str, object]:
    return {
        "name": check.name,
        "kind": str(check.kind),
        "fresh": f.fresh is not None,
        "verdict": str(f.fresh.result.verdict) if f.fresh else None,
        "reason": f.fresh.result.reason if f.fresh else None,
        "recorded": f.fresh.recorded.isoformat() if f.fresh else None,
        "reasons": list(f.reasons),
    }
