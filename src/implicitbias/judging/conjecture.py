"""A user's formula in the place of a claim's: what the evidence of each of its checks says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from implicitbias.claims.evidence import Evidence, Value
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import Result
from implicitbias.judging.tried import cases_of
from implicitbias.running.executor import OutOfTimeError, WorkerDiedError, WorkerPool

JUDGING_LIMIT = 60.0
"""Seconds for one judgement. Exact points come first; what remains is a simplification that may never end."""


def judged(
    results: Sequence[Result], formula: str, symbols: Sequence[str], pool: WorkerPool, limit: float = JUDGING_LIMIT
) -> Iterator[tuple[Result, Judgement]]:
    """Each result with what its evidence says about the formula, as it becomes known.

    Judged in a worker of the pool: a simplification may never return. Raises FormulaError as `judge` does.
    """
    for result in results:
        broken = [f"{p.name} does not hold" for p in result.evidence.premises if not p.holds]
        if not (result.evidence.instances or cases_of(result.evidence)):
            yield result, Judgement(Outcome.UNDECIDED, result.reason or "the check has no evidence")
        elif broken:
            yield result, Judgement(Outcome.UNDECIDED, "; ".join(broken))
        else:
            future = pool.submit_within(limit, judge, result.evidence, formula, tuple(symbols))
            try:
                yield result, future.result()
            except (OutOfTimeError, WorkerDiedError) as error:
                yield result, Judgement(Outcome.UNDECIDED, str(error))


def together(judgements: Sequence[Judgement]) -> Outcome:
    """Rejected if one check rejects, accepted if every check accepts, otherwise undecided."""
    if any(j.outcome is Outcome.REJECTED for j in judgements):
        return Outcome.REJECTED
    if judgements and all(j.outcome is Outcome.ACCEPTED for j in judgements):
        return Outcome.ACCEPTED
    return Outcome.UNDECIDED


def beside(evidence: Evidence, formula: str, symbols: Sequence[str]) -> tuple[tuple[float | None, float | None], ...]:
    """At each instance what was observed and what the formula says, as floats to plot; None if it is not a number.

    An interval is plotted at its middle. Raises FormulaError.
    """
    from implicitbias.exact.enclosure import evaluate

    expression = parse(formula, symbols)
    pairs = []
    for instance in evidence.instances:
        try:
            given = {name: instance.given[name] for name in expression.names}
            says = as_float(evaluate(expression, given))  # type: ignore[arg-type]
        except (ArithmeticError, KeyError, TypeError, ValueError):
            says = None
        pairs.append((as_float(instance.observed), says))
    return tuple(pairs)


def as_float(value: Value) -> float | None:
    """A number, or the midpoint of an interval; None for anything else and on overflow."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, Interval):
            return float((value.lower + value.upper) / 2)
        return float(value) if hasattr(value, "numerator") or isinstance(value, float) else None  # type: ignore[arg-type]
    except OverflowError:
        return None
