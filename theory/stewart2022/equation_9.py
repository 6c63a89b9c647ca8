"""Problem (9): its value in closed form, for any data, and the splitting of its dual."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from implicitbias.claims import (
    Attached,
    Context,
    Instance,
    Measured,
    Observation,
    Premise,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import ListSum

from ..observed.cheapest.ramp_programme import certified_value, feature, largest_price, price
from ..observed.data.points import Points, batch, by_hand


def terms(data: Points) -> dict[str, Value]:
    """The quantities of the closed form, each by its definition."""
    x, kinks = [Fraction(c) for c in data.x], data.kinks
    rising = [max(k, Fraction(0)) for k in kinks]
    falling = [max(-k, Fraction(0)) for k in kinks]

    def above(c: Fraction, sign: int) -> Fraction:
        moments = rising if sign > 0 else falling
        return sign * data.spline(c) - sum(
            (m * abs(at - c) for m, at in zip(moments, x[1:-1], strict=True)), Fraction(0)
        )

    return {
        "P": data.rising,
        "M": data.falling,
        "g": data.slopes[0],
        "A": max(above(c, 1) / (1 + abs(c)) for c in x),
        "B": max(above(c, -1) / (1 + abs(c)) for c in x),
        "A_0": above(Fraction(0), 1),
        "B_0": above(Fraction(0), -1),
        **data.given,
    }


def trapezoid(draw: Random) -> Points:
    """Labels that bend twice, near the ends, one way: a steep start whose slope the kinks undo, at any height."""
    edge, bend = 1 - Fraction(1, draw.choice([2, 5, 10])), Fraction(draw.randint(-12, 12), 4)
    level, tilt = Fraction(draw.randint(-12, 12), 4), Fraction(draw.randint(-2, 2), 4)
    x = (Fraction(-1), -edge, edge, Fraction(1))
    heights = (level, level + bend * (1 - edge), level + bend * (1 - edge), level)
    return Points("trapezoid", x, tuple(y + tilt * c for c, y in zip(x, heights, strict=True)))


def one_bend(draw: Random) -> Points:
    """A steep line that bends once: so little that its slope decides, or so that the datum at the bend does.

    With the slope s up to the bend at c > 0 and the value b at 0 the largest term is s - m for a small bend m, and
    (b + cs)/(1 + c), above m itself, for (s - b)/(1 + c) < m < (b + cs)/(1 + c).
    """
    c, s = Fraction(draw.randint(2, 9), 10), Fraction(draw.randint(2, 30))
    b = s * (1 - c * Fraction(draw.randint(1, 9), 20))
    low, high = (s - b) / (1 + c), (b + c * s) / (1 + c)
    m = draw.choice((-s / draw.randint(20, 60), s / draw.randint(20, 60), low + (high - low) * draw.randint(1, 8) / 9))
    sign = draw.choice((1, -1))
    return Points(
        "one bend", (Fraction(-1), c, Fraction(1)), (sign * (b - s), sign * (b + c * s), sign * (b + s - m * (1 - c)))
    )


SYMBOLS = {
    "P": "K⁺ = Σ κ_i⁺",
    "M": "K⁻ = Σ κ_i⁻",
    "g": "first slope g_1",
    "A": "max over the data c of (P(c) - Σ κ_i⁺|x_i - c|)/(1 + |c|)",
    "B": "max over the data c of (-P(c) - Σ κ_i⁻|x_i - c|)/(1 + |c|)",
    "A_0": "P(0) - Σ κ_i⁺|x_i|",
    "B_0": "-P(0) - Σ κ_i⁻|x_i|",
}


@certificate("exact linear programme")
def programme(context: Context) -> Observation:
    """The exact programme with kinks at and between the data; its dual bounds every kink of [-1, 1]."""
    draw = context.random()
    data = (*by_hand(), *batch(draw, context.choose(60, 600)), *batch(draw, context.choose(12, 100), row=True))
    data += tuple(trapezoid(draw) for _ in range(16))
    data += tuple(one_bend(draw) for _ in range(24))
    values = [(d, certified_value(d.x, d.y).value) for d in data]
    instances = tuple(seen(value, d.label, **terms(d)) for d, value in values)
    cases = {_case(i) for i in instances}
    yield from instances
    yield Premise(
        "zero, both slopes and points above and below occur",
        {"0", "slope+", "slope-", "A", "B"} <= cases,
        ", ".join(sorted(cases)),
    )
    yield Measured("data sets with V > TV", sum(v > d.variation for d, v in values))
    yield Step("min Σ|w| through the points, kinks at the data and at two places in every gap, in rationals")
    yield Step("the price Σ α_i φ_u(x_i) is linear in c between the data: at most 1 there means at most 1 on all of U")


def _case(instance: Instance) -> str:
    """The largest term of the maximum."""
    g = {k: Fraction(v) for k, v in instance.given.items() if isinstance(v, int | Fraction)}
    found = {"0": Fraction(0), "slope+": g["g"] - g["M"], "slope-": -g["g"] - g["P"]}
    found |= {name: g[name] for name in ("A", "B", "A_0", "B_0")}
    return max(found, key=lambda name: found[name])


@certificate("closed primal and dual")
def closed_pair(context: Context) -> Observation:
    """Primal and dual of the library's O(n) solution, each evaluated anew from its definition."""
    from implicitbias.certificate.kernel import check_certificate
    from implicitbias.convex.ramps.interpolant import ramp_interpolant

    draw = context.random()
    documents, met, bounded, equal = [], True, True, True
    for d in (*by_hand(), *batch(draw, context.choose(30, 300), largest=14)):
        found = ramp_interpolant(d.x, d.y)
        measure = [((r.side, r.kink), r.weight) for r in found.ramps]
        met = met and all(
            sum((w * feature(u, x) for u, w in measure), Fraction(0)) == y for x, y in zip(d.x, d.y, strict=True)
        )
        bounded = bounded and largest_price(d.x, found.alpha) <= 1
        cost = sum((abs(w) for _, w in measure), Fraction(0))
        equal = equal and cost == sum((a * y for a, y in zip(found.alpha, d.y, strict=True)), Fraction(0))
        yield seen(cost, d.label, **terms(d))
        documents.append(found.certificate())
    accepted = all(check_certificate(document).valid for document in documents)
    yield Premise("the ramps pass through the data", met)
    yield Premise("the multipliers price every ramp of U at most 1", bounded)
    yield Premise("and earn what the ramps cost", equal)
    yield Premise("the trusted checker accepts every certificate", accepted, f"{len(documents)} certificates")
    yield from map(Attached, documents[:12])


