"""Theorem 1: trained networks approach the adaptive spline like n^(-1/2)."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims import Context, Curve, JobOutput, Observation, Point, claim, experiment

from ..observed.training.rates import seeds
from ..observed.training.rates_by_law import falls
from ..observed.training.spline_distances import distances
from ..observed.training.wide_networks import LAWS, X, Y, grid

EFFECT = 0.1
"""Exponents this far apart must be told from each other."""
ZERO_LOSS = 1e-20


def rate_runs(context: Context) -> Sequence[Point]:
    """One job per law and width."""
    widths = [2**k for k in context.choose(range(8, 14), range(8, 15), range(8, 16))]
    count = context.choose(60, 400, 1500)
    return [
        {"law": law, "n": n, "count": count, "seed": seeds(context.seed, 1, i, n, count=1)[0]}
        for i, law in enumerate(LAWS)
        for n in widths
    ]


def rate_job(parameters: Point, device: str) -> JobOutput:
    """Networks trained by gradient flow, all parameters, on the adjusted data: their distances from g*."""
    law, n, count, seed = (parameters[name] for name in ("law", "n", "count", "seed"))
    return {**parameters, **distances(law, n, count, seed, X, Y)}


@experiment(
    "networks trained in all parameters",
    rate_runs,
    rate_job,
    acceptance="""Fixed after pilot runs: for each law √(n0/n) must lie in the interval of every width against the least
    (Welch, logarithms) and of the fitted power (least squares, HC3); joint level 0.001 by Bonferroni. UNDECIDED unless
    the exponent's interval is within ±0.1, the quadratic term's contains 0, and every loss is below 1e-20. Nonlinear
    networks, all parameters, gradient flow to t = ∞. 60 networks per law and width 2⁸…2¹³ at the quick budget (power:
    exponents 0.1 apart), 400 up to 2¹⁴ at full.""",
    time_limit=300,
)
def rate(context: Context) -> Observation:
    """The L² distance by width from 256 on, for W, B uniform; Gaussian; Gaussian with σ_b² = 0.1; data of Figure 1."""
    yield from rates_of(context, "distances")


def rates_of(context: Context, what: str) -> Observation:
    """Instances, premises and curves of a sweep of `rate_job`s."""
    yield from falls(context.outputs, what, EFFECT, ZERO_LOSS)
    largest = max(context.outputs, key=lambda o: o["n"])
    yield Curve("network", tuple(grid().tolist()), tuple(largest["network"]))
    yield Curve("g*", tuple(grid().tolist()), tuple(largest["spline"]))


def greatest_runs(context: Context) -> Sequence[Point]:
    widths = [2**k for k in context.choose(range(8, 14), range(8, 15), range(8, 16))]
    count = context.choose(50, 400, 1500)
    return [{"law": "uniform", "n": n, "count": count, "seed": seeds(context.seed, 21, n, count=1)[0]} for n in widths]


@experiment(
    "greatest distances of networks trained in all parameters",
    greatest_runs,
    rate_job,
    acceptance="""Fixed after pilot runs: √(n0/n) must lie in the interval of every width against the least and of the
    fitted power, joint level 0.001. UNDECIDED unless the exponent is known to ±0.1, the quadratic term's interval
    contains 0 and every loss is below 1e-20. 50 networks per width 2⁸…2¹³ at the quick budget, 400 up to 2¹⁴ at
    full.""",
    time_limit=300,
)
def greatest(context: Context) -> Observation:
    """The greatest distance on [-2, 2], read at 81 places, by width from 256 on."""
    yield from rates_of(context, "greatest")


THEOREM_1_RATE = claim(
    "jin2021.theorem_1_rate",
    "Theorem 1; Figure 1, left",
    "Distance from the trained network to g*, by width",
    """The distance in L²(S) between the trained network of width n and the adaptive spline g* falls like n^(-1/2): it
    is √(n0/n) times the distance at width n0, the exponent being told to ±0.1. So does the greatest distance on [-2,
    2], which Figure 1, left, shows for W uniform on ±1 and B on ±2. (The figure gives neither data nor widths, seeds,
    step size, stopping rule or adjustment; here: the five points of its right half, exact u and v, an anti-symmetrical
    start, training to zero loss. A run that stops early, or on raw data, shows other slopes.) The version of 2023
    takes the greatest distance over S, and supposes a continuous joint density.""",
    latex=r"\|f(\cdot,\theta^*)-g^*\|_2\propto n^{-1/2}",
    hypotheses=("f(·, θ₀) ≡ 0 (anti-symmetrical start)", "(u, v) computed from the spline before training"),
    formula="sqrt(n0/n)",
    symbols={"n": "the width", "n0": "the least width"},
    controls={
        "n0/n": "the rate 1/n",
        "(n0/n)**(1/4)": "the rate n^(-1/4)",
        "1": "a distance that does not fall",
        "(n0/n)**0.64": "the exponent read off Figure 1",
        "(n0/n)**(2/3)": "the rate n^(-2/3)",
    },
    checks=(rate, greatest),
    rests_on=("jin2021.theorem_1_zero_error", "jin2021.adjustment_symmetric"),
    formerly=("jin2021.figure_1_left", "jin2021.equation_1"),
)
