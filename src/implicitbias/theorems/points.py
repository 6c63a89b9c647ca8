"""Exact points of a setting: those of the domain at which every hypothesis holds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from implicitbias.exact.enclosure import Comparison, NoValueError, compare, evaluate
from implicitbias.exact.formula import Assumption, Expression, Operation
from implicitbias.exact.points import Point, sample_points, small_points, special_points
from implicitbias.exact.rational_values import RationalValues
from implicitbias.theorems.sign import Hypothesis

DRAWN = 240
"""Points in general position that are drawn before the hypotheses choose."""

KEPT = 40
"""The most points in general position that are kept."""


FEW = 8
"""With fewer points, as where data lie in [-1, 1], small fractions are drawn as well."""


def points_of(
    variables: Mapping[str, Assumption], hypotheses: Sequence[Hypothesis], formulas: Sequence[Operation]
) -> Iterator[Point]:
    """Points in general position, zeros, ties and points on borders, where the hypotheses hold."""
    yield from map(dict, _in_general_position(tuple(variables.items()), tuple(hypotheses)))
    borders = (*formulas, *(h.tree for h in hypotheses))
    holds = Holds(hypotheses)
    yield from (p for p in special_points(variables, borders) if holds(p))


@lru_cache(maxsize=256)
def _in_general_position(
    variables: tuple[tuple[str, Assumption], ...], hypotheses: tuple[Hypothesis, ...]
) -> tuple[Point, ...]:
    """Every question in a setting is tried at the same ones."""
    holds = Holds(hypotheses)
    drawn = _drawn(variables) if hypotheses else sample_points(dict(variables), count=KEPT)
    kept = tuple(itertools.islice((point for point in drawn if holds(point)), KEPT))
    if len(kept) >= FEW or not hypotheses:
        return kept
    small = (point for point in _drawn_small(variables) if holds(point))
    return (*kept, *itertools.islice(small, KEPT - len(kept)))


@lru_cache(maxsize=256)
def _drawn(variables: tuple[tuple[str, Assumption], ...]) -> tuple[Point, ...]:
    """The same whatever the hypotheses are."""
    return tuple(sample_points(dict(variables), count=DRAWN))


@lru_cache(maxsize=256)
def _drawn_small(variables: tuple[tuple[str, Assumption], ...]) -> tuple[Point, ...]:
    return tuple(small_points(dict(variables), DRAWN))


def counterexample(
    variables: Mapping[str, Assumption],
    hypotheses: Sequence[Hypothesis],
    tree: Operation,
    wrong: Callable[[int], bool],
) -> Point | None:
    """A point where the sign of the formula (-1, 0, 1) is wrong; None if none was found."""
    sign_of = SignAt(tree)
    for point in points_of(variables, hypotheses, (tree,)):
        sign = sign_of(point)
        if sign is not None and wrong(sign):
            return point
    return None


class SignAt:
    """The sign of one formula at exact points; None where it has no value or is not decided."""

    def __init__(self, tree: Operation) -> None:
        self._tree = tree
        self._rational = RationalValues(tree)

    def __call__(self, point: Mapping[str, Fraction]) -> int | None:
        if (exact := self._rational.at(point)) is not None:
            return int(exact > 0) - int(exact < 0)
        try:
            value = evaluate(Expression("", frozenset(point), self._tree), point)
        except NoValueError:
            return None
        return {Comparison.LESS: -1, Comparison.EQUAL: 0, Comparison.GREATER: 1}.get(compare(value, 0))


def sign_at(tree: Operation, point: Mapping[str, Fraction]) -> int | None:
    """The sign of the formula at one exact point."""
    return SignAt(tree)(point)


class Holds:
    """Whether the hypotheses hold at exact points."""

    def __init__(self, hypotheses: Sequence[Hypothesis]) -> None:
        self._hypotheses = [(SignAt(hypothesis.tree), hypothesis.strict) for hypothesis in hypotheses]

    def __call__(self, point: Mapping[str, Fraction]) -> bool:
        for sign_of, strict in self._hypotheses:
            sign = sign_of(point)
            if sign is None or sign < 0 or (sign == 0 and strict):
                return False
        return True
