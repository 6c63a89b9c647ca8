"""Proof of Theorem 3.1, (12) to (14): thresholds, the slope, and the second derivative of a network."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Measured,
    Observation,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.function_identity import FunctionIdentity

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
        yield shows(rewritten, f"w = {w}", for_all={"b": "real"}, w=w, b="b")


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


@proof("difference quotient")
def slopes_by_algebra(d: Derivation) -> None:
    """Difference quotients of a network with units of both orientations on both sides of x, symbolic masses."""

    slope = _slope_with_units_on_both_sides(d)
    variables: dict[str, Assumption] = dict.fromkeys(("u_below", "u_above", "v_below", "v_above"), "real")
    d.concludes(slope, "units of each orientation on each side of x", over=variables, A="u_below", B="v_above")


def _slope_with_units_on_both_sides(d: Derivation) -> Expr:
    """(f(x + h) - f(x))/h for thresholds x - p and x + h + q: p, h > 0, q >= 0, so that none lies between."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    p, h, q, x = symbol("p", "positive"), symbol("h", "positive"), symbol("q", "nonnegative"), symbol("x")
    masses = {name: symbol(name) for name in ("u_below", "u_above", "v_below", "v_above")}

    def f(y: sympy.Expr) -> sympy.Expr:
        below, above = x - p, x + h + q
        return (
            masses["u_below"] * sympy.Max(sympy.expand(y - below), 0)
            + masses["u_above"] * sympy.Max(sympy.expand(y - above), 0)
            + masses["v_below"] * sympy.Max(sympy.expand(below - y), 0)
            + masses["v_above"] * sympy.Max(sympy.expand(above - y), 0)
        )

    slope = sympy.expand((f(x + h) - f(x)) / h)
    d.step("thresholds x - p below and x + h + q above, masses u forward and v backward", "(f(x + h) - f(x))/h")
    d.identity("the quotient does not depend on h: it is the slope", f(x + h) - f(x), slope * h)
    return slope


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
    checks=(slopes_by_algebra, slopes_by_values),
    rests_on=("savarese2019.reparametrisation",),
)


@proof("second difference at a threshold")
def jumps_by_algebra(d: Derivation) -> None:
    """Slope after minus slope before a threshold that carries both orientations, symbolic masses."""
    import sympy

    u, v, h = d.symbols("u v", h="positive")

    def f(y: sympy.Expr) -> sympy.Expr:
        return u * sympy.Max(y, 0) + v * sympy.Max(-y, 0)

    d.step("at a threshold, moved to 0, with masses u and v; the rest of the network is affine there and drops out")
    jump = sympy.expand((f(h) - 2 * f(sympy.Integer(0)) + f(-h)) / h)
    d.identity("slope after minus slope before", (f(h) - f(sympy.Integer(0))) - (f(sympy.Integer(0)) - f(-h)), jump * h)
    d.concludes(jump, "one threshold", over={"u": "real", "v": "real"}, u="u", v="v")


@proof("smooth densities")
def smooth_densities(d: Derivation) -> None:
    """f of (12) for quadratic densities on [-M, M], integrated and differentiated twice."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    x, b, M = d.symbols("x b", M="positive")
    k = [symbol(f"k{i}") for i in range(6)]
    right, left = k[0] + k[1] * b + k[2] * b**2, k[3] + k[4] * b + k[5] * b**2
    f = sympy.integrate(right * (x - b), (b, -M, x)) + sympy.integrate(left * (b - x), (b, x, M))
    second = sympy.expand(sympy.diff(f, x, 2))
    d.step(
        "quadratic densities on |b| ≤ M, six free coefficients; each unit is integrated where it is active, |x| < M",
        "f(x) = ∫ α(1,b)[x−b]₊ + α(−1,b)[b−x]₊ db",
    )
    d.identity("f'' does not depend on where the densities are cut off", sympy.diff(second, M), 0 * M)
    over: dict[str, Assumption] = {s.name: "real" for s in (x, *k)}
    given = {"u": from_sympy(right.subs(b, x)), "v": from_sympy(left.subs(b, x))}
    d.concludes(second, "quadratic densities", over=over, **given)


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
    checks=(jumps_by_algebra, smooth_densities, jumps_by_values),
    rests_on=("savarese2019.equation_13",),
    formerly=("savarese2019.section_4_u_for_12",),
)
