"""Equation (7): the penalised problem, and what it tends to as λ → 0."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, Value, certificate, claim, seen
from implicitbias.exact.vectors import dot

from ..observed.measures.exact_cases import two_signs_one_pattern
from ..observed.measures.minimisers import steady_cases, steady_until


@certificate("certified penalised minima")
def limit(context: Context) -> Observation:
    """min (7)/λ with ℓ = ½(x - y)², for several λ: equality for steady duals, a bound where they move."""
    from implicitbias.convex.variation.penalised import penalised_fit

    steady = steady_cases()
    certificates: list[Mapping[str, Any]] = []
    narrow, least = Fraction(0), Fraction(1)
    for case in (*steady, two_signs_one_pattern()):
        until = steady_until(case) if case in steady else Fraction(1, 5)
        for share in context.choose((Fraction(1, 50), Fraction(3, 4)), tuple(Fraction(k, 8) for k in range(1, 8))):
            penalty = share * until
            # the engine's loss is without the half: its penalty is 2λ, its value twice as large
            found = penalised_fit(case.x, case.y, 2 * penalty)
            values = Interval(found.lower / 2 / penalty, found.upper / 2 / penalty)
            narrow = max(narrow, found.gap)
            given: dict[str, Value] = {"V": case.value, "n": case.n, "lam": penalty, "Q": dot(case.p, case.p)}
            relation = "=" if case in steady else ">="
            yield seen(values, f"{case.label}, λ = {penalty}", relation=relation, **given, x=case.x, y=case.y)
            least = min(least, case.value - values.upper)
            if len(certificates) < 6:
                certificates.append(found.certificate())
    yield Premise("bounds closer than 1e-10", narrow < Fraction(1, 10**10), f"{float(narrow):.1e}")
    yield Premise("the penalised value over λ stays below V everywhere", least > 0)
    yield Step("the dual of (7) over λ", "max p·y - (nλ/2)|p|² over |Σ p_i [θ·x̃_i]_+| ≤ |θ|")
    yield Step("the dual of (20) has the same constraints: so V - (nλ/2)|p|² is a lower bound for each of its optima p")
    yield Step("an interpolant of cost V is an upper bound; together min (7)/λ → V")
    yield from map(Attached, certificates)


LIMIT = claim(
    "dedios2020.equation_7_limit",
    "equation (7) and the limit λ → 0⁺",
    "From the penalised problem to interpolation",
    """For ℓ = ½(x-y)² the minimum of (7) over λ lies between V - (nλ/2)|p|² and V, p any optimal dual of (20): so it
    tends to V, and (6) is the limit of (7). The lower bound is attained for all small λ where the dual is the only one
    and does not move, as with neurons at rays where walls meet.""",
    latex=r"V-\frac{n\lambda}{2}|p|^2\le\frac1\lambda\min_\mu\mathcal L_\lambda(\mu)\le V",
    hypotheses=("ℓ = ½(x-y)²", "p optimal for max p·y, |Σ p_i [θ·x̃_i]_+| ≤ |θ|"),
    formula="V - n*lam*Q/2",
    symbols={"V": "value of (6)", "n": "number of data", "lam": "λ", "Q": "|p|² of an optimal dual"},
    controls={
        "V": "no first-order term",
        "V - n*lam*Q": "the loss without its half, the penalty with it",
        "V - n*lam*Q/4": "the loss of (22), without the half",
        "V - lam*Q/2": "the sum of losses instead of their mean",
        "V + n*lam*Q/2": "the penalty increases the value",
    },
    checks=(limit,),
    part_of="dedios2020.corollary_4_8",
    rests_on=("dedios2020.corollary_4_6",),
)
