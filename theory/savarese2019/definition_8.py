"""Definition (8), the infimum over measures: the reading under which Theorem 3.1 holds for every f."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

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
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.cheapest.least_mass import REGIMES, programme_20
from ..observed.functions.piecewise_linear_cases import from_jumps, in_words, random_cases, simple_cases, with_room
from ..observed.functions.smooth_functions import SMOOTH, analyse
from ..observed.units.outward_tails import outward_mass

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

SYMBOLS = {"T": "∫|f''|", "s": "f'(-∞) + f'(+∞)"}


def flat_cases(draw: Random, count: int) -> list[tuple[str, PiecewiseLinear]]:
    """One kink, T and |s| between 1/50 and 2 and up to three times as large as each other."""
    cases = []
    for i in range(count):
        T = Fraction(draw.randint(1, 40), draw.choice((20, 50)))
        s = draw.choice((1, -1)) * T * Fraction(draw.randint(3, 27), 9)
        cases.append((f"flat {i + 1}", from_jumps([draw.randint(-3, 3)], [draw.choice((1, -1)) * T], s)))
    return cases


@certificate("representations that converge")
def infimum_over_measures(context: Context) -> Observation:
    """Upper bounds by the mass of converging representations whose tails start ever farther out, lower bounds by (14)
    and (18), in ball arithmetic; piecewise-linear functions exactly.
    """
    from implicitbias.exact.enclosure import lower, upper

    masses = {}
    draw = context.random()
    for label, f in simple_cases() + random_cases(draw, context.choose(12, 20)) + flat_cases(draw, 30):
        yield seen(cheapest_measure(f, with_room(f)).cost, label, T=f.total_variation, s=f.end_slope_sum, **in_words(f))
    for function in SMOOTH:
        has_asymptotes = None not in (function.left_intercept, function.right_intercept)
        if has_asymptotes and function.name not in ("softplus", "softplus less x/3", "arctangent", "bell curve"):
            continue  # nothing new there: (9) converges for every representation
        found = analyse(function)
        T, s = found.T_enclosure, found.s_enclosure
        reached = [outward_mass(found, Fraction(10) ** n).total for n in (1, 3, 6)]
        masses[function.name] = tuple(float(r.upper) for r in reached)
        least = max(lower(T), lower(s), -upper(s))
        yield seen(Interval(least, max(reached[-1].upper, least)), function.name, T=T, s=s, f=function.formula)
    yield Measured("mass with K = 10, 10³, 10⁶", masses)


@theorem("duality inside [-K, K]")
def tails_by_duality() -> Observation:
    """f″ = k beyond K is carried by forward units, before -K by backward ones; inside remains programme (20) with the
    variation and the sum of the end slopes that the tails leave.
    """

    def tail(side: str, mass: str, rise: str) -> MeasureIntegral:
        cost = f"path_cost(k, {side})"
        return MeasureIntegral(term=cost, entries={"k": "real"}, totals={mass: "Abs(k)", rise: "k"}, by={mass: "1"})

    tails = {"right": tail("1", "right_mass", "right_rise"), "left": tail("-1", "left_mass", "left_rise")}
    beyond: dict[str, Assumption] = {
        **dict.fromkeys(("right_mass", "left_mass"), "nonnegative"),
        **dict.fromkeys(("right_rise", "left_rise"), "real"),
    }
    for regime, (names, assuming) in REGIMES.items():
        whole = Composition("right + inside + left", {**tails, "inside": programme_20(regime)})
        yield shows(
            whole,
            regime,
            for_all=names | beyond,
            assuming=(*assuming, *(f"{way}{side}_rise <= {side}_mass" for side in tails for way in ("", "-"))),
            T="T + right_mass + left_mass",
            s="s + right_rise - left_rise",
            m="right_mass + left_mass",
            tau="right_rise - left_rise",
        )


@certificate("exact programmes with outward tails")
def tails_by_programme(context: Context) -> Observation:
    """Exact programmes in which thresholds beyond ±K may carry only outward ReLUs."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 30)):
        K = max((abs(k) for k in f.knots), default=Fraction(0)) / 2 + Fraction(1, 3)
        beyond = [(b, jump) for b, jump in f.kinks if abs(b) > K]
        inside = [x for x in (*with_room(f), Fraction(0)) if abs(x) <= K]
        instances.append(
            seen(
                cheapest_measure(f, inside, outward=K).cost,
                label,
                T=f.total_variation,
                s=f.end_slope_sum,
                m=sum((abs(jump) for _, jump in beyond), Fraction(0)),
                tau=sum((jump if b > 0 else -jump for b, jump in beyond), Fraction(0)),
                K=K,
                **in_words(f),
            )
        )
    yield from instances
    yield Measured("with kinks beyond K", sum(i.given["m"] != 0 for i in instances))


TAILS = claim(
    "savarese2019.outward_tails",
    "beside (8)",
    "Cost of a representation that converges",
    """Let the units with |b| > K be forward for b > K and backward for b < -K, so that (9) converges for every f with
    ∫|f''| < ∞. The least mass is then max(T, m + |s - τ|), with m = ∫_{|b|>K}|f''| and τ = ∫_{b>K} f'' - ∫_{b<-K}
    f''.""",
    part_of="savarese2019.equation_8",
    latex=r"\min\|\alpha\|_1=\max\big(T,\ m+|s-\tau|\big)",
    hypotheses=("∫|f''| is finite", "some threshold within [-K, K] is free to carry an atom"),
    formula="Max(T, m + Abs(s - tau))",
    symbols={**SYMBOLS, "m": "∫|f''| over |b| > K", "tau": "∫f'' over b > K minus ∫f'' over b < -K"},
    controls={
        "Max(T, Abs(s))": "as if turning the tails were free",
        "Max(T, Abs(s)) + 2*m": "the bound instead of the value",
        "Max(T, m + Abs(s + tau))": "the sign of τ exchanged",
        "m + Max(T, Abs(s - tau))": "the tails counted twice",
    },
    checks=(tails_by_duality, tails_by_programme),
    rests_on=("savarese2019.equation_18", "savarese2019.equation_19"),
    own=True,
)


INFIMUM = claim(
    "savarese2019.definition_8",
    "(8), read as an infimum, with Theorem 3.1",
    "Cost as an infimum over measures",
    """The infimum (8) over measures for which (9) converges is max(∫|f''|, |s|) for every f with ∫|f''| < ∞, whether or
    not f has asymptotes. Where |s| ≥ T it need not be attained: for (x·arctan x - ½log(1 + x²))/π + x/2 the only α of
    mass 1 puts 1/(π(1 + b²)) on forward units for all b, and (9) diverges; turning the tail below -K backward costs 1 +
    2m with m its mass.""",
    part_of="savarese2019.equation_8",
    latex=r"\inf\{\|\alpha\|_1: h_{\alpha,c}=f\}=\max\Bigl(\int|f''|,|f'(-\infty)+f'(+\infty)|\Bigr)",
    hypotheses=("∫|f''| is finite", "(9) is required to converge for every x, not only formally"),
    formula="Max(T, Abs(s))",
    symbols=SYMBOLS,
    controls={
        "T + Abs(s)": "a sum instead of the maximum",
        "T": "end slopes free",
        "Max(T, (T + Abs(s))/2)": "the locally uniform closure",
        "Max(T, s)": "the sign of s forgotten",
        "Max(s*sign(floor(s)), T, s - T)": "end slopes with a sum from 0 to 1 free",
    },
    checks=(infimum_over_measures,),
    rests_on=("savarese2019.equation_14", "savarese2019.equation_18", "savarese2019.outward_tails"),
)
