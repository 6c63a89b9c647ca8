"""What the evidence demands of a formula: at each point that was tried, the least and the greatest value it may have.

A filter in floating point before the exact judge: whoever fails it by more than rounding would be refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, product
from math import inf
from random import Random

import numpy as np

from implicitbias.claims.evidence import Evidence, Identity, Instance, Relation
from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import NoValueError, evaluate, lower, upper
from implicitbias.exact.floating import Array, double
from implicitbias.exact.formula import Operation, parse
from implicitbias.exact.points import Point, allows, sample_points, special_points
from implicitbias.exact.rational import Interval, Number
from implicitbias.judging.tried import Case, equalities_of
from implicitbias.theorems.established import Conclusion
from implicitbias.theorems.points import points_of, sign_at
from implicitbias.theorems.sign import Hypothesis

ROUNDING = 1e-9
"""Relative size of what floating point may be wrong by; what differs by less counts as equal here."""

CASE_POINTS = 60
"""The most of the judge's own points at which one case of a proof is tried."""
SIMPLE_POINTS = 60
"""Points of a case that are drawn from simple fractions beside them, where slips show that large numbers hide."""
SIMPLE = tuple(Fraction(n, d) for n, d in product(range(-4, 5), (1, 2, 3)))


@dataclass(frozen=True)
class Demand:
    """At this point the value must lie between these, the ends included.

    given     the values of the symbols; of an enclosure the middle
    proved    it stems from a case of a proof, which holds for all values of its variables
    """

    given: Point
    least: float
    greatest: float
    proved: bool = False


@dataclass(frozen=True)
class Demands:
    """All demands, one a point, with the relations in which they were made.

    symbols    those that every instance and case gives as a number
    relations  of the instances; a case of a proof demands equality
    """

    symbols: tuple[str, ...]
    all: tuple[Demand, ...]
    relations: frozenset[Relation]

    @property
    def points(self) -> dict[str, Array]:
        return as_arrays([d.given for d in self.all], self.symbols)

    @property
    def least(self) -> Array:
        return np.array([d.least for d in self.all])

    @property
    def greatest(self) -> Array:
        return np.array([d.greatest for d in self.all])


def demands_of(evidence: Sequence[Evidence], symbols: Sequence[str]) -> Demands:
    """What all checks of a claim together demand; demands at one point are joined."""
    instances = [i for seen in evidence for i in seen.instances if _is_number(i.observed)]
    cases = [c for seen in evidence for c in equalities_of(seen)]
    usable = tuple(
        name
        for name in symbols
        if all(_is_number(i.given.get(name)) for i in instances) and all(name in c.given for c in cases)
    )
    found = [d for i in instances if (d := _of_instance(i, usable))]
    found += [d for c in cases for d in _of_case(c, usable)]
    relations: set[Relation] = {i.relation for i in instances} | ({"="} if cases else set())
    return Demands(usable, tuple(_joined(found)), frozenset(relations))


def as_arrays(points: Sequence[Point], symbols: Sequence[str]) -> dict[str, Array]:
    """Each symbol's values at the points. Raises FormulaError for a number beyond the range of doubles."""
    return {name: np.array([double(p[name]) for p in points]) for name in symbols}


def _of_instance(instance: Instance, symbols: Sequence[str]) -> Demand | None:
    observed: Number = instance.observed  # type: ignore[assignment]
    try:
        least = double(upper(observed) if instance.relation == "<=" else lower(observed))
        greatest = double(lower(observed) if instance.relation == ">=" else upper(observed))
    except FormulaError:
        return None
    bounds = {"=": (least, greatest), "<=": (least, inf), ">=": (-inf, greatest)}[instance.relation]
    return Demand({name: _middle(instance.given[name]) for name in symbols}, *bounds)  # type: ignore[arg-type]


def _of_case(case: Case, symbols: Sequence[str]) -> Iterator[Demand]:
    value = case.value if isinstance(case, Conclusion) else case.derived
    if isinstance(case, Conclusion) and case.index:
        return
    given = {name: parse(case.given[name], case.variables) for name in symbols}
    derived = parse(value, case.variables)
    formulas = [derived.tree, *(g.tree for g in given.values())]
    for point in chain(islice(_points(case, formulas), CASE_POINTS), _simple_points(case)):
        try:
            there = {name: _middle(evaluate(formula, point)) for name, formula in given.items()}
            wanted = evaluate(derived, point)
            yield Demand(there, double(lower(wanted)), double(upper(wanted)), proved=True)
        except (NoValueError, FormulaError):
            continue


def _points(case: Case, formulas: Sequence[Operation]) -> Iterator[Point]:
    if isinstance(case, Identity):
        yield from sample_points(case.variables)
        yield from special_points(case.variables, formulas)
    else:
        yield from points_of(case.variables, hypotheses_of(case), formulas)


def _simple_points(case: Case) -> Iterator[Point]:
    hypotheses = () if isinstance(case, Identity) else hypotheses_of(case)
    pools = {n: [v for v in SIMPLE if allows(domain, v)] for n, domain in case.variables.items()}
    generator = Random(0)
    for _ in range(SIMPLE_POINTS if pools else 0):
        point = {name: generator.choice(pool) for name, pool in pools.items()}
        if all(holds_at(h, point) for h in hypotheses):
            yield point


def hypotheses_of(case: Conclusion) -> tuple[Hypothesis, ...]:
    """What a case of a theorem supposes of its variables."""
    return tuple(
        Hypothesis(parse(text, case.variables).tree, strict)
        for texts, strict in ((case.positive, True), (case.nonnegative, False))
        for text in texts
    )


def holds_at(hypothesis: Hypothesis, point: Point) -> bool:
    """Whether it is seen to hold there."""
    sign = sign_at(hypothesis.tree, point)
    return sign is not None and sign >= int(hypothesis.strict)


def _joined(found: Sequence[Demand]) -> Iterator[Demand]:
    at: dict[tuple[Fraction, ...], Demand] = {}
    for demand in found:
        place = tuple(demand.given.values())
        known = at.get(place, demand)
        least, greatest = max(known.least, demand.least), min(known.greatest, demand.greatest)
        at[place] = Demand(demand.given, least, greatest, known.proved and demand.proved)
    yield from at.values()


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction | Interval) and not isinstance(value, bool)


def _middle(value: Number) -> Fraction:
    return (value.lower + value.upper) / 2 if isinstance(value, Interval) else Fraction(value)
