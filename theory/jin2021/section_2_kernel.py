"""Section 2: the mean of the empirical tangent kernel Θ̂_n in both parametrisations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import factorial
from typing import Any

from implicitbias.claims import Context, Observation, Premise, Value, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.rules.sequences.lists import ListSum, Mean
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.training.exact_training import Pair, Small, derivative, random_law


def _cases(
    context: Context, widths: tuple[int, ...], count: int
) -> Iterator[tuple[int, list[Pair], list[Fraction], Fraction, Fraction]]:
    """Width, law of (W, B), values of W̄, and two inputs at which no unit has its kink."""
    draw = context.random()
    for case in range(count):
        n = widths[case % len(widths)]
        outer = [Fraction(draw.randint(1, 3)) * s for s in (1, -1)]
        while True:
            law = random_law(draw, 1 if n > 3 else 2)
            x, z = Fraction(draw.randint(-6, 6), 3), Fraction(draw.randint(-6, 6), 2)
            # every other case has units that are active at both inputs
            if case % 4 < 2 or any(w * x + b > 0 and w * z + b > 0 for w, b in law):
                break
        yield n, law, outer, x, z


def _given(n: int, law: list[Pair], outer: list[Fraction], x: Fraction, z: Fraction) -> dict[str, Value]:
    size = len(law)
    return {
        "n": n,
        "x": x,
        "z": z,
        "K": sum(relu(w * x + b) * relu(w * z + b) for w, b in law) / size,
        "S": sum(v * v for v in outer) / len(outer),
        "H": Fraction(sum(w * x + b > 0 and w * z + b > 0 for w, b in law), size),
    }


def _mean_kernel(context: Context, ntk: bool) -> Observation:
    """Σ over the parameters of rate·∂f(x)/∂θ·∂f(z)/∂θ, by difference quotients, over every network of a finite law."""
    wide = 0
    for n, law, outer, x, z in _cases(context, (1, 4), context.choose(14, 40)):
        root = {1: 1, 4: 2}[n]
        total, count = Fraction(0), 0
        for units in itertools.combinations_with_replacement(list(itertools.product(law, outer)), n):
            weight = _orderings(units)
            network = Small(
                tuple(w for (w, _), _ in units),
                tuple(b for (_, b), _ in units),
                tuple(v / root for _, v in units),
                Fraction(0),
            )
            for parameter in network.parameters:
                at_x, at_z = (derivative(lambda net, p=p: net(p), network, parameter) for p in (x, z))  # type: ignore[misc]
                # NTK: v = √(1/n) ṽ moves at the rate 1/n, the others at 1; standard: all at 1, and Θ̂ has 1/n in front
                rate = (Fraction(1, n) if parameter[0] == "v" else Fraction(1)) if ntk else Fraction(1, n)
                total += weight * rate * at_x * at_z
            count += weight
        given = _given(n, law, outer, x, z)
        yield seen(total / count, f"width {n}, x = {x}, x' = {z}", **given)
        wide += n != 1 and given["H"] != 0
    yield Premise("wider networks with units active at both inputs are among them", wide >= 3, f"{wide}")


def _orderings(units: tuple[Any, ...]) -> int:
    """The number of orders in which these units can be drawn."""
    count = factorial(len(units))
    for unit in set(units):
        count //= factorial(units.count(unit))
    return count


@certificate("every network")
def mean_standard(context: Context) -> Observation:
    """E Θ̂_n(x, x') in the standard parametrisation: gradients of all networks of a finite law, by difference
    quotients."""
    yield from _mean_kernel(context, ntk=False)


@certificate("every network")
def mean_ntk(context: Context) -> Observation:
    """The mean tangent kernel in the NTK parametrisation, in the same way."""
    yield from _mean_kernel(context, ntk=True)


def _tangent_kernel(unit: str, rate: str) -> Composition:
    """The mean of rate·∇f(x)·∇f(x'): n units of one law, (W, B) and then W̄ independent of them, and the output bias.

    unit  a unit at `at` whose parameters v, w, b are moved by p, q, r
    """
    moved = {"p": "0", "q": "0", "r": "0"}
    of_a_unit = GradientProduct(unit.format(at="x"), unit.format(at="z"), tuple(moved), moved)
    over_input_weights = Mean(
        term=of_a_unit,
        entries={"w": "real", "b": "real"},
        where=("(w*x + b)**2 > 0", "(w*z + b)**2 > 0"),
        totals={"K": "relu(w*x + b)*relu(w*z + b)", "H": "step(w*x + b)*step(w*z + b)"},
        by={"K": "1/n", "H": "v**2/n*(1 + x*z)"} if rate == "1" else {"K": "1", "H": "v**2/n*(1 + x*z)"},
        split=("w*x + b", "w*z + b"),
    )
    over_output_weights = Mean(
        term=over_input_weights,
        entries={"v": "real"},
        totals={"S": "v**2"},
        by={"S": "H*(1 + x*z)/n"},
        each="K/n" if rate == "1" else "K",
    )
    units = ListSum(
        term=over_output_weights,
        entries={},
        length="n",
        totals={},
        by={},
        each=f"{'K/n' if rate == '1' else 'K'} + S*H*(1 + x*z)/n",
    )
    bias = GradientProduct("f + p", "g + p", ("p",), {"p": "0"})
    return Composition(f"{rate}*(s + o)", {"s": units, "o": bias})


DOMAINS: dict[str, Assumption] = {
    "n": "positive integer",
    **dict.fromkeys(("x", "z", "f", "g"), "real"),
    **dict.fromkeys(("K", "H", "S"), "nonnegative"),
    **dict.fromkeys(("less", "more"), "positive"),
}
OF_A_LAW = ("H <= 1", "less*H <= K", "K <= more*H")
"""H is a probability, and K is between two multiples of it: 0 only where H is."""
SYMBOLS = {name: name for name in ("n", "K", "S", "H", "x", "z")}


@theorem("unit by unit")
def standard() -> Observation:
    """Gradients in all parameters of a unit, their mean over its law, and n units and the output bias added up."""
    kernel = _tangent_kernel("unit(v/sqrt(n) + p, w + q, b + r, {at})", "1/n")
    yield shows(kernel, for_all=DOMAINS, assuming=OF_A_LAW, **SYMBOLS)


@theorem("unit by unit")
def ntk() -> Observation:
    """The same where √(1/n) stands outside of the trained output weight."""
    kernel = _tangent_kernel("unit((v + p)/sqrt(n), w + q, b + r, {at})", "1")
    yield shows(kernel, for_all=DOMAINS, assuming=OF_A_LAW, **SYMBOLS)


INDEPENDENT = ("W̄ is independent of (W, B)", "the second moments are finite", "no kink on x or x'")

KERNEL = {"K": "E[Wx+B]_+[Wx'+B]_+", "S": "E W̄²", "H": "P(both units active)", "x": "x", "z": "x'", "n": "width"}

TANGENT_KERNEL = claim(
    "jin2021.tangent_kernel",
    "Section 2, Θ̂_n",
    "The mean tangent kernel in the standard parametrisation",
    """For Θ̂_n = (1/n)∇f∇fᵀ: E Θ̂_n(x, x') = K + (E W̄²·P(both active)(1 + xx') + 1)/n with K = E[Wx+B]_+[Wx'+B]_+.
    Only the part of the output weights remains as n grows; the others are of order 1/n.""",
    latex=r"\mathbb E\hat\Theta_n(x,x')=K+\tfrac1n\big(\mathbb E\bar W^2\,\mathbb E[HH'](1+xx')+1\big)",
    hypotheses=INDEPENDENT,
    formula="K + (S*H*(1 + x*z) + 1)/n",
    symbols=KERNEL,
    controls={
        "K + S*H*(1 + x*z) + 1": "the NTK parametrisation's",
        "K": "the output weights alone",
        "K + S*H*(1 + x*z)/n": "the output bias forgotten",
        "K + (S*H*x*z + 1)/n": "the input biases forgotten",
    },
    checks=(standard, mean_standard),
    part_of="jin2021.theorem_4_function",
    formerly=("jin2021.tangent_kernel_fluctuations",),
)


TANGENT_KERNEL_NTK = claim(
    "jin2021.tangent_kernel_ntk",
    "Section 2, the NTK parametrization",
    "The mean tangent kernel in the NTK parametrisation",
    """With √(1/n) outside the trained weights and one learning rate for all parameters, the mean kernel is K + E
    W̄²·P(both active)(1 + xx') + 1 at every width: not the limit K of the standard parametrisation.""",
    latex=r"\mathbb E\hat\Theta_n^{\mathrm{NTK}}(x,x')=K+\mathbb E\bar W^2\,\mathbb E[HH'](1+xx')+1",
    hypotheses=INDEPENDENT,
    formula="K + S*H*(1 + x*z) + 1",
    symbols=KERNEL,
    controls={
        "K + (S*H*(1 + x*z) + 1)/n": "the standard parametrisation's",
        "K": "both tend to the same kernel",
        "n*K + S*H*(1 + x*z) + 1": "the factor of the output weights forgotten",
        "K + S*H*(1 + x*z)": "the output bias forgotten",
    },
    checks=(ntk, mean_ntk),
    part_of="jin2021.theorem_4_function",
    rests_on=("jin2021.tangent_kernel",),
)
