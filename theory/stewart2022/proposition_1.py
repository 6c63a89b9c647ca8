"""Proposition 1 and Corollary 1: optimal measures with kinks at the data, and why there is no duality gap."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, pairwise, permutations
from random import Random

from implicitbias.claims import (
    Context,
    Flaw,
    Observation,
    Premise,
    Rule,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.extremum import Maximum, Minimum
from implicitbias.theorems.rules.values.composition import Composition
from implicitbias.theorems.rules.values.value import Value

from ..observed.cheapest import group_programme as g
from ..observed.cheapest.kinks_at_data import least_with_kinks_at_data
from ..observed.cheapest.ramp_programme import cheapest_ramps, feature, largest_price, off_data, reweighted
from ..observed.data.draws import evenly
from ..observed.data.points import Points, batch, by_hand, scaled
from ..observed.data.supports import one_change
from . import errata

BETWEEN = Rule("between", "the value with kinks at ±1 and between the data, not at them", lambda given: given["O"])
TWICE = "a kink between two data replaced by one at each of them, both at the full price"


@theorem("any number of data")
def kinks_at_the_data() -> Observation:
    """The least ∫Ω(dμ) with kinks at the data, for any closed convex sets S_i of values at any number of data.

    V is that with all kinks between -1 and 1; labels and margins are such sets, the Euclidean norm is such an Ω.
    """
    yield shows(least_with_kinks_at_data(), for_all={"V": "nonnegative"}, V="V")


def _between(draw: Random, d: Points) -> Fraction:
    """The value with kinks at ±1 and between the data, not at them."""
    places = off_data(d.x)
    if draw.randrange(2):  # one place in every gap, so that the function swings
        places = [s + Fraction(draw.randint(1, 19), 20) * (t - s) for s, t in pairwise(map(Fraction, d.x))]
    found = cheapest_ramps(d.x, d.y, [-1, 1, *places])
    if found is None:
        raise ArithmeticError(f"{d.label}: nothing passes through the data")
    return found.value


@certificate("programmes with and without further kinks")
def regression(context: Context) -> Observation:
    """Problem (9) with kinks at the data, with many more, and with kinks between the data only; a dual for all of U."""
    draw = context.random()
    proved = True
    data = scaled(draw, (*by_hand(), *by_hand(), *batch(draw, context.choose(12, 150), largest=6)))
    sizes = iter([*evenly(-11, 12, len(data)), *evenly(-2, 3, 3 * len(data))])
    for d in data:
        extra = [Fraction(draw.randint(-999, 999), 1000) for _ in range(6)]
        on_data = cheapest_ramps(d.x, d.y, d.x)
        many = cheapest_ramps(d.x, d.y, [*d.x, *off_data(d.x), *extra])
        if on_data is None or many is None:
            raise ArithmeticError(f"{d.label}: nothing passes through the data")
        proved = proved and largest_price(d.x, on_data.alpha) <= 1
        yield seen(on_data.value, d.label, V=many.value, O=_between(draw, d), T=d.variation, **d.given)
        for size in islice(sizes, 4 if on_data.weights else 0):
            # other masses at the data, of which the multipliers for many kinks prove that nothing is cheaper
            other = reweighted(draw, replace(on_data, alpha=many.alpha), size)
            cost = sum(map(abs, other.weights.values()), Fraction(0))
            of_other = Points(f"{d.label}, other masses", d.x, tuple(map(other, d.x)))
            earned = sum((a * v for a, v in zip(many.alpha, of_other.y, strict=True)), Fraction(0))
            yield seen(
                cost, of_other.label, V=earned, O=_between(draw, of_other), T=of_other.variation, **of_other.given
            )
    yield Premise("the dual of the programme on the data bounds every kink of [-1, 1]", proved)


ELSEWHERE: dict[str | Rule, str] = {
    "2*V": TWICE,
    BETWEEN: "kinks between the data serve as well",
    Rule("TV", "the variation of the interpolant's slope", lambda given: given["T"]): "ends cost nothing",
}


REGRESSION = claim(
    "stewart2022.proposition_1_regression",
    "Proposition 1.1",
    "Regression: kinks at the data suffice",
    """Some optimal measure of problem (9) lives on U_X: with kinks at the data alone the value is that with any further
    kinks in [-1, 1], and the multipliers of the programme on the data bound the prices of all kinks.""",
    latex=r"\min_{\mu\in\mathcal M(U_X)}=\min_{\mu\in\mathcal M(\mathbb U)}\quad\text{in (9)}",
    hypotheses=("-1 = x_1 < … < x_n = 1",),
    formula="V",
    symbols={"V": "value with many kinks between the data as well"},
    domain=("V >= 0",),
    controls=ELSEWHERE,
    checks=(kinks_at_the_data, regression),
    rests_on=("stewart2022.corollary_1", "stewart2022.lemma_2", "stewart2022.lemma_3_regression"),
)


@certificate("programmes with and without further kinks")
def classification(context: Context) -> Observation:
    """Exact values in two norms, two and three classes; multipliers that bound all of U."""
    draw = context.random()
    proved = True
    fixed: list[tuple[list[Fraction | int], list[int]]] = [
        ([-1, 0, 1], [0, 1, 0]),
        ([-1, 0, 1], [0, 1, 2]),
        ([-1, Fraction(-1, 2), Fraction(1, 3), 1], [2, 0, 0, 1]),
        ([-1, 0, 1], [1, 1, 1]),
        ([-1, Fraction(-1, 4), Fraction(1, 4), 1], [2, 2, 2, 2]),
        ([-1, Fraction(1, 5), 1], [2, 0, 2]),
    ]
    cases = [([Fraction(c) for c in x], labels) for x, labels in fixed]
    for _ in range(context.choose(3, 30)):
        inner = sorted(draw.sample(range(-9, 10), 3))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        cases.append((x, [draw.randrange(3) for _ in x]))
    tasks: list[tuple[list[Fraction], list[int], int, g.PolyhedralNorm]]
    tasks = [(x, labels, 3, kind) for x, labels in cases for kind in g.KINDS]
    # one change between two classes, across gaps of all sizes
    tasks += [(*one_change(draw, gap), 2, "l1") for gap in evenly(-6, 1, 66)[:-1]]
    tasks += [(*one_change(draw, gap), 2, "linf") for gap in evenly(0, 1, 9)[:-1]]
    for i, (x, labels, k, kind) in enumerate(tasks):
        margins, places = g.margins(labels, k), off_data(x)
        if k == 2 or i // 2 % 2 == 0:  # near the far ends of the gaps, so that the data are missed by much
            share = Fraction(1, draw.choice([10, 30, 100]))
            places = [s + (1 - share if j % 2 else share) * (t - s) for j, (s, t) in enumerate(pairwise(x))]
        on_data = g.cheapest_group(x, margins, x, kind)
        between = g.cheapest_group(x, margins, [Fraction(-1), Fraction(1), *places], kind)
        ends = g.cheapest_group(x, margins, places, kind)
        dual = g.best_dual(x, margins, x, g.DUAL[kind])
        proved = proved and dual.value == on_data.value
        proved = proved and g.largest_price(x, dual.alpha, g.DUAL[kind]) <= 1
        # with two classes by the multipliers alone
        many = g.cheapest_group(x, margins, [*x, *off_data(x)], kind) if k > 2 else dual
        yield seen(
            on_data.value,
            f"{kind}, labels {labels}",
            V=many.value,
            O=between.value,
            Q=ends.value,
            labels=tuple(labels),
            x=tuple(x),
        )
    yield Premise("multipliers earn the value on the data and bound every kink of [-1, 1]", proved)


OTHER_KINKS: dict[str | Rule, str] = {
    "2*V": TWICE,
    BETWEEN: "kinks between the data serve as well",
    Rule("no kink at a datum", "the value with kinks between the data only", lambda given: given["Q"]): (
        "not even the ends are needed"
    ),
}


CLASSIFICATION = claim(
    "stewart2022.proposition_1_classification",
    "Proposition 1.2",
    "Classification: kinks at the data suffice",
    """Some optimal measure of problem (10) lives on U_X: with kinks at the data alone the value is that with any
    further kinks in [-1, 1], for any norm and any number of classes. (Certified for two and three classes, in the l1
    and the l∞ norm; for the Euclidean norm of problem (10) by Theorem 1.2, where even kinks in R_class suffice.)""",
    latex=r"\min_{\mu\in\mathcal M(U_X,\mathbb R^k)}=\min_{\mu\in\mathcal M(\mathbb U,\mathbb R^k)}\quad\text{in (10)}",
    hypotheses=("-1 = x_1 < … < x_n = 1",),
    formula="V",
    symbols={"V": "value with kinks between the data as well"},
    domain=("V >= 0",),
    controls=OTHER_KINKS,
    checks=(kinks_at_the_data, classification),
    part_of="stewart2022.proposition_1_regression",
    rests_on=("stewart2022.corollary_1", "stewart2022.lemma_2", "stewart2022.lemma_3_classification"),
)


def _largest_of(values: tuple[Fraction, Fraction, Fraction], low: Fraction, high: Fraction) -> Fraction:
    """The largest value on [low, high] of the parabola through its values at -1, 0, 1, exactly."""
    a = (values[0] - 2 * values[1] + values[2]) / 2
    b = (values[2] - values[0]) / 2
    places = [low, high]
    if a < 0 and low <= -b / (2 * a) <= high:
        places.append(-b / (2 * a))
    return max(a * t * t + b * t + values[1] for t in places)


@certificate("parabolas from three values")
def parabolas_from_three_values(context: Context) -> Observation:
    """The dual function of min |w| s.t. (w, 0) in {b >= (a-1)²}, from values of parabolas at -1, 0, 1 only."""
    for beta in (1, Fraction(1, 2), Fraction(1, 4), 2, 3, 10, 1000, Fraction(7, 5), Fraction(1, 10)):

        def least(alpha: Fraction, beta: Fraction = Fraction(beta)) -> Fraction:
            # min over a of alpha·a + beta·(a - 1)²
            wide = Fraction(10**6)
            values = [-(alpha * a + beta * (a - 1) ** 2) for a in (-1, 0, 1)]
            return -_largest_of((values[0], values[1], values[2]), -wide, wide)

        best = _largest_of((least(Fraction(-1)), least(Fraction(0)), least(Fraction(1))), Fraction(-1), Fraction(1))
        yield seen(best, beta=beta)
    yield Step("(w, 0) lies in the set for w = 1 only, as (w - 1)² <= 0 there: the primal value 1 is attained")
    yield Step("largest over |α| <= 1 of the least α a + β (a-1)²: parabolas recovered from three values")


@theorem("vertex of the parabola")
def vertex_of_the_parabola() -> Observation:
    """Of the least of α a + β b with b = (a - 1)² + p, p >= 0, the largest over q = 1 - α >= 0 and r = 1 + α >= 0."""
    best = "Min(1, 2*beta)"
    yield shows(
        Maximum(
            Minimum(
                "plane_dot(alpha, beta, a, b)",
                over={"a": "real", "p": "nonnegative", "b": "real"},
                subject_to={"b": "b - (a - 1)**2 - p"},
                at={"a": "1 - alpha/(2*beta)", "p": "0"},
                gap=("beta*(a - 1 + alpha/(2*beta))**2", "beta*p"),
            ),
            over={"alpha": "real", "q": "nonnegative", "r": "nonnegative"},
            subject_to={"q": "alpha + q - 1", "r": "alpha - r + 1"},
            at={"alpha": best},
            gap=(f"({best} - alpha)*(4*beta - {best} - alpha)/(4*beta)",),
        ),
        for_all={"beta": "positive"},
        beta="beta",
    )


COROLLARY_1_REASON = claim(
    "stewart2022.corollary_1",
    "proof of Corollary 1",
    "A feasible point alone does not give a dual optimum",
    """For min |w| subject to (w, 0) in S = {(a, b) : b ≥ (a-1)²}, closed and convex with a feasible point and value 1,
    the best multiplier with second entry β earns 1 - 1/(4β) (β ≥ 1/2): never 1. So a norm problem with convex
    constraints and a feasible point need not have an optimal dual, and the reason given for general S_i is incomplete.
    The corollary itself is true: the map from measures on U_X to values at the data is onto (see
    stewart2022.corollary_1_determinant), so that the constraint qualification always holds.""",
    latex=r"""\max_{|\alpha|\le1}\inf_{b\ge(a-1)^2}\alpha a+\beta b=1-\frac1{4\beta}<1\ (\beta\ge\tfrac12),\quad\beta\
    (0<\beta\le\tfrac12)""",
    hypotheses=("β > 0 (for β = 0 the multipliers earn at most 0)",),
    formula="Min(1, 2*beta) - Min(1, 2*beta)**2/(4*beta)",
    symbols={"beta": "β, the multiplier of the second entry"},
    flaw=Flaw(errata.REASON_FOR_DUALITY),
    controls={
        "1": "strong duality from a feasible point alone",
        "1 - 1/(4*beta)": "α = 1 also for small β",
        "Min(1, 2*beta)/2": "half of the multiplier",
        "1 - 1/(2*beta + 2)": "a hyperbola with the same limits",
    },
    checks=(vertex_of_the_parabola, parabolas_from_three_values),
    rests_on=("stewart2022.corollary_1_determinant",),
)


@certificate("exact elimination")
def exact_elimination(context: Context) -> Observation:
    """det[φ_u(x_i)] for u = (-1, x_n), (1, x_1), …, (1, x_{n-1}), by exact elimination, n = 4."""
    import flint

    draw = context.random()
    gaps: list[tuple[Fraction | int, ...]] = [
        (1, 1, 1),
        (Fraction(2, 3),) * 3,
        (1, 2, 3),
        (Fraction(1, 2), Fraction(1, 2), 1),
        (Fraction(1, 10), 1, 5),
    ]
    gaps += [tuple(Fraction(draw.randint(1, 30), 10) for _ in range(3)) for _ in range(10)]
    for p, q, r in gaps:
        x = [Fraction(-1), Fraction(-1) + p, Fraction(-1) + p + q, Fraction(-1) + p + q + r]
        units = [(-1, x[3]), (1, x[0]), (1, x[1]), (1, x[2])]
        entries = [feature(u, at) for at in x for u in units]
        found = flint.fmpq_mat(4, 4, [flint.fmpq(v.numerator, v.denominator) for v in entries]).det()
        yield seen(Fraction(int(found.p), int(found.q)), f"gaps {p}, {q}, {r}", g=p, h=q, l=r)


@theorem("determinant of the ramps")
def determinant_of_the_ramps() -> Observation:
    """Leibniz' formula for the values at the data of the left ramp at x_4 and the right ramps at x_1, x_2, x_3."""
    places = ("0", "g", "g + h", "g + h + l")
    ramps = [("-1", places[3]), *(("1", place) for place in places[:3])]
    entries = {
        f"m_{i}{k}": Value(f"ramp({s}, {c}, {at})") for i, at in enumerate(places) for k, (s, c) in enumerate(ramps)
    }
    terms = []
    for order in permutations(range(4)):
        even = sum(order[i] > order[j] for i, j in combinations(range(4), 2)) % 2 == 0
        terms.append(f"{'+' if even else '-'} {'*'.join(f'm_{i}{k}' for k, i in enumerate(order))}")
    determinant = Composition("0 " + " ".join(terms), entries)
    yield shows(determinant, for_all=dict.fromkeys("ghl", "positive"), g="g", h="h", l="l")


