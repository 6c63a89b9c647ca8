"""The classifier of largest margin for its total variation, in any dimension.

V = min Σ|c_j|·|θ_j| over all f(x) = Σ c_j [θ_j·(x, 1)]_+ with s_i f(x_i) >= 1, the classes s_i = ±1: problem (20) of
de Dios & Bruna (2020) with margins in place of values; 1/V is the largest margin of total variation 1. If
|Σ p_i [θ·x̃_i]_+| <= |θ| for all θ and p_i s_i >= 0, then Σ|p_i| <= Σ p_i f(x_i) <= V.

The points with p_i != 0 have margin 1 at every minimiser. So the programme only has to find these; what remains is
interpolation at them, if its minimiser leaves the others their margins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point, distinct, few_cells
from implicitbias.convex.cells.lifted import Number
from implicitbias.convex.variation.bounds import Dual, Unit, strong_units
from implicitbias.convex.variation.certificate import tv_margin_certificate
from implicitbias.convex.variation.least import TvInterpolant, tv_interpolant
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.bounds import shapes_of
from implicitbias.convex.weighted.programme import CellShape, solve_weighted
from implicitbias.convex.weighted.weights import PARAMETER_NORM
from implicitbias.errors import DataError, UnsolvedError

MOST_CELLS = 1500
"""The programme is over all cells at once: more are refused."""
SUPPORTS = (1e-6, 1e-8, 1e-4, 1e-10)
"""Shares of the largest |p_i| above which a point is taken to have margin 1: tried in turn."""
CLOSE = Fraction(1, 10**11)


@dataclass(frozen=True)
class TvMargin:
    """Units with margins of at least 1 at cost `upper`, and a dual that shows that none costs less than `lower`.

    points   (x, 1) of the different points
    classes  1 or -1
    support  the points with p != 0
    dual     at the support; its cells are those of the support
    """

    points: tuple[Point, ...]
    classes: tuple[int, ...]
    units: tuple[Unit, ...]
    support: tuple[int, ...]
    dual: Dual
    cells: Cells

    @property
    def upper(self) -> Fraction:
        return sum((unit.cost for unit in self.units), Fraction(0))

    @property
    def lower(self) -> Fraction:
        return sum(map(abs, self.dual.p), Fraction(0))

    @property
    def gap(self) -> Fraction:
        return (self.upper - self.lower) / self.upper

    def strong_units(self) -> list[Unit]:
        """The units that cost more than rounding, the most expensive first."""
        return strong_units(self.units)

    def margins(self) -> list[Fraction]:
        """s_i f(x_i), at least 1."""
        return [
            s * sum((u(at) for u in self.units), Fraction(0)) for s, at in zip(self.classes, self.points, strict=True)
        ]

    def certificate(self) -> dict[str, Any]:
        """The proof of lower <= V <= upper as a document for `certificate.kernel`."""
        bounds = self.lower, self.upper
        return tv_margin_certificate(self.points, self.classes, self.units, self.support, self.dual, self.cells, bounds)


def tv_margin(points: Sequence[Sequence[Number]], classes: Sequence[int]) -> TvMargin:
    """Exact two-sided bounds on the least total variation with margins of at least 1, and units that attain the upper.

    classes  1 or -1, both at least once

    Raises DataError for other classes, equal points of different classes, and too many cells.

    >>> found = tv_margin([[-1, -1], [-1, 1], [1, -1], [1, 1], [2, 2]], [1, -1, -1, 1, 1])
    >>> round(float(found.lower), 9), round(float(found.upper), 9), found.support
    (2.828427125, 2.828427125, (0, 1, 2, 3))
    """
    if any(value not in (1, -1) for value in classes) or len(set(classes)) != 2:
        raise DataError(f"two classes are needed, 1 and -1, each at a point: got {sorted(set(classes))}")
    at, labels = distinct(points, classes)
    sides = [int(value) for value in labels]
    cells = few_cells(at)
    if len(cells) > MOST_CELLS:
        raise DataError(
            f"{len(at)} points have {len(cells)} cells, and the programme is over all at once: at most {MOST_CELLS} "
            "are taken; take fewer points"
        )
    table = np.array([[float(v) for v in point] for point in at])
    shapes = [
        CellShape(
            np.array(shape.pattern),
            _unit_rows(np.array([[float(v) for v in ray] for ray in shape.rays])),
            np.eye(table.shape[1]),
            np.zeros(table.shape[1]),
        )
        for shape in shapes_of(at, cells, PARAMETER_NORM)
    ]
    p, blocks = solve_weighted(table, np.array(sides, float), shapes, margins=True)
    values = table @ np.zeros(table.shape[1])
    for k, sign, shares in blocks:
        values = values + sign * np.where(shapes[k].pattern, table @ (shapes[k].rays.T @ shares), 0.0)
    return _best(at, sides, np.array([float(v) for v in p]), values)


def _unit_rows(rays: Array) -> Array:
    return np.asarray(rays / np.linalg.norm(rays, axis=1)[:, None])


def _best(at: tuple[Point, ...], sides: list[int], p: Array, values: Array) -> TvMargin:
    units: list[Unit] | None = None
    shown: tuple[tuple[int, ...], TvInterpolant] | None = None
    supports = [tuple(int(i) for i in np.flatnonzero(np.abs(p) > share * np.abs(p).max())) for share in SUPPORTS]
    for support in dict.fromkeys(supports):
        found = tv_interpolant([at[i][:-1] for i in support], [sides[i] for i in support])
        if all(q * sides[i] >= 0 for i, q in zip(support, found.dual.p, strict=True)) and (
            shown is None or found.lower > shown[1].lower
        ):
            shown = support, found
        # the solver's values where the margin is not 1, as the minimiser at the support need not be unique
        held = {i: Fraction(sides[i]) for i in support}
        wanted = [
            held.get(i, Fraction(max(float(v) * s, 1.0)) * s)
            for i, (v, s) in enumerate(zip(values, sides, strict=True))
        ]
        # values in floating point: contacts to many digits are contacts of other data
        for candidate in (found.units, tv_interpolant([x[:-1] for x in at], wanted, again=False).units):
            scaled = _with_margins(at, sides, candidate)
            if scaled is not None and (units is None or _cost(scaled) < _cost(units)):
                units = scaled
            if shown is not None and units is not None and _cost(units) - shown[1].lower < CLOSE * _cost(units):
                break
        if shown is not None and units is not None and _cost(units) - shown[1].lower < CLOSE * _cost(units):
            break
    if shown is None or units is None:
        raise UnsolvedError("the points of margin 1 were not found")
    support, found = shown
    return TvMargin(at, tuple(sides), tuple(units), support, found.dual, found.cells)


def _cost(units: Sequence[Unit]) -> Fraction:
    return sum((unit.cost for unit in units), Fraction(0))


def _with_margins(at: Sequence[Point], sides: Sequence[int], units: Sequence[Unit]) -> list[Unit] | None:
    """The units scaled up until every margin is at least 1; None if a point is on the wrong side."""
    least = min(s * sum((unit(x) for unit in units), Fraction(0)) for s, x in zip(sides, at, strict=True))
    if least <= 0:
        return None
    return [Unit(unit.c / min(least, Fraction(1)), unit.theta) for unit in units]
