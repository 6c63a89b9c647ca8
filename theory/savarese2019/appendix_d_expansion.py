"""Appendix D: the decay of h, its gradient and its Hessian far from the origin; and the exact slope and curvature."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Observation, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.calculus.limit import Limit
from implicitbias.theorems.rules.calculus.parametric_integral import IntegralDerivative, IntegralExpansion

from ..observed.functions.area_formulas import AREA, EQUATOR
from ..observed.functions.bump_far import directional, far_out, second_coefficient
from ..observed.functions.sphere import DIMENSIONS
from . import errata

RADII = tuple(Fraction(rho) for rho in ("1025/1024", "17/16", "3/2", 2, 5, 100, 10**6))
COSINES = tuple(Fraction(c) for c in (-1, "-1/2", "-1/10", 0, "1/3", "3/5", "99/100", 1))
EVERYWHERE = "every radius from 2⁵⁶ on"

BUMP = "(relu(r*t + 1) - 2*relu(r*t) + relu(r*t - 1))*slice_weight(t, d)"
"""The integrand of (38) on the slice w_1 = t, at the distance r from the origin."""

SLICES = ("the integral of (38) over the sphere is the integral over its slices",)

EQUATOR_AREA = "sphere_area(d - 2)"

POWER = "(1 - t**2)**((d - 1)/2)/(d - 1)"
"""Minus an antiderivative of t (1 - t²)^((d-3)/2)."""


def slope_at(place: str) -> IntegralDerivative:
    """h' at a radius > 1: the hats are 0 beyond |t| = 1/r."""
    return IntegralDerivative(
        BUMP,
        "t",
        "-1",
        "1",
        "r",
        place,
        knots=("-1/r", "0", "1/r"),
        antiderivatives=("0", f"-{EQUATOR_AREA}*{POWER}", f"{EQUATOR_AREA}*{POWER}", "0"),
        near=("r > 1",),
    )


SCALED_WEIGHT = f"{EQUATOR_AREA}*(1 - e**2*t**2)**((d - 3)/2)"

LEADING = IntegralExpansion(
    BUMP,
    "t",
    "-1",
    "1",
    "r",
    factor="r",
    scale="1/r",
    knots=("-1", "0", "1"),
    within="1",
    extensions=("0", f"(1 + t)*{SCALED_WEIGHT}", f"(1 - t)*{SCALED_WEIGHT}", "0"),
    antiderivatives=("0", f"{EQUATOR_AREA}*(t + t**2/2)", f"{EQUATOR_AREA}*(t - t**2/2)", "0"),
)
"""lim r h, with t/r in the place of t."""

CUBE = f"-(d - 3)/2*{EQUATOR_AREA}"


@theorem("limit under the integral")
def leading() -> Observation:
    """lim ρ h from the definition of h, for every real d ≥ 2."""
    yield shows(LEADING, for_all={"d": "real"}, assuming=("d >= 2",), words=SLICES, d="d")


@certificate("values far out")
def leading_in_balls(context: Context) -> Observation:
    """ρ h by rigorous quadrature at one large radius; Cauchy's estimate for all larger ones, and so for the limit."""
    for d in DIMENSIONS:
        yield seen(far_out(d, 0), EVERYWHERE, d=d)


@theorem("second-order limit under the integral")
def observe_next() -> Observation:
    """lim ρ² (ρ h - lim ρ h) from the definition of h, for every real d ≥ 2."""
    after = replace(
        LEADING,
        order=2,
        antiderivatives=("0", f"{CUBE}*(t**3/3 + t**4/4)", f"{CUBE}*(t**3/3 - t**4/4)", "0"),
    )
    yield shows(after, for_all={"d": "real"}, assuming=("d >= 2",), words=SLICES, d="d")


@certificate("two values far out")
def next_in_balls(context: Context) -> Observation:
    """ρ h by rigorous quadrature at two large radii: their difference is the term in 1/ρ², up to Cauchy's estimate."""
    for d in DIMENSIONS:
        yield seen(second_coefficient(d), "the limit", d=d)


@theorem("limit of the derivative")
def gradient() -> Observation:
    """lim ρ² h', h' by differentiation under the integral, for every real d ≥ 2."""
    limit = Limit(
        "rho**2*slope",
        "rho",
        to="oo",
        where={"slope": slope_at("rho")},
        extension=f"-2/(d - 1)*{EQUATOR_AREA}*(1 - (1 - e**2)**((d - 1)/2))",
        order=2,
        within="1",
        near=("rho > 1",),
    )
    yield shows(limit, for_all={"d": "real"}, assuming=("d >= 2",), words=SLICES, d="d")


