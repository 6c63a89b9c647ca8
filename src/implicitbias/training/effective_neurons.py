"""How many different neurons a trained network has, by rules that are fixed before anything is counted.

By direction: neurons (c_j, θ_j) with the same sign of c whose θ are within an angle of each other are one. By cell:
neurons with the same pattern {i: θ·x̃_i > 0} and the same sign of c belong together, and are compared by what the data
see of them, ([θ·x̃_i]_+)_i and c; where the data of a pattern do not span the space, they do not determine θ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ANGLE = 0.02
"""In radians: neurons of one sign closer to each other than this count as one."""
SHARE = 1e-3
"""A neuron is effective if its cost |c||θ| exceeds this fraction of the network's."""


@dataclass(frozen=True)
class Cluster:
    """Neurons that count as one.

    dearest     the index in the network of the one with the greatest cost
    direction   its θ/|θ|
    cost        Σ|c||θ|
    neurons     how many they are
    """

    dearest: int
    sign: int
    direction: Array
    cost: float
    neurons: int


def clusters(theta: Array, c: Array, angle: float = ANGLE, share: float = SHARE) -> list[Cluster]:
    """The different neurons of one network, theta (m, d + 1) and c (m,), the dearest first.

    Neurons are taken in order of falling cost; one that is not near any cluster starts a new one.

    >>> theta, c = np.array([[1.0, 0.0], [2.0, 0.01], [1.0, 0.0], [0.0, 1e-9]]), np.array([1.0, 1.0, -1.0, 1.0])
    >>> [(found.sign, found.neurons) for found in clusters(theta, c)]
    [(1, 2), (-1, 1)]
    """
    lengths = np.linalg.norm(theta, axis=1)
    costs = np.abs(c) * lengths
    first: list[int] = []
    members: list[list[int]] = []
    for j in np.argsort(-costs, kind="stable"):
        if costs[j] <= share * costs.sum():
            break
        own = theta[j] / lengths[j]
        for k, i in enumerate(first):
            if np.sign(c[i]) == np.sign(c[j]) and _angle(own, theta[i] / lengths[i]) < angle:
                members[k].append(int(j))
                break
        else:
            first.append(int(j))
            members.append([int(j)])
    return [
        Cluster(i, int(np.sign(c[i])), theta[i] / lengths[i], float(costs[of].sum()), len(of))
        for i, of in zip(first, members, strict=True)
    ]


def _angle(a: Array, b: Array) -> float:
    """The angle between unit vectors, accurate also for small angles."""
    return float(2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b)))


@dataclass(frozen=True)
class CellGroup:
    """The effective neurons of one pattern and sign.

    pattern   the data, counted from 0, at which they are active
    sign      of c
    neurons   their indices in the network
    spread    the greatest angle between what the data see of one of them, ([θ·x̃_i]_+, c), and of the dearest one
    """

    pattern: tuple[int, ...]
    sign: int
    neurons: tuple[int, ...]
    spread: float


def by_cell(theta: Array, c: Array, points: Array, costs: Array, share: float) -> list[CellGroup]:
    """The neurons that cost more than `share` of the network and are active at a datum, by pattern and sign.

    theta, c  (m, d + 1), (m,);   points  (x, 1), (n, d + 1);   costs  (m,)
    """
    seen = np.maximum(theta @ points.T, 0)
    effective = [int(j) for j in np.argsort(-costs, kind="stable") if costs[j] > share * costs.sum() and seen[j].any()]
    groups: dict[tuple[tuple[int, ...], int], list[int]] = {}
    for j in effective:
        pattern = tuple(int(i) for i in np.flatnonzero(seen[j] > 0))
        groups.setdefault((pattern, int(np.sign(c[j]))), []).append(j)
    return [CellGroup(pattern, sign, tuple(of), _spread(seen, c, of)) for (pattern, sign), of in groups.items()]


def _spread(seen: Array, c: Array, neurons: Sequence[int]) -> float:
    rows = np.column_stack([seen[neurons], c[list(neurons)]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return max(_angle(row, rows[0]) for row in rows)
