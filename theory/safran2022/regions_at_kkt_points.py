"""Next to Theorem 4.2: a sharper bound on the linear regions of every KKT point, with its proof.

Coq: Places.v, places_of_a_stretch, places_around_a_cut (docs/formal.md).
"""

from __future__ import annotations

from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Derivation,
    Measured,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    proof,
    seen,
)

from ..observed.margin.kink_words import R, Run, in_a_run, most_kinks
from ..observed.margin.kkt_points import families, searched
from ..observed.margin.three_kinks import regions_of_three_kinks

PROOF = (
    Step(
        "Notation: e(b) = (1, -b)/√(1+b²), so (x, 1)·e(b) = (x-b)/√(1+b²). A unit with v ≠ 0 and kink b faces right "
        "(R, w > 0) or left (L); ε = sign v. Support: a point with λ > 0; there yN = 1."
    ),
    Step(
        "Stationarity: s = Σ λ_i y_i c_i (x_i, 1), c_i = 1 where the unit is active, c in [0, 1] at its kink, else 0, "
        "has |s| = 1, (w, b) = v s: s = ε e(b) for R, s = -ε e(b) for L. R sums over x_i > b, L over x_i < b, each "
        "with a part of x_i = b. The jump of N's slope has the sign ε."
    ),
    Step(
        "Runs: a run is the open interval from the last point of the other label before to the first one after; the s "
        "+ 1 runs cover the line. Fix one, with label + (else change all signs). R or L is right-sign if ε = +, "
        "wrong-sign if ε = -. For b <= b' in the run and one family, s(b) - s(b') (R) or s(b') - s(b) (L) is S = Σ μ_i "
        "(x_i, 1) over supports in [b, b'], μ_i >= 0."
    ),
    Step(
        "(A) Two wrong-sign places of one family: S = -(e(b) - e(b')), whose second entry is negative, while that of S "
        "is Σ μ_i >= 0. So there is at most one."
    ),
    Step(
        "(B) Right-sign and wrong-sign R exclude each other. b right < b' wrong: S = e(b) + e(b'), times e(b') "
        "positive on the left, at most 0 on the right, since x_i <= b'. b' wrong < b right: S = -(e(b') + e(b)), times "
        "e(b') negative, at least 0. b = b': 2e(b) would be a multiple of (b, 1), to which it is orthogonal. L by "
        "reflection."
    ),
    Step(
        "(C) Two right-sign places b < b' of one family: e(b) - e(b') = S is a positive multiple of (t, 1) with b < t "
        "< b', so a support lies strictly between b and b', or both are supports."
    ),
    Step(
        "(D) Where all places inside a closed stretch are right-sign, N is convex on it. Three supports or more: N = 1 "
        "from the first to the last, no place strictly between. So by (C) one family has at most 1, 2, 3, 2 places in "
        "a stretch with 0, 1, 2, 3 or more supports."
    ),
    Step(
        "(E) Both families right-sign: at most 3 + 3 places. Both wrong: 2. One wrong, at b0: the other has at most 3 "
        "on each side, and 3 + 3 would leave the middle pair without a support, so at most 5, with b0 six."
    ),
    Step(
        "First of several runs, L: s sums over label + alone, x_i <= l, so s·e(l) = -ε is negative where a support "
        "lies strictly left of l, and s is not a unit vector along e(l) if none does. So L is right-sign and has at "
        "most 0, 1, 2, 1 places: 2 + 3 = 5 at most, or R wrong at b0 and L at most 4 (2 + 3 again leaves a pair "
        "without a support): 5. The last run by reflection."
    ),
    Step(
        "s = 0: all places are right-sign, R has a support strictly right, L strictly left. One support: R left of it "
        "and L right of it would both have s = Σ λ(x, 1), but e(b) = -e(l) is impossible: 1 place. Three or more: 1 + "
        "1. Two: R b1 < t1 < b2 < t2 and L t1 < l1 < t2 < l2 at most, and b1 and l2 exclude each other: 3 places."
    ),
    Step(
        "Together: s = 0: 3 kinks, 4 regions. s >= 1: 5 + 5 + 6(s-1) = 6s + 4 kinks, 6s + 5 regions. Repeated units, "
        "units with w = 0, equal x and networks of infinite width change nothing; places that cancel only lower the "
        "count."
    ),
)


