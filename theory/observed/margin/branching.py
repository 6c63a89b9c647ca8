"""Initial points of gradient flow, random ones and one from which the flow branches, and their limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.exact.vectors import relu

from .ball_losses import losses_and_forces

X = (Fraction(-11, 4), Fraction(-3, 2), Fraction(1), Fraction(2), Fraction(5, 2))
Y = (-1, -1, 1, -1, 1)
W = (Fraction(1, 2), Fraction(-9, 4), Fraction(7, 4), Fraction(-1), Fraction(-1, 2), Fraction(1))
B = (Fraction(-3, 4), Fraction(-1), Fraction(-1, 4), Fraction(9, 4), Fraction(19, 16), Fraction(25, 16))
V = (Fraction(1, 32), Fraction(-9, 32), Fraction(-1, 8), Fraction(-5, 32), Fraction(-1, 64), Fraction(1, 32))
"""Six units and five points with three switches, from which the flow of the exponential loss branches."""

COLD = 60.0
"""Smallest margin at which the late-phase surrogate takes over."""


def random_start(seed: int, n: int = 8, k: int = 40) -> tuple[Any, Any, Any]:
    """Units, sample and generator: at most two label switches, (w, b) standard normal, v with deviation 0.3."""
    import numpy as np

    from implicitbias.training.flows.classification_flow import sample, units

    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-2, 2, n))
    while True:
        y = np.where(np.searchsorted(np.sort(rng.uniform(-2, 2, 2)), x) % 2 == 0, 1.0, -1.0)
        if len(np.unique(y)) == 2:
            break
    data = sample(x, y)
    w, b, v = rng.normal(size=(3, k))
    return units(w, b, 0.3 * v, data), data, rng


def push(network: Any, x: Any, y: Any, unit: int, datum: int, loss: str) -> tuple[Any, Any, Any]:
    """(v, a, c) in h' = v(a + c·share) at the datum (a, c balls): a from the other active data, c from the datum.

    network  (w, b, v), exact; the kink of the unit is at the datum
    """
    from implicitbias.exact.enclosure import to_arb

    w, b, v = network
    forces = _forces(network, x, y, loss)
    at = x[datum]
    others = [i for i in range(len(x)) if i != datum and w[unit] * x[i] + b[unit] > 0]
    a = sum((forces[i] * y[i] * to_arb(x[i] * at + 1) for i in others), to_arb(Fraction(0)))
    return v[unit], a, forces[datum] * y[datum] * to_arb(at * at + 1)


def leaves(network: Any, x: Any, y: Any, unit: int, datum: int, loss: str, side: int) -> bool | None:
    """Whether gradient flow drives the kink away from the datum once h is side·2⁻⁴⁰ there; None if undecided.

    side  1: the unit is active at the datum, -1: it is inactive
    """
    from implicitbias.exact.enclosure import to_arb

    w, b, v = network
    moved = list(b)
    moved[unit] = -w[unit] * x[datum] + Fraction(side, 2**40)
    forces = _forces((w, moved, v), x, y, loss)
    slope = intercept = to_arb(Fraction(0))
    for i, at in enumerate(x):
        if w[unit] * at + moved[unit] > 0:
            slope += forces[i] * y[i] * to_arb(v[unit] * at)
            intercept += forces[i] * y[i] * to_arb(v[unit])
    speed = slope * to_arb(x[datum]) + intercept
    if not (speed > 0 or speed < 0):
        return None
    return bool(speed > 0) == (side > 0)


def _forces(network: Any, x: Any, y: Any, loss: str) -> list[Any]:
    w, b, v = network
    q = [
        label * sum((out * relu(a * at + c) for a, c, out in zip(w, b, v, strict=True)), Fraction(0))
        for at, label in zip(x, y, strict=True)
    ]
    return losses_and_forces(q, loss)[1]


def follow(
    branch: str, growth: float = 0.05, shift: float = 0.0, seed: int = 0, loss: str = "exponential"
) -> dict[str, Any]:
    """The limit under one branch rule from the explicit start plus normal perturbations of deviation `shift`."""
    import numpy as np

    from implicitbias.training.flows.classification_flow import flow, sample, units
    from implicitbias.training.flows.limit import late_limit

    rng = np.random.default_rng(seed)
    weights = np.array([[float(a) for a in row] for row in (W, B, V)])
    weights = weights + shift * rng.normal(size=weights.shape)
    data = sample([float(a) for a in X], list(Y))
    course = flow(
        units(weights[0], weights[1], weights[2], data),
        data,
        temperature=1,
        loss=loss,
        branch=branch,  # type: ignore[arg-type]
        growth=growth,
        steps=8000,
        until=lambda _, q, __: bool(q.min() > COLD),
    )
    if course.reason != "target":
        return {"reason": course.reason, "branchings": int(course.counts[3]), "cost": None}
    late = late_limit(course.units, data, list(X), branch)  # type: ignore[arg-type]
    found: dict[str, Any] = {
        "reason": late.limit.status,
        "branchings": int(course.counts[3]),
        "late branchings": late.counts[3],
        "cost": None,
    }
    if late.point is not None:
        document = late.point.certificate()
        found["cost"] = sum((unit.square for unit in late.point.units), Fraction(0))
        found["radius"] = late.point.radius * len(late.point.units)
        found["kinks"] = document["claim"]["kinks_at_most"]
        found["certificate"] = document
    return found


def wide_limits(seed: int, wanted: int) -> list[tuple[str, tuple[float, float], int]]:
    """Random starts whose flows do not branch: name, ½|θ|² of the limits under both rules, number of branchings."""
    from implicitbias.training.flows.classification_flow import flow
    from implicitbias.training.flows.limit import late_limit

    found: list[tuple[str, tuple[float, float], int]] = []
    for number in range(seed, seed + 60):
        start, data, _ = random_start(number)
        costs, branchings = [], 0
        for branch in ("active", "inactive"):
            course = flow(
                start, data, temperature=1, branch=branch, until=lambda _, q, __: bool(q.min() > COLD), steps=1000
            )
            if course.reason != "target":
                break
            late = late_limit(course.units, data, [Fraction(float(at)) for at in data.x], branch)
            branchings += int(course.counts[3]) + late.counts[3]
            if late.point is None or branchings:
                break
            costs.append(float(sum((unit.square for unit in late.point.units), Fraction(0))))
        if len(costs) == 2:
            found.append((f"40 units at random, start {number}", (costs[0], costs[1]), branchings))
        if len(found) == wanted:
            break
    return found
