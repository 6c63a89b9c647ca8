"""Section 4: the second derivative of a function, read off the measure that represents it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Measured, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.calculus.parametric_integral import IntegralDerivative

from ..observed.units.slope_jumps import integral_against, jump, random_masses
from . import errata

ONE_SLIP = (
    "Sections 4 and 5 write a unit as [⟨w,x⟩ − b]₊, whereas (1) and (9), to which they refer, "
    "write [⟨w,x⟩ + b]₊. It shows in u for (9), in the place of the atoms in (29), and in the reference to (9) before "
    "(34)."
)
CHARITABLE = (
    "With units [⟨w,x⟩ − b]₊ every formula of Sections 4 and 5 is right as printed; replacing b by −b leaves the norm "
    "of the measure unchanged, so nothing that follows is affected."
)
HALF = Fraction(1, 2)


@theorem("smooth densities")
def smooth_9() -> Observation:
    """f of (9) in one dimension for quadratic densities on [-M, M], differentiated twice under the integral."""
    right, left = "(k + l*{0} + m*{0}**2)", "(p + q*{0} + n*{0}**2)"
    forward = IntegralDerivative(
        f"{right.format('b')}*relu(z + b)",
        "b",
        "-M",
        "M",
        "z",
        "y",
        knots=("-z",),
        antiderivatives=("0", "k*b + l*b**2/2 + m*b**3/3"),
        near=("z < M", "-M < z"),
    )
    backward = replace(
        forward,
        integrand=f"{left.format('b')}*relu(-z + b)",
        knots=("z",),
        antiderivatives=("0", "-(p*b + q*b**2/2 + n*b**3/3)"),
    )
    for label, slope, on in (("forward units", forward, ("1", "0")), ("backward units", backward, ("0", "1"))):
        yield shows(
            Derivative(slope, "y", "x", near=("y < M", "-M < y")),
            label,
            for_all={**dict.fromkeys(("x", "k", "l", "m", "p", "q", "n"), "real"), "M": "positive"},
            assuming=("x < M", "-M < x"),
            words=("any continuous densities, forward and backward together",),
            p=f"{on[0]}*{right.format('x')}",
            P=f"{on[0]}*{right.format('(-x)')}",
            q=f"{on[1]}*{left.format('x')}",
            Q=f"{on[1]}*{left.format('(-x)')}",
        )


@certificate("atoms")
def atoms_9(context: Context) -> Observation:
    """Exact slope jumps of f of (9) for atoms on a grid without symmetry."""
    yield from _atoms(context, lambda x, t: (relu(x + t), relu(t - x)))


def _atoms(context: Context, units: Callable[[Fraction, int], tuple[Fraction, Fraction]]) -> Observation:
    generator = context.random()
    places = range(-4, 5)
    single = [({t: Fraction(int(t == at)) for t in places}, {t: Fraction(0) for t in places}) for at in (1, -2)]
    drawn = [
        (random_masses(generator, places), random_masses(generator, places)) for _ in range(context.choose(48, 80))
    ]
    for n, (right, left) in enumerate([*single, *[(left, right) for right, left in single], *drawn]):

        def f(x: Fraction, right: dict[int, Fraction] = right, left: dict[int, Fraction] = left) -> Fraction:
            forward = integral_against(right, lambda t: units(x, t)[0])
            return forward + integral_against(left, lambda t: units(x, t)[1])

        for x in (0, 1, -1, 2, -2, 3, -4):
            label = f"measure {n}, the slope jump at x = {x}"
            yield seen(jump(f, Fraction(x), HALF), label, p=right[x], q=left[x], P=right[-x], Q=left[-x], x=x)
    yield Measured("measures", len(drawn) + 4)


SYMBOLS = {
    "p": "α(1, x), the weight of the forward units, at b = x",
    "q": "α(−1, x), the weight of the backward units, at b = x",
    "P": "α(1, −x)",
    "Q": "α(−1, −x)",
}

U_FOR_9 = claim(
    "savarese2019.section_4_u_for_9",
    "Section 4, u for the representation (9)",
    "Second derivative for the representation (9)",
    """If f(x) = ∫ (α(1,b)[x+b]₊ + α(−1,b)[−x+b]₊) db + c, which is (9) for d = 1, then u(x) = α(1,−x) + α(−1,x): the
    unit [wx+b]₊ with w = ±1 has its kink at −wb.""",
    part_of="savarese2019.equation_30",
    latex=r"u(x) = \alpha(1,-x) + \alpha(-1,x)",
    formula="P + q",
    symbols=SYMBOLS,
    flaw=Flaw(errata.SIGN_OF_THE_BIAS, "p + Q"),
    controls={
        "p + q": "what holds for the representation (12) instead",
        "P - q": "a backward unit would bend the function down",
        "P + Q": "only one of the two orientations has its sign corrected",
    },
    checks=(smooth_9, atoms_9),
)
