"""The data of Section 6: a target made of triangles, sampled with equally many points per label bin.

A target is a polygon through exact points. The paper's target has two large triangles, on [-1, 0] and [0, 1], minus two
small ones, on [-0.7, -0.5] and [0.55, 0.75]. The large triangles alone and |x| are targets without small features.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

TRIANGLES = "two large and two small triangles"
LARGE = "two large triangles"
ABSOLUTE = "|x|"

POLYGONS: dict[str, tuple[tuple[str, str], ...]] = {
    TRIANGLES: (
        ("-1", "0"), ("-0.7", "0.6"), ("-0.6", "0.5"), ("-0.5", "1"), ("0", "0"),
        ("0.5", "1"), ("0.55", "0.9"), ("0.65", "0.3"), ("0.75", "0.5"), ("1", "0"),
    ),
    LARGE: (("-1", "0"), ("-0.5", "1"), ("0", "0"), ("0.5", "1"), ("1", "0")),
    ABSOLUTE: (("-1", "1"), ("0", "0"), ("1", "1")),
}  # fmt: skip
"""Corners (x, y) of each target."""

LEFT_TIP, RIGHT_TIP = (-0.7, -0.55), (0.55, 0.75)
"""Intervals around the tips of the small triangles, with kinks at -0.7 and -0.6, and at 0.65."""

PER_BIN = 5


def corners(target: str) -> tuple[tuple[Fraction, Fraction], ...]:
    """The exact corners of a target."""
    return tuple((Fraction(x), Fraction(y)) for x, y in POLYGONS[target])


def values(target: str, x: Array) -> Array:
    """The values of the target at x in [-1, 1]."""
    import numpy as np

    knots, heights = np.array(POLYGONS[target], dtype=float).T
    found: Array = np.interp(x, knots, heights)
    return found


def pieces(target: str, low: float, high: float) -> list[tuple[float, float]]:
    """The intervals of [-1, 1], from left to right, on which low <= target <= high; adjacent ones are merged."""
    found: list[tuple[float, float]] = []
    points = [(float(x), float(y)) for x, y in corners(target)]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if max(y0, y1) < low or min(y0, y1) > high:
            continue
        ends = sorted(min(max(x0 + (level - y0) * (x1 - x0) / (y1 - y0), x0), x1) for level in (low, high))
        if found and ends[0] <= found[-1][1]:
            found[-1] = (found[-1][0], ends[1])
        elif ends[0] < ends[1]:
            found.append((ends[0], ends[1]))
    return found


def sample(target: str, bins: int, rng: np.random.Generator, protocol: str = "paper") -> Array:
    """PER_BIN sorted x per bin, drawn where the target is in the bin.

    protocol  "paper": uniform by length, all different. "released": PER_BIN uniform draws from each connected piece, of
              which PER_BIN are drawn with replacement, in single precision: pieces have equal weight regardless of
              length, and some x occur twice.
    """
    import numpy as np

    drawn = []
    for j in range(bins):
        parts = pieces(target, (j - 0.5) / (bins - 1), (j + 0.5) / (bins - 1))
        if protocol == "released":
            pool = np.concatenate([rng.uniform(a, b, PER_BIN) for a, b in parts])
            drawn.append(rng.choice(pool, PER_BIN, replace=True))
            continue
        lengths = np.array([b - a for a, b in parts])
        chosen = rng.choice(len(parts), PER_BIN, p=lengths / lengths.sum())
        drawn.append(np.array([rng.uniform(*parts[i]) for i in chosen]))
    x = np.sort(np.concatenate(drawn))
    return x.astype(np.float32).astype(np.float64) if protocol == "released" else x


def labels(y: Array, bins: int, protocol: str = "paper") -> Array:
    """Indices j of the nearest midpoints j/(bins - 1); ties go left, or right in the released protocol."""
    import numpy as np

    scaled = y * (bins - 1)
    found = np.floor(scaled + 0.5) if protocol == "released" else np.ceil(scaled - 0.5)
    return np.clip(found, 0, bins - 1)
