"""Theorem 1: supports of optimal measures for regression and for classification."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

from implicitbias.claims import (
    Context,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.rational import Interval
from implicitbias.theorems.rules.extrema.units_at_data import LeastVariation

from ..observed.cheapest import group_programme as g
from ..observed.cheapest.margins import bracketed, most_mass, two_classes
from ..observed.cheapest.ramp_programme import certified_value, cheapest_ramps, off_data, reweighted
from ..observed.data.draws import evenly
from ..observed.data.points import Points, batch, by_hand, scaled
from ..observed.data.supports import class_runs, class_support, one_change


def _kept(left: str, right: str, between: str, *, at_least: bool = False) -> LeastVariation:
    """The problem over the kinks in R, all data to be met: those of R, and those that it leaves out."""
    return LeastVariation(
        unit="ramp(s, c, x)",
        of="data",
        equals="all",
        known="V",
        between=(left, right, between),
        at_least=at_least,
        first=("-1", "b"),
        after=("1", "a"),
    )


@theorem("any number of data")
def labels_on_segments() -> Observation:
    """R_reg holds both ends and every datum with two slopes: a datum x left out, of label y, has one slope z to the
    data a < b beside it. V is the value of (9), for all data and all kinks."""
    kept = _kept("line(y, x, z, a)", "line(y, x, z, b)", "y")
    yield shows(kept, for_all={"V": "nonnegative"}, V="V")


@theorem("any number of data")
def margins_in_runs() -> Observation:
    """R_class holds both ends and every datum with another label beside it: a datum left out has the label of both data
    beside it, and the same margins are to be at least 1. V is the value of (10), in any norm."""
    kept = _kept("1", "1", "1", at_least=True)
    yield shows(kept, for_all={"V": "nonnegative"}, V="V")


def _others(d: Points) -> dict[str, Value]:
    """The data, and what a measure of them costs by other accounts."""
    first, slope = Fraction(d.y[0]) / 2, d.slopes[0]
    return {"T": d.variation, "C": abs(first) + abs(first + slope) + d.variation, **d.given}


@certificate("R_reg against all kinks")
def regression(context: Context) -> Observation:
    """Data with points in a row: the exact programme with kinks in R_reg, and with kinks everywhere and a dual.

    And labels of other measures on R_reg, of all sizes, that the same dual proves optimal.
    """
    draw = context.random()
    rows = [d for d in by_hand() if len(d.support) < d.size]
    data = scaled(draw, (*rows, *rows, *batch(draw, context.choose(24, 300), largest=6, row=True)))
    smaller, open_ = True, 0
    sizes = iter(evenly(-9, 9, 4 * len(data)))
    for d in data:
        support = [Fraction(d.x[i]) for i in d.support]
        smaller = smaller and len(support) < d.size
        restricted = cheapest_ramps(d.x, d.y, support)
        if restricted is None:
            raise ArithmeticError(f"{d.label}: nothing on R_reg passes through the data")
        for drop in support[1:-1]:
            open_ += cheapest_ramps(d.x, d.y, [c for c in d.x if c != drop]) is None
        everywhere = certified_value(d.x, d.y)
        yield seen(restricted.value, d.label, V=everywhere.value, **_others(d))
        for size in islice(sizes, 4 if restricted.weights else 0):
            other = reweighted(draw, replace(restricted, alpha=everywhere.alpha), size)
            of_other = Points(f"{d.label}, other masses", d.x, tuple(map(other, d.x)))
            smaller = smaller and {c for _, c in other.weights} <= {Fraction(d.x[i]) for i in of_other.support}
            earned = sum((a * v for a, v in zip(everywhere.alpha, of_other.y, strict=True)), Fraction(0))
            yield seen(
                sum(map(abs, other.weights.values()), Fraction(0)), of_other.label, V=earned, **_others(of_other)
            )
    corners = sum(max(0, len(d.support) - 2) for d in data)
    yield Premise("R_reg is smaller than the data everywhere", smaller)
    yield Premise("without any one corner nothing on the data passes through", open_ == corners, f"{corners} corners")
    yield Step("V: kinks at the data and between them, and multipliers that bound every kink of [-1, 1]")
    yield Step("against it: kinks in R_reg alone, all data to be met")


LARGER: dict[str | Rule, str] = {
    "2*V": "a kink outside R_reg replaced by one at each neighbouring datum of it, both at the full price",
    Rule("TV", "the variation of the interpolant's slope", lambda given: given["T"]): "only its kinks cost",
    Rule("Lemma 3", "the cost of the measure of Lemma 3", lambda given: given["C"]): "that measure is optimal",
}


REGRESSION = claim(
    "stewart2022.theorem_1_regression",
    "Theorem 1.1",
    "Regression needs kinks in R_reg only",
    """Some optimal measure of problem (9) has its support in F_reg = {-1, 1} × R_reg: with kinks in R_reg alone all
    data can be met at the value V of the problem over all kinks in [-1, 1].""",
    latex=r"\min\{\|\mu\|:\operatorname{supp}\mu\subseteq F_{reg},\ f_\mu(x_i)=y_i\}=V",
    hypotheses=("-1 = x_1 < … < x_n = 1",),
    formula="V",
    symbols={"V": "the value of (9) over all kinks in [-1, 1], certified"},
    domain=("V >= 0",),
    controls=LARGER,
    checks=(labels_on_segments, regression),
    rests_on=("stewart2022.proposition_1_regression", "stewart2022.appendix_e_1"),
)


def long_runs(runs: int, ratio: int) -> tuple[list[Fraction], list[int]]:
    """Alternating runs of two points, the first of three, `ratio` times as long as the gaps between them."""
    total = runs * ratio + runs - 1
    places = [Fraction(ratio, 2), *(Fraction(run * (ratio + 1) + end) for run in range(runs) for end in (0, ratio))]
    return [2 * at / total - 1 for at in sorted(places)], [0, *(run % 2 for run in range(runs) for _ in (0, 1))]


@certificate("R_class against all kinks, l1 and l∞")
def classification(context: Context) -> Observation:
    """Two and three classes, long runs, l1 and l∞: exact programmes with kinks in R_class, and everywhere with a dual.

    For long runs next to narrow gaps one end of each run does not do: the function swings ever higher.
    """
    draw = context.random()
    halves = [Fraction(c, 2) for c in range(-2, 3)]
    cases = [(halves, [0, 1, 1, 1, 0], 3), (halves, [1, 1, 1, 1, 1], 3)]
    cases += [(*class_runs(draw, 3, 3), 3) for _ in range(context.choose(2, 12))]
    cases += [(*class_runs(draw, 3, 4), 3) for _ in range(context.choose(1, 12))]
    cases += [(*long_runs(runs, ratio), 2) for runs, ratio in ((3, 20), (4, 3))]
    smaller, dual_works = True, True
    # one change of label across gaps of all sizes, in one norm each
    tasks: list[tuple[tuple[list[Fraction], list[int], int], g.PolyhedralNorm]]
    tasks = [(case, kind) for case in cases for kind in g.KINDS]
    tasks += [((*one_change(draw, gap), 2), "l1") for gap in evenly(-6, 1, 66)[:-1]]
    tasks += [((*one_change(draw, gap), 2), "linf") for gap in evenly(0, 1, 9)[:-1]]
    for (x, labels, k), kind in tasks:
        support = [x[i] for i in class_support(labels)]
        smaller = smaller and len(support) < len(x)
        margins = g.margins(labels, k)
        starts = [x[i] for i in range(len(x)) if i in (0, len(x) - 1) or labels[i] != labels[i - 1]]
        ends = [x[i] for i in range(len(x)) if i in (0, len(x) - 1) or labels[i] != labels[i + 1]]
        dual = g.best_dual(x, margins, x, g.DUAL[kind])
        dual_works = dual_works and g.largest_price(x, dual.alpha, g.DUAL[kind]) <= 1
        if len(x) > 5:
            everywhere = g.cheapest_group(x, margins, [*x, *off_data(x)], kind)
            dual_works = dual_works and dual.value == everywhere.value
        yield seen(
            g.cheapest_group(x, margins, support, kind).value,
            f"{kind}, labels {labels}",
            V=dual.value,
            L=g.cheapest_group(x, margins, starts, kind).value,
            R=g.cheapest_group(x, margins, ends, kind).value,
            labels=tuple(labels),
            x=tuple(x),
        )
    yield Premise("R_class is smaller than the data everywhere", smaller)
    yield Premise("V is earned by multipliers that bound every kink of [-1, 1]", dual_works)
    yield Step("norms with polyhedral balls: linear programmes in rationals, primal and dual written apart")


@certificate("R_class against all kinks, Euclidean")
def classification_euclidean(context: Context) -> Observation:
    """Three to five classes: a feasible measure on R_class above, multipliers for all kinks below, gap at most 1e-7."""
    draw = context.random()
    thirteen = [Fraction(j, 6) for j in range(-6, 7)]
    twentyone = [Fraction(j, 10) for j in range(-10, 11)]
    cases = [
        (thirteen, [2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 2, 2], 3),
        (twentyone, [0] * 3 + [1] * 4 + [2] * 6 + [3] * 5 + [4] * 3, 5),
        *((*class_runs(draw, 3, 4), 3) for _ in range(context.choose(3, 12))),
    ]
    smaller, narrow = True, Fraction(0)
    for x, labels, k in cases:
        support = [x[i] for i in class_support(labels)]
        smaller = smaller and len(support) < len(x)
        starts = [x[i] for i in range(len(x)) if i in (0, len(x) - 1) or labels[i] != labels[i - 1]]
        ends = [x[i] for i in range(len(x)) if i in (0, len(x) - 1) or labels[i] != labels[i + 1]]
        everywhere, restricted = bracketed(x, labels, k), bracketed(x, labels, k, support)
        narrow = max(narrow, (restricted.upper - everywhere.lower) / restricted.upper)
        yield seen(
            Interval(everywhere.lower, restricted.upper),
            f"labels {''.join(map(str, labels))}",
            V=everywhere.lower,
            L=bracketed(x, labels, k, starts).lower,
            R=bracketed(x, labels, k, ends).lower,
            labels=tuple(labels),
            k=k,
        )
    yield Premise("R_class is smaller than the data everywhere", smaller)
    yield Premise("relative gap at most 1e-7", narrow <= Fraction(1, 10**7), f"{float(narrow):.1e}")
    yield Step("above: an exactly feasible measure with kinks in R_class; below: multipliers that bound all kinks")


OTHER_ENDS: dict[str | Rule, str] = {
    "2*V": "a kink outside R_class replaced by one at each end of its run, both at the full price",
    Rule("first points", "the value with kinks at ±1 and at first points of runs", lambda given: given["L"]): (
        "the first point of each run suffices"
    ),
    Rule("last points", "the value with kinks at ±1 and at last points of runs", lambda given: given["R"]): (
        "the last point of each run suffices"
    ),
}


CLASSIFICATION = claim(
    "stewart2022.theorem_1_classification",
    "Theorem 1.2",
    "Classification needs kinks in R_class only",
    """Some optimal measure of problem (10) has its support in F_class = {-1, 1} × R_class: with kinks in R_class alone
    the margins at all data can be met at the value V of the problem over all kinks in [-1, 1], for the Euclidean norm
    as for any other.""",
    latex=r"\min\{\textstyle\int\Omega(d\mu):\operatorname{supp}\mu\subseteq F_{class},\ \text{margins}\}=V",
    hypotheses=("-1 = x_1 < … < x_n = 1",),
    formula="V",
    symbols={"V": "the value over all kinks in [-1, 1]"},
    domain=("V >= 0",),
    controls=OTHER_ENDS,
    checks=(margins_in_runs, classification, classification_euclidean),
    rests_on=("stewart2022.proposition_1_classification", "stewart2022.appendix_e_2"),
)


@certificate("largest mass at every point")
def superset(context: Context) -> Observation:
    """Two classes: the largest mass that an optimum on the data can put at each point of R_class, exactly."""
    draw = context.random()
    shapes = [(2, 3, 3, 2), (3, 2, 2, 3), (2, 2, 2, 2, 2), (3, 3, 2, 3, 3), (2, 2, 3, 2, 2, 2), (2,) * 7]
    shapes += [(3, 2, 2, 2, 4, 2, 2, 2), (2, 2, 3, 2, 2, 2, 2, 5, 2)]
    shapes += [tuple(draw.randint(2, 3) for _ in range(draw.randint(4, 5))) for _ in range(context.choose(3, 20))]
    for shape in shapes:
        n = sum(shape)
        inner = sorted(draw.sample(range(-99, 100), n - 2))
        x = [Fraction(-1), *(Fraction(c, 100) for c in inner), Fraction(1)]
        sigma = [(-1) ** run for run, length in enumerate(shape) for _ in range(length)]
        value = two_classes(x, sigma).value
        used = [i for i in class_support(sigma) if most_mass(x, sigma, value, x[i]) > 0]
        yield seen(len(used), f"runs of {shape}", J=len(shape) - 1, x=tuple(x), runs=tuple(shape))
    yield Step("maximise the mass at one place over all optimal measures, in rationals")


SUPERSET = claim(
    "stewart2022.theorem_1_superset",
    "next to Theorem 1.2",
    "R_class is larger than the support of any optimum",
    """For two classes with J ≥ 3 changes of label and runs of two points or more, R_class has 2J + 2 points, but
    optimal measures on the data kinks use only 2(J-1) of them: never x_1, x_n, nor the ends of the two outer runs,
    where the function goes straight on. Proof: the multipliers of the closed form price every ramp with its kink on an
    outer run at 0, and where a price is below 1 no optimum has mass (complementary slackness). The paper says that
    R_class suffices, not that it is needed.""",
    latex=r"\big|\bigcup_{\mu^*}\operatorname{supp}\mu^*\cap R_{class}\big|=2(J-1)<2J+2=|R_{class}|",
    hypotheses=("k = 2", "J ≥ 3 changes of label (seen for J ≤ 8), runs of two points or more", "kinks at the data"),
    formula="2*(J - 1)",
    symbols={"J": "number of changes of label"},
    controls={"2*J + 2": "all of R_class is used", "2*J": "all but the ends", "J + 1": "one point per run"},
    checks=(superset,),
    part_of="stewart2022.theorem_1_classification",
    rests_on=("stewart2022.equation_10_many_changes", "stewart2022.theorem_1_classification"),
    own=True,
)


@certificate("prices of an almost optimal dual")
def absolute_value(context: Context) -> Observation:
    """|x| with k bins and 4k+1 points: the data that an optimum can use, from certified bounds on its mass there.

    If the multipliers are feasible and within ε of the optimum, no optimum has more than ε/(1 - price) at a place.
    """
    used, negligible = True, True
    for k in context.choose((3, 4, 5, 6), (3, 4, 5, 6, 7, 8)):
        n = 4 * k + 1
        x = [Fraction(2 * i, n - 1) - 1 for i in range(n)]
        labels = [min(range(k), key=lambda j, c=c: (abs(abs(c) - Fraction(j, k - 1)), j)) for c in x]  # type: ignore[misc]
        found = bracketed(x, labels, k)
        slack = found.upper - found.lower
        possible = [u for u, price in found.prices.items() if price >= 1 or slack / (1 - price) > found.upper / 10**4]
        places = {c for _, c in possible}
        for u, w in found.weights.items():
            mass = sum(map(abs, w))
            used = used and (u not in possible or mass > found.upper / 10**3)
        negligible = negligible and slack < found.upper / 10**8
        yield seen(len(places), f"|x|, n={n}, k={k}", k=k, n=n, C=len(class_support(labels)))
    yield Premise("bounds closer than 1e-8, relative", negligible)
    yield Premise("a measure within this of the optimum uses every place that is left", used)


def bends(*counts: int) -> Rule:
    """So many places for k = 3, 4, …"""
    return Rule(
        ", ".join(map(str, counts)),
        f"places for k = 3, 4, …: {', '.join(map(str, counts))}",
        lambda given: counts[int(str(given["k"])) - 3],
    )


ABSOLUTE_VALUE = claim(
    "stewart2022.theorem_1_absolute_value",
    "next to Theorem 1.2 and Figure 3",
    "Where optimal classifiers of the absolute value bend",
    """For 4k+1 equally spaced points on |x| and k bins R_class has 4k - 2 points, but optimal measures of problem (10)
    bend at far fewer data: at 6, 8, 8, 10 for k = 3, 4, 5, 6 (at the full budget also 12 and 14 for 7 and 8). For n =
    21, k = 5 it is 8 of 18. At all other data every optimum has less than one part in 10⁴ of its mass, certified by
    multipliers within 10⁻⁸ of the optimum; a measure within this of the optimum has more than one part in 10³ at each
    of them. No formula for all k is known to us.""",
    latex=r"\#\{x_i:\mu^*(\{\pm1\}\times\{x_i\})\ne0\}=6,8,8,10\quad(k=3,\dots,6)",
    hypotheses=("n = 4k + 1 equally spaced points on |x|", "3 ≤ k ≤ 6 (k ≤ 8 at the full budget)", "kinks at the data"),
    formula=bends(6, 8, 8, 10, 12, 14),
    controls={
        bends(10, 14, 18, 22, 26, 30): "all of R_class",
        bends(6, 8, 10, 12, 14, 16): "one for each change of label and the ends",
        bends(4, 6, 8, 10, 12, 14): "one datum per change of label, without the ends",
        bends(6, 7, 8, 9, 10, 11): "one more per bin",
    },
    checks=(absolute_value,),
    part_of="stewart2022.theorem_1_classification",
    rests_on=("stewart2022.figure_3_classification",),
    own=True,
)
