"""Theorem C.1, (46)-(61): the norm of parallel deep networks is a bridge penalty on their last layer."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Interval, Observation, Premise, certificate, claim, proof, seen

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


@proof("derived for all depths")
def derive_both_maps(d: Derivation) -> None:
    """Homogeneity and (59) with L as a symbol."""
    import sympy

    a, b, depth = d.symbols(a="positive", b="positive", L="positive integer")
    d.identity(
        "(55)-(58): the output weight and the L-1 homogeneous layers each carry α^(1/L)",
        a ** (1 / depth) * (a ** (1 / depth)) ** (depth - 1),
        a,
    )
    per_unit = (a ** (2 / depth) + (depth - 1) * a ** (2 / depth)) / depth
    d.step("(59): squared output weight plus L-1 layers of squared norm α^(2/L), over L", f"C = {per_unit}")
    total = sympy.simplify(per_unit) + sympy.simplify(per_unit.subs(a, b))
    d.step("sub-networks add; (53): no other scaling is cheaper, by the means of L numbers", f"C = {total}")
    d.concludes(total, "two sub-networks, all depths", a="a", b="b", L="L")


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
