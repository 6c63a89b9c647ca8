"""The least total variation of networks through data in any dimension (de Dios & Bruna 2020, problem (20)).

V = min Σ|c_j|·|θ_j| over all x ↦ Σ c_j [θ_j·(x, 1)]_+ through the data: the bias counts. A cone programme over the
cells of the data guesses a minimiser and a dual; both are made exact, and enclose V.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point, distinct, few_cells
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.programmes.threads import one_thread
from implicitbias.convex.variation.bounds import (
    STRONG,
    Dual,
    Unit,
    exact_dual,
    exact_units,
    generic_direction,
    strong_units,
)
from implicitbias.convex.variation.certificate import tv_certificate
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.polish import Atom, merged, polished
from implicitbias.convex.variation.programme import solve
from implicitbias.convex.weighted.least import weighted_interpolant
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.exact.vectors import dot

NEAR = (1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""How close to a wall an atom is taken to lie on it: tried in turn, the best bounds are kept."""

CLOSE = Fraction(1, 10**10)
MOST_AGAIN = 400
"""Up to this many cells, bounds further apart than CLOSE are computed again in another way."""

SAME = Fraction(1, 10**12)
"""Costs within this relative distance count as equal: then the candidate with the fewest units is kept."""


@dataclass(frozen=True)
class TvInterpolant:
    """Units through the data at cost `upper`, and a dual that shows that none costs less than `lower`.

    points  (x, 1) of the different points; equal ones with equal labels are taken once
    """

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    units: tuple[Unit, ...]
    dual: Dual
    cells: Cells

    @property
    def upper(self) -> Fraction:
        return sum((unit.cost for unit in self.units), Fraction(0))

    @property
    def lower(self) -> Fraction:
        return dot(self.dual.p, self.y)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper, 0 where all labels are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    def strong_units(self) -> list[Unit]:
        """The units that cost more than rounding, the most expensive first."""
        return strong_units(self.units)

    def __call__(self, x: Sequence[Number]) -> Fraction:
        """The function's value."""
        at = (*map(exact, x), Fraction(1))
        return sum((unit(at) for unit in self.units), Fraction(0))

    def certificate(self) -> dict[str, Any]:
        """The proof of lower <= V <= upper as a document for `certificate.kernel`."""
        return tv_certificate(self.points, self.y, self.units, self.dual, self.cells, (self.lower, self.upper))


def tv_interpolant(points: Sequence[Sequence[Number]], labels: Sequence[Number], again: bool = True) -> TvInterpolant:
    """Exact two-sided bounds on the least total variation, and units that attain the upper one.

    again  whether bounds that are far apart are sought a second time, by contacts to many digits, which takes longer

    Raises DataError if lengths differ, if equal points have different labels, and if there are too many cells.

    >>> found = tv_interpolant([[-1, -1], [-1, 1], [1, -1], [1, 1]], [1, -1, -1, 1])
    >>> round(float(found.lower), 9), round(float(found.upper), 9), len(found.strong_units())
    (2.828427125, 2.828427125, 4)
    """
    with one_thread():
        return _interpolant(*distinct(points, labels), again)


def _interpolant(at: tuple[Point, ...], y: tuple[Fraction, ...], again: bool) -> TvInterpolant:
    cells = few_cells(at)
    peaks = peaks_of(at, cells)
    guesses, duals = guesses_of(at, y, peaks)
    units = _best([exact_units(at, y, atoms) for atoms in guesses])
    promising = best_duals(at, y, duals, peaks)
    dual = max((exact_dual(at, p, cells.patterns, peaks) for p in promising), key=lambda found: dot(found.p, y))
    found = TvInterpolant(at, y, tuple(units), dual, cells)
    return found if found.gap < CLOSE or len(cells) > MOST_AGAIN or not again else _again(found)


def best_duals(
    at: Sequence[Point], y: Sequence[Fraction], duals: Sequence[Any], peaks: Peaks, count: int = 2
) -> list[Any]:
    """The `count` duals with the highest lower bounds, estimated in floating point."""
    table, labels = np.array([[float(v) for v in point] for point in at]), np.array([float(v) for v in y])
    lengths = np.linalg.norm(table, axis=1)

    def bound(p: Any) -> float:
        return float(p @ labels) / (1 + peaks.largest_excess(p * lengths))

    return sorted(duals, key=bound, reverse=True)[:count]


def _again(found: TvInterpolant) -> TvInterpolant:
    """The better of these bounds and those of `weighted_interpolant`, which finds contacts to many digits."""
    try:
        other = weighted_interpolant([point[:-1] for point in found.points], found.y)
    except (ArithmeticError, DataError):
        return found
    units = min(other.units, found.units, key=lambda units: sum((unit.cost for unit in units), Fraction(0)))
    candidates = [other.dual.p] if other.optimum is None else [other.optimum.p, other.dual.p]
    duals = [found.dual, *(exact_dual(found.points, p, found.cells.patterns) for p in candidates)]
    dual = max(duals, key=lambda dual: dot(dual.p, found.y))
    return TvInterpolant(found.points, found.y, tuple(units), dual, found.cells)


def _best(candidates: list[list[Unit]]) -> list[Unit]:
    """The cheapest; among candidates of equal cost up to rounding, one with the fewest strong units."""
    costs = [sum((unit.cost for unit in units), Fraction(0)) for units in candidates]
    cheap = min(costs) * (1 + SAME)
    return min(
        (units for units, cost in zip(candidates, costs, strict=True) if cost <= cheap),
        key=lambda units: sum(unit.cost > STRONG * cheap for unit in units),
    )


def peaks_of(at: Sequence[Point], cells: Cells) -> Peaks:
    """The `Peaks` of the points' cells. Raises DataError for inputs too large for floating point."""
    table = np.array([[float(value) for value in point] for point in at])
    if not np.isfinite(table).all():
        raise DataError("the inputs are too large for floating point: rescale them")
    return Peaks(table / np.linalg.norm(table, axis=1)[:, None], cells.patterns)


def guesses_of(
    at: Sequence[Point], labels: Sequence[Fraction], peaks: Peaks, penalty: float | None = None
) -> tuple[list[list[Atom]], list[Any]]:
    """Approximate minimisers and duals, of varying quality."""
    table, y = np.array([[float(value) for value in point] for point in at]), np.array([float(v) for v in labels])
    if not y.any():
        return [[]], [np.zeros(len(y))]
    direction = generic_direction(at)
    heights = [dot(direction, point[:-1]) for point in at]
    first = np.array([[height >= low for height in heights] for low in heights])
    found = solve(table, y, peaks, first, penalty)
    lengths = np.linalg.norm(table, axis=1)
    directions, targets = table / lengths[:, None], y / lengths
    slack = None if penalty is None else len(y) * penalty / (2 * lengths**2)
    raw = [Atom(block.sign, block.u) for block in found.blocks]
    guesses, duals = [merged(raw, 0.0)], [found.p]
    for near, wide in product(NEAR, (3.0, 30.0)):
        answer = polished(directions, targets, merged(raw, wide * near, near), found.p * lengths, near, slack)
        if answer is not None:
            guesses.append(answer[0])
            duals.append(answer[1] / lengths)
    return guesses, duals
