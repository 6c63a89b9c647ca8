"""Next to Theorem 4.2: the global optimum for one label switch in closed form."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from implicitbias.claims import (
    Attached,
    Context,
    Derivation,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits

from ..observed.margin.kkt_points import LEGS, accepted, one_switch, with_point

if TYPE_CHECKING:
    from implicitbias.convex.kkt.points import KKTPoint

REGIMES: tuple[tuple[str, dict[str, Any], dict[str, str]], ...] = (
    ("a = 0", {"p": "positive"}, {"a": "0", "c": "p"}),
    ("0 < a < c", {"p": "positive", "q": "positive"}, {"a": "p", "c": "p + q"}),
    ("a < c < 0", {"p": "positive", "q": "positive"}, {"a": "-p - q", "c": "-p"}),
    ("a < 0 < c, -1 < ac", {"p": "positive", "q": "positive"}, {"a": "-p", "c": "1/(p*(1 + q))"}),
    ("ac <= -1", {"p": "positive", "q": "nonnegative"}, {"a": "-p", "c": "(1 + q)/p"}),
)
"""Cases that determine the sign of 1 + ac: the first four have ac > -1."""


def _boundary(point: KKTPoint) -> Fraction:
    """The zero of f between the two points of the switch, from the units of the point."""
    last = next(i for i, (one, two) in enumerate(pairwise(point.labels)) if one != two)
    low, high = point.x[last], point.x[last + 1]
    slope = height = Fraction(0)
    pieces = sorted({low, high, *(-b / w for w, b in map(point.direction, point.units) if w and low < -b / w < high)})
    for left, right in pairwise(pieces):
        middle = (left + right) / 2
        slope = height = Fraction(0)
        for unit in point.units:
            w, b = point.direction(unit)
            if unit.sign * (w * middle + b) > 0:
                slope += unit.square * w
                height += unit.square * b
        if slope and left <= -height / slope <= right:
            return -height / slope
    raise ArithmeticError("f has no zero between the two points of the switch")


def _points(context: Context) -> list[KKTPoint]:
    """Points of both regimes, of ac = -1, and some with further data outside [a, c]."""
    draw = context.random()
    legs = sorted({*LEGS, *(-t for t in LEGS)})
    named = [("3/4", "4/3"), ("-4/3", "12/5"), ("-3/4", "4/3"), ("0", "3/4"), ("-4/3", "4/3"), ("-12/5", "-5/12")]
    pairs = [(Fraction(a), Fraction(c)) for a, c in named]
    pairs += [(a, c) for a, c in (sorted(draw.sample(legs, 2)) for _ in range(context.choose(14, 100)))]
    found = []
    for n, (a, c) in enumerate(pairs):
        point = one_switch(a, c, 1 if n % 3 else -1)
        if n % 2:
            point = with_point(point, c + draw.randint(1, 5), point.labels[-1])
            point = with_point(point, a - draw.randint(1, 5), point.labels[0])
        found.append(point)
    return found


def _ends(point: KKTPoint) -> dict[str, Fraction]:
    last = next(i for i, (one, two) in enumerate(pairwise(point.labels)) if one != two)
    return {"a": point.x[last], "c": point.x[last + 1]}


@certificate("certified points")
def zeros_of_points(context: Context) -> Observation:
    """Zeros of KKT points accepted by the kernel, sup |D| = 1 exactly."""
    from implicitbias.convex.kkt.dual import DualFunction

    optimal = True
    for point in _points(context):
        yield Attached(accepted("one switch", point).document)
        optimal = optimal and DualFunction(point.x, point.labels, point.multipliers).largest_square == 1
        given = _ends(point)
        yield seen(_boundary(point), "ac >= -1" if given["a"] * given["c"] >= -1 else "ac < -1", **given)
    yield Premise("sup |D| = 1 exactly: optimal among networks of all widths", optimal)


@proof("both regimes")
def zeros(d: Derivation) -> None:
    """The functions of both regimes and their zeros, for all a < c."""
    a, p, q = d.symbols("a", p="positive", q="nonnegative")
    c = a + p
    d.step("ac >= -1: λ_c = κ_R = √(1+a²)/(c-a), λ_a = κ_L = √(1+c²)/(c-a); R bends at a, L at c")
    x = (a + c) / 2
    right, left = (x - a) / p, -(c - x) / p
    d.identity(
        "f = [x-a]_+/(c-a) - [c-x]_+/(c-a): 1 at c, -1 at a; between them its zero is (a+c)/2", right + left, 0 * a
    )
    d.identity(
        "|x_a|²|x_c|² = (1+ac)² + (c-a)²: |s_R| = 1 with the Clarke coefficient (1+ac)/(|x_a||x_c|)",
        (1 + a**2) * (1 + c**2),
        (1 + a * c) ** 2 + p**2,
    )
    d.step(
        "|D| <= 1: D = λ_c(c-a)/√(1+a²) = 1 on the ray of a, -1 on that of c; with one point active D has no peak "
        "inside, as (c, 1)·(a, 1) = 1+ac >= 0; with both it falls from 1 to -1, Clarke's coefficients being in [0, 1]"
    )
    d.step("ac <= -1: |D| <= 1 with one point active by Cauchy, with both as a difference of two numbers of [0, 1]")
    d.step("ac <= -1: λ = κ = 1/√(1+x²) at each point, f = [cx+1]_+/(1+c²) - [ax+1]_+/(1+a²)")
    u, w = -p, (1 + q) / p
    zero = (u + w) / (1 - u * w)
    d.identity("its zero is (a+c)/(1-ac)", (w * zero + 1) / (1 + w**2) - (u * zero + 1) / (1 + u**2), 0 * p)
    for name, free, given in REGIMES:
        a_, c_ = given["a"], given["c"]
        mean = f"(({a_}) + ({c_}))/2"
        d.concludes(mean if "<=" not in name else f"(({a_}) + ({c_}))/(2 + q)", name, over=free, **given)


BOUNDARY = claim(
    "safran2022.theorem_4_2_boundary",
    "next to Theorem 4.2",
    "The boundary for one label switch",
    """For data whose labels switch once, between the neighbours a < c, the global optimum of problem (4) changes its
    sign at (a + c)/2 if ac ≥ -1, with kinks on both data points, and at (a + c)/(1 - ac) if ac ≤ -1, with kinks at -1/c
    and -1/a. Both are (a + c)/max(2, 1 - ac). In both regimes it is a KKT point with 2 kinks, 3 linear regions; the
    other data do not matter.""",
    latex=r"f(t)=0\iff t=\frac{a+c}{\max(2,\,1-ac)}",
    hypotheses=("all x ≤ a have one label and all x ≥ c the other",),
    formula="(a + c)/Max(2, 1 - a*c)",
    symbols={"a": "last point before the label switch", "c": "first point after it"},
    controls={
        "(a + c)/2": "half way, whatever the biases cost",
        "(a + c)/(1 - a*c)": "the regime of distant points everywhere",
        "(a + c)/Min(2, 1 - a*c)": "the regimes exchanged",
        "(c - a)/Max(2, 1 - a*c)": "half the gap",
    },
    checks=(zeros, zeros_of_points),
    rests_on=("safran2022.section_4_1_optimality",),
    own=True,
    part_of="safran2022.theorem_4_2",
)


@certificate("certified points")
def costs_of_points(context: Context) -> Observation:
    """Σ v² at KKT points accepted by the kernel, sup |D| = 1 exactly."""
    from implicitbias.convex.kkt.dual import DualFunction

    optimal = True
    for point in _points(context):
        found = accepted("one switch", point)
        optimal = optimal and DualFunction(point.x, point.labels, point.multipliers).largest_square == 1
        yield seen(found.cost, "one switch", **_ends(point))
    yield Premise("sup |D| = 1 exactly: optimal among networks of all widths", optimal)


@theorem("both regimes")
def costs() -> Observation:
    """Networks and multipliers with kinks on both data for ac >= -1, along both points for ac <= -1; further data of
    the same labels beyond them change nothing.
    """
    for low, high in (("-1", "1"), ("1", "-1")):
        yield shows(
            CheapestUnits(
                data=(("a", low), ("c", high)),
                further=((("a - x",), low), (("x - c",), high)),
                margins=True,
                cost="unit_cost_with_bias(v, w, b)",
                network=(
                    {
                        "v": f"{high}*sqrt(sqrt(1 + a**2)/(c - a))",
                        "w": "1/sqrt(sqrt(1 + a**2)*(c - a))",
                        "b": "-a/sqrt(sqrt(1 + a**2)*(c - a))",
                    },
                    {
                        "v": f"{low}*sqrt(sqrt(1 + c**2)/(c - a))",
                        "w": "-1/sqrt(sqrt(1 + c**2)*(c - a))",
                        "b": "c/sqrt(sqrt(1 + c**2)*(c - a))",
                    },
                ),
                multipliers=(f"{low}*sqrt(1 + c**2)/(c - a)", f"{high}*sqrt(1 + a**2)/(c - a)"),
            ),
            f"ac >= -1, labels {low}, {high}",
            for_all={"a": "real", "c": "real"},
            assuming=("a < c", "a*c >= -1"),
            a="a",
            c="c",
        )
        yield shows(
            CheapestUnits(
                data=(("-p", low), ("c", high)),
                further=((("-p - x",), low), (("x - c",), high)),
                margins=True,
                cost="unit_cost_with_bias(v, w, b)",
                network=(
                    {
                        "v": f"{low}/sqrt(sqrt(1 + p**2))",
                        "w": "-p/(sqrt(1 + p**2)*sqrt(sqrt(1 + p**2)))",
                        "b": "1/(sqrt(1 + p**2)*sqrt(sqrt(1 + p**2)))",
                    },
                    {
                        "v": f"{high}/sqrt(sqrt(1 + c**2))",
                        "w": "c/(sqrt(1 + c**2)*sqrt(sqrt(1 + c**2)))",
                        "b": "1/(sqrt(1 + c**2)*sqrt(sqrt(1 + c**2)))",
                    },
                ),
                multipliers=(f"{low}/sqrt(1 + p**2)", f"{high}/sqrt(1 + c**2)"),
            ),
            f"ac <= -1, so that a = -p < 0 < c, labels {low}, {high}",
            for_all={"p": "positive", "c": "positive"},
            assuming=("p*c >= 1",),
            a="-p",
            c="c",
        )


COST = claim(
    "safran2022.theorem_4_2_one_switch_norm",
    "next to Theorem 4.2",
    "The largest margin for one label switch",
    """For one label switch between a < c the least ½‖θ‖² among networks of all widths is (√(1 + a²) + √(1 + c²))/(c -
    a) if ac ≥ -1 and 1/√(1 + a²) + 1/√(1 + c²) if ac ≤ -1. The largest margin of a network with ‖θ‖ = 1 is half its
    inverse.""",
    latex=r"\tfrac12\|\theta\|^2=\frac{\sqrt{1+a^2}+\sqrt{1+c^2}}{\sqrt{(c-a)^2+\max(0,-1-ac)^2}}",
    hypotheses=("all x ≤ a have one label and all x ≥ c the other",),
    formula="(sqrt(1 + a**2) + sqrt(1 + c**2))/sqrt((c - a)**2 + Max(0, -1 - a*c)**2)",
    symbols={"a": "last point before the label switch", "c": "first point after it"},
    controls={
        "(sqrt(1 + a**2) + sqrt(1 + c**2))/(c - a)": "kinks on the data in both regimes",
        "1/sqrt(1 + a**2) + 1/sqrt(1 + c**2)": "units along the points in both regimes",
        "2/(c - a)": "biases cost nothing, as in the minimum of ∫|f''|",
    },
    checks=(costs, costs_of_points),
    rests_on=("safran2022.theorem_4_2_boundary", "safran2022.equation_4_multipliers"),
    own=True,
    part_of="safran2022.theorem_4_2",
)
