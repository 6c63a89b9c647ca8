"""Appendix D, the last display: the rate at which the normalised integral of the Hessian's norm tends to zero."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from implicitbias.claims import (
    Claim,
    Context,
    Derivation,
    Flaw,
    Interval,
    Observation,
    Step,
    certificate,
    claim,
    proof,
    seen,
)

from ..observed.functions.bump import at_rational_radius, rational_radius, s_symbol
from ..observed.functions.hessian_growth import enclosed_integral, far_integral, nuclear_integral
from ..observed.functions.sphere import BITS, DIMENSIONS
from . import errata

RADII = tuple(Fraction(r) for r in ("101/100", "11/10", 2, 3, 10, 100, 10**5))


@proof("growth of the exact integral")
def rate(proved: Derivation) -> Observation:
    """d-1-k with the exponent k of ∫ ~ r^k (up to logarithms), lim r N'(r)/N(r) for the exact integral N; d = 2 … 6."""
    import sympy

    s = s_symbol()
    steps = list[Step]()
    for d in range(2, 7):
        total, derivation = nuclear_integral(d)
        steps += derivation.steps
        growth = sympy.limit(sympy.simplify((1 + s**2) / s * sympy.diff(total, s) / total), s, sympy.oo)
        proved.concludes(d - 1 - growth, f"d = {d}", d=d)
    yield from steps


@certificate("growth from shell to shell")
def shells(context: Context) -> Observation:
    """The exponent from the shells r <= |x| <= 2r, r doubled each time, with Hessians from second differences of h.

    If the integral over a shell is in the end g times that over the one before, the sums grow like r^max(0, log2 g) up
    to r^o(1); the ball inside is finite and positive. Of g every shell from 2⁵⁶ on is enclosed.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    for d in DIMENSIONS:
        with flint.ctx.workprec(BITS):
            inner, outer = (to_arb(far_integral(d, d - 4, r, 2 * r)) for r in (1, 2))
            growth = from_arb((outer / inner).log() / flint.arb(2).log())
        yield seen(
            Interval(*(d - 1 - max(Fraction(0), end) for end in (growth.upper, growth.lower))), d=d, growth=growth
        )


@certificate("the Hessian far out")
def constant_in_balls(context: Context) -> Observation:
    """lim r^(3-d) ∫ for d >= 4: ρ³‖∇²h‖_* is enclosed from second differences for every ρ >= R = 2⁵⁶.

    r^(3-d) times the shell from R to r is this times ∫ t^(d-4) dt from R/r to 1; the ball of radius R adds nothing.
    """
    for d in DIMENSIONS:
        if d >= 4:
            yield seen(far_integral(d, d - 4), "the limit", d=d)


@proof("limit of the exact integral")
def constant(proved: Derivation) -> Observation:
    """lim ∫/r^(d-3) for d ≥ 4, from the exact integral."""
    import sympy

    s = s_symbol()
    steps = list[Step]()
    for d in range(4, 8):
        total, derivation = nuclear_integral(d)
        steps += derivation.steps
        limit = sympy.limit(sympy.expand(total / sympy.sqrt(1 + s**2) ** (d - 3)), s, sympy.oo)
        proved.concludes(sympy.simplify(limit), f"d = {d}", d=d)
    yield from steps


def exactly(d: int) -> Callable[[Derivation], Observation]:
    """The integral over the ball of every radius r > 1."""

    def derive(d_: Derivation) -> Observation:
        from implicitbias.exact.symbolic import from_sympy

        total, derivation = nuclear_integral(d)
        r = from_sympy(rational_radius()[0])
        d_.concludes(at_rational_radius(total), "r > 1", over={"t": "positive"}, r=r)
        yield from derivation.steps

    return derive


def in_balls(d: int) -> Callable[[Context], Observation]:
    """The integral at exact radii by rigorous quadrature of the eigenvalues."""

    def observe(context: Context) -> Observation:
        for r in RADII:
            yield seen(enclosed_integral(d, r), r=r)

    return observe


def integral(d: int, title: str, statement: str, formula: str, latex: str, controls: dict[str, str]) -> Claim:
    """The exact integral in one dimension."""
    return claim(
        f"savarese2019.hessian_integral_{d}",
        "beside Claim 5.2",
        title,
        statement,
        part_of="savarese2019.claim_5_2",
        latex=latex,
        hypotheses=(f"d = {d}", "r > 1"),
        formula=formula,
        symbols={"r": "the radius of the ball"},
        controls=controls,
        checks=(
            proof("exact integral", about="for all r > 1, its derivative verified")(exactly(d)),
            certificate("ball arithmetic", about="rigorous quadrature at exact radii up to 10⁵")(in_balls(d)),
        ),
        rests_on=("savarese2019.appendix_d_slope", "savarese2019.appendix_d_curvature"),
        own=True,
    )


APPENDIX_D_RATE = claim(
    "savarese2019.appendix_d_rate",
    "Appendix D, last display",
    "Rate of the normalised Hessian integral",
    """The quantity of (39) falls off like 1/r^min(d−1, 2), for d = 3 with a further factor log r: Θ(1/r) for d = 2,
    Θ(log r/r²) for d = 3, Θ(1/r²) for d ≥ 4. Any norm of the Hessian gives the same rate, since all are equivalent.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\frac{1}{r^{d-1}}\int_{\|x\|\le r}\|\nabla^2h\| = r^{-\min(d-1,2)+o(1)}",
    hypotheses=("d ≥ 2",),
    formula="Min(d-1, 2)",
    symbols={"d": "the dimension"},
    flaw=Flaw(errata.RATE, "2"),
    controls={
        "d-1": "the contribution of the inner ball alone: right for d = 2, 3",
        "Min(d-1, 3)": "the decay of the Hessian itself, not of its integral",
        "d-3": "the growth of the integral",
    },
    checks=(rate, shells),
    rests_on=("savarese2019.appendix_d_slope", "savarese2019.appendix_d_curvature"),
)


