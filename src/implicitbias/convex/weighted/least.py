"""The least weighted variation of networks through data: problem (20) of de Dios & Bruna (2020) with other weights.

V = min Σ|c_j|·w(θ_j) over all x ↦ Σ c_j [θ_j·(x, 1)]_+ through the data, w a norm plus a linear form on every cell
(`weights`). On each closed cell units are linear in u = |c|θ; the programme over all cells and signs is solved in
floating point, polished in fractions, and enclosed by exact bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from implicitbias.convex.cells.arrangement import Cells, cells_of
from implicitbias.convex.cells.labelled import Point, distinct, few_cells
from implicitbias.convex.cells.lifted import Number, lifted
from implicitbias.convex.variation.bounds import Unit, exact_units
from implicitbias.convex.variation.polish import Atom
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.atoms_on_faces import CROWDED, EXCHANGES, as_they_are, cheapest_on, split_atom
from implicitbias.convex.weighted.bounds import (
    Shape,
    WeightedDual,
    exact_atoms,
    require_dual,
    shapes_of,
    unit_cost,
    weighted_dual,
)
from implicitbias.convex.weighted.contacts import Contact, Optimum, held_contact, newton
from implicitbias.convex.weighted.faces import Face, guesses_of_faces, moved_to_walls
from implicitbias.convex.weighted.programme import CellShape, root_of, solve_weighted
from implicitbias.convex.weighted.sharpened import sharpened
from implicitbias.convex.weighted.weights import PARAMETER_NORM, Weight
from implicitbias.errors import DataError
from implicitbias.exact.vectors import dot

SOLVED = 1e-25
CLOSE, ENOUGH = Fraction(1, 10**11), Fraction(1, 10**10)
"""Relative gaps at which nothing more is tried (CLOSE), or no equations are solved to many digits (ENOUGH)."""
MOST_CELLS = 1500
"""The programme is over all cells at once: more are refused."""


@dataclass(frozen=True)
class WeightedInterpolant:
    """Units through the data at cost `upper`, and a dual that shows that none costs less than `lower`.

    points    (x, 1) of the different points
    contacts  where the dual touches the weight at the units, and the solution of the optimality conditions there;
              None if they were not solved
    """

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    weight: Weight
    units: tuple[Unit, ...]
    dual: WeightedDual
    cells: Cells
    shapes: tuple[Shape, ...]
    contacts: tuple[Contact, ...] | None
    optimum: Optimum | None

    @property
    def upper(self) -> Fraction:
        return sum((unit_cost(self.points, self.weight, unit) for unit in self.units), Fraction(0))

    @property
    def lower(self) -> Fraction:
        return dot(self.dual.p, self.y)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper, 0 where all labels are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    def __call__(self, x: Sequence[Number]) -> Fraction:
        """The function's value."""
        from implicitbias.exact.rational import exact

        at = (*map(exact, x), Fraction(1))
        return sum((unit(at) for unit in self.units), Fraction(0))


def weighted_interpolant(
    points: Sequence[Sequence[Number]],
    labels: Sequence[Number],
    weight: Weight = PARAMETER_NORM,
    with_contacts: bool = False,
) -> WeightedInterpolant:
    """Exact two-sided bounds on the least weighted variation, and units that attain the upper one.

    weight         `weights.PARAMETER_NORM`, `PRINTED`, `TRUE`, `tilted(l)`, or one of your own
    with_contacts  whether the conditions of optimality are solved even if the bounds are close without them

    Raises DataError as `tv_interpolant` does, for more cells than MOST_CELLS, and for a tilt that is not orthogonal to
    the parameters whose units vanish at all points.

    >>> from implicitbias.convex.weighted.weights import TRUE, tilted
    >>> found = weighted_interpolant([[-2], [2]], [1, "1/5"], TRUE)  # (2/n) Σ |x̃_i||y_i| for two points
    >>> abs(float(found.upper) - 5**0.5 * 1.2) < 1e-12, found.gap < Fraction(1, 10**12)
    (True, True)
    >>> found = weighted_interpolant([[-1], [1]], [-1, 1], tilted([0, "-4/5"]))
    >>> round(float(found.lower), 12), round(float(found.upper), 12)
    (0.6, 0.6)
    """
    at, y = distinct(points, labels)
    few_cells(at)
    cells = cells_of([point[:-1] for point in at])
    if len(cells) > MOST_CELLS:
        raise DataError(f"{len(at)} points have {len(cells)} cells: at most {MOST_CELLS} are taken; take fewer points")
    tilt = weight.form(at, [True] * len(at))[1]
    if not weight.of_outputs and any(dot(tilt, tuple(map(Fraction, line))) for line in cells.lineality):
        raise DataError(
            "the points lie in a subspace, and the weight's linear form changes along parameters that no point sees: "
            "take points that span the space, or another weight"
        )
    shapes = tuple(shapes_of(at, cells, weight))
    if not any(y):
        dual = weighted_dual(at, y, shapes, weight)
        return WeightedInterpolant(at, y, weight, (), dual, cells, shapes, (), Optimum(y, (), 0.0))
    table, targets = np.array([[float(v) for v in p] for p in at]), np.array([float(v) for v in y])
    approximate = [_approximate(shape) for shape in shapes]
    p, blocks = solve_weighted(table, targets, approximate)
    reached: list[WeightedInterpolant] = []
    for digits in (False, True):
        tried: set[frozenset[Face]] = set()
        for guess in guesses_of_faces(table, weight, cells, approximate, blocks):
            crowd = len(y) + 4 if digits else CROWDED * (len(y) + 1)
            if frozenset(guess) in tried or len(guess) > crowd:
                continue
            tried.add(frozenset(guess))
            answer = _polished(at, y, weight, cells, shapes, table, guess, p, digits)
            if answer is not None:
                reached.append(answer)
                if answer.gap < (ENOUGH if digits else CLOSE):
                    return answer
        if not digits:
            reached.append(_unpolished(at, y, weight, cells, shapes, table, approximate, blocks, p))
        best = min(reached, key=lambda answer: answer.gap)
        if best.gap < ENOUGH and (best.contacts is not None or not with_contacts):
            return best
    lowest, highest = min(reached, key=lambda a: a.upper), max(reached, key=lambda a: a.lower)
    return replace(best, units=lowest.units, dual=highest.dual)


