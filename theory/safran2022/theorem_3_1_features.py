"""After Theorem 3.1: the probabilities of breakpoints in a segment and of units active on all data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.integral import Integral

from ..observed.data.draws import of_any_size

BITS = 220
"""Working precision of the balls."""
FAR = 17
"""Normal weights beyond this have probability below 2^-200."""


@theorem("polar integration")
def kink_density() -> Observation:
    """The density of b/w = -t, t the breakpoint, integrated over the interval; any σ_h."""
    rising = "exp(-(1 + t**2)*w**2/(2*sigma**2))/(2*pi*(1 + t**2))"
    density = Integral(
        "ratio_integrand(w, normal_density(w, sigma)*normal_density(-t*w, sigma))",
        over="w",
        lower="-oo",
        upper="oo",
        splits=("0",),
        antiderivatives=(rising, f"-{rising}"),
    )
    probability = Integral(density, over="t", lower="a", upper="b", antiderivatives=("atan(t)/pi",))
    names: dict[str, Assumption] = {"a": "real", "b": "real", "sigma": "positive"}
    yield shows(probability, for_all=names, assuming=("a < b",), a="a", b="b")


@certificate("the bias given the weight")
def kink_given_weight(context: Context) -> Observation:
    """∫_0^∞ φ(w) (erf(b w/√2) - erf(a w/√2)) dw in balls."""
    draw = context.random()
    pairs = [
        (Fraction(-1), Fraction(1)),
        (Fraction(0), Fraction(1)),
        (Fraction(-1), Fraction(0)),
        (Fraction(2), Fraction(3)),
    ]
    for _ in range(context.choose(8, 40)):
        low = Fraction(draw.randint(-20, 20), 4)
        pairs.append((low, low + Fraction(draw.randint(1, 24), 4)))
    for a, b in pairs:
        yield seen(_between(a, b), f"[{a}, {b}]", a=a, b=b)


def _between(a: Fraction, b: Fraction) -> Any:
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        root = flint.arb(2).sqrt()
        low, high = to_arb(a) / root, to_arb(b) / root

        def integrand(z: Any, _: bool) -> Any:
            return (-(z * z) / 2).exp() * ((high * z).erf() - (low * z).erf())

        value = flint.acb.integral(integrand, 0, FAR).real / (2 * flint.arb.pi()).sqrt()
        return from_arb(value + flint.arb(0, flint.arb(2) ** -200))


KNOT = claim(
    "safran2022.theorem_3_1_knot",
    "after Theorem 3.1, the proof sketch",
    "Probability of a breakpoint in an interval",
    """A unit with w, b ~ N(0, σ_h²) has its breakpoint -b/w in [a, b] with probability (atan b - atan a)/π, whatever
    σ_h: breakpoints are Cauchy distributed, not uniform. So a segment of length ρ in [-R, R] gets one with
    probability at least ρ/(π(1 + R²)).""",
    latex=r"\mathbb P[-b/w\in[a,b]]=\tfrac1\pi(\arctan b-\arctan a)",
    hypotheses=("Assumption 2.1",),
    formula="(atan(b) - atan(a))/pi",
    symbols={"a": "left end", "b": "right end"},
    controls={
        "(b - a)/2": "breakpoints uniform on [-1, 1]",
        "(atan(b) - atan(a))/(2*pi)": "units to the right alone",
        "(b - a)/(pi*(1 + b**2))": "the density at the right end all along",
        "erf(b/sqrt(2))/2 - erf(a/sqrt(2))/2": "normal breakpoints",
    },
    checks=(kink_density, kink_given_weight),
    part_of="safran2022.theorem_3_1",
)


@theorem("derivative in the angle")
def angle_of_active_units() -> Observation:
    """Active on [-R, R] means b > R|w|: the density of w/b = t where b > 0, integrated over |t| < 1/R; any σ_h."""
    density = Integral(
        "ratio_integrand(b, normal_density(b, sigma)*normal_density(t*b, sigma))",
        over="b",
        lower="0",
        upper="oo",
        antiderivatives=("-exp(-(1 + t**2)*b**2/(2*sigma**2))/(2*pi*(1 + t**2))",),
    )
    probability = Integral(density, over="t", lower="-1/R", upper="1/R", antiderivatives=("atan(t)/(2*pi)",))
    yield shows(probability, for_all={"R": "positive", "sigma": "positive"}, R="R")


@certificate("the weight given the bias")
def weight_given_bias(context: Context) -> Observation:
    """∫_0^∞ φ(b) erf(b/(R√2)) db in balls."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        for R in [Fraction(a, 4) for a in context.choose((4, 5, 6, 8, 12, 40), tuple(range(4, 60, 2)))]:
            factor = 1 / (to_arb(R) * flint.arb(2).sqrt())

            def integrand(z: Any, _: bool, factor: Any = factor) -> Any:
                return (-(z * z) / 2).exp() * (factor * z).erf()

            value = flint.acb.integral(integrand, 0, FAR).real / (2 * flint.arb.pi()).sqrt()
            yield seen(from_arb(value + flint.arb(0, flint.arb(2) ** -200)), R=R)


