"""One view of a judgement: what was given at each instance, what was observed, what the claim says, how far apart.

Terminal, page and command line show these rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from implicitbias.claims.evidence import Instance
from implicitbias.claims.statement import Candidate, Claim
from implicitbias.judging.beside import Beside, beside
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.readable import text
from implicitbias.judging.result import Result
from implicitbias.report.words import case_name, equals

LONGEST = 80
"""Characters of one value; what is left out stands in the exported JSON."""

AT_MOST = {"=": "", "<=": "at most ", ">=": "at least "}
"""Before what a candidate says, by how the observation is to compare with it."""


@dataclass(frozen=True)
class Row:
    """One instance, in words.

    where     the instance's own label
    says      what the claim says there, with "at most" or "at least" for a bound
    outcome   whether the observation bears the claim out there
    apart     how far apart the two are
    printed   what the printed form says there, if there is one; and whether it is refuted there
    other     what another candidate says there, a control or a conjecture; and whether it falls there
    """

    where: str
    given: str
    observed: str
    says: str
    outcome: Outcome
    apart: str
    printed: str = ""
    refuted: bool = False
    other: str = ""
    falls: bool = False


def rows(claim: Claim, result: Result, most: int, first: int = 0, other: Candidate | None = None) -> tuple[Row, ...]:
    """At most `most` of the check's instances, from number `first` on, with what `other` says beside the claim."""
    instances = result.evidence.instances[first : first + most]
    symbols = tuple(claim.symbols)
    says = beside(instances, claim.formula, symbols)
    nothing = (None,) * len(instances)
    printed = beside(instances, claim.printed, symbols) if claim.printed is not None else nothing
    others = beside(instances, other, symbols) if other is not None else nothing
    names = _named(instances, symbols)
    return tuple(_row(*found, names, result.formula) for found in zip(says, printed, others, strict=True))


def _named(instances: Sequence[Instance], symbols: Sequence[str]) -> list[str]:
    """The given values that are shown: those of the claim's symbols, or all where none of these is given."""
    named = [name for name in symbols if any(name in i.given for i in instances)]
    return named or list(dict.fromkeys(name for i in instances for name in i.given))


def _row(
    found: Beside, printed: Beside | None, other: Beside | None, names: Sequence[str], judgement: Judgement | None
) -> Row:
    instance = found.instance
    accepted = judgement is not None and judgement.outcome is Outcome.ACCEPTED  # of all, by more than enclosures
    return Row(
        where=case_name(instance.label),
        given=", ".join(equals(n, _short(text(instance.given[n]))) for n in names if n in instance.given),
        observed=_short(text(instance.observed)),
        says=AT_MOST[instance.relation] + _short(found.words),
        outcome=Outcome.ACCEPTED if accepted else found.outcome,
        apart=found.apart,
        printed=AT_MOST[instance.relation] + _short(printed.words) if printed else "",
        refuted=printed is not None and printed.outcome is Outcome.REJECTED,
        other=AT_MOST[instance.relation] + _short(other.words) if other else "",
        falls=other is not None and other.outcome is Outcome.REJECTED,
    )


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
