"""Equation (7): the penalised problem, and what it tends to as λ → 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, Value, certificate, claim, seen
from implicitbias.exact.vectors import dot

from ..observed.measures.exact_cases import Case, by_hand, diamond, two_signs_one_pattern
from ..observed.measures.minimisers import steady_cases, steady_until

SIZES = tuple(Fraction(*pair) for pair in ((1, 12), (1, 3), (1, 1), (7, 2), (20, 1)))


def problems(context: Context) -> Iterator[tuple[Case, Sequence[Fraction], Fraction, bool]]:
    """Case with the dual p of (20), labels, λ, and whether the best dual of (7) is a multiple of p."""
    draw = context.random()
    for case in steady_cases():
        shares = (Fraction(1, 50), Fraction(3, 4)) if case.n < 4 else (Fraction(1, 2),)
        for share in context.choose(shares, tuple(Fraction(k, 8) for k in range(1, 8))):
            size = draw.choice(SIZES)
            yield case, [size * v for v in case.y], share * size * steady_until(case), True
    # labels along the dual: it shrinks towards 0 as λ grows
    for case in (*by_hand()[:4], diamond()):
        for share in (Fraction(1, 3), Fraction(5, 4), Fraction(9)):
            size = draw.choice(SIZES)
            yield case, [size * q for q in case.p], share * size / case.n, True
    moving = two_signs_one_pattern()
    for penalty in context.choose((Fraction(1, 250), Fraction(3, 20), Fraction(8)), (Fraction(1, 45), Fraction(2, 5))):
        yield moving, moving.y, penalty, False


@certificate("certified penalised minima")
def limit(context: Context) -> Observation:
    """min (7)/λ with ℓ = ½(x - y)², small λ and large ones: equality where the dual keeps its direction."""
    from implicitbias.convex.variation.penalised import penalised_fit

    certificates: list[Mapping[str, Any]] = []
    narrow, below = Fraction(0), True
    for case, y, penalty, straight in problems(context):
        value = dot(case.p, y)
        # the engine's loss is without the half: its penalty is 2λ, its value twice as large
        found = penalised_fit(case.x, y, 2 * penalty)
        values = Interval(found.lower / 2 / penalty, found.upper / 2 / penalty)
        narrow = max(narrow, found.gap)
        below = below and values.upper < value
        given: dict[str, Value] = {"V": value, "n": case.n, "lam": penalty, "Q": dot(case.p, case.p)}
        label = f"{case.label}, y = ({', '.join(map(str, y))}), λ = {penalty}"
        yield seen(values, label, relation="=" if straight else ">=", **given, x=case.x, y=tuple(y))
        if len(certificates) < 6:
            certificates.append(found.certificate())
    yield Premise("bounds closer than 1e-10", narrow < Fraction(1, 10**10), f"{float(narrow):.1e}")
    yield Premise("the penalised value over λ stays below V everywhere", below)
    yield Step("the dual of (7) over λ", "max p·y - (nλ/2)|p|² over |Σ p_i [θ·x̃_i]_+| ≤ |θ|")
    yield Step("the dual of (20) has the same constraints: tp is feasible for 0 ≤ t ≤ 1", "tV - (nλ/2)t²|p|²")
    yield Step("this is largest at t = min(1, V/(nλ|p|²))")
    yield Step("an interpolant of cost V is an upper bound; together min (7)/λ → V")
    yield from map(Attached, certificates)


SHARE = "Min(1, V/(n*lam*Q))"


LIMIT = claim(
    "dedios2020.equation_7_limit",
    "equation (7) and the limit λ → 0⁺",
    "From the penalised problem to interpolation",
    """For ℓ = ½(x-y)² the minimum of (7) over λ lies between tV - (nλ/2)t²|p|² and V, p any optimal dual of (20) and
    t = min(1, V/(nλ|p|²)). Where λ ≤ V/(n|p|²) the lower bound is V - (nλ/2)|p|²: so the minimum tends to V, and (6) is
    the limit of (7). It is attained for all small λ where the dual is the only one and does not move, as with neurons
    at rays where walls meet; and for every λ where the labels are a multiple of p.""",
    latex=r"tV-\frac{n\lambda}{2}t^2|p|^2\le\frac1\lambda\min_\mu\mathcal L_\lambda(\mu)\le V,"
    r"\qquad t=\min\Big(1,\frac V{n\lambda|p|^2}\Big)",
    hypotheses=("ℓ = ½(x-y)²", "p optimal for max p·y, |Σ p_i [θ·x̃_i]_+| ≤ |θ|"),
    domain=("V > 0", "n >= 1", "lam > 0", "Q > 0"),
    formula=f"{SHARE}*V - n*lam*Q*{SHARE}**2/2",
    symbols={"V": "value of (6)", "n": "number of data", "lam": "λ", "Q": "|p|² of an optimal dual"},
    controls={
        "V": "no first-order term",
        "V - n*lam*Q": "the loss without its half, the penalty with it",
        "V - n*lam*Q/4": "the loss of (22), without the half",
        "V - lam*Q/2": "the sum of losses instead of their mean",
        "V + n*lam*Q/2": "the penalty increases the value",
        "V - n*lam*Q/2": "the rate at small λ, for every λ",
        "Max(0, V - n*lam*Q/2)": "0 is the minimiser as soon as that rate says so",
    },
    checks=(limit,),
    part_of="dedios2020.corollary_4_8",
    rests_on=("dedios2020.corollary_4_6",),
)
