"""Networks near optima of the margin problem, by column generation in doubles: the global one, or among some cells.

min Σ_j |κ_j| over f(x) = Σ_j κ_j [u_j·(x, 1)]_+, |u_j| = 1, with y_i f(x_i) >= 1: a linear programme in κ for given
directions u_j, to which the directions are added in which its dual function exceeds 1. Where directions may come from
all cells (a side and a gap between data), this is the global optimum among networks of all widths. With some cells left
out it is, where its units are stationary in their own cells, a KKT point that need not be an optimum: units in the
cells left out are 0. Nothing here is trusted: `convex.kkt.limit` makes certified points of these networks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Row = NDArray[np.float64]

TOLERANCE = 1e-9
ROUNDS = 30
FIRST = 5
"""Initial directions per cell, its ends included."""


@dataclass(frozen=True)
class Directions:
    """A network x -> Σ v_j [w_j x + b_j]_+ with v_j² = w_j² + b_j²."""

    w: Row
    b: Row
    v: Row


def cells(n: int) -> list[tuple[int, int]]:
    """The cells of n points as (first, end) of the active ones: right units, all active, left units."""
    return [(k, n) for k in range(n)] + [(0, k) for k in range(1, n)]


def margin_optimum(
    x: Iterable[float], labels: Sequence[int], among: Iterable[tuple[int, int]] | None = None
) -> Directions | None:
    """A network near the optimum among units of these cells (by default all); None if none of them classifies the data.

    x  increasing. Cost: about 20 linear programmes with n rows.

    >>> found = margin_optimum([-4 / 3, 4 / 3], [-1, 1])
    >>> round(float(np.sum(found.v**2)), 9), sorted((found.w / found.v).round(6).tolist())
    (1.2, [0.8, 0.8])
    """
    at, y = np.array(list(x), dtype=float), np.array(labels, dtype=float)
    lifted = np.stack([at, np.ones_like(at)], axis=1)
    chosen = cells(len(at)) if among is None else list(among)
    if not chosen:
        return None
    masks = np.array([[first <= i < end for i in range(len(at))] for first, end in chosen])
    columns = np.concatenate([_between(at, first, end) for first, end in chosen])
    used, size = columns, np.zeros(len(columns))
    for _ in range(ROUNDS):
        rows = np.maximum(columns @ lifted.T, 0) * y
        found = linprog(
            np.ones(2 * len(columns)),
            -np.concatenate([rows, -rows]).T,
            -np.ones(len(at)),
            method="highs",
            options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
        )
        if found.x is None:
            return None
        used, size = columns, found.x[: len(columns)] - found.x[len(columns) :]
        pulls = (masks * (-found.ineqlin.marginals * y)) @ lifted
        lengths = np.hypot(*pulls.T)
        new = []
        for pull, length, mask in zip(pulls, lengths, masks, strict=True):
            if length > 1 + TOLERANCE:
                new += [side * pull / length for side in (1, -1) if np.array_equal(side * (lifted @ pull) > 0, mask)]
        if not new:
            break
        columns = np.concatenate([columns, new])
    kept = np.abs(size) > 1e-9 * np.abs(size).max()
    v = np.sign(size[kept]) * np.sqrt(np.abs(size[kept]))
    w, b = (used[kept] * np.abs(v)[:, None]).T
    return Directions(w, b, v)


def _between(at: Row, first: int, end: int) -> Row:
    """Directions from one end of a cell to the other."""
    # the angle of u = (w, b): right units at a kink t have atan2(-t, 1), left ones the angle of the opposite direction
    if first == 0 and end == len(at):
        low, high = np.arctan2(-at[0], 1), np.pi - np.arctan2(at[-1], 1)
    elif end == len(at):
        low, high = np.arctan2(-at[first], 1), np.arctan2(-at[first - 1], 1)
    else:
        low, high = np.pi - np.arctan2(at[end], 1), np.pi - np.arctan2(at[end - 1], 1)
    angle = np.linspace(low, high, FIRST)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
