"""Next to Theorem 3.2: what ten times the width can do on the same data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Measured, Observation, Step, certificate, claim, seen

from ..observed.margin.dead_neurons import enclosed, occupied
from ..observed.margin.frozen_features import interpolated_draws


@certificate("occupancy neuron by neuron")
def occupancy(context: Context) -> Observation:
    """The exact probability that frozen features interpolate; draws of such features, solved exactly."""
    shown = {}
    for m in (1, 2, 3, 4, 6, 8):
        gap, active = Fraction(1, 2 * (m + 2)), Fraction(m + 4, 4 * (m + 2))
        for k in (10 * m, 16 * m):
            p = occupied(m, gap, active, k)
            yield seen(enclosed(p), f"{k // m} neurons a switch", relation=">=", m=m, k=k)
            if k == 10 * m:
                shown[f"P(frozen features fit) >= for m = {m}, k = {k}"] = float(p)
    fitted, drawn = interpolated_draws(context.random(), switches=4, width=40, draws=context.choose(20, 200))
    yield Step(
        "points x_i = tan(π i/(2(m + 2))), i = 1, …, m + 1: every gap holds a kink with probability 1/(2(m + 2))"
    )
    yield Step(
        "a neuron is active on all points with probability (m + 4)/(4(m + 2)), by symmetry as often as dead on all"
    )
    yield Step(
        "two such neurons span the affine functions; with them a kink in a gap gives [x - t]_+ whichever way it faces"
    )
    yield Step(
        "so a kink in each gap makes the values at the m + 1 points free: the output layer alone fits any labels"
    )
    yield from (Measured(name, value) for name, value in shown.items())
    yield Measured("draws with the event", drawn)
    yield Measured("of these fitted", fitted)


@certificate("failures counted on the circle")
def failures_on_the_circle(context: Context) -> Observation:
    """1 minus the probability of each failure, counting all lists of k directions on a circle of 4(m + 2) equal arcs.

    The direction (w, b) = (sin φ, cos φ) is active on x_i = tan θ_i where φ is less than a quarter turn from θ_i.
    """
    few = [(m, k) for k, largest in ((1, 12), (2, 7), (3, 2)) for m in range(1, largest + 1)]
    for m, k in (*few, (3, 3), (1, 4)):
        arcs = 4 * (m + 2)
        patterns = [
            tuple(_apart(2 * arc + 1, 2 * i, 2 * arcs) < 2 * (m + 2) for i in range(1, m + 2)) for arc in range(arcs)
        ]
        failures = 0
        for neurons in product(patterns, repeat=k):
            failures += sum(all(p[gap] == p[gap + 1] for p in neurons) for gap in range(m))
            failures += sum(all(p) for p in neurons) < 2
        yield seen(1 - Fraction(failures, arcs**k), f"{k} neurons", m=m, k=k)


def _apart(one: int, other: int, turn: int) -> int:
    """The distance on a circle of `turn` steps."""
    return min((one - other) % turn, (other - one) % turn)


CONTRAST = claim(
    "safran2022.theorem_3_2_contrast",
    "next to Theorem 3.2",
    "Labels that ten times the width can fit",
    """On m + 1 points x_i = tan(π i/(2(m + 2))) with any labels, k neurons drawn with w, b ~ N(0, σ²) and frozen can be
    fitted by the output weights alone with probability at least 1 - m(1 - q)^k - (1 - a)^k - k·a(1 - a)^{k-1}, q =
    1/(2(m + 2)), a = (m + 4)/(4(m + 2)): above 0.8 for m <= 8 and k = 10m, where width m keeps the loss above 1/16 with
    probability 1/4. So the obstruction of Theorem 3.2 is one of width.""",
    latex=r"P\ge 1-m(1-q)^k-(1-a)^k-ka(1-a)^{k-1}",
    hypotheses=("the infimum of the loss over the output weights is meant, 0 where the labels can be fitted",),
    formula="1 - m*(1 - 1/(2*(m+2)))**k - (1 - (m+4)/(4*(m+2)))**k - k*(m+4)/(4*(m+2))*(1 - (m+4)/(4*(m+2)))**(k-1)",
    symbols={"m": "number of label switches", "k": "number of neurons"},
    controls={
        "1 - m*(1 - 1/(m+2))**k - (1 - (m+4)/(4*(m+2)))**k": "both orientations counted twice for every gap",
        "1 - (1 - 1/(2*(m+2)))**k": "one gap instead of all",
        "1 - m*(1 - 1/(2*(m+2)))**k - (1 - (m+4)/(4*(m+2)))**k": (
            "one unit active on all points, where affine functions need two"
        ),
        "1": "surely, at ten times the width",
    },
    checks=(occupancy, failures_on_the_circle),
    rests_on=("safran2022.theorem_3_2",),
    own=True,
    part_of="safran2022.theorem_3_2",
)
