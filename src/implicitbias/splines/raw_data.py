"""What an infinitely wide network learns from raw data: the interpolant of K(x, x') = E[φ(x)φ(x')]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.shown.drawn import Drawing, Drawn
from implicitbias.shown.shown import Shown
from implicitbias.splines.curve import Curve, at_nodes, from_one_end, through
from implicitbias.splines.hats import (
    HatProducts,
    differences,
    hat_products,
    jump_rounding,
    require_solvable,
    slope_jumps,
    solve_smoothed,
    solve_tridiagonal,
)
from implicitbias.splines.panels import Panels, panels
from implicitbias.splines.points import points
from implicitbias.splines.weight import Weight, weight

if TYPE_CHECKING:
    from implicitbias.laws.joint.joint_law import Initialisation

Array = NDArray[np.float64]

SINGULAR = 1e-13
"""Below this fraction of its two diagonal entries the determinant of the affine block is rounding."""


class KernelSystem:
    """λᵀK(X, X)λ as a quadratic form in m = (m_2, ..., m_{M-1}) and the border (β, γ), for one law and one set of x.

    With m(c) = Σλ_j (x_j - c)₊ and the affine P(c) = Σλ_j (x_j - c), whose values at x_1 and x_M are β and γ,

        λᵀKλ = ∫ζ₊ m² + ∫ζ₋ (m - P)² + P(W = 0) E[B₊² | W = 0] (Σλ_j)²,

    because a unit with kink c and positive weight is active only at the data on its right and one with negative weight
    at those on its left. Inside the data m is piecewise linear, so this is a tridiagonal matrix with two more rows; the
    part outside depends on P alone and follows from K at x_1 and x_M. Solving is O(M) and well conditioned even if
    K(X, X), whose entries are rounded, is hopeless.
    """

    def __init__(self, law: Initialisation, x: Array) -> None:
        self.law = law
        self.x = x
        self.weight: Weight = weight(law)
        self.panels: Panels = panels(self.weight, x)
        self.differences = differences(x)
        self._beyond: dict[tuple[float, float], Panels] = {}
        ends = np.array([x[0], x[-1]])
        # first, because it says which moment is missing if K does not exist
        self._ends: Array = np.asarray(law.kernel(ends[:, None], ends[None, :]), dtype=np.float64)

    @cached_property
    def _shares(self) -> Array:
        """(c - x_1)/(x_M - x_1) at the nodes."""
        shares: Array = (self.panels.nodes - self.x[0]) / (self.x[-1] - self.x[0])
        return shares

    @cached_property
    def negative(self) -> Array:
        """ζ₋ at the nodes."""
        p = self.panels
        return 0.5 * p.zeta if p.positive is None else np.maximum(p.zeta - p.positive, 0.0)

    @cached_property
    def products(self) -> HatProducts:
        return hat_products(self.panels)

    @cached_property
    def border(self) -> tuple[Array, Array]:
        """The coupling of m with (β, γ), (M - 2, 2), and the block of (β, γ), (2, 2)."""
        p, minus = self.panels, self.negative
        late, early = self._shares, 1 - self._shares
        first_hat = np.where((p.interval == 0)[:, None], 1 - p.share, 0.0)
        coupling = np.column_stack([-self._with_hats(minus * early), -self._with_hats(minus * late)])
        if len(coupling):
            coupling[0, 0] += self.products.mixed[0]
        width = self.x[-1] - self.x[0]
        outer = self._ends / width**2
        positive = p.zeta - minus
        bend = first_hat - early
        bb = outer[1, 1] + p.integrals(positive * (first_hat**2 - early**2) + minus * bend**2).sum()
        bg = -outer[0, 1] - p.integrals(minus * bend * late).sum()
        return coupling, np.array([[bb, bg], [bg, outer[0, 0]]])

    def _with_hats(self, values: Array) -> Array:
        """∫ of a function times each inner hat, (M - 2,)."""
        share = self.panels.share
        left, right = (self.panels.integrals(values * side) for side in (1 - share, share))
        result: Array = right[:-1] + left[1:]
        return result

    def outside(self, start: float, end: float) -> Panels:
        """ζ on an interval beyond the data; cached, as a law may need a quadrature at every node."""
        if (start, end) not in self._beyond:
            self._beyond[start, end] = panels(self.weight, np.array([start, end]))
        return self._beyond[start, end]

    def right_side(self, y: Array) -> tuple[Array, Array]:
        """λᵀy as a linear form in m and (β, γ)."""
        width = self.x[-1] - self.x[0]
        slope = (y[1] - y[0]) / (self.x[1] - self.x[0])
        return slope_jumps(self.x, y), np.array([slope + y[0] / width, -y[0] / width])

    def border_multipliers(self) -> Array:
        """λ for (β, γ) = (1, 0) and (0, 1) with m = 0 inside, (M, 2)."""
        width, step = self.x[-1] - self.x[0], self.x[1] - self.x[0]
        columns = np.zeros((len(self.x), 2))
        columns[0] = [1 / width - 1 / step, -1 / width]
        columns[1, 0] = 1 / step
        return columns

    def solve(self, y: Array, ridge: float = 0.0) -> tuple[Array, Array]:
        """(m, (β, γ)) of λ = (K + ridge I)⁻¹y; y (M,) or (M, columns)."""
        inner, outer = self.right_side(y)
        coupling, block = self.border
        diagonal, off = self.products.tridiagonal
        if ridge:
            edges = self.border_multipliers()
            coupling = coupling + ridge * slope_jumps(self.x, edges)
            block = block + ridge * edges.T @ edges
            sides = np.column_stack([coupling, inner])
            solved, _ = solve_smoothed(self.x, diagonal, off, ridge, sides, np.zeros((len(self.x), sides.shape[1])))
        else:
            solved = solve_tridiagonal(diagonal, off, np.column_stack([coupling, inner]))
        through_border, alone = solved[:, :2], solved[:, 2:].reshape(inner.shape)
        schur = block - coupling.T @ through_border
        schur = 0.5 * (schur + schur.T)
        if not np.linalg.det(schur) > SINGULAR * block[0, 0] * block[1, 1]:
            raise DataError(
                f"the kernel of {self.law} is singular at these data, to rounding at least: units hardly tell them "
                "apart, and no reasonable time of training fits them; shift the data to where the kinks are, or "
                "widen the law of the bias"
            )
        ends: Array = np.linalg.solve(schur, outer - coupling.T @ alone).astype(np.float64)
        return alone - through_border @ ends, ends

    def multipliers(self, inner: Array, ends: Array) -> Array:
        """λ, (M,) or (M, columns)."""
        result: Array = self.differences.transposed(inner) if len(inner) else np.zeros((2, *ends.shape[1:]))
        return result + self.border_multipliers() @ ends

    @cached_property
    def gram(self) -> Array:
        """K(X, X)."""
        return np.asarray(self.law.kernel(self.x[:, None], self.x[None, :]), dtype=np.float64)


@dataclass(frozen=True, repr=False)
class KernelInterpolant(Shown, Drawn):
    """Σ_j λ_j K(·, x_j), evaluated by integrating its second derivative ζ₊ m + ζ₋ (m - P) twice.

    values        at the data
    multipliers   λ
    norm_squared  λᵀK(X, X)λ
    """

    system: KernelSystem
    values: Array
    multipliers: Array
    norm_squared: float
    ends: Array
    curve: Curve

    def _quantities(self) -> dict[str, Any]:
        return {"data": len(self.values), "norm squared": self.norm_squared}

    def _drawing(self) -> Drawing:
        return Drawing(self, x=self.system.x, y=self.values)

    def __call__(self, x: Array, order: int = 0) -> Array:
        """The function or its derivative of order 1 or 2, inside and outside the data, where it bends too."""
        at = np.asarray(x, dtype=np.float64)
        first, last = self.system.x[0], self.system.x[-1]
        result = self.curve(at, order)
        if (before := at < first).any():
            left = self._outside(float(at[before].min()), float(first))
            result = np.where(before, left(np.minimum(at, first), order), result)
        if (after := at > last).any():
            right = self._outside(float(last), float(at[after].max()))
            result = np.where(after, right(np.maximum(at, last), order), result)
        return result

    def _outside(self, start: float, end: float) -> Curve:
        """Left of the data s'' = ζ₊ P, on their right -ζ₋ P."""
        x = self.system.x
        found = self.system.outside(start, end)
        share = (found.nodes - x[0]) / (x[-1] - x[0])
        line = self.ends[0] * (1 - share) + self.ends[1] * share
        positive = 0.5 * found.zeta if found.positive is None else found.positive
        if end == x[0]:
            return from_one_end(end, float(self.values[0]), float(self.curve.slope[0]), found, positive * line)
        negative = np.maximum(found.zeta - positive, 0.0)
        return from_one_end(start, float(self.values[-1]), self.curve.end_slope, found, -negative * line)


def interpolate(system: KernelSystem, y: Array, ridge: float = 0.0) -> KernelInterpolant:
    """K(·, X)(K(X, X) + ridge I)⁻¹y; for data in the range of K(X, X)."""
    inner, ends = system.solve(y, ridge)
    multipliers = system.multipliers(inner, ends)
    values = y - ridge * multipliers
    p = system.panels
    heights = np.concatenate([[ends[0]], inner, [0.0]])
    m = at_nodes(p, heights)
    line = ends[0] * (1 - system._shares) + ends[1] * system._shares
    curve, _, _ = through(values, p, p.zeta * m - system.negative * line)
    jumps, affine = system.right_side(values)
    return KernelInterpolant(system, values, multipliers, float(jumps @ inner + affine @ ends), ends, curve)


def raw_data_limit(law: Initialisation, x: Iterable[Any], y: Iterable[Any]) -> KernelInterpolant:
    """The limit of gradient descent on the square loss for an infinitely wide network, from raw data:
    K(·, X)K(X, X)⁻¹y with K(x, x') = E[[Wx+B]₊[Wx'+B]₊].

    Among all functions through the data it minimises, if (W, B) and (-W, -B) have the same law,

        ∫g''²/ζ + 4 (p, q) G⁻¹ (p, q)ᵀ,  G = [[E W², E WB], [E WB, E B²]],  g = p x + q + ½∫g''(c)|x - c|dc,

    and for every law ∫g₊''²/ζ₊ + ∫g₋''²/ζ₋ over g = g₊ + g₋, g_±(x) = ∫(±(x - c))₊ g_±''(c) dc. So the affine part
    costs too; Theorem 1 of Jin and Montúfar 2021 is for data from which the right affine function was subtracted
    (`uv`), and then this is the adaptive spline. All parameters are trained, from f = 0, with a learning rate of order
    1/width.

    law   an initialisation with E W² and E B² finite
    x, y  at least two points, x increasing

    O(M). Raises DataError for bad data, for a law without these moments or without a density of kinks, and if no unit
    distinguishes two data.
    """
    data = points(x, y)
    system = KernelSystem(law, data.x)
    jumps, rounding = slope_jumps(data.x, data.y), jump_rounding(data.x, data.y)
    require_solvable(data.x, jumps, rounding, system.products.tridiagonal[0], system.weight.says)
    return interpolate(system, data.y)
