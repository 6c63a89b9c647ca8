"""`implicitbias report`: what the ledger holds, without running anything."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from implicitbias.commands.options import ClaimsFolder, Globs, LedgerFile


class Format(StrEnum):
    """The formats of `implicitbias.report.FORMATS`."""

    CONSOLE = "console"
    JSON = "json"
    JUNIT = "junit"
    HTML = "html"
    BADGE = "badge"


def report(
    globs: Globs = None,
    form: Annotated[Format, typer.Option("--format", help="How it is written.")] = Format.CONSOLE,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write to this file; - is standard output.")
    ] = Path("-"),
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
) -> None:
    """Report recorded results, running nothing.

    One claim is shown as a page. Exit codes as for verify, by the claims that have been checked at all; 3 if none has.
    """
    from implicitbias import report as reports
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.commands.output import check_writable, writing
    from implicitbias.record.standings import standings
    from implicitbias.report.summary import Report, exit_code

    check_writable(output)
    catalogue = load(claims)
    chosen = catalogue.select(globs or ())
    known = standings(catalogue, recorded_results(ledger))
    made = Report(tuple(known[claim.id] for claim in chosen), catalogue.papers)
    with writing(output) as stream:
        if form is Format.CONSOLE and len(chosen) == 1:
            from implicitbias.commands.claims.show import print_page

            print_page(catalogue, known, chosen[0].id, stream)
        else:
            reports.write(made, stream, form)
    checked = tuple(s for s in made.standings if s.results)
    if not checked:
        typer.echo("none of these claims has been checked yet: run `implicitbias verify`", err=True)
    raise typer.Exit(exit_code(Report(checked, catalogue.papers)) if checked else 3)
