"""Observed: networks of two inputs, their critical lines, and their distances from the lines of a teacher.

A unit [a·(x1, x2, 1)]_+ has the critical line a·(x1, x2, 1) = 0. Its coordinates are the normal angle θ
and the offset d with cos θ x1 + sin θ x2 = d; (θ, d) and (θ + π, -d) are the same line. A unit is affine on [-1, 1]² if
its line misses the square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LEAST_SHARE = 0.15
"""Least share of Σ‖a‖‖b‖ of each unit of the teacher; units with less would be undetectable."""


def grid(side: int) -> Array:
    """The side² points of the even grid on [-1, 1]², shape (side², 2)."""
    import numpy as np

    one = np.linspace(-1, 1, side)
    return np.stack(np.meshgrid(one, one, indexing="ij"), axis=-1).reshape(-1, 2)


def teacher(rng: np.random.Generator) -> tuple[Array, Array]:
    """Glorot's weights (3, 3) and (3,) of three units, redrawn until all lines cross the square, none negligible."""
    import numpy as np

    while True:
        a = rng.uniform(-1, 1, (3, 3))
        b = rng.uniform(-np.sqrt(1.5), np.sqrt(1.5), 3)
        mass = np.linalg.norm(a, axis=1) * np.abs(b)
        if crossing(a).all() and mass.min() >= LEAST_SHARE * mass.sum():
            return a, b


def outputs(a: Array, b: Array, x: Array) -> Array:
    """Σ_j b_j [a_j·(x, 1)]_+ at x (Q, 2)."""
    import numpy as np

    found: Array = np.maximum(x @ a[:, :2].T + a[:, 2], 0) @ b
    return found


def crossing(a: Array) -> NDArray[np.bool_]:
    """Which critical lines meet the open square: |a_3| < |a_1| + |a_2|."""
    import numpy as np

    found: NDArray[np.bool_] = np.abs(a[:, 2]) < np.abs(a[:, 0]) + np.abs(a[:, 1])
    return found


def distances(a: Array, lines: Array) -> Array:
    """The distance √(Δθ² + Δd²) of each row of a from the nearest of the lines."""
    import numpy as np

    (angle, offset), (other, place) = _coordinates(a), _coordinates(lines)
    gap = np.subtract.outer(angle, other)
    found = []
    for turn in (-2, -1, 0, 1, 2):
        sign = -1.0 if turn % 2 else 1.0
        found.append(np.hypot(gap + turn * np.pi, np.subtract.outer(offset, sign * place)))
    nearest: Array = np.min(found, axis=(0, 2))
    return nearest


def _coordinates(a: Array) -> tuple[Array, Array]:
    import numpy as np

    return np.arctan2(a[:, 1], a[:, 0]), -a[:, 2] / np.hypot(a[:, 0], a[:, 1])


def top_distance(a: Array, mass: Array, lines: Array, count: int) -> float:
    """Mean distance to the nearest line over the `count` units of greatest mass whose lines cross the square."""
    import numpy as np

    inside = np.flatnonzero(crossing(a))
    best = inside[np.argsort(-mass[inside], kind="stable")[:count]]
    return float(distances(a[best], lines).mean())


def participation(mass: Array) -> float:
    """(Σ m)²/Σ m²: the effective number of units that share the mass."""
    import numpy as np

    return float(mass.sum() ** 2 / np.square(mass).sum())
