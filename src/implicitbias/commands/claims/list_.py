"""`implicitbias list`: the claims as a table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.claims.flaws import entry, errata
from implicitbias.commands.options import AsJson, ClaimsFolder, Globs, LedgerFile

if TYPE_CHECKING:
    from rich.table import Table

    from implicitbias.judging.result import ClaimStanding

ONE_LINE = 100
"""Columns from which id and title stand side by side."""


def list_(
    globs: Globs = None,
    flaws: Annotated[
        bool, typer.Option("--flaws", help="Only what is wrong in print: the errata, each with what refutes it.")
    ] = False,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """List the claims paper by paper.

    Each with its standing when it was last verified. The place alone will do as an id where only one paper has it.
    """
    from rich.padding import Padding

    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.record.standings import standings
    from implicitbias.report.console import paper_heading
    from implicitbias.report.words import console_for, show

    catalogue = load(claims)
    chosen = tuple(c for c in catalogue.select(globs or ()) if c.flaw or not flaws)
    if not chosen:
        print("nothing wrong is known of these claims as they are printed")
        return
    results = recorded_results(ledger, evidence=False)
    known = standings(catalogue, results)
    if as_json:
        import json

        entries = [(entry if flaws else _entry)(known[c.id]) for c in chosen]
        print(json.dumps({"schema": 1, "flaws" if flaws else "claims": entries}, indent=2, ensure_ascii=False))
        return
    width = console_for().width
    verified = any(known[c.id].results for c in chosen)
    for i, paper in enumerate(p for p in catalogue.papers if any(c.paper == p.key for c in chosen)):
        if i:
            print()
        show(paper_heading(paper))
        if flaws:
            for part in errata([known[c.id] for c in chosen if c.paper == paper.key]):
                show(Padding(part, (0, 0, 0, 2)))
            continue
        show(Padding(_contents([known[c.id] for c in chosen if c.paper == paper.key], verified, width), (0, 0, 0, 2)))


def _contents(standings: list[ClaimStanding], verified: bool, width: int) -> Table:
    """A row a claim: standing, id, title and place; on a narrow terminal the title beneath the id."""
    from rich.table import Table
    from rich.text import Text

    from implicitbias.claims.catalogue import place_of
    from implicitbias.report.words import badge

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    if verified:
        grid.add_column(no_wrap=True)
    if width >= ONE_LINE:
        grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    for s in standings:
        own = "our own, " if s.claim.is_own_result else ""
        place = Text(place_of(s.claim), style="bold")
        title = Text.assemble(s.claim.title, (f"  {own}{s.claim.source.locator}", "dim"))
        cells = [badge(s.standing)] if verified else []
        grid.add_row(*cells, *([place, title] if width >= ONE_LINE else [Text.assemble(place, "\n", title)]))
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