@certificate("difference quotients far out")
def gradient_in_balls(context: Context) -> Observation:
    """ρ² h' from values of h on both sides of one large radius, with the rest of every series by Cauchy's estimate."""
    for d in DIMENSIONS:
        yield seen(far_out(d, 1), EVERYWHERE, d=d)


@theorem("limit of the second derivatives")
def hessian() -> Observation:
    """lim ρ³ e'∇²h e for a unit vector e with <e,x> = cρ, for every real d ≥ 2: h'' along x, h'/ρ across."""
    across = "-2/(d - 1)*(1 - (1 - e**2)**((d - 1)/2))"
    along = "2*e**2*(1 - e**2)**((d - 3)/2)"
    limit = Limit(
        "rho**3*(c**2*bend + (1 - c**2)*slope/rho)",
        "rho",
        to="oo",
        where={"slope": slope_at("rho"), "bend": Derivative(slope_at("q"), "q", "rho", near=("q > 1",))},
        extension=f"{EQUATOR_AREA}*(c**2*{along} + (1 - c**2)*({across}))",
        order=2,
        within="1",
        near=("rho > 1",),
    )
    words = (*SLICES, "the Hessian of a radial function is h'' along x and h'/ρ across")
    yield shows(limit, for_all={"d": "real", "c": "real"}, assuming=("d >= 2",), words=words, d="d", c="c")


@certificate("second differences in space far out")
def hessian_in_balls(context: Context) -> Observation:
    """ρ³ times the second derivative of h along e, from values at x and x ± te, e along x, across it and between."""
    for d in DIMENSIONS:
        for c in COSINES:
            yield seen(far_out(d, 2, c), EVERYWHERE, d=d, c=c)


@theorem("derivative under the integral")
def slope() -> Observation:
    """h' for all ρ > 1 and every real d ≥ 2: where the ends of the hats move they are 0."""
    yield shows(
        slope_at("rho"),
        for_all={"d": "real", "rho": "positive"},
        assuming=("d >= 2", "rho > 1"),
        words=SLICES,
        d="d",
        rho="rho",
    )


@certificate("difference quotients")
def slope_in_balls(context: Context) -> Observation:
    """h' from values of h by rigorous quadrature on both sides, up to Cauchy's estimate of the rest."""
    for d in DIMENSIONS:
        for rho in RADII:
            yield seen(directional(d, rho, 1), d=d, rho=rho)


@theorem("second derivative under the integral")
def curvature() -> Observation:
    """h'' for all ρ > 1 and every real d ≥ 2."""
    yield shows(
        Derivative(slope_at("q"), "q", "rho", near=("q > 1",)),
        for_all={"d": "real", "rho": "positive"},
        assuming=("d >= 2", "rho > 1"),
        words=SLICES,
        d="d",
        rho="rho",
    )


@certificate("second differences")
def curvature_in_balls(context: Context) -> Observation:
    """h'' from three values of h by rigorous quadrature, up to Cauchy's estimate of the rest."""
    for d in DIMENSIONS:
        for rho in RADII:
            yield seen(directional(d, rho, 2), d=d, rho=rho)


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
    checks=(leading, leading_in_balls),
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
    checks=(observe_next, next_in_balls),
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
    flaw=Flaw(errata.GRADIENT_WITHOUT_AREA, "-1"),
    controls={
        EQUATOR: "what the printed closed form gives",
        f"-(d-2)*{EQUATOR}": "the gradient of Green's function ρ^(2−d) of the Laplacian",
        f"-2*{EQUATOR}": "the derivative of 1/ρ²",
    },
    checks=(gradient, gradient_in_balls),
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
    flaw=Flaw(errata.GRADIENT_WITHOUT_AREA, "3*c**2 - 1"),
    controls={
        f"(d*c**2 - 1) * {EQUATOR}": "traceless, as for Green's function: right only for d = 3",
        f"(2*c**2 - 1) * {EQUATOR}": "the radial eigenvalue 2 taken for the coefficient of xxᵀ",
        f"(1 - 3*c**2) * {EQUATOR}": "the sign, as the printed closed form gives it",
    },
    checks=(hessian, hessian_in_balls),
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
    checks=(slope, slope_in_balls),
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
    checks=(curvature, curvature_in_balls),
    rests_on=("savarese2019.appendix_d_slope",),
    own=True,
)