DETERMINANT = claim(
    "stewart2022.corollary_1_determinant",
    "next to Corollary 1",
    "Every choice of values at the data can be met",
    """The values at the data of the left ramp at x_n and the right ramps at x_1, …, x_{n-1} form a matrix with
    determinant (x_n - x_1)·Π gaps > 0: measures on U_X take any values at the data. So (13) is always feasible, its
    hypothesis is redundant, and Fenchel-Rockafellar duality holds with an optimal dual for any closed convex non-empty
    S_i.""",
    latex=r"\det\big[\phi_{(-1,x_n)},\phi_{(1,x_1)},\dots,\phi_{(1,x_{n-1})}\big](x_i)=(x_n-x_1)\prod_i(x_{i+1}-x_i)",
    hypotheses=("stated for n = 4; x_n - x_1 = 2 in the paper",),
    formula="(g + h + l)*g*h*l",
    symbols={"g": "first gap", "h": "second gap", "l": "third gap"},
    controls={
        "g*h*l": "the left ramp's row forgotten",
        "2*g*h*l": "data on [-1, 1] only",
        "(g + h + l)*g*h": "one gap forgotten",
    },
    checks=(determinant_of_the_ramps, exact_elimination),
    part_of="stewart2022.corollary_1",
    own=True,
)
