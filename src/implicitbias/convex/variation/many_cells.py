"""Problem (22) where cells are too many to list: units by column generation, a bound by branch and bound.

Cells join a cone programme where ascent of |g| from many starts leads above 1, g the dual function of the programme
over the cells so far; when none is found any more, `directions.bounded_on_sphere` bounds |g| everywhere, or finds a
place that the ascent missed. With max |g| <= G the dual p/G is feasible, and
  λ p·y/G - (nλ²/4)|p|²/G² <= V <= the penalised loss of the units,
both in fractions. The lower bound rests on branch and bound in floating point with its rounding accounted for; there is
no certificate for the trusted checker, whose format lists all cells. `penalised` has one where they can be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.labelled import Point, distinct
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.programmes.threads import one_thread
from implicitbias.convex.variation.bounds import Unit
from implicitbias.convex.variation.descent import climbed, descended
from implicitbias.convex.variation.directions import MOST_CONES, Bounded, bounded_on_sphere, require_few_orthants
from implicitbias.convex.variation.penalised import penalised_loss
from implicitbias.convex.variation.programme import restricted
from implicitbias.errors import DataError, UnsolvedError
from implicitbias.exact.rational import exact
from implicitbias.exact.vectors import dot

Array = NDArray[np.float64]

ROUNDS = 80
STARTS = 400
"""Random directions from which |g| is climbed in each round, besides those of the data and of the units."""
JOIN = 120
"""Number of cells that join at a time, the worst first."""
NEAREST = 6
"""A cell is held by so many times d + 1 of the hyperplanes, those nearest to the direction that named it: units that
leave it across others are still units, with another pattern, which then joins."""
FAINT = 1e-9


@dataclass(frozen=True)
class BoundedFit:
    """Units with penalised loss `upper`, and p with |g| <= bound.largest, so that no network has less than `lower`."""

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    penalty: Fraction
    units: tuple[Unit, ...]
    p: tuple[Fraction, ...]
    bound: Bounded
    cells: int

    @property
    def upper(self) -> Fraction:
        return penalised_loss(self.points, self.y, self.penalty, self.units)

    @property
    def lower(self) -> Fraction:
        """The bound of p/G, G = max(1, bound.largest)."""
        p = [value / max(Fraction(1), Fraction(self.bound.largest)) for value in self.p]
        return self.penalty * dot(p, self.y) - len(self.y) * self.penalty**2 / 4 * dot(p, p)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)


@dataclass(frozen=True)
class _Held:
    """Some cells, each held by its nearest walls alone: what `programme.restricted` needs of `Peaks`."""

    directions: Array
    patterns: NDArray[np.bool_]
    walls: NDArray[np.intp]
    inward: Array

    def of(self, cell: int) -> NDArray[np.intp]:
        return np.asarray(self.walls[cell])


def bounded_fit(
    points: Sequence[Sequence[Number]],
    labels: Sequence[Number],
    penalty: Number,
    accuracy: float = 1e-6,
    most: int = MOST_CONES,
    seed: int = 0,
) -> BoundedFit:
    """Bounds of the least (1/n) Σ (f(x_i) - y_i)² + λ Σ|c_j||θ_j|, for many points or inputs.

    accuracy  how far |g| may exceed 1: the bounds are about so far apart, relatively
    most      cones of directions; UnsolvedError beyond

    >>> found = bounded_fit([[0, 1], [1, 0], [1, 1]], [1, 2, 0], "0.1")
    >>> 0 <= found.gap < 1e-5
    True
    """
    weight = exact(penalty)
    if weight <= 0:
        raise DataError(f"the penalty must be positive, not {weight}")
    at, y = distinct(points, labels)
    if len(at) < len(points):
        raise DataError("points repeat: the mean of the loss would change; keep each point once")
    require_few_orthants(len(at[0]), most)
    with one_thread():
        return _generated(at, y, weight, accuracy, most, seed)


def _generated(
    at: tuple[Point, ...], y: tuple[Fraction, ...], weight: Fraction, accuracy: float, most: int, seed: int
) -> BoundedFit:
    table, labels = np.array([[float(v) for v in point] for point in at]), np.array([float(v) for v in y])
    n, r = table.shape
    lengths = np.linalg.norm(table, axis=1)
    directions, targets = table / lengths[:, None], labels / lengths
    size = float(np.abs(targets).max()) or 1.0
    loss = lengths**2 * size / (n * float(weight))
    draw = np.random.default_rng(seed)
    start = descended(table[:, :-1], labels, float(weight), seed=seed)
    theta = start.theta / np.maximum(np.linalg.norm(start.theta, axis=1), 1e-300)[:, None]
    known: dict[tuple[bytes, int], Array] = {}
    join(known, directions, theta, (start.c < 0).astype(int))
    p, units = np.zeros(n), np.zeros((0, r))
    extra = np.zeros((0, r))
    for _ in range(ROUNDS):
        if known:
            names = list(known)
            held = held_by_nearest(directions, np.array([known[name] for name in names]))
            sides = [side for _, side in names]
            p, units = restricted(held, targets / size, list(zip(range(len(names)), sides, strict=True)), loss)
        starts = np.vstack([draw.normal(size=(STARTS, r)), directions, -directions, units, extra])
        starts = starts[np.linalg.norm(starts, axis=1) > 0]
        values, theta = climbed(directions, p, starts / np.linalg.norm(starts, axis=1)[:, None])
        order = np.argsort(-np.abs(values))
        order = order[np.abs(values[order]) > 1 + accuracy / 4]
        before = len(known)
        for k in order:
            if len(known) >= before + JOIN:
                break
            join(known, directions, theta[k : k + 1], np.array([int(values[k] < 0)]))
        if known:
            own = np.linalg.norm(units, axis=1) > FAINT * size
            join(
                known, directions, units[own], np.array([side for (_, side), on in zip(names, own, strict=True) if on])
            )
        if len(known) == before:
            bound = bounded_on_sphere(directions, p, 1 + accuracy, most)
            if bound.witness is None:
                break
            extra = bound.witness[None]
            values, theta = climbed(directions, p, extra / np.linalg.norm(extra))
            join(known, directions, theta, (values < 0).astype(int))
            if len(known) == before:
                raise UnsolvedError(f"|g| cannot be brought to 1 + {accuracy:g}: ask for a larger accuracy")
    else:
        raise UnsolvedError(f"cells still joined after {ROUNDS} rounds")
    found = [
        Unit(Fraction(1 - 2 * side), tuple(Fraction(float(v * size)) for v in u))
        for (_, side), u in zip(known, units, strict=True)
        if np.linalg.norm(u) > FAINT * size
    ]
    dual = tuple(Fraction(float(v / length)) for v, length in zip(p, lengths, strict=True))
    return BoundedFit(at, y, weight, tuple(found), dual, bound, len(known))


def join(known: dict[tuple[bytes, int], Array], directions: Array, theta: Array, sides: NDArray[np.int_]) -> None:
    """The cells of these directions and signs, unless they are there."""
    patterns = theta @ directions.T > 0
    for row, direction, side in zip(patterns, theta, sides, strict=True):
        known.setdefault((row.tobytes(), int(side)), direction / np.linalg.norm(direction))


def held_by_nearest(directions: Array, theta: Array) -> _Held:
    heights = theta @ directions.T
    nearest = np.argsort(np.abs(heights), axis=1)[:, : NEAREST * directions.shape[1]]
    patterns = heights > 0
    sides = np.where(np.take_along_axis(patterns, nearest, axis=1), 1.0, -1.0)
    return _Held(directions, patterns, nearest, directions[nearest] * sides[:, :, None])
