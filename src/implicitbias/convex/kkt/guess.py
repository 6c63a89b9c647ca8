"""A guess in doubles of a KKT point of the margin problem near a network: units in few directions, multipliers.

Nothing here is trusted: `convex.kkt.limit` improves the guess, and the kernel decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Row = NDArray[np.float64]
States = NDArray[np.int8]

SLACK = 1e-9
"""Multipliers and squares that are chosen to be few may exceed the smallest residual by this much."""


@dataclass(frozen=True)
class Patterns:
    """Units of one sign of v and one side of every point, taken together: at a KKT point they have one direction.

    sign      of v, one per pattern
    state     1 where the pattern is active, 0 at its kink, -1 elsewhere (patterns × points)
    aim       (w, b)/|(w, b)| of its units, averaged by what they carry, |v||(w, b)|; of length 1
    strength  what they carry together
    """

    sign: NDArray[np.int64]
    state: States
    aim: Row
    strength: Row


def patterns(sign: NDArray[np.int64], state: States, aim: Row, strength: Row) -> Patterns:
    """The units merged by sign and state, in the order in which patterns first occur."""
    _, first, which = np.unique(
        np.concatenate([sign[:, None], state], axis=1), axis=0, return_index=True, return_inverse=True
    )
    which = np.argsort(np.argsort(first))[which.reshape(-1)]
    first = np.sort(first)
    carried, total = np.zeros((len(first), 2)), np.zeros(len(first))
    np.add.at(carried, which, aim * strength[:, None])
    np.add.at(total, which, strength)
    return Patterns(sign[first], state[first], carried / np.hypot(*carried.T)[:, None], total)


def multipliers(at: Row, y: Row, near: NDArray[np.bool_], found: Patterns) -> tuple[Row, Row, float]:
    """λ, λ c (patterns × points) and the largest |Σ_i λ_i y_i c_ij (x_i, 1) - ε_j aim_j|, which they make smallest.

    Among those the λ with the smallest Σ λ_i g(x_i), g strictly concave: points between two others on one line of f
    keep none, since theirs can be shared out between the two. So the equations of the points are independent.
    """
    n, units = len(at), len(found.sign)
    contacts = [(j, i) for j in range(units) for i in range(n) if near[i] and found.state[j, i] == 0]
    size = n + len(contacts) + 1
    wanted = found.sign[:, None] * found.aim
    rows, goals, below = [], [], []
    for j in range(units):
        for a in (0, 1):
            row = np.zeros(size)
            row[:n] = np.where(found.state[j] > 0, y * (at if a == 0 else 1.0), 0.0)
            for k, (unit, i) in enumerate(contacts):
                if unit == j:
                    row[n + k] = y[i] * (at[i] if a == 0 else 1.0)
            for side in (1.0, -1.0):
                signed = side * row
                signed[-1] = -1.0
                rows.append(signed)
                goals.append(side * wanted[j, a])
    for k, (_, i) in enumerate(contacts):
        row = np.zeros(size)
        row[n + k], row[i] = 1.0, -1.0
        below.append(row)
    bounds: list[tuple[float, float | None]] = [(0, None if free else 0) for free in near]
    bounds += [(0, None)] * (len(contacts) + 1)
    limits = np.array(goals + [0.0] * len(below))
    values = _smallest(np.eye(size)[-1], np.array(rows + below), limits, bounds)
    if values is None:
        return np.zeros(n), np.zeros((units, n)), np.inf
    residual = float(values[-1])
    bounds[-1] = (0, residual + SLACK)
    scaled = 2 * (at - at.min()) / max(float(np.ptp(at)), 1e-300) - 1
    few = _smallest(
        np.concatenate([2 - scaled**2, np.zeros(len(contacts) + 1)]), np.array(rows + below), limits, bounds
    )
    values = values if few is None else few
    shares = np.zeros((units, n))
    for k, (j, i) in enumerate(contacts):
        shares[j, i] = values[n + k]
    return values[:n], shares, residual


def fewer(at: Row, y: Row, support: list[int], aim: Row, sign: NDArray[np.int64]) -> Row | None:
    """Squares κ >= 0 of units with these directions, y f = 1 at the support and >= 1 elsewhere, few of them not 0."""
    heights = np.maximum(np.outer(at, aim[:, 0]) + aim[:, 1], 0) * sign * y[:, None]
    held = heights[support]
    ones = [np.ones((len(rows), 1)) for rows in (heights, held)]
    above = np.concatenate([np.hstack([-heights, -ones[0]]), np.hstack([held, -ones[1]])])
    limits = np.concatenate([-np.ones(len(heights)), np.ones(len(held))])
    bounds: list[tuple[float, float | None]] = [(0, None)] * (len(sign) + 1)
    best = _smallest(np.eye(len(sign) + 1)[-1], above, limits, bounds)
    if best is None:
        return None
    bounds[-1] = (0, float(best[-1]) + SLACK)
    # any objective in general position leads to a vertex
    few = _smallest(np.append(1 + 0.1 * np.sin(1 + np.arange(len(sign))), 0), above, limits, bounds)
    return None if few is None else few[:-1]


def _smallest(objective: Row, above: Row, limits: Row, bounds: list[tuple[float, float | None]]) -> Row | None:
    found = linprog(objective, A_ub=above, b_ub=limits, bounds=bounds, method="highs")
    return None if found.x is None else cast(Row, found.x)
