"""Equation (32): a function is its second derivative convolved with the ReLU, and an affine term. Which one?"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .observed.slope_jumps import end_lines, integral_against, jump, random_masses, relu


def observe_smooth(context: Context) -> Evidence:
    """f = ∫p(b)[x-b]_+ + q(b)[b-x]_+ db with quadratic p, q on [-M, M]; a and c are read off its left tail."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    x, b, M = symbol("x"), symbol("b"), symbol("M", "positive")
    k = [symbol(f"k{i}") for i in range(6)]
    p, q = k[0] + k[1] * b + k[2] * b**2, k[3] + k[4] * b + k[5] * b**2
    f = sympy.integrate(p * (x - b), (b, -M, x)) + sympy.integrate(q * (b - x), (b, x, M))
    left_tail = sympy.expand(sympy.integrate(q * (b - x), (b, -M, M)))
    right_tail = sympy.expand(sympy.integrate(p * (x - b), (b, -M, M)))
    u = sympy.diff(f, x, 2).subs(x, b)
    integral = sympy.integrate(sympy.expand(u * (x - b)), (b, -M, x))
    d = Derivation()
    d.step("Left of −M only the units that look to the left are on, all of them; right of M only the others.")
    d.identity("The second derivative is the sum of both densities.", u, p + q)
    given = {
        "I": from_sympy(sympy.expand(integral)),
        "a": from_sympy(left_tail.coeff(x, 1)),
        "c": from_sympy(left_tail.coeff(x, 0)),
        "e": from_sympy(right_tail.coeff(x, 1)),
        "x": "x",
    }
    variables = {s.name: "real" for s in (x, *k)} | {"M": "positive"}
    identity = Identity("|x| < M", variables, given, from_sympy(sympy.expand(f)))  # type: ignore[arg-type]
    return Evidence(identities=(identity,), steps=d.steps)


def observe_networks(context: Context) -> Evidence:
    """Sums of units of both orientations: u from slope jumps, a and c from the left end line, f from its values."""
    generator = context.random()
    instances = []
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
            instances.append(Instance(f"network {n}", {"I": integral, "a": a, "c": c, "e": e, "x": x}, f(x)))
    return Evidence(instances=tuple(instances))


def observe_unit(context: Context) -> Evidence:
    """The slope of v[wx+b]_+ at -∞ from its values, for weights and biases of all signs."""
    instances = []
    generator = context.random()
    simple = [(1, 1, 1), (1, -1, 1), (1, -1, -1), (-2, -3, 1), (-2, 3, 1), (5, 0, 1), (5, 0, -1), (0, -2, 1)]
    drawn = [tuple(generator.randint(-30, 30) for _ in range(3)) for _ in range(context.choose(40, 400))]
    for v, w, b in (*simple, *drawn):
        (slope, _), _ = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        instances.append(Instance(f"{v}·[{w}·x + {b}]₊", {"v": v, "w": w, "b": b}, slope))
    return Evidence(instances=tuple(instances))


def observe_unit_slope(context: Context) -> Evidence:
    """[z]_+ = z + [-z]_+ turns a unit that looks to the left into one that looks to the right, and an affine term."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    v, b, x, m = symbol("v"), symbol("b"), symbol("x"), symbol("m", "positive")
    z, t = symbol("z"), symbol("t", "positive")
    d = Derivation()
    d.identity("A ReLU and its mirror image differ by a linear function.", sympy.Max(z, 0), z + sympy.Max(-z, 0))
    identities = []
    for name, w in (("w > 0", m), ("w < 0", -m)):
        forward = v * m * sympy.Max(x + b / w, 0)
        affine = sympy.Integer(0) if name == "w > 0" else v * (w * x + b)
        for side, there in (("right", -b / w + t), ("left", -b / w - t)):
            d.identity(
                f"{name}, {side} of the kink: the unit is a forward unit with the same kink, and an affine term.",
                v * sympy.Max(sympy.expand(w * there + b), 0),
                forward.subs(x, there) + affine.subs(x, there),
            )
        given = {"v": "v", "w": from_sympy(w), "b": "b"}
        slope = from_sympy(sympy.diff(affine, x))
        identities.append(Identity(name, {"v": "real", "b": "real", "m": "positive"}, given, slope))
    return Evidence(identities=tuple(identities), steps=d.steps)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="savarese2019.equation_32",
        source=Source("savarese2019", "Section 4, equation (32)"),
        title="The ReLU as Green's function of the second derivative",
        statement=(
            "f(x) = ∫u(b)[x−b]₊ db + ax + c with u = f″: the affine term is the line that f follows towards −∞, a = "
            "f′(−∞) and c = lim (f(x) − ax) for x → −∞."
        ),
        latex=r"f(x) = \int u(b)[x-b]_+\,db + ax + c",
        hypotheses=("f″ integrable, and |b| f″(b) integrable for b < 0, so that the integral exists",),
        rests_on=("savarese2019.section_4_u_for_12",),
        formula="I + a*x + c",
        symbols={
            "I": "∫u(b)[x−b]₊ db with u = f″",
            "a": "f′(−∞)",
            "c": "the limit of f(x) − f′(−∞)x towards −∞",
            "e": "f′(+∞)",
            "x": "a point",
        },
        controls=(
            Control("I + e*x + c", "the slope at the other end"),
            Control("I + (a+e)/2*x + c", "the mean of the end slopes, right for the kernel |x−b|/2 of (17)"),
            Control("I + c", "no linear term: right for functions that are flat towards −∞"),
            Control("I - a*x + c", "the sign of the linear term"),
        ),
        checks=(
            Check("smooth functions", Kind.PROOF, observe_smooth, "both sides integrated for quadratic densities"),
            Check("networks", Kind.CERTIFICATE, observe_networks, "both sides from exact values"),
        ),
    ),
    Claim(
        id="savarese2019.equation_32_affine_term",
        source=Source(OWN_RESULT, "beside equation (32)"),
        title="What a unit gives to the affine term",
        statement=(
            "Written as in (32), the unit v[wx+b]₊ gives v·min(w,0) to the slope a, since [z]₊ = z + [−z]₊ turns a "
            "unit that looks to the left into one that looks to the right plus its argument. So a = Σ vᵢ min(wᵢ, 0)."
        ),
        latex=r"a = \sum_i v_i \min(w_i, 0)",
        rests_on=("savarese2019.equation_32", "savarese2019.equation_29"),
        formula="v*Min(w, 0)",
        symbols={"v": "the unit's output weight", "w": "its input weight", "b": "its bias"},
        controls=(
            Control("v*Max(w, 0)", "the slope towards +∞"),
            Control("v*w/2", "each unit shares its slope between both ends"),
            Control("v*Min(b, 0)", "the bias would decide"),
            Control("-Abs(v)*Max(-w, 0)", "the sign of the output weight lost"),
        ),
        checks=(
            Check("mirror image", Kind.PROOF, observe_unit_slope, "the unit rewritten with a forward unit"),
            Check("slope towards −∞", Kind.CERTIFICATE, observe_unit, "read off exact values far to the left"),
        ),
    ),
)
