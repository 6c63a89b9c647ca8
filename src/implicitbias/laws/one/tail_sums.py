"""Partial moments and quantiles of a law, summed over the panels on which its density is resolved."""

from __future__ import annotations

import numpy as np

from implicitbias.laws.one.law import Array, Law
from implicitbias.laws.penalty.weight_panels import NODES, WEIGHTS


class TailSums:
    """Partial moments and quantiles of a law from its panels."""

    def __init__(self, law: Law) -> None:
        self.law, self.nodes, self.weights = law, (NODES + 1) / 2, WEIGHTS / 2
        self.knots = law.knots
        self.widths = np.diff(self.knots)
        points = self.knots[:-1, None] + self.widths[:, None] * self.nodes
        self.points, self.mass = points, law.density(points) * self.weights * self.widths[:, None]

    def partial_moment(self, k: int, t: Array) -> Array:
        panel_sums = (self.mass * self.points**k).sum(1)
        after = np.concatenate([np.cumsum(panel_sums[::-1])[::-1], [0.0]])
        start = np.clip(t, self.knots[0], self.knots[-1])
        panel = np.clip(np.searchsorted(self.knots, start, side="right") - 1, 0, self.widths.size - 1)
        rest = self.knots[panel + 1] - start
        points = start[..., None] + rest[..., None] * self.nodes
        return np.asarray(((self.law.density(points) * points**k) @ self.weights) * rest + after[panel + 1])

    def quantiles(self, u: Array) -> Array:
        """The points with P(X > x) = u, by bisection."""
        low, high = np.full(u.shape, self.knots[0]), np.full(u.shape, self.knots[-1])
        for _ in range(60):
            middle = (low + high) / 2
            above = self.partial_moment(0, middle) > u
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray((low + high) / 2)
