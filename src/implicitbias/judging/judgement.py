"""Does the evidence bear this candidate out? One function judges formulas and rules, claimed, printed or conjectured.

Nothing here knows which candidate is the claim and which is a control.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from implicitbias.claims.evidence import Evidence, Identity, Instance, Value
from implicitbias.claims.statement import Candidate, Rule
from implicitbias.exact.formula import Assumption, Expression, Operation, parse, substituted
from implicitbias.exact.rational import Interval, Number, decimal_text
from implicitbias.judging.tried import cases_in_words, cases_of, instances_in_words
from implicitbias.theorems.established import Conclusion

if TYPE_CHECKING:
    from implicitbias.exact.enclosure import TooLargeError
    from implicitbias.theorems.sign import Hypothesis

AGREEMENT = Fraction(1, 2**100)
"""Enclosures that overlap agree where their ends agree to this, relative to their size: 30 digits."""


BY_SYMPY_ALONE = "equal by sympy's simplification alone"
"""The reason of an acceptance that two engines did not share: enough for a conjecture, not for PROVED."""

FIRST_TERMS = 9
"""So many terms of a sequence are compared exactly before its step is."""
FEWER = 4
"""The later terms are compared at each fourth of the points of the first: what is accepted is shown anyway."""


class Outcome(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Counterexample:
    """Where the candidate fails, so that it can be checked by hand: the point, the two values, the margin.

    label   a name for the point; empty if the given values say it all
    """

    label: str
    point: Mapping[str, str]
    observed: str
    candidate: str
    relation: str
    margin: str

    @property
    def place(self) -> str:
        """Where it fails: the label and the values of the symbols."""
        point = ", ".join(f"{name} = {value}" for name, value in self.point.items())
        return f"{self.label} at {point}".lstrip() if point else self.label

    def __str__(self) -> str:
        wanted = {"=": "", "<=": "at most ", ">=": "at least "}[self.relation]
        margin = f" (off by {self.margin})" if self.margin else ""
        found = f"observed {self.observed}, the candidate says {wanted}{self.candidate}{margin}"
        return f"{self.place}: {found}" if self.place else found

    def to_json(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "point": dict(self.point),
            "observed": self.observed,
            "candidate": self.candidate,
            "relation": self.relation,
            "margin": self.margin,
            "text": str(self),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Counterexample:
        return cls(**{k: document[k] for k in ("label", "point", "observed", "candidate", "relation", "margin")})


@dataclass(frozen=True)
class Judgement:
    """What the evidence says about one candidate."""

    outcome: Outcome
    reason: str = ""
    counterexample: Counterexample | None = None

    def to_json(self) -> dict[str, Any]:
        counterexample = self.counterexample.to_json() if self.counterexample else None
        return {"outcome": str(self.outcome), "reason": self.reason, "counterexample": counterexample}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Judgement:
        found = document["counterexample"]
        return cls(Outcome(document["outcome"]), document["reason"], Counterexample.from_json(found) if found else None)


def judge(evidence: Evidence, candidate: Candidate, symbols: Sequence[str] = ()) -> Judgement:
    """Hold one candidate against the evidence.

    Rejected: some identity or instance excludes it (the counterexample is the one that is shortest to write down).
    Accepted: every identity is proved and every instance agrees. Undecided: no contradiction, but no proof either.
    Raises FormulaError for a formula outside the language, ValueError for evidence that does not fit the candidate.
    """
    if isinstance(candidate, Rule):
        found = [_judge_instance(i, candidate.predict, symbols) for i in evidence.instances]
    else:
        expression = parse(candidate, symbols)
        found = [_judge_formula(i, expression, symbols) for i in evidence.instances]
        found += [_judge_identity(i, expression) for i in evidence.identities]
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


Predictor = Callable[[Mapping[str, Value]], Value]


def predicted(candidate: Rule | Expression, given: Mapping[str, Value]) -> Value:
    """What a rule or a formula says where the symbols have these values.

    Raises ArithmeticError where it says nothing, ValueError where a symbol has no exact value.
    """
    return candidate.predict(given) if isinstance(candidate, Rule) else _evaluate(candidate, given)


def _judge_formula(instance: Instance, expression: Expression, symbols: Sequence[str]) -> Judgement:
    """As `_judge_instance`, with more digits and at last exactly where enclosures are too wide to tell."""
    judgement = _judge_instance(instance, lambda given: _evaluate(expression, given), symbols)
    observed, relation = instance.observed, instance.relation
    exact = all(isinstance(instance.given.get(name), int | Fraction) for name in expression.names)
    if judgement.outcome is not Outcome.UNDECIDED or not exact:
        return judgement
    from implicitbias.exact.enclosure import BITS, NoValueError

    for bits in (4 * BITS, 16 * BITS):
        judgement = _judge_instance(instance, partial(_evaluate, expression, bits=bits), symbols)
        if judgement.outcome is not Outcome.UNDECIDED:
            return judgement
    if isinstance(observed, int | Fraction) and not isinstance(observed, bool):
        with contextlib.suppress(NoValueError):
            above = _sign_of_difference(expression, Fraction(observed), instance.given)
            if above == 0 or relation == ("<=" if above > 0 else ">="):
                return Judgement(Outcome.ACCEPTED)
    return judgement


def _sign_of_difference(expression: Expression, number: Fraction, given: Mapping[str, Value]) -> int:
    """The sign of formula - number, exactly. Raises NoValueError where it is not decided."""
    difference = Operation("-", (expression.tree, Operation("", number=number)))
    from implicitbias.exact.enclosure import UnresolvedError

    sign = _evaluate(Expression("", expression.names, Operation("sign", (difference,))), given)
    if not isinstance(sign, Fraction):
        raise UnresolvedError("the sign is not decided")
    return int(sign)


def _evaluate(expression: Expression, given: Mapping[str, Value], bits: int | None = None) -> Value:
    from implicitbias.exact.enclosure import BITS, evaluate

    values = {name: _number(given.get(name), name) for name in expression.names}
    return evaluate(expression, values, bits or BITS)


def _number(value: Value, name: str) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | Fraction | Interval):
        raise ValueError(f"the evidence gives no exact number for the symbol {name!r} (it gives {value!r})")
    return value


def _judge_instance(instance: Instance, predict: Predictor, symbols: Sequence[str]) -> Judgement:
    """Whether `observed <relation> predicted` at this instance."""
    from implicitbias.exact.enclosure import TooLargeError, UnresolvedError

    try:
        predicted = predict(instance.given)
    except TooLargeError as error:
        return _judge_too_large(instance, error, symbols)
    except UnresolvedError as error:
        place = _counterexample(instance, symbols, "", "").place
        says = f"{error}; an exact value there would decide it"
        return Judgement(Outcome.UNDECIDED, f"{place}: {says}" if place else says)
    except ArithmeticError as undefined:
        found = _counterexample(instance, symbols, f"undefined ({undefined})", "")
        return Judgement(Outcome.REJECTED, str(found), found)
    outcome, margin = agree(instance.observed, instance.relation, predicted)
    if outcome is Outcome.ACCEPTED:
        return Judgement(outcome)
    counterexample = _counterexample(instance, symbols, text(predicted), margin)
    if outcome is Outcome.REJECTED:
        return Judgement(outcome, str(counterexample), counterexample)
    return Judgement(outcome, f"the enclosures are too wide to tell: {counterexample}")


def _judge_too_large(instance: Instance, error: TooLargeError, symbols: Sequence[str]) -> Judgement:
    """A value beyond 2^LARGE in size differs from every observation of a smaller size."""
    from implicitbias.exact.enclosure import LARGE, lower, upper

    counterexample = _counterexample(instance, symbols, f"{'' if error.sign > 0 else '-'}more than 2^{LARGE}", "")
    observed = instance.observed
    if not _is_number(observed) or max(abs(lower(observed)), abs(upper(observed))) >= 2**LARGE:  # type: ignore[arg-type]
        return Judgement(Outcome.UNDECIDED, f"{counterexample.place}: {error}")
    if instance.relation == ("<=" if error.sign > 0 else ">="):
        return Judgement(Outcome.ACCEPTED)
    return Judgement(Outcome.REJECTED, str(counterexample), counterexample)


def _counterexample(instance: Instance, symbols: Sequence[str], candidate: str, margin: str) -> Counterexample:
    shown = symbols or instance.given.keys()
    point = {name: text(instance.given[name]) for name in shown if name in instance.given}
    return Counterexample(instance.label, point, text(instance.observed), candidate, instance.relation, margin)


def agree(observed: Value, relation: str, predicted: Value) -> tuple[Outcome, str]:
    """Outcome and margin of `observed <relation> predicted`, structures element by element."""
    if _is_number(observed) and _is_number(predicted):
        return _compare_numbers(observed, relation, predicted)  # type: ignore[arg-type]
    if isinstance(observed, Mapping) and isinstance(predicted, Mapping):
        if observed.keys() != predicted.keys():
            return Outcome.REJECTED, ""
        return _all(agree(observed[k], relation, predicted[k]) for k in observed)
    if _is_sequence(observed) and _is_sequence(predicted):
        if len(observed) != len(predicted):  # type: ignore[arg-type]
            return Outcome.REJECTED, ""
        return _all(agree(o, relation, p) for o, p in zip(observed, predicted, strict=True))  # type: ignore[arg-type]
    same = type(observed) is type(predicted) and observed == predicted
    return (Outcome.ACCEPTED if same else Outcome.REJECTED), ""


def _all(outcomes: Iterator[tuple[Outcome, str]]) -> tuple[Outcome, str]:
    worst: tuple[Outcome, str] = (Outcome.ACCEPTED, "")
    for outcome in outcomes:
        if outcome[0] is Outcome.REJECTED:
            return outcome
        if outcome[0] is Outcome.UNDECIDED:
            worst = outcome
    return worst


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Fraction | Interval) and not isinstance(value, bool)


def _is_sequence(value: Value) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _compare_numbers(observed: Number, relation: str, predicted: Number) -> tuple[Outcome, str]:
    from implicitbias.exact.enclosure import Comparison, compare, lower, upper

    order = compare(observed, predicted)
    excluded = {
        "=": (Comparison.LESS, Comparison.GREATER),
        "<=": (Comparison.GREATER,),
        ">=": (Comparison.LESS,),
    }[relation]
    if order in excluded:
        gap = max(lower(observed) - upper(predicted), lower(predicted) - upper(observed))
        return Outcome.REJECTED, _number_text(gap)
    if order is not Comparison.UNKNOWN:
        return Outcome.ACCEPTED, ""
    slack = AGREEMENT * (1 + max(abs(lower(observed)), abs(upper(observed))))
    hull = max(upper(observed), upper(predicted)) - min(lower(observed), lower(predicted))
    if relation == "=":
        inside = lower(observed) - slack <= lower(predicted) and upper(predicted) <= upper(observed) + slack
    else:
        inside = upper(observed) <= lower(predicted) if relation == "<=" else lower(observed) >= upper(predicted)
    agree = inside or hull <= slack
    return (Outcome.ACCEPTED if agree else Outcome.UNDECIDED), ""


def _judge_identity(identity: Identity, candidate: Expression) -> Judgement:
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
        judgement = _judge_instance(sharper, partial(_value_at, candidate, point, bits), list(instance.given))
        if judgement.outcome is not Outcome.UNDECIDED:
            return judgement
    difference = Operation("sign", (Operation("-", (candidate.tree, derived.tree)),))
    try:
        sign = evaluate(Expression("", candidate.names, difference), point)
    except NoValueError:
        return judgement
    if sign == 0:
        return Judgement(Outcome.ACCEPTED)
    counterexample = _counterexample(instance, list(instance.given), text(evaluate(candidate, point)), "")
    return Judgement(Outcome.REJECTED, str(counterexample), counterexample)


def _value_at(formula: Expression, point: Mapping[str, Number], bits: int, given: Mapping[str, Value]) -> Value:
    from implicitbias.exact.enclosure import evaluate

    return evaluate(formula, point, bits)


def text(value: Value) -> str:
    """A value for a reader: short fractions as they are, long ones and enclosures as decimals."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "nothing"}[value]
    if isinstance(value, int | Fraction):
        return _number_text(Fraction(value))
    if isinstance(value, Interval):
        return _interval_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {text(v)}" for k, v in value.items()) + "}"
    if _is_sequence(value):
        return "(" + ", ".join(text(v) for v in value) + ")"  # type: ignore[union-attr]
    return str(value)


def _number_text(number: Fraction) -> str:
    if number.denominator == 1 and abs(number) < 10**15:
        return str(number)
    if number.denominator < 10**9 and abs(number.numerator) < 10**12:
        return str(number)
    return "≈ " + decimal_text(number)


def _interval_text(interval: Interval) -> str:
    if interval.lower == interval.upper:
        return _number_text(interval.lower)
    size = max(abs(interval.lower), abs(interval.upper))
    if interval.width <= size * Fraction(1, 10**12):
        return "≈ " + decimal_text((interval.lower + interval.upper) / 2)
    return f"between {decimal_text(interval.lower, 8)} and {decimal_text(interval.upper, 8)}"
