"""The proofs of a catalogue given to Coq: one file a check, in a worker, with what came out as a record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from implicitbias.claims.statement import Claim
from implicitbias.errors import CoqError
from implicitbias.formal.document import Formalised, document
from implicitbias.formal.terms import NotInCoqError
from implicitbias.judging.result import Formal, Result
from implicitbias.theorems.theorem import Theorem

SECONDS = 240.0
"""CPU seconds that coqc may take for one file."""

Record = Mapping[str, Any]


def formalised(claim: Claim, result: Result) -> Formalised:
    """The Coq file of a proof. Raises NotInCoqError."""
    return _document(*_parts(claim, result))


def askable(claim: Claim, result: Result) -> bool:
    """Whether the result has theorems about the claim's formula."""
    return bool(result.evidence.theorems) and isinstance(claim.formula, str)


def asked(claim: Claim, result: Result) -> tuple[Any, ...]:
    """The arguments of `answer`, in a worker: plain values only."""
    return _parts(claim, result)


def answer(
    title: str, place: str, name: str, records: Sequence[Record], formula: str, controls: Sequence[str]
) -> Formal:
    """What Coq says: everything together first; if it refuses, the theorems alone and each control by itself."""
    from implicitbias.formal import coqc

    try:
        made = _document(title, place, name, records, formula, controls)
    except NotInCoqError as error:
        return Formal(False, str(error))
    try:
        coq = coqc.installed()
        text = made.text()
        said = coqc.check(text, seconds=SECONDS)
        excluded = dict(made.exclusions)
        if not said.accepted and excluded:
            said, excluded = _one_by_one(made)
    except CoqError as error:
        return Formal(False, str(error), skipped=True)
    versions = {"coq": coq.version, "coquelicot": coq.coquelicot, "interval": coq.interval}
    accepted = said.accepted and (bool(excluded) or not controls)
    reason = said.message or _left_out(made, controls, excluded)
    return Formal(
        accepted=accepted,
        reason=reason,
        theorems=made.theorems,
        excluded={control: made.exclusions[control].name for control in excluded} if said.accepted else {},
        axioms=str(said.grade or ""),
        versions=versions,
        text=digest(text),
        seconds=said.seconds,
    )


def digest(text: str) -> str:
    """The fingerprint of a Coq file."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _one_by_one(made: Formalised) -> tuple[Any, dict[str, Any]]:
    """The theorems alone, then with each exclusion: what is accepted."""
    from implicitbias.formal import coqc

    said = coqc.check(made.text([]), seconds=SECONDS)
    if not said.accepted:
        return said, {}
    grades, excluded = [said], {}
    for control, exclusion in made.exclusions.items():
        one = coqc.check(made.text([control]), seconds=SECONDS)
        if one.accepted:
            grades.append(one)
            excluded[control] = exclusion
    return max(grades, key=lambda a: len(a.axioms)), excluded


def _left_out(made: Formalised, controls: Sequence[str], excluded: Mapping[str, Any]) -> str:
    missing = [control for control in controls if control not in excluded]
    if not missing:
        return ""
    why = made.left_out.get(missing[0], "Coq finds no proof")
    return f"{len(missing)} of {len(controls)} controls are not excluded in Coq: {missing[0]} ({why})"


def _parts(claim: Claim, result: Result) -> tuple[str, str, str, tuple[Record, ...], str, tuple[str, ...]]:
    if not isinstance(claim.formula, str):
        raise NotInCoqError("the claim is a rule, not a formula")
    return (
        claim.title,
        f"{claim.paper}, {claim.source.locator}; {result.check}",
        claim.id,
        tuple(dict(theorem.document) for theorem in result.evidence.theorems),
        claim.formula,
        tuple(c.candidate for c in claim.controls if isinstance(c.candidate, str)),
    )


def _document(
    title: str, place: str, name: str, records: Sequence[Record], formula: str, controls: Sequence[str]
) -> Formalised:
    return document(title, place, name, [Theorem.from_json(record) for record in records], formula, controls)
