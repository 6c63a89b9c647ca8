"""`implicitbias report`: what the ledger holds, without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from implicitbias.commands.options import ClaimsFolder, Globs, LedgerFile, reachable
from implicitbias.report import FORMATS, TERMINAL


def _known(form: str) -> str:
    if form not in FORMATS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(FORMATS)}")
    return form


Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar=f"<{'|'.join(FORMATS)}>",
        callback=_known,
        help="; ".join(f"{form}: {what}" for form, what in FORMATS.items()) + ".",
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="FILE", callback=reachable, help="Write to this file; - is standard output."
    ),
]


def report(
    globs: Globs = None,
    form: Format = TERMINAL,
    output: Output = Path("-"),
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
) -> None:
    """Report recorded results, running nothing.

    One claim is shown as a page. Exit codes as for verify, by the claims that have been checked at all; 3 if none has.
    """
    from implicitbias import report as reports
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.commands.output import check_writable, remark, writing
    from implicitbias.record.standings import standings
    from implicitbias.report.summary import Report, exit_code

    check_writable(output)
    catalogue = load(claims)
    chosen = catalogue.select(globs or ())
    known = standings(catalogue, recorded_results(ledger))
    errata = catalogue.errata_of(chosen)
    made = Report(tuple(known[claim.id] for claim in chosen), catalogue.papers, errata=errata)
    with writing(output) as stream:
        if form == TERMINAL and len(chosen) == 1:
            from implicitbias.commands.claims.show import print_page

            print_page(catalogue, known, chosen[0].id, stream)
        else:
            reports.write(made, stream, form)
    checked = tuple(s for s in made.standings if s.results)
    if not checked:
        remark("none of these claims has been checked yet: run `implicitbias verify`")
    raise typer.Exit(exit_code(Report(checked, catalogue.papers)) if checked else 3)
