"""Proof of Theorem 3.1, (12) to (14): thresholds, the slope, and the second derivative of a network."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Measured,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.calculus.parametric_integral import IntegralDerivative
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity

from ..observed.measures.discrete_measures import measures

Expr = Any  # sympy is not typed


@theorem("the only threshold")
def the_only_threshold() -> Observation:
    """The only t with [w x + b]₊ = [w(x - t)]₊ for all x, for both unit directions."""
    for w in ("1", "-1"):
        rewritten = FunctionIdentity(
            f"relu(({w})*x + b)",
            f"ramp({w}, t, x)",
            unknowns={"t": "real"},
            of="t",
            solution={"t": f"-({w})*b"},
            at={"t": f"({w})*(1 - b)"},
        )
        yield shows(rewritten, f"w = {w}", for_all={"b": "real"}, indifferent_to=("relu",), w=w, b="b")


@certificate("values of the unit")
def threshold_by_values(context: Context) -> Observation:
    """The place where x ↦ [w x + b]_+ leaves zero, found from values of the unit alone."""
    random = context.random()
    biases = [Fraction(b) for b in (0, 1, -1, 3)] + [
        Fraction(random.randint(-60, 60), random.randint(1, 9)) for _ in range(context.choose(16, 100))
    ]
    instances = []
    for b in biases:
        for w in (1, -1):
            unit = _relu(w, b)
            inside = Fraction(w) * (abs(b) + 1)
            place = inside - unit(inside) / (unit(inside + 1) - unit(inside))
            if unit(place) != 0 or unit(place + Fraction(w, 1000)) <= 0 or unit(place - w) != 0:
                raise ArithmeticError(f"the unit w={w}, b={b} does not switch at {place}")
            instances.append(seen(place, w=w, b=b))
    yield from instances
    yield Measured("units", len(instances))


def _relu(w: int, b: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda x: max(w * x + b, Fraction(0))


REPARAMETRISATION = claim(
    "savarese2019.reparametrisation",
    "proof of Theorem 3.1, before (12)",
    "Threshold of a unit",
    "For w = ±1, [w x + b]₊ = [w (x - b')]₊ with b' = -w b: the unit switches on or off at x = b'.",
    part_of="savarese2019.theorem_3_1",
    latex=r"[wx+b]_+=[w(x-b')]_+,\qquad b'=-wb",
    hypotheses=("w = 1 or w = -1",),
    formula="-w*b",
    symbols={"w": "direction of the unit, ±1", "b": "its bias"},
    controls={"w*b": "the sign lost", "-b": "right for w = 1 only", "b": "right for w = -1 only"},
    checks=(the_only_threshold, threshold_by_values),
)


THRESHOLD_UNITS = "{u}*relu(z - {b}) + {v}*relu({b} - z)"
"""The units at a threshold, forward and backward."""

ATOMS = ("other thresholds, and a measure of finite mass in place of a sum, by linearity",)


@theorem("derivative between thresholds")
def slopes_by_derivative() -> Observation:
    """The derivative of a network with units of both orientations at thresholds on both sides of x."""
    sides = (THRESHOLD_UNITS.format(u="u", v="v", b="b"), THRESHOLD_UNITS.format(u="p", v="q", b="c"))
    yield shows(
        Derivative(" + ".join(sides), "z", "x"),
        for_all=dict.fromkeys("xbcuvpq", "real"),
        assuming=("b < x", "x < c"),
        words=ATOMS,
        A="u",
        B="q",
    )


@certificate("slopes of exact networks")
def slopes_by_values(context: Context) -> Observation:
    """Slopes of exact networks on every piece, as difference quotients of values."""
    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        for x in alpha.places:
            below = sum((u for b, u in zip(alpha.thresholds, alpha.forward, strict=True) if b < x), Fraction(0))
            above = sum((v for b, v in zip(alpha.thresholds, alpha.backward, strict=True) if b > x), Fraction(0))
            instances.append(seen(alpha.slope(x), label, A=below, B=above, x=x, **alpha.in_words()))
    yield from instances
    yield Measured("slopes", len(instances))


SLOPE = claim(
    "savarese2019.equation_13",
    "(13)",
    "Slope of a network",
    """f'(x) = ∫_{b<x} α(1,b) db - ∫_{b>x} α(-1,b) db: forward units below x and backward units above x are active, the
    backward ones with slope -1.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"f'(x)=\int\bigl(\alpha(1,b)H(x-b)-\alpha(-1,b)H(b-x)\bigr)\,db",
    hypotheses=("α has finite mass", "x is not an atom of α"),
    formula="A - B",
    symbols={"A": "∫ α(1,b) db over b < x", "B": "∫ α(-1,b) db over b > x"},
    controls={
        "A + B": "the inner derivative -1 of a backward unit forgotten",
        "B - A": "forward and backward exchanged",
        "A": "backward units forgotten",
    },
    checks=(slopes_by_derivative, slopes_by_values),
    rests_on=("savarese2019.reparametrisation",),
)


