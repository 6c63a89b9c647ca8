"""Next to Theorem 1.1: R_reg is not the smallest support of an optimal measure."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.cheapest.ramp_programme import certified_value
from ..observed.data.points import Points

Ramp = tuple[Fraction, Fraction]
"""Kink and weight of a right ramp."""


def bowl(x: tuple[Fraction, ...], slopes: list[Fraction]) -> Points:
    """Labels 0 at -1 that follow the slopes, the first of which is 0."""
    y = [Fraction(0)]
    for (s, t), slope in zip(pairwise(x), slopes, strict=True):
        y.append(y[-1] + slope * (t - s))
    return Points(f"bends at {len(slopes) - 1} points", x, tuple(y))


def merged(data: Points) -> list[Ramp]:
    """Right ramps: two neighbouring bends are merged where the lines before and after them meet."""
    slopes, ramps, i = data.slopes, [], 1
    while i < data.size - 1:
        before = slopes[i - 1]
        if i + 1 < data.size - 1:
            after = slopes[i + 1]
            place = (Fraction(data.y[i + 1]) - data.y[i] + before * data.x[i] - after * data.x[i + 1]) / (
                before - after
            )
            ramps.append((place, after - before))
            i += 2
        else:
            ramps.append((Fraction(data.x[i]), slopes[i] - before))
            i += 1
    return ramps


@certificate("merged bends and disjoint intervals")
def merged_bends_and_disjoint_intervals(context: Context) -> Observation:
    """An exact optimal measure, and as many disjoint intervals that each need a kink."""
    draw = context.random()
    quarter = [Fraction(0), Fraction(2), Fraction(6)]
    cases = [bowl((Fraction(-1), Fraction(-1, 2), Fraction(1, 2), Fraction(1)), quarter)]
    for k in range(1, 13):
        inner = sorted(draw.sample(range(-99, 100), k))
        x = (Fraction(-1), *(Fraction(c, 100) for c in inner), Fraction(1))
        sign, slopes = draw.choice([1, -1]), [Fraction(0)]
        for _ in range(k):
            slopes.append(slopes[-1] + sign * Fraction(draw.randint(1, 12), 3))
        cases.append(bowl(x, slopes))
    met, optimal, disjoint = True, True, True
    for data in cases:
        ramps = merged(data)
        met = met and all(
            sum((w * max(Fraction(0), at - c) for c, w in ramps), Fraction(0)) == y
            for at, y in zip(data.x, data.y, strict=True)
        )
        optimal = optimal and sum(abs(w) for _, w in ramps) == certified_value(data.x, data.y).value
        # A function through x_{i-1}, x_i, x_{i+1}, which are not in line, bends strictly between the outer two.
        needs = [(data.x[i - 1], data.x[i + 1]) for i in range(1, data.size - 1, 2) if data.kinks[i - 1]]
        disjoint = disjoint and all(b <= c for (_, b), (c, _) in pairwise(needs)) and len(needs) == len(ramps)
        yield seen(len({c for c, _ in ramps}), data.label, k=data.size - 2, **data.given)
    yield Premise("the ramps meet all data", met)
    yield Premise("they cost the value of (9) over all kinks in [-1, 1]", optimal)
    yield Premise("as many disjoint intervals need a kink each", disjoint)


SPARSER = claim(
    "stewart2022.theorem_1_sparser",
    "next to Theorem 1.1",
    "R_reg is not the sparsest support",
    """For labels that are 0 on the first gap and then bend k times to one side, the optimal measure of (9) with the
    fewest kinks has ⌈k/2⌉ of them, where R_reg holds k + 2 points: two neighbouring bends become one where the lines
    before and after them meet, at no cost. Fewer do not suffice: three data out of line need a kink strictly between
    the outer two. For x = (-1, -1/2, 1/2, 1), y = (0, 0, 2, 5) one kink at 1/6 replaces two. (The paper says that an
    optimal measure lives on F_reg, and that R_reg is sparse; Debarre et al. 2022 count for ∫|f''|.)""",
    latex=r"\min_{\mu^*}|\operatorname{supp}\mu^*|=\lceil k/2\rceil<|R_{reg}|=k+2",
    hypotheses=("y_1 = y_2 = 0, all k bends of one sign",),
    formula="floor((k + 1)/2)",
    symbols={"k": "number of bends of the interpolant"},
    controls={
        "k + 2": "R_reg is needed",
        "k": "the corners are needed",
        "floor(k/2)": "rounded down",
        "floor((k + 2)/2)": "rounded up once more",
    },
    checks=(merged_bends_and_disjoint_intervals,),
    part_of="stewart2022.theorem_1_regression",
    rests_on=("stewart2022.theorem_1_regression", "stewart2022.equation_9"),
    own=True,
)
