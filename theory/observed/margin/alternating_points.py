"""Gradient flow on points of equal mass with alternating labels, the distribution of Theorem 3.2's construction."""

from __future__ import annotations

from math import log, pi, tan
from typing import Any

from .frozen_features import separate


def alternating_run(m: int, k: int, seed: int, loss: str, scale: float, level: float, steps: int) -> dict[str, Any]:
    """Run at most `steps` steps of the flow itself on all parameters, or until the mean loss is `level` or less.

    The points are x_i = tan(π i/(2(m + 2))), i = 1, …, m + 1, each as often as any other, with labels in turn: the loss
    on this sample is the loss over the distribution. w, b ~ N(0, σ_h²) with σ_h = `scale`, v ~ N(0, σ_o²) with
    σ_o = 1/(4 k σ_h log(12 k)), which is (3) for R = 1 and δ = 1/2.

    The dead units are those with w, b < 0; `separable` says whether output weights on the first features classify the
    points.
    """
    import numpy as np

    from implicitbias.training.flows.classification_flow import flow, sample, units
    from implicitbias.training.flows.margin_losses import MARGIN_LOSSES, log_mean_loss

    rng, law = np.random.default_rng(seed), MARGIN_LOSSES[loss]
    data = sample([tan(pi * i / (2 * (m + 2))) for i in range(1, m + 2)], [(-1) ** i for i in range(m + 1)])
    w, b = scale * rng.normal(size=(2, k))
    v = rng.normal(size=k) / (4 * k * scale * log(12 * k))
    start = units(w, b, v, data)

    def there(_: Any, q: Any, __: float) -> bool:
        return log_mean_loss(law, q) <= log(level)

    course = flow(start, data, temperature=1, loss=loss, steps=steps, until=there)
    dead = (w < 0) & (b < 0)
    moved = (course.units.w != w) | (course.units.b != b) | (course.units.v != v)
    return {
        "seed": seed,
        "dead": int(dead.sum()),
        "dead that moved": int((dead & moved).sum()),
        "separable": separate(w, b, data.x, data.y),
        "loss": float(np.exp(log_mean_loss(law, course.q))),
        "reached": log_mean_loss(law, course.q) <= log(level),
        "reason": course.reason,
    }
