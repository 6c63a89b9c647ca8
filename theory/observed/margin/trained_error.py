"""Observed: the error on new data of a wide network that gradient flow has trained on one label switch."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

WIDTH = 40
SPREAD = 0.1
"""Deviation of the output weights at the start; the hidden weights and biases are standard normal."""
COLD = 8
"""Smallest margin at which training ends: the loss is below e^-8."""


def trained_errors(seed: int, n: int, cut: float, count: int) -> list[float | None]:
    """Errors of `count` networks, each trained on n uniform points of [-1, 1], labelled 1 right of the cut.

    The error is the share of [-1, 1] that is classified otherwise than by the cut, from the zeros between kinks; 0 for
    a sample of one label, which is not trained on; None where the flow does not reach the smallest margin.
    """
    import numpy as np

    from implicitbias.training.flows.classification_flow import flow, sample, units

    rng = np.random.default_rng(seed)
    found: list[float | None] = []
    for _ in range(count):
        x = np.sort(rng.uniform(-1, 1, n))
        y = np.where(x > cut, 1.0, -1.0)
        w, b, v = rng.normal(size=(3, WIDTH))
        if len(np.unique(y)) == 1:
            found.append(0.0)
            continue
        data = sample(x, y)
        course = flow(
            units(w, b, SPREAD * v, data),
            data,
            temperature=1,
            loss="logistic",
            until=lambda _, q, __: bool(q.min() > COLD),
            steps=3000,
        )
        found.append(share_wrong(course.units, cut) if course.reason == "target" else None)
    return found


def share_wrong(network: Any, cut: float) -> float:
    """The share of [-1, 1] where the sign is not that of x - cut, exactly piece by piece."""
    import numpy as np

    w, b, v = network.w, network.b, network.v
    inside = (-b / w)[np.abs(b) < np.abs(w)]
    places = np.sort(np.concatenate([[-1.0, cut, 1.0], inside]))
    values = np.maximum(np.outer(places, w) + b, 0) @ v
    wrong = 0.0
    for (low, high), (one, other) in zip(pairwise(places), pairwise(values), strict=True):
        positive = max(one, 0.0) + max(other, 0.0)
        share = positive / (abs(one) + abs(other)) if one * other < 0 else float(one + other > 0)
        wrong += (high - low) * (share if high <= cut else 1 - share)
    return wrong / 2
