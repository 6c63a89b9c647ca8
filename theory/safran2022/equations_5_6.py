"""Equations (5) and (6), the third equation that the text uses, and what follows from the three."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step, Value
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source


def derive_gradient(by: str) -> Evidence:
    """∂(y v [w x + b]_+) by w or b on both sides of the kink, where it is a polynomial; Clarke: the segment between."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    names = ("y", "v", "w", "b", "x", "c")
    y, v, w, b, x, c = (symbol(name, "real") for name in names)
    d = Derivation()
    d.step(
        "near an active unit y N(x) has the term y v (w x + b), near an inactive one 0; at the kink Clarke's "
        "derivatives are the segment between the two limits"
    )
    active = (y * v * (w * x + b)).diff(w if by == "w" else b)
    answer = y * v * x if by == "w" else y * v
    d.identity(f"the derivative by {by} where the unit is active", active, answer)
    d.identity("a point of the segment, c in [0, 1]", c * active + (1 - c) * 0, c * answer)
    term = "lam*y*v*x" if by == "w" else "lam*y*v"
    plain = {name: name for name in ("lam", "y", "v", "x")}
    free = dict.fromkeys(plain, "real")
    identities = (
        Identity("active: σ' = 1", cast(Any, free), {**plain, "c": "1"}, term),
        Identity("inactive: σ' = 0", cast(Any, free), {**plain, "c": "0"}, "0*lam"),
        Identity(
            "on the kink: σ' = c",
            cast(Any, {**free, "p": "nonnegative"}),
            {**plain, "c": "p/(1 + p)"},
            f"{term}*p/(1 + p)",
        ),
    )
    return Evidence(identities=identities, steps=d.steps)


def observe_quotients(context: Context, by: str) -> Evidence:
    """λ times difference quotients of y v [w x + b]_+ in rationals: exact where the unit does not cross its kink."""
    draw, instances = context.random(), []
    cases = [(1, 1, 1, 2, 1), (1, -1, 1, -2, 1), (1, 1, -2, 3, -1), (2, 1, 1, -1, 1)]
    for _ in range(12):
        size, y, v, w, x = (draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(5))
        cases.append((size, y, v, w, x))
    for n, (size, y, v, w, x) in enumerate(cases):
        label, lam = (1 if y > 0 else -1), Fraction(abs(size))
        b = Fraction(1 if n % 3 else 2) - w * x if n % 2 == 0 else -Fraction(1) - w * x
        step = Fraction(1, 100)

        def term(w: Fraction | int, b: Fraction, label: int = label, v: int = v, x: int = x) -> Fraction:
            return label * v * max(Fraction(0), w * x + b)

        moved = (w + step, b) if by == "w" else (Fraction(w), b + step)
        quotient = lam * (term(*moved) - term(w, b)) / step
        active = w * x + b > 0
        given: dict[str, Value] = {"lam": lam, "y": label, "v": v, "x": x, "c": int(active)}
        instances.append(Instance("active" if active else "inactive", given, quotient))
    return Evidence(instances=tuple(instances))


def _printed(number: int, by: str, formula: str, controls: tuple[Control, ...], shown: str) -> Claim:
    name = {"w": "weight", "b": "bias"}[by]
    return Claim(
        id=f"safran2022.equation_{number}",
        source=Source("safran2022", f"equation ({number})"),
        title=f"The stationarity equation of a {name}",
        statement=(
            f"At a KKT point {by}_j is the sum over the data of {shown}, where σ'_ij, a subgradient of the ramp at "
            f"w_j x_i + b_j, is 1 for an active unit, 0 for an inactive one and any number of [0, 1] at its kink: the "
            f"formula gives one term, λ_i times a derivative of y_i N(x_i) by {by}_j."
        ),
        latex=(
            rf"{by}_j=\sum_i\lambda_i\,\partial_{{{by}_j}}(y_iN_\theta(x_i))=\sum_i\lambda_iy_iv_j\sigma'_{{ij}}"
            + ("x_i" if by == "w" else "")
        ),
        rests_on=("safran2022.equation_4",),
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
            Check(
                "derivatives on both sides",
                Kind.PROOF,
                lambda context: derive_gradient(by),
                f"the derivative by {by} of an active and of an inactive unit, and the segment between them",
            ),
            Check(
                "difference quotients",
                Kind.CERTIFICATE,
                lambda context: observe_quotients(context, by),
                "exact quotients of one term of N, active and inactive",
            ),
        ),
    )


EQUATION_5 = _printed(
    5,
    "w",
    "lam*y*v*c*x",
    (
        Control("lam*v*c*x", "the label forgotten"),
        Control("lam*y*c*x", "the output weight forgotten"),
        Control("lam*y*v*c", "the equation of the bias"),
        Control("lam*y*v*x", "every unit active at every point"),
    ),
    "λ_i y_i v_j σ'_ij x_i",
)
EQUATION_6 = _printed(
    6,
    "b",
    "lam*y*v*c",
    (
        Control("lam*y*v*c*x", "the equation of the weight"),
        Control("lam*y*c", "the output weight forgotten"),
        Control("lam*v*c", "the label forgotten"),
    ),
    "λ_i y_i v_j σ'_ij",
)


