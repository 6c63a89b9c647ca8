"""Section 4.2 and Appendix A: the margin that gradient descent reaches, as a share of the certified optimum of (5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Curve,
    Interval,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Value,
    claim,
    experiment,
    seen,
)
from implicitbias.exact.sampling import half_width

from ..observed.cheapest.circle_margin import bounds, circle

DATA: dict[str, tuple[tuple[float, ...], tuple[int, ...], int]] = {
    "three points, two classes": ((-1, 0, 1), (0, 1, 0), 2),
    "four points, three classes": ((-1, -0.3, 0.4, 1), (0, 1, 2, 0), 3),
    "five points, three classes": ((-1, -0.5, 0, 0.5, 1), (0, 1, 2, 1, 0), 3),
}

UNITS, SCALE, SEGMENTS, SEGMENT, GROWTH = 600, 0.1, 14, 5_000, 4.0
"""Width; norm of each unit's initial (w, b) and v; segments; steps of one learning rate; factor by which it then grows.

The start must not be too small: then units align in a few directions before the data are separated, and the direction
they end in is stationary without being optimal (0.98 of the largest margin on five points, from a start of 0.01).
"""

LEVEL = 0.01
"""Joint level of the intervals."""

ALLOWED = 0.015
"""Shortfall allowed to a network of finite width: the claim is about infinite width. Controls are 3% off."""


def margin_runs(context: Context) -> Sequence[Point]:
    import numpy as np

    count = context.choose(4, 6, 12)
    names = list(DATA)[: context.choose(2, 3)]
    return [
        {
            "data": name,
            "trained": trained,
            "seed": int(np.random.SeedSequence([context.seed, i, run]).generate_state(1)[0]),
        }
        for i, name in enumerate(names)
        for run in range(count)
        for trained in (("wbv", "v") if run == 0 else ("wbv",))
    ]


def margin_job(parameters: Point, device: str) -> JobOutput:
    """Softmax cross-entropy from a small start: loss and normalised margin after each of the segments.

    The normalised margin is min_{i, l != y_i} (f_{y_i} - f_l)(x_i) / Σ_j ‖v_j‖ ‖(w_j, b_j)‖. All weights are trained,
    or the outer ones alone.
    """
    import numpy as np

    from implicitbias.training import TwoLayer, train

    x, y, k = DATA[parameters["data"]]
    points, labels = np.array(x, dtype=float), np.array(y)
    rng = np.random.default_rng(parameters["seed"])
    angles, v = rng.uniform(0, 2 * np.pi, UNITS), rng.normal(size=(UNITS, k))
    scale = SCALE if parameters["trained"] == "wbv" else 1 / UNITS**0.5
    v *= scale / np.linalg.norm(v, axis=1)[:, None]
    network = TwoLayer(scale * np.cos(angles), scale * np.sin(angles), v, np.zeros(k))
    first = step = 0.1 if parameters["trained"] == "wbv" else 0.4
    losses, margins = [], []
    for _ in range(SEGMENTS):
        trained = train(
            network, points, labels.astype(float), device=device, threads=1, loss="cross_entropy",
            reduction="mean", step=step, steps=SEGMENT, trained=tuple(parameters["trained"]), record=[0],
        )  # fmt: skip
        network = trained.final  # type: ignore[assignment]
        scores = network(points)
        own = scores[np.arange(len(y)), labels]
        rivals = np.where(np.arange(k) == labels[:, None], -np.inf, scores).max(1)
        norm = float((np.linalg.norm(network.v, axis=1) * np.hypot(network.w, network.b)).sum())
        losses.append(float(trained.final_loss))
        margins.append(float((own - rivals).min()) / norm)
        step = min(first / losses[-1], step * GROWTH)
    return {**parameters, "losses": losses, "margins": margins}


def extrapolated(losses: Sequence[float], margins: Sequence[float]) -> float:
    """The margin at loss 0, by a parabola in 1/ln(1/loss) through all segments but the first two."""
    import numpy as np

    parabola = np.polynomial.Polynomial.fit(1 / np.log(1 / np.asarray(losses[2:])), margins[2:], 2)
    return float(parabola(0.0))


def optimal_margins(name: str) -> tuple[float, float, float]:
    """The largest normalised margin from below and from above, and that of a network optimal for (10) instead."""
    import numpy as np

    x, y, k = DATA[name]
    found = bounds(x, y, k, circle(2000, x))
    kinks = np.unique(np.concatenate([np.linspace(-1, 1, 801), x]))
    ramps = np.concatenate([np.stack([s * np.ones_like(kinks), -s * kinks], axis=1) for s in (1, -1)])
    simplified = bounds(x, y, k, ramps)
    return 1 / found.upper, 1 / found.lower, 1 / simplified.upper


@experiment(
    "margins against certified bounds",
    margin_runs,
    margin_job,
    acceptance="""Fixed after pilot runs: no share reached is above 1; the limit by a parabola in 1/ln(1/loss) lies
    within 0.015 (allowed for finite width; a pilot with other starts lacked 0.01 at most) plus Student's interval of
    the starts (joint level 0.01) of 1. UNDECIDED if an interval is wider than ±0.03, a loss above 1e-8, or the bounds
    of the optimum apart by 1e-4. 4 starts and two data sets at the quick budget, 6 and three at full, 12 and three at
    paper.""",
)
def margin(context: Context) -> Observation:
    """Shares of the largest margin, which a cone programme on the circle bounds from both sides: those reached, none
    above 1, at losses to 1e-10; and their limits, with Student's interval.
    """
    names = list(dict.fromkeys(o["data"] for o in context.outputs))
    for name in names:
        low, high, simplified = optimal_margins(name)
        rich = [o for o in context.outputs if o["data"] == name and o["trained"] == "wbv"]
        (lazy,) = [o for o in context.outputs if o["data"] == name and o["trained"] == "v"]
        limits = [extrapolated(o["losses"], o["margins"]) / low for o in rich]
        mean = sum(limits) / len(limits)
        spread = (sum((f - mean) ** 2 for f in limits) / (len(limits) - 1)) ** 0.5
        half = half_width(spread, len(limits), LEVEL, len(names))
        half = min(half, 1.0) + ALLOWED + (high - low) / low
        given: dict[str, Value] = {"M": Fraction(simplified / low), "F": Fraction(max(lazy["margins"]) / high)}
        reached = max(max(o["margins"]) for o in rich)
        yield seen(Interval.around(mean, half), f"{name}: limit", by_run=limits, **given)
        yield seen(Fraction(reached / high), f"{name}: reached", relation="<=", **given)
        yield Premise(f"{name}: bounds of the optimum agree", (high - low) / low < 1e-4, f"{low:.7f} to {high:.7f}")
        yield Premise(f"{name}: the interval is narrow", half < 0.03, f"±{half:.4f}")
        worst = max(o["losses"][-1] for o in rich)
        yield Premise(f"{name}: every loss is below 1e-8", worst < 1e-8, f"{worst:.1e}")
        yield Measured(
            name,
            {
                "largest normalised margin": (low, high),
                "reached, as a share": tuple(max(o["margins"]) / low for o in rich),
                "tends to, as a share": tuple(limits),
                "with the first layer frozen": max(lazy["margins"]) / low,
                "an optimum of (10)": simplified / low,
            },
        )
        yield Curve(
            f"{name}: share of the largest margin by ln(1/loss)",
            tuple(-math.log(v) for v in rich[0]["losses"]),
            tuple(m / low for m in rich[0]["margins"]),
        )


APPENDIX_A = claim(
    "stewart2022.appendix_a",
    "Section 4.2, Appendix A",
    "Cross-entropy tends to the largest margin",
    """Trained by softmax cross-entropy in all weights from a small start, a wide network tends in direction to an
    optimum of (5): the normalised margin, the smallest difference of scores over Σ‖v_j‖‖(w_j, b_j)‖, never exceeds
    1/V(5) and tends to it like 1/ln(1/loss). Judged is the limit up to 3 %: about 0.96 is reached, the rest is
    extrapolated.""",
    latex=r"\min_{i,l}\frac{f_{y_i}(x_i)-f_l(x_i)}{\sum_j\|v_j\|\,\|(w_j,b_j)\|}\;\nearrow\;\frac1{V_{(5)}}",
    hypotheses=("600 neurons; every weight trained; data that the network separates",),
    formula="1",
    symbols={
        "M": "the share that an optimum of (10), without the factor √(1+c²), reaches",
        "F": "the share that training the outer weights alone reaches",
    },
    controls={
        "M": "the optimum of the simplified problem (10)",
        "F": "the margin of the kernel: features that do not move",
        "9/10": "a tenth of the margin is never reached",
        "21/20": "an optimum that is not one: networks do better than the certified bound",
    },
    checks=(margin,),
)
