"""Is a candidate what was derived, for all values of the variables? Identities, and what the rules of theorems find."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from implicitbias.claims.evidence import Identity, Instance, Value
from implicitbias.exact.formula import Assumption, Expression, Operation, parse, substituted
from implicitbias.exact.rational import Number
from implicitbias.judging.instances import counterexample_at, judge_instance
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.readable import text
from implicitbias.theorems.established import Conclusion

if TYPE_CHECKING:
    from implicitbias.theorems.sign import Hypothesis

BY_SYMPY_ALONE = "equal by sympy's simplification alone"
"""The reason of an acceptance that two engines did not share: enough for a conjecture, not for PROVED."""

FIRST_TERMS = 9
"""So many terms of a sequence are compared exactly before its step is."""
FEWER = 4
"""The later terms are compared at each fourth of the points of the first: what is accepted is shown anyway."""


def judge_identity(identity: Identity, candidate: Expression) -> Judgement:
    """Whether the candidate equals the derived value for all values of the identity's variables."""
    from implicitbias.exact.points import sample_points, special_points
    from implicitbias.exact.symbolic import reduce_to_zero, to_sympy

    case = _case(identity.label, identity.variables, identity.given, identity.derived, candidate)
    points = [
        *sample_points(identity.variables),
        *special_points(identity.variables, (case.candidate.tree, case.value.tree)),
    ]
    if (judgement := _judge_at_points(case, points)) is not None:
        return judgement
    symbols = {name: to_sympy(formula, identity.variables) for name, formula in case.given.items()}
    residual = to_sympy(candidate, {}, **symbols) - to_sympy(case.value, identity.variables)
    if reduce_to_zero(residual) is None:
        return Judgement(
            Outcome.UNDECIDED,
            f"{case.place}equal at {len(points)} exact points, but sympy does not reduce the difference to 0",
        )
    return Judgement(Outcome.ACCEPTED)


def judge_conclusion(conclusion: Conclusion, candidate: Expression) -> Judgement:
    """Whether the candidate equals what a theorem's rule has found, wherever the hypotheses of the case hold.

    Where that is a bound the candidate must not be less; one that is may be true, so it is never rejected.
    """
    from implicitbias.theorems.points import points_of
    from implicitbias.theorems.sign import Hypothesis

    case = _case(conclusion.label, conclusion.variables, conclusion.given, conclusion.value, candidate)
    hypotheses = tuple(
        Hypothesis(parse(text, conclusion.variables).tree, strict)
        for texts, strict in ((conclusion.positive, True), (conclusion.nonnegative, False))
        for text in texts
    )
    if conclusion.index:
        return _judge_sequence(conclusion, case, hypotheses)
    if conclusion.relation == "<=":
        return _shown_no_less(case, conclusion.variables, hypotheses)
    points = list(points_of(conclusion.variables, hypotheses, (case.candidate.tree, case.value.tree)))
    if (judgement := _judge_at_points(case, points)) is not None:
        return judgement
    return _shown_equal(case, conclusion.variables, hypotheses, f"equal at {len(points)} exact points")


def _judge_sequence(conclusion: Conclusion, case: _Case, hypotheses: tuple[Hypothesis, ...]) -> Judgement:
    """Whether the candidate has the start and the step of a sequence: then it is the sequence, by induction."""
    from implicitbias.theorems.points import points_of

    n = Operation(conclusion.index)
    step = parse(conclusion.step, {*conclusion.variables, conclusion.previous})
    bare = {name: domain for name, domain in conclusion.variables.items() if name != conclusion.index}
    firsts = [
        case.at(conclusion.index, Operation("", number=Fraction(i)), case.value if i == 0 else _at(step, n.head, i - 1))
        for i in range(FIRST_TERMS)
    ]
    points = list(points_of(bare, hypotheses, (firsts[0].candidate.tree, firsts[1].candidate.tree, case.value.tree)))
    if (judgement := _judge_first_terms(firsts, points, conclusion.previous)) is not None:
        return judgement
    following = case.at(
        n.head,
        Operation("+", (n, Operation("", number=Fraction(1)))),
        Expression("", step.names, substituted(step.tree, {conclusion.previous: case.candidate.tree})),
    )
    agree = f"the first {FIRST_TERMS} terms equal at {len(points)} exact points"
    started = _shown_equal(firsts[0], bare, hypotheses, agree)
    if started.outcome is not Outcome.ACCEPTED:
        return started
    return _shown_equal(following, conclusion.variables, hypotheses, f"{agree}, the start equal")


def _judge_first_terms(
    terms: Sequence[_Case], points: Sequence[Mapping[str, Fraction]], previous: str
) -> Judgement | None:
    """As `_judge_at_points`, the true value of each term made from the one before."""
    from implicitbias.exact.enclosure import NoValueError, evaluate

    found = [_judge_at_points(terms[0], points)]
    for point in points[::FEWER]:
        with contextlib.suppress(NoValueError):
            truth = evaluate(terms[0].value, point)
            for term in terms[1:]:
                here: dict[str, Number] = {**point, previous: truth}
                truth = evaluate(term.value, here)
                found.append(_judge_at_points(term, [here]))
    for outcome in (Outcome.REJECTED, Outcome.UNDECIDED):
        for judgement in found:
            if judgement is not None and judgement.outcome is outcome:
                return judgement
    return None


