"""Section 5.2: in problem (4), whose weight is √(1 + c²), kinks between the data are cheaper."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source
from implicitbias.exact.formula import Assumption
from implicitbias.exact.rational import Interval

PLACES = (Fraction(-1), Fraction(-1, 2), Fraction(1, 2), Fraction(1))


INSIDE: dict[str, Assumption] = {"g": "positive", "p": "positive", "q": "nonnegative"}
PLACE = "(p - q)/(2*(p + q))"
"""Every c of (-1/2, 1/2], so that nothing is asked outside of the hypotheses."""


def ramp_labels(g: Fraction, c: Fraction) -> list[Fraction]:
    return [g * max(Fraction(0), x - c) for x in PLACES]


CASES = ((4, Fraction(1, 4)), (1, Fraction(0)), (2, Fraction(-1, 4)), (1, Fraction(2, 5)), (3, Fraction(-2, 5)))


def observe_problem_4(context: Context) -> Evidence:
    """Exact units through the data above, multipliers priced over the whole circle below."""
    from .observed.circle import bracket

    instances, widest = [], Fraction(0)
    for g, c in CASES:
        found = bracket(PLACES, ramp_labels(Fraction(g), c))
        widest = max(widest, (found.upper - found.lower) / found.upper)
        instances.append(Instance(f"y = {g}(x - {c})_+", {"g": g, "c": c}, found.interval))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("bounds closer than 1e-4", widest < Fraction(1, 10**4), f"widest {float(widest):.1e}"),),
    )


def derive_problem_4(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    g, c = symbol("g", "positive"), symbol("c")
    length = sympy.sqrt(1 + c**2)
    third, fourth = -2 * (1 + c) / length, (2 + c) / length
    d = Derivation()
    d.step("one unit g(x - c)_+ with |c| <= 1/2 passes through the data and costs g √(1+c²)")
    d.step("multipliers α = (0, 0, -2(1+c), 2+c)/√(1+c²)")
    v = (third / 2 + fourth, third + fourth)
    d.identity("both on: the price is v·a, and |v|² is", v[0] ** 2 + v[1] ** 2, sympy.Integer(1))
    d.nonnegative(
        "x_4 alone: at most (2+c)/√(1+c²)·(1/2)/√(5/4) <= 1, since", sympy.factor(5 * (1 + c**2) - (2 + c) ** 2)
    )
    d.nonnegative("x_3 alone: at most 2(1+c)/√(1+c²)·(1/2)/√2 <= 1, since", sympy.factor(2 * (1 + c**2) - (1 + c) ** 2))
    earned = third * g * (sympy.Rational(1, 2) - c) + fourth * g * (1 - c)
    d.identity("they earn", earned, g * length)
    p, q = symbol("p", "positive"), symbol("q", "nonnegative")
    inside = from_sympy(earned.subs(c, (p - q) / (2 * (p + q))))
    identity = Identity("|c| <= 1/2", INSIDE, {"g": "g", "c": PLACE}, inside)
    return Evidence(identities=(identity,), steps=d.steps)


PROBLEM_4 = Claim(
    id="stewart2022.section_5_2_problem_4",
    source=Source(OWN_RESULT, "beside problem (4) and Proposition 1"),
    title="Proposition 1 does not extend to problem (4)",
    statement=(
        "For y = g(x-c)_+ at x = -1, -1/2, 1/2, 1 with g > 0, |c| ≤ 1/2 the value of problem (4) is g√(1+c²), of one "
        "unit "
        "with its kink at c, between the data; kinks at the data cost g√5/2, which is more if |c| < 1/2: for g = 4, "
        "c = 1/4 it is √17 against √20. (Problem (9) gives g for both. The paper proves Proposition 1 for (9) and (10) "
        "only, and calls problem (4) future work.)"
    ),
    latex=r"V_{(4)}=g\sqrt{1+c^2}<\tfrac{\sqrt5}{2}g",
    hypotheses=("x = (-1, -1/2, 1/2, 1), y_i = g(x_i - c)_+", "g > 0, |c| ≤ 1/2"),
    rests_on=("stewart2022.section_5_2_mass",),
    see_also=("savarese2019.footnote_2_regularised_biases", "dedios2020.corollary_4_6"),
    formula="g*sqrt(1 + c**2)",
    symbols={"g": "slope of the last piece", "c": "where the ramp of the labels begins"},
    controls=(
        Control("g*sqrt(5)/2", "Proposition 1 for problem (4): kinks at the data"),
        Control("g", "problem (9)"),
        Control("g*(1 + Abs(c))", "the l1 length of (1, -c)"),
    ),
    checks=(
        Check(
            name="one unit and its multipliers",
            kind=Kind.PROOF,
            observe=derive_problem_4,
            about="prices of all units of the circle for all |c| ≤ 1/2",
        ),
        Check(
            name="bracketed optimum",
            kind=Kind.CERTIFICATE,
            observe=observe_problem_4,
            about="two-sided bounds for (4) in exact arithmetic, kinks anywhere",
        ),
    ),
)


def observe_data_kinks(context: Context) -> Evidence:
    """Problem (4) with directions whose kinks are data, and the constant: an exact programme with rounded costs."""
    from implicitbias.convex.programmes.linear_programme import optimum

    from .observed.circle import Direction, root_above, unit_value

    instances = []
    for g, c in (*CASES, (1, Fraction(1, 2)), (2, Fraction(-1, 2))):
        units: list[Direction] = [(Fraction(s), -s * x) for x in PLACES for s in (1, -1)]
        units += [(Fraction(0), Fraction(1))]
        costs = [root_above(d[0] ** 2 + d[1] ** 2) for d in units]
        rows = [[unit_value(d, x) for d in units] for x in PLACES]
        value = optimum(costs * 2, [row + [-v for v in row] for row in rows], ramp_labels(Fraction(g), c)).value
        # every cost was rounded up by less than one part in 2^100
        instances.append(
            Instance(f"y = {g}(x - {c})_+", {"g": g, "c": c}, Interval(value * (1 - Fraction(1, 2**100)), value))
        )
    return Evidence(instances=tuple(instances))


def derive_data_kinks(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    g, c = symbol("g", "positive"), symbol("c")
    weight = sympy.sqrt(5) / 2
    half = sympy.Rational(1, 2)
    d = Derivation()
    jumps = (g * (half - c), g * (half + c))
    d.identity("the spline bends by g(1/2-c) at -1/2 and by g(1/2+c) at 1/2, in all", jumps[0] + jumps[1], g)
    d.step("both places have the cost √(1 + 1/4) per unit", "√5/2")
    d.step("multipliers (√5/2)(0, 0, -2, 2): prices √5/2 at the kinks ±1/2, √5/2 <= √2 at ±1, 0 for the constant")
    earned = weight * (-2 * g * (half - c) + 2 * g * (1 - c))
    d.identity("they earn", earned, weight * g)
    value = from_sympy(weight * g)
    d.step("for every c in [-1/2, 1/2]")
    identity = Identity("|c| <= 1/2", INSIDE, {"g": "g", "c": PLACE}, value)
    return Evidence(identities=(identity,), steps=d.steps)


DATA_KINKS = Claim(
    id="stewart2022.section_5_2_problem_4_data_kinks",
    source=Source(OWN_RESULT, "beside problem (4) and Proposition 1"),
    title="Problem (4) with kinks at the data",
    statement=(
        "The same labels y = g(x-c)_+ at x = -1, -1/2, 1/2, 1 cost g√5/2 in problem (4) if kinks may lie at the data "
        "only "
        "(constants allowed), whatever c is: the spline's two bends of g in all at ±1/2, each at √(1 + 1/4)."
    ),
    latex=r"V_{(4)}\big|_{U_X}=\tfrac{\sqrt5}{2}\,g",
    hypotheses=("x = (-1, -1/2, 1/2, 1), y_i = g(x_i - c)_+", "g > 0, |c| ≤ 1/2"),
    formula="g*sqrt(5)/2",
    symbols={"g": "slope of the last piece", "c": "where the ramp of the labels begins"},
    controls=(
        Control("g*sqrt(1 + c**2)", "the optimum with kinks anywhere"),
        Control("g", "problem (9)"),
        Control("g*sqrt(2)", "the bends at the ends"),
    ),
    checks=(
        Check(
            name="bends and multipliers",
            kind=Kind.PROOF,
            observe=derive_data_kinks,
            about="the cost of the spline's bends and a multiplier that earns it",
        ),
        Check(
            name="exact programme on the data",
            kind=Kind.CERTIFICATE,
            observe=observe_data_kinks,
            about="the cheapest units with kinks at the data, costs enclosed to 100 bits",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (PROBLEM_4, DATA_KINKS)
