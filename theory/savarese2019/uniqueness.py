"""After Theorem 3.3: when the linear spline is the only minimiser, and how far other minimisers may differ from it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, Rule, Step, Value, certificate, claim, seen

from ..observed.cheapest.cheapest_network import cheapest_network, range_at
from ..observed.data.datasets import DataSet, by_hand, random_batch, ten_points, through
from ..observed.data.draws import of_any_size


def _kinks(given: Mapping[str, Value]) -> tuple[Fraction, ...]:
    kinks = given["kinks"]
    if not isinstance(kinks, tuple):
        raise TypeError("the instance gives no tuple of kinks")
    return tuple(Fraction(k) for k in kinks)


def _tails_bend(given: Mapping[str, Value]) -> bool:
    s = given["s"]
    if not isinstance(s, int | Fraction):
        raise TypeError("the instance gives no number s")
    variation = sum((abs(k) for k in _kinks(given)), Fraction(0))
    return variation < abs(Fraction(s))


def _like_neighbours(given: Mapping[str, Value]) -> bool:
    return any(k * m > 0 for k, m in pairwise(_kinks(given)))


@certificate("range of all minimisers")
def uniqueness(context: Context) -> Observation:
    """Whether two interpolants of least cost differ anywhere: the exact range of their values in every gap and beyond
    the data.
    """
    more = (
        through("x = 0 … 5, y = 0, 1, 0, 1, 0, 1", [1, -1, 1, -1, 1]),
        through("x = 0 … 5, y = 0, 0, 1, 0, 0, 3", [0, 1, -1, 0, 3]),
        through("x = 0 … 5, y = 5, 2, 1, 1, 2, 5", [-3, -1, 0, 1, 3]),
        through("x = 0 … 5, y = 0, 2, 3, 3, 2, 0", [2, 1, 0, -1, -2]),
        through("a zero kink between two of one sign", [-2, 0, 0, 2]),
        through("like neighbours at the end", [2, -2, 0, 1]),
    )
    instances = []
    for data in (*by_hand(), *more, *random_batch(context.seed % 10**6, context.choose(16, 240))):
        cost = cheapest_network(data).cost
        widths = [high - low for _, low, high in _ranges(data, cost)]
        instances.append(
            seen(not any(widths), data.label, kinks=data.kinks, s=data.a + data.b, N=data.size, **data.given)
        )
    unique = sum(i.observed is True for i in instances)
    yield from instances
    yield Premise(
        "unique and not unique, a quarter each at least",
        len(instances) <= 4 * unique <= 3 * len(instances),
        f"{unique} of {len(instances)} unique",
    )
    yield Step("the least and the greatest value of minimisers midway between neighbouring points and beyond both ends")
    yield Step(
        "between two data points a minimiser with straight tails is convex or concave and agrees with the "
        "spline at both ends, so if it agrees midway it agrees everywhere"
    )


def _ranges(data: DataSet, cost: Fraction) -> list[tuple[Fraction, Fraction, Fraction]]:

    middles = [Fraction(u + v) / 2 for u, v in pairwise(data.x)]
    places = [Fraction(data.x[0] - 1), *middles, Fraction(data.x[-1] + 1)]
    return [(at, *range_at(data, at, cost)) for at in places]


UNIQUENESS = claim(
    "savarese2019.theorem_3_3_uniqueness",
    "after Theorem 3.3",
    "Uniqueness of the minimiser",
    """The text says that the minimiser is in general not unique. Precisely: the linear spline is the only minimiser if
    and only if T ≥ |a+b| and no two neighbouring kinks κ_n, κ_{n+1} have the same sign (zero kinks have none). Proof:
    with T ≥ |a+b| a minimiser has ∫|f''| = T, so on each gap f' is monotone between the neighbouring slopes and
    averages l_n; if κ_n κ_{n+1} ≤ 0 the slope l_n is extreme there and f' is constant, else two kinks can be smeared
    out or merged. With T < |a+b| the excess kink may sit at either end.""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\text{unique}\iff T\ge|a+b|\ \text{and}\ \kappa_n\kappa_{n+1}\le 0\ \forall n",
    hypotheses=("N ≥ 1",),
    formula=Rule(
        "criterion",
        "unique if and only if T >= |a+b| and κ_n κ_{n+1} <= 0 for all n",
        lambda given: not _tails_bend(given) and not _like_neighbours(given),
    ),
    controls={
        Rule("never", "never unique", lambda given: False): "the text: in general not unique",
        Rule(
            "three points",
            "unique for up to three points only",
            lambda given: not _tails_bend(given) and len(_kinks(given)) <= 1,
        ): "no two kinks, no freedom",
        Rule(
            "tails", "unique if and only if T >= |a+b|", lambda given: not _tails_bend(given)
        ): "the tails alone decide",
        Rule(
            "alternation", "unique if and only if no like neighbours", lambda given: not _like_neighbours(given)
        ): "tails forgotten",
        Rule(
            "strict",
            "unique if and only if T >= |a+b| and kinks strictly alternate",
            lambda given: not _tails_bend(given) and all(k * m < 0 for k, m in pairwise(_kinks(given))),
        ): "zero kinks taken for neighbours of the same sign",
    },
    checks=(uniqueness,),
    rests_on=("savarese2019.theorem_3_3", "savarese2019.equation_27_end_slopes"),
    own=True,
)