def _shown_equal(
    case: _Case, variables: Mapping[str, Assumption], hypotheses: tuple[Hypothesis, ...], known: str
) -> Judgement:
    """Accepted where candidate = value is shown for all values of the variables; otherwise undecided.

    Two engines must show it, with the candidate defined everywhere; where they do not, sympy may, which is said.
    """
    from implicitbias.exact.symbolic import reduce_to_zero, to_sympy
    from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

    setting = Setting(variables, hypotheses)
    try:
        setting.defined(case.candidate.tree, "the candidate")
        setting.zero(minus(case.candidate.tree, case.value.tree), "candidate - value")
    except (NotShownError, RefusedError) as error:
        if isinstance(error, NotShownError):
            residual = to_sympy(case.candidate, variables) - to_sympy(case.value, variables)
            if reduce_to_zero(residual) is not None:
                return Judgement(Outcome.ACCEPTED, BY_SYMPY_ALONE)
        return Judgement(Outcome.UNDECIDED, f"{case.place}{known}, but {error}")
    return Judgement(Outcome.ACCEPTED)


def _shown_no_less(case: _Case, variables: Mapping[str, Assumption], hypotheses: tuple[Hypothesis, ...]) -> Judgement:
    """Accepted where candidate >= value is shown for all values of the variables, by certificate; else undecided."""
    from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

    setting = Setting(variables, hypotheses)
    try:
        setting.defined(case.candidate.tree, "the candidate")
        setting.at_least_zero(minus(case.candidate.tree, case.value.tree), "candidate - bound")
    except (NotShownError, RefusedError) as error:
        return Judgement(Outcome.UNDECIDED, f"{case.place}not shown to keep to the bound ({error})")
    return Judgement(Outcome.ACCEPTED)


def _at(formula: Expression, name: str, index: int) -> Expression:
    return Expression("", formula.names, substituted(formula.tree, {name: Operation("", number=Fraction(index))}))


@dataclass(frozen=True)
class _Case:
    """A candidate, with what each of its symbols is put in, beside the value that it must have."""

    label: str
    given: Mapping[str, Expression]
    value: Expression
    candidate: Expression

    @property
    def place(self) -> str:
        return f"{self.label}: " if self.label else ""

    def at(self, index: str, number: Operation, value: Expression) -> _Case:
        """The case in which the index is this, with another value."""
        there = {index: number}
        given = {n: Expression("", f.names, substituted(f.tree, there)) for n, f in self.given.items()}
        candidate = replace(self.candidate, tree=substituted(self.candidate.tree, there))
        return _Case(self.label, given, value, candidate)


def _case(
    label: str, variables: Mapping[str, Assumption], given: Mapping[str, str], value: str, candidate: Expression
) -> _Case:
    """Raises ValueError where a symbol of the candidate is not given."""
    if missing := candidate.names - given.keys():
        raise ValueError(f"{f'the case {label!r}' if label else 'the proof'} gives no {', '.join(sorted(missing))}")
    put_in = {name: parse(formula, variables) for name, formula in given.items()}
    tree = substituted(candidate.tree, {name: formula.tree for name, formula in put_in.items()})
    return _Case(label, put_in, parse(value, variables), Expression(candidate.text, frozenset(variables), tree))


def _judge_at_points(case: _Case, points: Sequence[Mapping[str, Number]]) -> Judgement | None:
    """Rejected or undecided by the exact points; None if the candidate has the value at all of them."""
    from implicitbias.exact.enclosure import NoValueError, evaluate

    tried, undecided = 0, None
    for point in points:
        try:
            values = {name: evaluate(formula, point) for name, formula in case.given.items()}
            truth = evaluate(case.value, point)
        except NoValueError:
            continue
        tried += 1
        judgement = _judge_at_a_point(Instance(case.label, values, truth), case.candidate, case.value, point)
        if judgement.outcome is Outcome.REJECTED:
            return judgement
        if judgement.outcome is Outcome.UNDECIDED:
            undecided = undecided or judgement
    if tried == 0:
        return Judgement(Outcome.UNDECIDED, f"{case.place}defined at none of the points tried")
    return undecided


def _judge_at_a_point(
    instance: Instance, candidate: Expression, derived: Expression, point: Mapping[str, Number]
) -> Judgement:
    """Whether both formulas have one value at an exact point; the sign of the difference decides what balls leave."""
    from implicitbias.exact.enclosure import BITS, NoValueError, evaluate

    judgement = Judgement(Outcome.UNDECIDED)
    for bits in (BITS, 4 * BITS, 16 * BITS):
        sharper = replace(instance, observed=evaluate(derived, point, bits))
        judgement = judge_instance(sharper, partial(_value_at, candidate, point, bits), list(instance.given))
        if judgement.outcome is not Outcome.UNDECIDED:
            return judgement
    difference = Operation("sign", (Operation("-", (candidate.tree, derived.tree)),))
    try:
        sign = evaluate(Expression("", candidate.names, difference), point)
    except NoValueError:
        return judgement
    if sign == 0:
        return Judgement(Outcome.ACCEPTED)
    counterexample = counterexample_at(instance, list(instance.given), text(evaluate(candidate, point)), "")
    return Judgement(Outcome.REJECTED, str(counterexample), counterexample)


def _value_at(formula: Expression, point: Mapping[str, Number], bits: int, given: Mapping[str, Value]) -> Value:
    from implicitbias.exact.enclosure import evaluate

    return evaluate(formula, point, bits)
