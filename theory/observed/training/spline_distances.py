"""Networks trained by gradient flow, all parameters, on data less the line of Theorem 1: how far they are from g*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .wide_networks import draw, flow, grid, norm, penalty_weight, target

BATCH = 1 << 15
"""Units trained in one call."""


def distances(law: str, n: int, count: int, seed: int, xs: Sequence[float], ys: Sequence[float]) -> dict[str, Any]:
    """Of `count` networks of width n:

    distances, greatest  the L² norm and the greatest distance on [-2, 2] from the spline
    loss                 the greatest
    network, spline      values on the grid of the last network, and of g*, for the data themselves
    """
    import numpy as np

    goal = target(penalty_weight(law), xs, ys)
    x = np.array(xs)
    y = np.array(ys) - goal.u * x - goal.v
    wanted = goal.spline - goal.u * grid() - goal.v
    rng = np.random.default_rng(seed)
    far, greatest, losses, last = [], [], [], None
    while count > 0:
        size = min(count, max(1, BATCH // n))
        values, loss = flow(*draw(law, (size, n), rng), x, y)
        far += norm(values - wanted).tolist()
        greatest += np.abs(values - wanted).max(-1).tolist()
        losses.append(loss)
        last = values[-1]
        count -= size
    return {
        "distances": far,
        "greatest": greatest,
        "loss": max(losses),
        "network": (last + goal.u * grid() + goal.v).tolist(),  # type: ignore[operator]
        "spline": goal.spline.tolist(),
    }
