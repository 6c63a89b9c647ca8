"""The line ux + v, estimated from the errors of networks trained on raw data against the adaptive spline.

In the limit these errors are u(k_x - x) + v(k_1 - 1), where k_x and k_1 are the functions the network learns from the
data x_j and 1: integrals over (W, B), independent of splines. u and v are each network's least-squares coefficients of
its errors on these two functions. The noise falls like n^(-1/2) but the contribution of the line does not: it is the
constant error of training on raw data.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, JobOutput, Measured, Observation, Point, Premise, seen

from ..wide.fluctuations import limit, polar_law
from .rates import LEVEL, extrapolated_interval, limit_by_run, seeds
from .wide_networks import LAWS, OTHER_X, OTHER_Y, draw, flow, grid, penalty_weight, target

BATCH = 1 << 15
"""Number of units trained in one call."""
WIDTHS = (4096, 16384)
"""The mean at width n differs from its limit by O(1/n) (0.6 at n = 4096 for one law); two widths remove this bias."""
NARROW = 1.5
"""Largest half-width of an interval of v that still distinguishes the compared lines."""


def runs(context: Context) -> Sequence[Point]:
    """One job per law and width."""
    counts = context.choose((160, 64), (800, 800), (2000, 2000))
    return [
        {"law": law, "n": n, "count": count, "seed": seeds(context.seed, 41, i, n, count=1)[0]}
        for i, law in enumerate(LAWS)
        for n, count in zip(WIDTHS, counts, strict=True)
    ]


def job(parameters: Point, device: str) -> JobOutput:
    """Train all parameters on raw data by gradient flow; returns each network's coefficient v, by least squares."""
    import numpy as np

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


def observe(context: Context) -> Observation:
    """v, the value of the line at p = 0, extrapolated to infinite width."""
    narrow = 0.0
    for law in LAWS:
        o, wide = (next(o for o in context.outputs if (o["law"], o["n"]) == (law, n)) for n in WIDTHS)
        observed = extrapolated_interval(o["v"], wide["v"], LEVEL, len(LAWS))
        narrow = max(narrow, float(observed.width / 2))
        says = f"{law}, {o['count']} and {wide['count']} networks, n = {o['n']} and {wide['n']}, raw data"
        by_run = limit_by_run([*[o["n"]] * len(o["v"]), *[wide["n"]] * len(wide["v"])], [*o["v"], *wide["v"]])
        yield seen(observed, says, by_run=by_run, l=Fraction(o["l"]), t=Fraction(o["t"]), o=Fraction(o["o"]), p=0)
        yield Measured(law, {f"mean at n = {w['n']}": sum(w["v"]) / len(w["v"]) for w in (o, wide)})
    loss = max(o["loss"] for o in context.outputs)
    yield Premise("every interval is within ±1.5", narrow < NARROW, f"±{narrow:.2f}")
    yield Premise("every loss has reached 0 (below 1e-20)", loss < 1e-20, f"{loss:.1e}")