@theorem("jump of the derivative at a threshold")
def jump_at_a_threshold() -> Observation:
    """f' after minus f' before a threshold that carries both orientations, with other thresholds on both sides."""
    network = " + ".join(
        THRESHOLD_UNITS.format(u=u, v=v, b=b) for u, v, b in (("k", "l", "a"), ("u", "v", "b"), ("p", "q", "c"))
    )
    yield shows(
        Derivative(network, "z", "b", side="jump"),
        for_all=dict.fromkeys("abcuvklpq", "real"),
        assuming=("a < b", "b < c"),
        words=ATOMS,
        u="u",
        v="v",
    )


@theorem("smooth densities")
def smooth_densities() -> Observation:
    """f of (12) for quadratic densities on [-M, M], differentiated twice under the integral."""
    right, left = "(k + l*{0} + m*{0}**2)", "(p + q*{0} + n*{0}**2)"
    slope = IntegralDerivative(
        f"{right.format('b')}*relu(z - b) + {left.format('b')}*relu(b - z)",
        "b",
        "-M",
        "M",
        "z",
        "y",
        knots=("z",),
        antiderivatives=("k*b + l*b**2/2 + m*b**3/3", "-(p*b + q*b**2/2 + n*b**3/3)"),
        near=("z < M", "-M < z"),
    )
    yield shows(
        Derivative(slope, "y", "x", near=("y < M", "-M < y")),
        for_all={**dict.fromkeys(("x", "k", "l", "m", "p", "q", "n"), "real"), "M": "positive"},
        assuming=("x < M", "-M < x"),
        words=("any continuous densities in the place of quadratic ones",),
        u=right.format("x"),
        v=left.format("x"),
    )


@certificate("slope jumps of exact networks")
def jumps_by_values(context: Context) -> Observation:
    """Slope jumps of exact networks at every threshold, from values."""
    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        slopes = [alpha.slope(x) for x in alpha.places]
        for i, b in enumerate(alpha.thresholds):
            instances.append(
                seen(slopes[i + 1] - slopes[i], label, u=alpha.forward[i], v=alpha.backward[i], b=b, **alpha.in_words())
            )
    yield from instances
    yield Measured("thresholds", len(instances))


SECOND_DERIVATIVE = claim(
    "savarese2019.equation_14",
    "(14), and Section 4 for the representation (12)",
    "Second derivative of a network",
    """f'' = α(1,·) + α(-1,·) = α₊ as measures in threshold form: at each threshold the slope jumps by the total signed
    mass, independently of the orientation. In Section 4 this is u for the representation (12).""",
    part_of="savarese2019.theorem_3_1",
    latex=r"f''(x)=\alpha(1,x)+\alpha(-1,x)=\alpha_+(x)",
    hypotheses=("α has finite mass",),
    formula="u + v",
    symbols={"u": "α(1,b), mass of the forward unit", "v": "α(-1,b), mass of the backward unit"},
    controls={
        "u - v": "the slope of a backward unit is -1, so one might subtract",
        "Abs(u) + Abs(v)": "total variation instead of the signed mass",
        "u": "backward units forgotten",
    },
    checks=(jump_at_a_threshold, smooth_densities, jumps_by_values),
    rests_on=("savarese2019.equation_13",),
    formerly=("savarese2019.section_4_u_for_12",),
)
