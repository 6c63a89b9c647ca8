"""Proof of theorem 3.1, (12) to (14): thresholds, the slope, and the second derivative of a network."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import Claim, Control, Source
from implicitbias.exact.formula import Assumption

if TYPE_CHECKING:
    from implicitbias.claims.derivation import Derivation

Expr = Any  # sympy is not typed


def threshold_by_algebra(context: Context) -> Evidence:
    """Where w x + b changes sign, for both unit directions, and the unit rewritten around it."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    x, b = symbol("x"), symbol("b")
    d = Derivation()
    identities = []
    for w in (1, -1):
        (threshold,) = sympy.solve(w * x + b, x)
        d.identity(f"w = {w}: the unit in threshold form", sympy.Max(w * x + b, 0), sympy.Max(w * (x - threshold), 0))
        identities.append(Identity(f"w = {w}", {"b": "real"}, {"w": str(w), "b": "b"}, from_sympy(threshold)))
    return Evidence(identities=tuple(identities), steps=d.steps)


def threshold_by_values(context: Context) -> Evidence:
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
            instances.append(Instance("", {"w": w, "b": b}, place))
    return Evidence(instances=tuple(instances), measured={"units": len(instances)})


def _relu(w: int, b: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda x: max(w * x + b, Fraction(0))


REPARAMETRISATION = Claim(
    id="savarese2019.reparametrisation",
    source=Source("savarese2019", "proof of Theorem 3.1, before (12)"),
    title="Threshold of a unit",
    statement="For w = ±1, [w x + b]₊ = [w (x - b')]₊ with b' = -w b: the unit switches on or off at x = b'.",
    latex=r"[wx+b]_+=[w(x-b')]_+,\qquad b'=-wb",
    hypotheses=("w = 1 or w = -1",),
    formula="-w*b",
    symbols={"w": "direction of the unit, ±1", "b": "its bias"},
    controls=(
        Control("w*b", "the sign lost"),
        Control("-b", "right for w = 1 only"),
        Control("b", "right for w = -1 only"),
    ),
    checks=(
        Check("root of the argument", Kind.PROOF, threshold_by_algebra, "solve w x + b = 0 and rewrite the unit"),
        Check("values of the unit", Kind.CERTIFICATE, threshold_by_values, "where exact units leave zero"),
    ),
)


def slopes_by_algebra(context: Context) -> Evidence:
    """Difference quotients of a network with units of both orientations on both sides of x."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy

    d = Derivation()
    slope = _slope_with_units_on_both_sides(d)
    given = {"A": "u_below", "B": "v_above"}
    variables: dict[str, Assumption] = dict.fromkeys(("u_below", "u_above", "v_below", "v_above"), "real")
    return Evidence(
        identities=(Identity("units of each orientation on each side of x", variables, given, from_sympy(slope)),),
        steps=d.steps,
    )


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


def slopes_by_values(context: Context) -> Evidence:
    """Slopes of exact networks on every piece, as difference quotients."""
    from .observed.discrete_measures import measures

    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        for x in alpha.places:
            below = sum((u for b, u in zip(alpha.thresholds, alpha.forward, strict=True) if b < x), Fraction(0))
            above = sum((v for b, v in zip(alpha.thresholds, alpha.backward, strict=True) if b > x), Fraction(0))
            given = {"A": below, "B": above, "x": x, **alpha.in_words()}
            instances.append(Instance(label, given, alpha.slope(x)))
    return Evidence(instances=tuple(instances), measured={"slopes": len(instances)})


SLOPE = Claim(
    id="savarese2019.equation_13",
    source=Source("savarese2019", "(13)"),
    title="Slope of a network",
    statement=(
        "f'(x) = ∫_{b<x} α(1,b) db - ∫_{b>x} α(-1,b) db: forward units below x and backward units above x are active, "
        "the backward ones with slope -1."
    ),
    latex=r"f'(x)=\int\bigl(\alpha(1,b)H(x-b)-\alpha(-1,b)H(b-x)\bigr)\,db",
    hypotheses=("α has finite mass", "x is no atom of α"),
    rests_on=("savarese2019.reparametrisation",),
    formula="A - B",
    symbols={"A": "∫ α(1,b) db over b < x", "B": "∫ α(-1,b) db over b > x"},
    controls=(
        Control("A + B", "the inner derivative -1 of a backward unit forgotten"),
        Control("B - A", "forward and backward exchanged"),
        Control("A", "backward units forgotten"),
    ),
    checks=(
        Check(
            "difference quotient", Kind.PROOF, slopes_by_algebra, "units on both sides of x, symbolic masses and gaps"
        ),
        Check("slopes of exact networks", Kind.CERTIFICATE, slopes_by_values, "on every piece, from values only"),
    ),
)


def jumps_by_algebra(context: Context) -> Evidence:
    """Slope after minus slope before a threshold that carries both orientations."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    u, v, h = symbol("u"), symbol("v"), symbol("h", "positive")
    d = Derivation()

    def f(y: sympy.Expr) -> sympy.Expr:
        return u * sympy.Max(y, 0) + v * sympy.Max(-y, 0)

    d.step("at a threshold, moved to 0, with masses u and v; the rest of the network is affine there and drops out")
    jump = sympy.expand((f(h) - 2 * f(sympy.Integer(0)) + f(-h)) / h)
    d.identity("slope after minus slope before", (f(h) - f(sympy.Integer(0))) - (f(sympy.Integer(0)) - f(-h)), jump * h)
    return Evidence(
        identities=(Identity("one threshold", {"u": "real", "v": "real"}, {"u": "u", "v": "v"}, from_sympy(jump)),),
        steps=d.steps,
    )


def jumps_by_values(context: Context) -> Evidence:
    """Slope jumps of exact networks at every threshold, from values."""
    from .observed.discrete_measures import measures

    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        slopes = [alpha.slope(x) for x in alpha.places]
        for i, b in enumerate(alpha.thresholds):
            given = {"u": alpha.forward[i], "v": alpha.backward[i], "b": b, **alpha.in_words()}
            instances.append(Instance(label, given, slopes[i + 1] - slopes[i]))
    return Evidence(instances=tuple(instances), measured={"thresholds": len(instances)})


SECOND_DERIVATIVE = Claim(
    id="savarese2019.equation_14",
    source=Source("savarese2019", "(14)"),
    title="Second derivative of a network",
    statement=(
        "f'' = α(1,·) + α(-1,·) = α₊ as measures in threshold form: at each threshold the slope jumps by the total "
        "signed mass, whatever the orientation."
    ),
    latex=r"f''(x)=\alpha(1,x)+\alpha(-1,x)=\alpha_+(x)",
    hypotheses=("α has finite mass",),
    rests_on=("savarese2019.equation_13",),
    formula="u + v",
    symbols={"u": "α(1,b), mass of the forward unit", "v": "α(-1,b), mass of the backward unit"},
    controls=(
        Control("u - v", "the slope of a backward unit is -1, so one might subtract"),
        Control("Abs(u) + Abs(v)", "total variation in the place of the signed mass"),
        Control("u", "backward units forgotten"),
    ),
    checks=(
        Check("second difference at a threshold", Kind.PROOF, jumps_by_algebra, "symbolic masses"),
        Check(
            "slope jumps of exact networks", Kind.CERTIFICATE, jumps_by_values, "at every threshold, from values only"
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (REPARAMETRISATION, SLOPE, SECOND_DERIVATIVE)
