"""Equation (32): a function is its second derivative convolved with the ReLU, plus an affine term."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.units.slope_jumps import end_lines, integral_against, jump, random_masses


@theorem("smooth functions")
def smooth() -> Observation:
    """f = ∫ u[x-b]_+ + v[b-x]_+ plus a constant, for any measure over thresholds in (-M, M); u + v is f″ there. The
    line to the left is the tangent at -M, the last slope that at M.
    """
    units = "u*ramp(1, b, z) + v*ramp(-1, b, z)"
    first, last = Derivative(units, "z", at="-M"), Derivative(units, "z", at="M")
    integral = MeasureIntegral(
        term="u*ramp(1, b, x) + v*ramp(-1, b, x)",
        entries={"u": "real", "v": "real", "b": "real"},
        where=("b > -M", "b < M"),
        totals={
            "I": "(u + v)*ramp(1, b, x)",
            "a": first,
            "h": Composition("u*ramp(1, b, -M) + v*ramp(-1, b, -M) + M*slope", {"slope": first}),
            "e": last,
        },
        by={"I": "1", "a": "x", "h": "1"},
    )
    yield shows(
        Composition("f + k", {"f": integral}),
        for_all={**dict.fromkeys(("I", "a", "h", "e", "k", "x"), "real"), "M": "positive"},
        I="I",
        a="a",
        c="h + k",
        e="e",
        x="x",
    )


@certificate("networks")
def networks(context: Context) -> Observation:
    """Sums of units of both orientations: u from slope jumps, a and c from the left end line, f from its values."""
    generator = context.random()
    places = range(-3, 4)
    for n in range(context.choose(8, 80)):
        right, left = random_masses(generator, places), random_masses(generator, places)

        def f(x: Fraction, right: dict[int, Fraction] = right, left: dict[int, Fraction] = left) -> Fraction:
            forward = integral_against(right, lambda t: relu(x - t))
            return 2 + forward + integral_against(left, lambda t: relu(t - x))

        (a, c), (e, _) = end_lines(f)
        u = {place: jump(f, Fraction(place), Fraction(1, 2)) for place in places}
        for x in (Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(-5), Fraction(7, 3)):
            integral = integral_against(u, lambda t, x=x: relu(x - t))  # type: ignore[misc]
            yield seen(f(x), f"network {n}", I=integral, a=a, c=c, e=e, x=x)


@certificate("slope towards −∞")
def unit(context: Context) -> Observation:
    """The slope of v[wx+b]_+ at -∞ from exact values, for weights and biases of all signs."""
    generator = context.random()
    simple = [(1, 1, 1), (1, -1, 1), (1, -1, -1), (-2, -3, 1), (-2, 3, 1), (5, 0, 1), (5, 0, -1), (0, -2, 1)]
    drawn = [tuple(generator.randint(-30, 30) for _ in range(3)) for _ in range(context.choose(40, 400))]
    for v, w, b in (*simple, *drawn):
        (slope, _), _ = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        yield seen(slope, f"{v}·[{w}·x + {b}]₊", v=v, w=w, b=b)


@theorem("the only line")
def the_only_line() -> Observation:
    """The only a with v[wx+b]₊ = k[x−t]₊ + ax + e for all x, by two points left of both kinks."""
    cases: tuple[tuple[str, str, dict[str, Assumption], str, str, str], ...] = (
        ("w > 0", "w", {"w": "positive"}, "0", "-b/w", "0"),
        ("w < 0", "w", {"w": "negative"}, "v*w", "-b/w", "v*b"),
        ("w = 0", "0", {}, "0", "0", "v*relu(b)"),
    )
    for label, w, domain, slope, kink, constant in cases:
        forward_and_line = FunctionIdentity(
            f"unit(v, {w}, b, x)",
            "k*relu(x - t) + a*x + e",
            unknowns={"a": "real", "k": "real", "t": "real", "e": "real"},
            of="a",
            solution={"a": slope, "k": f"v*Abs({w})", "t": kink, "e": constant},
            at={"a": (f"Min(t, {kink}) - 1", f"Min(t, {kink}) - 2")},
        )
        yield shows(forward_and_line, label, for_all={"v": "real", "b": "real", **domain}, v="v", w=w, b="b")


EQUATION_32 = claim(
    "savarese2019.equation_32",
    "Section 4, equation (32)",
    "The ReLU as Green's function of the second derivative",
    """f(x) = ∫u(b)[x−b]₊ db + ax + c with u = f″: the affine term is the line that f follows towards −∞, a = f′(−∞) and
    c = lim (f(x) − ax) for x → −∞.""",
    part_of="savarese2019.equation_30",
    latex=r"f(x) = \int u(b)[x-b]_+\,db + ax + c",
    hypotheses=("f″ integrable, and |b| f″(b) integrable for b < 0, so that the integral exists",),
    formula="I + a*x + c",
    symbols={
        "I": "∫u(b)[x−b]₊ db with u = f″",
        "a": "f′(−∞)",
        "c": "the limit of f(x) − f′(−∞)x towards −∞",
        "e": "f′(+∞)",
        "x": "a point",
    },
    controls={
        "I + e*x + c": "the slope at the other end",
        "I + (a+e)/2*x + c": "the mean of the end slopes, right for the kernel |x−b|/2 of (17)",
        "I + c": "no linear term: right for functions that are flat towards −∞",
        "I - a*x + c": "the sign of the linear term",
    },
    checks=(smooth, networks),
    rests_on=("savarese2019.equation_14",),
)


AFFINE_TERM = claim(
    "savarese2019.equation_32_affine_term",
    "beside equation (32)",
    "Contribution of a unit to the affine term",
    """Written as in (32), the unit v[wx+b]₊ contributes v·min(w,0) to the slope a, since [z]₊ = z + [−z]₊ turns a
    backward unit into a forward one plus its argument.""",
    part_of="savarese2019.equation_30",
    latex=r"v[wx+b]_+ = k[x-t]_+ + ax + e\ \Rightarrow\ a = v\min(w, 0)",
    formula="v*Min(w, 0)",
    symbols={"v": "the unit's output weight", "w": "its input weight", "b": "its bias"},
    controls={
        "v*Max(w, 0)": "the slope towards +∞",
        "v*w/2": "the slope of each unit divided between both ends",
        "v*Min(b, 0)": "the bias would decide",
        "-Abs(v)*Max(-w, 0)": "the sign of the output weight lost",
    },
    checks=(the_only_line, unit),
    rests_on=("savarese2019.equation_32", "savarese2019.equation_29"),
    own=True,
)
