"""The report as one JSON document with a `schema` number, exact values exact."""

from __future__ import annotations

import json
from typing import Any, TextIO

from implicitbias.claims.evidence import encode
from implicitbias.judging.judgement import Judgement
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.report.summary import Report, made_with

SCHEMA = 1
"""Changes when a reader of the document would have to change."""


def write(report: Report, stream: TextIO) -> None:
    json.dump(document(report), stream, indent=2, ensure_ascii=False)
    stream.write("\n")


def document(report: Report) -> dict[str, Any]:
    """Claims in reading order, each with its checks; what they add up to; what the results have in common."""
    total, rejected = report.controls
    shared = report.provenance
    return {
        "schema": SCHEMA,
        "claims": [claim(s, set(shared)) for s in report.standings],
        "summary": {
            "claims": len(report.standings),
            **{word.lower(): n for word, n in report.counts.items()},
            "controls": {"total": total, "rejected": rejected},
        },
        "provenance": encode(shared),
    }


def claim(s: ClaimStanding, shared: set[str]) -> dict[str, Any]:
    """A claim with its standing and its checks. `shared`: the provenance that the whole document gives once."""
    return {
        "id": s.claim.id,
        "paper": s.claim.paper,
        "locator": s.claim.source.locator,
        "title": s.claim.title,
        "standing": str(s.standing),
        "expected": str(s.expected),
        "reason": s.reason,
        "fully": s.fully,
        "waits_for": list(s.waits_for),
        "checks": [_check(result, shared) for result in s.results],
    }


def _check(result: Result, shared: set[str]) -> dict[str, Any]:
    return {
        "name": result.check,
        "kind": str(result.kind),
        "verdict": str(result.verdict),
        "reason": result.reason,
        "premises": [{"name": p.name, "holds": p.holds, "detail": p.detail} for p in result.evidence.premises],
        "printed": _judgement(result.printed) if result.printed else None,
        "controls": [{"name": name, **_judgement(j)} for name, j in result.controls.items()],
        "measured": encode(result.evidence.measured),
        "seconds": result.seconds,
        "provenance": {k: encode(v) for k, v in made_with(result).items() if k not in shared},
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    found = judgement.counterexample
    return {"verdict": str(judgement.outcome), "counterexample": found.to_json() if found else None}