@theorem("summation by parts")
def summation_by_parts() -> Observation:
    """What any number of data with any multipliers earn, their labels those of a line with two kinks c and d."""
    earned = ListSum(
        term="a*(y + g*(x + 1) + k*ramp(1, c, x) + K*ramp(1, d, x))",
        entries={"a": "real", "x": "real"},
        where=("x >= -1", "x <= 1"),
        length="n",
        totals={
            "eta": "a*ramp(1, -1, x)",
            "lam": "a*ramp(-1, 1, x)",
            "G": "a*ramp(1, c, x)",
            "H": "a*ramp(1, d, x)",
        },
        by={"eta": "y/2 + g", "lam": "y/2", "G": "k", "H": "K"},
    )
    symbols = ("y", "g", "k", "K", "eta", "lam", "G", "H")
    names: dict[str, Assumption] = {**dict.fromkeys((*symbols, "c", "d"), "real"), "n": "positive integer"}
    yield shows(earned, for_all=names, **{name: name for name in symbols})


@certificate("random multipliers")
def random_multipliers(context: Context) -> Observation:
    """Earnings and prices added up from their definitions."""
    draw = context.random()
    for i in range(30):
        inner = sorted(draw.sample(range(-9, 10), 2))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        y = [Fraction(draw.randint(-9, 9)) for _ in x]
        alpha = [Fraction(draw.randint(-9, 9), 2) for _ in x]
        slopes = [(y[j + 1] - y[j]) / (x[j + 1] - x[j]) for j in range(3)]
        earned = sum((a * v for a, v in zip(alpha, y, strict=True)), Fraction(0))
        yield seen(
            earned,
            f"random {i}",
            y=y[0],
            g=slopes[0],
            k=slopes[1] - slopes[0],
            K=slopes[2] - slopes[1],
            eta=price(x, alpha, (1, Fraction(-1))),
            lam=price(x, alpha, (-1, Fraction(1))),
            G=price(x, alpha, (1, x[1])),
            H=price(x, alpha, (1, x[2])),
        )


