"""Theorem 2 and Corollary 3: how fast networks with trained output weights approach the minimisers."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims import Context, JobOutput, Measured, Observation, Point, claim, experiment

from ..observed.training.rates import power_premises, rate_instances, seeds
from ..observed.wide.limits_of_features import circle_error, plane_error

DEGREES = (0, 1, 2, 3)
EFFECT = 0.15
"""Exponents that differ by this much are told apart; the controls are 1/4 away and more."""

ACCEPTANCE = """Fixed after pilot runs: widths 2⁸ to 2¹³, 60 networks each (full: 2⁹ to 2¹⁴, 200 each), output weights
trained to their limit in closed form, float64. The formula's ratio must lie in the interval of the ratio of geometric
means at every width and in that of the fitted power, at joint level 0.001. UNDECIDED unless the exponent is known to
±0.15 and no curvature shows: a wrong minimiser leaves an error that does not fall, which the largest widths show."""


def degree_jobs(context: Context) -> Sequence[Point]:
    exponents, count = context.choose((range(8, 14), 60), (range(9, 15), 200))
    return [
        {"k": k, "n": 2**e, "count": count, "seed": seeds(context.seed, 3, k, 2**e, count=1)[0]}
        for k in DEGREES
        for e in exponents
    ]


def degree_job(parameters: Point, device: str) -> JobOutput:
    import numpy as np

    batch = max(1, 400_000 // parameters["n"])
    errors = [
        circle_error(
            parameters["k"], parameters["n"], min(batch, parameters["count"] - start), parameters["seed"] + start
        )
        for start in range(0, parameters["count"], batch)
    ]
    return {"errors": np.concatenate(errors)}


def plane_jobs(context: Context) -> Sequence[Point]:
    exponents, count = context.choose((range(8, 14), 60), (range(9, 15), 200))
    return [{"n": 2**e, "count": count, "seed": seeds(context.seed, 2, 2**e, count=1)[0]} for e in exponents]


def plane_job(parameters: Point, device: str) -> JobOutput:
    import numpy as np

    batch = max(1, 200_000 // parameters["n"])
    errors = [
        plane_error(parameters["n"], min(batch, parameters["count"] - start), parameters["seed"] + start)
        for start in range(0, parameters["count"], batch)
    ]
    return {"errors": np.concatenate(errors)}


@experiment("trained output weights", degree_jobs, degree_job, acceptance=ACCEPTANCE)
def degrees(context: Context) -> Observation:
    """Errors of networks with four activations against the minimisers of (6), by degree and width."""
    planned = list(zip(degree_jobs(context), context.outputs, strict=True))
    for k in DEGREES:
        chosen = [(job, out) for job, out in planned if job["k"] == k]
        widths = [job["n"] for job, out in chosen for _ in out["errors"]]
        errors = [float(e) for _, out in chosen for e in out["errors"]]
        found, power = rate_instances(f"k = {k}", widths, errors, comparisons=len(DEGREES))
        yield from found
        yield from power_premises(f"k = {k}", power, EFFECT)
        yield Measured(f"k = {k}", power.numbers)


@experiment("trained output weights", plane_jobs, plane_job, acceptance=ACCEPTANCE)
def plane(context: Context) -> Observation:
    """Errors of networks with two inputs against the cubic of the distance, by width."""
    planned = list(zip(plane_jobs(context), context.outputs, strict=True))
    widths = [job["n"] for job, out in planned for _ in out["errors"]]
    errors = [float(e) for _, out in planned for e in out["errors"]]
    instances, power = rate_instances("two inputs", widths, errors)
    yield from instances
    yield from power_premises("two inputs", power, EFFECT)
    yield Measured("fit", power.numbers)


CONTROLS = {"n0/n": "twice the exponent", "(n0/n)**(1/4)": "half the exponent", "1": "another limit"}
WIDTHS = {"n": "width", "n0": "reference width"}

THEOREM_2_RATE = claim(
    "jin2021.theorem_2_rate",
    "Theorem 2",
    "The rate for two inputs",
    """For two inputs, directions uniform on the circle and B uniform on [-2, 2], the network trained on the adjusted
    data comes within order n^{-1/2} of the minimiser of (5), here interpolation by cubes of distances plus an affine
    function, on compact sets. So it is stated in JMLR 2023, Theorem 6. The exponent is told to ±0.15.""",
    latex=r"\|f(\cdot,\theta^*)-g^*\|=\Theta(n^{-1/2})",
    hypotheses=("output weights trained, from f = 0", "five data, six places among them"),
    formula="sqrt(n0/n)",
    symbols=WIDTHS,
    controls=CONTROLS,
    checks=(plane,),
    rests_on=("jin2021.theorem_2_polyharmonic", "jin2021.theorem_2_constraint"),
)


COROLLARY_3_RATE = claim(
    "jin2021.corollary_3_rate",
    "Corollary 3",
    "The rate for homogeneous activations",
    """For φ(z) = z_+^k, k = 0, 1, 2, 3, and (W, B) uniform on the unit circle, the network trained on y - p comes
    within order n^{-1/2} of the minimiser of (6) with ζ = p_C E(W^{2k}|C) = 1/(π(1+x²)^{k+1}). The exponent is told to
    ±0.15.""",
    latex=r"\|f(\cdot,\theta^*)-g^*\|=\Theta(n^{-1/2})",
    hypotheses=("output weights trained, from f = 0", "five data"),
    formula="sqrt(n0/n)",
    symbols=WIDTHS,
    controls=CONTROLS,
    checks=(degrees,),
    part_of="jin2021.corollary_3",
    rests_on=("jin2021.corollary_3",),
)
