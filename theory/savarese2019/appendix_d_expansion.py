"""Appendix D: the decay of h, its gradient and its Hessian far from the origin; and the exact slope and curvature."""

from __future__ import annotations

from typing import Any

from implicitbias.claims import Derivation, claim, proof

from ..observed.functions.area_formulas import AREA, EQUATOR
from ..observed.functions.bump import in_s, outside, s_symbol
from ..observed.functions.sphere import DIMENSIONS


def far_out(expr: Any) -> Any:
    """The limit of an expression in s as s → ∞, taken at e = 1/s → 0."""
    import sympy

    e = sympy.Symbol("e", positive=True)
    return sympy.simplify(sympy.limit(sympy.simplify(expr.subs(s_symbol(), 1 / e)), e, 0, "+"))


@proof("limit of the exact form")
def leading(derivation: Derivation) -> None:
    """lim ρ h, from the exact h, d = 2 … 8."""
    _limits(derivation, lambda d, rho: rho * outside(d))


@proof("limit of the exact form")
def observe_next(derivation: Derivation) -> None:
    """lim ρ³ (h - lim(ρh)/ρ), d = 2 … 8."""
    _limits(derivation, lambda d, rho: rho**3 * (outside(d) - far_out(rho * outside(d)) / rho))


@proof("limit of the exact form")
def gradient(derivation: Derivation) -> None:
    """lim ρ² h', d = 2 … 8."""
    _limits(derivation, lambda d, rho: rho**2 * in_s(d, 1))


@proof("limit of the exact form")
def hessian(derivation: Derivation) -> None:
    """lim ρ³ e'∇²h e for a unit vector e with <e,x> = cρ: the Hessian of a radial function
    is h'' along x, h'/ρ " "across.
    """
    from implicitbias.exact.symbolic import from_sympy

    (c,) = derivation.symbols("c")
    rho = _rho()
    for d in DIMENSIONS:
        along, across = far_out(rho**3 * in_s(d, 2)), far_out(rho**2 * in_s(d, 1))
        derived = from_sympy(along * c**2 + across * (1 - c**2))
        derivation.concludes(derived, f"d = {d}", d=d, c="c")


@proof("derivative of the exact form")
def slope(d: Derivation) -> None:
    """h' for all ρ > 1, d = 2 … 8."""
    _for_all_radii(d, 1)


@proof("second derivative of the exact form")
def curvature(d: Derivation) -> None:
    """h'' for all ρ > 1, d = 2 … 8."""
    _for_all_radii(d, 2)


def _rho() -> Any:
    import sympy

    return sympy.sqrt(1 + s_symbol() ** 2)


def _limits(derivation: Derivation, expression: Any) -> None:

    for d in DIMENSIONS:
        derivation.concludes(far_out(expression(d, _rho())), f"d = {d}", d=d)


def _for_all_radii(derivation: Derivation, order: int) -> None:
    from implicitbias.exact.symbolic import from_sympy

    rho = from_sympy(_rho())
    for d in DIMENSIONS:
        derivation.concludes(in_s(d, order), f"d = {d}, ρ > 1", over={"s": "positive"}, d=d, rho=rho)


APPENDIX_D_LEADING_TERM = claim(
    "savarese2019.appendix_d_leading_term",
    "Appendix D, last line of the expansion of h",
    "Decay of the bump",
    """ρ·h(ρ) → S_(d−1) = |S^(d−2)| for ρ → ∞: h = S_(d−1)/ρ + O(1/ρ³), as the last line of the expansion says. (The
    line before it would give −S_(d−1)/ρ; two slips cancel.)""",
    part_of="savarese2019.claim_5_2",
    latex=r"h = \frac{S_{d-1}}{\|x\|} + O(\|x\|^{-3})",
    hypotheses=("d ≥ 2",),
    formula=EQUATOR,
    symbols={"d": "the dimension"},
    controls={
        f"-{EQUATOR}": "what the printed closed form expands to",
        AREA: "the area of S^(d−1), as S_(d−1) could be read",
        f"{EQUATOR}/2": "the sphere seen from one side",
        "2*pi": "right only for d = 3",
    },
    checks=(leading,),
    rests_on=("savarese2019.appendix_d_closed_form",),
)


