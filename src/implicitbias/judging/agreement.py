"""Do an observed and a predicted value agree? Numbers by their enclosures, structures element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from implicitbias.claims.evidence import Value
from implicitbias.exact.rational import Interval, Number
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.readable import number_text

AGREEMENT = Fraction(1, 2**100)
"""Enclosures that overlap agree where their ends agree to this, relative to their size: 30 digits."""


def agree(observed: Value, relation: str, predicted: Value) -> tuple[Outcome, str]:
    """Outcome and margin of `observed <relation> predicted`, structures element by element."""
    if is_number(observed) and is_number(predicted):
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


def is_number(value: Value) -> bool:
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
        return Outcome.REJECTED, number_text(gap)
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
