"""The least penalised loss on a line by convex programming, without a word of duality."""

from __future__ import annotations

from collections.abc import Sequence

import cvxpy as cp
import numpy as np


def least_penalised_loss(
    rows: Sequence[tuple[float, float, float]], penalty: float, network: bool, monotone: str | None, curved: str | None
) -> float:
    """Over splines with knots at the data and half way between them, and end slopes that are free.

    rows  (x, y, weight), in any order; x may repeat
    """
    x, y, weights = map(np.array, zip(*rows, strict=True))
    places = np.unique(x)
    middle, width = places.mean(), float(np.ptp(places)) or 1.0
    at, target = (x - middle) / width, y
    knots = np.unique((places - middle) / width)
    knots = np.union1d(knots, (knots[1:] + knots[:-1]) / 2)
    values, ends = cp.Variable(len(knots)), cp.Variable(2)
    inner = [cp.multiply(cp.diff(values), 1 / np.diff(knots))] if len(knots) > 1 else []
    slopes = cp.hstack([ends[0:1], *inner, ends[1:2]])
    kinks = cp.diff(slopes)
    cost = cp.norm1(kinks)
    if network:
        cost = cp.maximum(cost, cp.abs(ends[0] + ends[1]))
    size = float(np.abs(target).max()) or 1.0
    seen = values[np.searchsorted(knots, at)]
    loss = cp.sum(cp.multiply(weights / weights.sum(), cp.square(seen - target / size)))
    asked = {"increasing": slopes >= 0, "decreasing": slopes <= 0, "convex": kinks >= 0, "concave": kinks <= 0}
    shape = [asked[word] for word in (monotone, curved) if word is not None]
    programme = cp.Problem(cp.Minimize(loss + penalty / size / width * cost), shape)
    programme.solve(solver=cp.CLARABEL)
    return float(programme.value) * size**2
