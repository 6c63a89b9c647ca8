"""Proof of Theorem 3.1, (20) to (22): the convex programme, its multiplier and its minimisers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from implicitbias.claims import (
    Context,
    Interval,
    Measured,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.cheapest.least_mass import REGIMES, programme_20
from ..observed.cheapest.programme_20 import Programme20, programmes, some_size

SYMBOLS = {"T": "∫|f''|", "s": "f'(-∞) + f'(+∞) = ∫α₋"}


@certificate("slopes of the minimum in s")
def multipliers_of_programmes(context: Context) -> Observation:
    """All multipliers of exact programmes: the one-sided slopes of the minimum as a function of s, |s| = T included."""
    instances, ties = [], 0
    for label, programme in programmes(context.random(), context.choose(3, 20)):
        low, high = programme.multipliers()
        ties += low != high
        instances.append(
            seen(
                low if low == high else Interval(low, high),
                label,
                T=programme.T,
                s=programme.s,
                **{"f'' at the kinks": programme.second[:-2]},
            )
        )
    yield from instances
    yield Measured("programmes", len(instances))
    yield Measured("with more than one multiplier", ties)


@theorem("slope of the least mass in s")
def slope_of_the_least_mass() -> Observation:
    """Off the boundary |s| = T the only multiplier, signed as in (21), is minus the derivative of the least mass."""
    for regime, near in (("|s| <= T", ("z < T", "z > -T")), ("s >= T", ("z > T",)), ("s <= -T", ("z < -T",))):
        names, _ = REGIMES[regime]
        slope = Derivative(programme_20(regime, s="z"), "z", at="s", near=near)
        assuming = tuple(text.replace("z", "s") for text in near)
        yield shows(Composition("-slope", {"slope": slope}), regime, for_all=names, assuming=assuming, T="T", s="s")


MULTIPLIER = claim(
    "savarese2019.equation_21",
    "(20), (21)",
    "Lagrange multiplier of the end slopes",
    """With the sign of (21), the multiplier of ∫α₋ = s in programme (20) is 0 if |s| < T, -1 if s > T and 1 if s < -T.
    At |s| = T every value between is one, at s = T the values from -1 to 0.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\lambda=-\tfrac12\bigl(\operatorname{sign}(s-T)+\operatorname{sign}(s+T)\bigr)\quad\text{if}\ |s|\ne T",
    formula="-(sign(s - T) + sign(s + T))/2",
    symbols=SYMBOLS,
    controls={
        "(sign(s - T) + sign(s + T))/2": "the sign exchanged: (21) puts λ < 0 with s > 0",
        "-sign(s)": "never zero: the variation would never count",
        "0*s": "always zero: the end slopes would never count",
        "-sign(s - T)": "the case s < -T forgotten",
    },
    checks=(slope_of_the_least_mass, multipliers_of_programmes),
    rests_on=("savarese2019.equation_18", "savarese2019.equation_19"),
)


@certificate("the smallest shift among all minimisers")
def shift_where_end_slopes_rule(context: Context) -> Observation:
    """α_- at every kink, as near to zero as minimisers of exact programmes with |s| >= T allow."""
    instances = []
    for label, programme in programmes(context.random(), context.choose(80, 160), most=2):
        if abs(programme.s) < programme.T or programme.T == 0:
            continue
        for j, kappa in enumerate(programme.second[:-2]):
            sign = 1 if programme.s > 0 else -1
            weights = tuple(sign * int(i == j) for i in range(len(programme.second)))
            nearest = sign * programme.least_of(weights)
            instances.append(seen(nearest, label, kappa=kappa, T=programme.T, s=programme.s))
    yield from instances
    yield Measured("kinks", len(instances))


@certificate("the least shift among all minimisers")
def shift_where_variation_rules(context: Context) -> Observation:
    """The least α_-({b}) among all minimisers, at every threshold of exact programmes of every regime."""
    instances = []
    for label, programme in programmes(context.random(), context.choose(50, 100), most=2):
        for j, kappa in enumerate(programme.second[:-1]):
            weights = tuple(int(i == j) for i in range(len(programme.second)))
            instances.append(
                seen(
                    programme.least_of(weights),
                    label,
                    k=abs(kappa),
                    T=programme.T,
                    s=programme.s,
                    **{"f'' at the kinks": programme.second[:-2]},
                )
            )
    yield from instances
    yield Measured("thresholds", len(instances))


