"""Claim 5.2: the Hessian of h, normalised as in Claim 5.1, leaves no trace, although h costs 4|S^(d-1)|."""

from __future__ import annotations

from implicitbias.claims import Derivation, Observation, Step, claim, proof

from ..observed.functions.area_formulas import AREA
from ..observed.functions.sphere import area


@proof("limit of the exact integral")
def observe_limit(proved: Derivation) -> Observation:
    """d = 2 … 6. lim ∫_{|x|≤r} ‖∇²h‖_* dx / r^(d-1), from the exact integral for every r."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    from ..observed.functions.bump import s_symbol
    from ..observed.functions.hessian_growth import nuclear_integral

    s = s_symbol()
    steps = list[Step]()
    for d in range(2, 7):
        total, derivation = nuclear_integral(d)
        steps += derivation.steps
        limit = sympy.limit(sympy.expand(total / s ** (d - 1)), s, sympy.oo)  # r/s → 1
        proved.concludes(from_sympy(sympy.simplify(limit)), f"d = {d}", d=d)
    yield from steps


@proof("masses and areas")
def mass(derivation: Derivation) -> None:
    """The sphere's area by integration, d = 1 … 10. ∫d|α|: the weights of the three units of every direction, and the
    area of the sphere by integration.
    """
    from implicitbias.exact.symbolic import from_sympy

    weights = {1: 1, 0: -2, -1: 1}
    per_direction = sum(abs(weight) for weight in weights.values())
    for d in range(1, 11):
        derivation.concludes(from_sympy(per_direction * area(d - 1)), f"d = {d}", d=d)
    derivation.step(
        "The three atoms of a direction lie at different biases: no part of them cancels.", "|1| + |−2| + |1| = 4"
    )


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
    checks=(observe_limit,),
    rests_on=("savarese2019.appendix_d_slope", "savarese2019.appendix_d_curvature"),
)


NORM = claim(
    "savarese2019.claim_5_2_norm",
    "after Claim 5.2, the norm of the measure of (38)",
    "What the representation (38) costs",
    "The measure that represents h in (38) has the norm 4|S^(d−1)|: three atoms in every direction.",
    part_of="savarese2019.claim_5_2",
    latex=r"\|\alpha\|_1 = 4\int_{S^{d-1}}dw = \frac{8\pi^{d/2}}{\Gamma(d/2)}",
    formula="8*pi**(d/2)/gamma(d/2)",
    symbols={"d": "the dimension"},
    controls={
        "4*pi**(d/2)/gamma(d/2)": "the middle unit counted once and the outer ones half",
        "6*pi**(d/2)/gamma(d/2)": "three units of weight one",
        "0": "the total of the measure instead of its norm",
        "4*pi**(d/2)/gamma(d/2+1)": "the volume of the ball in the place of the area of the sphere",
    },
    checks=(mass,),
)