HESSIAN_INTEGRAL_IN_THE_PLANE = integral(
    2,
    "The Hessian integral in the plane",
    "In two dimensions ∫_{|x|≤r} ‖∇²h‖_* dx = 16π arccos(1/r) + 8π(r − √(r²−1)): it increases from 8π to 8π², so "
    "that the quantity of (39) is 8π²/r to leading order, not O(1/r²).",
    "16*pi*acos(1/r) + 8*pi*(r - sqrt(r**2-1))",
    r"\int_{\|x\|\le r}\|\nabla^2 h\|_* = 16\pi\arccos\tfrac1r + 8\pi\big(r-\sqrt{r^2-1}\big)",
    {
        "8*pi**2": "the limit as if it were reached",
        "16*pi*acos(1/r)": "the radial eigenvalue counted twice, without the boundary term",
        "8*pi*acos(1/r) + 8*pi": "the radial eigenvalue and the cone alone",
        "8*pi**2*(1 - 1/r)": "what a bound C/r on the rest suggests",
    },
)


HESSIAN_INTEGRAL_IN_SPACE = integral(
    3,
    "The Hessian integral in space",
    "In three dimensions ∫_{|x|≤r} ‖∇²h‖_* dx = 8π² + 32π² log r exactly, for r > 1: the quantity of (39) is (8π² "
    "+ 32π² log r)/r², not O(1/r²).",
    "8*pi**2 + 32*pi**2*log(r)",
    r"\int_{\|x\|\le r}\|\nabla^2 h\|_* = 8\pi^2 + 32\pi^2\log r",
    {
        "8*pi**2 + 16*pi**2*log(r)": "the radial eigenvalue alone grows",
        "32*pi**2*log(r)": "the inner ball dropped, as in the last display of Appendix D",
        "8*pi**2*r": "as if r^(d−3)/(d−3) were a power",
        "8*pi**2": "bounded, as a rate 1/r² would need",
    },
)


HESSIAN_INTEGRAL_IN_FOUR_DIMENSIONS = integral(
    4,
    "The Hessian integral in four dimensions",
    "In four dimensions, with σ = √(r²−1), ∫_{|x|≤r} ‖∇²h‖_* dx = 32π³(σ − arctan σ) + (16π³/3)(r³ − σ³).",
    "32*pi**3*(sqrt(r**2-1) - atan(sqrt(r**2-1))) + 16*pi**3/3*(r**3 - (r**2-1)**(3/2))",
    r"\int_{\|x\|\le r}\|\nabla^2 h\|_* = 32\pi^3(\sigma-\arctan\sigma) + \tfrac{16\pi^3}{3}(r^3-\sigma^3)",
    {
        "40*pi**3*r": "the leading term as if it were exact",
        "32*pi**3*sqrt(r**2-1) + 16*pi**3/3*(r**3 - (r**2-1)**(3/2))": "the arctangent, bounded, left out",
        "16*pi**3/3*(r**3 - (r**2-1)**(3/2))": "the boundary term alone",
    },
)


HESSIAN_INTEGRAL_GROWTH = claim(
    "savarese2019.hessian_integral_growth",
    "beside Claim 5.2",
    "The growth of the Hessian integral in higher dimensions",
    """For d ≥ 4, ∫_{|x|≤r} ‖∇²h‖_* dx ~ C r^(d−3) with C = |S^(d−1)| |S^(d−2)| (d+1)/(d−3), where |S^(d−1)| |S^(d−2)| =
    (2π)^d/(π Γ(d−1)): the eigenvalues 2 and d−1 times −1 have the nuclear norm d+1.""",
    part_of="savarese2019.claim_5_2",
    latex=r"r^{3-d}\int_{\|x\|\le r}\|\nabla^2h\|_* \to \frac{d+1}{d-3}|S^{d-1}||S^{d-2}|",
    hypotheses=("d ≥ 4",),
    formula="(d+1)/(d-3) * (2*pi)**d/(pi*gamma(d-1))",
    symbols={"d": "the dimension"},
    controls={
        "(d-3)/(d-3) * (2*pi)**d/(pi*gamma(d-1))": "the trace instead of the nuclear norm, up to sign",
        "(d+1) * (2*pi)**d/(pi*gamma(d-1))": "the factor 1/(d−3) of the integral forgotten",
        "(d-1)/(d-3) * (2*pi)**d/(pi*gamma(d-1))": "only the eigenvalues across x",
        "(d+1)/(d-3) * (2*pi)**d/(pi*gamma(d))": "|S^d| |S^(d−1)| up to a factor",
    },
    checks=(constant, constant_in_balls),
    rests_on=("savarese2019.appendix_d_hessian",),
    own=True,
)
