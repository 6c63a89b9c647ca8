"""Section 3: networks with the constant in the input, normalised units, networks as measures."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
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
from implicitbias.theorems.rules.solutions.solution import Solution

CIRCLE_POINTS = 4000
"""Number of directions at which the integrand is evaluated."""


@theorem("the only weight that keeps the unit")
def weight_of_the_normalised_unit() -> Observation:
    """The output weight of the unit with a direction of length 1, from one input (p, q) at which the unit is active.

    By the half-angle every direction but one, and that one.
    """
    directions: tuple[tuple[str, str, str, dict[str, Assumption]], ...] = (
        ("a = r(1 - u², 2u)/(1 + u²)", "(1 - u**2)/(1 + u**2)", "2*u/(1 + u**2)", {"u": "real"}),
        ("a = (-r, 0)", "-1", "0", {}),
    )
    for label, first, second, angle in directions:
        at = f"{first}, {second}, p, q"
        over: dict[str, Assumption] = {"r": "positive", "b": "real", "p": "real", "q": "real", **angle}
        yield shows(
            Solution(
                unknowns={"y": "real"},
                equations=(f"y*relu(plane_dot({at})) - b*relu(r*plane_dot({at}))",),
                of="y",
                solution={"y": "b*r"},
            ),
            label,
            for_all=over,
            assuming=(f"({first})*p + ({second})*q > 0",),
            a=f"r*({first})",
            c=f"r*({second})",
            b="b",
        )


@certificate("solved from one input")
def solved_from_one_input(context: Context) -> Observation:
    """The output weight that keeps the network once a_j has length 1: solved at one input, tested at twelve."""
    draw = context.random()
    rows = [(3, 4, 5), (-5, 12, 13), (8, -15, 17), (-7, -24, 25), (1, 0, 1), (0, -2, 2), (20, 21, 29)]
    same, zero = True, Fraction(0)
    for p, q, length in rows:
        scale, b = Fraction(draw.randint(1, 9), 4), Fraction(draw.randint(-20, 20), 3)
        a, c = p * scale, q * scale
        unit = (Fraction(p, length), Fraction(q, length))
        on = (unit[0], unit[1])  # aᵀx > 0 here
        new = b * (a * on[0] + c * on[1]) / (unit[0] * on[0] + unit[1] * on[1])
        for _ in range(12):
            x = (Fraction(draw.randint(-9, 9)), Fraction(draw.randint(-9, 9), 2))
            same = same and b * max(zero, a * x[0] + c * x[1]) == new * max(zero, unit[0] * x[0] + unit[1] * x[1])
        yield seen(new, f"a = ({a}, {c})", a=a, c=c, b=b)
    yield Premise("the network is unchanged at twelve other inputs", same)


NORMALISED = claim(
    "stewart2022.section_3_1_normalised",
    "Section 3.1",
    "Units of length one",
    """With x_d = 1 the last entry of a_j is a bias inside the ReLU (equation (2)). Dividing a_j by its norm and
    multiplying b_j by it leaves the network as it is: the weight of the normalised unit is b_j ‖a_j‖.""",
    latex=r"b_j(a_j^\top x)_+=b_j\|a_j\|\big((a_j/\|a_j\|)^\top x\big)_+",
    hypotheses=("a_j ≠ 0 (a zero unit has no direction, and contributes nothing)",),
    formula="b*sqrt(a**2 + c**2)",
    symbols={"a": "a_{j,1}", "c": "a_{j,2}", "b": "b_j"},
    controls={
        "b/sqrt(a**2 + c**2)": "divided twice",
        "b*(Abs(a) + Abs(c))": "the l1 norm",
        "b*Abs(a)": "the factor of Section 5.1",
        "b": "homogeneous of degree 0",
    },
    checks=(weight_of_the_normalised_unit, solved_from_one_input),
    part_of="stewart2022.equation_9",
    formerly=("stewart2022.equation_2",),
)


@proof("integral of the cosine")
def integral_of_the_cosine(d: Derivation) -> None:
    """The integral for every x ≠ 0 up to one direction, symbolically."""
    import sympy

    (r,) = d.symbols(r="positive")
    theta = sympy.Symbol("theta", real=True)
    value = sympy.integrate(r * sympy.cos(theta), (theta, -sympy.pi / 2, sympy.pi / 2))
    d.step("x = r(cos φ, sin φ), a = (cos(φ + θ), sin(φ + θ)): aᵀx = r cos θ, positive for |θ| < π/2")
    d.identity("the integral over this half of the circle", value, 2 * r)
    variables: dict[str, Assumption] = {"r": "positive", "u": "real"}
    d.concludes(value, "x = r(1 - u², 2u)/(1 + u²)", over=variables, x="r*(1 - u**2)/(1 + u**2)", z="2*r*u/(1 + u**2)")


@certificate("four thousand directions")
def four_thousand_directions(context: Context) -> Observation:
    """A sum over equally spaced directions; the Lipschitz constant r of the integrand bounds its error."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    step = 2 * flint.arb.pi() / CIRCLE_POINTS
    directions = [((step * j).cos(), (step * j).sin()) for j in range(CIRCLE_POINTS)]
    for x, z in ((1, 0), (0, 2), (3, 4), (-1, 1), (-2, -5), (0, -1)):
        terms = (c * x + s * z for c, s in directions)
        total = from_arb(step * sum(((t + abs(t)) / 2 for t in terms), flint.arb(0)))
        length = (flint.arb(x * x + z * z)).sqrt()
        error = from_arb(2 * flint.arb.pi() * length * step / 4)
        yield seen(Interval(total.lower - error.upper, total.upper + error.upper), f"x = ({x}, {z})", x=x, z=z)
    yield Step(f"{CIRCLE_POINTS} directions; a periodic function with Lipschitz constant r errs by at most 2πr·h/4")


UNIFORM = claim(
    "stewart2022.equation_3",
    "equation (3)",
    "A network with all directions",
    """∫ (aᵀx)_+ dν(a) with ν the arc length on the unit circle is 2‖x‖: equation (3) contains finite networks (ν a sum
    of Diracs), and functions that no finite network represents.""",
    latex=r"\int_{S^1}(a^\top x)_+\,da=2\|x\|",
    hypotheses=("d = 2",),
    formula="2*sqrt(x**2 + z**2)",
    symbols={"x": "x_1", "z": "x_2"},
    controls={
        "pi*sqrt(x**2 + z**2)": "half of the circle's length for the integral of the cosine",
        "4*sqrt(x**2 + z**2)": "the integral without the positive part's half",
        "2*(Abs(x) + Abs(z))": "the l1 norm",
    },
    checks=(integral_of_the_cosine, four_thousand_directions),
    part_of="stewart2022.equation_9",
)
