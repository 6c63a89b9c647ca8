"""`implicitbias list`: the claims as a table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from implicitbias.commands.options import AsJson, ClaimsFolder, Globs, LedgerFile

if TYPE_CHECKING:
    from rich.table import Table

    from implicitbias.result import ClaimStanding


def list_(globs: Globs = None, claims: ClaimsFolder = None, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """List the claims paper by paper.

    Each with its standing when it was last verified. The place alone will do as an id where only one paper has it.
    """
    from rich.padding import Padding

    from implicitbias.catalogue import load
    from implicitbias.commands.recorded import recorded_results, standings
    from implicitbias.report.console import paper_heading
    from implicitbias.report.words import show

    catalogue = load(claims)
    chosen = catalogue.select(globs or ())
    results = recorded_results(ledger, evidence=False)
    known = standings(catalogue, results)
    if as_json:
        import json

        print(json.dumps({"schema": 1, "claims": [_entry(known[c.id]) for c in chosen]}, indent=2, ensure_ascii=False))
        return
    verified = any(known[c.id].results for c in chosen)
    for i, paper in enumerate(p for p in catalogue.papers if any(c.paper == p.key for c in chosen)):
        if i:
            print()
        show(paper_heading(paper))
        show(Padding(_contents([known[c.id] for c in chosen if c.paper == paper.key], verified), (0, 0, 0, 2)))


def _contents(standings: list[ClaimStanding], verified: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    from implicitbias.catalogue import place_of
    from implicitbias.report.words import badge

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    if verified:
        grid.add_column(no_wrap=True)
    grid.add_column(max_width=30, overflow="fold")
    grid.add_column(ratio=1)
    for s in standings:
        cells = [badge(s.standing)] if verified else []
        cells.append(Text(place_of(s.claim), style="bold"))
        own = "our own, " if s.claim.is_own_result else ""
        cells.append(Text.assemble(s.claim.title, (f"  {own}{s.claim.source.locator}", "dim")))
        grid.add_row(*cells)
    return grid


def _entry(s: ClaimStanding) -> dict[str, Any]:
    return {
        "id": s.claim.id,
        "paper": s.claim.paper,
        "locator": s.claim.source.locator,
        "title": s.claim.title,
        "own_result": s.claim.is_own_result,
        "flaw": s.claim.flaw.word if s.claim.flaw else None,
        "kinds": sorted({str(check.kind) for check in s.claim.checks}),
        "controls": len(s.claim.controls),
        "standing": str(s.standing),
        "expected": str(s.expected),
        "fully": s.fully,
    }