@certificate("range of minimisers in every gap")
def band(context: Context) -> Observation:
    """The exact range of the values of minimisers at a point or two of each gap, tails straight."""
    generator = context.random()
    instances = []
    batch = [d for d in (*by_hand(), *random_batch(context.seed % 10**6, context.choose(12, 200))) if d.size > 1]
    for data in (*batch, *(_two_kinks(generator) for _ in range(64)), ten_points()):
        if data.tails_bend:
            continue
        cost = cheapest_network(data).cost
        kinks = [Fraction(0), *data.kinks, Fraction(0)]  # a kink at x_1 or x_N would bend a tail
        for n, (left, right) in enumerate(pairwise(data.x)):
            if data.label == "two kinks" and n != 1:
                continue  # nothing is free beside them
            h = Fraction(right - left)
            shares = [Fraction(generator.randint(1, 19), 20), Fraction(1, 2)]
            for share in shares[: 2 if data.size < 4 else 1]:
                low, high = range_at(data, left + share * h, cost)
                instances.append(
                    seen(
                        high - low,
                        f"gap {n + 1}, {data.label}",
                        k=kinks[n],
                        m=kinks[n + 1],
                        t=share * h,
                        h=h,
                        **data.given,
                    )
                )
    free = sum(i.observed != 0 for i in instances)
    yield from instances
    yield Premise("free and forced gaps among them", 10 < free < len(instances) - 10, f"{free} free places")
    yield Step("the greatest and the least h(x) among networks through the data of least cost, in rationals")
    yield Step(
        "the dual prices of kinks are linear between the data points and x, so units at these places are all that count"
    )


def _two_kinks(draw: random.Random) -> DataSet:
    """Four points: two kinks from tiny to large, more often of one sign, around a gap narrow or wide; a + b = 0."""
    first, gap = of_any_size(draw, -5, 5), of_any_size(draw, -5, 5)
    second = first * of_any_size(draw, *draw.choice(((-2, 2), (-9, 9))))
    sign = draw.choice((1, -1))
    first, second = sign * first, draw.choice((1, 1, 1, -1)) * sign * second
    a = -(first + second) / 2
    return through("two kinks", [str(a), str(a + first), str(a + first + second)], [1, str(gap), 1])


BAND = claim(
    "savarese2019.theorem_3_3_band",
    "after Theorem 3.3, and Figure 1",
    "Range of the minimisers",
    """With T ≥ |a+b| the minimisers take at x = x_n + t in a gap of length h exactly the values between the chord and
    the neighbouring chords continued: a band of width min(|κ_n| t, |κ_{n+1}| (h-t)) if κ_n, κ_{n+1} have the same sign,
    and of width 0 otherwise. Proof: f is convex (concave) on a free gap, hence above the continued chords and below the
    chord; the function that follows one neighbour up to x and returns to the chord's end is a minimiser.""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\max f(x)-\min f(x)=\min(|\kappa_n|t,|\kappa_{n+1}|(h-t))\,[\kappa_n\kappa_{n+1}>0]",
    hypotheses=("T ≥ |a+b|", "κ = 0 at x_1 and x_N"),
    domain=("t > 0", "h > t"),
    formula="Max(0, sign(k*m))*Min(Abs(k)*t, Abs(m)*(h - t))",
    symbols={
        "k": "κ_n, the kink of the spline at the left end of the gap",
        "m": "κ_{n+1}, the kink at the right end",
        "t": "distance from the left end",
        "h": "length of the gap",
    },
    controls={
        "0": "the spline is the only minimiser",
        "Min(Abs(k)*t, Abs(m)*(h - t))": "kinks of opposite sign free as well",
        "Max(0, sign(k*m))*Min(Abs(k)*(h - t), Abs(m)*t)": "the chords continued from the wrong ends",
        "Max(0, sign(k*m))*Max(Abs(k)*t, Abs(m)*(h - t))": "the higher chord instead of the lower",
        "Max(0, sign(k*m))*Abs(k*m)*t*(h - t)/(Abs(k)*t + Abs(m)*(h - t) + 1)": "a smooth band",
    },
    checks=(band,),
    rests_on=("savarese2019.theorem_3_3_uniqueness",),
    own=True,
)
