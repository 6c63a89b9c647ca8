"""Equations (10) and (11): the regulariser of label noise as an integral against the empirical measure."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption

from ..observed.units.neurons import gradient_potential, random_data, random_neuron, squared_network_gradient


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


@proof("gradients of one to three neurons")
def one_to_three_neurons(d: Derivation) -> None:
    """The gradient of a network of m active neurons at one datum in all parameters, for all values."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    (x,) = d.symbols("x")
    for m in (1, 2, 3):
        domain: dict[str, Assumption] = {"x": "real"}
        neurons: list[tuple[Any, ...]] = []
        for j in range(1, m + 1):
            a, b, c, z = sympy.Symbol(f"a{j}"), sympy.Symbol(f"b{j}"), symbol(f"c{j}"), symbol(f"z{j}", "positive")
            domain |= {f"c{j}": "real", f"z{j}": "positive"}
            neurons.append((a, b, c, z, c * (a * x + b)))
        network = sum(neuron[4] for neuron in neurons) / m
        squares: Any = sympy.Integer(0)
        mean: Any = sympy.Integer(0)
        for a, b, c, z, alone in neurons:
            for value in (a, b, c):
                squares += sympy.diff(network, value).subs(b, z - a * x) ** 2
                mean += sympy.diff(alone, value).subs(b, z - a * x) ** 2 / m
        d.step(f"m={m}: gradients of f = (1/m) Σ c_j(a_j x + b_j) in all parameters")
        d.concludes(sympy.expand(squares), f"m={m}", over=domain, W=sympy.expand(mean), m=m, n="1")


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
    checks=(one_to_three_neurons, gradients_compared),
)
