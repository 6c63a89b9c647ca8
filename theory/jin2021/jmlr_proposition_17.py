"""Proposition 17 of the version of 2023: uniform directions and biases have a constant ζ up to the largest bias."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.wide.kink_moments import ball

FAR = 14
"""What a Gaussian weight beyond this many deviations adds is below 10⁻⁴³."""
TOLERANCE = 2.0**-44
SLOPES = ("1/4", "1", "2")
"""Tangents of the angles of caps."""


def integral(f: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    """An enclosure of ∫ f to about TOLERANCE."""
    import flint

    return flint.acb.integral(lambda z, analytic: f(z), lower, upper, abs_tol=TOLERANCE, rel_tol=TOLERANCE).real


def cap_share(d: int, slope: Fraction) -> Any:
    """P(V within the angle of tangent `slope` of e_1) for W a Gaussian vector in d >= 2 inputs and V = W/|W|: the other
    components together are shorter than slope·W_1, a chi-square probability, integrated over W_1 > 0."""
    import flint

    half = flint.acb(d - 1) / 2

    def integrand(w: Any) -> Any:
        short = ((w * ball(slope)) ** 2 / 2).gamma_lower(half, regularized=1)
        return (-w * w / 2).exp() * short / (2 * flint.arb.pi()).sqrt()

    near = integral(integrand, flint.arb(2) ** -40, flint.arb(FAR))
    rest = flint.arb(2) ** -40 + (flint.arb(FAR) / flint.arb(2).sqrt()).erfc() / 2
    return near + flint.arb(0).union(rest)


def cap_area(d: int, slope: Fraction) -> Any:
    """The area of the cap: circles at the angle t, spheres of d - 1 inputs of radius sin t."""
    import flint

    half = flint.arb(d - 1) / 2
    circle = 2 * flint.arb.pi() ** half / half.gamma()
    return circle * integral(lambda t: t.sin() ** (d - 2), flint.arb(0), ball(slope).atan())


@certificate("caps and bins")
def caps_and_bins(context: Context) -> Observation:
    """E[U²; V in a cap, C in a bin] over the size of cap times bin, for two to six inputs: directions of Gaussian
    vectors, and the part of the bin that C = -B reaches. U = |W| = 1. Bins lie on one side of ±a or the other."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    before, flint.ctx.prec = flint.ctx.prec, 90
    widest, outside = Fraction(0), 0
    try:
        for d in range(2, context.choose(7, 9)):
            for turn, text in enumerate(SLOPES):
                share = cap_share(d, Fraction(text)) / cap_area(d, Fraction(text))
                for factor in ("1/3", "99/100", "-2/3", "101/100", "-7/2"):
                    a = Fraction(draw.randint(1, 40), draw.choice((3, 7, 10)))
                    c = a * Fraction(factor)
                    width = a * Fraction(draw.randint(1, 9), 1000)
                    low, high = -c - width, -c + width  # of B
                    reached = max(Fraction(0), min(high, a) - max(low, -a)) / (2 * a)
                    found = from_arb(share * ball(reached / (high - low)))
                    yield seen(found, f"{d} inputs, cap {turn + 1}", d=d, a=a, c=c)
                    widest = max(widest, found.width * a)
                    outside += reached == 0
    finally:
        flint.ctx.prec = before
    yield Premise("every value is known to 10⁻⁸/a", widest < Fraction(1, 10**8), f"{float(widest):.1e}/a")
    yield Premise("bins beyond the biases are among them", outside >= 10, f"{outside}")


INSIDE = "(1 + sign(a - Abs(c)))/2"

JMLR_PROPOSITION_17 = claim(
    "jin2021.jmlr_proposition_17",
    "JMLR 2023, Proposition 17",
    "Uniform directions and biases: ζ is constant up to the largest bias",
    """For W uniform on the unit sphere in d inputs and B uniform on (-a, a), ζ(V, c) is constant for |c| < a and 0 for
    |c| > a. The constant, which the proposition leaves open, is Γ(d/2)/(4aπ^{d/2}): the density 1/(2a) of C over the
    area of the sphere. It is certified for two to six inputs, by means over caps and bins that do not hold ±a.""",
    latex=r"\zeta(V,c)=\frac{\Gamma(d/2)}{4a\pi^{d/2}}\,1_{|c|<a}",
    hypotheses=("|W| = 1", "densities with respect to dV dc, dV the area on the sphere", "c is not ±a"),
    formula=f"gamma(d/2)/(4*a*pi**(d/2))*{INSIDE}",
    symbols={"d": "number of inputs", "a": "the largest bias", "c": "place of the kink along V"},
    domain=("a > 0", "d >= 2"),
    controls={
        "gamma(d/2)/(4*a*pi**(d/2))": "constant everywhere",
        f"gamma(d/2)/(2*a*pi**(d/2))*{INSIDE}": "the density 1/a, or the two signs of V together",
        f"1/(2*a)*{INSIDE}": "with respect to the uniform law on the sphere",
        f"1/(4*a*pi)*{INSIDE}": "right for two inputs alone",
        f"3*gamma(d/2)/(8*a*pi**(d/2))*(1 - c**2/a**2)*{INSIDE}": "as if the biases were densest at 0",
        "gamma(d/2)/(4*a*pi**(d/2))*(1 + sign(a/2 - Abs(c)))/2": "up to half of the largest bias",
    },
    checks=(caps_and_bins,),
    part_of="jin2021.jmlr_theorem_6",
)
