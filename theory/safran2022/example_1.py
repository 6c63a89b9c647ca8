"""Example 1: a flow that ends at a KKT point which is not an optimum."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from implicitbias.claims import Context, Observation, Premise, Rule, Step, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import relu

from ..observed.units.unit_lists import Unit, squares, value

X = (Fraction(4), Fraction(-4))
STAR: list[Unit] = [(Fraction(0), Fraction(1), Fraction(1)), (Fraction(0), Fraction(0), Fraction(0))]
HALF = Fraction(1, 2)
PRIME: list[Unit] = [(HALF, Fraction(0), HALF), (-HALF, Fraction(0), HALF)]


@certificate("multipliers in rationals")
def multipliers(context: Context) -> Observation:
    """Whether multipliers exist for θ*, θ' and scaled versions of them, by a linear programme in rationals."""
    from implicitbias.convex.kkt.points import exact_kkt
    from implicitbias.functions.network import Network

    candidates: list[tuple[str, list[Unit]]] = [("θ*", STAR), ("θ'", PRIME)]
    for t in (Fraction(3), Fraction(1, 5)):
        candidates.append((f"{t} θ*", [(t * w, t * b, t * v) for w, b, v in STAR]))
        candidates.append((f"{t} θ'", [(t * w, t * b, t * v) for w, b, v in PRIME]))
    c = Fraction(4, 5)
    candidates.append(("units along the points", [(c, c / 4, c * 17 / 16), (-c, c / 4, c * 17 / 16)]))
    halves = False
    for name, units in candidates:
        w, b, v = (list(row) for row in zip(*units, strict=True))
        answer = exact_kkt(Network(w, b, v), [-4, 4], [1, 1])
        yield seen(
            answer.point is not None,
            name,
            units=tuple(units),
            norm=squares(units),
            margin=min(value(units, x) for x in X),
        )
        if name == "θ*" and answer.point is not None:
            halves = list(answer.point.multipliers.values()) == [HALF, HALF]
    yield Premise("the multipliers of θ* are (1/2, 1/2)", halves)
    yield Step("θ*: one constant unit, Σ λ = 1, Σ λ x = 0: λ = (1/2, 1/2)")
    yield Step("θ': w_1 = 1/2 asks λ_1 = 1/4 of (5), and then (6) gives b_1 = 1/8, not 0")


@rule("constant units only")
def _constant(given: Mapping[str, Value]) -> bool:
    """of these networks those with w = 0 are KKT points"""
    return all(w == 0 for w, _, _ in cast(Any, given["units"]))


POINTS = claim(
    "safran2022.example_1_kkt",
    "Example 1, θ* and θ'",
    "θ* is a KKT point, θ' is not",
    """θ* (one constant unit) is a KKT point of problem (4), with multipliers (1/2, 1/2). The better network θ' with w =
    ±1/2, b = 0, v = 1/2 is feasible but not a KKT point: (6) would give its units the bias 1/8.""",
    latex=r"""\theta^*:\ \lambda=(\tfrac12,\tfrac12);\qquad\theta':\ \lambda_1=\tfrac14,\
    b'_1=0\ne\tfrac18=\lambda_1v'_1""",
    formula=_constant,
    controls={
        Rule(
            "both", "every network with smallest margin above 0", lambda given: cast(Fraction, given["margin"]) > 0
        ): "θ' is used to beat θ*, so it must be a KKT point too",
        Rule(
            "the better one", "those with ‖θ‖² at most 1", lambda given: cast(Fraction, given["norm"]) <= 1
        ): "the smaller norm decides",
        Rule("none", "no network", lambda given: False): "a unit that is 0 spoils θ*",
    },
    checks=(multipliers,),
    rests_on=("safran2022.equation_4",),
)


