"""`implicitbias show CLAIM`: a claim as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from implicitbias.commands.options import AsJson, ClaimId, ClaimsFolder, LedgerFile

if TYPE_CHECKING:
    from implicitbias.catalogue import Catalogue
    from implicitbias.claim import Candidate
    from implicitbias.result import ClaimStanding


def show(claim_id: ClaimId, claims: ClaimsFolder = None, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show a claim as a page.

    Statement, formula, flaw, controls, checks, and what came out when it was last verified.
    """
    from implicitbias.catalogue import load
    from implicitbias.commands.recorded import recorded_results, standings

    catalogue = load(claims)
    claim = catalogue.claim(claim_id)
    known = standings(catalogue, recorded_results(ledger))
    if as_json:
        import json

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
    words.show(page(known[claim_id], catalogue.paper(claim.paper), below, catalogue.resting_on(claim_id)), stream)


def document(standing: ClaimStanding, catalogue: Catalogue) -> dict[str, Any]:
    """All that is known of the claim: what is said, and what came out, in the words of the other documents."""
    from implicitbias.report import json as report

    claim = standing.claim
    flaw = claim.flaw
    return {
        "schema": report.SCHEMA,
        **report.claim(standing, set()),
        "statement": claim.statement,
        "latex": claim.latex,
        "hypotheses": list(claim.hypotheses),
        "rests_on": list(claim.rests_on),
        "rested_on_by": [c.id for c in catalogue.resting_on(claim.id)],
        "file": str(catalogue.file_of(claim.id)),
        "formula": _candidate(claim.formula),
        "symbols": dict(claim.symbols),
        "flaw": flaw
        and {
            "printed": _candidate(flaw.printed),
            "word": flaw.word,
            "wrong": flaw.wrong,
            "sure": flaw.sure,
            "charitable": flaw.charitable,
            "refuted_by": list(standing.refuted_by),
        },
        "controls": [
            {**_candidate(c.candidate), "why": c.why, "rejected_by": list(standing.killed[c.name])}
            for c in claim.controls
        ],
        "declared_checks": [
            {"name": c.name, "kind": str(c.kind), "about": c.about, "acceptance": c.acceptance} for c in claim.checks
        ],
        "evidence": {result.check: result.evidence.to_json() for result in standing.results},
    }


def _candidate(candidate: Candidate) -> dict[str, str]:
    if isinstance(candidate, str):
        return {"formula": candidate}
    return {"rule": candidate.name, "says": candidate.says}
