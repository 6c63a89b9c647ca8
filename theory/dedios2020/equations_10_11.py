"""Equations (10) and (11): the regulariser of label noise as an integral against the empirical measure."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import ListSum

from ..observed.units.neurons import gradient_potential, random_data, random_neuron, squared_network_gradient
from ..observed.units.squared_gradient import squared_gradient


@certificate("exact difference quotients")
def gradients_compared(context: Context) -> Observation:
    """Λ by difference quotients of the network, W by those of each neuron alone, in fractions."""
    draw = context.random()
    for d, m, n in ((1, 1, 1), (1, 2, 1), (1, 2, 3), (1, 5, 4), (2, 3, 4), (3, 4, 3), (2, 8, 5)):
        for _ in range(context.choose(2, 10)):
            data = random_data(draw, n, d)
            neurons = [random_neuron(draw, data, alive=False) for _ in range(m)]
            whole = sum((squared_network_gradient(neurons, x) for x in data), Fraction(0)) / n
            mean = sum((gradient_potential(neuron, data) for neuron in neurons), Fraction(0)) / m
            yield seen(whole, f"m={m}, n={n}, d={d}", W=mean, m=m, n=n)


@theorem("gradients added up")
def gradients_added_up() -> Observation:
    """|∇_j f|² of f = φ_j/m + r, r the other neurons, added up over the inputs, the data and the neurons."""
    data: dict[str, Assumption] = {"z": "real", "Y": "nonnegative", "r": "real"}
    at_a_neuron = ListSum(
        term=squared_gradient("({}/m + r)", "n"),
        entries=data,
        where=("z**2 > 0",),
        length="n",
        totals={"V": squared_gradient("{}", "n")},
        by={"V": "1/m**2"},
        split=("z",),
    )
    yield shows(
        ListSum(
            term=at_a_neuron,
            entries={"c": "real", "V": "nonnegative"},
            length="m",
            totals={"W": "V/m"},
            by={"W": "1/m"},
        ),
        for_all={**dict.fromkeys("mnd", "positive integer"), "W": "nonnegative"},
        W="W",
        m="m",
        n="n",
    )


REGULARISER = claim(
    "dedios2020.equation_10",
    "Equations (10) and (11)",
    "The regulariser of label noise is a mean over neurons",
    """For f = (1/m) Σ_j φ(θ_j, ·) the regulariser Λ = E_D[Σ_j |∇_j f|²] is (1/m)∫ Ṽ_b dμ with Ṽ_b(θ) = E_D[|∇φ(θ, x)|²]
    and μ the empirical measure of the neurons: the proportionality of (10) and (11) has the constant 1/m.""",
    latex=r"\Lambda=\mathbb E_{\mathcal D}\Big[\sum_j|\nabla_{\theta_j}f|^2\Big]=\frac1m\int\widetilde V_b\,d\mu^{(m)}",
    hypotheses=("no hinge on a datum",),
    formula="W/m",
    symbols={"W": "∫ Ṽ_b dμ: the mean of Ṽ_b over the neurons", "m": "number of neurons", "n": "number of data"},
    controls={
        "W": "equality in place of proportionality",
        "W/m**2": "1/m² from the square, without the sum over m neurons",
        "n*W/m": "a sum over the data instead of their mean",
    },
    checks=(gradients_added_up, gradients_compared),
)
