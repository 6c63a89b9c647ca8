"""The optimality conditions of the adaptive spline, measured on the function itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from implicitbias.shown.shown import Shown
from implicitbias.splines.curve import at_nodes, ending, through
from implicitbias.splines.piecewise_polynomial import PiecewisePolynomial, derivative, integral, product, trimmed, value
from implicitbias.splines.stretches import PiecewiseCurve

if TYPE_CHECKING:
    from implicitbias.splines.rational import RationalSpline
    from implicitbias.splines.solution import Solution

Array = NDArray[np.float64]

EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, repr=False)
class Optimality(Shown):
    """Interpolation, and s''/ζ continuous, piecewise linear with knots at the data and zero at both ends: necessary and
    sufficient for s to minimise ∫(s'')²/ζ.

    interpolation  the greatest |s(x_j) - y_j|, s integrated towards x_j from the datum before it
    slope_jump     the greatest |s'(x_j+) - s'(x_j-)| at inner data, from integrals over either side alone
    curvature      the greatest |s'' - ζ ℓ|, times the panel's width, between the nodes that s was made from
    ends           (ℓ_1, ℓ_M)
    gap            ∫(s'')²/ζ minus the lower bound 2dᵀℓ - ℓᵀAℓ, below which no function through the data falls
    allowed        how much of each of the four rounding explains
    """

    interpolation: Fraction | float
    slope_jump: Fraction | float
    curvature: Fraction | float
    ends: tuple[Fraction | float, Fraction | float]
    gap: Fraction | float
    allowed: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def _quantities(self) -> dict[str, Fraction | float | bool]:
        measured = {"interpolation": self.interpolation, "slope jump": self.slope_jump, "gap": self.gap}
        return {"holds": self.holds, **measured}

    @property
    def holds(self) -> bool:
        """Whether all conditions hold, exactly or up to rounding."""
        measured = [float(m) for m in (self.interpolation, self.slope_jump, self.curvature, self.gap)]
        natural = not any(self.ends)
        return natural and all(abs(m) <= a for m, a in zip(measured, self.allowed, strict=True))


def optimality(found: Solution) -> Optimality:
    """The certificate of a solution."""
    return _in_doubles(found) if found.rational is None else in_fractions(found.rational, found.zeta.polynomial)


def _in_doubles(found: Solution) -> Optimality:
    x, y, p = found.data.x, found.data.y, found.panels
    line = found.line
    reached, jumps = _joints(found)
    # places that no quadrature node shares
    spread = (p.right - p.left)[:, None]
    places = p.left[:, None] + spread * np.array([0.11, 0.29, 0.47, 0.71, 0.93])
    wanted = found.bend(places)
    primal = float(p.integrals(p.zeta * line**2).sum())
    # the bound holds for every ℓ, so that an ℓ that does not solve the system shows as a gap
    bound = 2 * found.energy - primal
    width = np.diff(x)
    # what the slopes on either side are made of, and so what rounding leaves of their difference
    parts = p.integrals(p.zeta * at_nodes(p, np.abs(found.ell)))
    slopes = np.abs(found.leaving) + np.abs(found.arriving) + np.abs(np.diff(y) / width) + parts
    size = float(np.abs(y).max() + (slopes * width).max())
    slack = 64 * EPSILON + p.error
    jump = slack * (slopes[1:] + slopes[:-1])
    return Optimality(
        interpolation=float(np.abs(reached - y[1:]).max()),
        slope_jump=float(jumps.max(initial=0.0)),
        curvature=float((np.abs(found.curve(places, 2) - wanted) * spread).max()),
        ends=(float(found.ell[0]), float(found.ell[-1])),
        gap=primal - bound,
        allowed=(
            slack * size,
            float(jump.max(initial=0.0)),
            (1e-12 + p.error) * float((np.abs(wanted) * width[p.interval][:, None]).max()),
            float(2 * jump @ np.abs(found.ell[1:-1])) + slack * primal,
        ),
    )


def _joints(found: Solution) -> tuple[Array, Array]:
    """s at x_2, ..., x_M from the left, and the jumps of s' at inner data.

    Where s was made by stretches, the slopes are integrated anew by panels, and the jumps hold how far s is from them.
    """
    p, curve = found.panels, found.curve
    if not isinstance(curve, PiecewiseCurve):
        last = np.append(np.flatnonzero(np.diff(p.interval)), len(p.left) - 1)
        return ending(curve)[last], np.abs(found.leaving[1:] - found.arriving[:-1])
    _, leaving, arriving = through(found.data.y, p, p.zeta * found.line)
    unlike = np.abs(found.leaving - leaving)[1:] + np.abs(found.arriving - arriving)[:-1]
    return curve.reached(), np.maximum(np.abs(leaving[1:] - arriving[:-1]), unlike)


def in_fractions(s: RationalSpline, zeta: PiecewisePolynomial | None) -> Optimality:
    """The same from the polynomials of an exact spline, in fractions: everything must be exactly zero."""
    if zeta is None:
        raise AssertionError("an exact spline comes with an exact ζ")
    ends = [*s.starts[1:], s.x[-1]]
    values = {end: value(piece, end) for end, piece in zip(ends, s.pieces, strict=True)}
    missed = max(abs(values[b] - d) for b, d in zip(s.x[1:], s.y[1:], strict=True))
    jumps = [
        abs(value(derivative(after), start) - value(derivative(before), start))
        for (before, after), start in zip(pairwise(s.pieces), s.starts[1:], strict=True)
    ]
    worst, primal = Fraction(0), Fraction(0)
    for j, (a, b) in enumerate(pairwise(s.x)):
        slope = (s.ell[j + 1] - s.ell[j]) / (b - a)
        line = (s.ell[j] - slope * a, slope)
        for start, end, weight in zeta.between(a, b):
            bend = trimmed(derivative(derivative(s.pieces[s.starts.index(start)])))
            wanted = product(weight, line)
            size = max(len(bend), len(wanted))
            padded = [[*q, *[Fraction(0)] * (size - len(q))] for q in (bend, wanted)]
            worst = max([worst, *(abs(p - q) for p, q in zip(*padded, strict=True))])
            primal += integral(product(weight, product(line, line)), start, end)
    return Optimality(missed, max(jumps, default=Fraction(0)), worst, (s.ell[0], s.ell[-1]), 2 * (primal - s.energy))