def observe_gap(context: Context) -> Evidence:
    """One point at 0 with label 1, one unit: w = 0, b = λv by (5) and (6), v b = 1 by the margin; and the rest."""
    draw, instances, refused = context.random(), [], 0

    from .observed.kkt_points import make

    for root in (
        Fraction(1),
        Fraction(2),
        Fraction(1, 2),
        Fraction(3),
        Fraction(draw.randint(3, 9), 2),
        Fraction(1, draw.randint(3, 9)),
    ):
        lam, v = root**2, 1 / root
        b = lam * v
        if v * b != 1:
            raise ArithmeticError("the margin is not 1")
        third = lam * b  # Σ λ y [w x + b]_+
        point = make((0,), (1,), {0: lam}, ((1, v * v, (0,), {}),))
        refused += bool(point.certified()[1]) == (third != v)
        instances.append(Instance(f"λ = {lam}", {"lam": lam}, (v * v + b * b) / 2))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("the kernel accepts λ = 1 alone, where the third equation holds", refused == len(instances)),
        ),
        steps=(
            Step(
                "x_1 = 0, y_1 = 1, one active unit: (5) gives w = 0, (6) gives b = λv, the margin v b = 1, so v = "
                "1/√λ, b = √λ"
            ),
            Step("the equation for v, v = λ b, holds for λ = 1 only"),
        ),
    )


GAP = Claim(
    id="safran2022.equations_5_6_third",
    source=Source(OWN_RESULT, "beside equations (5) and (6)"),
    title="Equations (5) and (6) alone leave a continuum",
    statement=(
        "For the point x = 0 with label 1 and one unit, every λ > 0 satisfies (5), (6), feasibility and slackness with "
        "v = 1/√λ, w = 0, b = √λ, at ½‖θ‖² = (λ + 1/λ)/2. Only λ = 1 is a KKT point: the third equation, v_j = Σ λ_i "
        "y_i [w_j "
        "x_i + b_j]₊, which the text does not print, is needed, and with it come v_j² = w_j² + b_j² and |s_j| = 1."
    ),
    latex=r"\tfrac12\|\theta\|^2=\tfrac12(\lambda+1/\lambda)",
    hypotheses=("one point, x = 0, y = 1; one unit with v > 0",),
    rests_on=("safran2022.equation_4",),
    formula="(lam + 1/lam)/2",
    symbols={"lam": "the multiplier λ"},
    controls=(
        Control("1", "as if (5) and (6) determined the point"),
        Control("lam", "½‖θ‖² = Σ λ_i, which needs the third equation"),
        Control("(lam**2 + 1/lam)/2", "b = λ"),
    ),
    checks=(
        Check(
            name="one unit",
            kind=Kind.CERTIFICATE,
            observe=observe_gap,
            about="the weights that (5), (6) and the margin give, and whether the kernel accepts them",
        ),
    ),
)


def observe_sum(context: Context) -> Evidence:
    """Σ λ_i against ½ Σ (v² + w² + b²), where w² + b² comes from equations (5) and (6)."""
    from .observed.kkt_points import families

    instances = []
    for found in families(context.random(), context.choose(14, 100)):
        point = found.point
        cost = Fraction(0)
        for unit in point.units:
            w, b = point.direction(unit)
            cost += (unit.square + unit.square * (w * w + b * b)) / 2
        given: dict[str, Value] = {
            "L": sum(point.multipliers.values(), Fraction(0)),
            "n": len(point.x),
            "k": len(point.units),
        }
        instances.append(Instance(found.name, given, cost))
    return Evidence(instances=tuple(instances))


def derive_sum(context: Context) -> Evidence:
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    v, s, t = symbol("v", "real"), symbol("s", "real"), symbol("t", "real")
    d = Derivation()
    d.step("s_j = Σ λ_i y_i σ'_ij (x_i, 1) = (s, t): (5) and (6) say (w_j, b_j) = v_j s_j")
    d.step("σ'(z) z = [z]₊, so the third equation says v_j = s_j·(w_j, b_j)")
    d.identity("so v = v|s|²: v = 0, or |s_j| = 1 and v² = w² + b²", s * (v * s) + t * (v * t), v * (s**2 + t**2))
    d.step("sum of v_j times the third equation, and slackness: Σ v_j² = Σ λ_i y_i N(x_i) = Σ λ_i")
    free: Any = {"a": "nonnegative", "m": "nonnegative", "p": "nonnegative"}
    identity = Identity(
        "½Σ(v² + w² + b²) with Σ v² = Σ(w² + b²) = Σ λ", free, {"L": "a", "n": "m", "k": "p"}, "(a + a)/2"
    )
    return Evidence(identities=(identity,), steps=d.steps)


SUM = Claim(
    id="safran2022.equation_4_multipliers",
    source=Source(OWN_RESULT, "beside problem (4)"),
    title="The multipliers add up to the objective",
    statement=(
        "At a KKT point v_j² = w_j² + b_j² for every unit, |s_j| = 1 for the units that are not 0, and Σ λ_i = Σ v_j² "
        "= "
        "½‖θ‖²: primal and dual values agree at every KKT point, optimal or not."
    ),
    latex=r"\sum_i\lambda_i=\sum_jv_j^2=\tfrac12\|\theta\|^2",
    rests_on=("safran2022.equation_4",),
    formula="L",
    symbols={"L": "Σ λ_i", "n": "number of points", "k": "number of units that are not 0"},
    controls=(
        Control("2*L", "‖θ‖² for ½‖θ‖²"),
        Control("L/2", "the mean of v² and w² + b² halved once more"),
        Control("L*n/2", "multipliers of the mean loss for those of its sum"),
        Control("k", "every unit of norm one"),
    ),
    checks=(
        Check(
            "the three equations",
            Kind.PROOF,
            derive_sum,
            "v = v|s|² from (5), (6) and the third equation, and their sum",
        ),
        Check("points in closed form", Kind.CERTIFICATE, observe_sum, "both sums at certified points, exactly"),
    ),
)

CLAIMS: tuple[Claim, ...] = (EQUATION_5, EQUATION_6, GAP, SUM)
