"""A claim as one JSON document: everything known about it, with the field names of the other documents."""

from __future__ import annotations

from typing import Any

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.statement import Candidate
from implicitbias.judging.result import ClaimStanding
from implicitbias.report import json as report


def document(standing: ClaimStanding, catalogue: Catalogue) -> dict[str, Any]:
    """What the claim says and what came out."""
    claim = standing.claim
    flaw = claim.flaw
    return {
        "schema": report.SCHEMA,
        **report.claim(standing, set()),
        "statement": claim.statement,
        "latex": claim.latex,
        "hypotheses": list(claim.hypotheses),
        "conjecture": claim.conjecture,
        "formerly": list(claim.formerly),
        "rests_on": list(claim.rests_on),
        "rested_on_by": [c.id for c in catalogue.resting_on(claim.id)],
        "see_also": list(catalogue.beside(claim.id)),
        "file": str(catalogue.file_of(claim.id)),
        "formula": _candidate(claim.formula),
        "symbols": dict(claim.symbols),
        "domain": list(claim.domain),
        "flaw": flaw
        and {
            "erratum": erratum_document(flaw.erratum),
            "printed": None if flaw.printed is None else _candidate(flaw.printed),
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


def erratum_document(erratum: Erratum) -> dict[str, Any]:
    """The erratum with its readings."""
    return {
        "id": erratum.id,
        "paper": erratum.paper,
        "place": erratum.place,
        "quotation": erratum.quotation,
        "formula": erratum.formula,
        "correct": erratum.correct,
        "effect": erratum.effect,
        "counts": erratum.counts,
        "word": erratum.word,
        "bearing": erratum.bearing,
        "charitable": erratum.charitable,
        "mended": erratum.mended or None,
        "readings": [
            {"edition": r.edition.name, "where": r.where, "seen": r.seen, "printed": r.printed, "words": r.words}
            for r in erratum.readings
        ],
    }


def _candidate(candidate: Candidate) -> dict[str, str]:
    if isinstance(candidate, str):
        return {"formula": candidate}
    return {"rule": candidate.name, "says": candidate.says}
