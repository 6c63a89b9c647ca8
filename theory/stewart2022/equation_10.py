"""Problem (10) in closed form: constant labels for any number of classes, and two classes that change once."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .observed.changes import evidence_of_changes, gaps


def observe_constant(context: Context) -> Evidence:
    """Certified bounds by a cone programme with exact repairs, for 2 to 8 classes."""
    from implicitbias.exact.rational import Interval

    from .observed.margins import bracketed

    instances, narrow = [], True
    x = [Fraction(-1), Fraction(-1, 4), Fraction(1, 2), Fraction(1)]
    for k in (2, 3, 4, 5, 8):
        for places, labels in ((x, [1] * 4), ([Fraction(-1), Fraction(1)], [0, k - 1])):
            found = bracketed(places, labels, k)
            narrow = narrow and found.upper - found.lower < Fraction(1, 10**7)
            instances.append(Instance(f"k={k}, labels {labels}", {"k": k}, Interval(found.lower, found.upper)))
    return Evidence(instances=tuple(instances), premises=(Premise("bounds closer than 1e-7", narrow),))


def derive_constant(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    m = symbol("m", "positive")  # k - 1
    own, other = m / (m + 1), -1 / (m + 1)
    d = Derivation()
    d.step("v = e_y - (1/k)(1, …, 1) at both ends, (1+x)/2 v + (1-x)/2 v: all margins are 1, and it costs ‖v‖")
    d.identity("its margins", own - other, sympy.Integer(1))
    d.identity("its length squared", own**2 + m * other**2, m / (m + 1))
    b = 1 / (2 * sympy.sqrt(m * (m + 1)))
    d.step("β = 1/(2√(k(k-1))) for every rival at both ends; the right price at -1 is 2β Σ_l (e_y - e_l)")
    d.identity("of length 1", (2 * b) ** 2 * (m**2 + m), sympy.Integer(1))
    d.identity("earned: 2(k-1)β", (2 * m * b) ** 2, m / (m + 1))
    earned = 2 * m * b
    identity = Identity("k = m + 1", {"m": "positive"}, {"k": "m + 1"}, "m/sqrt(m*(m + 1))")
    d.identity("that is", earned, m / sympy.sqrt(m * (m + 1)))
    return Evidence(identities=(identity,), steps=d.steps)


CONSTANT = Claim(
    id="stewart2022.equation_10_constant",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Problem (10) for one label, or two points",
    statement=(
        "If all labels are equal, or if there are two points, problem (10) with k classes has the value √((k-1)/k): "
        "the "
        "vector e_y - (1/k)(1, …, 1), which has all margins 1, at both ends. Unused classes raise it."
    ),
    latex=r"V=\sqrt{(k-1)/k}",
    hypotheses=("all labels equal, or n = 2", "k ≥ 2"),
    formula="sqrt((k - 1)/k)",
    symbols={"k": "number of classes"},
    controls=(
        Control("1/sqrt(2)", "unused classes do not matter"),
        Control("(k - 1)/k", "the length squared"),
        Control("1", "the vector e_y itself (Lemma 3's measure)"),
        Control("sqrt(2*(k - 1)/k)", "both ends paid for in full"),
    ),
    checks=(
        Check(
            name="vector and multipliers",
            kind=Kind.PROOF,
            observe=derive_constant,
            about="the cost of the vector and what multipliers earn, for all k",
        ),
        Check(
            name="bracketed optimum",
            kind=Kind.CERTIFICATE,
            observe=observe_constant,
            about="two-sided exact bounds for 2 to 8 classes",
        ),
    ),
)


def derive_one_change(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    g, c, u = symbol("g", "positive"), symbol("c"), symbol("u")
    d = Derivation()
    d.step("the line of slope 2/g that is ∓1 at the ends u, u + g of the gap meets all margins, and costs 2/g")
    d.identity(
        "it vanishes midway, inside [-1, 1], so its value at 0 is at most its slope",
        2 / g * (u - (u + g / 2)),
        -1 + 0 * g,
    )
    d.step("β = 1/g at both ends of the gap")
    d.identity("right price to the left of the gap", (u + g - c) / g - (u - c) / g, 1 + 0 * c)
    d.identity("earned", 1 / g + 1 / g, 2 / g)
    return Evidence(identities=(Identity("all gaps", {"g": "positive"}, {"g": "g"}, "(2/g)/sqrt(2)"),), steps=d.steps)


def observe_one_change(context: Context) -> Evidence:
    def given(x: list[Fraction], sigma: list[int]) -> dict[str, Value]:
        ((s, t),) = gaps(x, sigma)
        return {"g": t - s}

    return evidence_of_changes([1], context, given, context.choose(25, 300))


ONE_CHANGE = Claim(
    id="stewart2022.equation_10_one_change",
    source=Source(OWN_RESULT, "beside problem (10)"),
    title="Two classes, one change",
    statement=(
        "For two classes that one gap of length g separates, problem (10) has the value √2/g: the straight line across "
        "the gap, whatever lies beyond it. Proof: V = √2·value is the least variation of d with σ_i d(x_i) ≥ 1; β = "
        "1/g at "
        "both ends of the gap prices every ramp at most 1 and earns 2/g."
    ),
    latex=r"V=\frac{\sqrt2}{g}",
    hypotheses=("k = 2", "one change of label"),
    formula="sqrt(2)/g",
    symbols={"g": "length of the gap between the classes"},
    controls=(
        Control("2/g", "the scalar problem"),
        Control("1/(sqrt(2)*g)", "margin 1 between -1/2 and 1/2"),
        Control("2*sqrt(2)/g", "flat beyond the gap: two bends"),
        Control("sqrt(2)/g + 1/sqrt(2)", "a constant as well"),
    ),
    checks=(
        Check(
            name="line and multipliers",
            kind=Kind.PROOF,
            observe=derive_one_change,
            about="the line across the gap and two multipliers, for all gaps",
        ),
        Check(
            name="exact linear programme",
            kind=Kind.CERTIFICATE,
            observe=observe_one_change,
            about="the least variation by exact linear programming, certified for all of U",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (CONSTANT, ONE_CHANGE)
