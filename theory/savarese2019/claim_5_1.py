"""Claim 5.1: for a non-negative measure the norm is the growth rate of the integrated Laplacian."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Interval,
    Observation,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.limit import Limit
from implicitbias.theorems.rules.values.value import Value

from ..observed.functions.bump_far import FAR, far_out
from ..observed.functions.sphere import BITS, DIMENSIONS, area, ball, ball_volume, integrate_in_balls

REMOTE = 2**500
"""A radius: what is enclosed for it is enclosed for every larger one."""
BIASES = 2**300
"""All atoms but the last ones of the measure without bound have biases of at most this size."""


def slice_ratio(d: int, radius: Any, r: Any) -> Any:
    """The contribution of a unit of bias b to ∫_{|x|≤r} Δf dx / (r^(d-1) V^(d-1)), where radius² = r² - b².

    Its Laplacian is the area measure on the hyperplane <w,x> = b, which meets the ball in a (d-1)-ball of that radius.
    """
    import sympy

    angle = sympy.Symbol("phi", real=True)
    # (d-1)-ball of that radius R, cut once more: ∫_{-R}^{R} V^(d-2) (R²-t²)^((d-2)/2) dt with t = R sin φ
    cut = sympy.integrate(sympy.cos(angle) ** (d - 1), (angle, -sympy.pi / 2, sympy.pi / 2))
    volume = ball_volume(d - 2) * cut * radius ** (d - 1)
    return volume / (r ** (d - 1) * ball_volume(d - 1))


@proof("volumes of slices")
def slices(d_: Derivation) -> None:
    """Volumes of slices of the ball by iterated integrals, for all b and r, d = 2 … 8."""
    from implicitbias.exact.symbolic import from_sympy

    q, r = d_.symbols(q="positive", r="positive")
    b, R = r * (1 - q**2) / (1 + q**2), 2 * q * r / (1 + q**2)  # every pair with |b| < r, and R² = r² - b²
    d_.step("Δ[⟨w,x⟩ − b]₊ is the area measure on the hyperplane ⟨w,x⟩ = b, w a unit vector.")
    d_.step("The hyperplane meets |x| ≤ r in a (d−1)-ball of radius R = √(r² − b²), or not at all when |b| > r.")
    for d in DIMENSIONS:
        d_.identity(f"d = {d}: slices of the ball make up the ball.", ball_volume(d), area(d - 1) / d)
        inside = from_sympy(slice_ratio(d, R, r))
        d_.concludes(inside, f"d = {d}, |b| < r", b=b, r="r", d=d)


@certificate("flux through the sphere")
def observe_flux(context: Context) -> Observation:
    """The surface form in Claim 5.1: the flux of ∇f = H(<w,x> - b) w through
    the sphere |x| = r, in ball arithmetic.

    r^(d-1) |S^(d-2)| ∫ H(r cos φ - b) cos φ sin(φ)^(d-2) dφ over 0 ≤ φ ≤ π, and V^(d-1) = |S^(d-2)| ∫_0^1 ρ^(d-2) dρ.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    radii = [(0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2), (3, 5), (-4, 5), (7, 9), (1, 10), (-7, 100)]
    with flint.ctx.workprec(BITS):
        for d in DIMENSIONS:
            for b, r in radii:
                yield seen(from_arb(relative_flux(d, to_arb(Fraction(b, r)))), f"d = {d}: one unit", b=b, r=r, d=d)


def relative_flux(d: int, share: Any) -> Any:
    """The flux of one unit's gradient over r^(d-1) V^(d-1), at all b and r with b/r in the ball `share`."""
    flux = integrate_in_balls(lambda z: z.cos() * z.sin() ** (d - 2), 0, share.acos())  # beyond: the unit is inactive
    return flux / integrate_in_balls(lambda z: z ** (d - 2), 0, 1)


