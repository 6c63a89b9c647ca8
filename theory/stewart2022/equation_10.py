"""Problem (10) in closed form: constant labels for any number of classes, and two classes that change once."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Observation,
    Premise,
    Value,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.rational import Interval
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps

from ..observed.cheapest.changes import evidence_of_changes, gaps
from ..observed.cheapest.margins import bracketed
from ..observed.cheapest.two_classes import TWO_CLASSES


@certificate("bracketed optimum")
def bracketed_optimum(context: Context) -> Observation:
    """Certified bounds by a cone programme with exact repairs, for 2 to 8 classes."""
    narrow = True
    x = [Fraction(-1), Fraction(-1, 4), Fraction(1, 2), Fraction(1)]
    for k in (2, 3, 4, 5, 8):
        for places, labels in ((x, [1] * 4), ([Fraction(-1), Fraction(1)], [0, k - 1])):
            found = bracketed(places, labels, k)
            narrow = narrow and found.upper - found.lower < Fraction(1, 10**7)
            yield seen(Interval(found.lower, found.upper), f"k={k}, labels {labels}", k=k)
    yield Premise("bounds closer than 1e-7", narrow)


@proof("vector and multipliers")
def vector_and_multipliers(d: Derivation) -> None:
    """The cost of the vector and what multipliers earn, for all k."""
    import sympy

    (m,) = d.symbols(m="positive")  # k - 1
    own, other = m / (m + 1), -1 / (m + 1)
    d.step("v = e_y - (1/k)(1, …, 1) at both ends, (1+x)/2 v + (1-x)/2 v: all margins are 1, and it costs ‖v‖")
    d.identity("its margins", own - other, sympy.Integer(1))
    d.identity("its length squared", own**2 + m * other**2, m / (m + 1))
    b = 1 / (2 * sympy.sqrt(m * (m + 1)))
    d.step("β = 1/(2√(k(k-1))) for every rival at both ends; the right price at -1 is 2β Σ_l (e_y - e_l)")
    d.identity("of length 1", (2 * b) ** 2 * (m**2 + m), sympy.Integer(1))
    d.identity("earned: 2(k-1)β", (2 * m * b) ** 2, m / (m + 1))
    earned = 2 * m * b
    d.concludes("m/sqrt(m*(m + 1))", "k = m + 1", k="m + 1")
    d.identity("that is", earned, m / sympy.sqrt(m * (m + 1)))


CONSTANT = claim(
    "stewart2022.equation_10_constant",
    "next to problem (10)",
    "Problem (10) for one label, or two points",
    """If all labels are equal, or if there are two points, problem (10) with k classes has the value √((k-1)/k): the
    vector e_y - (1/k)(1, …, 1), which has all margins 1, at both ends. Unused classes raise it.""",
    latex=r"V=\sqrt{(k-1)/k}",
    hypotheses=("all labels equal, or n = 2", "k ≥ 2"),
    formula="sqrt((k - 1)/k)",
    symbols={"k": "number of classes"},
    controls={
        "1/sqrt(2)": "unused classes do not matter",
        "(k - 1)/k": "the length squared",
        "1": "the vector e_y itself (Lemma 3's measure)",
        "sqrt(2*(k - 1)/k)": "both ends paid for in full",
    },
    checks=(vector_and_multipliers, bracketed_optimum),
    part_of="stewart2022.equation_10_many_changes",
    own=True,
)


@theorem("line and multipliers")
def line_and_multipliers() -> Observation:
    """The least Σ‖v‖ of ramps with weights in R², of which the margins need the difference of the entries only: across
    the gap from u to u + g, with any data beyond it. The line, two multipliers.
    """
    price = "1/(sqrt(2)*g)"
    for one, other in (("-1", "1"), ("1", "-1")):
        line = CheapestRamps(
            data=(("u", one), ("u + g", other)),
            kinks=("-1", "1"),
            cost=TWO_CLASSES,
            margins=True,
            network=(
                {"v": f"{other}*(1 - u - g/2)/g", "s": "1", "c": "-1"},
                {"v": f"{one}*(1 + u + g/2)/g", "s": "-1", "c": "1"},
            ),
            multipliers=(f"{one}*{price}", f"{other}*{price}"),
            further=((("1 + x", "u - x"), one), (("x - u - g", "1 - x"), other)),
        )
        inside = ("u >= -1", "u + g <= 1")
        yield shows(line, f"labels {one}, {other}", for_all={"u": "real", "g": "positive"}, assuming=inside, g="g")


@certificate("exact linear programme")
def exact_linear_programme(context: Context) -> Observation:
    """The least variation by exact linear programming, certified for all of U."""

    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        ((s, t),) = gaps(x, sigma)
        return {"g": t - s}

    yield from evidence_of_changes([1], context, given, context.choose(25, 300))


ONE_CHANGE = claim(
    "stewart2022.equation_10_one_change",
    "next to problem (10)",
    "Two classes, one change",
    """For two classes that one gap of length g separates, problem (10) has the value √2/g: the straight line across the
    gap, whatever lies beyond it. Proof: V = √2·value is the least variation of d with σ_i d(x_i) ≥ 1; β = 1/g at both
    ends of the gap prices every ramp at most 1 and earns 2/g.""",
    latex=r"V=\frac{\sqrt2}{g}",
    hypotheses=("k = 2", "one change of label"),
    formula="sqrt(2)/g",
    symbols={"g": "length of the gap between the classes"},
    controls={
        "2/g": "the scalar problem",
        "1/(sqrt(2)*g)": "margin 1 between -1/2 and 1/2",
        "2*sqrt(2)/g": "flat beyond the gap: two bends",
        "sqrt(2)/g + 1/sqrt(2)": "a constant as well",
    },
    checks=(line_and_multipliers, exact_linear_programme),
    part_of="stewart2022.equation_10_many_changes",
    own=True,
)
