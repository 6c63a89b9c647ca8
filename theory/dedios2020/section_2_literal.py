"""Section 2.1: the path norm read with all parameters in the norm."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.extrema.extremum import Infimum

from ..observed.units.neurons import Neuron, random_fraction


@certificate("fifteen scales")
def scales(context: Context) -> Observation:
    """V² = c²(c² + ‖θ‖²) along (λθ, c/λ) at fifteen scales, and its limit from two of them, in fractions."""
    draw = context.random()
    one = Fraction(1)
    cases = [Neuron((one, one), one), Neuron((3 * one, 4 * one), -2 * one), Neuron((one, Fraction(0)), 5 * one)]
    for size in (2, 3, 4):
        for _ in range(context.choose(6, 30)):
            cases.append(Neuron(tuple(random_fraction(draw) for _ in range(size)), random_fraction(draw) or one))

    def square(neuron: Neuron) -> Fraction:
        return neuron.c**2 * (neuron.c**2 + dot(neuron.theta, neuron.theta))

    above = True
    for neuron in cases:
        values = [square(neuron.scaled(Fraction(2) ** k, 1 / Fraction(2) ** k)) for k in range(-3, 12)]
        # the part that depends on λ = 2^k falls by 16 a step
        limit = (16 * values[-1] - values[-2]) / 15
        above = above and all(value > limit for value in values) and values == sorted(values, reverse=True)
        yield seen(limit, f"R^{len(neuron.theta)}, c={neuron.c}", c=neuron.c, R=dot(neuron.theta, neuron.theta))
    yield Premise("V falls along every rescaling and stays above its limit", above)


@theorem("limit along rescalings")
def limit() -> Observation:
    """V² over all rescalings (θ λ, c/λ) of a neuron with |θ|² = R: it exceeds c²R by c⁴/λ⁴, which no λ makes 0."""
    rescaled = Infimum(
        "path_cost(c/l, sqrt((c/l)**2 + l**2*R))**2", over={"l": "positive"}, at={"l": "1/e"}, gap=("c**4/l**4",)
    )
    names: dict[str, Assumption] = {"c": "real", "R": "nonnegative"}
    yield shows(rescaled, for_all=names, assuming=("c**2 > 0",), split=("c",), c="c", R="R")


LITERAL = claim(
    "dedios2020.section_2_1_all_parameters",
    "next to V(θ) = |c|‖θ‖ in Section 2.1",
    "The norm with all parameters: same infimum, not attained",
    """Were V = |c|·‖(c, a, b)‖, with the output weight in the norm as the bold letter θ would have it, the infimum
    over the rescalings of a neuron would be |c|‖(a, b)‖ as well, V² falling to c²‖(a, b)‖² as λ → ∞, but no neuron
    with c ≠ 0 attains it.""",
    latex=r"\inf_{\lambda>0}\frac{c^2}{\lambda^2}\Big(\frac{c^2}{\lambda^2}+\lambda^2\|(a,b)\|^2\Big)=c^2\,\|(a,b)\|^2\quad(R=\|(a,b)\|^2)",
    hypotheses=("c ≠ 0",),
    formula="c**2*R",
    symbols={"c": "output weight", "R": "‖(a, b)‖²"},
    controls={
        "c**2*(c**2 + R)": "the value without rescaling",
        "2*c**2*R": "balanced as for weight decay",
        "0": "a potential that rescaling takes to 0",
    },
    checks=(limit, scales),
    part_of="dedios2020.equation_5_and_6",
    own=True,
)
