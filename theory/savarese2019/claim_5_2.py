"""Claim 5.2: the Hessian of h, normalised as in Claim 5.1, tends to 0, although h costs 4|S^(d-1)|."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Interval, Observation, Step, certificate, claim, proof, seen

from ..observed.functions.area_formulas import AREA
from ..observed.functions.bump import s_symbol
from ..observed.functions.bump_far import FAR
from ..observed.functions.hessian_growth import far_integral, nuclear_integral
from ..observed.functions.sphere import DIMENSIONS


@proof("limit of the exact integral")
def observe_limit(proved: Derivation) -> Observation:
    """lim ∫_{|x|≤r} ‖∇²h‖_* dx / r^(d-1), from the exact integral, d = 2 … 6."""
    import sympy

    s = s_symbol()
    steps = list[Step]()
    for d in range(2, 7):
        total, derivation = nuclear_integral(d)
        steps += derivation.steps
        limit = sympy.limit(sympy.expand(total / s ** (d - 1)), s, sympy.oo)  # r/s → 1
        proved.concludes(sympy.simplify(limit), f"d = {d}", d=d)
    yield from steps


@certificate("bound far out")
def observe_bound(context: Context) -> Observation:
    """Between 0 and a bound of the limit, from second differences of h.

    From R = 2⁵⁶ on ‖∇²h‖_* <= E/ρ³ with E enclosed, so the shell from R to r adds at most E r^(1-d) ∫ ρ^(d-4) dρ <=
    E/R² ∫_0^1 t^(d-2) dt, as ρ^(d-4) <= ρ^(d-2)/R². The ball of radius R adds a multiple of r^(1-d): along a ray each
    hat has a slope of at most 1, whose variation is at most 4, so that ∫ ‖∇²h‖_* over it is finite.
    """
    for d in DIMENSIONS:
        yield seen(Interval(Fraction(0), far_integral(d, d - 2).upper / FAR**2), "the limit", d=d)


CLAIM_5_2 = claim(
    "savarese2019.claim_5_2",
    "Claim 5.2, equation (39)",
    "A function whose normalised Hessian vanishes",
    """For h of (38) the integral of the Hessian's nuclear norm over |x| ≤ r, divided by r^(d−1), tends to 0; all norms
    of a matrix are equivalent, so any norm does. Hence no such quantity can be R̄(f), which Claim 5.1 might suggest: h
    costs a positive amount. (For d = 1 the quantity is 8 for every r ≥ 1; Section 5 and the proof are about d > 1.)""",
    latex=r"\lim_{r\to\infty}\frac{1}{r^{d-1}}\int_{\|x\|\le r}\|\nabla^2h(x)\|\,dx = 0",
    hypotheses=("d ≥ 2",),
    formula="0",
    symbols={"d": "the dimension"},
    controls={
        f"4*{AREA}": "the norm ‖α‖₁, as the conjecture modelled on Claim 5.1 would have it",
        "8": "the value for d = 1",
        "8*pi**2": "the limit of the integral itself for d = 2, not divided by r",
    },
    checks=(observe_limit, observe_bound),
    rests_on=("savarese2019.appendix_d_slope", "savarese2019.appendix_d_curvature"),
)
