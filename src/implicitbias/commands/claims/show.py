"""`implicitbias show CLAIM`: a claim as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from implicitbias.commands.options import AsJson, ClaimId, ClaimsFolder, LedgerFile

if TYPE_CHECKING:
    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.judging.result import ClaimStanding


def show(claim_id: ClaimId, claims: ClaimsFolder = None, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show a claim as a page.

    Statement, formula, flaw, controls, checks, and what came out when it was last verified.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.commands.claims.recorded import recorded_results
    from implicitbias.record.standings import standings

    catalogue = load(claims)
    claim = catalogue.claim(claim_id)
    known = standings(catalogue, recorded_results(ledger))
    if as_json:
        import json

        from implicitbias.report.claim_document import document

        print(json.dumps(document(known[claim.id], catalogue), indent=2, ensure_ascii=False))
    else:
        print_page(catalogue, known, claim.id)


def print_page(
    catalogue: Catalogue, known: dict[str, ClaimStanding], claim_id: str, stream: TextIO | None = None
) -> None:
    from implicitbias.report import words
    from implicitbias.report.page import page

    claim = known[claim_id].claim
    below = [known[name] for name in claim.rests_on if name in known]
    beside = [known[name] for name in catalogue.beside(claim.id) if name in known]
    paper = catalogue.paper(claim.paper)
    words.show(page(known[claim_id], paper, below, catalogue.resting_on(claim_id), beside), stream)
