"""Next to Theorem 4.1: the limit of gradient flow, squeezed between its margin and the optimum."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Measured, Observation, Premise, claim, experiment, seen
from implicitbias.exact.rational import Interval

FAR = 1e5
"""The smallest margin to which gradient flow is followed."""


@experiment(
    "gradient flow to a margin of 10⁵",
    acceptance="""The rule was fixed after pilot runs, seeds 0 to 2 among them. The candidate must lie in every
    interval; a relative difference of 0.01 is told. 6 data sets and starts (full: 30), the first with a wide gap;
    starts that do not classify are left out. Undecided if an optimum is not certified, if the smoothed margin fell in a
    step, if an interval is wider than 0.01 (a flow that has come to rest at another KKT point would be), or if fewer
    than half of the starts classify.""",
)
def squeezed(context: Context) -> Observation:
    """Gradient flow at temperature 1 from random starts on data with one switch, both losses, without the late-phase
    surrogate: the interval from the certified optimum of problem (4) to 1/(2g).
    """
    import numpy as np

    from implicitbias.convex.kkt.dual import optimality
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.optimum import margin_optimum
    from implicitbias.training.flows.classification_flow import flow, sample, units

    draw, instances, optima, falls, widest = context.random(), [], True, 0, 0.0
    for case in range(context.choose(6, 30)):
        rng = np.random.default_rng(context.seed + case)
        low, high = sorted(draw.sample(range(-18, 19), 2)) if case else (-16, 16)
        inside = [Fraction(i, 20) for i in range(-20, 21) if not low <= i <= high]
        x = sorted({Fraction(low, 20), Fraction(high, 20), *draw.sample(inside, 4)} if len(inside) > 4 else {*inside})
        labels = [1 if 20 * at >= high else -1 for at in x]
        best = margin_optimum([float(at) for at in x], labels)
        point = None if best is None else kkt_limit(best, x, labels, 1e-6).point
        if point is None or optimality(point).status != "global":
            optima = False
            continue
        data = sample([float(at) for at in x], labels)
        w, b, v = rng.normal(size=(3, 60))
        loss = ("logistic", "exponential")[case % 2]
        course = flow(
            units(w, b, 0.3 * v, data), data, temperature=1, loss=loss, steps=3000,
            until=lambda _, q, __: bool(q.min() > FAR),
        )  # fmt: skip
        if course.reason != "target":
            continue
        falls += course.falls
        least = sum((unit.square for unit in point.units), Fraction(0)) - len(point.units) * point.radius
        most = 1 / (2 * Fraction(float(course.smoothed_margins[-1])))
        name = f"{len(x)} points, a = {Fraction(low, 20)}, c = {Fraction(high, 20)}, {loss}, case {case}"
        instances.append(seen(Interval(least, most), name, a=Fraction(low, 20), c=Fraction(high, 20)))
        widest = max(widest, float(most / least - 1))
        yield Measured(
            name,
            {
                "relative width of the interval": float(most / least - 1),
                "units sliding or dead at the end": int((course.units.contacts >= 0).sum()),
                "steps": len(course.records),
            },
        )
    yield from instances
    yield Premise("the optimum is certified for all data", optima)
    yield Premise("every interval is narrower than a hundredth", widest < 1e-2, f"{widest:.1e}")
    yield Premise("the smoothed margin never fell", falls == 0)
    yield Premise("at least half of the flows classify", 2 * len(instances) >= context.choose(6, 30))


THEOREM_4_1_SQUEEZED = claim(
    "safran2022.theorem_4_1_squeezed",
    "next to Theorem 4.1",
    "The norm at the limit of gradient flow",
    """Gradient flow converges in direction to a KKT point (Theorem 4.1) whose margin is at least the smoothed margin g
    of any state on the way, as that does not fall, and at most the optimal one: ½|θ|² at margin 1 lies between the
    certified optimum and 1/(2g). For one switch, from - at a to + at c in [-1, 1], this squeezes it to (√(1 + a²) + √(1
    + c²))/(c - a): the limit of gradient flow is globally optimal up to 1 %; no surrogate of its late phase is
    used.""",
    latex=r"\tfrac12\|\theta^*\|^2=\frac{\sqrt{1+a^2}+\sqrt{1+c^2}}{c-a}",
    hypotheses=(
        "labels - up to a, + from c on, all data in [-1, 1]",
        "random starts of 60 units that classify the data",
    ),
    formula="(sqrt(1 + a**2) + sqrt(1 + c**2))/(c - a)",
    symbols={"a": "last point of label -", "c": "first point of label +"},
    controls={
        "2/(c - a)": "biases that cost nothing",
        "(sqrt(1 + a**2) + sqrt(1 + c**2))/(2*(c - a))": "the factor ½ applied twice",
        "2*sqrt(1 + (a + c)**2/4)/(c - a)": "one unit and its mirror image, both with the kink half way",
        "51*(sqrt(1 + a**2) + sqrt(1 + c**2))/(50*(c - a))": "a limit that is not quite optimal",
        "1/sqrt(1 + a**2) + 1/sqrt(1 + c**2)": "the value where ac < -1: two units, one per class",
    },
    checks=(squeezed,),
    rests_on=("safran2022.theorem_4_1", "safran2022.theorem_4_1_smoothed_margin"),
    own=True,
    part_of="safran2022.theorem_4_1",
)
