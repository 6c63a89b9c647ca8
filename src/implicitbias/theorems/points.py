"""Exact points of a setting: those of the domain at which every hypothesis holds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from implicitbias.exact.enclosure import Comparison, NoValueError, compare, evaluate
from implicitbias.exact.formula import Assumption, Expression, Operation
from implicitbias.exact.points import Point, sample_points, small_points, special_points
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
    yield from (p for p in special_points(variables, borders) if _allowed(p, hypotheses))


@lru_cache(maxsize=256)
def _in_general_position(
    variables: tuple[tuple[str, Assumption], ...], hypotheses: tuple[Hypothesis, ...]
) -> tuple[Point, ...]:
    """Every question in a setting is tried at the same ones."""
    drawn = sample_points(dict(variables), count=DRAWN if hypotheses else KEPT)
    kept = tuple(itertools.islice((point for point in drawn if _allowed(point, hypotheses)), KEPT))
    if len(kept) >= FEW or not hypotheses:
        return kept
    small = (point for point in small_points(dict(variables), DRAWN) if _allowed(point, hypotheses))
    return (*kept, *itertools.islice(small, KEPT - len(kept)))


def counterexample(
    variables: Mapping[str, Assumption],
    hypotheses: Sequence[Hypothesis],
    tree: Operation,
    wrong: Callable[[int], bool],
) -> Point | None:
    """A point where the sign of the formula (-1, 0, 1) is wrong; None if none was found."""
    for point in points_of(variables, hypotheses, (tree,)):
        sign = sign_at(tree, point)
        if sign is not None and wrong(sign):
            return point
    return None


def sign_at(tree: Operation, point: Mapping[str, Fraction]) -> int | None:
    """The sign of the formula at an exact point; None where it has no value or is not decided."""
    try:
        value = evaluate(Expression("", frozenset(point), tree), point)
    except NoValueError:
        return None
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    return {Comparison.LESS: -1, Comparison.EQUAL: 0, Comparison.GREATER: 1}.get(compare(value, 0))


def _allowed(point: Point, hypotheses: Sequence[Hypothesis]) -> bool:
    for hypothesis in hypotheses:
        sign = sign_at(hypothesis.tree, point)
        if sign is None or sign < 0 or (sign == 0 and hypothesis.strict):
            return False
    return True
