"""Section 6 and Appendices G, H: what can be evaluated without training."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.extremum import Minimum

NEURONS = ((-100, 2), (-70, -3), (-60, 6), (-50, -7), (0, 4), (50, -4), (55, -4), (65, 8), (75, -4))
"""Kink (in hundredths) and weight of nine right ramps."""


def teacher(x: Fraction) -> Fraction:
    """Σ w (x - c)_+ over the nine neurons."""
    return sum((w * max(Fraction(0), x - Fraction(c, 100)) for c, w in NEURONS), Fraction(0))


@certificate("nine ramps evaluated")
def nine_ramps_evaluated(context: Context) -> Observation:
    """The sum of nine ramps at rational places, corners and tips among them."""
    values = [(Fraction(j, 200), teacher(Fraction(j, 200))) for j in range(-200, 201)]
    low, high = min(v for _, v in values), max(v for _, v in values)
    for x, v in values[::4]:
        yield seen(v, x=x)
    for x, v in values:
        if x.denominator in (40, 50):
            yield seen(v, x=x)
    yield Premise("values from 0 to 1, both attained", low == 0 and high == 1, f"{low} to {high}")
    yield Step("corners at -0.7, -0.6, -0.5, 0, 0.5, 0.55, 0.65, 0.75, and the first neuron at -1")


TEACHER = claim(
    "stewart2022.figure_4_teacher",
    "next to Section 6 and Figure 4",
    "Two large and two small triangles by nine neurons",
    """The sum of nine right ramps with kinks at -1, -0.7, -0.6, -0.5, 0, 0.5, 0.55, 0.65, 0.75 and weights 2, -3, 6,
    -7, 4, -4, -4, 8, -4 is two triangles of height 1 on [-1, 0] and [0, 1] less one of height 0.3 on [-0.7, -0.5] and
    one of height 0.4 on [0.55, 0.75]: a function [-1, 1] → [0, 1] as Section 6 describes it. (The paper prints no
    numbers; these fit its description, and its |R_reg| = 18.)""",
    latex=r"f(x)=\Lambda(2x+1)+\Lambda(2x-1)-\tfrac3{10}\Lambda(10x+6)-\tfrac25\Lambda(10x-6.5),\ \Lambda(t)=(1-|t|)_+",
    formula="Max(0, 1 - Abs(2*x + 1)) + Max(0, 1 - Abs(2*x - 1)) - 3*Max(0, 1 - Abs(10*x + 6))/10 "
    "- 2*Max(0, 1 - Abs(10*x - 13/2))/5",
    symbols={"x": "a place in [-1, 1]"},
    controls={
        "Max(0, 1 - Abs(2*x + 1)) + Max(0, 1 - Abs(2*x - 1))": "the large triangles alone",
        "Max(0, 1 - Abs(2*x + 1)) + Max(0, 1 - Abs(2*x - 1)) + 3*Max(0, 1 - Abs(10*x + 6))/10 "
        "+ 2*Max(0, 1 - Abs(10*x - 13/2))/5": "small triangles on top",
        "Max(0, 1 - Abs(2*x + 1)) + Max(0, 1 - Abs(2*x - 1)) - 2*Max(0, 1 - Abs(10*x + 6))/5 "
        "- 3*Max(0, 1 - Abs(10*x - 13/2))/10": "the small heights exchanged",
    },
    checks=(nine_ramps_evaluated,),
    part_of="stewart2022.figure_4",
    own=True,
)


@certificate("grid of 625 points")
def grid_of_625_points(context: Context) -> Observation:
    """The least a_1 x_1 + a_2 x_2 + a_3 over the grid of Appendix H: 25 by 25 points that span [-1, 1]²."""
    draw = context.random()
    grid = [Fraction(j, 12) for j in range(-12, 13)]
    units = [(1, 1, 3), (1, -1, 0), (0, 0, 2), (-3, 2, 1)] + [
        tuple(Fraction(draw.randint(-9, 9), 4) for _ in range(3)) for _ in range(8)
    ]
    for a, b, c in units:
        least = min(a * x + b * y + c for x in grid for y in grid)
        yield seen(least, f"a = ({a}, {b}, {c})", a=a, b=b, c=c)
    yield Step("25 by 25 points with x_i in [-1, 1], corners included")


@theorem("least value on the square")
def least_on_the_square() -> Observation:
    """The least value over |x_1| ≤ 1, |x_2| ≤ 1."""
    over: dict[str, Assumption] = {**dict.fromkeys("xz", "real"), **dict.fromkeys("pqrs", "nonnegative")}
    least = Minimum(
        "plane_dot(a, b, x, z) + c",
        over=over,
        subject_to={"p": "p - (1 - x)", "q": "q - (1 + x)", "r": "r - (1 - z)", "s": "s - (1 + z)"},
        at={"x": "-sign(a)", "z": "-sign(b)"},
        gap=("a*x + Abs(a)", "b*z + Abs(b)"),
    )
    yield shows(least, for_all=dict.fromkeys("abc", "real"), split=("a", "b"), a="a", b="b", c="c")


DOMAIN = claim(
    "stewart2022.appendix_h_domain",
    "Section 7 and Appendix H, `unit square`",
    "The square of the two-dimensional data",
    """The data of Section 7 span [-1, 1]² (x_3 = 1), where the least value of a_1x_1 + a_2x_2 + a_3 is a_3 - |a_1| -
    |a_2|: this decides which critical lines cross the domain. If |a_3| > |a_1| + |a_2| none does, and the feature is
    affine on the square: aᵀx if a_3 > 0, else 0.""",
    latex=r"\min_{x\in[-1,1]^2}a^\top x=a_3-|a_1|-|a_2|",
    formula="c - Abs(a) - Abs(b)",
    symbols={"a": "a_1", "b": "a_2", "c": "a_3"},
    controls={
        "c + Min(0, a) + Min(0, b)": "the unit square [0, 1]²",
        "c - Max(Abs(a), Abs(b))": "an edge for a corner",
        "c - sqrt(a**2 + b**2)": "the unit disc",
        "c - (Abs(a) + Abs(b))/2": "a square of side 1 around 0",
    },
    checks=(least_on_the_square, grid_of_625_points),
    part_of="stewart2022.section_7",
    formerly=("stewart2022.appendix_h_affine",),
)
