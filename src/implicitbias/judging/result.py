"""What came out: one Result a check of a claim, and the standing of a claim computed from its Results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from implicitbias.claims.check import Check, Kind
from implicitbias.claims.evidence import Evidence, not_numbers
from implicitbias.claims.statement import Claim, candidate_name
from implicitbias.judging.judgement import Judgement, Outcome, judge
from implicitbias.judging.verdict import ACCEPTED, Standing, Verdict


@dataclass(frozen=True)
class Result:
    """What one check says of one claim, with all that was seen. The record that every screen and report reads."""

    claim: str
    check: str
    kind: Kind
    verdict: Verdict
    reason: str
    evidence: Evidence = field(default_factory=Evidence)
    formula: Judgement | None = None
    printed: Judgement | None = None
    controls: Mapping[str, Judgement] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def controls_rejected(self) -> int:
        return sum(j.outcome is Outcome.REJECTED for j in self.controls.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "check": self.check,
            "kind": str(self.kind),
            "verdict": str(self.verdict),
            "reason": self.reason,
            "evidence": self.evidence.to_json(),
            "formula": self.formula.to_json() if self.formula else None,
            "printed": self.printed.to_json() if self.printed else None,
            "controls": {name: j.to_json() for name, j in self.controls.items()},
            "provenance": dict(self.provenance),
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Result:
        return cls(
            claim=document["claim"],
            check=document["check"],
            kind=Kind(document["kind"]),
            verdict=Verdict(document["verdict"]),
            reason=document["reason"],
            evidence=Evidence.from_json(document["evidence"]),
            formula=Judgement.from_json(document["formula"]) if document["formula"] else None,
            printed=Judgement.from_json(document["printed"]) if document["printed"] else None,
            controls={name: Judgement.from_json(j) for name, j in document["controls"].items()},
            provenance=document["provenance"],
            seconds=document["seconds"],
        )


def assess(
    claim: Claim, check: Check, evidence: Evidence, *, seconds: float = 0.0, provenance: Mapping[str, Any] | None = None
) -> Result:
    """Judge the claim's formula, its printed form and every control by this evidence; one Result.

    A check that rejects no control is BROKEN however green it looks; a premise that does not hold makes it UNDECIDED.
    """
    symbols = list(claim.symbols)
    formula = judge(evidence, claim.formula, symbols)
    printed = judge(evidence, claim.flaw.printed, symbols) if claim.flaw else None
    controls = {c.name: judge(evidence, c.candidate, symbols) for c in claim.controls}
    verdict, reason = _verdict(check, evidence, formula, controls)
    return Result(
        claim.id,
        check.name,
        check.kind,
        verdict,
        reason,
        evidence,
        formula,
        printed,
        controls,
        provenance or {},
        seconds,
    )


def _verdict(
    check: Check, evidence: Evidence, formula: Judgement, controls: Mapping[str, Judgement]
) -> tuple[Verdict, str]:
    if strange := not_numbers(evidence):
        return Verdict.BROKEN, f"not a number was observed: {strange[0]}"
    failed = [p for p in evidence.premises if not p.holds]
    if failed:
        return Verdict.UNDECIDED, "; ".join(f"{p.name} does not hold ({p.detail})" for p in failed)
    if check.kind is Kind.PROOF and not evidence.identities:
        return Verdict.BROKEN, "a proof needs an identity that holds for all values; the evidence has none"
    if formula.outcome is Outcome.REJECTED:
        return Verdict.REFUTED, str(formula.counterexample)
    if formula.outcome is Outcome.UNDECIDED:
        return Verdict.UNDECIDED, formula.reason
    if not any(j.outcome is Outcome.REJECTED for j in controls.values()):
        return Verdict.BROKEN, "rejects none of the controls, so it could not have refuted the claim"
    return ACCEPTED[check.kind], formula.reason


@dataclass(frozen=True)
class ClaimStanding:
    """How a claim stands, computed from its results.

    expected     what the catalogue expects: CORRECTED where it knows a flaw, else ESTABLISHED
    killed       for each control the names of the checks that reject it: the kill matrix, one row a control
    refuted_by   the checks that reject the printed form
    fully        the claim and all it rests on stand
    waits_for    ids of claims it rests on that do not stand
    """

    claim: Claim
    standing: Standing
    reason: str
    results: tuple[Result, ...]
    killed: Mapping[str, tuple[str, ...]]
    refuted_by: tuple[str, ...]
    fully: bool = False
    waits_for: tuple[str, ...] = ()

    @property
    def expected(self) -> Standing:
        return Standing.CORRECTED if self.claim.flaw else Standing.ESTABLISHED

    @property
    def survivors(self) -> tuple[str, ...]:
        """The controls that no check rejects."""
        return tuple(name for name, checks in self.killed.items() if not checks)

    @property
    def controls_rejected(self) -> int:
        return len(self.killed) - len(self.survivors)


def stand(claims: Sequence[Claim], results: Iterable[Result]) -> dict[str, ClaimStanding]:
    """The standing of each claim, by id, from the results at hand (the last one of each check counts)."""
    latest: dict[tuple[str, str], Result] = {(r.claim, r.check): r for r in results}
    alone = {
        c.id: _stand_alone(c, [latest[c.id, k.name] for k in c.checks if (c.id, k.name) in latest]) for c in claims
    }
    return {claim_id: _with_support(s, alone) for claim_id, s in alone.items()}


def _stand_alone(claim: Claim, results: list[Result]) -> ClaimStanding:
    killed = {
        c.name: tuple(
            r.check for r in results if c.name in r.controls and r.controls[c.name].outcome is Outcome.REJECTED
        )
        for c in claim.controls
    }
    refuted_by = tuple(r.check for r in results if r.printed and r.printed.outcome is Outcome.REJECTED)
    standing, reason = _weigh(claim, results, killed, refuted_by)
    return ClaimStanding(claim, standing, reason, tuple(results), killed, refuted_by)


def _weigh(
    claim: Claim, results: list[Result], killed: Mapping[str, tuple[str, ...]], refuted_by: tuple[str, ...]
) -> tuple[Standing, str]:
    if not results:
        return Standing.UNCHECKED, "no check has run"
    for verdict, standing in (
        (Verdict.BROKEN, Standing.BROKEN),
        (Verdict.REFUTED, Standing.REFUTED),
    ):
        for r in results:
            if r.verdict is verdict:
                return standing, f"{r.check}: {r.reason}"
    survivors = [name for name, checks in killed.items() if not checks]
    open_checks = [r for r in results if not r.verdict.accepts]
    not_run = [c.name for c in claim.checks if c.name not in {r.check for r in results}]
    if survivors and not open_checks and not not_run:
        return Standing.BROKEN, f"no check rejects the control {survivors[0]}"
    if open_checks:
        return Standing.UNDECIDED, f"{open_checks[0].check}: {open_checks[0].reason}"
    if not_run:
        return Standing.UNDECIDED, f"not run: {', '.join(not_run)}"
    if claim.flaw is None:
        return Standing.ESTABLISHED, ""
    if not refuted_by:
        return Standing.BROKEN, f"no check refutes the printed form {candidate_name(claim.flaw.printed)}"
    return Standing.CORRECTED, f"the printed form is refuted ({claim.flaw.word}) and the corrected one established"


def _with_support(s: ClaimStanding, alone: Mapping[str, ClaimStanding]) -> ClaimStanding:
    """Add whether everything the claim rests on stands, however far down. Claims not at hand do not stand."""
    seen: set[str] = set()
    todo = list(s.claim.rests_on)
    missing = []
    while todo:
        claim_id = todo.pop()
        if claim_id in seen:
            continue
        seen.add(claim_id)
        below = alone.get(claim_id)
        if below is None or not below.standing.holds:
            missing.append(claim_id)
        if below is not None:
            todo.extend(below.claim.rests_on)
    return ClaimStanding(
        s.claim,
        s.standing,
        s.reason,
        s.results,
        s.killed,
        s.refuted_by,
        fully=s.standing.holds and not missing,
        waits_for=tuple(sorted(missing)),
    )
