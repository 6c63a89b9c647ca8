"""Corollary 4.6: on the sphere every solution of (20) is a finite sum; how finite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    seen,
)
from implicitbias.claims.statement import Candidate
from implicitbias.exact.vectors import dot, relu

from ..observed.data.draws import evenly
from ..observed.measures.contact_sets import Point
from ..observed.measures.exact_cases import (
    Case,
    by_hand,
    diamond,
    line_cases,
    parts_of_contacts,
)
from ..observed.measures.extended_cases import crowded_and_idle
from ..observed.measures.minimisers import cost_on_contacts, further_cases, known_cases, signs
from ..observed.units.neurons import random_unit_vector


def places(draw: Random, case: Case) -> Iterator[tuple[int, Point]]:
    """A contact with its sign, with the other one, and directions active at some datum: more where that is cheap."""
    contact = draw.choice(case.contacts)
    yield contact.sign, contact.theta
    yield -contact.sign, contact.theta
    left = 10 if case.n == 1 else 2
    while left:
        theta = random_unit_vector(draw, case.d + 1)
        if any(dot(theta, x) > 0 for x in case.points):
            left -= 1
            yield draw.choice((1, -1)), theta


def _met(draw: Random, count: int) -> Iterator[tuple[str, Case, Fraction, Fraction, Fraction, list[Fraction]]]:
    """Neurons anywhere for one datum, at contacts for several, V and the mass of all sizes: (label, case, mass, σg,
    scale, what is left of the labels)."""
    cases = by_hand()[:4]
    for k, (value, mass) in enumerate(zip(*(draw.sample(evenly(-5, 5, count), count) for _ in range(2)), strict=True)):
        case = cases[k % 4]
        there = list(places(draw, case))
        sign, theta = draw.choice(there if case.n == 1 else there[:2])
        features = [relu(dot(theta, x)) for x in case.points]
        scale = value / case.value
        left = [scale * y - sign * mass * v for y, v in zip(case.y, features, strict=True)]
        label = f"{case.label} times {scale}, θ = ({', '.join(map(str, theta))}), the rest on contacts"
        yield label, case, mass, sign * dot(case.p, features), scale, left


@certificate("a neuron put anywhere")
def forced(context: Context) -> Observation:
    """The mass m at θ, and the least total variation through what it leaves of the labels, by cone programmes."""
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    cases = [*by_hand()[:4], *line_cases(draw, context.choose(1, 12), largest=2)]
    cases += context.choose([], [diamond(), by_hand()[4]])
    narrow = Fraction(0)
    certificates: list[Mapping[str, Any]] = []
    for k, case in enumerate(cases):
        for sign, theta in places(draw, case):
            size = draw.choice((Fraction(1, 40), Fraction(1, 6), Fraction(1)))  # both are small sometimes
            scale, mass = (size * Fraction(draw.randint(1, 99), draw.choice((2, 7, 60))) for _ in range(2))
            features = [relu(dot(theta, x)) for x in case.points]
            price = sign * dot(case.p, features)
            if price > 0 and draw.random() < 0.3:
                mass = scale * case.value / price * Fraction(draw.randint(27, 33), 30)  # little is left
            left = [scale * y - sign * mass * value for y, value in zip(case.y, features, strict=True)]
            rest = tv_interpolant(case.x, left)
            narrow = max(narrow, rest.gap)
            met = cost_on_contacts(case, left) is not None
            where = "the rest on contacts" if met else "the rest elsewhere"
            yield seen(
                Interval(mass + rest.lower, mass + rest.upper),
                f"{case.label} times {scale}, θ = ({', '.join(map(str, theta))}), {where}",
                relation="=" if met else ">=",
                V=scale * case.value,
                m=mass,
                g=price,
            )
            if k == 3 and len(certificates) < 4:
                certificates.append(rest.certificate())
    proved = True
    for label, case, mass, price, scale, left in _met(draw, context.choose(110, 300)):
        cost = cost_on_contacts(case, left)
        if cost is not None:
            proved = proved and cost == abs(dot(case.p, left))
            yield seen(mass + cost, label, V=scale * case.value, m=mass, g=price)
    yield Premise("bounds closer than 1e-9", narrow < Fraction(1, 10**9), f"{float(narrow):.1e}")
    yield Premise("where masses at contacts do, p or -p proves that nothing costs less", proved)
    yield Step("V and g from a dual that is feasible on every cell, in rationals; the cost of the rest without it")
    yield Step("p and -p are feasible for every labels", "the others cost |p·(y - mσφ(θ))| = |V - mσg(θ)| at least")
    yield Step("|g| = 1 at one direction at most for each closed cell and sign: the projection of ±v on the cell")
    yield from map(Attached, certificates)


FORCED = claim(
    "dedios2020.corollary_4_6",
    "Corollary 4.6, problem (20)",
    "Every solution lives on finitely many points",
    """Let p solve the dual of (20), max p·y with |g| ≤ 1 on the sphere, g(θ) = Σ p_i [θ·x̃_i]_+. A neuron of mass m and
    sign σ at θ and others that make up for it cost m + |V - mσg(θ)| at least, which is V + m(1 - σg(θ)) for m ≤ V; and
    no more if the others can lie where |g| = 1, all with the sign of g there or all with the other one. So all
    solutions live where |g| = 1, with the sign of g: on finitely many points, at most one for each closed cell and
    sign, which a single p determines. (For their number the paper refers to Theorem 4.7; Theorem 4.2 is meant.)""",
    latex=r"m+\min\{\|\nu\|_{TV}:f_\nu(x_i)=y_i-m\sigma(\theta\cdot\tilde x_i)_+\}"
    r"\ge m+|V-m\,\sigma g(\theta)|,"
    r"\quad g(\theta)=\sum_ip_i(\theta\cdot\tilde x_i)_+",
    domain=("V > 0", "m > 0", "Abs(g) <= 1"),
    formula="m + Abs(V - m*g)",
    symbols={"V": "the least total variation", "m": "mass at θ", "g": "σg(θ)"},
    controls={
        "Max(V, m)": "every place is as good",
        "V + m*(1 - g)": "however large the neuron is, the others lie as before",
        "m + Abs(V - m*Abs(g))": "the sign of the neuron has no effect",
        "V + m": "the neuron relieves no other",
        "m + Abs(V - m)": "the others cost what is left of V, wherever the neuron is",
    },
    checks=(forced,),
    rests_on=("dedios2020.theorem_4_2",),
)


@certificate("contacts by their signs")
def faces(context: Context) -> Observation:
    """All directions of all solutions, grouped by their signs at the data, in rationals: the number of groups."""
    draw = context.random()
    for case in (*known_cases(context.seed, context.choose(8, 60)), *crowded_and_idle(), further_cases()[0]):
        for contacts in parts_of_contacts(draw, case):
            found = {signs(case, contact) for contact in contacts}
            active = {tuple(s > 0 for s in face) for face in found}
            yield seen(len(found), f"{case.label}, {len(contacts)} of them", T=len(contacts), P=len(active), n=case.n)
    yield Step("on the span of a relatively open face F, g is v·θ; let q be the projection of v on span F")
    yield Step("a contact θ of sign σ in F is where v·θ is extremal on the unit sphere of span F, so σq = θ")
    yield Step("two contacts of F are q and -q then, or equal; but θ and -θ have different signs at the data")


def _no_more_than_data(given: Mapping[str, Value]) -> Value:
    return min(given["T"], given["n"])  # type: ignore[type-var]


KINDS: dict[Candidate, str] = {
    Rule("by active data", "as many kinds as different sets of active data", lambda given: given["P"]): (
        "a neuron's kind is told by its active data"
    ),
    Rule("n", "at most as many kinds as data", _no_more_than_data): "a kind for each datum",
    "(T + 1)/2": "one kind for both signs",
}

FACES = claim(
    "dedios2020.corollary_4_6_faces",
    "next to Corollary 4.6 and Figure 1.b",
    "One neuron for each relatively open face",
    """For the total variation, call neurons alike if θ·x̃_i has the same sign, +, - or 0, at every datum. The T
    directions of all solutions of (20) together are of T kinds: at most one of each kind, of either sign of c. Proof:
    on the span of such a face g is linear, so a contact is plus or minus the same unit vector, and θ, -θ are not alike
    where θ is active somewhere. With this reading of the cells, one neuron per cell is correct; told by its active data
    alone, it is not.""",
    latex=r"\#\{\theta\in F:|g(\theta)|=1\}\le1\ \text{for every relatively open face }F",
    hypotheses=("w = |θ|",),
    domain=("T >= 1",),
    formula="T",
    symbols={"T": "directions of all solutions"},
    controls=KINDS,
    checks=(faces,),
    part_of="dedios2020.corollary_4_6",
    rests_on=("dedios2020.corollary_4_6",),
    own=True,
)
