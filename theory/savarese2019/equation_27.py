"""Equation (27): the cost of the linear spline, and its minimum over the end slopes in closed form."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Step, Value, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.extrema.extremum import Minimum

from ..observed.cheapest.best_tails import best_tails, triples
from ..observed.data.datasets import SLOPES, TAILS, by_hand, random_batch
from ..observed.functions.second_derivative import cheapest_exact_network, spline_with_tails


@certificate("cheapest networks equal to the spline")
def spline_cost(context: Context) -> Observation:
    """The cheapest network equal to each of the splines, whose tails turn up or down, alike and against each other."""
    generator = context.random()
    for data in (*by_hand(), *random_batch(context.seed % 10**6, context.choose(20, 100))):
        far, near = Fraction(generator.randint(10, 40), 7), Fraction(generator.randint(1, 9))
        zero = Fraction(0)
        tails = [(zero, zero), (far, zero), (zero, -near), (far, near), (-near, -far), (far, -near), (-near, far)]
        # tails that undo each other, that reverse the slopes next to them, and that meet
        tails += [(near, -near), (-2 * data.a, -2 * data.b), (zero, data.a - data.b), (data.b - data.a, zero)]
        for left, right in tails:
            l_0, l_N = data.a + left, data.b + right
            spline = spline_with_tails(data, l_0, l_N)
            if data.size > 1 and not spline.interpolates(data):
                raise ArithmeticError(f"the spline misses {data.label}")
            cost = cheapest_exact_network(spline)
            given: dict[str, Value] = {**data.symbols, "l_0": l_0, "l_N": l_N, **data.given}
            if data.size > 1:
                yield seen(cost, data.label, **given)
    yield Step("the spline with arbitrary end slopes, evaluated: it passes through the data")
    yield Step("the cheapest network equal to it: both orientations at each knot, by linear programming in rationals")


EQUATION_27 = claim(
    "savarese2019.equation_27",
    "equation (27) and the first line of the proof of Theorem 3.3",
    "The cost of a linear spline",
    """The linear spline with end slopes l_0 and l_N has ∫|f̃''| = Σ_{n=0}^{N-1} |l_{n+1}-l_n|, a sum of N terms, one
    per data point, and costs max(Σ_{n=0}^{N-1} |l_{n+1}-l_n|, |l_0+l_N|).""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\bar R(\tilde f)=\max\Big(\sum_{n=0}^{N-1}|l_{n+1}-l_n|,\,|l_0+l_N|\Big)",
    hypotheses=("N ≥ 2",),
    formula="Max(T + Abs(l_0 - a) + Abs(l_N - b), Abs(l_0 + l_N))",
    symbols=TAILS,
    controls={
        "Max(T, Abs(l_0 + l_N))": "N - 2 terms: the kinks at the first and the last point left out",
        "Max(T + Abs(l_0 - a), Abs(l_0 + l_N))": "N - 1 terms: the kink at the last point left out",
        "Max(T + Abs(l_0 - a) + Abs(l_N - b) + Abs(l_0 - l_N), Abs(l_0 + l_N))": (
            "N + 1 terms: the tails joined as well"
        ),
        "T + Abs(l_0 - a) + Abs(l_N - b)": "the variation alone",
        "Max(T + Abs(l_0 - a + l_N - b), Abs(l_0 + l_N))": "the two outer kinks added before the bars",
        "Max(T + Abs(l_0 - a) + Abs(l_N - b), (T + Abs(l_0 + l_N))/2)": "the least cost's second term",
    },
    checks=(spline_cost,),
    rests_on=("savarese2019.theorem_3_1",),
)


@certificate("exact minimum over the end slopes")
def minimum(context: Context) -> Observation:
    """The minimum of (27) over the end slopes as an exact linear programme."""
    for label, T, a, b in triples(context, context.choose(60, 600)):
        yield seen(best_tails(T, a, b).value, label, T=T, a=a, b=b)
    yield Step("min z with z >= T + |l_0-a| + |l_N-b| and z >= |l_0+l_N|: exact primal and dual of equal value")


@theorem("both terms against the move of the tails")
def two_lines() -> Observation:
    """One end slope moved against the sign of a + b, until both terms agree; the slopes inside lead from a to b."""
    cost = "spline_cost(T + Abs(first - a) + Abs(last - b), first + last)"
    yield shows(
        Minimum(
            cost,
            over={"first": "real", "last": "real"},
            at={"first": "a - sign(a + b)*Max(0, (Abs(a + b) - T)/2)", "last": "b"},
            gap=(f"{cost} - Max(T, (T + Abs(a + b))/2)",),
        ),
        for_all={"T": "nonnegative", "a": "real", "b": "real"},
        assuming=("T >= a - b", "T >= b - a"),
        split=("a + b",),
        T="T",
        a="a",
        b="b",
    )


EQUATION_27_MINIMUM = claim(
    "savarese2019.equation_27_minimum",
    "beside equation (27)",
    "The least cost in closed form",
    """The minimum of (27) over the end slopes is max(T, (T + |a+b|)/2) with T = Σ|l_n - l_{n-1}| inside the data, a =
    l_1 and b = l_{N-1}. Proof: moving the end slopes by u in total raises the first term by u and lowers the second by
    at most u, so the value is at least T and at least the mean (T+|a+b|)/2; u = max(0, (|a+b|-T)/2) gives equality.
    (|a|+|b| may stand for |a+b|: where they differ T >= |a|+|b|.)""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\min_{l_0,l_N}\max\Big(\sum_{n=0}^{N-1}|l_{n+1}-l_n|,\,|l_0+l_N|\Big)=\max\Big(T,\frac{T+|a+b|}{2}\Big)",
    hypotheses=("N ≥ 1; for N = 1 put T = a = b = 0",),
    formula="Max(T, (T + Abs(a + b))/2)",
    symbols=SLOPES,
    controls={
        "Max(T, Abs(a + b))": "tails that continue straight on",
        "T + Abs(a + b)": "both terms added",
        "T": "the kinks inside the data alone",
        "(T + Abs(a + b))/2": "the value of one regime in both",
        "Max(T, Abs(a + b)/2)": "the tails free",
        "Max(T, (T + Abs(b - a))/2)": "the difference of the end slopes for their sum",
    },
    checks=(two_lines, minimum),
    own=True,
)
