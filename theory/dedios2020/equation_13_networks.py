"""Section 3.2: whole networks rescaled to the least Λ.

Coq: LabelNoise.v, least_noise_of_network (docs/formal.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from implicitbias.claims import Context, Interval, Observation, Premise, Step, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimum

from ..observed.data.draws import evenly
from ..observed.units.neurons import (
    Neuron,
    Point,
    gradient_potential,
    mean_active_length,
    mean_square_output,
    random_data,
    random_neuron,
    squared_network_gradient,
)
from ..observed.units.rescaling import least_potential


def _of_costs(
    neurons: list[Neuron], data: list[Point], wanted: Iterable[tuple[Fraction, Fraction]]
) -> Iterator[tuple[list[Neuron], list[Point]]]:
    """For each (target, off) all rescaled to about `off` times the scale of the least Ṽ_b, these having this mean."""
    brackets = [least_potential(neuron, data) for neuron in neurons]
    mean = sum((found.value.upper for found in brackets), Fraction(0)) / len(neurons)
    for target, off in wanted:
        size = Fraction(float(target / mean) ** 0.5).limit_denominator(1000) or Fraction(1, 1000)
        beyond = [off * found.place.upper.limit_denominator(100) or Fraction(1, 100) for found in brackets]
        yield [neuron.scaled(size * scale, size / scale) for neuron, scale in zip(neurons, beyond, strict=True)], data


@certificate("networks rescaled")
def networks(context: Context) -> Observation:
    """Λ of rescaled networks by difference quotients, between bounds by convexity; dead neurons included."""
    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    cases: list[tuple[list[Neuron], list[Point]]] = []
    shapes = ((1, 1, 1), (1, 2, 1), (1, 2, 2), (1, 3, 3), (2, 3, 2), (1, 1, 3), (1, 1, 4), (1, 1, 5), (1, 1, 7))
    offs = (Fraction(13, 12), Fraction(3), Fraction(13, 12), Fraction(1, 6), Fraction(25, 24))
    # W and T below and above 1 and m, for every number of neurons
    sizes = evenly(-4, 5, len(offs) * len(shapes))
    for k, (d, n, m) in enumerate(shapes):
        for _ in range(context.choose(1, 8)):
            data = random_data(draw, n, d)
            start = [random_neuron(draw, data) for _ in range(m)]
            cases.append((start, data))
            targets = sizes[k :: len(shapes)]
            cases += _of_costs(start, data, zip(draw.sample(targets, len(targets)), offs, strict=True))
    unit: list[Point] = [(Fraction(0),), (Fraction(1),)]
    dead = Neuron((Fraction(-1), Fraction(-1)), Fraction(2))
    cases.append(([Neuron((Fraction(1), Fraction(1)), Fraction(1)), dead], unit))
    unchanged = True
    for neurons, data in cases:
        m = len(neurons)
        brackets = [least_potential(neuron, data) for neuron in neurons]
        scales = [(found.place.lower + found.place.upper) / 2 for found in brackets]
        rescaled = [neuron.scaled(s, 1 / s) for neuron, s in zip(neurons, scales, strict=True)]
        unchanged = unchanged and all(sum(u(x) for u in neurons) == sum(u(x) for u in rescaled) for x in data)
        reached = sum((squared_network_gradient(rescaled, x) for x in data), Fraction(0)) / len(data)
        below = sum((found.value.lower for found in brackets), Fraction(0)) / m**2
        parts = [
            f"2*{abs(u.c)}*sqrt({mean_square_output(u.theta, data) * mean_active_length(u.theta, data)})"
            for u in neurons
        ]
        yield seen(
            Interval(below, reached),
            f"m={m}, n={len(data)}, d={len(data[0])}",
            W=enclose(f"({' + '.join(parts)})/{m}"),
            T=sum((gradient_potential(u, data) for u in neurons), Fraction(0)) / m,
            m=m,
        )
    yield Premise("the rescaled networks have the same outputs at all data", unchanged)
    yield Step("below: every neuron's bracket; above: Λ of the rescaled network itself")


@theorem("every list of neurons")
def lists() -> Observation:
    """The least Λ = Σ (A_j + c_j²B_j)/m² of networks with the same ∫ V_b, whatever the scales of the neurons."""
    least = ListMinimum(
        cost="label_noise_potential(A, B, c)/m**2",
        over={"A": "positive", "B": "positive", "c": "positive"},
        length="m",
        totals={"S": "2*c*sqrt(A*B)"},
        at={"A": "S/(2*m)", "B": "1", "c": "sqrt(S/(2*m))"},
        multipliers={"S": "1/m**2"},
        gap=("(sqrt(A) - c*sqrt(B))**2/m**2",),
    )
    over: dict[str, Assumption] = {"m": "positive integer", "S": "positive", "t": "nonnegative"}
    yield shows(least, for_all=over, W="S/m", T="S/m + t", m="m")


NETWORKS = claim(
    "dedios2020.equation_13_networks",
    "Section 3.2, before (13)",
    "Minimising Ṽ_b and minimising V_b are the same problem",
    """Over the rescalings (λ_j a_j, λ_j b_j, c_j/λ_j) of all neurons of a network, which do not change its function,
    the least Λ is (1/m)∫V_b dμ, V_b = 2|c|√(AB): so Ṽ_b may be replaced by V_b, as the paper says. The infimum is
    attained unless some neuron has c = 0 and A > 0; dead neurons cost nothing at any scale.""",
    latex=r"\min_{\lambda_1,\dots,\lambda_m>0}\Lambda=\frac1m\int V_b\,d\mu\quad\Big(W=\int V_b\,d\mu\Big)",
    hypotheses=("no hinge on a datum", "c_j ≠ 0"),
    domain=("W >= 0", "W <= T", "m >= 1"),
    formula="W/m",
    symbols={"W": "∫ V_b dμ", "T": "∫ Ṽ_b dμ before rescaling", "m": "number of neurons"},
    controls={"T/m": "no rescaling", "W": "the factor 1/m of (10) omitted", "W/(2*m)": "the factor 2 of V_b omitted"},
    checks=(lists, networks),
    part_of="dedios2020.equation_13",
    rests_on=("dedios2020.equation_10", "dedios2020.equation_13"),
)