DOMINANT_SHIFT = claim(
    "savarese2019.equation_21_dominant",
    "after (21), cases λ < 0 and λ > 0",
    "Minimisers where the end slopes dominate",
    """If s ≥ T every minimiser of (20) has α₋ ≥ |f''|, and if s ≤ -T every minimiser has α₋ ≤ -|f''|; equality is
    reached at each threshold. So for s ≥ T forward units have weights ≥ 0 and backward ones weights ≤ 0.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"s\ge T\Rightarrow\alpha_-\ge|f''|,\qquad s\le-T\Rightarrow\alpha_-\le-|f''|",
    hypotheses=("|s| ≥ T", "α₋ may have atoms off the kinks of f"),
    domain=("T > 0", "Abs(s) >= T", "T >= Abs(kappa)"),
    formula="sign(s)*Abs(kappa)",
    symbols={"kappa": "f''({b})", **SYMBOLS},
    controls={
        "Abs(kappa)": "the case s < 0 forgotten",
        "kappa": "α₋ tied to f'' instead of |f''|",
        "s*Abs(kappa)/T": "the end slopes shared out in proportion, as may be done for |s| < T",
        "-sign(s)*Abs(kappa)": "orientations exchanged",
    },
    checks=(shift_where_end_slopes_rule,),
    rests_on=("savarese2019.equation_21",),
)

SHIFT = claim(
    "savarese2019.equation_21_least_shift",
    "beside (21)",
    "Least shift of a threshold",
    """Among all minimisers of (20) the least α₋({b}) at a threshold with |f''({b})| = k is min(max(-k, min(k, s - T +
    k)), s + T - k). Proof: if |s| ≤ T the minimisers are all α₋ with |α₋| ≤ |f''| and total s, and the other thresholds
    can take any total in [-(T - k), T - k]; if s > T they are all α₋ ≥ |f''| with total s; if s < -T all α₋ ≤ -|f''|,
    and the others leave at most -(T - k). The greatest follows by reflection, and the minimiser is unique only if both
    agree everywhere.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\min\alpha_-(\{b\})=\min\big(\max(-k,\min(k,\,s-T+k)),\ s+T-k\big)",
    domain=("k >= 0", "T >= k"),
    formula="Min(Max(-k, Min(k, s - T + k)), s + T - k)",
    symbols={"k": "|f''({b})|", **SYMBOLS},
    controls={
        "Max(-k, Min(k, s - T + k))": "|α₋| ≤ |f''| everywhere, as for |s| ≤ T only",
        "-k": "any threshold could be turned backward, for all end slopes",
        "s - T + k": "the bounds at the threshold itself forgotten",
    },
    checks=(shift_where_variation_rules,),
    rests_on=("savarese2019.equation_21",),
    own=True,
)


@certificate("the heaviest minimiser")
def masses_of_minimisers(context: Context) -> Observation:
    """The greatest ∫|α_-| among the minimisers of exact programmes with |s| <= T; equality where f'' splits so."""
    draw, instances = context.random(), []
    for label, programme in [*_split(draw, context.choose(240, 480)), *programmes(draw, 20, most=2)]:
        if abs(programme.s) > programme.T:
            continue
        greatest = programme.greatest_mass()
        signed = {dot(signs, programme.second) for signs in product((1, -1), repeat=len(programme.second))}
        instances.append(
            seen(
                greatest,
                label,
                relation="=" if programme.s in signed else "<=",
                T=programme.T,
                s=programme.s,
                **{"f'' at the kinks": programme.second[:-2]},
            )
        )
    attained = sum(i.relation == "=" for i in instances)
    yield from instances
    yield Measured("programmes", len(instances))
    yield Measured("attained in", attained)


def _split(draw: random.Random, count: int) -> Iterator[tuple[str, Programme20]]:
    """Programmes of two kinks whose s is the difference of the variations of two parts of f'', from tiny to large."""
    for i in range(count):
        first, ratio = some_size(draw) * (1 + 29 * (i % 8 == 0)), Fraction(draw.randint(1, 6), draw.randint(1, 6))
        second = draw.choice((1, -1)) * (some_size(draw), first, first * ratio, first)[i % 4]
        s = draw.choice((1, -1)) * abs(first) + draw.choice((1, -1)) * abs(second)
        yield f"split {i}", Programme20((first, second, Fraction(0)), s)


@certificate("the lightest minimiser")
def least_masses_of_minimisers(context: Context) -> Observation:
    """The least ∫|α_-| among the minimisers of exact programmes."""
    instances = [
        seen(programme.least_mass(), label, T=programme.T, s=programme.s, **{"f'' at the kinks": programme.second[:-2]})
        for label, programme in programmes(context.random(), context.choose(60, 120), most=2)
    ]
    yield from instances
    yield Measured("programmes", len(instances))


UPPER = claim(
    "savarese2019.equation_22",
    "(22), right inequality",
    "Mass of α₋ where the variation dominates",
    """If |s| ≤ T, every minimiser of (20) has ∫|α₋| ≤ T. The bound is attained if f'' can be split into two parts whose
    variations differ by s.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\int|\alpha_-|\,db\le\int|f''|\,db",
    hypotheses=("|s| ≤ T",),
    domain=("T >= Abs(s)",),
    formula="T",
    symbols=SYMBOLS,
    controls={
        "Abs(s)": "the left inequality of (22) taken for the right one",
        "(T + Abs(s))/2": "the mean of both bounds",
        "2*T": "a bound that is true and never attained",
    },
    checks=(masses_of_minimisers,),
    rests_on=("savarese2019.equation_21",),
)

LOWER = claim(
    "savarese2019.equation_22_left",
    "(22), left inequality",
    "Least mass of α₋",
    "Every α₋ that represents f has ∫|α₋| ≥ |s|, and some minimiser of (20) has exactly that: α₋ of one sign.",
    part_of="savarese2019.theorem_3_1",
    latex=r"|f'(-\infty)+f'(+\infty)|\le\int|\alpha_-|\,db",
    domain=("T >= 0",),
    formula="Abs(s)",
    symbols=SYMBOLS,
    controls={
        "s": "the sign forgotten",
        "T": "the right inequality of (22) taken for the left one",
        "Max(T, Abs(s))": "the whole cost",
        "Min(T, Abs(s))": "capped by the variation",
    },
    checks=(least_masses_of_minimisers,),
    rests_on=("savarese2019.equation_18",),
)
