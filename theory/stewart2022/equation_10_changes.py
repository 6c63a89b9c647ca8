"""Problem (10) in closed form: two classes whose labels change twice and more."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, Value, certificate, claim, proof, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps

from ..observed.cheapest.changes import evidence_of_changes, gaps
from ..observed.cheapest.two_classes import TWO_CLASSES


@certificate("exact linear programme")
def exact_linear_programme_of_two_changes(context: Context) -> Observation:
    """The least variation by exact linear programming, certified for all of U."""

    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        (s, t), (u, v) = gaps(x, sigma)
        return {"g": t - s, "h": v - u, "d": max(Fraction(0), t, -u)}  # distance of 0 from [t, u]

    yield from evidence_of_changes([2], context, given, context.choose(40, 400))


RIGHT_OF_0 = (
    ("1/(1 + p)", "1", "p"),
    ("2/g - 1/(1 + p)", "-1", "p"),
    ("2/h", "1", "q"),
    ("-1/(1 + p)", "1", "-1"),
)
LEFT_OF_0 = (
    ("2/g", "-1", "p"),
    ("1/(1 - q)", "-1", "q"),
    ("2/h - 1/(1 - q)", "1", "q"),
    ("-1/(1 - q)", "-1", "1"),
)
AROUND_0 = (("2/g", "-1", "p"), ("2/h", "1", "q"), ("-1/2", "1", "-1"), ("-1/2", "-1", "1"))
"""The trapezoid of bottom -1 from p to q as weights, sides and kinks of ramps, by where 0 lies from the bottom."""

CASES = (
    ("p", ("p >= 0",), RIGHT_OF_0, ("1/(1 + p)", "0")),
    ("-q", ("q <= 0",), LEFT_OF_0, ("0", "1/(1 - q)")),
    ("0", ("p < 0", "q > 0"), AROUND_0, ("q/(q - p)", "-p/(q - p)")),
)
"""The distance of 0 from the bottom, where that is so, the ramps, and what the multipliers of p and q earn for it."""


@theorem("bound and trapezoid")
def bound_and_trapezoid() -> Observation:
    """The least Σ‖v‖ of ramps with weights in R², for data at the ends of the gaps and anywhere beyond and between; the
    middle run reaches from p to q. By where 0 lies from it, for both signs: the trapezoid and four multipliers.
    """
    names: dict[str, Assumption] = {"p": "real", "q": "real", "g": "positive", "h": "positive"}
    for d, where, ramps, for_bottom in CASES:
        earned = ("1/g", f"-1/g - {for_bottom[0]}", f"-1/h - {for_bottom[1]}", "1/h")
        for sign, other in (("1", "-1"), ("-1", "1")):
            cheapest = CheapestRamps(
                data=(("p - g", sign), ("p", other), ("q", other), ("q + h", sign)),
                kinks=("-1", "1"),
                cost=TWO_CLASSES,
                margins=True,
                network=tuple({"v": f"{sign}*({v})", "s": s, "c": c} for v, s, c in ramps),
                multipliers=tuple(f"{sign}*({a})/sqrt(2)" for a in earned),
                further=(
                    (("1 + x", "p - g - x"), sign),
                    (("x - p", "q - x"), other),
                    (("x - q - h", "1 - x"), sign),
                ),
            )
            assuming = ("p <= q", "p - g >= -1", "q + h <= 1", *where)
            yield shows(
                cheapest, f"outer labels {sign}, {where[0]}", for_all=names, assuming=assuming, g="g", h="h", d=d
            )


TWO_CHANGES = claim(
    "stewart2022.equation_10_two_changes",
    "next to problem (10)",
    "Two classes, two changes",
    """For two classes with two changes of label, across gaps g and h, problem (10) has the value (2/g + 2/h +
    1/(1+d))/√2, d the distance of 0 from the interval of the middle run. Proof: let the labels be +, -, + and c the
    point of that interval next to 0. A scalar function with margins 1 has K⁺ ≥ 2/g + 2/h and is at most -1 at c, so the
    closed form of (9) is at least TV + (1 - S⁻(c))/(1+|c|) ≥ K⁺ + 1/(1+|c|), as S⁻(c) ≤ (1+|c|)K⁻. The trapezoid with
    bottom -1 that rises straight across the gaps and on attains it.""",
    latex=r"V=\frac1{\sqrt2}\Big(\frac2g+\frac2h+\frac1{1+\operatorname{dist}(0,[\text{middle run}])}\Big)",
    hypotheses=("k = 2", "two changes of label"),
    formula="(2/g + 2/h + 1/(1 + d))/sqrt(2)",
    symbols={
        "g": "length of the first gap",
        "h": "length of the second gap",
        "d": "distance of 0 from the interval that the middle run spans",
    },
    controls={
        "(2/g + 2/h)/sqrt(2)": "kinks anywhere on the line",
        "(2/g + 2/h + 1)/sqrt(2)": "a middle run around 0",
        "(2/g + 2/h + 1/(1 - d))/sqrt(2)": "the ramp at the nearer end",
        "(4/g + 4/h)/sqrt(2)": "flat outside as well",
    },
    checks=(bound_and_trapezoid, exact_linear_programme_of_two_changes),
    part_of="stewart2022.equation_10_many_changes",
    rests_on=("stewart2022.equation_9",),
    own=True,
)


@certificate("exact linear programme")
def exact_linear_programme_of_many_changes(context: Context) -> Observation:
    """The least variation by exact linear programming, certified for all of U."""

    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        lengths = [t - s for s, t in gaps(x, sigma)]
        return {
            "I": sum((1 / Fraction(v) for v in lengths), Fraction(0)),
            "g": lengths[0],
            "h": lengths[-1],
            "J": len(lengths),
        }

    yield from evidence_of_changes([3, 4, 5, 6, 7, 8], context, given, context.choose(36, 300))


@proof("bends and multipliers")
def bends_and_multipliers(d: Derivation) -> None:
    """The bends of the function and what the multipliers earn, three and four gaps of any length."""
    import sympy

    p, q, r, s = d.symbols(p="positive", q="positive", r="positive", s="positive")
    d.step(
        "d = ±1 on the inner runs, straight on beyond the outer gaps: it bends by 2/g_j + 2/g_{j+1} at every inner run"
    )
    total = sum(2 / a + 2 / b for a, b in ((p, q), (q, r), (r, s)))
    d.identity("four gaps", total, 4 * (1 / p + 1 / q + 1 / r + 1 / s) - 2 / p - 2 / s)
    d.step(
        "K⁺ and K⁻ bound its values since inner runs of both signs exist: the maximum of the closed form of (9) is 0"
    )
    d.step("multipliers: right prices 0 on the outer runs, ±1 in turn on the inner ones, linear across the gaps")
    beta = [1 / p, 1 / p, 2 / q, 2 / q, 2 / r, 2 / r, 1 / s, 1 / s]
    d.identity("the multipliers are their bends, and earn", sum(beta), total)
    three = sum(2 / a + 2 / b for a, b in ((p, q), (q, r)))
    d.concludes(
        f"({sympy.expand(three)})/sqrt(2)",
        "three gaps",
        over=dict.fromkeys("pqr", "positive"),
        I="1/p + 1/q + 1/r",
        g="p",
        h="r",
        J="3",
    )
    d.concludes(f"({sympy.expand(total)})/sqrt(2)", "four gaps", I="1/p + 1/q + 1/r + 1/s", g="p", h="s", J="4")


MANY_CHANGES = claim(
    "stewart2022.equation_10_many_changes",
    "next to problem (10)",
    "Two classes, three changes or more",
    """For two classes with J ≥ 3 changes of label, across gaps g_1, …, g_J, problem (10) has the value Σ_{j<J} (2/g_j +
    2/g_{j+1})/√2 = √2 (2 Σ 1/g_j - 1/g_1 - 1/g_J). Proof: d = ±1 on the inner runs, straight on outside, has this
    variation, and no more by the closed form of (9), as tops and bottoms both exist inside; multipliers that make the
    right prices 0 on the outer runs and ±1 in turn on the inner ones earn it.""",
    latex=r"V=\frac1{\sqrt2}\sum_{j<J}\Big(\frac2{g_j}+\frac2{g_{j+1}}\Big)",
    hypotheses=("k = 2", "J ≥ 3 changes of label (seen for J ≤ 8, and proved for all J by the argument above)"),
    # the gaps lie beside each other in [-1, 1]: the J - 2 others share what the first and the last leave of 2
    domain=("J >= 3", "g > 0", "h > 0", "g + h < 2", "(I - 1/g - 1/h)*(2 - g - h) >= (J - 2)**2"),
    formula="sqrt(2)*(2*I - 1/g - 1/h)",
    symbols={
        "I": "Σ 1/g_j over all gaps",
        "g": "length of the first gap",
        "h": "length of the last gap",
        "J": "number of changes",
    },
    controls={
        "2*sqrt(2)*I": "flat outside: the outer gaps bend twice",
        "sqrt(2)*(2*I - 1/g - 1/h) + 1/sqrt(2)": "a weight for the height, as with two changes",
        "2*(2*I - 1/g - 1/h)": "the scalar problem",
        "sqrt(2)*I*(2*J - 2)/J": "all gaps alike",
    },
    checks=(bends_and_multipliers, exact_linear_programme_of_many_changes),
    rests_on=("stewart2022.equation_9",),
    own=True,
)
