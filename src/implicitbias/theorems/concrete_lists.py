"""Concrete lists of a few entries with the totals that they have: a sum is added up there, entry by entry."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Assumption, Expression, Operation
from implicitbias.exact.points import Point, allows
from implicitbias.theorems.entry_kind import Kind
from implicitbias.theorems.points import points_of, sign_at
from implicitbias.theorems.setting import Setting, minus, names_in, number, put
from implicitbias.theorems.sign import Hypothesis

LENGTHS = (1, 2, 3)
"""The lengths of the lists."""

EACH = 20
"""The most lists of one length."""

Variables = Mapping[str, Operation]
"""What the variables of an entry are called in a list: `v` is `v[0]` in the first entry."""


def lists_with_totals(
    setting: Setting,
    entries: Mapping[str, Assumption],
    own: Sequence[Hypothesis],
    kinds: Sequence[Kind],
    added: Callable[[list[Operation]], Operation],
    length: str | None,
) -> Iterator[tuple[Point, list[Operation]]]:
    """Exact points with what each entry of a list contributes there, where the hypotheses of the theorem hold.

    entries  the variables of an entry, `own` what holds for each entry
    kinds    every kind of entry, with what it contributes and what it adds to the totals
    added    how contributions are put together: a sum, a mean
    length   the variable that is the length of the list
    """
    totals = kinds[0].totals.keys() if kinds else set()
    early = tuple(h for h in setting.hypotheses if not names_in(h.tree) & totals)
    for n in LENGTHS:
        copies = [{name: Operation(f"{name}[{i}]") for name in entries} for i in range(n)]
        free = {name: domain for name, domain in setting.variables.items() if name not in totals and name != length}
        free |= {copy[name].head: domain for copy in copies for name, domain in entries.items()}
        each = tuple(Hypothesis(put(h.tree, copy), h.strict) for copy in copies for h in own)
        for drawn in itertools.islice(points_of(free, (*early, *each), ()), EACH):
            point = drawn if length is None else {**drawn, length: Fraction(n)}
            found = [(kind, copy) for copy in copies if (kind := _kind(kinds, setting, copy, point)) is not None]
            if len(found) == n and _completed(point, found, added, setting):
                yield point, [put(kind.term, copy) for kind, copy in found]


def _kind(kinds: Sequence[Kind], setting: Setting, copy: Variables, point: Point) -> Kind | None:
    """The kind that an entry of a list is of."""
    for kind in kinds:
        there = {name: domain for name, domain in kind.setting.variables.items() if name in copy}
        solved = {name: kind.setting.fixed[name] for name in copy.keys() - there.keys()}
        own = kind.setting.hypotheses[len(setting.hypotheses) :]
        if (
            all(allows(domain, point[copy[name].head]) for name, domain in there.items())
            and all(sign_at(minus(copy[name], put(tree, copy)), point) == 0 for name, tree in solved.items())
            and all(_holds(put(h.tree, copy), h.strict, point) for h in own)
        ):
            return kind
    return None


def _completed(
    point: Point,
    entries: Sequence[tuple[Kind, Variables]],
    added: Callable[[list[Operation]], Operation],
    setting: Setting,
) -> bool:
    """Put the totals into the point; whether they are rational and those of the theorem."""
    for name in entries[0][0].totals:
        value = exactly(added([put(kind.totals[name], copy) for kind, copy in entries]), point)
        if value is None:
            return False
        if name in setting.variables:
            point[name] = value
        elif sign_at(minus(setting.read(name), number(value)), point) != 0:
            return False
    return all(allows(domain, point[name]) for name, domain in setting.variables.items()) and all(
        _holds(h.tree, h.strict, point) for h in setting.hypotheses
    )


def _holds(tree: Operation, strict: bool, point: Point) -> bool:
    sign = sign_at(tree, point)
    return sign is not None and sign >= int(strict)


def exactly(tree: Operation, point: Point) -> Fraction | None:
    """The value of a formula at an exact point; None where it is not rational or there is none."""
    try:
        value = evaluate(Expression("", frozenset(point), tree), point)
    except NoValueError:
        return None
    return value if isinstance(value, Fraction) else None