@certificate("derivatives at the ray")
def gradient(context: Context) -> Observation:
    """All six derivatives of -L at (w_1, b_1, v_1) = (0, p, p) with unit 2 at 0, over |ℓ'(p²)|, in rationals, for
    several choices of σ'(0) in unit 2; and both losses at θ(0), in balls.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    draw, still = context.random(), True
    for p in (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(draw.randint(3, 30), 7)):
        for selection in (Fraction(0), Fraction(1), Fraction(draw.randint(1, 6), 7)):
            theta: list[Unit] = [(Fraction(0), p, p), (Fraction(0), Fraction(0), Fraction(0))]
            # -∂L = (1/n) Σ |ℓ'(q_i)| y_i ∂N(x_i), q_i = p² at both points
            grows = []
            for w, b, v in theta:
                shares = [Fraction(1) if w * x + b > 0 else selection for x in X]
                by_w = sum((v * c * x for c, x in zip(shares, X, strict=True)), Fraction(0)) / 2
                by_b = sum((v * c for c in shares), Fraction(0)) / 2
                by_v = sum((relu(w * x + b) for x in X), Fraction(0)) / 2
                grows.append((by_w, by_b, by_v))
            still = still and not any(grows[1])
            yield seen(grows[0], f"σ'(0) = {selection}", p=p, c=selection)
    outputs = [value(STAR, x) for x in X]
    losses = {"exp(-1)": Fraction(1, 2), "log(1 + exp(-1))": enclose("log(2)/2")}
    below = all(compare(enclose(loss), most) is Comparison.LESS for loss, most in losses.items())
    yield Premise("unit 2 has derivative 0, whatever is selected at its kink", still)
    yield Premise("outputs 1 at both points of θ(0): ℓ(1) is below l(0)/n for both losses", outputs == [1, 1] and below)
    yield Step(
        "on (w_1, b_1, v_1) = (0, p, p) the flow is p' = |ℓ'(p²)| p: the direction stays, p and the margin p² "
        "grow without bound"
    )
    yield Step(
        "every derivative of unit 2 is at most a constant times its own size, so by Gronwall's lemma no "
        "solution leaves 0"
    )


GRADIENT = claim(
    "safran2022.example_1_flow",
    "Example 1, Appendix B",
    "Direction of the flow in Example 1",
    """On (w_1, b_1, v_1) = (0, p, p), with the second unit 0, the derivative of -L by (w_1, b_1, v_1) is |ℓ'(p²)|·(0,
    p, p), and 0 by the second unit, for every choice of σ'(0): gradient flow stays on this ray, so its limit direction
    is that of θ(0). At p = 1, the start, L(θ(0)) = ℓ(1) is e⁻¹ for the exponential and log(1 + e⁻¹) for the logistic
    loss, below l(0)/n as Theorem 4.1 needs.""",
    latex=r"-\nabla L=|\ell'(p^2)|\,(0,p,p;\,0,0,0)",
    formula=Rule(
        "along the ray", "(0, p, p)", lambda given: (0, cast(Fraction, given["p"]), cast(Fraction, given["p"]))
    ),
    controls={
        Rule(
            "the sum", "(0, 2p, 2p)", lambda given: (0, 2 * cast(Fraction, given["p"]), 2 * cast(Fraction, given["p"]))
        ): "the sum of the losses, not the mean",
        Rule(
            "the weight moves",
            "(4p, p, p)",
            lambda given: (4 * cast(Fraction, given["p"]), cast(Fraction, given["p"]), cast(Fraction, given["p"])),
        ): "one of the points alone",
        Rule(
            "as selected",
            "(0, p c, p)",
            lambda given: (0, cast(Fraction, given["p"]) * cast(Fraction, given["c"]), cast(Fraction, given["p"])),
        ): "as if unit 1 were at its kink",
    },
    checks=(gradient,),
    formerly=("safran2022.example_1_loss",),
    part_of="safran2022.example_1_kkt",
)


@certificate("exact norms")
def exact_norms(context: Context) -> Observation:
    """Margins and ‖θ‖² of [t x]_+/t + [-t x]_+/t scaled to margin 1 at ±4, in rationals; t = 1 is θ'."""
    draw, feasible = context.random(), True
    above = [1 + Fraction(1, d) for d in (1, 2, 3, 4, 6, 9, 13, 20, 40)] + [Fraction(3), Fraction(10)]
    above += [1 + Fraction(draw.randint(1, 300), 100) for _ in range(40)]
    for t in (Fraction(1), *above, *(1 / t for t in above)):
        units: list[Unit] = [(t * HALF, Fraction(0), HALF / t), (-t * HALF, Fraction(0), HALF / t)]
        feasible = feasible and all(value(units, x) == 1 for x in X)
        yield seen(squares(units), "θ'" if t == 1 else f"θ' with its layers scaled by {t}", t=t)
    star = squares(STAR)
    yield Premise("margins 1 at both points", feasible and all(value(STAR, x) == 1 for x in X))
    yield Premise("‖θ*‖² = 2 is more", star == 2 and star > squares(PRIME))


BETTER = claim(
    "safran2022.example_1_better",
    "Example 1, ‖θ'‖² = 1 < 2 = ‖θ*‖²",
    "A better network than the limit",
    """θ' has margins 1 at ±4 and ‖θ'‖² = 1 < 2 = ‖θ*‖², so θ* is not a global optimum of problem (4). With its layers
    scaled by t and 1/t, which changes no output, ‖·‖² = (t² + 1/t²)/2.""",
    latex=r"\|\theta'\|^2=\tfrac12\bigl(t^2+t^{-2}\bigr)\big|_{t=1}=1<2=\|\theta^*\|^2",
    formula="(t**2 + 1/t**2)/2",
    symbols={"t": "scale of the first layer of θ', the second one scaled by 1/t"},
    controls={
        "1": "as if the norm did not depend on the scaling",
        "t**2 + 1/t**2": "one unit counted twice",
        "(t**2 + 1)/2": "the first layer alone",
    },
    checks=(exact_norms,),
    part_of="safran2022.example_1_kkt",
)
