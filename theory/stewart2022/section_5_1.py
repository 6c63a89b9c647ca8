"""Section 5.1: from directions on the circle to a side and a kink."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, Premise, Step, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity

from . import errata

UNITS: tuple[tuple[Fraction | int, Fraction | int], ...] = (
    (1, 0),
    (1, -2),
    (-1, 2),
    (-3, 2),
    (2, 3),
    (-1, -1),
    (5, 1),
    (-4, 3),
    (Fraction(1, 2), Fraction(-1, 3)),
)
"""(a_1, a_2), both signs of a_1."""

BEYOND: dict[Assumption, tuple[str, str]] = {
    "positive": ("Max(c, -b/a) + 1", "Max(c, -b/a) + 2"),
    "negative": ("Min(c, -b/a) - 1", "Min(c, -b/a) - 2"),
}
"""For both signs of a_1 two places where the unit (a_1 x + a_2)_+ and the ramp φ_(s,c) are on."""


def unit(a: Fraction | int, b: Fraction | int, x: Fraction) -> Fraction:
    """(a_1 x + a_2)_+."""
    return max(Fraction(0), a * x + b)


def bend(a: Fraction | int, b: Fraction | int) -> Fraction:
    """Where the unit bends: the end of the interval on which it is 0, from two of its values where it is on."""
    step = Fraction(1)
    start = Fraction(0)
    while unit(a, b, start) == 0:  # walk to where it is on
        start += step if unit(a, b, start + 10**6) > 0 else -step
        step *= 2
    beyond = start + (1 if unit(a, b, start + 1) > unit(a, b, start) else -1)
    slope = (unit(a, b, beyond) - unit(a, b, start)) / (beyond - start)
    return start - unit(a, b, start) / slope


@theorem("agreement beyond the kinks")
def agreement_beyond_the_kinks() -> Observation:
    """The only c, and the only W, with (a_1 x + a_2)_+ = W (s(x - c))_+ for all x, s the sign of a_1."""
    for sign, beyond in BEYOND.items():
        unit_as_ramp = FunctionIdentity(
            "relu(a*x + b)",
            "W*ramp(sign(a), c, x)",
            unknowns={"W": "real", "c": "real"},
            of="c",
            solution={"W": "Abs(a)", "c": "-b/a"},
            at={"W": beyond, "c": beyond[0]},
        )
        yield shows(unit_as_ramp, f"a_1 {sign}", for_all={"a": sign, "b": "real"}, a="a", b="b")


@certificate("bends of units")
def bends_of_units(context: Context) -> Observation:
    """Where units with both signs of a_1 bend, from their values."""
    draw = context.random()
    cases: list[tuple[Fraction | int, Fraction | int]] = list(UNITS)
    for _ in range(12):
        cases.append((draw.choice([-1, 1]) * Fraction(draw.randint(1, 20), 3), Fraction(draw.randint(-20, 20), 7)))
    flat = True
    for a, b in cases:
        c = bend(a, b)
        side = 1 if unit(a, b, c + 1) else -1
        flat = flat and all(unit(a, b, c - side * Fraction(j, 5)) == 0 for j in range(9))
        yield seen(c, f"a = ({a}, {b})", a=a, b=b)
    yield Premise("the unit is 0 on one side of the place found and not on the other", flat)
    yield Step("two values where the unit is on give its line, and that its zero")


KINK = claim(
    "stewart2022.section_5_1_kink",
    "Section 5.1, before equation (6)",
    "The kink of a unit",
    """The unit (a_1 x + a_2)_+ with a_1 ≠ 0 has its kink at c = -a_2/a_1, for both signs of a_1. (Directions with a_1 =
    0 have no kink; they are constants, on [-1, 1] the sum ((x+1)_+ + (1-x)_+)/2.)""",
    latex=r"c=-\frac{a_2}{a_1}",
    hypotheses=("a_1 ≠ 0",),
    formula="-b/a",
    symbols={"a": "a_1", "b": "a_2"},
    flaw=Flaw(errata.KINK, "-b/Abs(a)"),
    controls={"b/a": "the sign lost", "-b": "a_1 taken for 1", "-b/sqrt(a**2 + b**2)": "divided by the length of a"},
    checks=(agreement_beyond_the_kinks, bends_of_units),
    part_of="stewart2022.equation_9",
)


@theorem("slopes beyond the kinks")
def slopes_beyond_the_kinks() -> Observation:
    """The only W with v (a_1 x + a_2)_+ = W (s(x - c))_+ for all x, s the sign of a_1; v = 0 leaves c free."""
    for sign, beyond in BEYOND.items():
        unit_as_ramp = FunctionIdentity(
            "unit(v, a, b, x)",
            "W*ramp(sign(a), c, x)",
            unknowns={"W": "real", "c": "real"},
            of="W",
            solution={"W": "v*Abs(a)", "c": "-b/a"},
            at={"W": beyond},
        )
        yield shows(unit_as_ramp, f"a_1 {sign}", for_all={"v": "real", "a": sign, "b": "real"}, v="v", a="a", b="b")


@certificate("ramps of units")
def ramps_of_units(context: Context) -> Observation:
    """The weight read off at distance 1 from the kink, compared at 25 other points."""
    draw = context.random()
    same = True
    for a, b in UNITS:
        v = Fraction(draw.randint(-20, 20), 3)
        c, side = bend(a, b), 1 if unit(a, b, bend(a, b) + 1) else -1
        weight = v * unit(a, b, c + side)  # the ramp is 1 there
        for j in range(-12, 13):
            x = Fraction(j, 3)
            same = same and v * unit(a, b, x) == weight * max(Fraction(0), side * (x - c))
        yield seen(weight, f"a = ({a}, {b}), v = {v}", a=a, b=b, v=v)
    yield Premise("equal functions at 25 points", same)


WEIGHT = claim(
    "stewart2022.equation_6",
    "equations (6) to (8)",
    "The weight of a ramp",
    """A unit of weight v on the direction a is the ramp φ_(s,c)(x) = (s(x-c))_+ with s the sign of a_1 and weight
    v|a_1|: so F_ν = f_μ with dμ = |a_1| dν. (The text calls c a point of discontinuity and means the derivative.)""",
    latex=r"v(a_1x+a_2)_+=v|a_1|\,(s(x-c))_+",
    hypotheses=("a_1 ≠ 0",),
    formula="v*Abs(a)",
    symbols={"a": "a_1", "b": "a_2", "v": "weight of the unit"},
    controls={
        "v*a": "the sign of a_1 counted twice, in s and in the weight",
        "v": "the factor forgotten",
        "v*sqrt(a**2 + b**2)": "the length of a",
    },
    checks=(slopes_beyond_the_kinks, ramps_of_units),
    part_of="stewart2022.equation_9",
    formerly=("stewart2022.section_5_1_discontinuity",),
)


@theorem("unit on the circle")
def unit_on_the_circle() -> Observation:
    """The only v and p > 0 with which the unit of weight v on p(s, -s c), of length 1, is the ramp w φ_(s,c)."""
    for s in ("1", "-1"):
        ramp_as_unit = FunctionIdentity(
            f"unit(v, p*({s}), -p*({s})*c, x)",
            f"w*ramp({s}, c, x)",
            unknowns={"v": "real", "p": "positive"},
            of="Abs(v)",
            solution={"v": "w/p", "p": "1/sqrt(1 + c**2)"},
            at={"v": f"c + ({s})"},
            also={"p": f"plane_dot(p*({s}), -p*({s})*c, p*({s}), -p*({s})*c) - 1"},
        )
        yield shows(ramp_as_unit, f"s = {s}", for_all={"w": "real", "c": "real"}, w="w", c="c")


@certificate("rational points of the circle")
def rational_points_of_the_circle(context: Context) -> Observation:
    """Units on the circle with rational coordinates turned into ramps; the mass they had."""
    draw = context.random()
    for p, q, r in (
        (3, 4, 5),
        (-3, 4, 5),
        (5, -12, 13),
        (-8, -15, 17),
        (1, 0, 1),
        (-1, 0, 1),
        (24, 7, 25),
        (7, 24, 25),
    ):
        a, b = Fraction(p, r), Fraction(q, r)
        v = Fraction(draw.choice([-1, 1]) * draw.randint(1, 20), 3)
        c, side = bend(a, b), 1 if unit(a, b, bend(a, b) + 1) else -1
        weight = v * unit(a, b, c + side)
        yield seen(abs(v), f"a = ({a}, {b}), v = {v}", w=weight, c=c)
    yield Step("weight and kink read off the unit's values")


MASS = claim(
    "stewart2022.section_5_2_mass",
    "Section 5.2, after problem (10)",
    "The factor between the total variations",
    """A ramp of weight w with kink c is a unit of weight |w|√(1+c²) on the circle: ∫|dν| = ∫√(1+c²) |dμ|. This is the
    factor by which problem (4) differs from (9), and (5) from (10).""",
    latex=r"\int|d\nu|=\int\sqrt{1+c^2}\,|d\mu|",
    formula="Abs(w)*sqrt(1 + c**2)",
    symbols={"w": "weight of the ramp", "c": "its kink"},
    controls={
        "Abs(w)": "the total variations taken for equal",
        "Abs(w)/sqrt(1 + c**2)": "the factor on the other side",
        "Abs(w)*(1 + Abs(c))": "the l1 length of (1, -c)",
    },
    checks=(unit_on_the_circle, rational_points_of_the_circle),
    part_of="stewart2022.equation_9",
)
