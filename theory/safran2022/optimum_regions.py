"""Next to Theorem 4.2: for three or more label switches the global optimum has the fewest linear regions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Derivation,
    Measured,
    Observation,
    Premise,
    Rule,
    Step,
    certificate,
    claim,
    proof,
    seen,
)
from implicitbias.exact.rational import Interval

from ..observed.data.draws import evenly, of_any_size
from ..observed.margin.kkt_points import Found, limit, search

ROUNDED = Fraction(1, 10**15)
"""Points are known within 2^-90, so sums over their units far within this."""

PROOF = (
    Step(
        "Every network costs ½‖θ‖² >= Σ|v||(w, b)| >= Σ|v w|√(1+b²) over its units with a kink, at b, so at least "
        "W(f) = Σ |j_b (1, b)| over the kinks of f, j_b the jump of f' there: a sum of lengths of vectors."
    ),
    Step(
        "Let f classify the data with margins 1. Between the two points of each label switch take the line ℓ of the "
        "steepest piece of f, in the direction of the switch: it lies beyond f at both points, so it has margin 1 at "
        "all points of the two runs next to it."
    ),
    Step(
        "Put one kink where the lines of two neighbouring switches meet, for all kinks of f between the two pieces, "
        "and none before the first and after the last. This zigzag g has margins 1 and s - 1 kinks. Its vector at a "
        "kink is the sum of the vectors of the kinks replaced, so W(g) <= W(f), and W(g) < W(f) unless f = g."
    ),
    Step(
        "g costs no more than W(g) if s >= 3: its first two kinks b_1 < b_2 are split between a unit facing left and "
        "one facing right, of one sign each, so that the left ones make up the first piece; all others face right. "
        "With slopes m_0, m_1, m_2: q_2 = g(b_1)/(b_2-b_1), q_1 = -m_0 - q_2; |q_1| <= |m_0 - m_1| and |q_2| <= |m_2 - "
        "m_1|, since |m_1|(b_2-b_1) = |g(b_1)| + |g(b_2)|. This takes s + 1 units."
    ),
    Step("So every global optimum is its own zigzag: s - 1 kinks, s regions. Fewer do not classify the data."),
)


@proof("lines of steepest pieces")
def steepest_lines(d: Derivation) -> Observation:
    """The vectors of merged kinks, the split of the first two, and the count."""

    m, j, b, c, x, total, h, g, u, w, v = d.symbols(
        "m j b c x", total="positive", h="positive", g="positive", u="positive", w="positive", v="positive"
    )
    place = (j * b + (total - j) * c) / total
    d.identity(
        "two kinks j at b and k = J - j at c, after a line of slope m: beyond them f is the line with one kink J at "
        "their mean place",
        m * x + j * (x - b) + (total - j) * (x - c),
        m * x + total * (x - place),
    )
    d.identity("so j(1, b) + k(1, c) = J(1, mean place): the second entries", j * b + (total - j) * c, total * place)
    # g(b_1) = h, g(b_2) = -g, b_2 - b_1 = u, m_0 = w, m_2 = v
    q2, m1 = h / u, -(h + g) / u
    d.identity(
        "left of b_1 = 0: q_1(b_1 - x) + q_2(b_2 - x) = m_0 x + g(b_1)", (-w - q2) * (0 - x) + q2 * (u - x), w * x + h
    )
    d.nonnegative("|q_1| <= |j_1|, that is w + h/u <= w + |m_1|", (w - m1) - (w + q2))
    d.nonnegative("|q_2| <= j_2 = m_2 - m_1", (v - m1) - q2)
    free: dict[str, Any] = {"p": "nonnegative integer"}
    d.concludes("1 + (2 + p)", "s = 3 + p: s lines, s - 1 places where neighbours meet", over=free, s="3 + p")
    yield from PROOF


def _optima(draw: Random, switches: int, scale: Fraction, wanted: int) -> Iterator[Found]:
    """Certified points of random data for which the kernel proves global optimality."""
    for _ in range(4 * wanted):
        one = search(draw, switches, 1.0, scale)
        if one is not None and one.document["claim"].get("global_optimum"):
            yield one
            wanted -= 1
        if not wanted:
            return


def _cheap_optima(count: int) -> Iterator[Found]:
    """Global optima of four points, two of them beside the origin and two farther out: W from 2 on in fine steps."""
    for gap in evenly(-1, 8, count):
        one = limit("four points", (-8 - 8 * gap, Fraction(-8), Fraction(8), 8 + 8 * gap), (1, -1, 1, -1))
        if one is not None and one.document["claim"].get("global_optimum"):
            yield one


@certificate("certified optima", time_limit=900)
def certified_optima(context: Context) -> Observation:
    """Kinks of points that the kernel proves to be global optima, random data."""
    draw, counts = context.random(), range(3, context.choose(7, 8))
    scales = (Fraction(1), Fraction(1, 30), Fraction(30))
    points = [p for s in counts for scale in scales for p in _optima(draw, s, scale, context.choose(1, 5))]
    for found in points:
        yield seen(1 + found.kinks[0], f"{found.name}, s = {found.switches}", s=found.switches)
    exact = all(found.kinks[0] == found.kinks[1] for found in points)
    yield Premise("all kinks are counted exactly", exact)
    yield Premise("every number of switches occurs", {found.switches for found in points} == set(counts))
    yield from PROOF
    yield Measured("global optima", len(points))
    for found in points:
        yield Attached(found.document)


REGIONS = claim(
    "safran2022.optimum_regions",
    "next to Theorem 4.2",
    "Linear regions of the global optimum",
    """For data with s ≥ 3 label switches every global optimum of problem (4) has exactly s linear regions, s - 1 kinks:
    as few as any continuous function that classifies the data. The cost is at least Σ |j(1, b)| over kinks at b with
    jump j, kinks between two steepest pieces can be merged into one at a lower cost, and from three switches on a
    zigzag costs no more than its kinks. (KKT points that are not optimal can have more; for s = 1 the optimum has 3
    regions.)""",
    latex=r"\theta\in\arg\min_{(4)},\ s\ge3\ \Longrightarrow\ \#\{\text{linear regions of }N_\theta\}=s",
    hypotheses=("s ≥ 3 label switches; networks of all widths (s + 1 units are enough)",),
    formula="s",
    symbols={"s": "label switches of the data"},
    controls={
        "s + 1": "one kink per switch",
        "s + 2": "as for one switch",
        "2*s - 1": "a flat top in every run: two kinks each",
        "6*s + 5": "as if the bound for all KKT points were attained",
    },
    checks=(steepest_lines, certified_optima),
    rests_on=("safran2022.theorem_4_2_lower", "safran2022.section_4_1_optimality"),
    own=True,
    part_of="safran2022.theorem_4_2",
)


def bends(found: Found) -> dict[Fraction, Fraction]:
    """Jumps of f' by place; places within 10^-20 are taken as one."""
    jumps: dict[Fraction, Fraction] = {}
    for unit in found.point.units:
        w, b = found.point.direction(unit)
        if abs(w) > Fraction(1, 10**20):
            place = -b / w
            near = next((at for at in jumps if abs(at - place) < Fraction(1, 10**20)), place)
            jumps[near] = jumps.get(near, Fraction(0)) + unit.sign * unit.square * abs(w)
    return jumps


