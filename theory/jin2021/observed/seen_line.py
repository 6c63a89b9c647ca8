"""Observed: the line ux + v that networks trained on raw data betray by where they miss the adaptive spline.

In the limit they miss it by u(k_x - x) + v(k_1 - 1), with k_x and k_1 what the network learns from the data x_j and 1:
integrals over (W, B) that know nothing of splines. u and v are the coefficients of the misses on these two functions,
network by network. Noise falls like n^(-1/2), the line's trace does not: that is the floor of raw data, seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.check import Context, JobOutput
from implicitbias.evidence import Evidence, Instance, Premise, Value
from implicitbias.exact.rational import Interval

from ..rates import LEVEL, mean_interval, seeds
from .wide_networks import LAWS, OTHER_X, OTHER_Y

BATCH = 1 << 15
"""So many units are trained in one call."""
BIAS = 500
"""The mean of n units is off its limit by O(1/n): allowed for by 500/n in u and v (0.12 at n = 4096)."""
NARROW = 1.5
"""Wider intervals of v could not tell the lines apart that are compared here."""


def runs(context: Context) -> Sequence[Mapping[str, Any]]:
    """One job a law and width."""
    widths = context.choose((4096,), (4096, 16384))
    count = context.choose(240, 800, 2000)
    return [
        {"law": law, "n": n, "count": count, "seed": seeds(context.seed, 41, i, n, count=1)[0]}
        for i, law in enumerate(LAWS)
        for n in widths
    ]


def job(parameters: Mapping[str, Any], device: str) -> JobOutput:
    """Networks trained on raw data in all parameters, gradient flow; the coefficient v of each, by least squares."""
    import numpy as np

    from .fluctuations import limit, polar_law
    from .wide_networks import draw, flow, grid, penalty_weight, target

    law, n, left = parameters["law"], parameters["n"], parameters["count"]
    x, y, z = np.array(OTHER_X), np.array(OTHER_Y), grid()
    traces = np.stack([limit(polar_law(law), x, d, z).values - e for d, e in ((x, z), (np.ones(len(x)), 1.0))])
    goal = target(penalty_weight(law), OTHER_X, OTHER_Y)
    rng = np.random.default_rng(parameters["seed"])
    intercepts, losses = [], []
    while left > 0:
        size = min(left, max(1, BATCH // n))
        values, loss = flow(*draw(law, (size, n), rng), x, y)
        found = np.linalg.lstsq(traces.T, (values - goal.spline).T, rcond=None)[0]
        intercepts += found[1].tolist()
        losses.append(loss)
        left -= size
    first, last = goal.intercepts
    line = np.polynomial.Polynomial.fit(x, y, 1)
    return {**parameters, "v": intercepts, "loss": max(losses), "l": first, "t": last, "o": float(line(0.0))}


def observe(context: Context) -> Evidence:
    """v with Student's interval: the line at p = 0."""
    instances, narrow = [], 0.0
    for o in context.outputs:
        found = mean_interval(o["v"], LEVEL, len(context.outputs))
        slack = Fraction(BIAS, o["n"])
        observed = Interval(found.lower - slack, found.upper + slack)
        narrow = max(narrow, float(observed.width / 2))
        given: dict[str, Value] = {"l": Fraction(o["l"]), "t": Fraction(o["t"]), "o": Fraction(o["o"]), "p": 0}
        instances.append(Instance(f"{o['law']}, {o['count']} networks, n = {o['n']}, raw data", given, observed))
    loss = max(o["loss"] for o in context.outputs)
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("every interval is within ±1.5", narrow < NARROW, f"±{narrow:.2f}"),
            Premise("every loss has reached 0 (below 1e-20)", loss < 1e-20, f"{loss:.1e}"),
        ),
    )