ACTIVE = claim(
    "safran2022.theorem_3_1_active",
    "after Theorem 3.1, the proof sketch",
    "Probability of being active on all data",
    """A unit with w, b ~ N(0, σ_h²) is active on all of [-R, R] with probability atan(1/R)/π: 1/4 for R = 1, about
    1/(πR) for large R.""",
    latex=r"\mathbb P[\forall |x|\le R:\ wx+b>0]=\tfrac1\pi\arctan\tfrac1R",
    hypotheses=("Assumption 2.1",),
    formula="atan(1/R)/pi",
    symbols={"R": "the data lie in [-R, R]"},
    controls={
        "1/4": "its value at R = 1",
        "2*atan(1/R)/pi": "half of the angle counted twice",
        "1/(pi*R)": "its value for large R",
        "atan(R)/pi": "the reciprocal",
    },
    checks=(angle_of_active_units, weight_given_bias),
    part_of="safran2022.theorem_3_1",
)


@certificate("segments in balls")
def exact_probabilities(context: Context) -> Observation:
    """The exact probability for segments anywhere in [-R, R], at its ends and elsewhere, and the density there."""
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    draw, dense = context.random(), True
    for R in [Fraction(1), Fraction(1, 7), Fraction(12), *(of_any_size(draw, -4, 4) for _ in range(150))]:
        for rho in (2 * R, R, R / 1000, *(min(2 * R, R * of_any_size(draw, -6, 2)) for _ in range(4))):
            for place in (0, 1, Fraction(draw.randint(1, 99), 100)):
                low = -R + (2 * R - rho) * place
                found = enclose("(atan(b) - atan(a))/pi", a=low, b=low + rho)
                least = enclose("rho/(pi*(1 + R**2))", rho=rho, R=R)
                dense = dense and compare(found, least) is Comparison.GREATER
                name, ends = f"[{low}, {low + rho}] in [-{R}, {R}]", place in (0, 1)
                yield seen(found, name, relation="=" if ends else ">=", R=R, rho=rho)
    yield Premise("all are above the density at R times ρ, ρ/(π(1 + R²))", dense)


BOUND = claim(
    "safran2022.theorem_3_1_knot_bound",
    "after Theorem 3.1, the proof sketch",
    "Least probability of a breakpoint in a segment",
    """Every segment of length ρ inside [-R, R] has the breakpoint of a unit with probability at least (atan(R) -
    atan(R - ρ))/π, and those at the ends have no more. This is above ρ/(π(1 + R²)), the least density of breakpoints
    times the length, which is all that the proof needs.""",
    latex=r"\tfrac1\pi(\arctan b-\arctan a)\ge\tfrac1\pi(\arctan R-\arctan(R-\rho))\ge\tfrac{\rho}{\pi(1+R^2)}",
    hypotheses=("-R <= a, b = a + ρ <= R",),
    formula="(atan(R) - atan(R - rho))/pi",
    symbols={"rho": "length of the segment", "R": "the data lie in [-R, R]"},
    domain=("rho > 0", "rho <= 2*R"),
    controls={
        "rho/(2*R)": "uniform breakpoints",
        "2*atan(rho/2)/pi": "the segment in the middle",
        "rho/(pi*(1 + R**2))": "the least density all along: less than any segment has",
        "rho/pi": "the density at 0",
    },
    checks=(exact_probabilities,),
    rests_on=("safran2022.theorem_3_1_knot",),
    part_of="safran2022.theorem_3_1",
)
