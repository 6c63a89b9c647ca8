"""Equations (5) and (6), the third equation that the text uses, and what follows from the three."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Claim,
    Context,
    Derivation,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative

from ..observed.margin.kkt_points import families, make


def one_term(by: str) -> Observation:
    """λ ∂(y v [w x + b]_+) by w or b on both sides of the kink, and at the kink every Clarke derivative."""
    term = {"w": "lam*y*unit(v, z, b, x)", "b": "lam*y*unit(v, w, z, x)"}[by]
    free: dict[str, Assumption] = dict.fromkeys(("lam", "y", "v", "w", "b"), "real")
    given = {name: name for name in ("lam", "y", "v", "x")}
    for case, side, share in (("active: σ' = 1", ">", "1"), ("inactive: σ' = 0", "<", "0")):
        yield shows(
            Derivative(term, "z", by),
            case,
            for_all={**free, "x": "real"},
            assuming=(f"w*x + b {side} 0",),
            **given,
            c=share,
        )
    signs: list[Assumption] = ["real"] if by == "b" else ["positive", "negative"]
    kink = {"w": "-b/x", "b": "-w*x"}[by]
    for sign in signs:  # for x < 0 a larger w turns the unit off, not on
        yield shows(
            Derivative(term, "z", kink, side="between", share="p/(1 + p)"),
            f"on the kink, x {sign}: σ' = c",
            for_all={**free, "x": sign, "p": "nonnegative"},
            **given,
            c="1 - p/(1 + p)" if sign == "negative" else "p/(1 + p)",
        )
    if by == "w":
        yield shows(
            Derivative("lam*y*unit(v, z, 0, 0)", "z", "w"),
            "on the kink, x = 0: any σ'",
            for_all={**free, "c": "real"},
            indifferent_to=("relu",),
            **given | {"x": "0"},
            c="c",
        )


def quotients(context: Context, by: str) -> Observation:
    """λ times difference quotients of y v [w x + b]_+ in rationals: exact where the unit does not cross its kink."""
    draw = context.random()
    cases = [(1, 1, 1, 2, 1), (1, -1, 1, -2, 1), (1, 1, -2, 3, -1), (2, 1, 1, -1, 1)]
    for _ in range(12):
        size, y, v, w, x = (draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(5))
        cases.append((size, y, v, w, x))
    for n, (size, y, v, w, x) in enumerate(cases):
        label, lam = (1 if y > 0 else -1), Fraction(abs(size))
        b = Fraction(1 if n % 3 else 2) - w * x if n % 2 == 0 else -Fraction(1) - w * x
        step = Fraction(1, 100)

        def term(w: Fraction | int, b: Fraction, label: int = label, v: int = v, x: int = x) -> Fraction:
            return label * v * relu(w * x + b)

        moved = (w + step, b) if by == "w" else (Fraction(w), b + step)
        quotient = lam * (term(*moved) - term(w, b)) / step
        active = w * x + b > 0
        yield seen(quotient, "active" if active else "inactive", lam=lam, y=label, v=v, x=x, c=int(active))


def stationarity(number: int, by: str, formula: str, controls: dict[str, str], shown: str) -> Claim:
    name = {"w": "weight", "b": "bias"}[by]
    return claim(
        f"safran2022.equation_{number}",
        f"equation ({number})",
        f"The stationarity equation of a {name}",
        f"""At a KKT point {by}_j is the sum over the data of {shown}, where σ'_ij, a subgradient of the ramp at w_j x_i
        + b_j, is 1 for an active unit, 0 for an inactive one and any number of [0, 1] at its kink: the formula gives
        one term, λ_i times a derivative of y_i N(x_i) by {by}_j.""",
        latex=rf"{by}_j=\sum_i\lambda_i\,\partial_{{{by}_j}}(y_iN_\theta(x_i))=\sum_i\lambda_iy_iv_j\sigma'_{{ij}}"
        + ("x_i" if by == "w" else ""),
        formula=formula,
        symbols={
            "lam": "the multiplier λ_i",
            "y": "the label y_i",
            "v": "the output weight v_j",
            "c": "σ'_ij",
            "x": "the point x_i",
        },
        controls=controls,
        checks=(
            theorem(
                "derivatives on both sides",
                about=f"the derivative by {by} of an active and of an inactive unit, and the segment between them",
            )(lambda: one_term(by)),
            certificate("difference quotients", about="exact quotients of one term of N, active and inactive")(
                lambda context: quotients(context, by)
            ),
        ),
        rests_on=("safran2022.equation_4",),
        part_of="safran2022.theorem_4_1",
    )


EQUATION_5 = stationarity(
    5,
    "w",
    "lam*y*v*c*x",
    {
        "lam*v*c*x": "the label forgotten",
        "lam*y*c*x": "the output weight forgotten",
        "lam*y*v*c": "the equation of the bias",
        "lam*y*v*x": "every unit active at every point",
    },
    "λ_i y_i v_j σ'_ij x_i",
)
EQUATION_6 = stationarity(
    6,
    "b",
    "lam*y*v*c",
    {
        "lam*y*v*c*x": "the equation of the weight",
        "lam*y*c": "the output weight forgotten",
        "lam*v*c": "the label forgotten",
    },
    "λ_i y_i v_j σ'_ij",
)


@certificate("one unit")
def one_unit(context: Context) -> Observation:
    """One point at 0 with label 1, one unit: w = 0, b = λv by (5) and (6), v b = 1 by the margin; and whether the
    kernel accepts the point."""
    draw, agree = context.random(), True

    roots = [1 + Fraction(1, d) for d in (1, 2, 3, 4, 6, 9, 13, 20, 40)] + [Fraction(3), Fraction(10)]
    roots += [1 + Fraction(draw.randint(1, 250), 100) for _ in range(40)]
    roots += [Fraction(30 + 4 * k + draw.randint(0, 3), 10) for k in range(18)]
    for root in [Fraction(1), *roots, *(1 / root for root in roots)]:  # λ near 1, where both sides are close, and far
        lam, v = root**2, 1 / root
        b = lam * v
        if v * b != 1:
            raise ArithmeticError("the margin is not 1")
        third = lam * b  # Σ λ y [w x + b]_+
        point = make((0,), (1,), {0: lam}, ((1, v * v, (0,), {}),))
        agree = agree and bool(point.certified()[1]) == (third != v)
        yield seen((v * v + b * b) / 2, lam=lam)
    yield Premise("the kernel accepts only λ = 1, where the third equation holds", agree)
    yield Step(
        "x_1 = 0, y_1 = 1, one active unit: (5) gives w = 0, (6) gives b = λv, the margin v b = 1, so v = 1/√λ, b = √λ"
    )
    yield Step("the equation for v, v = λ b, holds for λ = 1 only")


GAP = claim(
    "safran2022.equations_5_6_third",
    "next to equations (5) and (6)",
    "Solutions of equations (5) and (6) alone",
    """For the point x = 0 with label 1 and one unit, every λ > 0 satisfies (5), (6), feasibility and slackness with v =
    1/√λ, w = 0, b = √λ, at ½‖θ‖² = (λ + 1/λ)/2. Only λ = 1 is a KKT point: the third equation, v_j = Σ λ_i y_i [w_j x_i
    + b_j]₊, which the text does not print, is needed, and with it come v_j² = w_j² + b_j² and |s_j| = 1.""",
    latex=r"\tfrac12\|\theta\|^2=\tfrac12(\lambda+1/\lambda)",
    hypotheses=("one point, x = 0, y = 1; one unit with v > 0",),
    formula="(lam + 1/lam)/2",
    symbols={"lam": "the multiplier λ"},
    controls={
        "1": "as if (5) and (6) determined the point",
        "lam": "½‖θ‖² = Σ λ_i, which needs the third equation",
        "(lam**2 + 1/lam)/2": "b = λ",
    },
    checks=(one_unit,),
    rests_on=("safran2022.equation_4",),
    own=True,
    part_of="safran2022.theorem_4_1",
)


@certificate("points in closed form")
def both_sums(context: Context) -> Observation:
    """Σ λ_i and ½ Σ (v² + w² + b²) at certified points, exactly, with w² + b² from equations (5) and (6)."""
    for found in families(context.random(), context.choose(14, 100)):
        point = found.point
        cost = Fraction(0)
        for unit in point.units:
            w, b = point.direction(unit)
            cost += (unit.square + unit.square * (w * w + b * b)) / 2
        yield seen(cost, found.name, L=sum(point.multipliers.values(), Fraction(0)), n=len(point.x), k=len(point.units))


@proof("the three equations")
def summed_equations(d: Derivation) -> None:
    """v = v|s|² from (5), (6) and the third equation, and their sum."""
    v, s, t = d.symbols("v s t")
    d.step("s_j = Σ λ_i y_i σ'_ij (x_i, 1) = (s, t): (5) and (6) say (w_j, b_j) = v_j s_j")
    d.step("σ'(z) z = [z]₊, so the third equation says v_j = s_j·(w_j, b_j)")
    d.identity("so v = v|s|²: v = 0, or |s_j| = 1 and v² = w² + b²", s * (v * s) + t * (v * t), v * (s**2 + t**2))
    d.step("sum of v_j times the third equation, and slackness: Σ v_j² = Σ λ_i y_i N(x_i) = Σ λ_i")
    free: Any = {"a": "nonnegative", "m": "nonnegative", "p": "nonnegative"}
    d.concludes("(a + a)/2", "½Σ(v² + w² + b²) with Σ v² = Σ(w² + b²) = Σ λ", over=free, L="a", n="m", k="p")


SUM = claim(
    "safran2022.equation_4_multipliers",
    "next to problem (4)",
    "Sum of the multipliers",
    """At a KKT point v_j² = w_j² + b_j² for every unit, |s_j| = 1 for the units that are not 0, and Σ λ_i = Σ v_j² =
    ½‖θ‖²: primal and dual values agree at every KKT point, optimal or not.""",
    latex=r"\sum_i\lambda_i=\sum_jv_j^2=\tfrac12\|\theta\|^2",
    formula="L",
    symbols={"L": "Σ λ_i", "n": "number of points", "k": "number of units that are not 0"},
    controls={
        "2*L": "‖θ‖² instead of ½‖θ‖²",
        "L/2": "the mean of v² and w² + b² halved once more",
        "L*n/2": "multipliers of the mean loss instead of the sum",
        "k": "every unit has norm one",
    },
    checks=(summed_equations, both_sums),
    rests_on=("safran2022.equation_4",),
    own=True,
    part_of="safran2022.theorem_4_1",
)
