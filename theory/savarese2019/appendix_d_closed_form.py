"""Appendix D: the closed form of h outside the unit ball, in every dimension."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, certificate, claim, proof, seen

from ..observed.functions.area_formulas import EQUATOR
from ..observed.functions.bump import enclosed, outside, s_symbol
from ..observed.functions.sphere import BITS, DIMENSIONS, integrate_in_balls
from . import errata

OUTER_RADII = (Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(20), Fraction(1000))


@proof("exact integrals")
def closed_form(derivation: Derivation) -> None:
    """h for ρ > 1 from its three units, and J = ∫_0^(1/ρ) (1-t²)^((d-3)/2) dt with t = sin θ, for all ρ."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    s = s_symbol()
    rho = sympy.sqrt(1 + s**2)
    theta = sympy.Symbol("theta", real=True)
    for d in DIMENSIONS:
        primitive = sympy.integrate(sympy.cos(theta) ** (d - 2), theta)
        end = primitive.subs({sympy.sin(theta): 1 / rho, sympy.cos(theta): s / rho}).subs(theta, sympy.atan(1 / s))
        integral = from_sympy(sympy.expand(end - primitive.subs(theta, 0)))
        derivation.concludes(outside(d), f"d = {d}", over={"s": "positive"}, d=d, rho=rho, J=integral)


@certificate("ball arithmetic")
def closed_form_in_balls(context: Context) -> Observation:
    """h of (38) by rigorous quadrature over the sphere at exact ρ ≥ 1, and J by quadrature."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    for d in DIMENSIONS:
        for rho in OUTER_RADII:
            with flint.ctx.workprec(BITS):
                J = from_arb(integrate_in_balls(lambda z, d=d: z.cos() ** (d - 2), 0, to_arb(1 / rho).asin()))
            yield seen(enclosed(d, rho), d=d, rho=rho, J=J)


APPENDIX_D_CLOSED_FORM = claim(
    "savarese2019.appendix_d_closed_form",
    "Appendix D, the closed form of h",
    "The bump outside the unit ball",
    """For ρ = |x| ≥ 1, h = 2S·J + (2ρS/(d−1))·((1−1/ρ²)^((d−1)/2) − 1) with S = |S^(d−2)| and J = ∫₀^(1/ρ)
    (1−t²)^((d−3)/2) dt. For d = 2 this is 4(arcsin(1/ρ) − ρ + √(ρ²−1)), for d = 3 it is 2π/ρ.""",
    part_of="savarese2019.claim_5_2",
    latex=r"""h = 2S\int_0^{1/\rho}(1-t^2)^{\frac{d-3}{2}}dt + \frac{2\rho
    S}{d-1}\Big[\big(1-\tfrac{1}{\rho^2}\big)^{\frac{d-1}{2}}-1\Big]""",
    hypotheses=("d ≥ 2", "ρ ≥ 1"),
    formula=f"{EQUATOR} * (2*J + 2*rho/(d-1)*((1-1/rho**2)**((d-1)/2) - 1))",
    symbols={"d": "the dimension", "rho": "|x|", "J": "∫ (1−t²)^((d−3)/2) dt from 0 to 1/ρ, which the print drops"},
    flaw=Flaw(errata.EXPONENT_OF_THE_SLICE, f"2*rho*{EQUATOR}/(d+1) * ((1-1/rho**2)**((d+1)/2) - 1)"),
    controls={
        f"{EQUATOR} * 2*rho/(d-1)*((1-1/rho**2)**((d-1)/2) - 1)": "the exponent corrected, but not the lost factor b",
        f"{EQUATOR} * 2*rho/(d+1)*(1 - (1-1/rho**2)**((d+1)/2))": "the printed form with its sign turned",
        f"{EQUATOR} / rho": "the leading term as if it were exact: right for d = 3",
        f"{EQUATOR} * 2*J": "the first term left out",
    },
    checks=(closed_form, closed_form_in_balls),
    rests_on=("savarese2019.appendix_d_factor", "savarese2019.equation_38"),
    formerly=tuple(f"savarese2019.appendix_d_profile_{d}" for d in (2, 3, 4)),
)
