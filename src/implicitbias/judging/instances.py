"""Does a candidate say what was observed at one instance?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from implicitbias.claims.evidence import Instance, Value
from implicitbias.claims.statement import Rule
from implicitbias.exact.formula import Expression, Operation
from implicitbias.exact.rational import Interval, Number
from implicitbias.judging.agreement import agree, is_number
from implicitbias.judging.judgement import Counterexample, Judgement, Outcome
from implicitbias.judging.readable import text

if TYPE_CHECKING:
    from implicitbias.exact.enclosure import TooLargeError

Predictor = Callable[[Mapping[str, Value]], Value]


def predicted(candidate: Rule | Expression, given: Mapping[str, Value]) -> Value:
    """What a rule or a formula says where the symbols have these values.

    Raises ArithmeticError where it says nothing, ValueError where a symbol has no exact value.
    """
    return candidate.predict(given) if isinstance(candidate, Rule) else _evaluate(candidate, given)


def judge_formula(instance: Instance, expression: Expression, symbols: Sequence[str]) -> Judgement:
    """As `judge_instance`, with more digits and at last exactly where enclosures are too wide to tell."""
    judgement = judge_instance(instance, lambda given: _evaluate(expression, given), symbols)
    observed, relation = instance.observed, instance.relation
    exact = all(isinstance(instance.given.get(name), int | Fraction) for name in expression.names)
    if judgement.outcome is not Outcome.UNDECIDED or not exact:
        return judgement
    from implicitbias.exact.enclosure import BITS, NoValueError

    for bits in (4 * BITS, 16 * BITS):
        judgement = judge_instance(instance, partial(_evaluate, expression, bits=bits), symbols)
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


def judge_instance(instance: Instance, predict: Predictor, symbols: Sequence[str]) -> Judgement:
    """Whether `observed <relation> predicted` at this instance."""
    from implicitbias.exact.enclosure import TooLargeError, UnresolvedError

    try:
        predicted = predict(instance.given)
    except TooLargeError as error:
        return _judge_too_large(instance, error, symbols)
    except UnresolvedError as error:
        place = counterexample_at(instance, symbols, "", "").place
        says = f"{error}; an exact value there would decide it"
        return Judgement(Outcome.UNDECIDED, f"{place}: {says}" if place else says)
    except ArithmeticError as undefined:
        found = counterexample_at(instance, symbols, f"undefined ({undefined})", "")
        return Judgement(Outcome.REJECTED, str(found), found)
    outcome, margin = agree(instance.observed, instance.relation, predicted)
    if outcome is Outcome.ACCEPTED:
        return Judgement(outcome)
    counterexample = counterexample_at(instance, symbols, text(predicted), margin)
    if outcome is Outcome.REJECTED:
        return Judgement(outcome, str(counterexample), counterexample)
    return Judgement(outcome, f"the enclosures are too wide to tell: {counterexample}")


def _judge_too_large(instance: Instance, error: TooLargeError, symbols: Sequence[str]) -> Judgement:
    """A value beyond 2^LARGE in size differs from every observation of a smaller size."""
    from implicitbias.exact.enclosure import lower, upper
    from implicitbias.exact.no_value import LARGE

    counterexample = counterexample_at(instance, symbols, f"{'' if error.sign > 0 else '-'}more than 2^{LARGE}", "")
    observed = instance.observed
    if not is_number(observed) or max(abs(lower(observed)), abs(upper(observed))) >= 2**LARGE:  # type: ignore[arg-type]
        return Judgement(Outcome.UNDECIDED, f"{counterexample.place}: {error}")
    if instance.relation == ("<=" if error.sign > 0 else ">="):
        return Judgement(Outcome.ACCEPTED)
    return Judgement(Outcome.REJECTED, str(counterexample), counterexample)


def counterexample_at(instance: Instance, symbols: Sequence[str], candidate: str, margin: str) -> Counterexample:
    shown = symbols or instance.given.keys()
    point = {name: text(instance.given[name]) for name in shown if name in instance.given}
    return Counterexample(instance.label, point, text(instance.observed), candidate, instance.relation, margin)
