"""`implicitbias list`: headlines, or with `--all` every claim below its headline, as a table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.claims.erratum import EFFECTS
from implicitbias.commands.claims.flaws import chosen_errata, counted, entry, table
from implicitbias.commands.options import AsJson, ClaimsFolder, Globs, LedgerFile
from implicitbias.commands.output import print_json, say
from implicitbias.report.words import titled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.table import Table

    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import ClaimStanding
    from implicitbias.report.summary import Family

ONE_LINE = 100
"""At this width and above id and title are side by side."""


def list_(
    globs: Globs = None,
    with_parts: Annotated[
        bool, typer.Option("--all", help="Also the parts of each headline: its steps, cases and consequences.")
    ] = False,
    flaws: Annotated[
        bool, typer.Option("--flaws", help="The errata of the papers instead, each with what refutes it.")
    ] = False,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """List the headlines paper by paper.

    Each with its standing when it was last verified: the weakest of its own and its parts'. A pattern that matches a
    part shows it below its headline; --json always lists every claim that matches. The place alone will do as an id if
    only one paper has it.
    """
    from dataclasses import replace

    from rich.padding import Padding

    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.record.standings import standings
    from implicitbias.report.console import paper_heading
    from implicitbias.report.summary import Report
    from implicitbias.report.words import claims_apart, console_for, count, show

    catalogue = load(claims)
    if flaws:
        _list_errata(catalogue, globs or (), ledger, as_json)
        return
    chosen = catalogue.select(globs or ())
    results = recorded_results(ledger, evidence=False)
    known = standings(catalogue, results)
    if as_json:
        print_json({"schema": 1, "claims": [_entry(known[c.id]) for c in chosen]})
        return
    if not with_parts:
        chosen = _headlines_and_named(catalogue, globs or (), chosen)
    report = Report(tuple(known[c.id] for c in chosen), catalogue.papers)
    width = console_for().width
    verified = any(known[c.id].results for c in chosen)
    for i, paper in enumerate(p for p in catalogue.papers if any(c.paper == p.key for c in chosen)):
        if i:
            say()
        show(paper_heading(paper))
        families = [replace(f, standing=known[f.headline.id]) for f in report.families(paper.key)]
        show(Padding(_contents(families, verified, width), (0, 0, 0, 2)))
    if not globs:
        headlines = catalogue.headlines
        parts = len(catalogue.claims) - len(headlines)
        hint = f" and {count(parts, 'part')}{'' if with_parts else ' (list --all shows them)'}" if parts else ""
        say(f"\n{claims_apart(catalogue.claims)}: {count(len(headlines), 'headline')}{hint}")


def _list_errata(catalogue: Catalogue, globs: Sequence[str], ledger: Path | None, as_json: bool) -> None:
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.record.standings import standings
    from implicitbias.report.words import show

    errata = chosen_errata(catalogue, globs)
    known = standings(catalogue, recorded_results(ledger, evidence=False))
    if as_json:
        number = {effect: sum(erratum.effect == effect for erratum in errata) for effect in EFFECTS}
        entries = [entry(erratum, catalogue, known) for erratum in errata]
        print_json({"schema": 2, "says": counted(errata), "counts": number, "errata": entries})
    elif not errata:
        say("no errata are known for these claims")
    else:
        for part in table(errata, catalogue, known):
            show(part)


def _headlines_and_named(catalogue: Catalogue, globs: Sequence[str], chosen: Sequence[Claim]) -> tuple[Claim, ...]:
    """The headlines among the chosen, and the parts that some pattern other than the key of a paper matches."""
    papers = {paper.key for paper in catalogue.papers}
    patterns = [glob for glob in globs if glob not in papers]
    named = {claim.id for claim in catalogue.select(patterns)} if patterns else set()
    return tuple(claim for claim in chosen if claim.is_headline or claim.id in named)


def _contents(families: Sequence[Family], verified: bool, width: int) -> Table:
    """One row per claim: standing, id, place and title; on a narrow terminal the title below the id."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from implicitbias.claims.naming import place_of
    from implicitbias.report.words import badge, count, located, parts_text

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    if verified:
        grid.add_column(no_wrap=True)
    if width >= ONE_LINE:
        grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    rows = []
    for family in families:
        if headline := family.standing:
            rows.append((headline, headline.whole, 0))
        rows += [(part, part.standing, 2) for part in family.parts]
    for s, word, indent in rows:
        place = Text(" " * indent + place_of(s.claim), style="" if indent else "bold")
        title = Text.assemble((located(s.claim), "" if indent else "bold"), f"  {titled(s.claim)}")
        if s.parts:
            title.append(f"\n{parts_text(s) if verified else count(len(s.parts), 'part')}", style="dim")
        cells = [badge(word)] if verified else []
        one_line = [place, Padding(title, (0, 0, 0, indent))]
        grid.add_row(*cells, *(one_line if width >= ONE_LINE else [Group(place, Padding(title, (0, 0, 0, indent)))]))
    return grid


def _entry(s: ClaimStanding) -> dict[str, Any]:
    return {
        "id": s.claim.id,
        "paper": s.claim.paper,
        "locator": s.claim.source.locator,
        "title": s.claim.title,
        "own_result": s.claim.is_own_result,
        "part_of": s.claim.part_of or None,
        "parts": len(s.parts),
        "erratum": s.claim.flaw.erratum.id if s.claim.flaw else None,
        "kinds": sorted({str(check.kind) for check in s.claim.checks}),
        "controls": len(s.claim.controls),
        "standing": str(s.standing),
        "whole": str(s.whole),
        "expected": str(s.expected),
        "fully": s.fully,
    }
