"""The bump of (38) outside the unit ball in two, three and four dimensions, in closed form, as nobody printed it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.claims import Claim, Context, Derivation, Observation, certificate, claim, proof, seen

if TYPE_CHECKING:
    from collections.abc import Callable

RADII = (Fraction(101, 100), Fraction(10, 9), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(20), Fraction(10**6))


def exactly(d: int) -> Callable[[Derivation], None]:
    """h for all ρ > 1, from the exact integrals of its three units over the sphere."""

    def derive(derivation: Derivation) -> None:
        from implicitbias.exact.symbolic import from_sympy

        from ..observed.functions.bump import at_rational_radius, outside, rational_radius

        rho = from_sympy(rational_radius()[0])
        derivation.concludes(from_sympy(at_rational_radius(outside(d))), "ρ > 1", over={"t": "positive"}, rho=rho)

    return derive


def in_balls(d: int) -> Callable[[Context], Observation]:
    """h at exact ρ > 1, the integral over the sphere by rigorous quadrature."""

    def observe(context: Context) -> Observation:
        from ..observed.functions.bump import enclosed

        for rho in RADII:
            yield seen(enclosed(d, rho), rho=rho)

    return observe


def profile(d: int, title: str, statement: str, formula: str, latex: str, controls: dict[str, str]) -> Claim:
    """The claim for one dimension."""
    return claim(
        f"savarese2019.appendix_d_profile_{d}",
        "beside Appendix D",
        title,
        statement,
        part_of="savarese2019.claim_5_2",
        latex=latex,
        hypotheses=(f"d = {d}", "ρ = |x| > 1"),
        formula=formula,
        symbols={"rho": "|x|"},
        controls=controls,
        checks=(
            proof("exact integrals", about="(38) integrated over the sphere, for all ρ > 1")(exactly(d)),
            certificate("ball arithmetic", about="(38) by rigorous quadrature at exact points")(in_balls(d)),
        ),
        rests_on=("savarese2019.equation_38",),
        own=True,
    )


BUMP_IN_THE_PLANE = profile(
    2,
    "The bump in the plane",
    "In two dimensions h = 4(arcsin(1/ρ) − ρ + √(ρ²−1)) for ρ > 1: elementary, no elliptic integral.",
    "4*(asin(1/rho) - rho + sqrt(rho**2-1))",
    r"h = 4\big(\arcsin\tfrac1\rho - \rho + \sqrt{\rho^2-1}\big)",
    {
        "4*rho/3*((1-1/rho**2)**(3/2) - 1)": "the closed form printed in Appendix D: negative",
        "2/rho": "the leading term as if it were exact",
        "4*asin(1/rho) - 2/rho": "the difference ρ − √(ρ²−1) replaced by its leading term 1/(2ρ)",
        "2*pi - 4*rho": "the form inside the unit ball",
    },
)


BUMP_IN_SPACE = profile(
    3,
    "The bump in space",
    "In three dimensions h = 2π/ρ for ρ > 1, exactly: by Archimedes ⟨w,x⟩ is uniform on [−ρ, ρ], and a hat has "
    "the area 1.",
    "2*pi/rho",
    r"h = \frac{2\pi}{\rho}",
    {
        "pi*rho*((1-1/rho**2)**2 - 1)": "the closed form printed in Appendix D: −2π/ρ + π/ρ³",
        "4*pi/rho": "the whole sphere's area 4π in the place of the circle's length 2π",
        "2*pi/rho**2": "the decay of a field instead of a potential",
        "4*pi - 2*pi*rho": "the form inside the unit ball",
    },
)


BUMP_IN_FOUR_DIMENSIONS = profile(
    4,
    "The bump in four dimensions",
    "In four dimensions, with u = 1/ρ < 1, h = 4π(arcsin u + u√(1−u²)) + (8π/3u)((1−u²)^(3/2) − 1).",
    "4*pi*(asin(1/rho) + sqrt(1-1/rho**2)/rho) + 8*pi*rho/3*((1-1/rho**2)**(3/2) - 1)",
    r"h = 4\pi\big(\arcsin u + u\sqrt{1-u^2}\big) + \frac{8\pi}{3u}\big((1-u^2)^{3/2}-1\big),\quad u = 1/\rho",
    {
        "8*pi*rho/5*((1-1/rho**2)**(5/2) - 1)": "the closed form printed in Appendix D: negative",
        "4*pi/rho": "the leading term as if it were exact",
        "8*pi/rho + 8*pi*rho/3*((1-1/rho**2)**(3/2) - 1)": "arcsin u + u√(1−u²) replaced by its leading term 2u",
    },
)
