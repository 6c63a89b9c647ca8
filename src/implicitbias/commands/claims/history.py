"""`implicitbias history CLAIM`: the verdicts of its checks over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from implicitbias.commands.options import AsJson, ClaimId, ClaimsFolder, LedgerFile
from implicitbias.commands.output import print_json, remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from implicitbias.judging.result import Result
    from implicitbias.record.ledger import Entry


def history(claim_id: ClaimId, claims: ClaimsFolder = None, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show a claim's verdicts over time, the oldest first.

    Those of claims that were merged into it are included.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import say_if_merged
    from implicitbias.record.ledger import Ledger, default_path
    from implicitbias.report.words import show

    claim = load(claims).claim(claim_id)
    say_if_merged(claim, claim_id)
    path = ledger or default_path()
    entries: Sequence[Entry] = ()
    if path.exists():
        with Ledger(path, read_only=True) as opened:
            found = [entry for name in (claim.id, *claim.formerly) for entry in opened.history(name)]
        entries = sorted(found, key=lambda entry: entry.recorded)
    if as_json:
        document = {"schema": 1, "claim": claim.id, "history": [_entry(e) for e in entries]}
        print_json(document)
    elif entries:
        show(_table(claim.id, entries))
    else:
        remark(f"{claim.id} has never been checked: run `implicitbias verify {claim.id}`")


def _table(claim_id: str, entries: Sequence[Entry]) -> Table:
    """One row per result; what differs from the previous one of the same check is said: its verdict, its reason."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from implicitbias.report.words import seconds, verdict_badge

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("recorded", "check", "verdict", "took", "made with"):
        table.add_column(
            name, no_wrap=name in ("recorded", "verdict", "took"), min_width=20 if name == "made with" else 0
        )
    before: dict[tuple[str, str], Result] = {}
    for entry in entries:
        result = entry.result
        earlier = before.get((result.claim, result.check))
        verdict = verdict_badge(result)
        if earlier and earlier.verdict is not result.verdict:
            verdict.append(f"\nwas {earlier.verdict}", style="dim")
        before[result.claim, result.check] = result
        recorded = entry.recorded.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        made = _made_with(entry)
        if result.reason and (earlier is None or earlier.reason != result.reason):
            made += f"\n{result.reason}"
        check = Text(result.check)
        if result.claim != claim_id:
            check.append(f"\n{result.claim}", style="dim")
        table.add_row(Text(recorded), check, verdict, Text(seconds(result.seconds)), Text(made))
    return table


def _parameters(entry: Entry) -> dict[str, Any]:
    return dict((entry.result.provenance.get("computation") or {}).get("parameters", {}))


def _made_with(entry: Entry) -> str:
    given = _parameters(entry)
    return ", ".join(f"{name} {given[name]}" if name == "seed" else str(given[name]) for name in given)


def _entry(entry: Entry) -> dict[str, Any]:
    result = entry.result
    return {
        "recorded": entry.recorded.isoformat(),
        "claim": result.claim,
        "check": result.check,
        "kind": str(result.kind),
        "verdict": str(result.verdict),
        "reason": result.reason,
        "seconds": result.seconds,
        "parameters": _parameters(entry),
    }
