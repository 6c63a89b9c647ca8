"""Observed: the data of Figure 4, drawn by the released protocol, and the sizes of its two supports by definition.

The paper does not state a seed; the released program draws training and validation data from one stream of numpy's
RandomState with seed 52354. For every bin it finds the intervals on which the target is in the bin, using a grid of
100,000 points in single precision, draws five points from each interval and samples five of these with replacement.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from .triangles import PER_BIN, POLYGONS, TRIANGLES, corners

SEED = 52354
BINS = 50
GRID = 100_000


def figure_data(seed: int = SEED, bins: int = BINS) -> list[Fraction]:
    """The sorted training points as exact dyadic fractions; some occur twice."""
    import numpy as np

    knots, heights = np.array(POLYGONS[TRIANGLES], dtype=float).T
    grid = np.linspace(-1, 1, GRID, dtype=np.float32)
    y = np.interp(grid, knots, heights)
    rng = np.random.RandomState(seed)
    drawn = []
    for j in range(bins):
        inside = np.flatnonzero((y >= (j - 0.5) / (bins - 1)) & (y < (j + 0.5) / (bins - 1)))
        parts = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1)
        pool = np.concatenate([rng.uniform(grid[part[0]], grid[part[-1]], PER_BIN) for part in parts])
        drawn.append(rng.choice(pool, PER_BIN))
    return [Fraction(v) for v in np.sort(np.concatenate(drawn).astype(np.float32)).tolist()]


def target(x: Fraction) -> Fraction:
    """The two large triangles minus the two small ones, exactly."""
    for (a, p), (b, q) in itertools.pairwise(corners(TRIANGLES)):
        if a <= x <= b:
            return p + (x - a) * (q - p) / (b - a)
    raise ArithmeticError(f"{x} is outside of [-1, 1]")


def bins_to_the_right(y: Sequence[Fraction], bins: int = BINS) -> list[int]:
    """For each value, the index j of the nearest midpoint j/(bins - 1); ties go right."""
    return [int(v * (bins - 1) + Fraction(1, 2)) for v in y]


def bends(x: Sequence[Fraction], y: Sequence[Fraction]) -> int:
    """|R_reg| of distinct points: x_1, x_n and the points at which the slope of the interpolant changes."""
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in itertools.pairwise(zip(x, y, strict=True))]
    return 2 + sum(one != other for one, other in itertools.pairwise(slopes))


def changes(labels: Sequence[int]) -> int:
    """|R_class|: the first point, the last, and every point whose label differs from that of a neighbour."""
    return sum(
        i in (0, len(labels) - 1) or len(set(labels[i - 1 : i + 2])) > 1 for i in range(len(labels))
    )  # fmt: skip
