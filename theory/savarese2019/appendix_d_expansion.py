"""Appendix D: how h, its gradient and its Hessian fall off far from the origin; and the exact slope and curvature."""

from __future__ import annotations

from typing import Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .equation_38 import EQUATOR
from .observed.sphere import DIMENSIONS


def far_out(expr: Any) -> Any:
    """The limit of an expression in s as s → ∞, taken at e = 1/s → 0."""
    import sympy

    from .observed.bump import s_symbol

    e = sympy.Symbol("e", positive=True)
    return sympy.simplify(sympy.limit(sympy.simplify(expr.subs(s_symbol(), 1 / e)), e, 0, "+"))


def observe_leading(context: Context) -> Evidence:
    """lim ρ h, from the exact h."""
    from .observed.bump import outside

    return _limits(lambda d, rho: rho * outside(d))


def observe_next(context: Context) -> Evidence:
    """lim ρ³ (h - lim(ρh)/ρ)."""
    from .observed.bump import outside

    return _limits(lambda d, rho: rho**3 * (outside(d) - far_out(rho * outside(d)) / rho))


def observe_gradient(context: Context) -> Evidence:
    """lim ρ² h'."""
    from .observed.bump import in_s

    return _limits(lambda d, rho: rho**2 * in_s(d, 1))


def observe_hessian(context: Context) -> Evidence:
    """lim ρ³ e'∇²h e for a unit vector e with <e,x> = cρ: the Hessian of a radial function is h'' along x, h'/ρ "
    "across."""
    from implicitbias.exact.symbolic import from_sympy, symbol

    from .observed.bump import in_s

    c = symbol("c")
    rho = _rho()
    identities = []
    for d in DIMENSIONS:
        along, across = far_out(rho**3 * in_s(d, 2)), far_out(rho**2 * in_s(d, 1))
        derived = from_sympy(along * c**2 + across * (1 - c**2))
        identities.append(Identity(f"d = {d}", {"c": "real"}, {"d": str(d), "c": "c"}, derived))
    return Evidence(identities=tuple(identities))


def observe_slope(context: Context) -> Evidence:
    """h' for all ρ > 1."""
    return _for_all_radii(1)


def observe_curvature(context: Context) -> Evidence:
    """h'' for all ρ > 1."""
    return _for_all_radii(2)


def _rho() -> Any:
    import sympy

    from .observed.bump import s_symbol

    return sympy.sqrt(1 + s_symbol() ** 2)


def _limits(expression: Any) -> Evidence:
    from implicitbias.exact.symbolic import from_sympy

    identities = [
        Identity(f"d = {d}", {}, {"d": str(d)}, from_sympy(far_out(expression(d, _rho())))) for d in DIMENSIONS
    ]
    return Evidence(identities=tuple(identities))


def _for_all_radii(order: int) -> Evidence:
    from implicitbias.exact.symbolic import from_sympy

    from .observed.bump import in_s

    rho = from_sympy(_rho())
    identities = [
        Identity(f"d = {d}, ρ > 1", {"s": "positive"}, {"d": str(d), "rho": rho}, from_sympy(in_s(d, order)))
        for d in DIMENSIONS
    ]
    return Evidence(identities=tuple(identities))


