"""The report as one JSON document with a `schema` number, exact values exact."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Sequence
from typing import Any, TextIO

from implicitbias.claims.evidence import Proven, encode
from implicitbias.judging.judgement import Judgement
from implicitbias.judging.result import ClaimStanding, Formal, Result
from implicitbias.judging.tried import to_json
from implicitbias.report.summary import Report, counts_of, made_with

SCHEMA = 1
"""Changes when a reader of the document would have to change."""


def write(report: Report, stream: TextIO) -> None:
    json.dump(document(report), stream, indent=2, ensure_ascii=False)
    stream.write("\n")


def document(report: Report) -> dict[str, Any]:
    """Claims in reading order, each with its checks; what they add up to; what the results have in common."""
    shared = report.provenance
    asked = {s.claim.id for s in report.standings}
    return {
        "schema": SCHEMA,
        "claims": [claim(s, set(shared), asked) for s in report.standings],
        "summary": summary(report),
        "provenance": encode(shared),
    }


def summary(report: Report) -> dict[str, Any]:
    """How many claims have each standing, also of the papers and of our own results apart; how many controls fell."""
    total, rejected = report.controls
    return {
        **_counts(report.standings),
        "of_papers": _counts(report.of_papers),
        "own": _counts(report.own),
        "controls": {"total": total, "rejected": rejected},
    }


def claim(s: ClaimStanding, shared: Container[str], asked: Container[str] | None = None) -> dict[str, Any]:
    """A claim with its standing and its checks.

    shared  the provenance that the whole document gives once
    asked   the claims that the document is about, for a headline's `whole`; by default all of them
    """
    weighed = s if asked is None else s.within(asked)
    weakest = weighed.weakest
    return {
        "id": s.claim.id,
        "paper": s.claim.paper,
        "locator": s.claim.source.locator,
        "title": s.claim.title,
        "own_result": s.claim.is_own_result,
        "part_of": s.claim.part_of or None,
        "standing": str(s.standing),
        "expected": str(s.expected),
        "reason": s.reason,
        "fully": s.fully,
        "waits_for": list(s.waits_for),
        "whole": str(weighed.whole),
        "parts": {
            "total": len(s.parts),
            **_by_standing(s.parts),
            "weakest": weakest
            and {"id": weakest.claim.id, "standing": str(weakest.standing), "reason": weakest.reason},
        },
        "checks": [_check(result, s.claim.symbols, shared) for result in s.results],
    }


def _counts(standings: Sequence[ClaimStanding]) -> dict[str, int]:
    return {"claims": len(standings), **_by_standing(standings)}


def _by_standing(standings: Sequence[ClaimStanding]) -> dict[str, int]:
    return {word.lower(): number for word, number in counts_of(standings).items()}


def _check(result: Result, symbols: Collection[str], shared: Container[str]) -> dict[str, Any]:
    return {
        "name": result.check,
        "kind": str(result.kind),
        "verdict": str(result.verdict),
        "reason": result.reason,
        "tried": to_json(result.evidence, symbols),
        "theorems": [_theorem(theorem) for theorem in result.evidence.theorems],
        "coq": _coq(result.formal) if result.formal else None,
        "premises": [{"name": p.name, "holds": p.holds, "detail": p.detail} for p in result.evidence.premises],
        "printed": _judgement(result.printed) if result.printed else None,
        "controls": [{"name": name, **_judgement(j)} for name, j in result.controls.items()],
        "measured": encode(result.evidence.measured),
        "seconds": result.seconds,
        "provenance": {k: encode(v) for k, v in made_with(result).items() if k not in shared},
    }


def _theorem(theorem: Proven) -> dict[str, Any]:
    return {
        "record": theorem.digest,
        "definition": theorem.reads,
        "found": [
            {"case": c.label, "relation": c.relation, "value": c.value, "next": c.step or None}
            for c in theorem.conclusions
        ],
        "steps": [{"says": s.says, "formula": s.formula, "verified": s.verified} for s in theorem.steps],
        "in_words": list(theorem.words),
    }


def _coq(formal: Formal) -> dict[str, Any]:
    return {
        "accepted": formal.accepted,
        "skipped": formal.skipped,
        "reason": formal.reason,
        "theorems": dict(formal.theorems),
        "excluded": dict(formal.excluded),
        "rests_on": formal.axioms,
        "versions": dict(formal.versions),
        "seconds": formal.seconds,
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    found = judgement.counterexample
    return {"verdict": str(judgement.outcome), "counterexample": found.to_json() if found else None}
