"""Does the evidence bear this candidate out? One function judges formulas and rules, claimed, printed or conjectured.

Nothing here knows which candidate is the claim and which is a control.
"""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Candidate, Rule
from implicitbias.exact.formula import parse
from implicitbias.judging.conclusions import BY_SYMPY_ALONE, judge_conclusion, judge_identity
from implicitbias.judging.instances import judge_formula, judge_instance
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.tried import cases_in_words, cases_of, instances_in_words
from implicitbias.theorems.established import Conclusion


def judge(evidence: Evidence, candidate: Candidate, symbols: Sequence[str] = ()) -> Judgement:
    """Hold one candidate against the evidence.

    Rejected: some identity or instance excludes it (the counterexample is the one that is shortest to write down).
    Accepted: every identity is proved and every instance agrees. Undecided: no contradiction, but no proof either.
    Raises FormulaError for a formula outside the language, ValueError for evidence that does not fit the candidate.
    """
    if isinstance(candidate, Rule):
        found = [judge_instance(i, candidate.predict, symbols) for i in evidence.instances]
    else:
        expression = parse(candidate, symbols)
        found = [judge_formula(i, expression, symbols) for i in evidence.instances]
        found += [judge_identity(i, expression) for i in evidence.identities]
        found += [judge_conclusion(c, expression) for t in evidence.theorems for c in t.conclusions]
    if not found:
        return Judgement(Outcome.UNDECIDED, "the evidence says nothing about a candidate of this kind")
    rejections = [j for j in found if j.outcome is Outcome.REJECTED]
    if rejections:
        return min(rejections, key=_length)
    undecided = [j for j in found if j.outcome is Outcome.UNDECIDED]
    if undecided:
        return undecided[0]
    alone = f"; {BY_SYMPY_ALONE}" if any(j.reason == BY_SYMPY_ALONE for j in found) else ""
    return Judgement(Outcome.ACCEPTED, _agreement(evidence, candidate, symbols) + alone)


def _agreement(evidence: Evidence, candidate: Candidate, symbols: Sequence[str]) -> str:
    parts = []
    cases = cases_of(evidence)
    if cases and isinstance(candidate, str):
        bounds = [case for case in cases if isinstance(case, Conclusion) and case.relation != "="]
        equal = [case for case in cases if case not in bounds]
        parts += [
            cases_in_words(found, symbols, what) for what, found in (("equal", equal), ("bounded", bounds)) if found
        ]
    if evidence.instances:
        parts.append(instances_in_words(evidence.instances, symbols))
    return "; ".join(parts)


def _length(judgement: Judgement) -> tuple[int, int]:
    c = judgement.counterexample
    return (sum(map(len, c.point.values())) + len(c.observed), len(c.label)) if c else (10**9, 0)
