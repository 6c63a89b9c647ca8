"""Next to Corollary 5.1: the error on new data of networks that gradient flow has trained, by the sample size."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    claim,
    experiment,
    seen,
)

from ..observed.margin.trained_error import trained_errors

LEVEL = 0.001
"""Joint level of the intervals of all settings, by Bonferroni."""


def settings(context: Context) -> Sequence[Point]:
    """Sample sizes and masses of the smaller side, each in jobs of forty samples."""
    import numpy as np

    sizes = [(5, "1/2"), (10, "2/5"), (20, "1/4")] + [(40, "1/2"), (80, "1/3")] * context.choose(0, 1)
    jobs = [(n, p) for n, p in sizes for _ in range(context.choose(2, 20, 75))]
    seeds = np.random.SeedSequence([context.seed, 51]).generate_state(len(jobs))
    return [{"n": n, "p": p, "count": 40, "seed": int(seed)} for (n, p), seed in zip(jobs, seeds, strict=True)]


def trained(parameters: Point, device: str) -> JobOutput:
    """The errors of the networks of one job."""
    cut = 1 - 2 * float(Fraction(parameters["p"]))
    return {**parameters, "errors": trained_errors(parameters["seed"], parameters["n"], cut, parameters["count"])}


@experiment(
    "wide networks trained on samples",
    settings,
    trained,
    acceptance="""Fixed after a pilot (intervals of 28% with 150 samples), before any seed that judges: for each sample
    size the formula lies in Student's interval of the mean error, joint level 0.001. 80 samples for each of three sizes
    at quick, 800 for each of five at full, 3000 at paper; 40 units, logistic loss, gradient flow on all weights until
    every margin is above 8; a sample of one label counts as 0. UNDECIDED if a flow in a hundred does not get there, or
    an interval is wider than ±45% of its mean. Effect: a cut at a datum doubles the error, and sides that balance halve
    it.""",
    time_limit=120,
)
def mean_errors(context: Context) -> Observation:
    """Mean shares of [-1, 1] that the trained networks classify otherwise than the teacher."""
    import numpy as np
    from scipy import stats

    outputs = context.outputs
    sizes = sorted({(o["n"], o["p"]) for o in outputs})
    wide, lost, runs = 0.0, 0, 0
    for n, p in sizes:
        every = [e for o in outputs if (o["n"], o["p"]) == (n, p) for e in o["errors"]]
        errors = np.array([e for e in every if e is not None])
        runs, lost = runs + len(every), lost + len(every) - len(errors)
        half = stats.t.ppf(1 - LEVEL / len(sizes) / 2, len(errors) - 1) * stats.sem(errors)
        mean = float(errors.mean())
        wide = max(wide, float(half) / mean)
        yield seen(
            Interval(Fraction(mean - float(half)), Fraction(mean + float(half))),
            f"{len(errors)} samples of {n}",
            by_run=errors.tolist(),
            n=n,
            p=Fraction(p),
        )
        yield Measured(f"n times the mean error, n = {n}, p = {p}", n * mean)
    yield Premise("ninety-nine flows in a hundred reach the margin", 100 * lost <= runs, f"{lost} of {runs} do not")
    yield Premise("every interval is within 45% of its mean", wide <= 0.45, f"{wide:.0%}")


TRAINED = claim(
    "safran2022.corollary_5_1_trained",
    "next to Corollary 5.1",
    "Error of trained networks for one switch",
    """Wide networks trained by gradient flow on all weights, for uniform data and a teacher with one switch, have the
    mean error of the global optimum of problem (4): (1 - (1 - 2p)^{n+1})/(2(n + 1)) - (p(1 - p)^n + (1 - p)p^n)/2,
    which is about 1/(2n) and has no logarithm. The bound of Corollary 5.1, for all classifiers with few regions, says
    nothing below thousands of data. (The mean is told to ±45%.)""",
    latex=r"\mathbb E[\text{error}]=\tfrac{1-(1-2p)^{n+1}}{2(n+1)}-\tfrac{p(1-p)^n+(1-p)p^n}{2}",
    hypotheses=(
        "independent uniform data on [-1, 1], labels 1 right of 1 - 2p; samples of one label count as 0",
        "40 units, w, b standard normal, v of deviation 1/10; every margin above 8",
    ),
    formula="(1 - (1 - 2*p)**(n + 1))/(2*(n + 1)) - (p*(1 - p)**n + (1 - p)*p**n)/2",
    symbols={"n": "sample size", "p": "mass of the smaller side, at most 1/2"},
    domain=("p > 0", "p <= 1/2"),
    controls={
        "1/(n + 1) - (p*(1 - p)**n + (1 - p)*p**n)": "a cut at one of the two data next to the switch",
        "log(n)/n": "the rate of the worst classifier with few regions",
        "1/(4*(n + 1))": "as if the two sides balanced",
        "1/sqrt(n)/4": "the rate of a mean",
    },
    checks=(mean_errors,),
    rests_on=("safran2022.corollary_5_1_one_switch",),
    own=True,
    part_of="safran2022.corollary_5_1",
)
