"""The cost of approaching a function on bounded intervals only, where kinks may move to infinity."""

from __future__ import annotations

from implicitbias.claims import (
    Context,
    Derivation,
    Identity,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
)

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room


@proof("end slopes set free")
def free_end_slopes(d: Derivation) -> Observation:
    """min over l₀, l_N of max(T + u, |l₀ + l_N|), where the end slopes move by u in total: bounds from both sides, by
    cases.
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    p, q, u = d.symbols(p="nonnegative", q="nonnegative", u="nonnegative")
    d.step(
        "kinks outside the window move the end slopes by a and b in all; with u = |a| + |b| the cost is max(T + "
        "u, |s - a - b|)"
    )
    d.step("|s - a - b| >= |s| - u, so it is at least T, and at least the mean of T + u and |s| - u")
    identities = []
    for sign in (1, -1):
        T, s = p + q, sign * q
        d.identity(f"|s| <= T, s = {s}: u = 0 gives T", sympy.Max(T, abs(s)), T)
        identities.append(_case(f"|s| <= T, s = {s}", T, s, from_sympy(T)))
        T, s = p, sign * (p + 2 * q)
        mean = ((T + u) + (abs(s) - u)) / 2
        d.identity(f"s = {s}: the mean does not depend on u", mean, p + q)
        a = sign * q
        d.identity(
            "u = q, the slopes moved towards zero: both terms are that mean", sympy.Max(T + abs(a), abs(s - a)), mean
        )
        identities.append(_case(f"|s| >= T, s = {s}", T, s, from_sympy(sympy.expand(mean))))
    yield from identities


def _case(label: str, T: object, s: object, derived: str) -> Identity:
    return Identity(label, {"p": "nonnegative", "q": "nonnegative"}, {"T": str(T), "s": str(s)}, derived)


@certificate("cheapest measures on a window")
def windows(context: Context) -> Observation:
    """The least cost of a measure that represents a piecewise-linear function between two points beyond its kinks."""
    instances, widened = [], True
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 40)):
        found = cheapest_measure(f, with_room(f), everywhere=False)
        wide = cheapest_measure(f, [f.knots[0] - 1000, f.knots[-1] + 1000], everywhere=False)
        widened &= wide.cost == found.cost
        instances.append(seen(found.cost, label, T=f.total_variation, s=f.end_slope_sum, **in_words(f)))
    yield from instances
    yield Premise("the cost is the same on a window wider by 1000 on each side", widened)
    yield Measured("functions", len(instances))


LOCAL = claim(
    "savarese2019.local_cost",
    "beside Theorem 3.1",
    "Cost with convergence on bounded intervals",
    """If the networks need only approach f on every bounded interval, the least cost is max(T, (T + |s|)/2). It agrees
    with max(T, |s|) where |s| ≤ T and is smaller otherwise: [x + M]₊ - M is x on [-M, M] and costs 1, while x costs 2.
    Proof: kinks that move to infinity free both end slopes; moving them by u in total costs T + u and leaves at least
    |s| - u of s, so the cost is at least T and at least the mean (T + |s|)/2; u = max(0, (|s| - T)/2) attains it.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"""\lim_{K\to\infty}\lim_{\epsilon\to0}\inf\{C(\theta):\ |h_\theta-f|\le\epsilon\ \text{on}\
    [-K,K]\}=\max\Bigl(T,\tfrac{T+|s|}2\Bigr)""",
    hypotheses=("∫|f''| is finite", "(6) with uniform convergence on bounded intervals"),
    formula="Max(T, (T + Abs(s))/2)",
    symbols={"T": "∫|f''|", "s": "f'(-∞) + f'(+∞)"},
    controls={
        "Max(T, Abs(s))": "the cost on the whole line: a straight line would cost twice as much",
        "T": "end slopes free",
        "(T + Abs(s))/2": "the mean alone: |x| would cost 1",
        "Max(T, Abs(s)/2)": "the kinks left out",
    },
    checks=(free_end_slopes, windows),
    rests_on=("savarese2019.theorem_3_1",),
    own=True,
)
