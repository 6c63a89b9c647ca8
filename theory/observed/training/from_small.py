"""Networks of balanced units trained on the square loss: small weights at the start, or others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

UNITS = 200
"""Width."""


def trained(
    x: Sequence[float], y: Sequence[float], start: float, seed: int, step: float, steps: int
) -> dict[str, float]:
    """The loss ½ Σ (f(x_i) - y_i)² and Σ|v|‖(w, b)‖ after gradient descent on w, b and v.

    start  norm of each unit's (w, b), and its |v|, at the start; the direction is uniform, the sign of v random
    """
    import numpy as np

    from implicitbias.training import TwoLayer, train

    rng = np.random.default_rng(seed)
    angle, sign = rng.uniform(0, 2 * np.pi, UNITS), rng.choice([-1.0, 1.0], UNITS)
    network = TwoLayer(start * np.cos(angle), start * np.sin(angle), start * sign[:, None], np.zeros(1))
    course = train(
        network, np.array(x, float), np.array(y, float), threads=1, engine="prefix_sum", step=step, steps=steps,
        trained=("w", "b", "v"), record=[0],
    )  # fmt: skip
    end: Any = course.final
    cost = float((np.abs(end.v.ravel()) * np.hypot(end.w, end.b)).sum())
    return {"loss": float(course.final_loss), "cost": cost}
