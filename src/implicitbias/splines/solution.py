"""The adaptive natural spline as arrays: the tridiagonal system A ℓ = d, and the function with s'' = ζ ℓ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.curve import Curve, at_nodes, through
from implicitbias.splines.hats import hat_products, jump_rounding, require_solvable, slope_jumps, solve_tridiagonal
from implicitbias.splines.natural_cubic import second_derivatives
from implicitbias.splines.panels import Panels, panels
from implicitbias.splines.points import Points
from implicitbias.splines.rational import RationalSpline
from implicitbias.splines.weight import Weight

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The spline as arrays; see AdaptiveSpline.

    leaving, arriving  (M - 1,) s' right of x_1, ..., x_{M-1} and left of x_2, ..., x_M
    """

    data: Points
    zeta: Weight
    panels: Panels
    ell: Array
    curve: Curve
    leaving: Array
    arriving: Array
    jumps: Array
    rational: RationalSpline | None = None

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
    found = panels(zeta, data.x)
    jumps = slope_jumps(data.x, data.y)
    p = zeta.polynomial
    if p is not None and not p.breaks and p.degree == 0:
        ell = second_derivatives(data.x, data.y) / float(p.pieces[0][0])
    else:
        diagonal, off = hat_products(found).tridiagonal
        require_solvable(data.x, jumps, jump_rounding(data.x, data.y), diagonal, zeta.says)
        ell = np.concatenate([[0.0], solve_tridiagonal(diagonal, off, jumps), [0.0]])
    return _integrated(data, zeta, found, ell, jumps)


def with_ell(solution: Solution, ell: Array) -> Solution:
    """The function through the same data with s'' = ζ ℓ for another ℓ: C¹ only where ℓ solves A ℓ = d."""
    return _integrated(solution.data, solution.zeta, solution.panels, ell, solution.jumps)


def _integrated(data: Points, zeta: Weight, found: Panels, ell: Array, jumps: Array) -> Solution:
    curve, leaving, arriving = through(data.y, found, found.zeta * at_nodes(found, ell))
    return Solution(data, zeta, found, ell, curve, leaving, arriving, jumps)
