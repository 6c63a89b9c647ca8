"""Theorem 4.2: solutions are supported on finitely many neurons, those with c ≠ 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Flaw,
    Observation,
    Premise,
    Step,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot, relu

from ..observed.cheapest.usable_columns import usable_columns
from ..observed.measures.exact_cases import (
    Case,
    by_hand,
    diamond,
    fan,
    long_zigzag,
    square_symmetric,
    three_of_one_sign,
    two_signs_on_walls,
)
from ..observed.measures.extended_cases import extended
from ..observed.measures.merged_neurons import pairs_of_cell_and_sign
from ..observed.measures.minimisers import (
    busiest_cell_and_sign,
    crowded_cases,
    further_cases,
    known_cases,
    tilted_cases,
)
from ..observed.units.neurons import random_unit_vector
from . import errata


def _with_shared_walls(draw: Random, count: int) -> Iterator[Case]:
    """Minimisers with few and many neurons, with further data anywhere and on their hinges, where cells meet."""
    for neurons in range(1, 7):
        line = fan(neurons)
        hinges = [(-c.theta[1] / c.theta[0],) for c in line.contacts]
        for count_on_hinges in range(neurons + 1):
            yield extended(line, hinges[:count_on_hinges])
    for neurons, on_hinge in ((1, 2), (1, 3), (1, 5), (1, 9), (2, 2), (2, 3), (2, 6), (3, 4), (3, 6), (4, 3)):
        plane = extended(fan(neurons), dimensions=1)
        first, last = (-c.theta[-1] / c.theta[0] for c in (plane.contacts[0], plane.contacts[-1]))
        others = [(last, Fraction(1))] if neurons == 2 else []
        yield extended(plane, [*((first, Fraction(k)) for k in range(1, on_hinge + 1)), *others])
    for k in range(count):
        known = extended(fan(draw.randint(2, 10)), dimensions=0) if k % 2 else extended(fan(draw.randint(1, 3)), (), 2)
        chosen = draw.sample(known.contacts, draw.randint(0, min(3, len(known.contacts))))
        idle = {
            (-c.theta[-1] / c.theta[0], *(Fraction(draw.randint(-9, 9), 2) for _ in range(known.d - 1))) for c in chosen
        }
        idle |= {tuple(Fraction(draw.randint(-30, 30), 7) for _ in range(known.d)) for _ in range(k % 3)}
        yield extended(known, sorted(idle - set(known.x)))


@certificate("contacts of exact duals")
def support(context: Context) -> Observation:
    """All directions that any minimiser can use, counted in rationals: line, plane, space, tilted weights, walls."""
    certificates: list[Mapping[str, Any]] = []
    one_sign = dead = bounded = True
    longer = [long_zigzag(kinks) for kinks in context.choose((5, 9), (5, 9, 15))]
    known = (*known_cases(context.seed, context.choose(8, 60)), *further_cases(), *tilted_cases(), *crowded_cases())
    cases = (
        *known,
        *longer,
        fan(18),
        three_of_one_sign(),
        square_symmetric(),
        *_with_shared_walls(context.random(), context.choose(8, 40)),
    )
    for case in cases:
        contacts = case.contacts
        pairs = {(k, c.sign) for c in contacts for k in c.cells}
        one_sign = one_sign and busiest_cell_and_sign(contacts) == 1
        dead = dead and all(any(case.touch.patterns[k]) for k, _ in pairs)
        bounded = bounded and len(contacts) <= len(pairs) <= 2 * (case.cells - 1) <= 4 * case.n**case.d - 2
        given: dict[str, Value] = {"S": case.cells, "n": case.n, "d": case.d, "V": case.value, "x": case.x, "y": case.y}
        if case.shift:
            given["tilt"] = case.shift
        yield seen(len(contacts), case.label, relation="<=", **given)
        if case.shift is None and len(certificates) < 6:
            certificates.append(case.document())
    yield Premise("no two contacts of one sign share a closed cell", one_sign)
    yield Premise("no contact lies in the cell without active data", dead)
    yield Premise("pairs of a closed cell and a sign that hold a half-plane: T ≤ pairs ≤ 2(S-1) ≤ 4n^d - 2", bounded)
    yield Premise("some data have minimisers with more neurons than data", any(len(c.contacts) > c.n for c in cases))
    yield Step("of two neurons of one sign in a closed cell the mean outputs the same and costs less")
    yield Step("neurons of the cell without active data have no output and positive cost")
    yield Step("that leaves S - 1 cells and two signs", "T ≤ 2(S-1), S ≤ 2n^d")
    yield from map(Attached, certificates)


@theorem("two neurons merged")
def merged_neurons() -> Observation:
    """The pairs of a closed cell and a sign that may hold a half-plane, for any positive weight w that is 1-homogeneous
    and effectively strictly convex: two neurons of one pair along cθ + c'θ', neurons without active data left out.
    """
    names: dict[str, Assumption] = dict.fromkeys(("S", "n", "d"), "positive integer")
    yield shows(pairs_of_cell_and_sign("S"), for_all=names, **{name: name for name in names})


SUPPORT = claim(
    "dedios2020.theorem_4_2",
    "Theorem 4.2",
    "All solutions together use finitely many neurons",
    """For V = |c|w with w effectively strictly convex and positive, all solutions of (6) together have their mass with
    c ≠ 0 on at most 2(S-1) half-planes (15), at most one for each closed cell and sign of c, none for the cell without
    active data; and 2(S-1) ≤ 4n^d - 2, the O(n)^{O(d)} of the theorem. (A bound that nothing here attains: the
    most seen on a line is 2(n - 2), where S = 2n, in the plane 72 for 29 data, and S - 1 for two data; nothing seen
    excludes S - 1.)""",
    latex=r"\#\bigcup_\mu\operatorname{supp}\mu\le2(S-1)\le4n^d-2",
    hypotheses=("w is 1-homogeneous, continuous, effectively strictly convex, positive", "mass with c ≠ 0 is counted"),
    formula="2*(S - 1)",
    symbols={"S": "number of cells", "n": "number of data", "d": "dimension of the inputs"},
    controls={
        "n": "as few neurons as data, which only some minimisers have",
        "n**d": "S ≃ n^d read as an equation, one neuron per cell",
        "n + 4": "a few more neurons than data",
        "2*n": "two neurons for each datum, in the plane as on a line",
        "S/2": "one neuron for every other cell",
        "(S - 1)/2": "half of the active cells",
    },
    checks=(merged_neurons, support),
    rests_on=("dedios2020.cells_order",),
)


@certificate("neurons that solutions use")
def lifted(context: Context) -> Observation:
    """Exact programmes over many neurons: for each half-plane, whether some solution of (6) has mass on it.

    Neurons along all contacts with c of both signs and several sizes, along other directions, and idle ones, c = 0.
    """
    draw = context.random()
    idle = [(Fraction(k, 7),) for k in (1, -2, 9, -16, 30)]
    cases = [extended(fan(k), idle[: 2 * (k % 2)], k % 3) for k in range(1, 6)]
    cases += [two_signs_on_walls(), diamond(), by_hand()[4]]
    for case in cases:
        for m in (*range(7), *context.choose((), (40,))):
            atoms = [(times * c.sign * case.value, c.theta) for c in case.contacts for times in (1, 2, -1)]
            for _ in range(3):
                atoms.append((draw.choice((1, -1)) * case.value, random_unit_vector(draw, case.d + 1)))
            taken = {_plane(theta) for _, theta in atoms}
            for _ in range(m):
                while _plane(theta := tuple(Fraction(draw.randint(-99, 99), 7) for _ in range(case.d + 1))) in taken:
                    pass
                taken.add(_plane(theta))
                atoms.append((Fraction(0), theta))
            costs = [abs(c) for c, _ in atoms]
            rows = [[c * relu(dot(theta, x)) for c, theta in atoms] for x in case.points]
            used = usable_columns(costs, [*rows, [1] * len(atoms)], [*case.y, 1], range(len(atoms)))
            planes = {_plane(atoms[k][1]) for k in used}
            yield seen(len(planes), f"{case.label}, {m} idle neurons", N=len(case.contacts), m=m, x=case.x, y=case.y)
    yield Step("the mean of all solutions found has mass on all these half-planes, and is a solution")


def _plane(theta: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The half-plane (15) of a direction: θ up to positive factors."""
    largest = max(map(abs, theta))
    return tuple(v / largest for v in theta) if largest else tuple(theta)


