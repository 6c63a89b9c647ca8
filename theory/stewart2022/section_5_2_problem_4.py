"""Section 5.2: in problem (4), whose weight is √(1 + c²), kinks between the data are cheaper."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits

from ..observed.cheapest.circle import Direction, bracket, length_above, unit_value

PLACES = (Fraction(-1), Fraction(-1, 2), Fraction(1, 2), Fraction(1))

INSIDE: dict[str, Assumption] = {"g": "positive", "p": "positive", "q": "nonnegative"}
PLACE = "(p - q)/(2*(p + q))"
"""Every c of (-1/2, 1/2], so that the hypotheses hold."""


def ramp_labels(g: Fraction, c: Fraction) -> list[Fraction]:
    return [g * max(Fraction(0), x - c) for x in PLACES]


CASES = ((4, Fraction(1, 4)), (1, Fraction(0)), (2, Fraction(-1, 4)), (1, Fraction(2, 5)), (3, Fraction(-2, 5)))


@certificate("bracketed optimum")
def bracketed_optimum(context: Context) -> Observation:
    """Two-sided bounds for (4), kinks anywhere: exact units through the data, multipliers priced on the circle."""
    widest = Fraction(0)
    for g, c in CASES:
        found = bracket(PLACES, ramp_labels(Fraction(g), c))
        widest = max(widest, (found.upper - found.lower) / found.upper)
        yield seen(found.interval, f"y = {g}(x - {c})_+", g=g, c=c)
    yield Premise("bounds closer than 1e-4", widest < Fraction(1, 10**4), f"widest {float(widest):.1e}")


@theorem("one unit and its multipliers")
def one_unit_and_its_multipliers() -> Observation:
    """The unit of the labels itself, and multipliers that price no unit of the circle above 1."""
    yield shows(
        CheapestUnits(
            data=tuple((x, "g*relu(x - c)") for x in ("-1", "-1/2", "1/2", "1")),
            cost="Abs(v)*sqrt(w**2 + b**2)",
            network=({"v": "g", "w": "1", "b": "-c"},),
            multipliers=("0", "0", "-2*(1 + c)/sqrt(1 + c**2)", "(2 + c)/sqrt(1 + c**2)"),
        ),
        for_all={"g": "positive", "c": "real"},
        assuming=("-1/2 <= c", "c <= 1/2"),
        g="g",
        c="c",
    )


PROBLEM_4 = claim(
    "stewart2022.section_5_2_problem_4",
    "next to problem (4) and Proposition 1",
    "Proposition 1 does not extend to problem (4)",
    """For y = g(x-c)_+ at x = -1, -1/2, 1/2, 1 with g > 0, |c| ≤ 1/2 the value of problem (4) is g√(1+c²), of one unit
    with its kink at c, between the data; kinks at the data cost g√5/2, which is more if |c| < 1/2: for g = 4, c = 1/4
    it is √17 against √20. (Problem (9) gives g for both. The paper proves Proposition 1 for (9) and (10) only, and
    calls problem (4) future work.)""",
    latex=r"V_{(4)}=g\sqrt{1+c^2}\le\tfrac{\sqrt5}{2}g",
    hypotheses=("x = (-1, -1/2, 1/2, 1), y_i = g(x_i - c)_+", "g > 0, |c| ≤ 1/2"),
    formula="g*sqrt(1 + c**2)",
    symbols={"g": "slope of the last piece", "c": "where the ramp of the labels begins"},
    controls={
        "g*sqrt(5)/2": "Proposition 1 for problem (4): kinks at the data",
        "g": "problem (9)",
        "g*(1 + Abs(c))": "the l1 length of (1, -c)",
    },
    checks=(one_unit_and_its_multipliers, bracketed_optimum),
    part_of="stewart2022.proposition_1_regression",
    see_also=("savarese2019.footnote_2_regularised_biases", "dedios2020.corollary_4_6"),
    rests_on=("stewart2022.section_5_2_mass",),
    own=True,
)


@certificate("exact programme on the data")
def exact_programme_on_the_data(context: Context) -> Observation:
    """Problem (4) with kinks at the data and the constant: an exact programme, costs enclosed to 100 bits."""
    from implicitbias.convex.programmes.linear_programme import optimum

    for g, c in (*CASES, (1, Fraction(1, 2)), (2, Fraction(-1, 2))):
        units: list[Direction] = [(Fraction(s), -s * x) for x in PLACES for s in (1, -1)]
        units += [(Fraction(0), Fraction(1))]
        costs = [length_above(d) for d in units]
        rows = [[unit_value(d, x) for d in units] for x in PLACES]
        value = optimum(costs * 2, [row + [-v for v in row] for row in rows], ramp_labels(Fraction(g), c)).value
        # every cost was rounded up by less than one part in 2^100
        yield seen(Interval(value * (1 - Fraction(1, 2**100)), value), f"y = {g}(x - {c})_+", g=g, c=c)


@proof("bends and multipliers")
def bends_and_multipliers(d: Derivation) -> None:
    """The cost of the spline's bends and a multiplier that earns it."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    c, g = d.symbols("c", g="positive")
    weight = sympy.sqrt(5) / 2
    half = sympy.Rational(1, 2)
    jumps = (g * (half - c), g * (half + c))
    d.identity("the spline bends by g(1/2-c) at -1/2 and by g(1/2+c) at 1/2, in all", jumps[0] + jumps[1], g)
    d.step("both places have the cost √(1 + 1/4) per unit", "√5/2")
    d.step("multipliers (√5/2)(0, 0, -2, 2): prices √5/2 at the kinks ±1/2, √5/2 <= √2 at ±1, 0 for the constant")
    earned = weight * (-2 * g * (half - c) + 2 * g * (1 - c))
    d.identity("they earn", earned, weight * g)
    value = from_sympy(weight * g)
    d.concludes(value, "|c| <= 1/2", over=INSIDE, g="g", c=PLACE)


DATA_KINKS = claim(
    "stewart2022.section_5_2_problem_4_data_kinks",
    "next to problem (4) and Proposition 1",
    "Problem (4) with kinks at the data",
    """The same labels y = g(x-c)_+ at x = -1, -1/2, 1/2, 1 cost g√5/2 in problem (4) if kinks may lie at the data only
    (constants allowed), whatever c is: the spline's two bends of g in all at ±1/2, each at √(1 + 1/4).""",
    latex=r"V_{(4)}\big|_{U_X}=\tfrac{\sqrt5}{2}\,g",
    hypotheses=("x = (-1, -1/2, 1/2, 1), y_i = g(x_i - c)_+", "g > 0, |c| ≤ 1/2"),
    formula="g*sqrt(5)/2",
    symbols={"g": "slope of the last piece", "c": "where the ramp of the labels begins"},
    controls={
        "g*sqrt(1 + c**2)": "the optimum with kinks anywhere",
        "g": "problem (9)",
        "g*sqrt(2)": "the bends at the ends",
    },
    checks=(bends_and_multipliers, exact_programme_on_the_data),
    part_of="stewart2022.proposition_1_regression",
    own=True,
)
