"""What came out: one Result per check of a claim, and the standing of a claim, computed from its Results.

A headline stands as its weakest member does: `ClaimStanding.standing` is what the claim's own checks say,
`ClaimStanding.whole` the weakest of that and the standings of its parts.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from implicitbias.claims.check import Check, Kind
from implicitbias.claims.evidence import Evidence, not_numbers
from implicitbias.claims.statement import Claim, candidate_name
from implicitbias.exact.formula import parse
from implicitbias.judging.conclusions import BY_SYMPY_ALONE
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.resolution import resolution
from implicitbias.judging.tried import cases_of, sizes
from implicitbias.judging.verdict import ACCEPTED, WEAKEST_FIRST, Standing, Verdict


@dataclass(frozen=True)
class Formal:
    """What Coq says about the theorems of a proof.

    accepted   Coq's kernel has accepted the theorems from their definitions, and that some control is excluded
    reason     why it has not, or what was left out
    skipped    Coq was not asked: it is not installed
    theorems   the names of the Coq theorems, by the digest of the record they were made from
    excluded   the controls whose negation was proved at a counterexample, with the theorem's name
    axioms     what they rest on: `closed`, `classical reals`, `machine arithmetic`
    versions   of Coq and its libraries
    text       the digest of the Coq file
    """

    accepted: bool
    reason: str = ""
    skipped: bool = False
    theorems: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    axioms: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """What one check says about one claim, with everything that was seen. Every screen and report reads this record."""

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
    formal: Formal | None = None

    @property
    def in_coq(self) -> bool:
        """Whether Coq has accepted the theorems of the proof from their definitions."""
        return self.verdict is Verdict.PROVED and self.formal is not None and self.formal.accepted

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
            "formal": asdict(self.formal) if self.formal else None,
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
            formal=Formal(**document["formal"]) if document.get("formal") else None,
        )


def assess(
    claim: Claim, check: Check, evidence: Evidence, *, seconds: float = 0.0, provenance: Mapping[str, Any] | None = None
) -> Result:
    """Judge the claim's formula, its printed form and every control by this evidence; one Result.

    A check that rejects no control is BROKEN however green it looks; a premise that does not hold makes it UNDECIDED.
    """
    symbols = list(claim.symbols)
    formula = judge(evidence, claim.formula, symbols)
    printed = judge(evidence, claim.printed, symbols) if claim.printed is not None else None
    controls = {c.name: judge(evidence, c.candidate, symbols) for c in claim.controls}
    verdict, reason = _verdict(claim, check, evidence, formula, controls)
    return Result(
        claim=claim.id,
        check=check.name,
        kind=check.kind,
        verdict=verdict,
        reason=reason,
        evidence=evidence,
        formula=formula,
        printed=printed,
        controls=controls,
        provenance=provenance or {},
        seconds=seconds,
    )


def _verdict(
    claim: Claim, check: Check, evidence: Evidence, formula: Judgement, controls: Mapping[str, Judgement]
) -> tuple[Verdict, str]:
    if strange := not_numbers(evidence):
        return Verdict.BROKEN, f"not a number was observed: {strange[0]}"
    failed = [p for p in evidence.premises if not p.holds]
    if failed:
        return Verdict.UNDECIDED, "; ".join(f"{p.name} does not hold ({p.detail})" for p in failed)
    if check.kind is Kind.PROOF and not (evidence.identities or evidence.theorems):
        return Verdict.BROKEN, "a proof needs a theorem that holds for all values; the evidence has none"
    if not (evidence.identities or evidence.theorems or evidence.instances):
        return Verdict.BROKEN, "it observed nothing that a candidate could be held against"
    if formula.outcome is Outcome.REJECTED:
        return Verdict.REFUTED, str(formula.counterexample)
    if formula.outcome is Outcome.UNDECIDED:
        return Verdict.UNDECIDED, formula.reason
    if not any(j.outcome is Outcome.REJECTED for j in controls.values()):
        return Verdict.BROKEN, "rejects none of the controls, so it could not have refuted the claim"
    if check.kind is Kind.EXPERIMENT and isinstance(claim.formula, str):
        told = resolution(evidence, parse(claim.formula, list(claim.symbols)))
        return ACCEPTED[check.kind], "; ".join(filter(None, (formula.reason, told)))
    if check.kind is not Kind.PROOF:
        return ACCEPTED[check.kind], formula.reason
    words = steps_in_words(evidence)
    reason = formula.reason + (f"; {words} step{'' if words == 1 else 's'} in words" if words else "")
    if sizes(cases_of(evidence), claim.symbols):
        return Verdict.CERTIFIED, reason
    others = evidence.identities or evidence.instances or evidence.premises
    shared = BY_SYMPY_ALONE not in formula.reason
    if evidence.theorems and shared and not others and not words:
        return Verdict.PROVED, reason
    return Verdict.DERIVED, reason


def steps_in_words(evidence: Evidence) -> int:
    """How much of a proof no rule and no engine has verified: steps, and definitions that use no primitive."""
    in_steps = sum(not step.verified for step in evidence.steps)
    return in_steps + sum(len(theorem.words) for theorem in evidence.theorems)


@dataclass(frozen=True)
class ClaimStanding:
    """How a claim stands, computed from its results.

    standing     what the claim's own checks say
    reason       why it does not hold, or how it was corrected
    killed       for each control the names of the checks that reject it: the kill matrix, one row per control
    refuted_by   the checks that reject the printed form
    fully        the claim and everything it rests on holds
    waits_for    ids of claims it rests on that do not hold
    parts        how the parts of a headline stand, in reading order
    left_out     how many parts do not count here: see `within`
    headline     the claim that this one is part of
    """

    claim: Claim
    standing: Standing
    reason: str
    results: tuple[Result, ...]
    killed: Mapping[str, tuple[str, ...]]
    refuted_by: tuple[str, ...]
    fully: bool = False
    waits_for: tuple[str, ...] = ()
    parts: tuple[ClaimStanding, ...] = ()
    left_out: int = 0
    headline: Claim | None = None

    @property
    def expected(self) -> Standing:
        """What the catalogue expects: OPEN for a conjecture, CORRECTED where a print is refuted, else ESTABLISHED."""
        if self.claim.conjecture:
            return Standing.OPEN
        return Standing.ESTABLISHED if self.claim.printed is None else Standing.CORRECTED

    @property
    def survivors(self) -> tuple[str, ...]:
        """The controls that no check rejects."""
        return tuple(name for name, checks in self.killed.items() if not checks)

    @property
    def controls_rejected(self) -> int:
        return len(self.killed) - len(self.survivors)

    @property
    def whole(self) -> Standing:
        """The standing of a headline: the weakest of its own and its parts'.

        If all of them hold it is the headline's own: corrected parts do not make an established headline CORRECTED.
        """
        members = {self.standing, *(part.standing for part in self.parts)}
        weakest = next(word for word in WEAKEST_FIRST if word in members)
        return self.standing if weakest.holds else weakest

    @property
    def weakest(self) -> ClaimStanding | None:
        """The first part of those that stand worst, if they do not hold."""
        failing = [part for part in self.parts if not part.standing.holds and part.standing is not Standing.OPEN]
        return min(failing, key=lambda part: WEAKEST_FIRST.index(part.standing), default=None)

    @property
    def part_counts(self) -> dict[Standing, int]:
        """How many parts have each standing that occurs, the weakest first."""
        counts = {word: sum(part.standing is word for part in self.parts) for word in WEAKEST_FIRST}
        return {word: number for word, number in counts.items() if number}

    def within(self, asked: Container[str]) -> ClaimStanding:
        """The same headline, for a report on the claims `asked`: other parts count only if they have been checked.

        So a run of the headline alone is not made worse by parts that it was never asked to run.
        """
        parts = tuple(part for part in self.parts if part.results or part.claim.id in asked)
        return replace(self, parts=parts, left_out=len(self.parts) - len(parts))


def stand(claims: Sequence[Claim], results: Iterable[Result]) -> dict[str, ClaimStanding]:
    """The standing of each claim, by id, from the results at hand (the last one of each check counts)."""
    latest: dict[tuple[str, str], Result] = {(r.claim, r.check): r for r in results}
    alone = {
        c.id: _stand_alone(c, [latest[c.id, k.name] for k in c.checks if (c.id, k.name) in latest]) for c in claims
    }
    supported = {claim_id: _with_support(s, alone) for claim_id, s in alone.items()}
    parts: dict[str, list[ClaimStanding]] = {}
    for name, s in supported.items():
        if s.claim.part_of in alone:
            supported[name] = replace(s, headline=alone[s.claim.part_of].claim)
            parts.setdefault(s.claim.part_of, []).append(supported[name])
    return {name: replace(s, parts=tuple(parts[name])) if name in parts else s for name, s in supported.items()}


def _stand_alone(claim: Claim, results: list[Result]) -> ClaimStanding:
    killed = {
        c.name: tuple(
            r.check for r in results if c.name in r.controls and r.controls[c.name].outcome is Outcome.REJECTED
        )
        for c in claim.controls
    }
    refuted_by = tuple(r.check for r in results if r.printed and r.printed.outcome is Outcome.REJECTED)
    standing, reason = _weigh(claim, results, killed, refuted_by)
    return ClaimStanding(
        claim=claim, standing=standing, reason=reason, results=tuple(results), killed=killed, refuted_by=refuted_by
    )


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
    if survivors and not open_checks and not not_run and not _never_judged(claim, results):
        return Standing.BROKEN, f"no check rejects the control {survivors[0]}"
    if open_checks:
        return Standing.UNDECIDED, f"{open_checks[0].check}: {open_checks[0].reason}"
    if not_run:
        return Standing.UNDECIDED, f"not run: {', '.join(not_run)}"
    if newer := _never_judged(claim, results):
        return Standing.UNDECIDED, f"{newer} is newer than these results: run the claim again"
    if claim.conjecture:
        return Standing.OPEN, "a conjecture: the search has found nothing against it, and nothing proves it"
    if claim.flaw is None or claim.flaw.printed is None:
        return Standing.ESTABLISHED, ""
    if not refuted_by:
        return Standing.BROKEN, f"no check refutes the printed form {candidate_name(claim.flaw.printed)}"
    word = claim.flaw.erratum.word
    return Standing.CORRECTED, f"the printed form is refuted ({word}) and the corrected one established"


def _never_judged(claim: Claim, results: list[Result]) -> str:
    """What the claim has and some result was never held against: it was made before. Empty if there is nothing."""
    if claim.printed is not None and all(r.printed is None for r in results):
        return "the printed form"
    names = (c.name for c in claim.controls if any(c.name not in r.controls for r in results))
    return next((f"the control {name}" for name in names), "")


def _with_support(s: ClaimStanding, alone: Mapping[str, ClaimStanding]) -> ClaimStanding:
    """Add whether everything the claim rests on holds, however far down. A claim that is not at hand does not hold."""
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
    return replace(s, fully=s.standing.holds and not missing, waits_for=tuple(sorted(missing)))
