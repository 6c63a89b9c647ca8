"""Theorem 3.1: the representation cost of a univariate function, by duality, linear programmes and networks.

Coq: Networks.v, network_cost_at_least, network_of_linear_between (docs/formal.md).
"""

from __future__ import annotations

from implicitbias.claims import (
    Context,
    Measured,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.cheapest.least_mass import REGIMES, programme_20
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room
from ..observed.functions.smooth_functions import SMOOTH, analyse
from ..observed.units.approaching_networks import enclosure_of_the_cost

SYMBOLS = {"T": "∫|f''|, the total variation of f'", "s": "f'(-∞) + f'(+∞)"}


@theorem("weak duality in programme (20)")
def weak_duality() -> Observation:
    """The least mass of a measure over units with the second derivative f″ and end slopes that add up to s, by a
    multiplier and an explicit α_-; any f″ that is a measure with ∫|f″| = T.
    """
    for regime, (names, assuming) in REGIMES.items():
        yield shows(programme_20(regime), regime, for_all=names, assuming=assuming, T="T", s="s")


@certificate("linear programmes over all measures")
def cheapest_measures(context: Context) -> Observation:
    """The cost of piecewise-linear functions by exact linear programmes; the dual multipliers exclude every cheaper
    measure.
    """
    cases = simple_cases() + random_cases(context.random(), context.choose(6, 40))
    for label, f in cases:
        yield seen(cheapest_measure(f, with_room(f)).cost, label, T=f.total_variation, s=f.end_slope_sum, **in_words(f))
    above = sum(abs(f.end_slope_sum) > f.total_variation for _, f in cases)
    tied = sum(abs(f.end_slope_sum) == f.total_variation for _, f in cases)
    yield Measured("functions", len(cases))
    yield Measured("with |s| > T", above)
    yield Measured("with |s| = T", tied)


@certificate("networks that approach smooth functions")
def networks_approach(context: Context) -> Observation:
    """Smooth functions: networks certified close in sup norm, and a lower bound on the cost of every network that
    close.
    """
    errors = {}
    for function in SMOOTH:
        if function.left_intercept is None or function.right_intercept is None:
            continue
        found = analyse(function)
        enclosed = enclosure_of_the_cost(found, units=context.choose(200, 2000), weighted=False)
        yield seen(enclosed.cost, function.name, T=found.T_enclosure, s=found.s_enclosure, f=function.formula)
        errors[function.name] = float(enclosed.error)
    yield Measured("sup distance of the network", errors)


THEOREM = claim(
    "savarese2019.theorem_3_1",
    "Theorem 3.1",
    "Representation cost of a univariate function",
    """The least Euclidean norm ½Σ(v² + w²) with which two-layer ReLU networks of any width represent or approach f: ℝ →
    ℝ is R̄(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|).""",
    latex=r"\bar R(f)=\max\Bigl(\int_{\mathbb R}|f''(x)|\,dx,\;|f'(-\infty)+f'(+\infty)|\Bigr)",
    hypotheses=(
        "∫|f''| is finite, f'' being the distributional second derivative",
        "R̄ is read as the infimum (8), or as (6) for f with affine asymptotes: see savarese2019.definition_6",
    ),
    formula="Max(T, Abs(s))",
    symbols=SYMBOLS,
    controls={
        "T + Abs(s)": "both terms are needed, so one might add them",
        "Max(T, Abs(s)/2)": "each end slope counted once: f = x would cost 1",
        "Max(T, (T + Abs(s))/2)": "the cost of approaching f on bounded intervals only",
        "T": "the total variation alone: lines would be free, as with an unpenalised linear unit",
        "Max(T, s)": "the sign of s forgotten",
        "sqrt(T**2 + s**2)": "a Euclidean sum instead of the maximum",
    },
    checks=(weak_duality, cheapest_measures, networks_approach),
    rests_on=(
        "savarese2019.equation_14",
        "savarese2019.equation_16",
        "savarese2019.equation_18",
        "savarese2019.equation_19",
    ),
)
