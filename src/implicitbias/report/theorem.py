"""A theorem told to a reader, once for every screen: what is defined, what was found, how each step is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from implicitbias.claims.evidence import Proven
from implicitbias.judging.result import Formal, Result
from implicitbias.theorems.established import Conclusion

Kind = Literal["definition", "found", "step", "words", "coq"]


@dataclass(frozen=True)
class Line:
    """One line of the account.

    label    what the line is: `definition`, `for all`, `found`, or what a step says
    formula  the formula, if there is one
    note     how it is known
    """

    kind: Kind
    label: str
    formula: str = ""
    note: str = ""


def account(theorem: Proven, formal: Formal | None = None) -> Iterator[Line]:
    """The theorem from its definition to what was found in every case, and what Coq says of it.

    A step that several cases take is told once.
    """
    where = _where(theorem)
    yield Line("definition", f"defined{f' for {where}' if where else ''}", theorem.reads)
    yield from dict.fromkeys(Line("step", step.says, step.formula, step.verified) for step in theorem.steps)
    for conclusion in theorem.conclusions:
        yield from _found(conclusion)
    for words in theorem.words:
        yield Line("words", words, note="in words: no rule checks it")
    if formal is not None:
        yield coq(theorem, formal)


def told(result: Result) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    """The account of every theorem of a result, with its label."""
    return tuple(
        (str(theorem.document.get("label", "")), tuple(account(theorem, result.formal)))
        for theorem in result.evidence.theorems
    )


def coq(theorem: Proven, formal: Formal) -> Line:
    """What Coq says: the theorem from its definition, not its last line alone."""
    if formal.skipped:
        return Line("coq", "Coq was not asked", note=formal.reason)
    if not formal.accepted:
        return Line("coq", "Coq has not accepted it", note=formal.reason)
    versions = ", ".join(f"{name} {version}" for name, version in formal.versions.items())
    excluded = len(formal.excluded)
    also = f", and excludes {excluded} control{'' if excluded == 1 else 's'}" if excluded else ""
    note = f"{versions}; rests on {formal.axioms}" + (f"; {formal.reason}" if formal.reason else "")
    return Line("coq", f"Coq has accepted the theorem from its definition{also}", _name(theorem, formal), note)


def _name(theorem: Proven, formal: Formal) -> str:
    return formal.theorems.get(theorem.digest, "")


def _where(theorem: Proven) -> str:
    """The variables with their domains, and the hypotheses."""
    domains: dict[str, str] = dict(theorem.document["for_all"]["mapping"])
    assumed: list[str] = list(theorem.document["assuming"])
    by_domain: dict[str, list[str]] = {}
    for name, domain in domains.items():
        by_domain.setdefault(domain, []).append(name)
    return ", ".join([*(f"{', '.join(names)} {domain}" for domain, names in by_domain.items()), *assumed])


def _found(conclusion: Conclusion) -> Iterator[Line]:
    case = f" where {conclusion.label}" if conclusion.label else ""
    given = ", ".join(f"{name} = {text}" for name, text in conclusion.given.items() if name != text)
    if conclusion.index:
        yield Line("found", f"found{case}: at {conclusion.index} = 0", conclusion.value, given)
        yield Line("found", f"and after {conclusion.previous}", conclusion.step, "by induction")
    else:
        found = "found" if conclusion.relation == "=" else "an upper bound found"
        yield Line("found", f"{found}{case}", conclusion.value, given)