def limit_of_flux(d: int, masses: Sequence[Fraction], beyond: Fraction = Fraction(0)) -> Interval:
    """The flux of ∇f over r^(d-1) V^(d-1) at every r >= REMOTE: atoms of these masses, with |b| <= BIASES, and others.

    beyond   the norm of the other atoms, of any biases: |cos φ| <= 1 and sin φ <= 1 bound the flux of a unit of mass 1
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        unit = relative_flux(d, flint.arb(0, 1) * BIASES / REMOTE)
        crude = flint.arb.pi() * (d - 1) * flint.arb(0, 1)
        return from_arb(sum((to_arb(m) * unit for m in masses), flint.arb(0)) + to_arb(beyond) * crude)


@certificate("flux through large spheres")
def observe_growth(context: Context) -> Observation:
    """The flux of ∇f through every sphere from r = 2⁵⁰⁰ on, atom by atom in ball arithmetic: the limit lies in it.

    The last measure has masses 2^-k at |b| = 8^k for k = 1, 2, …, biases without bound.
    """
    draw = context.random()
    for d in DIMENSIONS:
        drawn = [Fraction(draw.randint(1, 99), draw.randint(1, 9)) for _ in range(5)]
        for masses in ([], [Fraction(1)], [Fraction(5, 2), Fraction(1, 3), Fraction(0)], drawn):
            label = f"{len(masses)} atoms, biases up to 2³⁰⁰"
            yield seen(limit_of_flux(d, masses), label, A=sum(masses, Fraction(0)), d=d)
        halves = [Fraction(1, 2**k) for k in range(1, 101)]
        yield seen(limit_of_flux(d, halves, halves[-1]), "infinitely many atoms", A=1, d=d)


@certificate("flux of signed measures")
def observe_signed(context: Context) -> Observation:
    """The same for atoms of both signs; and for the bump h of (38), whose gradient is read off its values far out."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    draw = context.random()
    for d in DIMENSIONS:
        drawn = [Fraction(draw.randint(-99, 99), draw.randint(1, 9)) for _ in range(6)]
        sets: dict[str, Sequence[Fraction | int]] = {
            "a positive unit": [1],
            "a negative unit": [-2],
            "[t - b]₊ - [b - t]₊, linear": [1, -1],
            "a unit and a constant of four units": [Fraction(1, 2), 1, -1, -1, 1],
            "the negative part is larger": [3, -5, Fraction(-1, 7)],
            "drawn": drawn,
        }
        for label, masses in sets.items():
            parts = [sum((Fraction(sign * m) for m in masses if sign * m > 0), Fraction(0)) for sign in (1, -1)]
            yield seen(limit_of_flux(d, [Fraction(m) for m in masses]), label, p=parts[0], n=parts[1], d=d)
        with flint.ctx.workprec(BITS):
            sphere = ball(area(d - 1))
            flux = from_arb(sphere / ball(ball_volume(d - 1)) * to_arb(far_out(d, 1)) / FAR**2)
            mass = from_arb(2 * sphere)
        yield seen(
            Interval(min(flux.lower, Fraction(0)), max(flux.upper, Fraction(0))), "the bump", p=mass, n=mass, d=d
        )


LAPLACIAN = "∫Δf over the ball is the sum of the masses times the volumes of the units' slices"


ATOMS: dict[str, Assumption] = {
    "d": "real",
    "b": "real",
    "c": "real",
    "m": "nonnegative",
    "n": "nonnegative",
    "L": "positive",
}
BOUNDED = ("d >= 2", "-L <= b", "b <= L", "-L <= c", "c <= L")
"""L is any bound on the biases."""


def normalised(atoms: Sequence[tuple[str, str]]) -> Limit:
    """The limit of the quotient of Claim 5.1 for a measure of atoms, each a mass at a bias of size at most L."""
    slices = " + ".join(f"({mass})*ball_slice({bias}, r, d)" for mass, bias in atoms)
    scaled = " + ".join(f"({mass})*(1 - ({bias})**2*e**2)**((d - 1)/2)" for mass, bias in atoms)
    return Limit(
        f"({slices})/(r**(d - 1)*ball_volume(d - 1))",
        "r",
        to="oo",
        extension=scaled,
        within="1/L",
    )


@theorem("limit of slices")
def observe_limit() -> Observation:
    """Two atoms of any masses >= 0 at any biases, in every real dimension d ≥ 2."""
    yield shows(
        normalised([("m", "b"), ("n", "c")]),
        for_all=ATOMS,
        assuming=BOUNDED,
        words=(LAPLACIAN, "any measure in the place of two atoms, by monotone convergence"),
        A="m + n",
        d="d",
    )


@theorem("limits of slices")
def signed() -> Observation:
    """Atoms of both signs, in every real dimension d ≥ 2; and with them a measure of norm 4 that represents a
    constant."""
    null = [("1", "b"), ("-1", "-b"), ("-1", "c"), ("1", "-c")]
    for label, atoms, p, n in (
        ("masses m and -n", [("m", "b"), ("-n", "c")], "m", "n"),
        ("mass m, and four units that add up to a constant", [("m", "b"), *null], "m + 2", "2"),
    ):
        yield shows(
            normalised(atoms),
            label,
            for_all=ATOMS,
            assuming=BOUNDED,
            words=(LAPLACIAN, "any measure of finite norm in the place of atoms, by dominated convergence"),
            p=p,
            n=n,
        )
    yield shows(
        Value("relu(z - b) - relu(b - z) - relu(z - c) + relu(c - z) + b - c"),
        "the four units and their constant",
        for_all={"z": "real", "b": "real", "c": "real"},
        p="0",
        n="0",
    )


