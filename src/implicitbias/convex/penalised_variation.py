"""The least loss penalised by total variation, in any dimension (de Dios & Bruna 2020, problem (22)).

V = min (1/n) Σ (f(x_i) - y_i)² + λ Σ|c_j|·|θ_j| over all f(x) = Σ c_j [θ_j·(x, 1)]_+. If |Σ p_i [θ·x̃_i]_+| <= |θ| for
all θ, then λ Σ|c_j||θ_j| >= λ p·f with f the values at the data, and the least value of (1/n)|f - y|² + λ p·f is
λ p·y - (nλ²/4)|p|² <= V. At a minimiser p = (2/(nλ))(y - f).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from implicitbias.convex.cells import Cells
from implicitbias.convex.lifted import Number
from implicitbias.convex.total_variation import distinct, few_cells, guesses_of
from implicitbias.convex.tv_bounds import Dual, Point, Unit, dot, exact_dual
from implicitbias.convex.tv_programme import Array
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact


@dataclass(frozen=True)
class PenalisedFit:
    """Units whose penalised loss is `upper`, and a dual that shows that none is below `lower`."""

    points: tuple[Point, ...]
    y: tuple[Fraction, ...]
    penalty: Fraction
    units: tuple[Unit, ...]
    dual: Dual
    cells: Cells

    @property
    def upper(self) -> Fraction:
        return penalised_loss(self.points, self.y, self.penalty, self.units)

    @property
    def lower(self) -> Fraction:
        return _lower(self.dual, self.y, self.penalty)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper, 0 where all labels are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    def certificate(self) -> dict[str, Any]:
        """For `certificate.kernel`."""
        from implicitbias.certificate.total_variation import penalised_certificate

        return penalised_certificate(self)


def penalised_fit(points: Sequence[Sequence[Number]], labels: Sequence[Number], penalty: Number) -> PenalisedFit:
    """Exact two-sided bounds on the least penalised loss, and units that attain the upper one.

    Raises DataError for λ <= 0, for equal points, and as `tv_interpolant` does.

    >>> found = penalised_fit([[0]], [3], 1)  # min (f - 3)² + |f|, f the value at 0
    >>> round(float(found.lower), 9), round(float(found.upper), 9)
    (2.75, 2.75)
    """
    weight = exact(penalty)
    if weight <= 0:
        raise DataError(f"the penalty must be positive, not {weight}: for interpolation use tv_interpolant")
    at, y = distinct(points, labels)
    if len(at) < len(points):
        raise DataError("points repeat: the mean of the loss would change; keep each point once")
    cells = few_cells(at)
    guesses, duals = guesses_of(at, y, cells, float(weight))
    candidates = [
        tuple(Unit(Fraction(atom.sign), tuple(Fraction(float(value)) for value in atom.u)) for atom in atoms)
        for atoms in [*guesses, []]
    ]
    units = min(candidates, key=lambda found: penalised_loss(at, y, weight, found))
    residual = [penalised_dual(at, y, weight, units)]
    dual = max(
        (exact_dual(at, p, cells.patterns) for p in [*duals, *residual]), key=lambda found: _lower(found, y, weight)
    )
    return PenalisedFit(at, y, weight, units, dual, cells)


def penalised_loss(
    points: Sequence[Point], y: Sequence[Fraction], penalty: Fraction, units: Sequence[Unit]
) -> Fraction:
    """(1/n) Σ (f(x_i) - y_i)² + λ Σ|c||θ|, rounded up by 2^-96 of the second, about."""
    errors = [sum((unit(point) for unit in units), -value) for point, value in zip(points, y, strict=True)]
    return dot(errors, errors) / len(y) + penalty * sum((unit.cost for unit in units), Fraction(0))


def penalised_dual(points: Sequence[Point], y: Sequence[Fraction], penalty: Fraction, units: Sequence[Unit]) -> Array:
    """(2/(nλ))(y - f), rounded."""
    left = [value - sum(unit(point) for unit in units) for point, value in zip(points, y, strict=True)]
    return np.array([float(2 * value / (len(y) * penalty)) for value in left])


def _lower(dual: Dual, y: Sequence[Fraction], penalty: Fraction) -> Fraction:
    return penalty * dot(dual.p, y) - len(y) * penalty**2 / 4 * dot(dual.p, dual.p)