APPENDIX_D_NEXT_TERM = claim(
    "savarese2019.appendix_d_next_term",
    "beside Appendix D",
    "The next term of the bump",
    """h = S/ρ − (d−3)/12 · S/ρ³ + …, S = |S^(d−2)|: the correction vanishes for d = 3, where h = 2π/ρ exactly, and has
    the other sign for d = 2.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\rho^3\big(h - S/\rho\big) \to -\tfrac{d-3}{12}\,S",
    hypotheses=("d ≥ 2",),
    formula=f"-(d-3)/12 * {EQUATOR}",
    symbols={"d": "the dimension"},
    controls={
        f"-(d-1)/12 * {EQUATOR}": "from the exponent (d−1)/2 of the print",
        f"(d-3)/12 * {EQUATOR}": "the sign",
        f"-(d-3)/6 * {EQUATOR}": "only one of the two terms of the closed form",
        "0": "right only for d = 3",
    },
    checks=(observe_next,),
    rests_on=("savarese2019.appendix_d_leading_term",),
    own=True,
)


APPENDIX_D_GRADIENT = claim(
    "savarese2019.appendix_d_gradient",
    "Appendix D, the gradient of h",
    "The gradient far out",
    "∇h ~ −S_(d−1) x/‖x‖³: the radial derivative times ρ² tends to −S_(d−1), in every dimension.",
    part_of="savarese2019.claim_5_2",
    latex=r"\nabla h(x) \sim -S_{d-1}\frac{x}{\|x\|^3}",
    hypotheses=("d ≥ 2",),
    formula=f"-{EQUATOR}",
    symbols={"d": "the dimension"},
    controls={
        EQUATOR: "what the printed closed form gives",
        f"-(d-2)*{EQUATOR}": "the gradient of Green's function ρ^(2−d) of the Laplacian",
        f"-2*{EQUATOR}": "the derivative of 1/ρ²",
    },
    checks=(gradient,),
    rests_on=("savarese2019.appendix_d_leading_term",),
)


APPENDIX_D_HESSIAN = claim(
    "savarese2019.appendix_d_hessian",
    "Appendix D, the Hessian of h",
    "The Hessian far out",
    """∇²h ~ (S_(d−1)/‖x‖³)(3xxᵀ/‖x‖² − I): along a unit vector e at the angle arccos c with x the second derivative
    times ρ³ tends to S_(d−1)(3c² − 1), in every dimension.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\nabla^2 h(x) \sim \frac{S_{d-1}}{\|x\|^3}\Big(3\frac{xx^\top}{\|x\|^2} - I\Big)",
    hypotheses=("d ≥ 2", "−1 ≤ c ≤ 1"),
    formula=f"(3*c**2 - 1) * {EQUATOR}",
    symbols={"d": "the dimension", "c": "the cosine of the angle between e and x"},
    controls={
        f"(d*c**2 - 1) * {EQUATOR}": "traceless, as for Green's function: right only for d = 3",
        f"(2*c**2 - 1) * {EQUATOR}": "the radial eigenvalue 2 taken for the coefficient of xxᵀ",
        f"(1 - 3*c**2) * {EQUATOR}": "the sign, as the printed closed form gives it",
    },
    checks=(hessian,),
    rests_on=("savarese2019.appendix_d_gradient",),
)


APPENDIX_D_SLOPE = claim(
    "savarese2019.appendix_d_slope",
    "beside Appendix D",
    "The exact slope of the bump",
    """For ρ > 1, h′ = −(2S/(d−1)) (1 − (1−1/ρ²)^((d−1)/2)), S = |S^(d−2)|; divided by ρ it is the eigenvalue of ∇²h
    across x, d−1 times. Negative everywhere: h decreases.""",
    part_of="savarese2019.claim_5_2",
    latex=r"h' = -\frac{2S}{d-1}\Big[1-\big(1-\tfrac1{\rho^2}\big)^{\frac{d-1}{2}}\Big]",
    hypotheses=("d ≥ 2", "ρ > 1"),
    formula=f"-2/(d-1) * {EQUATOR} * (1 - (1-1/rho**2)**((d-1)/2))",
    symbols={"d": "the dimension", "rho": "|x|"},
    controls={
        f"-2/(d-1) * {EQUATOR} * (1 - (1-1/rho**2)**((d-3)/2))": "the exponent of the slice kept",
        f"-2/(d+1) * {EQUATOR} * (1 - (1-1/rho**2)**((d+1)/2))": "with the exponent of the print",
        f"-{EQUATOR}/rho**2": "the leading term as if it were exact: right only for d = 3",
    },
    checks=(slope,),
    rests_on=("savarese2019.appendix_d_closed_form",),
    own=True,
)


APPENDIX_D_CURVATURE = claim(
    "savarese2019.appendix_d_curvature",
    "beside Appendix D",
    "The exact radial curvature of the bump",
    """For ρ > 1, h″ = (2S/ρ³)(1−1/ρ²)^((d−3)/2), S = |S^(d−2)|: the eigenvalue of ∇²h along x, positive; for d = 2 it
    is infinite at ρ = 1, the sphere to which the kinks of all units with b = ±1 are tangent.""",
    part_of="savarese2019.claim_5_2",
    latex=r"h'' = \frac{2S}{\rho^3}\big(1-\tfrac1{\rho^2}\big)^{\frac{d-3}{2}}",
    hypotheses=("d ≥ 2", "ρ > 1"),
    formula=f"2/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-3)/2)",
    symbols={"d": "the dimension", "rho": "|x|"},
    controls={
        f"2/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-1)/2)": "with the exponent of the print",
        f"2/rho**3 * {EQUATOR}": "the leading term as if it were exact: right only for d = 3",
        f"1/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-3)/2)": "one of the two kinks b = ±1 alone",
    },
    checks=(curvature,),
    rests_on=("savarese2019.appendix_d_slope",),
    own=True,
)
