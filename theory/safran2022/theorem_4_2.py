"""Theorem 4.2: how many linear regions a KKT point has, for a teacher of width r and data with s label switches.

Coq: Runs.v, kinks_of_a_run, kinks_by_switches, regions_by_width (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import cast

from implicitbias.claims import (
    Attached,
    Context,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.values.value import Value

from ..observed.margin.frozen_svm import frozen_svm
from ..observed.margin.kink_words import in_a_run
from ..observed.margin.kkt_points import Found, families, random_data, searched
from ..observed.margin.three_kinks import regions_of_three_kinks


def smallest_teacher(switches: int) -> int:
    """The least width r of a teacher with this many strict switches: r neurons change sign r - 1 times strictly for
    r <= 3, and r + 1 times for r >= 4.
    """
    return next(r for r in range(1, switches + 3) if (r - 1 if r <= 3 else r + 1) >= switches)


@certificate("certified KKT points", time_limit=900)
def regions(context: Context) -> Observation:
    """Linear regions of certified KKT points with up to 7 label switches, from above, each with the narrowest teacher
    of its labels; and that a frozen hidden layer breaks the bound.
    """
    draw = context.random()
    points = list(families(draw, context.choose(12, 40)))
    points += searched(draw, dict.fromkeys(range(8), context.choose(2, 14)))
    tight = 0
    yield seen(regions_of_three_kinks(), "three kinks, in Q(√3)", relation="<=", r=smallest_teacher(0), s=0)
    for found in points:
        r = smallest_teacher(found.switches)
        yield seen(1 + found.kinks[1], f"{found.name}, s = {found.switches}", relation="<=", r=r, s=found.switches)
        tight += found.kinks[0] == found.kinks[1]
    most = max(found.switches for found in points)
    x, labels = random_data(context.random(), 3, 12)
    frozen = frozen_svm(draw, x, labels, 400)
    bound = 32 * smallest_teacher(3) + 67
    yield Premise(
        f"at least {context.choose(30, 120)} points, with up to 7 switches",
        len(points) >= context.choose(30, 120) and most == 7,
        f"{len(points)} with up to {most}",
    )
    yield Premise("kinks are counted exactly at nearly all of them", tight >= 0.9 * len(points), f"{tight}")
    yield Premise(
        "the count can fail: a hidden layer that does not move classifies the data with more regions",
        frozen.correct and frozen.regions.exact > bound and frozen.initial > bound,
        f"{frozen.regions.exact} regions, {frozen.initial} before training; the bound is {bound}",
    )
    yield Measured("KKT points", len(points))
    yield Measured("most regions", max(1 + found.kinks[1] for found in points))
    yield Measured(
        "most regions by s",
        {str(s): max((1 + f.kinks[1] for f in points if f.switches == s), default=0) for s in range(most + 1)},
    )
    yield from (Attached(found.document) for found in points)


@theorem("run by run")
def run_by_run() -> Observation:
    """Every order of kinks and supports that the rules allow is listed for each kind of run, the most kinks are added
    up over the runs; and a point with one label has as many, so that the formula cannot be less there."""
    words = (
        "kinks of a KKT point keep to the rules by which they are listed (the steps of regions_runs)",
        "r units change their sign strictly at most r + 1 times (sign_changes), so s <= r + 1",
    )
    first, middle, last = map(in_a_run, ("first", "middle", "last"))
    yield shows(
        Value(f"1 + {in_a_run('only')}"),
        "one label",
        for_all={"r": "positive integer"},
        words=words[:1],
        relation="<=",
        r="r",
        s="0",
    )
    yield shows(
        Value(f"1 + {first} + {last} + {middle}*m"),
        "m + 1 switches",
        for_all={"r": "positive integer", "m": "nonnegative integer"},
        assuming=("m + 1 <= r + 1",),
        words=words,
        relation="<=",
        r="r",
        s="m + 1",
    )
    yield seen(regions_of_three_kinks(), "three kinks, in Q(√3)", relation="<=", r=smallest_teacher(0), s=0)


THEOREM = claim(
    "safran2022.theorem_4_2",
    "Theorem 4.2",
    "Linear regions at KKT points",
    """For data labelled by a teacher of width r with y_i N*(x_i) > 0, every KKT point of problem (4), and so the limit
    of gradient flow, has at most 32r + 67 linear regions, whatever its width. (The proof counts label switches s of the
    data; s ≤ r + 1, not s ≤ r as the text notes, and the bound holds all the same: 6s + 5 ≤ 6r + 11 ≤ 32r + 67, by the
    proof of our own that this rests on. Certified KKT points, of random data and in closed form, keep to it; far
    smaller bounds, such as s + 4, would survive these, and are neither shown nor refuted by the proof.)""",
    latex=r"\#\{\text{linear regions of }N_{\theta^*}\}\le32r+67",
    hypotheses=(
        "x_1 < … < x_n, y_i N*(x_i) > 0 for a network N* of width r",
        "the loss was below ℓ(0)/n at some time, so that the limit direction is a KKT point (Theorem 4.1)",
    ),
    formula="32*r + 67",
    symbols={"r": "width of the teacher", "s": "label switches of the data"},
    controls={
        "r": "as many regions as the teacher has neurons",
        "s + 1": "one crossing per switch and no further kink",
        "2": "one kink is enough for two classes",
        "r + 1": "no more regions than the teacher",
        "r + 2": "one more than the teacher: false for one label",
        "s + 3": "two kinks more than switches: false for one label",
    },
    checks=(run_by_run, regions),
    see_also=("stewart2022.theorem_1_classification", "savarese2019.corollary_3_4"),
    rests_on=("safran2022.equation_4", "safran2022.theorem_4_1", "safran2022.regions_at_kkt_points"),
)


@certificate("largest margin on random features")
def frozen_features(context: Context) -> Observation:
    """Output weights from multipliers in rationals, kinks counted exactly; narrow layers that do not separate their
    data are drawn again."""
    draw, start, kept = context.random(), True, 0
    sizes = [(1, 60, 0), (1, 401, 0), (2, 120, 0), (3, 300, 0), (5, 60, 0), (6, 90, 0)]
    sizes += [(s, k, 0) for s in (0, 1, 2, 3) for k in (2, 5, 8)] + [(4, k, 0) for k in (20, 40, 60)]
    sizes += [(0, k, mean) for k in (4, 7, 12, 20, 40, 90, 180) for mean in (0, -2, -3) * 2] + [(0, 300, -5)] * 4
    sizes += [(s, k + s * s, -draw.randint(0, 1)) for s in (1, 2) for k in (12, 25, 60)]
    sizes += [(6, k, 0) for k in (50, 60, 75)] + [(s, k, 3) for s in (0, 1) for k in (2, 3, 5, 9)]
    sizes += (
        [(0, k, 0) for k in (2, 3)] * 6 + [(s, k, 0) for s in (3, 4) for k in (6, 8, 12)] * 2 + [(5, 14, 0), (5, 20, 0)]
    )
    sizes += [(5, 800, 0), (7, 2000, 0)] * context.choose(0, 1)
    # hardly more units than switches, and wide layers of which few units are active
    sizes += [(s, k, 0) for s, k in ((1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 7))] * 3
    sizes += [(s, k, mean) for s in (1, 2, 3) for k, mean in ((60, -3), (150, -4))] * 2
    sizes += [(s, k, -2) for s in (1, 2, 3) for k in (30, 60, 150)] * 3
    # many points on one unit or two
    sizes += [(0, k, 3) for k in (1, 1, 2)] * 6
    sizes += [(0, k, mean) for k in (2, 3, 6, 9) for mean in (0, 3)] + [(0, k, -2) for k in (12, 25, 40, 60, 120)] * 6
    for i, (switches, width, mean) in enumerate(sizes):
        # more points than units, also where few of many units are active, and a few points
        more = (2, 8, 30)[i % 3] if width <= switches + 2 or mean <= -2 else 9 if switches else 25
        for _ in range(40):
            x, labels = random_data(draw, switches, switches + draw.randint(1 + (switches == 0), more))
            if mean == -2 and i % 2:  # data side by side, which few units divide
                x = tuple(2 + at / 8 for at in x)
            found = frozen_svm(draw, x, labels, width, mean)
            if found.correct:
                break
        else:
            continue
        kept += 1
        start = start and found.initial >= found.regions.exact
        for further in (0, draw.choice((1, 2, 4)), draw.choice((8, 12, 60, 200))):
            teacher = smallest_teacher(switches) + further
            yield seen(found.regions.exact, a=found.active, k=width, s=switches, n=len(x), r=teacher)
    yield Premise("four layers in five separate some data", 5 * kept >= 4 * len(sizes), f"{kept} of {len(sizes)}")
    yield Premise("no more regions than before training", start)


FROZEN = claim(
    "safran2022.theorem_4_2_frozen",
    "next to Theorem 4.2",
    "Linear regions of a frozen hidden layer",
    """If only the output layer is trained, on random features, the limit of largest margin has v_j = Σ λ_i y_i [w_j
    x_i + b_j]₊, which is not 0 for the units that are active at a point with λ_i > 0: with a of them there are a + 1
    linear regions, a number that grows with the width. The bound of Theorem 4.2 is due to the moving hidden layer, and
    this network breaks it.""",
    latex=r"\#\{\text{linear regions}\}=1+\#\{j:w_jx_i+b_j>0\text{ for some }i\text{ with }\lambda_i>0\}",
    hypotheses=("w_j, b_j independent and Gaussian, b_j about numbers from -5 to 3, rounded to millionths, and fixed",),
    # a network of r neurons changes a strict sign at most r - 1 times for r <= 3 and r + 1 times for r >= 4
    domain=("a <= k", "s < n", *(f"s <= {r} - 1 + 2*Min(1, Max(0, {r} - 3))" for r in "ar")),
    formula="a + 1",
    symbols={
        "a": "units active at a point with a multiplier",
        "k": "width",
        "s": "label switches",
        "n": "number of points",
        "r": "width of a teacher of these labels",
    },
    controls={
        "k + 1": "dead units counted as well",
        "Min(a + 1, 32*r + 67)": "the bound of Theorem 4.2 satisfied by any classifier of largest margin",
        "Min(a + 1, 6*s + 7)": "the sharper bound satisfied by it",
        "Min(a + 1, n + 1)": "at most one kink per point",
        "Max(a + 1, r/n)": "at least as many as the teacher has units per point",
        "Max(a + 1, 3*sqrt(s))": "at least as many as the switches ask for, and more",
        "Max(a + 1, sqrt(k*s))": "more by the width than by the units that are active",
    },
    checks=(frozen_features,),
    rests_on=("safran2022.equation_1",),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@certificate("zigzags and random functions")
def changes_of_functions(context: Context) -> Observation:
    """Sign changes of piecewise-linear functions with m pieces, counted from exact values at kinks and ends."""
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    draw = context.random()
    for m in (*range(1, 60), 101):
        knots = [Fraction(i) for i in range(1, m)] or [Fraction(0)]
        values = [Fraction((-1) ** i) for i in range(len(knots))]
        first, last = Fraction(2), Fraction(2 * (-1) ** (m + 1))
        zigzag = PiecewiseLinear(knots, values, first, last)
        yield seen(_changes(zigzag), f"zigzag of {zigzag.pieces} pieces", m=zigzag.pieces)
    for _ in range(context.choose(60, 600)):
        size = draw.randint(1, 14)
        knots = [Fraction(at) for at in sorted(draw.sample(range(-20, 20), size))]
        values = [Fraction(draw.randint(-3, 3)) for _ in knots]
        f = PiecewiseLinear(knots, values, draw.randint(-3, 3), draw.randint(-3, 3))
        yield seen(_changes(f), "random", relation="<=", m=f.pieces)


def _changes(f: object) -> int:
    """Strict sign changes between values far left, at all kinks and far right: f is linear from each to the next."""
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    g = cast(PiecewiseLinear, f)
    far = 1 + max(abs(v) for v in g.values) * 2 + 100
    places = [g.knots[0] - far, *g.knots, g.knots[-1] + far]
    signs = [value > 0 for value in map(g, places) if value]
    return sum(one != two for one, two in pairwise(signs))


LOWER = claim(
    "safran2022.theorem_4_2_lower",
    "after Theorem 4.2, at least r regions for r switches",
    "Fewest regions for given label switches",
    """A continuous function with m linear pieces changes its sign at most m times, once per piece, and a zigzag attains
    this: to classify data with s label switches at least s linear regions are needed, and s are enough.""",
    latex=r"\#\{\text{sign changes}\}\le m,\ \text{attained}",
    formula="m",
    symbols={"m": "number of linear regions"},
    controls={
        "m - 1": "one kink for each change: the outer pieces can cross zero too",
        "m + 1": "ends counted as changes",
        "2*floor(m/2)": "changes in pairs",
    },
    checks=(changes_of_functions,),
    part_of="safran2022.theorem_4_2",
)


def kinks_by_segment(found: Found) -> list[tuple[int, int]]:
    """(kinks, points) of each closed segment [x_p, x_q] of one label; places within 10^-20 taken as one."""
    point, close = found.point, Fraction(1, 10**20)
    bends: list[tuple[Fraction, Fraction]] = []
    for unit in point.units:
        w, b = point.direction(unit)
        if abs(w) > close:
            place = next((point.x[i] for i in unit.contacts), -b / w)
            bends.append((place, unit.sign * unit.square * abs(w)))
    places: list[tuple[Fraction, Fraction]] = []
    for place, bend in sorted(bends):
        if places and place - places[-1][0] < close:
            places[-1] = (places[-1][0], places[-1][1] + bend)
        else:
            places.append((place, bend))
    kinks = [place for place, bend in places if abs(bend) > close]
    segments, start = [], 0
    for i in range(1, len(point.x) + 1):
        if i == len(point.x) or point.labels[i] != point.labels[start]:
            inside = [k for k in kinks if point.x[start] - close <= k <= point.x[i - 1] + close]
            segments.append((len(inside), i - start))
            start = i
    return segments


@certificate("certified KKT points")
def kinks_of_segments(context: Context) -> Observation:
    """Kinks of certified points in each segment, shared places counted once."""
    draw = context.random()
    points = list(families(draw, context.choose(12, 40)))
    points += searched(draw, dict.fromkeys(range(5), context.choose(2, 10)), share=0.6)
    segments = most = 0
    for found in points:
        for kinks, size in kinks_by_segment(found):
            yield seen(kinks, f"{found.name}, a segment of {size}", relation="<=", s=found.switches, p=size)
            segments += 1
            most = max(most, kinks)
    yield Measured("segments", segments)
    yield Measured("most kinks in one", most)


SEGMENTS = claim(
    "safran2022.theorem_4_2_segment",
    "after Theorem 4.2, the approach of its proof",
    "Kinks on a segment with one label",
    """At a KKT point the network has a constant number of kinks in a segment [x_p, x_q] of data with one label, however
    many data it holds: the paper prints no number; 6 are enough (by the rules of regions_runs). More than 2 were never
    found, and nothing seen excludes 2 as the number.""",
    latex=r"\#\{\text{kinks in }[x_p,x_q]\}\le6\quad\text{if }y_p=\dots=y_q",
    formula="6",
    symbols={"s": "label switches of all data", "p": "number of points in the segment"},
    controls={
        "1": "one kink per segment",
        "s": "kinks only where there is something to separate",
        "p - 1": "one kink per gap between the data",
    },
    checks=(kinks_of_segments,),
    rests_on=("safran2022.regions_runs",),
    part_of="safran2022.theorem_4_2",
)