CLAIM_5_1 = claim(
    "savarese2019.claim_5_1",
    "Claim 5.1",
    "The norm of a non-negative measure from the Laplacian",
    """If α ≥ 0, then ‖α‖₁ is the limit, for r → ∞, of ∫_{|x|≤r} Δf dx divided by r^(d−1) V^(d−1), V^(d−1) the volume of
    the unit ball in d−1 dimensions; equally of the flux of ∇f through the sphere |x| = r.""",
    latex=r"\|\alpha\|_1 = \lim_{r\to\infty} \frac{1}{r^{d-1}V^{d-1}} \int_{\|x\|\le r} \Delta f\,dx",
    hypotheses=("α ≥ 0 of finite mass", "d ≥ 2"),
    formula="A",
    symbols={"A": "∫dα = ‖α‖₁", "d": "the dimension"},
    controls={
        "A*pi**((d-1)/2)/gamma((d+1)/2) * gamma(d/2)/(2*pi**(d/2))": (
            "division by the area |S^(d−1)| of the sphere instead of V^(d−1)"
        ),
        "A*pi**((d-1)/2)/gamma((d+1)/2) * gamma(d/2+1)/pi**(d/2)": "division by V^d, the volume of the ball in R^d",
        "0": "division by r^d, the growth of the ball's volume",
        "2*A": "both orientations of a hyperplane counted",
    },
    checks=(observe_limit, observe_growth),
    rests_on=("savarese2019.equation_35",),
)


FINITE_RADIUS = claim(
    "savarese2019.claim_5_1_finite_radius",
    "beside Claim 5.1",
    "Contribution of a unit at a finite radius",
    """A unit of mass 1 and bias b contributes to the quotient in Claim 5.1 at radius r exactly (1 − b²/r²)₊^((d−1)/2):
    the volume of a slice of the ball, relative to the largest one. So for α ≥ 0 the quotient increases to ‖α‖₁, and
    falls short of it by (d−1)/2 · ∫b²dα / r² to leading order: the limit is attained at a finite radius only for b =
    0.""",
    part_of="savarese2019.claim_5_1",
    latex=r"\frac{1}{r^{d-1}V^{d-1}}\int_{\|x\|\le r}\delta(w^\top x-b)\,dx = (1-b^2/r^2)^{(d-1)/2}",
    hypotheses=("d ≥ 2", "r ≥ |b|; below that radius the unit contributes nothing"),
    formula="(1 - b**2/r**2)**((d-1)/2)",
    symbols={"b": "the unit's bias", "r": "the radius of the ball", "d": "the dimension"},
    controls={
        "(1 - b**2/r**2)**((d-3)/2)": "the exponent of a slice of the sphere instead of the ball",
        "(1 - b**2/r**2)**(d/2)": "a slice of the ball in one dimension more",
        "(1 - b/r)**((d-1)/2)": "the square lost: right for b = 0, the sign of b would matter",
        "1": "the limit already at a finite radius: right for b = 0",
        "1 - b**2/r**2": "right only for d = 3",
    },
    checks=(slices, observe_flux),
    rests_on=("savarese2019.equation_35",),
    own=True,
)


SIGNED = claim(
    "savarese2019.claim_5_1_signed",
    "beside Claim 5.1",
    "The limit of Claim 5.1 for a signed measure",
    """For a measure of any sign the limit in Claim 5.1 is its total ∫dα = α⁺ − α⁻, not its norm. The limit depends only
    on f, so every measure that represents f has this total, and R̄(f) ≥ |∫dα|: where some α ≥ 0 represents f, no other
    measure is cheaper.""",
    part_of="savarese2019.claim_5_1",
    latex=r"\lim_{r\to\infty}\frac{1}{r^{d-1}V^{d-1}}\int_{\|x\|\le r}\Delta f\,dx = \int d\alpha",
    hypotheses=("α of finite norm", "d ≥ 2"),
    formula="p - n",
    symbols={"p": "the mass of the positive part of α", "n": "the mass of its negative part"},
    controls={
        "p + n": "the norm of a signed measure",
        "Abs(p - n)": "the absolute value of the total",
        "Max(p, n)": "the larger part only",
        "p": "the positive part only",
    },
    checks=(signed, observe_signed),
    rests_on=("savarese2019.claim_5_1_finite_radius",),
    own=True,
)
