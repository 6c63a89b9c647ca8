"""Equation (7) for small λ where (20) has many optimal duals: the one of least norm counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, Value, certificate, claim, seen
from implicitbias.exact.vectors import dot, solve

from ..observed.data.draws import of_any_size
from ..observed.measures.contact_sets import touching
from ..observed.measures.exact_cases import ABSCISSAE, Case, two_signs_on_walls, zigzag
from ..observed.measures.extended_cases import extended

Least = tuple[Case, tuple[Fraction, ...], Fraction]


def least(case: Case) -> Least | None:
    """The dual of least norm with g = ±1 at the contacts of the case, and the λ up to which y - nλp has masses of the
    same signs there; None unless that dual is feasible, with the same contacts."""
    columns = list(zip(*case.features, strict=True))
    signs = [c.sign for c in case.contacts]
    try:
        along = solve([[dot(a, b) for b in columns] for a in columns], signs)
    except (ArithmeticError, ValueError, StopIteration):
        return None
    p = tuple(dot(row, along) for row in case.features)
    touch = touching(case.points, p)
    if touch.largest != 1 or {c.theta for c in touch.contacts} != {c.theta for c in case.contacts}:
        return None
    until = min(m / (case.n * z) for m, z in zip(case.masses, along, strict=True) if m * z > 0)
    return case, p, until


def bases(draw: Random) -> Case:
    """Two neurons of opposite sign, or a zigzag of one or two kinks with drawn places and ends."""
    if draw.random() < 0.25:
        return two_signs_on_walls()
    kinks = sorted(draw.sample(ABSCISSAE, draw.choice([1, 2])))
    return zigzag(kinks, (kinks[0] - of_any_size(draw, -2, 2), kinks[-1] + of_any_size(draw, -2, 2)))


def with_many_duals(draw: Random, count: int) -> Iterator[Least]:
    """Cases with one to three more data on the graph of the minimiser, which leave a choice of duals."""
    found = tries = 0
    while found < count and tries < 100 * count:
        tries += 1
        try:
            known = bases(draw)
            idle = {(Fraction(draw.randint(-24, 24), 7),) for _ in range(draw.randint(1, 3))}
            case = extended(known, sorted(idle - set(known.x)), times=of_any_size(draw, -3, 3))
        except ArithmeticError:
            continue
        chosen = least(case)
        if chosen is not None and chosen[1] != case.p:
            found += 1
            yield chosen


@certificate("certified penalised minima where duals are many")
def small_penalties(context: Context) -> Observation:
    """min (7)/λ with ℓ = ½(x - y)², enclosed, for λ up to where a neuron vanishes; two optimal duals of (20), of which
    one has the least norm, both verified on every cell in rationals."""
    from implicitbias.convex.variation.penalised import penalised_fit

    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    narrow = Fraction(0)
    for case, p, until in with_many_duals(draw, context.choose(10, 40)):
        penalty = until * draw.choice([Fraction(1, 20), Fraction(1, 3), Fraction(4, 5)])
        found = penalised_fit(case.x, case.y, 2 * penalty)
        values = Interval(found.lower / 2 / penalty, found.upper / 2 / penalty)
        narrow = max(narrow, found.gap)
        part = Fraction(draw.randint(1, 8), 8)  # any dual between two optimal ones is optimal
        other = [part * a + (1 - part) * b for a, b in zip(case.p, p, strict=True)]
        given: dict[str, Value] = {"V": case.value, "n": case.n, "lam": penalty, "Q": dot(p, p), "P": dot(other, other)}
        yield seen(values, f"{case.label}, λ = {penalty}", **given, x=case.x, y=case.y)
        if len(certificates) < 3:
            certificates.append(found.certificate())
    yield Premise("bounds closer than 1e-10", narrow < Fraction(1, 10**10), f"{float(narrow):.1e}")
    yield Step(
        "the dual of (7) over λ", "max p·y - (nλ/2)|p|² over the duals of (20): among the optimal ones the shortest"
    )
    yield Step("y - nλp on the contacts, with their signs, costs V - nλ|p|²: with the loss V - (nλ/2)|p|²")
    yield from map(Attached, certificates)


LEAST_DUAL = claim(
    "dedios2020.equation_7_least_dual",
    "equation (7) and the limit λ → 0⁺",
    "Of many duals the shortest decides",
    """If (20) has several optimal duals, the shortest of them, p, gives the minimum of (7) for small λ: over λ it is
    V - (nλ/2)|p|², as long as masses at the contacts, with their signs, have the outputs y - nλp. Any other optimal
    dual gives a lower bound only. So the penalised solution misses the data by nλp, and costs V - nλ|p|² ≥ 0.""",
    latex=r"\frac1\lambda\min_\mu\mathcal L_\lambda(\mu)=V-\frac{n\lambda}2\min\{|p|^2:p\text{ optimal}\}",
    hypotheses=("ℓ = ½(x-y)²", "y - nλp has masses at the contacts with their signs"),
    domain=("V > 0", "n >= 1", "lam > 0", "Q > 0", "P >= Q", "n*lam*Q <= V"),
    formula="V - n*lam*Q/2",
    symbols={
        "V": "value of (6)",
        "n": "number of data",
        "lam": "λ",
        "Q": "|p|² of the shortest optimal dual",
        "P": "|p|² of another optimal dual",
    },
    controls={
        "V - n*lam*P/2": "any optimal dual",
        "V": "no first-order term",
        "V - n*lam*(P + Q)/4": "the mean of two duals",
        "V - lam*Q/2": "the sum of losses instead of their mean",
        "V - n*lam*Q": "the loss without its half",
    },
    checks=(small_penalties,),
    part_of="dedios2020.corollary_4_8",
    rests_on=("dedios2020.equation_7_limit",),
)
