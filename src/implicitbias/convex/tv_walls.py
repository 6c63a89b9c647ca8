"""A dual of least total variation that is right at atoms on walls, in floating point: nothing here is trusted.

At an atom θ on walls W, |θ| = 1, the dual's vector v_S in every cell S around it must satisfy
σ v_S + Σ_{i in W} μ_i s_i x̃_i = θ with μ >= 0: then θ is the projection of σ v_S on that cell.
These conditions are linear in p and μ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from implicitbias.convex.tv_polish import Atom
from implicitbias.convex.tv_programme import Array, Pattern

MOST_CELLS_AROUND = 400
"""Atoms in more closed cells than this altogether are left as they are."""


def dual_at(directions: Array, atoms: Sequence[Atom], patterns: Pattern, p: Array, near: float) -> Array:
    """The q nearest to p in Σ|q_i - p_i| that satisfies the conditions at all atoms; p where there is none.

    directions  (n, d + 1), the x̃_i/|x̃_i|
    patterns    all cells
    near        an atom is on the walls that are nearer
    """
    from scipy.optimize import linprog

    n, size = directions.shape
    around = []
    for atom in atoms:
        theta = atom.u / np.linalg.norm(atom.u)
        heights = directions @ theta
        wall = np.abs(heights) <= near
        cells = patterns[(patterns[:, ~wall] == (heights > 0)[~wall]).all(axis=1)]
        around += [(atom.sign, theta, np.flatnonzero(wall), cell) for cell in cells]
    if len(around) > MOST_CELLS_AROUND:
        return p
    count = sum(len(wall) for _, _, wall, _ in around)
    # unknown are what is added to p, what is subtracted, and the multipliers
    table = np.zeros((size * len(around), 2 * n + count))
    wanted = np.zeros(size * len(around))
    start = 2 * n
    for k, (sign, theta, walls, cell) in enumerate(around):
        rows = slice(size * k, size * (k + 1))
        active = sign * cell * directions.T
        table[rows, :n], table[rows, n : 2 * n] = active, -active
        table[rows, start : start + len(walls)] = (np.where(cell, 1.0, -1.0) * directions.T)[:, walls]
        wanted[rows] = theta - active @ p
        start += len(walls)
    cost = np.concatenate([np.ones(2 * n), np.zeros(count)])
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    answer: Any = linprog(cost, A_eq=table, b_eq=wanted, bounds=(0, None), method="highs-ds", options=options)  # type: ignore[call-overload]
    if answer.status != 0:
        return p
    return np.asarray(p + answer.x[:n] - answer.x[n : 2 * n])
