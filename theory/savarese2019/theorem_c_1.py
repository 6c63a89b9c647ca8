"""Theorem C.1, (46)-(61): the norm of parallel deep networks is a bridge penalty on their last layer."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimum
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.units.layer_norms import least_layer_cost, root_of_product
from ..observed.units.parallel_networks import (
    ParallelNetwork,
    cost,
    normalised_sub_network,
    output,
    scaled,
    squared_weight,
)


@certificate("both maps, and downhill from random norms")
def both_maps(context: Context) -> Observation:
    """The least cost over the norms of all layers of two sub-networks, bracketed by a search from random norms; (50)
    and (55)-(56) carried out on exact networks: the function is kept, and the cost is inside the bracket.

    The weights α_i are ± L-th powers of rationals, so that the maps stay rational.
    """
    draw = context.random()
    same = recovered = attained = True
    small = [(2, 1, 2), (3, 1, 2), (3, 2, 3), (4, 1, 2), (5, 2, 1)]
    cases = [(depth, [Fraction(r), Fraction(q)]) for depth, r, q in small]
    cases += [(draw.randint(2, 6), [root_of_product(draw), root_of_product(draw)]) for _ in range(8)]
    for depth, roots in cases:
        subs = [normalised_sub_network(draw, depth, 2, 2) for _ in roots]
        signs = [draw.choice([-1, 1]) for _ in roots]
        alphas = [s * r**depth for s, r in zip(signs, roots, strict=True)]
        normalised: ParallelNetwork = list(zip(alphas, subs, strict=True))
        balanced: ParallelNetwork = [
            (s * r, scaled(sub, [r] * (depth - 1))) for s, r, sub in zip(signs, roots, subs, strict=True)
        ]
        points = [[Fraction(draw.randint(-9, 9)), Fraction(draw.randint(-9, 9))] for _ in range(12)]
        same = same and all(output(balanced, x) == output(normalised, x) for x in points)
        recovered = recovered and [squared_weight(w, sub) for w, sub in balanced] == [a * a for a in alphas]
        brackets = [least_layer_cost(abs(alpha), depth, draw) for alpha in alphas]
        least = Interval(brackets[0].lower + brackets[1].lower, brackets[0].upper + brackets[1].upper)
        attained = attained and least.lower <= cost(balanced, depth) <= least.upper
        yield seen(least, f"L={depth}, α={alphas[0]}, {alphas[1]}", a=abs(alphas[0]), b=abs(alphas[1]), L=depth)
    yield Premise("(55)-(56) keep the function at 12 rational points, in every case", same)
    yield Premise("(50) leads back to α", recovered)
    yield Premise("(55)-(56) give a network of least cost: inside the bracket, in every case", attained)


def cheapest_layers(log: str) -> ListMinimum:
    """The least (1/L) Σ n² over the norms n of L layers whose product is exp(`log`)."""
    common = f"exp({log}/L)"
    ratio = f"(n/{common})**2"
    return ListMinimum(
        cost="layer_cost(n, L)",
        over={"n": "positive"},
        length="L",
        totals={log: "log(n)"},
        at={"n": common},
        multipliers={log: f"2*{common}**2/L"},
        gap=(f"{common}**2/L*({ratio} - 1 - log({ratio}))",),
    )


@theorem("derived for all depths")
def derive_both_maps() -> Observation:
    """The least cost of each sub-network over the norms of its L layers, the product of which is its weight α = e^l, as
    its function asks: the layers are homogeneous. For every depth.
    """
    parts = {"C1": cheapest_layers("k"), "C2": cheapest_layers("l")}
    yield shows(
        Composition("C1 + C2", parts),
        for_all={"k": "real", "l": "real", "L": "positive integer"},
        assuming=("L >= 2",),
        a="exp(k)",
        b="exp(l)",
        L="L",
    )


THEOREM_C_1 = claim(
    "savarese2019.theorem_c_1",
    "Theorem C.1, (46)",
    "The norm of parallel networks as a bridge penalty",
    """The least norm C_L of a parallel network with given sub-network directions is Σ|α_i|^(2/L), where α_i are the
    last-layer weights over normalised sub-networks; for two sub-networks a^(2/L) + b^(2/L). The maps (50) and (55)-(56)
    between the two forms keep the function. (They do so for every feasible point, so the infima agree whether or not
    they are attained.)""",
    latex=r"P_L(f)=\inf\Big\{\textstyle\sum_i|\alpha_i|^{2/L}\Big\}",
    hypotheses=("no biases", "a, b > 0: a sub-network with a zero layer contributes nothing and is dropped"),
    formula="a**(2/L) + b**(2/L)",
    symbols={
        "a": "|α₁|, last-layer weight over the first normalised sub-network",
        "b": "|α₂|, the second",
        "L": "number of layers",
    },
    controls={
        "(a+b)**(2/L)": "the penalty of the sum: right only for a single sub-network",
        "a**(1/L) + b**(1/L)": "exponent 1/L",
        "a**(2/(L-1)) + b**(2/(L-1))": "exponent 2/(L-1): the inner layers only",
        "a + b": "no effect of depth",
    },
    checks=(both_maps, derive_both_maps),
    rests_on=("savarese2019.corollary_c_2",),
    formerly=("savarese2019.equation_45", "savarese2019.equation_59"),
)
