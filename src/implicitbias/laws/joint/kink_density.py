"""A density of kinks C, known up to a factor: its total, its moments, draws from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.laws.one.law import Array, Shape
from implicitbias.laws.penalty.adaptive_quadrature import NODES, integrals, refined

SHELLS = np.arange(20, 61)
"""The shells 2^k < |x| < 2^(k+1) on which tails are examined."""

SLOWEST = 0.1
FAR = 1e100
"""Tails are integrated out to here: 1e-10 of the slowest is left."""

SPLIT = 8
SLACK = 1.1


def converges(function: Callable[[Array], Array]) -> bool:
    """Whether ∫ f over the line converges at both ends, as fast as for a tail |x|^(-1 - SLOWEST).

    Slower convergence, as of 1/(|x| log² |x|), counts as divergence: the two cannot be told apart.
    """
    starts = 2.0**SHELLS
    points = starts[:, None] * (3 + NODES) / 2
    for sign in (-1, 1):
        with np.errstate(all="ignore"):
            sums = np.nan_to_num(function(sign * points), nan=np.inf).mean(1) * starts
        if not np.isfinite(sums).all():
            return False
        if (sums[-2:] > 0).all() and sums[-1] > sums[-2] * 2.0**-SLOWEST:
            return False
    return True


@dataclass(frozen=True)
class KinkDensity:
    """weight(c) on [low, high], which may be the whole line, in the variable u with c = sinh(u)."""

    weight: Callable[[Array], Array]
    interval: tuple[float, float]

    @cached_property
    def _knots(self) -> Array:
        low, high = np.arcsinh(np.clip(self.interval, -FAR, FAR))
        return np.unique(np.concatenate([np.linspace(low, high, 65), [0.0] if low < 0 < high else []]))

    def integral(self, factor: Callable[[Array], Array]) -> float:
        """∫ weight(c) factor(c) dc."""

        def integrand(row: NDArray[np.intp], u: Array) -> Array:
            return self._stretched(u, factor)

        return float(integrals(integrand, self._knots, 1, 1e-13)[0])

    @cached_property
    def total(self) -> float:
        """∫ weight(c) dc. Raises DataError where it is 0 or infinite."""
        found = self.integral(np.ones_like)
        if not (0 < found < np.inf):
            raise DataError("the wanted penalty is infinite everywhere: there is nothing to realise")
        return found

    def _stretched(self, u: Array, factor: Callable[[Array], Array] = np.ones_like) -> Array:
        c = np.sinh(u)
        with np.errstate(all="ignore"):
            values = self.weight(c) * factor(c) * np.cosh(u)
        # far out a product of an overflow and an underflow is not finite; it contributes nothing
        return np.where(np.isfinite(values), values, 0.0)

    @cached_property
    def _cells(self) -> tuple[Array, Array, Array]:
        """Ends of cells in u, an upper bound of the density on each, and the probability of each as a proposal."""
        knots = refined(self._stretched, self._knots)
        ends = np.unique(knots[:-1, None] + np.diff(knots)[:, None] * np.arange(SPLIT) / SPLIT)
        ends = np.append(ends, knots[-1])
        points = (ends[1:] + ends[:-1])[:, None] / 2 + np.diff(ends)[:, None] / 2 * NODES
        tops = self._stretched(points).max(1) * SLACK
        return ends, tops, tops * np.diff(ends)

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        """By rejection from a histogram above the density, on cells on which it is resolved to rounding."""
        size = int(np.prod(shape))
        ends, tops, chances = self._cells
        drawn = np.empty(0)
        while drawn.size < size:
            wanted = int(1.2 * (size - drawn.size)) + 64
            cell = rng.choice(chances.size, wanted, p=chances / chances.sum())
            u = rng.uniform(ends[cell], ends[cell + 1])
            kept = rng.uniform(size=wanted) * tops[cell] < self._stretched(u)
            drawn = np.concatenate([drawn, np.sinh(u[kept])])
        return drawn[:size].reshape(shape)
