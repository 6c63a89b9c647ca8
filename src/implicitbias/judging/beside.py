"""What a candidate says of each instance, beside what was observed there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims.evidence import Instance, Value
from implicitbias.claims.statement import Candidate, Rule
from implicitbias.exact.formula import Expression, parse
from implicitbias.exact.rational import Interval, Number, decimal_text
from implicitbias.judging.agreement import agree
from implicitbias.judging.instances import predicted
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.readable import text

DIGITS = 2
"""Of a distance, for a reader."""


@dataclass(frozen=True)
class Beside:
    """One instance, and what a candidate says there.

    says      the candidate's value; None where it has none
    words     that value for a reader, or why there is none
    outcome   of comparing the two, or their enclosures; `judge` decides more, by more digits and exactly
    apart     how far apart they are: "equal", "within 2e-31", "met" or "0.5 below" for a bound, "off by 3"; empty where
              that is no number
    """

    instance: Instance
    says: Value
    words: str
    outcome: Outcome
    apart: str


def beside(instances: Iterable[Instance], candidate: Candidate, symbols: Sequence[str] = ()) -> tuple[Beside, ...]:
    """Each instance with what the candidate says there; nothing where a symbol of the formula is not given.

    Raises FormulaError for a formula outside the language.
    """
    asked = candidate if isinstance(candidate, Rule) else parse(candidate, symbols)
    return tuple(_one(instance, asked) for instance in instances)


def _one(instance: Instance, candidate: Rule | Expression) -> Beside:
    try:
        says = predicted(candidate, instance.given)
    except (ArithmeticError, ValueError) as error:
        return Beside(instance, None, f"nothing: {error}", Outcome.UNDECIDED, "")
    except Exception as error:  # a rule is anybody's code, and recorded evidence may be of an earlier version of it
        return Beside(instance, None, f"nothing: {type(error).__name__}: {error}", Outcome.UNDECIDED, "")
    outcome, _ = agree(instance.observed, instance.relation, says)
    return Beside(instance, says, text(says), outcome, _apart(instance, says, outcome))


def _apart(instance: Instance, says: Value, outcome: Outcome) -> str:
    observed, relation = instance.observed, instance.relation
    if not (_is_number(observed) and _is_number(says)):
        return {Outcome.ACCEPTED: "the same", Outcome.REJECTED: "differs", Outcome.UNDECIDED: ""}[outcome]
    low, high = _difference(says, observed)  # type: ignore[arg-type]
    if relation == ">=":
        low, high = -high, -low
    if outcome is Outcome.REJECTED:
        return f"off by {_digits(max(low, -high))}"
    if low == high == 0:
        return "equal" if relation == "=" else "met"
    if relation == "=" or low <= 0:
        return f"within {_digits(max(-low, high))}"
    return f"{_digits(low)} {'below' if relation == '<=' else 'above'}"


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Fraction | Interval) and not isinstance(value, bool)


def _difference(a: Number, b: Number) -> tuple[Fraction, Fraction]:
    """Bounds of a - b."""
    from implicitbias.exact.enclosure import lower, upper

    return lower(a) - upper(b), upper(a) - lower(b)


def _digits(number: Fraction) -> str:
    return decimal_text(number, DIGITS)