def _unpolished(
    at: tuple[Point, ...],
    y: tuple[Fraction, ...],
    weight: Weight,
    cells: Cells,
    shapes: tuple[Shape, ...],
    table: Array,
    approximate: list[CellShape],
    blocks: Sequence[tuple[int, int, Array]],
    p: list[Fraction],
) -> WeightedInterpolant:
    """Bounds from what the solver found, whether the conditions of optimality can be solved or not."""
    candidates = [exact_units(at, y, [Atom(sign, approximate[k].rays.T @ shares) for k, sign, shares in blocks])]
    targets = np.array([float(v) for v in y])
    for guess in guesses_of_faces(table, weight, cells, approximate, blocks):
        for atoms in (guess, cheapest_on(table, targets, guess, weight)):
            if atoms is not None and (through := as_they_are(at, y, weight, atoms)) is not None:
                candidates.append(through)
    units = min(candidates, key=lambda units: sum((unit_cost(at, weight, unit) for unit in units), Fraction(0)))
    better = sharpened(at, y, p, shapes) if weight.homogeneous else p
    dual = weighted_dual(at, better, shapes, weight)
    return WeightedInterpolant(at, y, weight, tuple(units), dual, cells, shapes, None, None)


def _approximate(shape: Shape) -> CellShape:
    rays = np.array([[float(v) for v in ray] for ray in shape.rays])
    rays /= np.linalg.norm(rays, axis=1)[:, None]
    Q, tilt = shape.form
    return CellShape(
        np.array(shape.pattern), rays, root_of(np.array([[float(v) for v in row] for row in Q])), np.array(tilt, float)
    )


def _polished(
    at: tuple[Point, ...],
    y: tuple[Fraction, ...],
    weight: Weight,
    cells: Cells,
    shapes: tuple[Shape, ...],
    table: Array,
    guess: dict[Face, Array],
    p: list[Fraction],
    digits: bool,
) -> WeightedInterpolant | None:
    """The minimiser with atoms on these faces, to many digits, and bounds from it; None if there is none."""
    rows = lifted([point[:-1] for point in at])
    atoms, start = dict(guess), p
    for _ in range(EXCHANGES):
        held = {face: held_contact(at, rows, weight, *face) for face in atoms}
        found = [(held_at, atoms[face]) for face, held_at in held.items() if held_at is not None]
        if not found or len(found) < len(atoms):
            return None
        contacts = [c for c, _ in found]
        split = [split_atom(c, u) for c, u in found]
        optimum = newton(at, y, contacts, start, np.array([mass for mass, _ in split]), digits)
        if optimum is None or not optimum.residual < 1:
            return None
        after: dict[Face, Array] = {}
        for face, c, m, (_, rest) in zip(atoms, contacts, optimum.masses, split, strict=True):
            if m <= 0:
                continue
            theta = tuple(m * a + b for a, b in zip(c.direction(at, optimum.p), rest, strict=True))
            new = moved_to_walls(at, face, theta)
            after[new] = after.get(new, np.zeros(len(theta))) + np.array(theta, float)
        if after.keys() == atoms.keys():
            break
        # the first solution has the solver's accuracy; a solution on wrong faces may be anywhere
        atoms, start = after, list(optimum.p) if optimum.residual < SOLVED else p
    else:
        return None
    rests = [rest for _, rest in split]
    starts = [[m * v for v in c.coordinates(at, optimum.p)] for c, m in zip(contacts, optimum.masses, strict=True)]
    units = exact_atoms(at, y, contacts, starts, rests)
    if units is None:
        return None
    dual = weighted_dual(at, optimum.p, shapes, weight)
    require_dual(at, dual, shapes)
    return WeightedInterpolant(at, y, weight, tuple(units), dual, cells, shapes, tuple(contacts), optimum)
