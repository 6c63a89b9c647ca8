"""Equation (38): the radial bump, three ReLUs in every direction: one direction, and the mean over the sphere inside
the unit ball.
"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen, shows, theorem
from implicitbias.theorems.rules.values.value import Value

from ..observed.functions.area_formulas import AREA, EQUATOR
from ..observed.functions.bump import enclosed, inside
from ..observed.functions.sphere import DIMENSIONS

HALF_RADII = tuple(Fraction(n, 8) for n in (1, 2, 4, 5, 7, 8))


@theorem("three units")
def three_units() -> Observation:
    """The three ReLUs for all t."""
    yield shows(Value("relu(t + 1) - 2*relu(t) + relu(t - 1)"), for_all={"t": "real"}, t="t")


@certificate("the units at exact points")
def at_points(context: Context) -> Observation:
    """The network of the three units itself: at its kinks, close to them, between and beyond."""
    from implicitbias.functions.network import Network

    hat = Network(w=[1, 1, 1], b=[1, 0, -1], v=[1, -2, 1])
    draw, near = context.random(), Fraction(1, 10**6)
    places = [Fraction(t) for t in (0, 1, -1, "1/2", "-1/2", "1/3", "-2/3", 2, -2, 1000, -1000)]
    places += [kink + side * near for kink in (-1, 0, 1) for side in (-1, 1)]
    for t in (*places, *(Fraction(draw.randint(-400, 400), draw.randint(1, 200)) for _ in range(20))):
        yield seen(hat(t), t=t)


@proof("exact integrals")
def observe_inside(derivation: Derivation) -> None:
    """h on the unit ball for all ρ and d = 2 … 8, the three terms of (38) integrated over the sphere."""

    for d in DIMENSIONS:
        derivation.concludes(inside(d), f"d = {d}", over={"rho": "positive"}, d=d, rho="rho")


@certificate("ball arithmetic")
def inside_in_balls(context: Context) -> Observation:
    """h at points of the unit ball by rigorous quadrature over the sphere."""
    cases = [(d, rho) for d in DIMENSIONS for rho in HALF_RADII]
    for d, rho in cases:
        yield seen(enclosed(d, rho), d=d, rho=rho)


EQUATION_38 = claim(
    "savarese2019.equation_38",
    "Claim 5.2, equation (38)",
    "Three ReLUs make a hat",
    """[t+1]₊ − 2[t]₊ + [t−1]₊ = max(0, 1−|t|): under the integral of (38) stands a hat of height 1 and width 2 in every
    direction.""",
    part_of="savarese2019.claim_5_2",
    latex=r"[t+1]_+ - 2[t]_+ + [t-1]_+ = \max(0, 1-|t|)",
    formula="Max(0, 1 - Abs(t))",
    symbols={"t": "⟨w,x⟩"},
    controls={
        "1 - Abs(t)": "not cut off: right for |t| ≤ 1",
        "Max(0, 1 - t**2)": "a parabola with the same zeros and the same height",
        "Max(0, 1 - t)": "one side only: right for t ≥ 0",
        "Max(0, Abs(t) - 1)": "the sign: a valley",
    },
    checks=(three_units, at_points),
)


INSIDE = claim(
    "savarese2019.equation_38_inside",
    "beside Claim 5.2",
    "The bump inside the unit ball is a cone",
    """For ρ = |x| ≤ 1, h = |S^(d−1)| − 2ρ|S^(d−2)|/(d−1): a cone. Its tip is the only place inside the ball where h has
    curvature in the radial direction.""",
    part_of="savarese2019.claim_5_2",
    latex=r"h = |S^{d-1}| - \frac{2\rho\,|S^{d-2}|}{d-1}, \quad \rho \le 1",
    hypotheses=("d ≥ 2", "0 < ρ ≤ 1"),
    formula=f"{AREA} - 2*rho/(d-1) * {EQUATOR}",
    symbols={"d": "the dimension", "rho": "|x|"},
    controls={
        f"{AREA} - 2*rho/(d+1) * {EQUATOR}": "what the exponent (d−1)/2 of Appendix D gives",
        f"{AREA} - 2*rho/d * {EQUATOR}": "the volume of the ball in R^(d−1) divided by its dimension + 1",
        f"{AREA}*(1 - rho)": "the mean of hats as if every direction were along x",
        "2*pi - 4*rho": "right only for d = 2",
    },
    checks=(observe_inside, inside_in_balls),
    rests_on=("savarese2019.equation_38",),
    own=True,
)
