"""The largest values of ±g on the cells, for all cells at once: nothing here is trusted.

On the closed cell C = {θ: s_i θ·x̃_i >= 0 for its walls i} the form g is v·θ, and for any μ >= 0
  max {±v·θ: θ in C, |θ| = 1} <= |±v + Σ μ_i s_i x̃_i|,
with equality for the best μ. Sweeps over the walls, all cells together, lower these bounds (Hildreth's method); a cell
is decided once its bound is low enough. Only where that does not happen is the best μ computed, cell by cell, from the
highest bound on. `programme.excesses` does this for every cell and all n hyperplanes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.walls import walls
from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares

Array = NDArray[np.float64]
Pattern = NDArray[np.bool_]

SWEEPS, TOGETHER = 60, 6
"""Sweeps over the walls, and after how many of them cells are looked at again."""


class Peaks:
    """±g on the cells of n points.

    directions  (n, d + 1), the x̃_i/|x̃_i|
    patterns    (S, n), all cells
    """

    def __init__(self, directions: Array, patterns: Pattern) -> None:
        self.directions, self.patterns = directions, patterns
        bounding = walls(patterns)
        self._counts = bounding.sum(axis=1)
        most = int(self._counts.max(initial=0))
        self.walls = np.argsort(~bounding, axis=1, kind="stable")[:, :most]
        """(S, F): the walls of each cell, the first ones first, then others that fill up."""
        real = np.arange(most) < self._counts[:, None]
        sides = np.where(np.take_along_axis(patterns, self.walls, axis=1), 1.0, -1.0) * real
        self.inward = directions[self.walls] * sides[:, :, None]
        """(S, F, d + 1): the s_i x̃_i/|x̃_i|, 0 where there is no wall."""

    def of(self, cell: int) -> NDArray[np.intp]:
        """The walls of the cell."""
        return self.walls[cell, : self._counts[cell]]

    def vectors(self, p: Array) -> Array:
        """(S, d + 1): v = Σ p_i x̃_i/|x̃_i| over each cell's pattern, p in the scale of the directions."""
        return np.asarray(self.patterns @ (p[:, None] * self.directions))

    def bounds(self, vectors: Array, enough: float = 1.0) -> tuple[Array, Array]:
        """(2, S) bounds of g and of -g, and the (2, S, F) multipliers that show them; lowered until `enough`."""
        count, most = self.walls.shape
        multipliers = np.zeros((2, count, most))
        lengths = np.repeat(np.linalg.norm(vectors, axis=1)[None], 2, axis=0)
        for side, sign in enumerate((1.0, -1.0)):
            open_ = np.flatnonzero(lengths[side] > enough)
            z, mu, inward = sign * vectors[open_], np.zeros((len(open_), most)), self.inward[open_]
            for sweep in range(SWEEPS):
                for f in range(most):
                    normal = inward[:, f]
                    change = np.maximum(-(normal * z).sum(axis=1), -mu[:, f])
                    mu[:, f] += change
                    z += change[:, None] * normal
                if (sweep + 1) % TOGETHER == 0 or sweep + 1 == SWEEPS:
                    # added up anew: the sweeps' own sums have rounding in them
                    z = sign * vectors[open_] + np.einsum("cf,cfr->cr", mu, inward)
                    length = np.linalg.norm(z, axis=1)
                    multipliers[side, open_], lengths[side, open_] = mu, length
                    still = length > enough
                    if not still.any():
                        break
                    open_, z, mu, inward = open_[still], z[still], mu[still], inward[still]
        return lengths, multipliers

    def best(self, cell: int, v: Array) -> tuple[Array, float]:
        """The multipliers of the cell's walls that make |v + Σ μ_i s_i x̃_i/|x̃_i|| least, and that length."""
        inward = self.inward[cell, : self._counts[cell]]
        mu = nonnegative_least_squares(inward.T, -v)
        return mu, float(np.linalg.norm(v + inward.T @ mu))

    def falling(self, p: Array, enough: float = 1.0) -> Iterator[tuple[float, int, int]]:
        """(bound, side, cell) of all bounds above `enough`, the highest first; side 0 is g, 1 is -g."""
        lengths, _ = self.bounds(self.vectors(p), enough)
        order = np.argsort(-lengths, axis=None)
        for place in order:
            side, cell = divmod(int(place), lengths.shape[1])
            if not lengths[side, cell] > enough:
                return
            yield float(lengths[side, cell]), side, cell

    def largest_excess(self, p: Array) -> float:
        """The largest |g| on the sphere less 1, 0 if it is below."""
        vectors, largest = self.vectors(p), 1.0
        for bound, side, cell in self.falling(p):
            if bound <= largest:
                break
            largest = max(largest, self.best(cell, (1 - 2 * side) * vectors[cell])[1])
        return largest - 1

    def violated(self, p: Array, by: float, count: int, known: set[tuple[int, int]]) -> list[tuple[int, int]]:
        """Up to `count` pairs (cell, side) outside of `known` where the largest value exceeds 1 + by."""
        vectors, found = self.vectors(p), list[tuple[int, int]]()
        for _, side, cell in self.falling(p, 1 + by):
            if len(found) == count:
                break
            if (cell, side) not in known and self.best(cell, (1 - 2 * side) * vectors[cell])[1] > 1 + by:
                found.append((cell, side))
        return found
