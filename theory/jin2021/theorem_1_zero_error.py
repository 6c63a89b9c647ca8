"""Theorem 1: gradient descent on all parameters drives the loss to zero."""

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

from ..observed.training.rates import seeds
from ..observed.training.wide_networks import LAWS, X, Y, draw, penalty_weight, target


def descent_runs(context: Context) -> Sequence[Point]:
    widths = context.choose((129, 512), (129, 512, 2048), (129, 512, 2048, 8192))
    return [
        {"law": law, "n": n, "count": context.choose(2, 4), "seed": seeds(context.seed, 2, i, n, count=1)[0]}
        for i, law in enumerate(LAWS)
        for n in widths
    ]


STEPS = 400_000


REACHED = 1e-27
"""Descent stops at this share of the first loss: rounding of the outputs, 10⁻¹⁶ of them and squared, is near."""
KNOWN = 1e-24
"""The limit must be known to this share of the first loss."""


def descent_job(parameters: Point, device: str) -> JobOutput:
    """Gradient descent on all parameters with step size 1/λ_max until the loss is gone."""
    import numpy as np

    from implicitbias.training import anti_symmetric, standard, train

    goal = target(penalty_weight(parameters["law"]))
    x = np.array(X)
    y = np.array(Y) - goal.u * x - goal.v
    rng = np.random.default_rng(parameters["seed"])
    start = anti_symmetric(standard(*draw(parameters["law"], (parameters["count"], parameters["n"]), rng)))
    first = float(y @ y / 2)
    trained = train(start, x, y, steps=STEPS, stop_loss=REACHED * first, seed=0, device=device)
    halfway = [
        float(losses[np.searchsorted(trained.steps, stopped // 2)])
        for losses, stopped in zip(trained.losses.T, trained.stop_steps, strict=True)
    ]
    line = np.polynomial.Polynomial.fit(x, y, 1)(x) - y
    return {
        **parameters,
        "first": first,
        "losses": [float(loss) for loss in np.atleast_1d(trained.final_loss)],
        "halfway": halfway,
        "steps": [int(s) for s in trained.stop_steps],
        "line": float(line @ line / 2),
        "engine": trained.engine,
    }


@experiment(
    "gradient descent on all parameters",
    descent_runs,
    descent_job,
    acceptance="""For every job the limit of the loss is bracketed: above by the last loss L(t), below by L(t) - (L(t/2)
    - L(t)), as if what was gained from t/2 to t were gained once more, or by 0. The formula must lie in every bracket,
    so it is refuted where descent stops at a positive loss. UNDECIDED unless all brackets are narrower than 10⁻²⁴ of
    the first loss. Two networks per law and width at the quick budget, 4 at full.""",
)
def final_losses(context: Context) -> Observation:
    """The limit of the loss of the worst network of each job under descent with step size 1/λ_max, bracketed. Three
    laws, two widths and more."""
    widest = 0.0
    for o in context.outputs:
        last, halfway = max(zip(o["losses"], o["halfway"], strict=True))
        lower = max(0.0, last - (halfway - last))
        widest = max(widest, (last - lower) / o["first"])
        yield seen(
            Interval(Fraction(lower), Fraction(last)),
            f"{o['law']}, n = {o['n']}",
            by_run=o["losses"],
            L_0=Fraction(o["first"]),
            R=Fraction(o["line"]),
            n=o["n"],
        )
    yield Premise("the limit is known to 1e-24 of the first loss", widest < KNOWN, f"{widest:.1e}")
    yield Measured("engine", context.outputs[0]["engine"])
    yield Measured("steps", {f"{o['law']}, n = {o['n']}": max(o["steps"]) for o in context.outputs})


THEOREM_1_ZERO_ERROR = claim(
    "jin2021.theorem_1_zero_error",
    "Theorem 1",
    "Zero error at the end of training",
    """Full-batch gradient descent with a sufficiently small step on all parameters of a sufficiently wide network
    drives the squared loss on the adjusted data to zero.""",
    latex=r"L(\theta_t)\to0",
    hypotheses=("n large, distinct x_j in supp ζ", "η below 2/λ_max of the tangent kernel"),
    formula="0",
    symbols={"L_0": "the initial loss", "R": "the loss of the least-squares line", "n": "the width"},
    controls={
        "R": "only the line is learnt",
        "L_0*exp(-50)": "the decay after fifty time constants",
        "L_0/10**22": "a small share of the loss that stays",
        "L_0/n**4": "a loss that vanishes only as the width grows",
    },
    checks=(final_losses,),
    part_of="jin2021.theorem_1_rate",
)
