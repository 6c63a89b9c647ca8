"""The scatter of networks of width n with trained output layers around their limit at infinite width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Instance,
    Interval,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Value,
    seen,
)
from implicitbias.exact.sampling import mean_interval

from ..wide.fluctuations import limit, polar_law
from .rates import LEVEL, power_premises, rate_instances, seeds
from .wide_networks import X, Y, grid, linear_limits, norm

EFFECT = 0.1
"""Largest permitted half-width of the interval of an exponent."""


BATCH = 1 << 19
"""Approximate number of array entries processed at a time."""


CORRECTION = 15
"""The distance at width n is A n^(-1/2)(1 + c/n + …); ratios to width n0 are widened by 15/n0, half of what squares
get. (The exponent fitted to 12,500 networks of widths 2⁸…2¹², drawn for this alone, is -0.509 ± 0.012: c = 7.)"""


def scatter_job(parameters: Point, device: str) -> JobOutput:
    """Output layers trained to t = ∞ on the raw data of Figure 1: squared L² and sup distances from the limit.

    If `all` is true, all parameters of the linearised network learn (anti-symmetrical start).
    """
    import numpy as np

    law = polar_law(parameters["law"])
    x, y = np.array(X), np.array(Y)
    goal = limit(law, x, y, grid())
    rng = np.random.default_rng(parameters["seed"])
    n, left = parameters["n"], parameters["count"]
    squares, greatest = [], []
    while left > 0:
        size = min(left, max(1, BATCH // (86 * n) + 1))
        w, b = law.draw((size, n), rng)
        v = law.draw((size, n), rng)[0] if parameters.get("all") else None
        misses = linear_limits(w, b, v, x, y[None])[:, 0] - goal.values
        squares += (norm(misses) ** 2).tolist()
        greatest += np.abs(misses).max(-1).tolist()
        left -= size
    return {
        **parameters,
        "squares": squares,
        "greatest": greatest,
        "fourth": goal.fourth if law.has_fourth_moment else None,
        "product": goal.product,
    }


def sweep(
    context: Context, label: int, laws: Sequence[str], widths: Sequence[int], count: int, **more: Any
) -> Sequence[Point]:
    """One job per law and width."""
    return [
        {"law": law, "n": n, "count": count, "seed": seeds(context.seed, label, i, n, count=1)[0], **more}
        for i, law in enumerate(laws)
        for n in widths
    ]


def widened(ratio: Instance, least: int) -> Instance:
    """The ratio to the least width, its interval widened by what the next term of the error may be there."""
    observed = ratio.observed
    assert isinstance(observed, Interval)
    slack = observed.upper * Fraction(CORRECTION, least)
    return replace(ratio, observed=Interval(observed.lower - slack, observed.upper + slack))


def rates(context: Context, given: Mapping[str, Mapping[str, Value]] | None = None) -> Observation:
    """The decrease of the sup distance with the width, per law; `given`: further symbols per law."""
    laws = list(dict.fromkeys(o["law"] for o in context.outputs))
    for law in laws:
        outputs = [o for o in context.outputs if o["law"] == law]
        widths = [o["n"] for o in outputs for _ in o["greatest"]]
        errors = [e for o in outputs for e in o["greatest"]]
        extra = given[law] if given else None
        found, power = rate_instances(law, widths, errors, given=extra, comparisons=len(laws))
        yield from (widened(ratio, min(widths)) for ratio in found)
        yield from power_premises(law, power, EFFECT)
        yield Measured(law, dict(power.numbers))


BIAS = 30
"""The mean square has a relative error of O(1/n); intervals are widened by 30/n (1.5% at n = 2048)."""


def mean_squares(context: Context) -> Observation:
    """The mean squared L² distance at each width, with Student's interval."""
    widest = 0.0
    for o in context.outputs:
        found = mean_interval(o["squares"], LEVEL, len(context.outputs))
        slack = found.upper * Fraction(BIAS, o["n"])
        observed = Interval(found.lower - slack, found.upper + slack)
        widest = max(widest, float(observed.width / (observed.upper + observed.lower)))
        yield seen(
            observed,
            f"{o['law']}, {o['count']} networks",
            by_run=o["squares"],
            n=o["n"],
            V=Fraction(o["fourth"]),
            P=Fraction(o["product"]),
        )
    yield Premise("every interval is within ±30% of the mean square", widest < 0.3, f"±{100 * widest:.0f}%")
    yield from (
        Measured(
            f"{o['law']}, n = {o['n']}: n E‖·‖² over ∫E[ρ²γ²]dx",
            float(o["n"] * sum(o["squares"]) / len(o["squares"]) / o["fourth"]),
        )
        for o in context.outputs
    )
