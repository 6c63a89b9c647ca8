"""Demands that floating point can hold the claim's own formula against, and those that need fractions.

Numbers of great size that nearly cancel, a tie at a third or a probability of 10^-1001 are there in fractions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from implicitbias.claims.domain import Condition
from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import NoValueError, evaluate, lower, upper
from implicitbias.exact.floating import Array, double
from implicitbias.exact.formula import Expression, Operation
from implicitbias.exact.points import Point
from implicitbias.exact.rational import Number
from implicitbias.judging.rivals.demands import ROUNDING, Demand, Demands
from implicitbias.judging.rivals.elsewhere import holds


class UntoldError(Exception):
    """Why the evidence is no ground for a search, in words."""


def with_room(demands: Demands, says: Array) -> tuple[Array, Array]:
    """The bounds, with room for rounding."""
    room = ROUNDING * (1 + np.where(np.isfinite(says), np.abs(says), 0))
    return demands.least - room, demands.greatest + room


def told(
    demands: Demands, formula: Operation, says: Array, domain: Sequence[Condition]
) -> tuple[Demands, tuple[Demand, ...]]:
    """The demands at which floating point sees that the formula meets them and that the domain holds; and the others.

    says  the formula's values in floating point
    Raises UntoldError, with the reason, where the formula or the domain fails in fractions as well, or nothing is left.
    """
    least, greatest = with_room(demands, says)
    fits = (says >= least) & (says <= greatest)
    if not all(meets(demands.all[row], formula) for row in np.flatnonzero(~fits)):
        raise UntoldError("the evidence does not accept the claim's own formula")
    arrays = demands.points
    proved = np.array([d.proved for d in demands.all])  # a proof may say more than the claim
    for wanted in domain:
        seen = holds(wanted, arrays) | proved
        if not all(_holds(wanted, demands.all[row].given) for row in np.flatnonzero(~seen)):
            raise UntoldError(f"the evidence leaves the claim's domain: {wanted.text}")
        fits &= seen
    if not fits.any():
        raise UntoldError("floating point cannot hold the evidence against the claim's own formula")
    kept, lost = (tuple(demands.all[row] for row in np.flatnonzero(fits == sort)) for sort in (True, False))
    return replace(demands, all=kept), lost


def meets(demand: Demand, formula: Operation) -> bool:
    """Whether the formula meets the demand, in fractions or balls."""
    found = _value(formula, demand.given)
    if found is None:
        return False
    try:
        low, high = double(lower(found)), double(upper(found))
    except FormulaError:
        return False
    room = ROUNDING * (1 + abs(high))
    return low <= demand.greatest + room and high >= demand.least - room


def _holds(wanted: Condition, point: Point) -> bool:
    found = _value(wanted.difference, point)
    return found is not None and (lower(found) > 0 if wanted.strict else lower(found) >= 0)


def _value(tree: Operation, point: Point) -> Number | None:
    try:
        return evaluate(Expression("", frozenset(point), tree), point)
    except (NoValueError, FormulaError):
        return None
