"""Equation (38): the radial bump, three ReLUs in every direction. What does one direction give, what the sphere?"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Source

from .observed.slope_jumps import relu
from .observed.sphere import DIMENSIONS

HALF_RADII = tuple(Fraction(n, 8) for n in (1, 2, 4, 5, 7, 8))


def observe_three_units(context: Context) -> Evidence:
    """[t+1]_+ - 2[t]_+ + [t-1]_+ for all t, and at exact points."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    t = symbol("t")
    units = sympy.Max(t + 1, 0) - 2 * sympy.Max(t, 0) + sympy.Max(t - 1, 0)
    points = [Fraction(n, 4) for n in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 8, -8, 400, -400)]
    instances = [Instance("", {"t": p}, relu(p + 1) - 2 * relu(p) + relu(p - 1)) for p in points]
    identity = Identity("three units", {"t": "real"}, {"t": "t"}, from_sympy(units))
    return Evidence(identities=(identity,), instances=tuple(instances))


def observe_inside(context: Context) -> Evidence:
    """h on the unit ball, the three terms of (38) integrated over the sphere."""
    from implicitbias.exact.symbolic import from_sympy

    from .observed.bump import inside

    identities = [
        Identity(f"d = {d}", {"rho": "positive"}, {"d": str(d), "rho": "rho"}, from_sympy(inside(d)))
        for d in DIMENSIONS
    ]
    return Evidence(identities=tuple(identities))


def observe_inside_in_balls(context: Context) -> Evidence:
    """h at points of the unit ball by rigorous quadrature over the sphere."""
    from .observed.bump import enclosed

    cases = [(d, rho) for d in DIMENSIONS for rho in HALF_RADII]
    instances = [Instance(f"d = {d}", {"d": d, "rho": rho}, enclosed(d, rho)) for d, rho in cases]
    return Evidence(instances=tuple(instances))


AREA = "2*pi**(d/2)/gamma(d/2)"
"""|S^(d-1)|."""

EQUATOR = "2*pi**((d-1)/2)/gamma((d-1)/2)"
"""|S^(d-2)|, which the paper writes S_(d-1)."""

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="savarese2019.equation_38",
        source=Source("savarese2019", "Claim 5.2, equation (38)"),
        title="Three ReLUs make a hat",
        statement=(
            "[t+1]₊ − 2[t]₊ + [t−1]₊ = max(0, 1−|t|). So h of (38) is the mean of hats of width 2 over all directions: "
            "positive, radial, at most |S^(d−1)|, which it attains at 0 alone, and it vanishes at infinity: a bump, as "
            "the paper says."
        ),
        latex=r"[t+1]_+ - 2[t]_+ + [t-1]_+ = \max(0, 1-|t|)",
        formula="Max(0, 1 - Abs(t))",
        symbols={"t": "⟨w,x⟩"},
        controls=(
            Control("1 - Abs(t)", "not cut off: right for |t| ≤ 1"),
            Control("Max(0, 1 - t**2)", "a parabola with the same zeros and the same height"),
            Control("Max(0, 1 - t)", "one side only: right for t ≥ 0"),
            Control("Max(0, Abs(t) - 1)", "the sign: a valley"),
        ),
        checks=(Check("three units", Kind.PROOF, observe_three_units, "the three ReLUs added up, for all t"),),
    ),
    Claim(
        id="savarese2019.equation_38_inside",
        source=Source(OWN_RESULT, "beside Claim 5.2"),
        title="The bump inside the unit ball is a cone",
        statement=(
            "For ρ = |x| ≤ 1, h = |S^(d−1)| − 2ρ|S^(d−2)|/(d−1): a cone. Its tip is the only place inside the ball "
            "where h has curvature in the radial direction."
        ),
        latex=r"h = |S^{d-1}| - \frac{2\rho\,|S^{d-2}|}{d-1}, \quad \rho \le 1",
        hypotheses=("d ≥ 2", "0 < ρ ≤ 1"),
        rests_on=("savarese2019.equation_38",),
        formula=f"{AREA} - 2*rho/(d-1) * {EQUATOR}",
        symbols={"d": "the dimension", "rho": "|x|"},
        controls=(
            Control(f"{AREA} - 2*rho/(d+1) * {EQUATOR}", "what the exponent (d−1)/2 of Appendix D gives"),
            Control(f"{AREA} - 2*rho/d * {EQUATOR}", "the volume of the ball in R^(d−1) divided by its dimension + 1"),
            Control(f"{AREA}*(1 - rho)", "the mean of hats as if every direction were along x"),
            Control("2*pi - 4*rho", "right for d = 2 alone"),
        ),
        checks=(
            Check("exact integrals", Kind.PROOF, observe_inside, "free ρ, d = 2 … 8"),
            Check("ball arithmetic", Kind.CERTIFICATE, observe_inside_in_balls, "(38) itself by rigorous quadrature"),
        ),
    ),
)
