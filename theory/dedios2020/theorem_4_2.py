"""Theorem 4.2: solutions are supported on finitely many neurons, those with c ≠ 0."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from implicitbias.claims import Attached, Context, Flaw, Observation, Premise, Step, Value, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu

from ..observed.measures.exact_cases import by_hand, long_zigzag, two_signs_on_walls, two_signs_one_pattern
from ..observed.measures.minimisers import busiest_cell_and_sign, further_cases, known_cases, tilted_cases
from . import errata


@certificate("contacts of exact duals")
def support(context: Context) -> Observation:
    """All directions that any minimiser can use, counted in rationals: line, plane, space, tilted weights."""
    certificates: list[Mapping[str, Any]] = []
    one_sign = dead = True
    longer = [long_zigzag(kinks) for kinks in context.choose((5, 9), (5, 9, 15))]
    cases = (*known_cases(context.seed, context.choose(8, 60)), *further_cases(), *tilted_cases(), *longer)
    for case in cases:
        contacts = case.contacts
        one_sign = one_sign and busiest_cell_and_sign(contacts) == 1
        dead = dead and all(any(case.touch.patterns[k]) for c in contacts for k in c.cells)
        given: dict[str, Value] = {"S": case.cells, "n": case.n, "d": case.d, "V": case.value, "x": case.x, "y": case.y}
        if case.shift:
            given["tilt"] = case.shift
        yield seen(len(contacts), case.label, relation="<=", **given)
        if case.shift is None and len(certificates) < 6:
            certificates.append(case.document())
    yield Premise("no two contacts of one sign share a closed cell", one_sign)
    yield Premise("no contact lies in the cell without active data", dead)
    yield Premise("some data have minimisers with more neurons than data", any(len(c.contacts) > c.n for c in cases))
    yield Step("of two neurons of one sign in a closed cell the mean outputs the same and costs less")
    yield Step("neurons of the cell without active data have no output and positive cost")
    yield Step("that leaves S - 1 cells and two signs", "T ≤ 2(S-1), S ≤ 2n^d")
    yield from map(Attached, certificates)


SUPPORT = claim(
    "dedios2020.theorem_4_2",
    "Theorem 4.2",
    "All solutions together use finitely many neurons",
    """For V = |c|w with w effectively strictly convex and positive, all solutions of (6) together have their mass with
    c ≠ 0 on at most 2(S-1) half-planes (15), at most one for each closed cell and sign of c, none for the cell without
    active data; and 2(S-1) ≤ 4n^d - 2, the O(n)^{O(d)} of the theorem. (A bound: the most seen here on a line is
    2(n - 2), where S = 2n.)""",
    latex=r"\#\bigcup_\mu\operatorname{supp}\mu\le2(S-1)\le4n^d-2",
    hypotheses=("w is 1-homogeneous, continuous, effectively strictly convex, positive", "mass with c ≠ 0 is counted"),
    formula="2*(S - 1)",
    symbols={"S": "number of cells", "n": "number of data", "d": "dimension of the inputs"},
    controls={
        "n": "as few neurons as data, which only some minimisers have",
        "n**d": "S ≃ n^d read as an equation, one neuron per cell",
        "n + 4": "a few more neurons than data",
        "S/2": "one neuron for every other cell",
        "(S - 1)/2": "half of the active cells",
    },
    checks=(support,),
    rests_on=("dedios2020.cells_order",),
)


@certificate("measures with idle neurons")
def lifted(context: Context) -> Observation:
    """Solutions of (6) to which neurons with c = 0 are added: constraints, cost, and half-planes counted anew."""
    draw = context.random()
    solved = True
    for case in (by_hand()[0], two_signs_on_walls(), two_signs_one_pattern()):
        for m in (0, 1, 2, 9, context.choose(40, 400)):
            share = Fraction(1, 2) if m else Fraction(1)
            measure = [
                (share * abs(z) / case.value, (1 if z > 0 else -1) * case.value / share, c.theta)
                for z, c in zip(case.masses, case.contacts, strict=True)
            ]
            busy = {tuple(v / max(map(abs, c.theta)) for v in c.theta) for c in case.contacts}
            idle: set[tuple[Fraction, ...]] = set()
            while len(idle) < m:
                theta = (*(Fraction(draw.randint(-9999, 9999), 7) for _ in range(case.d)), Fraction(1))
                plane = tuple(v / max(map(abs, theta)) for v in theta)
                idle |= {plane} - busy
            measure += [((1 - share) / m, Fraction(0), theta) for theta in sorted(idle)]
            cost = sum((q * abs(c) for q, c, theta in measure if c), Fraction(0))
            outputs = tuple(sum((q * c * relu(dot(t, x)) for q, c, t in measure), Fraction(0)) for x in case.points)
            unit = all(dot(t, t) == 1 for _, c, t in measure if c)
            solved = solved and unit and sum(q for q, _, _ in measure) == 1 and cost == case.value and outputs == case.y
            planes = {tuple(v / max(map(abs, t)) for v in t) for _, _, t in measure}
            label = f"{case.label}, {m} idle neurons"
            yield seen(len(planes), label, N=len(case.contacts), m=m, n=case.n, d=case.d, V=case.value)
    yield Premise("every measure has mass one, meets the constraints, and costs the minimum", solved)
    yield Step("halve the mass of a solution, double its c, and put the other half where c = 0: |c|w is 0 there")


LIFTED = claim(
    "dedios2020.theorem_4_2_idle_neurons",
    "Theorem 4.2 with Definition 4.1 and problem (6)",
    "Idle neurons are free",
    """In P(Θ) a solution of (6) that uses N half-planes can be given any number m of further ones, on which c = 0: half
    its mass, with c doubled, has the same outputs at the same cost. So no bound holds for the support of μ itself; it
    holds for the mass with c ≠ 0, that is for ν = P(μ).""",
    latex=r"\#\operatorname{supp}\mu=N+m\ \text{for every}\ m\ge0",
    hypotheses=("N half-planes carry the mass with c ≠ 0",),
    formula="N + m",
    symbols={"N": "half-planes with c ≠ 0", "m": "half-planes with c = 0", "n": "number of data", "d": "dimension"},
    flaw=Flaw(errata.IDLE_NEURONS),
    controls={
        "Min(N + m, 4*n**d - 2)": "a bound by the data alone",
        "N": "idle neurons not counted",
        "N + Min(m, 1)": "one idle neuron at most",
        "m": "only idle neurons counted",
    },
    checks=(lifted,),
    part_of="dedios2020.theorem_4_2",
    rests_on=("dedios2020.theorem_4_2",),
)