LIFTED = claim(
    "dedios2020.theorem_4_2_idle_neurons",
    "Theorem 4.2 with Definition 4.1 and problem (6)",
    "Idle neurons are free",
    """In P(Θ) the solutions of (6) that use N half-planes can be given any number m of further ones, on which c = 0,
    and one solution has mass on all N + m: half its mass, with c doubled, has the same outputs at the same cost. So no
    bound holds for the support of μ itself; it holds for the mass with c ≠ 0, that is for ν = P(μ).""",
    latex=r"\#\operatorname{supp}\mu=N+m\ \text{for every}\ m\ge0",
    hypotheses=("w = |θ|", "N half-planes carry the mass with c ≠ 0 of all solutions together"),
    formula="N + m",
    symbols={"N": "half-planes with c ≠ 0", "m": "half-planes with c = 0"},
    domain=("N >= 1", "m >= 0"),
    flaw=Flaw(errata.IDLE_NEURONS),
    controls={
        "Min(N + m, 9)": "a bound whatever m",
        "N": "idle neurons not counted",
        "N + Min(m, 1)": "one idle neuron at most",
        "Max(N, m)": "idle neurons in the place of others",
    },
    checks=(lifted,),
    part_of="dedios2020.theorem_4_2",
    rests_on=("dedios2020.theorem_4_2",),
)
