"""Section 3.1: what label noise does in the long run, as a flow on slow time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Interval, Observation, Premise, Rule, Value, claim, experiment, seen

from ..observed.training.drift_runs import LINE, PLANE, Drift, Start, observed

TAU = Fraction(3, 20)
"""Slow time of most runs: D of the neurons has changed by a tenth to a half."""

INTEGRATION = Fraction(1, 10**7)
"""Bounds the error of integrating the flow, with a wide margin."""

OBSERVABLES = ("D1", "D2", "D3", "share")


def drifts(context: Context, settings: tuple[tuple[Start, Fraction, Fraction, Fraction], ...]) -> list[Drift]:
    """Settings (start, finest ε, η, slow time) as runs."""
    replicas = context.choose(600, 8000)
    return [
        Drift(start, eps, eta, int(tau / (eps * eta) ** 2) // 16 * 16, replicas, context.seed + k)
        for k, (start, eps, eta, tau) in enumerate(settings)
    ]


# The flow -------------------------------------------------------------------------------------------------------------


@experiment(
    "two starts, three step sizes",
    acceptance="""Fixed after pilot runs: the flow's value lies in every interval of the extrapolated mean, joint level
    0.001 over 8 quantities (normal), 600 replicas at quick, 8000 at full; UNDECIDED unless the deviation of D_1 halves
    with ε up to 15% and the noise, all patterns are kept, and no interval is wider than ±10%. Effect: a slow time twice
    as long moves D_1 by a further 0.3, no projection the share by 0.4.""",
    time_limit=300,
)
def drift(context: Context) -> Observation:
    """Means of balances |θ_j|² - c_j² and of c_1[θ_1·x̃_1]_+, which tells the projection, extrapolated to ε = 0.

    Step sizes ε = 1/50, 1/100, 1/200 to the same slow time.
    """
    fine, one = Fraction(1, 200), Fraction(1)
    runs = drifts(context, ((LINE, fine, one, TAU), (PLANE, fine, one, 3 * TAU)))
    widths = []
    for run in runs:
        yield from run.premises("D1")
        for name in OBSERVABLES:
            centre, half = run.limit(name, len(runs) * len(OBSERVABLES))
            widths.append(half / abs(centre))
            tau = (run.eps * run.eta) ** 2 * run.steps
            yield seen(
                Interval.around(centre, half), f"{run.start.name}: {name}", **run.start.given, tau=tau, observable=name
            )
    yield Premise("intervals are narrow enough to tell the rules apart", max(widths) < 0.1, f"±{max(widths):.2%}")


def flowing(
    gradient: Callable[[Any, Any], tuple[Any, Any]] | None = None, projected: bool = True, speed: float = 1.0
) -> Callable[[Mapping[str, Value]], Value]:
    """The rule that the networks follow a flow for the slow time times `speed`."""

    def predict(given: Mapping[str, Value]) -> Value:
        import numpy as np

        from implicitbias.training.effective_loss import slow_flow

        rows: Any = [given["theta"], [given["c"]], given["x"]]
        theta, c, x = (np.array([[float(v) for v in row] for row in part]) for part in rows)
        points = np.hstack([x, np.ones((len(x), 1))])
        scale, tau = float(given["scale"]), float(given["tau"])  # type: ignore[arg-type]
        end = slow_flow(theta, c[0], points, scale, speed * tau, gradient=gradient, projected=projected)
        return Interval.around(float(observed(str(given["observable"]), *end, points[0])), INTEGRATION)

    return predict


DRIFT = claim(
    "dedios2020.section_3_drift",
    "Section 3.1, after [BGVV19, Theorem 2]",
    "Label noise is a gradient flow of Λ among networks of zero error",
    """As ε → 0, Algorithm 1 started at a network of zero error moves by d(θ, c)/dτ = -P∇Λ in the slow time τ = ε²η²t,
    where t counts steps, Λ = E_D Σ_j |∇_{θ_j} f|² and P projects on the directions that change no output at a datum.
    The deviation is of first order in ε.""",
    latex=r"\frac{d\theta}{d\tau}=-P_T\nabla\Lambda(\theta),\quad\tau=\varepsilon^2\eta^2t",
    hypotheses=("E r = 0 and E r² = 1; square loss without a factor 1/2", "no neuron changes its activity pattern"),
    formula=Rule("flow of Λ", "the flow -P∇Λ in τ = ε²η²t", flowing()),
    controls={
        Rule("twice as fast", "the flow -P∇Λ in 2ε²η²t", flowing(speed=2.0)): "a factor 2 of the square loss",
        Rule(
            "a quarter as fast", "the flow -P∇Λ in ε²η²t/4", flowing(speed=0.25)
        ): "the constant of a square loss with the factor 1/2",
        Rule(
            "not projected", "the flow -∇Λ", flowing(projected=False)
        ): "Λ as a penalty, traded against error at the data",
        Rule(
            "weight decay", "the flow of |θ|² + c² in Λ's place", flowing(lambda theta, c: (2 * theta, 2 * c))
        ): "noise that regularises as weight decay does",
        Rule("at rest", "nothing moves", flowing(speed=0.0)): "gradient flow at zero error",
    },
    checks=(drift,),
    part_of="dedios2020.equation_10",
    rests_on=("dedios2020.algorithm_1",),
)


# The slow time --------------------------------------------------------------------------------------------------------


@experiment(
    "the time at which the flow is where training is",
    acceptance="""Fixed after pilot runs: the slow time lies in every interval that the extrapolated mean of D_1 gives,
    joint level 0.001 over five settings (normal), 600 replicas at quick, 8000 at full; UNDECIDED unless every interval
    is narrower than a fifth, the deviation halves with ε up to 15% and the noise, and all patterns are kept. Effect: a
    factor 2 or more at some setting.""",
    time_limit=300,
)
def slow_time(context: Context) -> Observation:
    """The slow time after which the flow has the balance D_1 of training, extrapolated to ε = 0; five settings."""
    half, fine = Fraction(1, 2), Fraction(1, 200)
    runs = drifts(
        context,
        (
            (LINE, fine, Fraction(1), TAU),
            (LINE, fine, Fraction(1), 2 * TAU),
            (LINE, 2 * fine, half, TAU),
            (LINE, fine / 2, Fraction(2), TAU),
            (PLANE, fine, Fraction(1), 3 * TAU),
        ),
    )
    for run in runs:
        yield from run.premises("D1")
        centre, width = run.limit("D1", len(runs))
        ends = sorted(slow_time_of(run.start, value) for value in (centre - width, centre + width))
        label = f"{run.start.name}, {run.steps} steps of {run.eps}, η = {run.eta}"
        yield seen(Interval(Fraction(ends[0]), Fraction(ends[1])), label, eps=run.eps, eta=run.eta, t=run.steps)
        yield Premise(
            f"{label}: the slow time is known to 20%",
            ends[1] - ends[0] < 0.2 * ends[1],
            f"{ends[0]:.4f} to {ends[1]:.4f}",
        )


def slow_time_of(start: Start, balance: float) -> float:
    """When D_1 has this value on the flow -P∇Λ. D_1 falls."""
    import numpy as np
    from scipy.optimize import brentq

    from implicitbias.training.effective_loss import slow_flow

    theta, c, x = (np.array([[float(v) for v in row] for row in rows]) for rows in (start.theta, [start.c], start.x))
    points = np.hstack([x, np.ones((len(x), 1))])

    def off(tau: float) -> float:
        end = slow_flow(theta, c[0], points, float(start.scale), tau)
        return float(observed("D1", *end, points[0])) - balance

    return float(brentq(off, 1e-6, 1.0, xtol=1e-9))


SLOW_TIME = claim(
    "dedios2020.section_3_slow_time",
    "Section 3.1, after [BGVV19, Theorem 2]",
    "The slow time of label noise",
    """After t steps of size ε with noise of size η, Algorithm 1 has followed -P∇Λ for the slow time ε²η²t: the number
    of steps needed grows like 1/(εη)².""",
    latex=r"\tau=\varepsilon^2\eta^2t",
    hypotheses=("as ε → 0", "square loss without a factor 1/2: with it, a quarter of this"),
    formula="eps**2*eta**2*t",
    symbols={"eps": "step size ε", "eta": "size η of the noise", "t": "number of steps"},
    controls={
        "2*eps**2*eta**2*t": "a factor 2 of the square loss",
        "eps**2*eta**2*t/4": "the constant of a square loss with the factor 1/2",
        "eps*eta**2*t": "the time of gradient flow",
        "eps**2*eta*t": "the noise counted once",
        "eps**2*t": "the size of the noise omitted",
    },
    checks=(slow_time,),
    part_of="dedios2020.equation_10",
    rests_on=("dedios2020.section_3_drift",),
)
