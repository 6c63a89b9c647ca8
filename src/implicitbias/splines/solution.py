"""The adaptive natural spline as arrays: the tridiagonal system A ℓ = d, and the function with s'' = ζ ℓ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.curve import Curve, at_nodes, through
from implicitbias.splines.hats import hat_products, jump_rounding, require_solvable, slope_jumps, solve_tridiagonal
from implicitbias.splines.natural_cubic import second_derivatives
from implicitbias.splines.panels import Panels, panels
from implicitbias.splines.points import Points
from implicitbias.splines.rational import RationalSpline
from implicitbias.splines.stretches import FEWEST_POINTS, PiecewiseCurve, Stretches, stretches
from implicitbias.splines.weight import Weight

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The spline as arrays; see AdaptiveSpline.

    leaving, arriving  (M - 1,) s' right of x_1, ..., x_{M-1} and left of x_2, ..., x_M
    """

    data: Points
    zeta: Weight
    ell: Array
    curve: Curve | PiecewiseCurve
    leaving: Array
    arriving: Array
    rational: RationalSpline | None = None

    @cached_property
    def panels(self) -> Panels:
        """ζ on every interval by itself."""
        return panels(self.zeta, self.data.x)

    @cached_property
    def jumps(self) -> Array:
        return slope_jumps(self.data.x, self.data.y)

    @property
    def energy(self) -> float:
        return float(self.jumps @ self.ell[1:-1])

    @property
    def line(self) -> Array:
        """ℓ at the nodes of the panels."""
        return at_nodes(self.panels, self.ell)

    def bend(self, x: Array) -> Array:
        """s'' = ζ ℓ."""
        known = ~np.isnan(x)
        inside = (x >= self.data.x[0]) & (x <= self.data.x[-1])
        clipped = np.clip(np.where(known, x, self.data.x[0]), self.data.x[0], self.data.x[-1])
        line = np.interp(clipped, self.data.x, self.ell)
        with np.errstate(all="ignore"):
            whole = np.asarray(self.zeta.values(clipped), dtype=np.float64) * line
        return np.where(known, np.where(inside & (line != 0), whole, 0.0), np.nan)


def solve(data: Points, zeta: Weight) -> Solution:
    """The adaptive spline of these data in doubles."""
    if len(data) >= FEWEST_POINTS:
        found = stretches(zeta, data.x)
        if found is not None:
            return by_stretches(data, zeta, found)
    return by_panels(data, zeta)


def by_panels(data: Points, zeta: Weight) -> Solution:
    """The same with ζ on every interval by itself, whatever the number of points."""
    found = panels(zeta, data.x)
    jumps = slope_jumps(data.x, data.y)
    p = zeta.polynomial
    if p is not None and not p.breaks and p.degree == 0:
        ell = second_derivatives(data.x, data.y) / float(p.pieces[0][0])
    else:
        diagonal, off = hat_products(found).tridiagonal
        require_solvable(data.x, jumps, jump_rounding(data.x, data.y), diagonal, zeta.says)
        ell = np.concatenate([[0.0], solve_tridiagonal(diagonal, off, jumps), [0.0]])
    return _integrated(data, zeta, found, ell)


def by_stretches(data: Points, zeta: Weight, found: Stretches) -> Solution:
    """The same by compiled loops."""
    from implicitbias.splines import compiled

    ell, leaving, arriving = np.empty(len(data)), np.empty(len(data) - 1), np.empty(len(data) - 1)
    if compiled.spline(data.x, data.y, found.table, ell, leaving, arriving) >= 0:
        # ζ vanishes around a datum, or double precision does not suffice
        diagonal, off = found.products.tridiagonal
        jumps = slope_jumps(data.x, data.y)
        require_solvable(data.x, jumps, jump_rounding(data.x, data.y), diagonal, zeta.says)
        ell[1:-1] = solve_tridiagonal(diagonal, off, jumps)
        compiled.slopes(data.x, data.y, found.table, ell, leaving, arriving)
    return Solution(data, zeta, ell, PiecewiseCurve(found, data.y, ell, leaving, arriving), leaving, arriving)


def with_ell(solution: Solution, ell: Array) -> Solution:
    """The function through the same data with s'' = ζ ℓ for another ℓ: C¹ only where ℓ solves A ℓ = d."""
    return _integrated(solution.data, solution.zeta, solution.panels, ell)


def _integrated(data: Points, zeta: Weight, found: Panels, ell: Array) -> Solution:
    curve, leaving, arriving = through(data.y, found, found.zeta * at_nodes(found, ell))
    solution = Solution(data, zeta, ell, curve, leaving, arriving)
    vars(solution)["panels"] = found  # what the property would work out again
    return solution