@certificate("every order of kinks and supports")
def words_of_a_stretch(context: Context) -> Observation:
    """Lists all words that the rules for pairs and convexity allow."""
    for m in range(context.choose(8, 11)):
        yield seen(most_kinks(Run(R, supports=m), m), f"{m} supports", m=m)
    weaker = [most_kinks(Run(R, supports=m, one_end=True), m) for m in range(4)]
    yield Premise("the rule for pairs matters: without it more is allowed", weaker == [1, 3, 5, 4])
    yield PROOF[5]
    yield PROOF[6]
    yield Measured("without the rule that both ends are needed", tuple(weaker))


STRETCH = claim(
    "safran2022.regions_stretch",
    "next to Theorem 4.2",
    "Kinks of one family where the network is convex",
    """In a stretch of a run with label + in which all kinks belong to units with v > 0, the units facing right have at
    most 1, 2, 3, 2 places if the stretch holds 0, 1, 2, or 3 and more points with λ > 0. For two places need a support
    strictly between them, or one at each; and three supports on a convex function make it constant between them.""",
    latex=r"\#\text{places}\le1+\min(m,2)-[m\ge3]",
    hypotheses=("a KKT point of problem (4); m points with λ > 0 in the stretch",),
    formula="1 + Min(m, 2) - Max(0, Min(1, m - 2))",
    symbols={"m": "points of the stretch with λ > 0"},
    controls={
        "1 + m": "a place between any two supports, convex or not",
        "1 + Min(m, 2)": "three supports allow as many as two",
        "Min(m, 2)": "no place without a support",
        "3": "the maximum over all m",
    },
    checks=(words_of_a_stretch,),
    rests_on=("safran2022.equation_4",),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@proof("chords and signs")
def chords_and_signs(d: Derivation) -> Observation:
    """The vector identities of the proof, every order of kinks listed, and the sum over the runs."""
    import sympy

    p, q = d.symbols("p q")
    d.step(
        "with b = tan p and b' = tan(p + 2q), |p| and |p + 2q| < π/2, q > 0: e(b) = (cos p, -sin p), and m = p + q is "
        "between"
    )
    d.identity(
        "(A), (C) first entry of e(b) - e(b')",
        sympy.cos(p) - sympy.cos(p + 2 * q),
        2 * sympy.sin(q) * sympy.sin(p + q),
        "2 sin q · sin m",
    )
    d.identity(
        "second entry: positive, so e(b) - e(b') is along (tan m, 1)",
        -sympy.sin(p) + sympy.sin(p + 2 * q),
        2 * sympy.sin(q) * sympy.cos(p + q),
        "2 sin q · cos m",
    )
    d.identity(
        "(B) (e(b) + e(b'))·e(b') = 1 + cos 2q > 0",
        sympy.cos(p) * sympy.cos(p + 2 * q) + sympy.sin(p) * sympy.sin(p + 2 * q) + 1,
        1 + sympy.cos(2 * q),
    )
    found = {where: in_a_run(where) for where in ("only", "first", "middle", "last")}
    d.step("listed, the most kinks: " + ", ".join(f"{most} in the {where} run" for where, most in found.items()))
    free: dict[str, Any] = {"p": "nonnegative integer"}
    first, middle, last = found["first"], found["middle"], found["last"]
    d.concludes(f"1 + {first} + {last} + {middle}*p", "s = 1 + p >= 1", over=free, s="1 + p")
    yield from PROOF
    yield seen(1 + found["only"], s=0)


@certificate("every order of kinks and supports")
def words_of_all_runs(context: Context) -> Observation:
    """The most kinks in each kind of run, added up."""
    for s in range(context.choose(6, 20)):
        runs = ["only"] if s == 0 else ["first", *["middle"] * (s - 1), "last"]
        yield seen(1 + sum(map(in_a_run, runs)), s=s)


RUNS = claim(
    "safran2022.regions_runs",
    "next to Theorem 4.2",
    "Kinks that the rules allow in all runs",
    """By the chord e(b) - e(b'), by convexity and by signs, a KKT point has at most 6 places of kinks in a run of one
    label, 5 in the first and in the last of several, 3 in an only one (ends of runs: the nearest points of the other
    label). So the rules allow 4 regions for s = 0 and 6s + 5 for s ≥ 1, and no fewer; the proof is in the steps.
    (Whether more than s + 2 regions occur for s ≥ 1 is open.)""",
    latex=r"1+3\ (s=0),\qquad1+5+5+6(s-1)=6s+5\ (s\ge1)",
    hypotheses=("a KKT point of problem (4), any width; s label switches of the data",),
    formula="6*s + 4 + Min(1, s)",
    symbols={"s": "label switches of the data"},
    controls={
        "6*s + 7": "six kinks in every run, the outer ones included",
        "6*s + 5": "the formula for s >= 1 at s = 0 too",
        "22*s + 22": "wrong signs cut a run in three, six in each part",
        "5*s + 6": "five kinks in every run",
    },
    checks=(chords_and_signs, words_of_all_runs),
    rests_on=("safran2022.regions_stretch", "safran2022.equation_4", "safran2022.equation_4_multipliers"),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@certificate("certified KKT points", time_limit=900)
def certified_points(context: Context) -> Observation:
    """Regions of certified points, optimal and not, from above, and the sharp case in Q(√3)."""
    draw = context.random()
    points = list(families(draw, context.choose(10, 60)))
    wanted = {s: context.choose(2, 12) for s in range(context.choose(6, 8))}
    points += searched(draw, wanted, share=0.55)
    yield seen(regions_of_three_kinks(), "three kinks and one label, in Q(√3)", s=0)
    for found in points:
        yield seen(1 + found.kinks[1], f"{found.name}, s = {found.switches}", relation="<=", s=found.switches)
    beyond = [found for found in points if found.switches and found.kinks[0] > found.switches + 1]
    yield from PROOF
    yield Premise("points with switches and without", {found.switches for found in points} >= {0, 1, 2, 3})
    yield Premise("most are counted exactly", sum(f.kinks[0] == f.kinks[1] for f in points) >= 0.9 * len(points))
    yield Measured("KKT points", len(points))
    yield Measured("with more than s + 1 kinks, s >= 1", len(beyond))
    yield Measured("most kinks less s", max(found.kinks[1] - found.switches for found in points if found.switches))
    yield from (Attached(found.document) for found in points)


REGIONS = claim(
    "safran2022.regions_at_kkt_points",
    "next to Theorem 4.2",
    "At most 6s + 5 linear regions at every KKT point",
    """Every KKT point of problem (4), of any width, has at most 6s + 5 linear regions for data with s ≥ 1 label
    switches, and at most 4 for s = 0, which is sharp: x = (-2√3, 3√3/5) with one label has a KKT point with three
    kinks, even a global optimum. With s ≤ r + 1 for a teacher of width r this is at most 6r + 11, below the 32r + 67 of
    Theorem 4.2. The proof is in the steps. For s ≥ 1 the bound is not known to be sharp: no point was found with more
    than s + 2 regions, and nothing seen excludes that number as a bound.""",
    latex=r"\#\{\text{linear regions}\}\le6s+4+\min(1,s)\le6r+11",
    hypotheses=("a KKT point of problem (4); s label switches of the data in their order",),
    formula="6*s + 4 + Min(1, s)",
    symbols={"s": "label switches of the data"},
    controls={
        "s + 2": "what random points suggest: false for s = 0",
        "s + 3": "one region more, still false for s = 0",
        "Max(s + 2, 3)": "two kinks at most without a switch",
        "2*s + 1": "two kinks per switch",
        "3*s + 3": "at most two kinks without a switch",
        "s + 1": "one kink per switch",
    },
    checks=(certified_points,),
    rests_on=("safran2022.regions_runs",),
    own=True,
    part_of="safran2022.theorem_4_2",
)
