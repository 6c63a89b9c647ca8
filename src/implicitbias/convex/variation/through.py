"""Problem (20) where cells are too many to list: bounds of the least variation through data, from a small penalty.

The dual p of problem (22) has |g| <= G everywhere, so that p·y/G is at most the least variation through the data for
whatever λ, and nearly that for a small one. The units of (22) nearly pass through the data. A cone programme over their
cells, those of a network that does pass, and ramps, finds units that do, which bounds it from above. Both bounds are
fractions; as `many_cells` says, G rests on branch and bound in floating point with its rounding accounted for, and the
certificate has the cones of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.labelled import Point, distinct
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.programmes.threads import one_thread
from implicitbias.convex.variation.bounds import Unit, exact_units, generic_direction, ramps_through, strong_units
from implicitbias.convex.variation.certificate import tv_certificate
from implicitbias.convex.variation.cone_proofs import cone_dual, proved_divisor
from implicitbias.convex.variation.directions import MOST_CONES, Bounded
from implicitbias.convex.variation.many_cells import FAINT, Cell, Held, bounded_fit, join
from implicitbias.convex.variation.polish import Atom
from implicitbias.convex.variation.programme import restricted
from implicitbias.exact.vectors import dot

Array = NDArray[np.float64]

ROUNDS = 4
LIGHT = 1e-4
"""λ in units of the mean square of the labels over what some network through them costs."""


@dataclass(frozen=True)
class BoundedInterpolant:
    """Units through the data, which cost `upper`, and p with |g| <= bound.goal: none cost less than `lower`.

    points  (x, 1) of the different points; equal ones with equal labels are taken once
    """

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    units: tuple[Unit, ...]
    p: tuple[Fraction, ...]
    bound: Bounded

    @property
    def upper(self) -> Fraction:
        return _cost(self.units)

    @property
    def lower(self) -> Fraction:
        """p·y/G, G = `proved_divisor(bound.goal)`, or 0 if that is more."""
        return max(Fraction(0), dot(self.p, self.y) / proved_divisor(self.bound.goal))

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper, 0 where all labels are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    def strong_units(self) -> list[Unit]:
        """The units that cost more than rounding, the most expensive first."""
        return strong_units(self.units)

    def certificate(self) -> dict[str, Any]:
        """The proof as a document for `certificate.kernel`, of all cones: it may be long, its lower bound is not below
        `lower`."""
        dual = cone_dual(self.points, self.p, self.bound.goal)
        return tv_certificate(self.points, self.y, self.units, dual, None, (dot(dual.p, self.y), self.upper))


def bounded_interpolant(
    points: Sequence[Sequence[Number]],
    labels: Sequence[Number],
    theta: Array | None = None,
    costs: float | None = None,
    accuracy: float = 1e-3,
    most: int = MOST_CONES,
) -> BoundedInterpolant:
    """Bounds of the least Σ|c_j||θ_j| of networks through the data, for many points or inputs.

    theta     (m, d + 1), the units of some network through the data, and of others if there are any
    costs     about what that network costs, which sets the scale of λ; of ramps through the data if none is known
    accuracy  how far |g| may exceed 1, relatively; the lower bound is about so far from the least
    most      cones of directions; UnsolvedError beyond

    Raises DataError as `bounded_fit` does, and if equal points have different labels.

    >>> points, labels = [[-1, -1], [-1, 1], [1, -1], [1, 1]], [1, -1, -1, 1]
    >>> found = bounded_interpolant(points, labels, np.eye(3), 3)
    >>> round(float(found.lower), 2), round(float(found.upper), 5)
    (2.83, 2.82843)
    """
    at, y = distinct(points, labels)
    square = float(np.mean([float(v) ** 2 for v in y]))
    if not square:
        return BoundedInterpolant(at, y, (), (Fraction(0),) * len(y), Bounded(0.0, 2 * 2 ** len(at[0]), 0, 1.0))
    if costs is None:
        costs = float(_cost(ramps_through(at, y)))
    found = bounded_fit([point[:-1] for point in at], y, LIGHT * square / costs, accuracy, most)
    near = np.array([[float(v) for v in u.theta] for u in found.units]).reshape(-1, len(at[0]))
    given = near if theta is None else np.vstack([near, theta])
    with one_thread():
        units = _passing(at, y, given)
    return BoundedInterpolant(at, y, units, found.p, found.bound)


def _passing(at: tuple[Point, ...], y: tuple[Fraction, ...], theta: Array) -> tuple[Unit, ...]:
    """Cheap units through the data, from the cells of these θ and of ramps; the best of some rounds."""
    table, labels = np.array([[float(v) for v in point] for point in at]), np.array([float(v) for v in y])
    lengths = np.linalg.norm(table, axis=1)
    directions, targets = table / lengths[:, None], labels / lengths
    size = float(np.abs(targets).max())
    known: dict[tuple[bytes, int], Cell] = {}
    start = np.vstack([theta[np.linalg.norm(theta, axis=1) > 0], _ramps(at)])
    for side in (False, True):
        join(known, directions, start, np.full(len(start), side))
    best: list[Unit] = []
    for turn in range(ROUNDS):
        cells = list(known.values())
        held = Held(directions, cells)
        _, u = restricted(held, targets / size, [(k, cell.side) for k, cell in enumerate(cells)], None)
        strong = np.flatnonzero(np.linalg.norm(u, axis=1) > FAINT)
        atoms = [Atom(1 - 2 * cells[k].side, u[k] * size) for k in strong]
        units = exact_units(at, y, atoms)
        if not turn or _cost(units) < _cost(best):
            best = units
        if not held.hold(u):
            break
        # a unit across its walls is one of another cell, where it may be cheaper
        join(known, directions, u[strong], np.array([cells[k].side > 0 for k in strong]))
    return tuple(best)


def _ramps(at: tuple[Point, ...]) -> Array:
    """The θ of ramps with kinks just before the points, along one direction: they can take any values."""
    direction = generic_direction(at)
    heights = sorted(dot(direction, point[:-1]) for point in at)
    kinks = [heights[0] - 1, *((low + high) / 2 for low, high in pairwise(heights))]
    return np.array([[float(v) for v in (*direction, -kink)] for kink in kinks])


def _cost(units: Sequence[Unit]) -> Fraction:
    return sum((unit.cost for unit in units), Fraction(0))
