"""Problem (9) for lines, tents, and data that bend one way: short formulas to be checked by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from implicitbias.claims import Context, Observation, Step, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps

from ..observed.cheapest.ramp_programme import certified_value, feature


@certificate("exact linear programme")
def exact_linear_programme_of_line(context: Context) -> Observation:
    """Lines sampled at two to four points, certified for all of U."""
    draw = context.random()
    lines: list[tuple[Fraction | int, Fraction | int]] = [
        (1, 0),
        (0, 1),
        (1, 1),
        (-1, 1),
        (2, -1),
        (0, 0),
        (-3, 0),
        (1, 3),
        (-1, -3),
    ]
    lines += [(Fraction(draw.randint(-30, 30), 7), Fraction(draw.randint(-30, 30), 5)) for _ in range(12)]
    for i, (b, g) in enumerate(lines):
        x = [Fraction(c) for c in (("-1", "1") if i % 3 == 0 else ("-1", "-1/3", "1/2", "1"))]
        value = certified_value(x, [b + g * c for c in x]).value
        yield seen(value, f"y = {b} + {g}x, n = {len(x)}", b=b, g=g)


@theorem("two ramps and two multipliers")
def two_ramps_and_two_multipliers() -> Observation:
    """A ramp from each end, labels 2q at -1 and 2p at 1, for every pair of signs and any further data between."""
    yield shows(
        CheapestRamps(
            data=(("-1", "2*q"), ("1", "2*p")),
            further=((("x + 1", "1 - x"), "p + q + (p - q)*x"),),
            kinks=("-1", "1"),
            network=({"v": "p", "s": "1", "c": "-1"}, {"v": "q", "s": "-1", "c": "1"}),
            multipliers=("sign(q)/2", "sign(p)/2"),
        ),
        for_all={"p": "real", "q": "real"},
        split=("p", "q"),
        b="p + q",
        g="p - q",
    )


LINE = claim(
    "stewart2022.equation_9_line",
    "next to problem (9)",
    "Problem (9) for data on a line",
    """For labels y_i = b + g x_i, n ≥ 2 points, problem (9) has the value max(|b|, |g|): half the sum of the absolute
    labels at ±1. So constants are not free (as they are in Savarese et al.), and a line costs no more than its steeper
    or its higher part.""",
    latex=r"V(b+gx)=\max(|b|,|g|)=\tfrac12(|y_1|+|y_n|)",
    formula="Max(Abs(b), Abs(g))",
    symbols={"b": "value at 0", "g": "slope"},
    controls={
        "Abs(g)": "constants free",
        "Abs(b) + Abs(g)": "both paid for",
        "Max(Abs(b), 2*Abs(g))": "a line as the difference of two ramps",
        "sqrt(b**2 + g**2)": "the length of (b, g)",
    },
    checks=(two_ramps_and_two_multipliers, exact_linear_programme_of_line),
    part_of="stewart2022.equation_9",
    rests_on=("stewart2022.equation_9",),
    own=True,
)


@certificate("exact linear programme")
def exact_linear_programme_of_tent(context: Context) -> Observation:
    """Tents of all heights and places, certified for all of U."""
    draw = context.random()
    tents: list[tuple[Fraction | int, Fraction | int]] = [
        (1, 0),
        (-1, 0),
        (2, Fraction(1, 2)),
        (1, Fraction(-1, 2)),
        (0, Fraction(1, 3)),
        (-3, Fraction(3, 4)),
    ]
    tents += [(Fraction(draw.randint(-20, 20), 3), Fraction(draw.randint(-95, 95), 100)) for _ in range(14)]
    for h, c in tents:
        yield seen(certified_value([-1, c, 1], [0, h, 0]).value, f"height {h} at {c}", h=h, c=c)


FAR = "sign(2*sign(top) + 1)"
"""The side of the ramps: from the end that is farther from the top, from -1 if both are as far."""


@theorem("two ramps and their prices")
def two_ramps_and_their_prices() -> Observation:
    """The bend at the top and a ramp at the farther end; multipliers for tents and valleys on both sides."""
    yield shows(
        CheapestRamps(
            data=(("-1", "0"), ("top", "h"), ("1", "0")),
            kinks=("-1", "1"),
            network=(
                {"v": "h/(1 + Abs(top))", "s": FAR, "c": f"-{FAR}"},
                {"v": "-2*h/(1 - top**2)", "s": FAR, "c": "top"},
            ),
            multipliers=(
                "-sign(h)/(1 + top)",
                "sign(h)*(1 + 2/(1 - Abs(top)))/(1 + Abs(top))",
                "-sign(h)/(1 - top)",
            ),
        ),
        for_all={"h": "real", "top": "real"},
        assuming=("-1 < top", "top < 1"),
        split=("h", "top"),
        h="h",
        c="top",
    )


TENT = claim(
    "stewart2022.equation_9_tent",
    "next to problem (9)",
    "Problem (9) for a tent",
    """For three points (-1, 0), (c, h), (1, 0) problem (9) has the value 2|h|/(1-c²) + |h|/(1+|c|): the bend at the
    top, and one ramp at the end that is farther away. For c = 0, h = 1 it is 3, where the interpolant's variation is
    2.""",
    latex=r"V=\frac{2|h|}{1-c^2}+\frac{|h|}{1+|c|}",
    hypotheses=("-1 < c < 1",),
    formula="2*Abs(h)/(1 - c**2) + Abs(h)/(1 + Abs(c))",
    symbols={"h": "height of the tent", "c": "where its top is"},
    controls={
        "2*Abs(h)/(1 - c**2)": "the variation of the tent",
        "2*Abs(h)/(1 - c**2) + Abs(h)": "a constant of the tent's height as well",
        "2*Abs(h)/(1 - c**2) + Abs(h)/(1 - Abs(c))": "the ramp at the nearer end",
        "2*Abs(h)/(1 - c**2) + Abs(h)/(1 + c)": "the ramp always at -1",
    },
    checks=(two_ramps_and_their_prices, exact_linear_programme_of_tent),
    part_of="stewart2022.equation_9",
    rests_on=("stewart2022.equation_9",),
    own=True,
)


@certificate("best completion")
def extra_pair(context: Context) -> Observation:
    """Data on a line, +t on the right ramp at c and -t on the left one: the cheapest completion, exactly."""
    from implicitbias.convex.programmes.linear_programme import optimum

    draw = context.random()
    cases = [
        (Fraction(p), Fraction(q), Fraction(t), Fraction(c))
        for p, q in ((1, 1), (1, -1), (0, 0), (2, 0))
        for t in (1, -1)
        for c in (Fraction(0), Fraction(1, 2))
    ]
    cases += [
        (
            Fraction(draw.randint(-9, 9), draw.choice([1, 2, 20]))
            * draw.choice([Fraction(0), Fraction(1), Fraction(1)]),
            Fraction(draw.randint(-9, 9), draw.choice([1, 2, 20]))
            * draw.choice([Fraction(0), Fraction(1), Fraction(1)]),
            Fraction(draw.choice([-1, 1]) * draw.randint(1, 9), draw.choice([1, 4, 20])),
            Fraction(draw.randint(-9, 9), 10),
        )
        for _ in range(64)
    ]
    cases += [  # every choice of signs
        (
            p * draw.randint(1, 9),
            q * draw.randint(1, 9),
            Fraction(t * draw.randint(1, 9), 2),
            c * Fraction(draw.randint(1, 9), 10),
        )
        for p, q, t, c in product((Fraction(1), Fraction(-1)), repeat=4)
    ]
    for p, q, t, c in cases:
        x = sorted({Fraction(-1), c, Fraction(-19, 20), Fraction(19, 20), Fraction(1)})
        units = [(s, at) for at in x for s in (1, -1)]
        wanted = [p * (at + 1) + q * (1 - at) for at in x]
        forced = [t * feature((1, c), at) - t * feature((-1, c), at) for at in x]
        rows = [[feature(u, at) for u in units] for at in x]
        here = [[Fraction(u == (s, c)) for u in units] for s in (1, -1)]
        matrix = [row + [-v for v in row] for row in rows + here]
        rest = optimum([1] * (2 * len(units)), matrix, [*(w - f for w, f in zip(wanted, forced, strict=True)), 0, 0])
        excess = 2 * abs(t) + rest.value - abs(p) - abs(q)
        yield seen(excess, p=p, q=q, t=t, c=c)
    yield Step("f = p(x+1) + q(1-x); all other ramps at five data points free, cost minimised in rationals")


EXTRA_PAIR = claim(
    "stewart2022.equation_9_extra_pair",
    "next to Theorem 1.1",
    "Ramps at a point without a corner never pay",
    """At a datum c where the interpolant has no corner a measure on data kinks can hold only t on the right ramp and -t
    on the left one. This costs 2|t| and saves at most |t| at the ends: for labels p(x+1) + q(1-x) it costs 2|t| + |p -
    t(1-c)/2| - |p| + |q + t(1+c)/2| - |q| ≥ |t| more. So with kinks at the data not only some but every optimum of (9)
    lives on F_reg.""",
    latex=r"2|t|+\big|p-\tfrac{t(1-c)}2\big|-|p|+\big|q+\tfrac{t(1+c)}2\big|-|q|\ \ge\ |t|",
    hypotheses=("kinks at the data", "data on a line (elsewhere the same argument holds point by point)"),
    formula="2*Abs(t) + Abs(p - t*(1 - c)/2) - Abs(p) + Abs(q + t*(1 + c)/2) - Abs(q)",
    symbols={
        "p": "weight of the right ramp at -1",
        "q": "weight of the left ramp at 1",
        "t": "weight put on the right ramp at c, and taken from the left one",
        "c": "the datum without a corner",
    },
    controls={
        "0": "opposite ramps at a datum cost nothing: any kink is as good",
        "Abs(t)": "what the bound guarantees, always attained",
        "2*Abs(t)": "nothing to be saved at the ends",
        "2*Abs(t) + Abs(p - t*(1 + c)/2) - Abs(p) + Abs(q + t*(1 - c)/2) - Abs(q)": "the ends exchanged",
    },
    checks=(extra_pair,),
    part_of="stewart2022.theorem_1_regression",
    rests_on=("stewart2022.equation_9_line",),
    own=True,
)