SPLIT = claim(
    "stewart2022.equation_9_dual_split",
    "next to problem (9)",
    "The dual objective by kinks",
    """For every α the earnings of the dual of (9) are Σ α_i y_i = y_1(η+λ)/2 + g_1 η + Σ κ_i g(x_i), where g(c) is the
    price Σ α_i (x_i-c)_+ of the right ramp at c, η = g(-1), and λ the price of the left ramp at 1: summation by
    parts.""",
    latex=r"\sum_i\alpha_iy_i=\tfrac12y_1(\eta+\lambda)+g_1\eta+\sum_i\kappa_i\,g(x_i)",
    hypotheses=("stated for n = 4",),
    formula="y*(eta + lam)/2 + g*eta + k*G + K*H",
    symbols={
        "y": "y_1",
        "g": "first slope g_1",
        "k": "kink κ_2",
        "K": "kink κ_3",
        "eta": "η, price of the right ramp at -1",
        "lam": "λ, price of the left ramp at 1",
        "G": "price of the right ramp at x_2",
        "H": "price of the right ramp at x_3",
    },
    controls={
        "y*(eta + lam)/2 + k*G + K*H": "the first slope forgotten",
        "y*eta + g*eta + k*G + K*H": "the constant as one right ramp",
        "y*(eta + lam)/2 + g*(eta - lam)/2 + k*G + K*H": "the line through the middle of the first label",
    },
    checks=(summation_by_parts, random_multipliers),
    part_of="stewart2022.equation_9",
    own=True,
)


CLOSED_FORM = claim(
    "stewart2022.equation_9",
    "next to problem (9)",
    "The value of problem (9) in closed form",
    """With P the linear interpolant, κ_i its kinks inside, K^± = Σ κ_i^±, S^±(c) = Σ κ_i^±|x_i - c| and g_1 its first
    slope, problem (9) has the value TV + max{0, g_1 - K⁻, -g_1 - K⁺, (P(c) - S⁺(c))/(1+|c|), (-P(c) - S⁻(c))/(1+|c|)},
    TV = K⁺ + K⁻, c over the data and 0. Proof: put g(c) = Σ α_i (x_i - c)_+, η = g(-1), λ = Σ α_i (1 - x_i), D(c) =
    (η(1-c) - λ(1+c))/2; the left prices are g - D. Then Σ α_i y_i = y_1(η+λ)/2 + g_1 η + Σ κ_i g(x_i), and g(x_i) is
    free in [-1, 1] ∩ [-1+D(x_i), 1+D(x_i)], which is not empty as |D| ≤ 1. So the value is TV + max over |η|, |λ| ≤ 1
    of ψ = y_1(η+λ)/2 + g_1 η - Σ κ_i⁺(-D(x_i))_+ - Σ κ_i⁻(D(x_i))_+, concave, homogeneous, and linear between the rays
    D(x_i) = 0: its maximum is at 0, at a corner, or where such a ray leaves the square, (λ, η) = ±(1-c, 1+c)/(1+|c|).
    The corners ±(-1, 1) give g_1 - K⁻ and -g_1 - K⁺, the corners ±(1, 1) are c = 0, and the rays give the rest, since
    (1+x)(1-c) - (1-x)(1+c) = 2(x-c).""",
    latex=r"V=TV+\max\Big\{0,\;g_1-K^-,\;-g_1-K^+,\;\max_c\frac{P(c)-S^+(c)}{1+|c|},\;\max_c\frac{-P(c)-S^-(c)}{1+|c|}\Big\}",
    hypotheses=("-1 = x_1 < … < x_n = 1, n ≥ 2", "c ranges over the data and 0"),
    formula="P + M + Max(0, g - M, -g - P, A, B, A_0, B_0)",
    symbols=SYMBOLS,
    controls={
        "P + M": "the variation of the interpolant alone",
        "P + M + Max(0, g - M, -g - P)": "kinks anywhere on the line",
        "P + M + Max(0, A, B, A_0, B_0)": "the steep lines forgotten",
        "P + M + Max(0, g - M, -g - P, A, B)": "c over the data only",
        "P + M + Max(0, g - P, -g - M, A, B, A_0, B_0)": "convex and concave kinks exchanged",
        "P + M + Max(0, Abs(g) - P - M, A, B, A_0, B_0)": "all kinks against the slope",
    },
    checks=(programme, closed_pair),
    see_also=("savarese2019.theorem_3_3", "savarese2019.theorem_3_1"),
    rests_on=("stewart2022.equation_9_dual_split", "stewart2022.lemma_2"),
    own=True,
)