WHOLE = "2*pi**(d/2)/gamma(d/2)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="savarese2019.appendix_d_leading_term",
        source=Source("savarese2019", "Appendix D, last line of the expansion of h"),
        title="How the bump falls off",
        statement=(
            "ρ·h(ρ) → S_(d−1) = |S^(d−2)| for ρ → ∞: h = S_(d−1)/ρ + O(1/ρ³), as the last line of the expansion says. "
            "(The line before it would give −S_(d−1)/ρ; two slips cancel.)"
        ),
        latex=r"h = \frac{S_{d-1}}{\|x\|} + O(\|x\|^{-3})",
        hypotheses=("d ≥ 2",),
        rests_on=("savarese2019.appendix_d_closed_form",),
        formula=EQUATOR,
        symbols={"d": "the dimension"},
        controls=(
            Control(f"-{EQUATOR}", "what the printed closed form expands to"),
            Control(WHOLE, "the area of S^(d−1), as S_(d−1) could be read"),
            Control(f"{EQUATOR}/2", "the sphere seen from one side"),
            Control("2*pi", "right for d = 3 alone"),
        ),
        checks=(Check("limit of the exact form", Kind.PROOF, observe_leading, "d = 2 … 8"),),
    ),
    Claim(
        id="savarese2019.appendix_d_next_term",
        source=Source(OWN_RESULT, "beside Appendix D"),
        title="The next term of the bump",
        statement=(
            "h = S/ρ − (d−3)/12 · S/ρ³ + …, S = |S^(d−2)|: the correction vanishes for d = 3, where h = 2π/ρ exactly, "
            "and has the other sign for d = 2."
        ),
        latex=r"\rho^3\big(h - S/\rho\big) \to -\tfrac{d-3}{12}\,S",
        hypotheses=("d ≥ 2",),
        rests_on=("savarese2019.appendix_d_leading_term",),
        formula=f"-(d-3)/12 * {EQUATOR}",
        symbols={"d": "the dimension"},
        controls=(
            Control(f"-(d-1)/12 * {EQUATOR}", "from the exponent (d−1)/2 of the print"),
            Control(f"(d-3)/12 * {EQUATOR}", "the sign"),
            Control(f"-(d-3)/6 * {EQUATOR}", "one of the two terms of the closed form alone"),
            Control("0", "right for d = 3 alone"),
        ),
        checks=(Check("limit of the exact form", Kind.PROOF, observe_next, "d = 2 … 8"),),
    ),
    Claim(
        id="savarese2019.appendix_d_gradient",
        source=Source("savarese2019", "Appendix D, the gradient of h"),
        title="The gradient far out",
        statement="∇h ~ −S_(d−1) x/‖x‖³: the radial derivative times ρ² tends to −S_(d−1), in every dimension.",
        latex=r"\nabla h(x) \sim -S_{d-1}\frac{x}{\|x\|^3}",
        hypotheses=("d ≥ 2",),
        rests_on=("savarese2019.appendix_d_leading_term",),
        formula=f"-{EQUATOR}",
        symbols={"d": "the dimension"},
        controls=(
            Control(EQUATOR, "what the printed closed form gives"),
            Control(f"-(d-2)*{EQUATOR}", "the gradient of Green's function ρ^(2−d) of the Laplacian"),
            Control(f"-2*{EQUATOR}", "the derivative of 1/ρ²"),
        ),
        checks=(Check("limit of the exact form", Kind.PROOF, observe_gradient, "d = 2 … 8"),),
    ),
    Claim(
        id="savarese2019.appendix_d_hessian",
        source=Source("savarese2019", "Appendix D, the Hessian of h"),
        title="The Hessian far out",
        statement=(
            "∇²h ~ (S_(d−1)/‖x‖³)(3xxᵀ/‖x‖² − I): along a unit vector e at the angle arccos c with x the second "
            "derivative times ρ³ tends to S_(d−1)(3c² − 1), in every dimension."
        ),
        latex=r"\nabla^2 h(x) \sim \frac{S_{d-1}}{\|x\|^3}\Big(3\frac{xx^\top}{\|x\|^2} - I\Big)",
        hypotheses=("d ≥ 2", "−1 ≤ c ≤ 1"),
        rests_on=("savarese2019.appendix_d_gradient",),
        formula=f"(3*c**2 - 1) * {EQUATOR}",
        symbols={"d": "the dimension", "c": "the cosine of the angle between e and x"},
        controls=(
            Control(f"(d*c**2 - 1) * {EQUATOR}", "traceless, as for Green's function: right for d = 3 alone"),
            Control(f"(2*c**2 - 1) * {EQUATOR}", "the radial eigenvalue 2 taken for the coefficient of xxᵀ"),
            Control(f"(1 - 3*c**2) * {EQUATOR}", "the sign, as the printed closed form gives it"),
        ),
        checks=(Check("limit of the exact form", Kind.PROOF, observe_hessian, "d = 2 … 8, all directions"),),
    ),
    Claim(
        id="savarese2019.appendix_d_slope",
        source=Source(OWN_RESULT, "beside Appendix D"),
        title="The exact slope of the bump",
        statement=(
            "For ρ > 1, h′ = −(2S/(d−1)) (1 − (1−1/ρ²)^((d−1)/2)), S = |S^(d−2)|; divided by ρ it is the eigenvalue of "
            "∇²h across x, d−1 times. Negative everywhere: h decreases."
        ),
        latex=r"h' = -\frac{2S}{d-1}\Big[1-\big(1-\tfrac1{\rho^2}\big)^{\frac{d-1}{2}}\Big]",
        hypotheses=("d ≥ 2", "ρ > 1"),
        rests_on=("savarese2019.appendix_d_closed_form",),
        formula=f"-2/(d-1) * {EQUATOR} * (1 - (1-1/rho**2)**((d-1)/2))",
        symbols={"d": "the dimension", "rho": "|x|"},
        controls=(
            Control(f"-2/(d-1) * {EQUATOR} * (1 - (1-1/rho**2)**((d-3)/2))", "the exponent of the slice kept"),
            Control(f"-2/(d+1) * {EQUATOR} * (1 - (1-1/rho**2)**((d+1)/2))", "with the exponent of the print"),
            Control(f"-{EQUATOR}/rho**2", "the leading term as if it were exact: right for d = 3 alone"),
        ),
        checks=(Check("derivative of the exact form", Kind.PROOF, observe_slope, "free ρ, d = 2 … 8"),),
    ),
    Claim(
        id="savarese2019.appendix_d_curvature",
        source=Source(OWN_RESULT, "beside Appendix D"),
        title="The exact radial curvature of the bump",
        statement=(
            "For ρ > 1, h″ = (2S/ρ³)(1−1/ρ²)^((d−3)/2), S = |S^(d−2)|: the eigenvalue of ∇²h along x, positive; for d "
            "= 2 it is infinite at ρ = 1, the sphere to which the kinks of all units with b = ±1 are tangent."
        ),
        latex=r"h'' = \frac{2S}{\rho^3}\big(1-\tfrac1{\rho^2}\big)^{\frac{d-3}{2}}",
        hypotheses=("d ≥ 2", "ρ > 1"),
        rests_on=("savarese2019.appendix_d_slope",),
        formula=f"2/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-3)/2)",
        symbols={"d": "the dimension", "rho": "|x|"},
        controls=(
            Control(f"2/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-1)/2)", "with the exponent of the print"),
            Control(f"2/rho**3 * {EQUATOR}", "the leading term as if it were exact: right for d = 3 alone"),
            Control(f"1/rho**3 * {EQUATOR} * (1-1/rho**2)**((d-3)/2)", "one of the two kinks b = ±1 alone"),
        ),
        checks=(Check("second derivative of the exact form", Kind.PROOF, observe_curvature, "free ρ, d = 2 … 8"),),
    ),
)
