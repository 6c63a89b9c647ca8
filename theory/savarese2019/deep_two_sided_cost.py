"""Beside Theorem C.1: the cost of p[x]₊ + q[-x]₊ at depth L, where one sub-network can represent both sides."""

from __future__ import annotations

import random
from fractions import Fraction

from implicitbias.claims import Context, Interval, Observation, Premise, certificate, claim, seen

from ..observed.data.draws import signed
from ..observed.units.parallel_networks import SubNetwork, forward, normalised_sub_network, squared_weight


def _two_sided_sub_network(depth: int, a: Fraction, b: Fraction) -> SubNetwork:
    """A sub-network of width 2 that represents a²[x]₊ + b²[-x]₊ with Π‖W‖_F = a² + b².

    The first layer separates the signs, (a, -b); the second joins them by (a, b); the others pass on one number.
    """
    first = [[a], [-b]]
    if depth == 3:
        return [first, [[a, b]]]
    join = [[a, b], [Fraction(0), Fraction(0)]]
    keep = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]
    return [first, join, *([keep] * (depth - 4)), [[Fraction(1), Fraction(0)]]]


@certificate("network above, inequality below")
def two_sided_cost(context: Context) -> Observation:
    """P_L of f = p[x]₊ + q[-x]₊ for widths m >= 2, L >= 3: an exact network above, an exact inequality below.

    Above: one sub-network for the positive parts of p and q, one for the negative parts, balanced as in (55)-(56).
    Below: sub-networks satisfy v(1) + v(-1) <= Π‖W‖_F (entrywise [Wu]₊ <= [W]₊u for u >= 0, then Cauchy-Schwarz), so
    the weights of normalised ones that count positively add up to at least the positive mass, the others to at least
    the negative mass; and Σ|α_i|^(2/L) >= (Σ|α_i|)^(2/L) because 2/L < 1.
    """
    from implicitbias.exact.enclosure import enclose, lower, upper

    draw = context.random()
    bounded = all(
        (forward(sub, [Fraction(1)]) + forward(sub, [Fraction(-1)])) ** 2 <= squared_weight(Fraction(1), sub)
        for sub in (normalised_sub_network(draw, draw.randint(3, 6), 1, 2) for _ in range(200))
    )
    attained = True
    small = [(3, 1, 1), (3, 1, -1), (3, -1, -1), (4, 1, 1), (3, 2, 0), (5, 0, -3), (3, 3, -2), (4, 3, 2), (6, -2, 4)]
    cases = [(depth, Fraction(a), Fraction(b)) for depth, a, b in small]
    cases += [(3 + i % 12, _root(draw), _root(draw)) for i in range(120)]
    for depth in (*range(3, 15), *range(3, 15), *range(3, 15)):  # one side alone
        root, other = (signed(draw, -5, 3) for _ in range(2))
        cases += [(depth, root, Fraction(0)), (depth, Fraction(0), other)]
    for depth, a, b in cases:
        low, high, represented = Fraction(0), Fraction(0), {1: Fraction(0), -1: Fraction(0)}
        for sign in (1, -1):
            right, left = max(sign * a, Fraction(0)), max(sign * b, Fraction(0))
            if right == left == 0:
                continue
            sub = _two_sided_sub_network(depth, right, left)
            for side in represented:
                represented[side] += sign * forward(sub, [Fraction(side)])
            weight = enclose("sqrt(product)**(2/L)", product=squared_weight(Fraction(1), sub), L=depth)
            mass = enclose("mass**(2/L)", mass=right**2 + left**2, L=depth)
            low, high = low + lower(mass), high + upper(weight)
        p, q = a * abs(a), b * abs(b)
        attained = attained and represented == {1: p, -1: q}
        yield seen(Interval(low, high), f"{p}[x]₊ + {q}[-x]₊, L={depth}", p=p, q=q, L=depth)
    yield Premise("v(1)+v(-1) <= Π‖W‖ on 200 random exact sub-networks", bounded)
    yield Premise("an exact network represents the function, in every case", attained)


def _root(draw: random.Random) -> Fraction:
    """The root of a slope's size, with its sign: from tiny to large, sometimes 0."""
    return draw.choice((0, 1, 1, 1, 1)) * signed(draw, -5, 4)


DEEP_TWO_SIDED_COST = claim(
    "savarese2019.deep_two_sided_cost",
    "beside Theorem C.1",
    "The cost of p[x]₊ + q[-x]₊ at depth L ≥ 3",
    """For parallel networks of width m ≥ 2 and depth L ≥ 3 without biases, f(x) = p[x]₊ + q[-x]₊ costs (p⁺+q⁺)^(2/L) +
    (p⁻+q⁻)^(2/L): one sub-network represents both sides of the same sign. Proof: for u ≥ 0, [Wu]₊ ≤ [W]₊u entrywise, so
    v(1)+v(-1) ≤ Π‖W_l‖_F by induction and Cauchy-Schwarz; normalised sub-networks of positive weight therefore need a
    total weight of at least p⁺+q⁺, those of negative weight p⁻+q⁻; the bridge penalty is subadditive, so one of each is
    cheapest; first layer (√p, -√q), second (√p, √q) attain it. So |x| costs 2^(2/L), but x costs 2 at every depth.""",
    part_of="savarese2019.theorem_c_1",
    latex="P_L(p[x]_++q[-x]_+)=(p^++q^+)^{2/L}+(p^-+q^-)^{2/L}",
    hypotheses=("L ≥ 3", "width m ≥ 2", "no biases"),
    formula="(Max(p,0)+Max(q,0))**(2/L) + (Max(-p,0)+Max(-q,0))**(2/L)",
    symbols={"p": "slope on the right", "q": "minus the slope on the left", "L": "number of layers"},
    controls={
        "Abs(p)**(2/L) + Abs(q)**(2/L)": "one sub-network per side: right only for width 1",
        "(Abs(p)+Abs(q))**(2/L)": "one sub-network for both sides for all signs",
        "Abs(p) + Abs(q)": "the cost at depth 2",
    },
    checks=(two_sided_cost,),
    rests_on=("savarese2019.theorem_c_1",),
    own=True,
)
