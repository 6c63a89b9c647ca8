"""Lemma 2 and Appendix C: prices at the data kinks bound all prices.

Coq: DataKinks.v, feasible_at_data, largest_price_at_data (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import (
    Context,
    Flaw,
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
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.extrema.units_at_data import LargestNorm
from implicitbias.theorems.rules.sequences.lists import ListSum
from implicitbias.theorems.rules.values.value import Value as OutrightValue

from ..observed.cheapest.ramp_programme import feature, price
from ..observed.data.draws import evenly
from . import errata


@theorem("sums over any number of data")
def prices_between_two_data() -> Observation:
    """The price of a ramp with its kink between u and u + w, where no datum lies: z is x_i - u, a is α_i."""
    for side, label in (("1", "right ramps"), ("-1", "left ramps")):
        yield shows(
            ListSum(
                term=f"a*ramp({side}, t*w, z)",
                entries={"a": "real", "z": "real"},
                where=("z*(z - w) >= 0",),
                length="n",
                totals={"p": f"a*ramp({side}, 0, z)", "q": f"a*ramp({side}, w, z)"},
                by={"p": "1 - t", "q": "t"},
                split=("z", "z - w"),
            ),
            label,
            for_all={"n": "positive integer", "p": "real", "q": "real", "t": "nonnegative", "w": "positive"},
            assuming=("t <= 1",),
            p="p",
            q="q",
            t="t",
        )


@certificate("sums of ReLUs between the data")
def sums_of_relus_between_the_data(context: Context) -> Observation:
    """Prices summed from the ReLUs at random places strictly between two data."""
    draw = context.random()
    for i in range(context.choose(30, 200)):
        inner = sorted(draw.sample(range(-9, 10), 3))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        alpha = [Fraction(draw.randint(-6, 6)) for _ in x]
        cell, side = draw.randrange(4), draw.choice([1, -1])
        t = Fraction(draw.randint(1, 19), 20)
        c = (1 - t) * x[cell] + t * x[cell + 1]
        yield seen(
            price(x, alpha, (side, c)),
            f"gap {cell + 1}, side {side}, data {i}",
            p=price(x, alpha, (side, x[cell])),
            q=price(x, alpha, (side, x[cell + 1])),
            t=t,
        )


@certificate("fine grid in three norms")
def bound(context: Context) -> Observation:
    """Exact prices in R³ at the data and on a fine grid between them, in the l1, the l∞ and a weighted norm."""
    draw = context.random()
    above_outside = 0
    sizes = [*evenly(-13, 7, context.choose(40, 100)), *evenly(-7, 0, 60)]
    draw.shuffle(sizes)
    for i, size in enumerate(sizes):
        inner = sorted(draw.sample(range(-9, 10), 3))
        x = [Fraction(-1), *(Fraction(c, 10) for c in inner), Fraction(1)]
        prices = [[Fraction(draw.randint(-6, 6)) for _ in range(3)] for _ in x[:-1]] + [[Fraction(0)] * 3]
        if i % 2:  # the largest is at x_2 or x_4
            prices[draw.choice([1, 3])] = [Fraction(draw.choice([-9, 9])) for _ in range(3)]
        alpha = _with_prices(x, [[size * p for p in row] for row in prices])
        for kind in ("l1", "l∞", "|v_1| + 2 max(|v_2|, |v_3|)"):
            at = {c: _largest(x, alpha, c, kind) for c in x}
            fine = [s + Fraction(j, 7) * (t - s) for s, t in pairwise(x) for j in range(8)]
            largest = max(_largest(x, alpha, c, kind) for c in fine)
            middles = max(_largest(x, alpha, (s + t) / 2, kind) for s, t in pairwise(x))
            given: dict[str, Value] = {
                "G": max(at.values()),
                "H": max(at[c] for c in x[::2]),
                "K": middles,
                "F": at[x[0]],
            }
            above_outside += given["H"] != given["G"]
            yield seen(largest, f"{kind}, data {i}", **given)
    yield Premise("data at which every second kink is not enough", above_outside > 5, f"{above_outside}")
    yield Step("eight places in every gap, its ends included, and ramps to both sides")


def _with_prices(x: list[Fraction], prices: list[list[Fraction]]) -> list[list[Fraction]]:
    """Multipliers whose right ramps have these prices at the data (0 at the last): the bends of the prices."""
    alpha = []
    for j in range(3):
        slopes = [(q[j] - p[j]) / (t - s) for (s, p), (t, q) in pairwise(zip(x, prices, strict=True))]
        alpha.append([after - before for before, after in pairwise([Fraction(0), *slopes, Fraction(0)])])
    return [list(row) for row in zip(*alpha, strict=True)]


def _largest(x: list[Fraction], alpha: list[list[Fraction]], c: Fraction, kind: str) -> Fraction:
    """The larger norm of the prices of the two ramps with their kink at c."""
    ramps = ([feature((side, c), at) for at in x] for side in (1, -1))
    return max(_norm([dot([a[j] for a in alpha], ramp) for j in range(3)], kind) for ramp in ramps)


def _norm(v: list[Fraction], kind: str) -> Fraction:
    if kind == "l1":
        return sum(map(abs, v), Fraction(0))
    if kind == "l∞":
        return max(map(abs, v))
    return abs(v[0]) + 2 * max(abs(v[1]), abs(v[2]))


@theorem("any norm and multipliers")
def any_norm_and_multipliers() -> Observation:
    """Any norm on R^k, any multipliers in R^k of any number of data, and both sides: G is the largest at the data."""
    yield shows(LargestNorm(unit="ramp(s, c, x)", known="G"), for_all={"G": "nonnegative"}, G="G")


OTHER_PLACES: dict[str | Rule, str] = {
    "2*G": "the prices at the two neighbouring data added up",
    Rule("every second datum", "the largest norm at x_1, x_3, …", lambda given: given["H"]): "some data decide",
    Rule("middles", "the largest norm midway between the data", lambda given: given["K"]): "the gaps decide",
    Rule("at -1", "the norm at -1", lambda given: given["F"]): "the longest ramp decides",
}


LEMMA_2 = claim(
    "stewart2022.lemma_2",
    "Lemma 2",
    "Dual feasibility from the data kinks",
    """For any norm Ω the largest Ω_*(Σ α_i φ_u(x_i)) over all kinks in [-1, 1] is the largest over the kinks at the
    data: multipliers that are feasible on U_X are feasible for (12).""",
    latex=r"""\max_{u\in\mathbb U}\Omega_*\Big(\sum_i\alpha_i\phi_u(x_i)\Big)=\max_{u\in
    U_X}\Omega_*\Big(\sum_i\alpha_i\phi_u(x_i)\Big)""",
    hypotheses=("-1 = x_1 < … < x_n = 1",),
    formula="G",
    symbols={"G": "largest norm of a price at the data, ramps to both sides"},
    domain=("G >= 0",),
    controls=OTHER_PLACES,
    checks=(any_norm_and_multipliers, bound),
    rests_on=("stewart2022.lemma_2_affine",),
)


AFFINE = claim(
    "stewart2022.lemma_2_affine",
    "Lemma 2, proof in Appendix C",
    "Prices are affine between the data",
    """Between neighbouring data x_i and x_{i+1} the price g(c) = Σ α_j φ_{(s,c)}(x_j) is affine in the kink c, for
    ramps to either side: at (1-t)x_i + t x_{i+1} it is (1-t)g(x_i) + t g(x_{i+1}).""",
    latex="g((1-t)x_i+tx_{i+1})=(1-t)g(x_i)+tg(x_{i+1})",
    formula="(1 - t)*p + t*q",
    symbols={"p": "price at x_i", "q": "price at x_{i+1}", "t": "place between them, from 0 to 1"},
    controls={
        "Max(p, q)": "the larger price all along the gap",
        "t*p + (1 - t)*q": "the ends exchanged",
        "Max(0, (1 - t)*p + t*q)": "prices cut off at 0",
        "p": "constant between the data",
    },
    checks=(prices_between_two_data, sums_of_relus_between_the_data),
    part_of="stewart2022.lemma_2",
)


@certificate("a unit added to a network")
def unit_added_to_a_network(context: Context) -> Observation:
    """By how much Σ α_i f(x_i) changes when a unit of weight one with its kink at c is added to a random network f."""
    from implicitbias.functions.network import Network

    draw = context.random()
    cases = [
        ((2, -4, 2), Fraction(0)),
        ((1, 0, 0), Fraction(1, 2)),
        ((0, 1, 0), Fraction(1, 2)),
        ((1, 1, 1), Fraction(-1)),
    ]
    cases += [
        ((draw.randint(-5, 5), draw.randint(-5, 5), draw.randint(-5, 5)), Fraction(draw.randint(-10, 10), 10))
        for _ in range(20)
    ]
    for alpha, c in cases:
        w, b, v = ([Fraction(draw.randint(-6, 6), 3) for _ in range(4)] for _ in range(3))
        without, added = Network(w, b, v), Network([*w, 1], [*b, -c], [*v, 1])
        change = sum((a * (added(x) - without(x)) for a, x in zip(alpha, (-1, 0, 1), strict=True)), Fraction(0))
        yield seen(change, f"α = {alpha}, c = {c}", a=alpha[0], b=alpha[1], d=alpha[2], c=c)


@theorem("three ramps")
def three_ramps() -> Observation:
    """The multipliers at the data -1, 0 and 1 with the right ramp of any kink."""
    price_of_three = OutrightValue("a*ramp(1, c, -1) + b*ramp(1, c, 0) + d*ramp(1, c, 1)")
    yield shows(price_of_three, for_all=dict.fromkeys("abcd", "real"), a="a", b="b", c="c", d="d")


EQUATION_16 = claim(
    "stewart2022.equation_16",
    "equation (16), Appendix C",
    "The price of a right ramp",
    """The price in condition (15) of the right ramp with kink c is Σ α_i (x_i - c)_+, with the positive part at each
    datum; without it the sum is affine in c, and its bound does not imply (15): α = (2, -4, 2) at (-1, 0, 1) gives 0
    for every c instead of 2 at c = 0.""",
    latex=r"\Omega_*\Big(\sum_i\alpha_i(x_i-c)_+\Big)\le1\quad\forall c\in[-1,1]",
    hypotheses=("stated for x = (-1, 0, 1), k = 1",),
    formula="a*Max(0, -1 - c) + b*Max(0, -c) + d*Max(0, 1 - c)",
    symbols={"a": "α_1", "b": "α_2", "d": "α_3", "c": "the kink, in [-1, 1]"},
    flaw=Flaw(errata.EQUATION_16, "a*(-1 - c) + b*(-c) + d*(1 - c)"),
    controls={
        "a*Max(0, c + 1) + b*Max(0, c) + d*Max(0, c - 1)": "left ramps",
        "Max(0, a*(-1 - c) + b*(-c) + d*(1 - c))": "the positive part of the sum",
        "a*Abs(1 + c) + b*Abs(c) + d*Abs(1 - c)": "distances for ramps",
    },
    checks=(three_ramps, unit_added_to_a_network),
    part_of="stewart2022.lemma_2",
)
