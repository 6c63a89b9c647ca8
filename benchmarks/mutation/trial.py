"""The judgement of mutants by a claim's evidence, and the proof that a survivor equals the formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.mutation.broken import mutants
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.exact.enclosure import Comparison, UndefinedError, compare, evaluate
from implicitbias.exact.formula import Assumption, parse
from implicitbias.exact.points import sample_points
from implicitbias.exact.symbolic import prove_zero, to_sympy
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.tried import cases_of

Case = tuple[Mapping[str, Assumption], Mapping[str, str]]
"""Free variables with their domains, and each symbol of the claim as an expression in them."""


@dataclass(frozen=True)
class Trial:
    """The number of mutants of a formula, and those that no point rejects. `broken`: why none was judged."""

    mutants: int
    survivors: tuple[str, ...]
    broken: str = ""


def tried(evidence: Sequence[Evidence], formula: str, symbols: Sequence[str]) -> Trial:
    """Judge every mutant of the formula at every instance and at exact points of every identity.

    >>> seen = Evidence(instances=(Instance("", {"x": 2}, 4), Instance("", {"x": 3}, 9)))
    >>> tried([seen], "x**2", ["x"])
    Trial(mutants=5, survivors=(), broken='')
    """
    points = [point for seen in evidence for point in _points(seen)]
    if not points:
        return Trial(0, (), "the ledger holds no evidence whose premises hold")
    if not _survivors(points, [formula], symbols):
        return Trial(0, (), "the evidence rejects the claim's own formula")
    broken = mutants(formula, list(symbols))
    return Trial(len(broken), _survivors(points, broken, symbols))


def _survivors(points: list[Instance], formulas: Sequence[str], symbols: Sequence[str]) -> tuple[str, ...]:
    """The formulas that no point rejects.

    The point that rejected the previous formula is tried first, which affects the time but not the answer.
    """
    left = []
    for formula in formulas:
        for place, point in enumerate(points):
            if judge(Evidence(instances=(point,)), formula, symbols).outcome is Outcome.REJECTED:
                points.insert(0, points.pop(place))
                break
        else:
            left.append(formula)
    return tuple(left)


def _points(evidence: Evidence) -> Iterator[Instance]:
    yield from evidence.instances
    for identity in evidence.identities:
        yield from _samples(identity)
    for theorem in evidence.theorems:
        for c in theorem.conclusions:
            if not (c.index or c.positive or c.nonnegative) and c.relation == "=":  # the judge tries the others
                yield from _samples(Identity(c.label, c.variables, c.given, c.value))


def _samples(identity: Identity) -> Iterator[Instance]:
    """The identity at the exact points where the judge tries it before any algebra."""
    given = {name: parse(formula, identity.variables) for name, formula in identity.given.items()}
    derived = parse(identity.derived, identity.variables)
    for point in sample_points(identity.variables):
        try:
            values = {name: evaluate(formula, point) for name, formula in given.items()}
            yield Instance(identity.label, values, evaluate(derived, point))
        except UndefinedError:
            continue


def proof_cases(evidence: Sequence[Evidence]) -> tuple[Case, ...]:
    """The cases distinguished by the derivations in the evidence."""
    return tuple((i.variables, i.given) for seen in evidence for i in cases_of(seen))


def equal(one: str, other: str, cases: Sequence[Case]) -> bool:
    """Whether the formulas are proved equal in every case: sympy reduces the difference to 0, balls agree.

    >>> equal("Abs(x)", "x", [({"t": "positive"}, {"x": "1 + t"})])
    True
    >>> equal("Abs(x)", "x", [({"x": "real"}, {"x": "x"})])
    False
    """
    return bool(cases) and all(_equal(one, other, case) for case in cases)


def _equal(one: str, other: str, case: Case) -> bool:
    variables, given = case
    values = {name: to_sympy(formula, variables) for name, formula in given.items()}
    first, second = (to_sympy(parse(formula, values), {}, **values) for formula in (one, other))
    return prove_zero(first - second).status is True


def weaker(evidence: Sequence[Evidence], formula: str, other: str, symbols: Sequence[str]) -> bool:
    """Whether the claim is only a bound, nowhere claimed to be attained, and `other` is nowhere stronger."""
    points = [point for seen in evidence for point in _points(seen)]
    return bool(points) and all(_says_no_more(point, formula, other, symbols) for point in points)


def _says_no_more(point: Instance, formula: str, other: str, symbols: Sequence[str]) -> bool:
    one, two = (evaluate(parse(text, symbols), point.given) for text in (formula, other))  # type: ignore[arg-type]
    wanted = {"<=": Comparison.LESS, ">=": Comparison.GREATER}.get(point.relation)
    return wanted is not None and compare(one, two) in (wanted, Comparison.EQUAL)
