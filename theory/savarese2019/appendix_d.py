"""Appendix D, the first steps of the proof of Claim 5.2: the slice of the sphere, and the factor b."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Flaw, Observation, certificate, claim, proof, seen

from ..observed.functions.area_formulas import EQUATOR
from ..observed.functions.bump import unit_mean
from ..observed.functions.differences import derivative
from ..observed.functions.sphere import (
    BITS,
    DIMENSIONS,
    area,
    area_element_squared,
    ball,
    ball_volume,
    integrate_in_balls,
)
from . import errata

SLICES = tuple(Fraction(t) for t in (0, "1/2", "-1/3", "3/5", "-9/10", "99/100", "-999/1000"))


@proof("area element")
def area_element(d_: Derivation) -> None:
    """The area of a band of the sphere from the Gram determinant of the parametrisation, in terms of w_1 = cos φ."""
    import sympy

    (q,) = d_.symbols(q="positive")
    phi = sympy.Symbol("phi", real=True)
    t = (1 - q**2) / (1 + q**2)
    sine = 2 * q / (1 + q**2)
    for d in DIMENSIONS:
        if d <= 5:
            squared, angles = area_element_squared(d)
            product = sympy.prod([sympy.sin(angle) ** (2 * (d - 2 - i)) for i, angle in enumerate(angles)])
            says = f"d = {d}: the area element splits into sin(φ)^(d−2) and that of the sphere one dimension lower."
            d_.identity(says, squared, product)
        # dw = sin(φ)^(d-2) dφ |S^(d-2)| and |dw_1/dφ| = sin φ
        density = area(d - 2) * sine ** (d - 2) / sine
        weight = sympy.sin(phi) ** (d - 2) * area(d - 2)
        mean = sympy.integrate(sympy.cos(phi) ** 2 * weight, (phi, 0, sympy.pi)) / area(d - 1)
        d_.identity(f"d = {d}: w₁² has the mean 1/d, as it must by symmetry.", mean, sympy.Rational(1, d))
        d_.concludes(density, f"d = {d}", d=d, t=t)


def cap(d: int, t: Any) -> Any:
    """The area of the cap w_1 >= t of S^(d-1): d times the volume of the cone from 0 over it.

    The cone over a cap is a straight cone of height t on a (d-1)-ball of radius √(1-t²), for t < 0 taken away, and the
    cap of the ball beyond it, whose slices are (d-1)-balls: t(1-t²)^((d-1)/2)/d + ∫_t^1 (1-z²)^((d-1)/2) dz, times
    V^(d-1).
    """
    import flint

    beyond = integrate_in_balls(lambda z: z.cos() ** d, t.asin(), flint.arb.pi() / 2)  # z = sin ψ
    return ball(ball_volume(d - 1)) * (t * (1 - t * t).sqrt() ** (d - 1) + d * beyond)


@certificate("difference quotients of caps")
def thin_bands(context: Context) -> Observation:
    """The area of the band between two caps over its width, from volumes of cones and balls alone.

    For complex t within (1-|t|)/2, |1-z²| <= 2 on the way from t to 1, which is 2 long at most: Cauchy's estimate.
    """
    import flint

    from implicitbias.exact.enclosure import to_arb

    for d in DIMENSIONS:
        for t in SLICES:
            with flint.ctx.workprec(BITS):
                bound = ball(ball_volume(d - 1)) * (1 + 2 * d) * flint.arb(2).sqrt() ** (d - 1)
                density = derivative(lambda s, d=d, t=t: -cap(d, to_arb(t + s)), 1, (1 - abs(t)) / 2, bound)  # type: ignore[misc]
            yield seen(density, d=d, t=t)


@proof("exact integrals")
def first_step(derivation: Derivation) -> None:
    """∫ [<w,x> + b]_+ dw over the sphere, and the two integrals into which step (4) splits it, for all |b| < ρ, d = 2 …
    8.
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    p, q = derivation.symbols(p="positive", q="positive")
    phi = sympy.Symbol("phi", real=True)
    for d in DIMENSIONS:
        for sign in (1, -1):
            # b = ±p and ρ = sqrt(p² + q²): every pair with 0 < |b| < ρ; the unit is inactive from cos φ = -b/ρ on
            b, rho = sign * p, sympy.sqrt(p**2 + q**2)
            cosine, sine, angle = -b / rho, q / rho, sympy.pi / 2 + sign * sympy.atan(p / q)
            first, second = (
                _over_the_slice(sympy.cos(phi) ** k * sympy.sin(phi) ** (d - 2), phi, cosine, sine, angle)
                for k in (1, 0)
            )
            derived = from_sympy(unit_mean(d, b, rho, cosine, sine, angle))
            label = f"d = {d}, b {'> 0' if sign > 0 else '< 0'}"
            derivation.concludes(derived, label, S=area(d - 2), rho=rho, b=b, I=first, J=second)


