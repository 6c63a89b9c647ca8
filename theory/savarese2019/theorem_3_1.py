"""Theorem 3.1: the representation cost of a univariate function, by duality, linear programmes and networks."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Identity, Measured, Observation, certificate, claim, proof, seen

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room
from ..observed.functions.smooth_functions import SMOOTH, analyse
from ..observed.units.approaching_networks import enclosure_of_the_cost

SYMBOLS = {"T": "∫|f''|, the total variation of f'", "s": "f'(-∞) + f'(+∞)"}


@proof("weak duality in programme (20)")
def weak_duality(d: Derivation) -> Observation:
    """Programme (20) bounded from below by the multipliers -1, 0, 1 and from above by an explicit α_-, case by case."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    k, u, p, q = d.symbols("k u", p="nonnegative", q="nonnegative")

    def mass(second: sympy.Expr, minus: sympy.Expr) -> sympy.Expr:
        return (sympy.Abs(second + minus) + sympy.Abs(second - minus)) / 2

    def bound(multiplier: int, T: sympy.Expr, s: sympy.Expr) -> sympy.Expr:
        return (1 - abs(multiplier)) * T - multiplier * s

    d.step(
        "where f'' has density k and α_- density u, the measure costs (|k + u| + |k - u|)/2; "
        "α_- is free up to its total mass s",
        "min ½∫(|f'' + α_-| + |f'' - α_-|)  subject to  ∫α_- = s",
    )
    d.identity("λ = 0: the density never falls below |k|", mass(k, u), abs(k) + sympy.Max(abs(u) - abs(k), 0))
    for multiplier in (-1, 1):
        excess = sympy.Max(abs(k) - abs(u), 0) + abs(u) + multiplier * u
        d.identity(f"λ = {multiplier}: density + λu is a sum of two terms >= 0", mass(k, u) + multiplier * u, excess)
    d.step(
        "so for λ in {-1, 0, 1} every admissible α_- costs at least that; integrate and use ∫α_- = s",
        "|α|_1 >= (1 - |λ|) T - λ s",
    )
    identities = []
    for sign in (1, -1):
        T, s = p + q, sign * q
        for orientation in (1, -1):
            d.identity(
                f"|s| <= T, s = {s}: α_- = (s/T)|f''| costs T, on {'positive' if orientation > 0 else 'negative'} "
                "parts of f'' (both sides times T)",
                mass(orientation * T, s),
                bound(0, T, s),
                f"½(|{orientation * T} + s| + |{orientation * T} - s|) = T",
            )
        identities.append(_case(f"|s| <= T, s has the sign of {sign}", T, s, from_sympy(bound(0, T, s))))
        T, s = p, sign * (p + q)
        d.identity(
            f"|s| >= T, s = {s}: α_- = {sign}·|f''| + {sign}·(|s| - T)δ has total mass s",
            sign * T + sign * (abs(s) - T),
            s,
        )
        for orientation in (1, -1):
            d.identity(
                f"and costs what λ = {-sign} says is least",
                mass(orientation * T, sign * T) + mass(sympy.Integer(0), sign * (abs(s) - T)),
                bound(-sign, T, s),
            )
        value = sympy.expand(bound(-sign, T, s))
        identities.append(_case(f"|s| >= T, s has the sign of {sign}", T, s, from_sympy(value)))
    yield from identities


def _case(label: str, T: object, s: object, derived: str) -> Identity:
    return Identity(label, {"p": "nonnegative", "q": "nonnegative"}, {"T": str(T), "s": str(s)}, derived)


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