@certificate("certified optima", time_limit=900)
def norms_of_optima(context: Context) -> Observation:
    """½‖θ‖² of certified optima and Σ √(1+b²)|j| over the kinks of their functions, to fifteen digits; data of any
    size."""
    draw = context.random()
    optima = [
        found
        for s in range(3, context.choose(6, 8))
        for _ in range(context.choose(50, 120) if s == 3 else 8)
        for found in _optima(draw, s, of_any_size(draw, -6, 8), 1)
    ]
    optima += _cheap_optima(context.choose(130, 240))
    for found in optima:
        weighted = plain = Fraction(0)
        for place, jump in bends(found).items():
            weighted += abs(jump) * Fraction(isqrt(int((1 + place * place) * 10**60)), 10**30)
            plain += abs(jump)
        cost = found.cost
        yield seen(
            Interval(cost * (1 - ROUNDED), cost * (1 + ROUNDED)),
            f"{found.name}, s = {found.switches}",
            W=_short(weighted),
            V=_short(plain),
            s=found.switches,
        )
    yield Premise("many optima were certified", len(optima) >= 60, f"{len(optima)}")


def _short(number: Fraction) -> Fraction:
    return Fraction(round(number * 10**24), 10**24)


UNWEIGHTED: dict[str | Rule, str] = {
    Rule("∫|f''|", "the total variation of f'", lambda given: given["V"]): "biases cost nothing",
    "2*W": "‖θ‖² instead of ½‖θ‖²",
    "W + 1": "an additional constant unit",
    "Min(W, floor(W + 2/3))": "rounded down by less than a third",
    "W*6/5": "as if the ends of the function cost as much as a kink",
}

NORM = claim(
    "safran2022.optimum_norm",
    "next to Theorem 4.2",
    "Weighted variation of the global optimum",
    """For s ≥ 3 label switches the least ½‖θ‖² is the least ∫√(1 + x²)|f″| among functions with margins 1: at the
    optimum ½‖θ‖² = Σ √(1 + b²)|j| over its kinks, slopes at the ends and constants cost nothing. (For s = 0, 1 they do:
    see the closed forms.)""",
    latex=r"\tfrac12\|\theta\|^2=\int\sqrt{1+x^2}\,|f''(x)|\,dx",
    hypotheses=("s ≥ 3 label switches; networks of all widths",),
    formula="W",
    symbols={"W": "Σ √(1 + b²)|j| over the kinks"},
    domain=("W >= 0",),
    controls=UNWEIGHTED,
    checks=(norms_of_optima,),
    rests_on=("safran2022.optimum_regions",),
    own=True,
    part_of="safran2022.theorem_4_2",
)
