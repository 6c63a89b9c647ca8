"""Equation (15): the change of the output weights as a density over the units."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen

from ..observed.data.draws import fraction
from ..observed.wide.finite_width import least_change, random_units, weighted_least_change


@certificate("both problems solved apart")
def densities(context: Context) -> Observation:
    """Stationarity conditions of (14) in ΔW and of (15) in α, in fractions. α_i of (15) beside ΔW_i of (14), each found
    by its own stationarity conditions.
    """
    draw = context.random()
    for n in context.choose((3, 5, 8, 12), (3, 4, 5, 8, 12, 16, 20)):
        units = random_units(draw, n)
        units[0] = (Fraction(1), Fraction(3))  # active everywhere: both problems can be solved
        units[1] = (Fraction(-1), Fraction(2))
        x = [Fraction(-1), Fraction(1, 2)]
        y = [fraction(draw, -2, 2), fraction(draw, 1, 3)]
        changes, alphas = least_change(units, x, y), weighted_least_change(units, x, y)
        for i, (d, a) in enumerate(zip(changes[:4], alphas[:4], strict=True)):
            yield seen(a, f"unit {i + 1} of {n}", D=d, n=n)


EQUATION_15 = claim(
    "jin2021.equation_15",
    "Section 5.1, equation (15)",
    "The change of weights as a density",
    """With α_n = n ΔW the shortest change of the output weights (14) is the problem (15) over the empirical measure
    μ_n: minimise ∫α²dμ_n with ∫α[wx_j + b]_+dμ_n = y_j. The optimisers are n times each other.""",
    latex=r"\alpha_n(w_i,b_i)=n\,\Delta W_i",
    hypotheses=("f(·, θ₀) ≡ 0", "the constraints can be met"),
    formula="n*D",
    symbols={"D": "ΔW_i in the optimum of (14)", "n": "number of units"},
    controls={
        "sqrt(n)*D": "the scale of the weights at the start",
        "D": "no scale",
        "n**2*D": "n twice, from measure and cost",
        "D/n": "the scale inverted",
    },
    checks=(densities,),
    part_of="jin2021.theorem_5",
)
