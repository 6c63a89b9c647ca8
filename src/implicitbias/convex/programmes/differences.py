"""Equations at points that nearly coincide, replaced by differences: no digits are lost, however close the points are.

For x_i near x_j the equation at x_i becomes that at x_i less that at x_j, divided by |x_i - x_j|; others are divided by
|x̃_i|. The multipliers transform by the transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEAR = 0.3
"""Points nearer than this, relative to |x̃|, are paired."""


@dataclass(frozen=True)
class Differences:
    """Which equations are replaced, and their scales.

    pairs   for a point close to another one, the index of that one; without cycles
    scales  what the equation at each point is divided by
    """

    pairs: dict[int, int]
    scales: tuple[Fraction, ...]

    def of(self, values: Sequence[Fraction]) -> list[Fraction]:
        """Values at the points, as the equations see them.

        >>> Differences({1: 0}, (Fraction(1), Fraction(1, 8))).of([Fraction(3), Fraction(4)])
        [Fraction(3, 1), Fraction(8, 1)]
        """
        return [
            (value - values[self.pairs[i]] if i in self.pairs else value) / scale
            for i, (value, scale) in enumerate(zip(values, self.scales, strict=True))
        ]

    def back(self, multipliers: Sequence[Fraction]) -> list[Fraction]:
        """Multipliers of the equations as multipliers at the points: Σ back(m)_i v_i = Σ m_i of(v)_i."""
        p = [Fraction(0)] * len(self.scales)
        for i, (value, scale) in enumerate(zip(multipliers, self.scales, strict=True)):
            p[i] += value / scale
            if i in self.pairs:
                p[self.pairs[i]] -= value / scale
        return p


def differences(X: Array, none: bool = False) -> Differences:
    """The edges shorter than NEAR of a minimum spanning tree of the x̃_i, the rows of X; no pairs if `none`."""
    pairs: dict[int, int] = {}
    joined, rest = [0], list(range(1, len(X)))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    while rest and not none:
        part = distances[np.ix_(rest, joined)]
        row, column = np.unravel_index(int(part.argmin()), part.shape)
        i, j = rest[int(row)], joined[int(column)]
        if part[row, column] < NEAR * np.linalg.norm(X[i]):
            pairs[i] = j
        joined.append(i)
        rest.remove(i)
    lengths = np.linalg.norm(X, axis=1)
    return Differences(
        pairs,
        tuple(Fraction(float(distances[i, pairs[i]] if i in pairs else lengths[i])) for i in range(len(X))),
    )
