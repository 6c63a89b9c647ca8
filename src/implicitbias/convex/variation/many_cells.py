"""Problem (22) where cells are too many to list: units by column generation, a bound by branch and bound.

Cells join a cone programme where ascent of |g| from many starts leads above 1, g the dual function of the programme
over the cells so far; when none is found any more, `directions.bounded_on_sphere` bounds |g| everywhere, or finds a
place that the ascent missed. With max |g| <= G the dual p/G is feasible, and
  λ p·y/G - (nλ²/4)|p|²/G² <= V <= the penalised loss of the units,
both in fractions. The lower bound rests on branch and bound in floating point with its rounding accounted for; the
certificate has its cones, and what is exact on each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.labelled import Point, distinct
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.programmes.threads import one_thread
from implicitbias.convex.variation.bounds import Unit
from implicitbias.convex.variation.certificate import penalised_certificate
from implicitbias.convex.variation.cone_proofs import cone_dual, proved_divisor
from implicitbias.convex.variation.descent import climbed, descended
from implicitbias.convex.variation.directions import MOST_CONES, Bounded, bounded_on_sphere, require_few_orthants
from implicitbias.convex.variation.penalised import Penalised, penalised_bound, penalised_loss
from implicitbias.convex.variation.polish import Atom, merged
from implicitbias.convex.variation.programme import restricted
from implicitbias.errors import DataError, UnsolvedError
from implicitbias.exact.rational import exact

Array = NDArray[np.float64]

ROUNDS = 80
STARTS = 400
"""Random directions from which |g| is climbed in each round, besides those of the data and of the units."""
JOIN = 120
"""Number of cells that join at a time, the worst first."""
NEAREST = 6
"""A cell is held by so many times d + 1 of the hyperplanes, those nearest to the direction that named it, and by
those that its unit crosses."""
FAINT = 1e-9
SAME = (1e-9, 1e-6, 1e-5, 1e-4)
"""Units of one sign at such an angle, from neighbouring cells, are tried as one; what has the least loss stays."""
ON_WALL = 1e-9
"""Outputs below this are rounding of the cone programme, the largest |y_i|/|x̃_i| being 1."""


@dataclass(frozen=True)
class BoundedFit(Penalised):
    """Units with penalised loss `upper`, and p with |g| <= bound.goal, so that no network has less than `lower`."""

    p: tuple[Fraction, ...]
    bound: Bounded
    cells: int

    @property
    def lower(self) -> Fraction:
        """The bound of p/G, G = `proved_divisor(bound.goal)`."""
        p = [value / proved_divisor(self.bound.goal) for value in self.p]
        return penalised_bound(p, self.y, self.penalty)

    def certificate(self) -> dict[str, Any]:
        """The proof, of all cones: it may be long, and its lower bound is not below `lower`."""
        dual = cone_dual(self.points, self.p, self.bound.goal)
        proved = penalised_bound(dual.p, self.y, self.penalty), self.upper
        return penalised_certificate(self.points, self.y, self.penalty, self.units, dual, None, proved)


@dataclass
class Cell:
    """A cell by a direction in it, and hyperplanes that hold it: those nearest to the direction, and those that its
    unit has crossed."""

    pattern: NDArray[np.bool_]
    side: int
    walls: list[int]


class Held:
    """Some cells, each held by some of its hyperplanes: what `programme.restricted` needs of `Peaks`."""

    def __init__(self, directions: Array, cells: Sequence[Cell]) -> None:
        self.directions, self._cells = directions, cells
        self.patterns = np.array([cell.pattern for cell in cells])
        self._walls = [np.array(cell.walls) for cell in cells]
        self.inward = np.zeros((len(cells), max(map(len, self._walls)), directions.shape[1]))
        for k, walls in enumerate(self._walls):
            sides = np.where(self.patterns[k, walls], 1.0, -1.0)
            self.inward[k, : len(walls)] = directions[walls] * sides[:, None]

    def of(self, cell: int) -> NDArray[np.intp]:
        return self._walls[cell]

    def hold(self, units: Array) -> bool:
        """Each cell's walls now have those that its unit is beyond; whether there are new ones."""
        heights, before = units @ self.directions.T, sum(map(len, self._walls))
        beyond = ((heights > 0) != self.patterns) & (np.abs(heights) > ON_WALL)
        for cell, across in zip(self._cells, beyond, strict=True):
            cell.walls = sorted({*cell.walls, *np.flatnonzero(across).tolist()})
        return sum(len(cell.walls) for cell in self._cells) > before


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
    known: dict[tuple[bytes, int], Cell] = {}
    join(known, directions, theta, start.c < 0)
    p, units = 2 * labels * lengths / (n * float(weight)), np.zeros((0, r))  # the dual of f = 0
    extra = np.zeros((0, r))
    for _ in range(ROUNDS):
        cells, moved = list(known.values()), False
        if cells:
            held = Held(directions, cells)
            p, units = restricted(held, targets / size, [(k, cell.side) for k, cell in enumerate(cells)], loss)
            moved = held.hold(units)
        starts = np.vstack([draw.normal(size=(STARTS, r)), directions, -directions, units, extra])
        starts = starts[np.linalg.norm(starts, axis=1) > 0]
        values, theta = climbed(directions, p, starts / np.linalg.norm(starts, axis=1)[:, None])
        order = np.argsort(-np.abs(values))
        order = order[np.abs(values[order]) > 1 + accuracy / 4]
        join(known, directions, theta[order], values[order] < 0, JOIN)
        if moved or len(known) > len(cells):
            continue
        bound = bounded_on_sphere(directions, p, 1 + accuracy, most)
        if bound.witness is None:
            break
        extra = bound.witness[None]
        values, theta = climbed(directions, p, extra / np.linalg.norm(extra))
        join(known, directions, theta, values < 0)
        if len(known) == len(cells):
            raise UnsolvedError(f"no dual was found that is feasible to within {accuracy:g}")
    else:
        raise UnsolvedError(f"cells still joined after {ROUNDS} rounds")
    atoms = [Atom(1 - 2 * cell.side, u * size) for cell, u in zip(cells, units, strict=True)]
    candidates = [as_units(merged(atoms, angle, FAINT)) for angle in SAME]
    found = min(candidates, key=lambda those: penalised_loss(at, y, weight, those))
    dual = tuple(Fraction(float(v / length)) for v, length in zip(p, lengths, strict=True))
    return BoundedFit(at, y, weight, found, dual, bound, len(known))


def as_units(atoms: Sequence[Atom]) -> tuple[Unit, ...]:
    return tuple(Unit(Fraction(atom.sign), tuple(map(Fraction, atom.u.tolist()))) for atom in atoms)


def join(
    known: dict[tuple[bytes, int], Cell],
    directions: Array,
    theta: Array,
    negative: NDArray[np.bool_],
    most: int | None = None,
) -> None:
    """The cells of these directions and signs, unless they are there: at most so many, the first ones."""
    held, before = NEAREST * directions.shape[1], len(known)
    for direction, below in zip(theta, negative, strict=True):
        if most is not None and len(known) >= before + most:
            return
        heights = directions @ direction
        pattern = heights > 0
        nearest = np.argsort(np.abs(heights), kind="stable")[:held]
        known.setdefault((pattern.tobytes(), int(below)), Cell(pattern, int(below), nearest.tolist()))
