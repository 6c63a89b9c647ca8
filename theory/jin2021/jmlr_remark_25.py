"""Remark 25 of the version of 2023: wide networks trained by stochastic descent have the bias of gradient descent."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims import Context, JobOutput, Observation, Point, claim, experiment

from ..observed.training.rates import seeds
from ..observed.training.rates_by_law import falls
from ..observed.training.stochastic_runs import SMALL_LOSS, ZERO_LOSS, stochastic_networks


def rate_runs(context: Context) -> Sequence[Point]:
    """One job per law and width."""
    exponents, laws = context.choose(((7, 9, 11), ("gauss",)), ((9, 11, 13), ("gauss", "uniform")))
    count = context.choose(60, 120)
    return [
        {
            "law": law,
            "n": 2**k,
            "count": count,
            "stop_loss": SMALL_LOSS,
            "seed": seeds(context.seed, 41, i, 2**k, count=1)[0],
        }
        for i, law in enumerate(laws)
        for k in exponents
    ]


def nearest_runs(context: Context) -> Sequence[Point]:
    """One job per width."""
    exponents, count = context.choose((range(9, 12), 12), (range(9, 13), 24))
    return [
        {
            "law": "gauss",
            "n": 2**k,
            "count": count,
            "stop_loss": ZERO_LOSS,
            "seed": seeds(context.seed, 42, 2**k, count=1)[0],
        }
        for k in exponents
    ]


def stochastic_job(parameters: Point, device: str) -> JobOutput:
    """Networks trained by stochastic descent, all parameters, on the adjusted data."""
    return {**parameters, **stochastic_networks(parameters)}


@experiment(
    "networks trained by stochastic descent",
    rate_runs,
    stochastic_job,
    acceptance="""Fixed after pilot runs: widths 2⁷, 2⁹, 2¹¹, 60 networks each, Gaussian units (full: 2⁹, 2¹¹, 2¹³, 120
    each, and uniform ones as well). For each law √(n0/n) must lie in the interval of every width against the least and
    of the fitted power, at joint level 0.001. UNDECIDED unless the exponent is known to ±0.15, no curvature shows and
    every loss is below 1e-10, residuals below 1.5e-5, a thousandth of the distances.""",
    time_limit=600,
)
def rate(context: Context) -> Observation:
    """The L² distance from the spline by width, all parameters trained, one datum a step; five data without
    symmetry."""
    yield from falls(context.outputs, "from_spline", 0.15, SMALL_LOSS)


@experiment(
    "networks trained by stochastic descent, beside the nearest interpolant",
    nearest_runs,
    stochastic_job,
    acceptance="""Fixed after pilot runs: widths 2⁹ to 2¹¹, 12 networks each (full: to 2¹², 24 each), Gaussian units.
    The formula's ratio must lie in the interval of every width against the least and of the fitted power, at joint
    level 0.001. UNDECIDED unless the exponent is known to ±0.3, no curvature shows and every loss is below 1e-20.""",
    time_limit=600,
)
def nearest(context: Context) -> Observation:
    """The L² distance by width from the linearised network whose parameters are nearest to the start."""
    yield from falls(context.outputs, "from_nearest", 0.3, ZERO_LOSS)


WIDTHS = {"n": "the width", "n0": "the least width"}
LAW = "W, B, W̄ ~ N(0, 1), f(·, θ₀) ≡ 0 (anti-symmetrical start)"
STEPS = "one datum a step, η ≤ 1/max_j ‖∇f(x_j, θ₀)‖²"

REMARK_25 = claim(
    "jin2021.jmlr_remark_25",
    "JMLR 2023, Remark 25; below Theorem 1",
    "Networks trained by stochastic descent approach g*",
    """Theorem 1 is said to hold for stochastic gradient descent as well. What is seen is its rate: the distance in
    L²(S) between the network of width n, trained in all parameters one datum a step, and the adaptive spline g* falls
    like n^(-1/2), the exponent being told to ±0.15. (The paper infers it from Theorem 24, which is about the linearised
    network.)""",
    latex=r"\|f(\cdot,\theta^{\mathrm{SGD}}_\infty)-g^*\|_2\propto n^{-1/2}",
    hypotheses=(LAW, STEPS, "(u, v) computed from the spline before training"),
    formula="sqrt(n0/n)",
    symbols=WIDTHS,
    controls={
        "n0/n": "the rate 1/n",
        "(n0/n)**(1/4)": "the rate n^(-1/4)",
        "1": "the noise of the steps stays",
        "(n0/n)**(3/4)": "the rate n^(-3/4)",
    },
    checks=(rate,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.jmlr_theorem_24", "jin2021.theorem_1_zero_error"),
)

REMARK_25_NEAREST = claim(
    "jin2021.jmlr_remark_25_nearest",
    "next to JMLR 2023, Remark 25",
    "Stochastic descent of the network and the nearest interpolant of its linearisation",
    """The function of the network trained in all parameters one datum a step is within order n^{-2} of that of the
    linearised network with the interpolating ω nearest to θ₀, where Theorem 24 and gradient descent end: the order in
    which the data come moves the end far less than chance at the start, n^{-1/2}. The exponent is told to ±0.3.""",
    latex=r"\|f(\cdot,\theta^{\mathrm{SGD}}_\infty)-f^{lin}(\cdot,\omega_\infty)\|_2=\Theta(n^{-2})",
    hypotheses=(LAW, STEPS, "L² distance on [-2, 2]"),
    formula="(n0/n)**2",
    symbols=WIDTHS,
    controls={
        "sqrt(n0/n)": "no nearer than the spline",
        "n0/n": "the rate of the input weights",
        "(n0/n)**(3/2)": "no cancellation of signs",
        "1": "the noise of the steps stays",
        "(n0/n)**(5/2)": "a faster decrease than there is",
    },
    checks=(nearest,),
    part_of="jin2021.theorem_1_rate",
    rests_on=("jin2021.jmlr_theorem_24",),
    own=True,
)
