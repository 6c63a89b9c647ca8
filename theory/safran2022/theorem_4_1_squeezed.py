"""Beside Theorem 4.1: the value that gradient flow itself converges to, squeezed between its margin and the optimum."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Instance, Premise, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

FAR = 1e5
"""The smallest margin to which gradient flow is followed."""


def observe(context: Context) -> Evidence:
    """Gradient flow of random starts on data with one switch; nothing of the late-phase surrogate enters."""
    import numpy as np

    from implicitbias.convex.kkt.dual import optimality
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.optimum import margin_optimum
    from implicitbias.exact.rational import Interval
    from implicitbias.training.flows.classification_flow import flow, sample, units

    draw, instances, measured, optima, falls = context.random(), [], dict[str, Value](), True, 0
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
        given: dict[str, Value] = {"a": Fraction(low, 20), "c": Fraction(high, 20)}
        instances.append(Instance(name, given, Interval(least, most)))
        measured[name] = {
            "relative width of the interval": float(most / least - 1),
            "units sliding or dead at the end": int((course.units.contacts >= 0).sum()),
            "steps": len(course.records),
        }
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("the optimum is certified for all data", optima),
            Premise("the smoothed margin never fell", falls == 0),
            Premise("at least half of the flows classify", 2 * len(instances) >= context.choose(6, 30)),
        ),
        measured=measured,
    )


CLAIMS = (
    Claim(
        id="safran2022.theorem_4_1_squeezed",
        source=Source(OWN_RESULT, "beside Theorem 4.1"),
        title="The value of the limit of gradient flow itself",
        statement=(
            "Gradient flow converges in direction to a KKT point (Theorem 4.1) whose margin is at least the smoothed "
            "margin g of any state on the way, as that does not fall, and at most the optimal one: ½|θ|² at margin 1 "
            "lies "
            "between the certified optimum and 1/(2g). For one switch, from - at a to + at c in [-1, 1], this squeezes "
            "it "
            "to (√(1 + a²) + √(1 + c²))/(c - a): the limit of gradient flow is globally optimal to three digits, no "
            "surrogate of its late phase being used."
        ),
        latex=r"\tfrac12\|\theta^*\|^2=\frac{\sqrt{1+a^2}+\sqrt{1+c^2}}{c-a}",
        hypotheses=(
            "labels - up to a, + from c on, all data in [-1, 1]",
            "random starts of 60 units that classify the data",
        ),
        rests_on=("safran2022.theorem_4_1", "safran2022.theorem_4_1_smoothed_margin"),
        formula="(sqrt(1 + a**2) + sqrt(1 + c**2))/(c - a)",
        symbols={"a": "last point of label -", "c": "first point of label +"},
        controls=(
            Control("2/(c - a)", "biases that cost nothing"),
            Control("(sqrt(1 + a**2) + sqrt(1 + c**2))/(2*(c - a))", "½ taken twice"),
            Control("2*sqrt(1 + (a + c)**2/4)/(c - a)", "one unit and its mirror image bending half way"),
            Control("1/sqrt(1 + a**2) + 1/sqrt(1 + c**2)", "the value where ac < -1: two units, one a class"),
        ),
        checks=(
            Check(
                name="gradient flow to a margin of 10⁵",
                kind=Kind.EXPERIMENT,
                observe=observe,
                about="flows at temperature 1 from random starts, both losses; the interval from the certified optimum "
                "of problem (4) to 1/(2g)",
                acceptance=(
                    "Fixed after pilot runs: the candidate must lie in every interval. 6 data sets and starts (full: "
                    "30), "
                    "the first with a wide gap; starts that do not classify are left out. Undecided if an optimum is "
                    "not "
                    "certified, if the smoothed margin fell in a step, or if fewer than half of the starts classify."
                ),
            ),
        ),
    ),
)
