"""`implicitbias show CLAIM` or `show PAPER`: a claim or a paper as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from implicitbias.commands.options import AsJson, ClaimsFolder, LedgerFile, belong, ids
from implicitbias.commands.output import print_json

if TYPE_CHECKING:
    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.judging.result import ClaimStanding


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM|PAPER",
            help="The id of a claim or the key of a paper: see `implicitbias list`.",
            autocompletion=ids,
        ),
    ],
    formula: Annotated[
        str | None,
        typer.Option("--beside", metavar="EXPR", help="A formula whose values are shown beside the claim's."),
    ] = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a claim, or a paper, as a page.

    A claim: statement, formula, flaw, parts, controls, checks, and what came out when it was last verified. A paper:
    what it is about, the edition that was read, and how its headlines stand.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results, say_if_merged
    from implicitbias.record.standings import standings

    catalogue = load(claims)
    is_paper = name in {paper.key for paper in catalogue.papers}
    belong({"--beside": formula}, "the page of a claim", not (is_paper or as_json))
    if is_paper:
        _show_paper(catalogue, name, standings(catalogue, recorded_results(ledger, evidence=False)), as_json)
        return
    from implicitbias.report.typed import read

    claim = catalogue.claim(name)
    say_if_merged(claim, name)
    known = standings(catalogue, recorded_results(ledger, of=claim))
    if as_json:
        from implicitbias.report.claim_document import document

        print_json(document(known[claim.id], catalogue))
    else:
        print_page(catalogue, known, claim.id, other=read(formula, claim.symbols).formula if formula else None)


def _show_paper(catalogue: Catalogue, key: str, known: dict[str, ClaimStanding], as_json: bool) -> None:
    from implicitbias.report import paper, words

    shown = catalogue.paper(key), [known[claim.id] for claim in catalogue.of_paper(key)]
    if as_json:
        print_json(paper.document(*shown))
    else:
        words.show(paper.page(*shown))


def print_page(
    catalogue: Catalogue,
    known: dict[str, ClaimStanding],
    claim_id: str,
    stream: TextIO | None = None,
    other: str | None = None,
) -> None:
    from implicitbias.report import words
    from implicitbias.report.page import page

    claim = known[claim_id].claim
    below = [known[name] for name in claim.rests_on if name in known]
    beside = [known[name] for name in catalogue.beside(claim.id) if name in known]
    paper = catalogue.paper(claim.paper)
    words.show(page(known[claim_id], paper, below, catalogue.resting_on(claim_id), beside, other), stream)
