"""Next to Example 1: θ* is not a local optimum, and what the global one is."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Attached,
    Context,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits
from implicitbias.theorems.rules.solutions.solution import Solution

from ..observed.margin.kkt_points import LEGS, accepted, constant, two_units
from ..observed.units.unit_lists import Unit, squares, value


@theorem("the family")
def family() -> Observation:
    """A second unit e(1, 0, 1): the only first unit (w, c, c), c > 0, with margin 1 at both points, and the cost."""
    both = tuple(f"unit(c, w, c, {x}) + unit(e, e, 0, {x}) - 1" for x in ("-4", "4"))
    cost = Solution(
        unknowns={"w": "real", "c": "positive"},
        equations=both,
        of="2*unit_cost_with_bias(c, w, c) + 2*unit_cost_with_bias(e, e, 0)",
        solution={"w": "(c - 1/c)/4", "c": "sqrt(1 - 2*e**2)"},
    )
    yield shows(cost, for_all={"e": "positive"}, assuming=("4*e**2 < 1",), e="e")


@certificate("rational members")
def rational_members(context: Context) -> Observation:
    """Margins and ‖θ‖² in rationals for rational e and c with 2e² + c² = 1, down to e = 1/200."""
    feasible, lower = True, True
    for m in (1, 2, 3, 5, 8, 13, 100):
        # c = (1 - 2t²)/(1 + 2t²), e = 2t/(1 + 2t²)
        t = Fraction(1, 4 * m)
        c, e = (1 - 2 * t * t) / (1 + 2 * t * t), 2 * t / (1 + 2 * t * t)
        units: list[Unit] = [(-e * e / (2 * c), c, c), (e, Fraction(0), e)]
        feasible = feasible and all(value(units, x) == 1 for x in map(Fraction, (4, -4)))
        lower = lower and squares(units) < 2
        yield seen(squares(units), e=e)
    yield Premise("both margins are 1, exactly", feasible)
    yield Premise("‖θ‖² is below that of θ*, however small e is", lower)


LOCAL = claim(
    "safran2022.example_1_local",
    "next to Example 1",
    "The limit of Example 1 is not a local optimum",
    """For small e > 0 the network with unit 2 = e(1, 0, 1) and unit 1 given by v = b = c = √(1 - 2e²), w = -e²/(2c) has
    margins 1 at both points and ‖θ‖² = 2 - 2e² + e⁴/(4(1 - 2e²)) < 2: it tends to θ* as e → 0, so θ* is not a
    local optimum, at the paper's own width 2. (The dual function of θ* is 2 > 1 in the direction (1, 0), where unit 2
    grows.)""",
    latex=r"\|\theta\|^2=2-2e^2+\frac{e^4}{4(1-2e^2)}<2=\|\theta^*\|^2",
    hypotheses=("0 < e, 4e² ≤ 1",),
    formula="2 - 2*e**2 + e**4/(4*(1 - 2*e**2))",
    symbols={"e": "size of the second unit"},
    controls={
        "2": "a local optimum: flat to all orders",
        "2 + 2*e**2 + e**4/(4*(1 - 2*e**2))": "a second unit costs more than it saves",
        "2 - 2*e**2": "the weight of the first unit forgotten",
        "2 - 2*e**2 + e**4/4": "c² replaced by 1",
    },
    checks=(family, rational_members),
    rests_on=("safran2022.example_1_kkt", "safran2022.example_1_better"),
    own=True,
    part_of="safran2022.example_1_kkt",
)


@certificate("certified points")
def certified_points(context: Context) -> Observation:
    """Certified KKT points for ±t with label 1, and sup |D| <= 1, the dual bound for all widths, exactly."""
    from implicitbias.convex.kkt.dual import DualFunction, optimality
    from implicitbias.exact.enclosure import enclose

    agreed = True
    draw = context.random()
    for t in sorted(t for t in LEGS if t * t >= 3):
        found = accepted(f"t = {t}", two_units(t, 1, 1))
        agreed = agreed and optimality(found.point).status == "global"
        yield seen(2 * found.cost, f"two units at ±{t}", t=t)
        yield Attached(found.document)
    for t in (Fraction(1), Fraction(3, 2), Fraction(4, 3), Fraction(draw.randint(1, 17), 10)):
        found = accepted(f"t = {t}", constant(t))
        agreed = agreed and optimality(found.point).status == "global"
        yield seen(2 * found.cost, f"a constant at ±{t}", t=t)
    # the paper's t = 4: κ = λ = 1/√17 is irrational, so the bound is checked with squares
    weight = enclose("1/sqrt(17)")
    scaled = DualFunction((Fraction(-4), Fraction(4)), (1, 1), {0: Fraction(1), 1: Fraction(1)})
    agreed = agreed and scaled.largest_square == 17
    yield seen(enclose("4*a", a=weight), "Example 1: ±4", t=Fraction(4))
    yield Premise("|D| <= 1 in all directions: no network of any width is better", agreed)
    yield Step(
        "t = 4: units (±4, 1)/√17, each 0 at the other point, with v² = 1/√17; D for λ = 1/√17 is at most 1, "
        "as its square is 17/17"
    )


FAR = "Max(0, sign(r - 3))"
"""1 where t² = r is larger than 3, else 0."""


@theorem("primal and dual")
def primal_and_dual() -> Observation:
    """A constant unit for t² <= 3, a unit along each point for t² >= 3, where r = t², and their multipliers."""
    size, slope = f"{FAR}/sqrt(sqrt(1 + r))", f"{FAR}*sqrt(r)/(sqrt(1 + r)*sqrt(sqrt(1 + r)))"
    bias = f"{FAR}/(sqrt(1 + r)*sqrt(sqrt(1 + r)))"
    yield shows(
        CheapestUnits(
            data=(("-sqrt(r)", "1"), ("sqrt(r)", "1")),
            margins=True,
            cost="2*unit_cost_with_bias(v, w, b)",
            network=(
                {"v": size, "w": slope, "b": bias},
                {"v": size, "w": f"-{slope}", "b": bias},
                {"v": f"1 - {FAR}", "w": "0", "b": f"1 - {FAR}"},
            ),
            multipliers=(f"1 - {FAR} + {FAR}*2/sqrt(1 + r)",) * 2,
        ),
        for_all={"r": "positive"},
        split=("r - 3",),
        t="sqrt(r)",
    )


OPTIMUM = claim(
    "safran2022.example_1_optimum",
    "next to Example 1",
    "The global optimum for two points of one label",
    """For the points ±t with label 1 the least ‖θ‖² among networks of all widths is min(2, 4/√(1 + t²)): a constant
    unit for t² ≤ 3, a unit along each point for t² ≥ 3. In Example 1, t = 4, it is 4/√17 = 0.97014, below the paper's
    θ' with ‖θ'‖² = 1.""",
    latex=r"\min\|\theta\|^2=\min\Bigl(2,\frac4{\sqrt{1+t^2}}\Bigr),\qquad t=4:\ \frac4{\sqrt{17}}=0.970142\ldots",
    hypotheses=("t > 0",),
    formula="Min(2, 4/sqrt(1 + t**2))",
    symbols={"t": "distance of both points from 0"},
    controls={
        "4/sqrt(1 + t**2)": "a unit along each point, however near they are",
        "2": "the limit of Example 1",
        "Min(2, 4/t)": "θ' with b = 0: 1 for t = 4",
        "Min(1, 2/sqrt(1 + t**2))": "½‖θ‖² instead of ‖θ‖²",
    },
    checks=(primal_and_dual, certified_points),
    rests_on=("safran2022.equation_4",),
    own=True,
    part_of="safran2022.example_1_kkt",
)
