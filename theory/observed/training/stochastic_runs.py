"""Wide networks trained one datum a step; their distances from the spline and from their linearisation's end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .wide_networks import OTHER_X, OTHER_Y, draw, features, grid, linear_limits, norm, penalty_weight, target

ZERO_LOSS = 1e-20
"""Zero error in float64: residuals below 2·10⁻¹⁰."""
SMALL_LOSS = 1e-10
"""Residuals below 1.5·10⁻⁵, a thousandth of the distances from the spline."""
MOST = 1_000_000
"""Steps; 40 000 to 80 000 bring the loss to 1e-20."""
TOGETHER = 1 << 17
"""Units trained in one call."""


def stochastic_networks(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Train networks of one width from the anti-symmetrical start; the first two results have one entry per network.

    parameters: law, n, count, stop_loss, seed

    from_spline   L² distance on [-2, 2] from the adaptive spline
    from_nearest  that from the linearised network whose parameters are the interpolating ones nearest to the start
    loss          the greatest
    steps         the mean number
    """
    import numpy as np

    from implicitbias.training import anti_symmetric, standard
    from implicitbias.training.stochastic import stochastic_descent

    goal = target(penalty_weight(parameters["law"]), OTHER_X, OTHER_Y)
    x = np.array(OTHER_X)
    y = np.array(OTHER_Y) - goal.u * x - goal.v
    spline = goal.spline - goal.u * grid() - goal.v
    rng = np.random.default_rng(parameters["seed"])
    n, left = parameters["n"], parameters["count"]
    from_spline, from_nearest, losses, steps = [], [], [], []
    while left > 0:
        size = min(left, max(1, TOGETHER // n))
        w, b, v = draw(parameters["law"], (size, n), rng)
        active = features(w, b, x)
        squares = (active**2).sum(-1) + (((active > 0) * v[:, None]) ** 2).sum(-1) / n * (1 + x * x) + 1
        run = stochastic_descent(
            anti_symmetric(standard(w, b, v)),
            x,
            y,
            step=1 / squares.max(),
            steps=MOST,
            seed=[parameters["seed"], left],
            stop_loss=parameters["stop_loss"],
        )
        values = run.network(grid())
        from_spline += norm(values - spline).tolist()
        from_nearest += norm(values - linear_limits(w, b, v, x, y[None])[:, 0]).tolist()
        losses += run.loss.tolist()
        steps += run.steps.tolist()
        left -= size
    return {
        "from_spline": from_spline,
        "from_nearest": from_nearest,
        "loss": max(losses),
        "steps": float(np.mean(steps)),
    }