def _over_the_slice(integrand: Any, phi: Any, cosine: Any, sine: Any, angle: Any) -> Any:
    """∫_0^angle, the angle given by its cosine and sine as well."""
    import sympy

    primitive = sympy.integrate(integrand, phi)
    end = primitive.subs({sympy.sin(phi): sine, sympy.cos(phi): cosine}).subs(phi, angle)
    return sympy.expand(end - primitive.subs(phi, 0))


@certificate("ball arithmetic")
def first_step_in_balls(context: Context) -> Observation:
    """The same integrals at exact points, by rigorous quadrature; I and J in the variable w_1 where that is smooth."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        for d in DIMENSIONS:
            sphere = ball(area(d - 2))
            for b, rho in ((1, 2), (2, 3), (-1, 2), (-3, 4), (0, 1), (5, 7), (10, 11)):
                angle = to_arb(Fraction(-b, rho)).acos()
                unit = integrate_in_balls(
                    lambda z, d=d, b=b, rho=rho: (rho * z.cos() + b) * z.sin() ** (d - 2), 0, angle
                )
                first = integrate_in_balls(lambda z, d=d: z.cos() * z.sin() ** (d - 2), 0, angle)
                second = integrate_in_balls(lambda z, d=d: z.sin() ** (d - 2), 0, angle)
                yield seen(
                    from_arb(sphere * unit),
                    f"d = {d}",
                    S=from_arb(sphere),
                    rho=rho,
                    b=b,
                    I=from_arb(first),
                    J=from_arb(second),
                )


SLICE = claim(
    "savarese2019.appendix_d_slice",
    "Appendix D, steps (2)-(3)",
    "Distribution of a coordinate on the sphere",
    """The slice w₁ = t of S^(d−1) has the weight |S^(d−2)| (1−t²)^((d−3)/2) dt: radius √(1−t²) to the power d−2, times
    the slant 1/√(1−t²) of the sphere. It gives w₁² the mean 1/d, in agreement with symmetry.""",
    part_of="savarese2019.claim_5_2",
    latex=r"dw = |S^{d-2}|\,(1-w_1^2)^{\frac{d-3}{2}}\,dw_1",
    hypotheses=("d ≥ 2", "−1 < t < 1"),
    formula=f"{EQUATOR} * (1-t**2)**((d-3)/2)",
    symbols={"d": "the dimension", "t": "w₁, the coordinate along x"},
    flaw=Flaw(errata.EXPONENT_OF_THE_SLICE, f"{EQUATOR} * (1-t**2)**((d-1)/2)"),
    controls={
        f"{EQUATOR} * (1-t**2)**((d-2)/2)": "the radius to the power d−2 without the slant",
        "2*pi**(d/2)/gamma(d/2) * (1-t**2)**((d-3)/2)": "the area of S^(d−1), as S_(d−1) could be read",
        "2*pi": "Archimedes: uniform, right only for d = 3",
    },
    checks=(area_element, thin_bands),
)


FACTOR = claim(
    "savarese2019.appendix_d_factor",
    "Appendix D, step (4)",
    "The second term of a unit's mean",
    """For ρ > |b|, ∫ [⟨w,x⟩+b]₊ dw = S(ρ·I + b·J) with I = ∫ w₁ dm and J = ∫ dm over w₁ ≥ −b/ρ, dm = (1−w₁²)^((d−3)/2)
    dw₁: the factor b stays before the second integral. J is a constant plus an odd function of b, so b·J has an even
    part, which does not cancel in h: it gives +2S/ρ, twice the size of h and of the opposite sign of the first
    term.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\int [w^\top x+b]_+ dw = S_{d-1}\Big(\rho \int w_1\,dm + b \int dm\Big)",
    hypotheses=("d ≥ 2", "ρ > |b|"),
    formula="S*(rho*I + b*J)",
    symbols={
        "S": "|S^(d−2)|, the paper's S_(d−1)",
        "rho": "|x|",
        "b": "the bias",
        "I": "∫ w₁ (1−w₁²)^((d−3)/2) dw₁ from −b/ρ to 1",
        "J": "∫ (1−w₁²)^((d−3)/2) dw₁ from −b/ρ to 1",
    },
    flaw=Flaw(errata.LOST_FACTOR_B, "S*(rho*I + J)"),
    controls={
        "S*(rho*I + Abs(b)*J)": "the factor without its sign",
        "S*(rho*I + b/rho*J)": "the factor inside the bracket kept there when ρ is taken out",
        "S*rho*I": "the second term left out altogether: right for b = 0",
    },
    checks=(first_step, first_step_in_balls),
    rests_on=("savarese2019.appendix_d_slice",),
)
