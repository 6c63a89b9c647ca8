"""Theorem 4.7: all minimisers together, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption

from ..observed.measures.exact_cases import Case, two_signs_inside
from ..observed.measures.merged_neurons import both_signs, one_datum, one_sign
from ..observed.measures.minimisers import crowded_cases, known_cases, tilted_cases, vertex
from . import errata

Masses = tuple[Fraction, ...]
NUMBERS: dict[str, Assumption] = {"n": "positive integer", "d": "positive integer"}


def many_minimisers(case: Case, draw: Random, count: int) -> list[Masses]:
    """The known minimiser, and vertices of the set of minimisers in random directions."""
    found = {case.masses}
    for _ in range(count):
        found.add(vertex(case, [draw.randint(0, 9) for _ in case.contacts]))
    return sorted(found)


def most_directions(case: Case, minimisers: list[Masses], by_sign: bool) -> int:
    """The most directions that the minimisers together use in one closed cell (with one sign)."""
    used: dict[tuple[int, int], set[int]] = {}
    for masses in minimisers:
        for k, (mass, contact) in enumerate(zip(masses, case.contacts, strict=True)):
            for cell in contact.cells if mass else ():
                used.setdefault((cell, contact.sign if by_sign else 0), set()).add(k)
    return max(len(directions) for directions in used.values())


def observe(
    context: Context, cases: Sequence[Case], by_sign: bool, extreme: Sequence[Case] = (), several_each: bool = True
) -> Observation:
    """The most directions that minimisers use in one closed cell (with one sign, which is a number and no bound).

    extreme       cases where the bound is claimed to be attained
    several_each  whether some of the data must have many minimisers for the observation to mean anything
    """
    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    several, all_optimal, crowded = 0, True, False
    for k, case in enumerate((*extreme, *cases)):
        minimisers = many_minimisers(case, draw, 1 if case.unique else context.choose(6, 20))
        several += len(minimisers) > 2
        for masses in minimisers:
            cost = sum((abs(m) * case.weight(c.theta) for m, c in zip(masses, case.contacts, strict=True)), Fraction(0))
            through = all(
                sum((f * m for f, m in zip(row, masses, strict=True)), Fraction(0)) == label
                for row, label in zip(case.features, case.y, strict=True)
            )
            all_optimal = all_optimal and through and cost == case.value
        most = most_directions(case, minimisers, by_sign)
        crowded = crowded or most_directions(case, minimisers, False) == 2
        relation = "=" if by_sign or k < len(extreme) else "<="
        yield seen(most, case.label, relation=relation, n=case.n, d=case.d, x=case.x, y=case.y)
        if case.shift is None and not case.unique and len(certificates) < 4:
            certificates.append(case.document())
    yield Premise("every minimiser passes through the data at the certified cost", all_optimal)
    yield Premise("a closed cell holds directions of both signs somewhere", crowded)
    yield from [Premise("for some data three minimisers or more were found", several > 1)] if several_each else []
    yield Step("the mean of two minimisers is a minimiser: constraints and cost are linear")
    yield Step("in a closed cell it has one direction per sign, otherwise merging two would make it cheaper")
    yield from map(Attached, certificates)


@certificate("vertices of the set of minimisers")
def cells(context: Context) -> Observation:
    """Minimisers found by exact linear programmes over all contacts; their directions in each closed cell."""
    yield from observe(context, known_cases(context.seed, context.choose(8, 40)), False, extreme=crowded_cases())


@certificate("vertices of the set of minimisers")
def signs(context: Context) -> Observation:
    """Minimisers found by exact linear programmes; their directions in each closed cell, sign by sign."""
    yield from observe(context, known_cases(context.seed, context.choose(8, 40)), True, extreme=crowded_cases())


@certificate("tilted weights")
def tilted(context: Context) -> Observation:
    """The same for weights |θ| + l·θ, the cell without convention for walls among them."""
    yield from observe(context, (two_signs_inside(), *tilted_cases(context.choose(6, 20))), True, several_each=False)


@theorem("two neurons merged, and a network with both signs")
def two_signs() -> Observation:
    """One direction for each sign in a closed cell, by merging. Of one datum only one sign is used; of more both are by
    the cheapest network [x]₊ - [3/5 - 4x/5]₊ through x = 0, 3/4 and any data between them.
    """
    yield shows(both_signs(), "n ≥ 2", for_all=NUMBERS, assuming=("n >= 2",), n="n", d="d")
    yield shows(one_datum(), "n = 1", for_all={"d": "positive integer"}, n="1", d="d")


@theorem("two neurons of one sign merged")
def same_sign() -> Observation:
    """The directions in a closed cell with c of one sign, for every positive weight w that is 1-homogeneous and
    effectively strictly convex."""
    yield shows(one_sign(), for_all=NUMBERS, n="n", d="d")


CELLS = claim(
    "dedios2020.theorem_4_7",
    "Theorem 4.7",
    "Directions of all minimisers in one closed cell",
    """All minimisers together use at most two directions in a closed cell, and two do occur, already for a single
    minimiser and for every number n ≥ 2 of data (for n = 1 there is one direction): the theorem's one point per cell is
    refuted by the only minimiser on x = 0, 3/4 (both neurons in the closed cell of all data), and by that on four
    points of the plane.""",
    latex=r"\max_S\#\bigcup_\mu\{\theta_j\in C_S\}\le\min(n,2)",
    hypotheses=("closed cells", "w = |θ|"),
    formula="Min(n, 2)",
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    flaw=Flaw(errata.ONE_PER_CELL, "1"),
    controls={
        "n": "as many as data",
        "Min(n, d + 1)": "as many as the moment has entries",
        "Min(n, 3)": "a third, of either sign, inside the cell",
    },
    checks=(two_signs, cells),
    rests_on=("dedios2020.figure_1_cells",),
)

SIGNS = claim(
    "dedios2020.theorem_4_7_signs",
    "Theorem 4.7, for one sign",
    "One direction for each closed cell and sign",
    """Two minimisers that both have positive mass in a closed cell have it along the same direction there, and likewise
    with negative mass: this is the form in which Theorem 4.7 is true. Where the minimisers form a face of dimension one
    or more, its vertices still agree on every direction.""",
    latex=r"\#\bigcup_\mu\{\theta_j\in C_S:\operatorname{sgn}c_j=\sigma\}\le1",
    hypotheses=("closed cells", "w effectively strictly convex: |θ|, or |θ| + l·θ with |l| < 1"),
    formula="1",
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    controls={
        "Min(n, 2)": "as without signs",
        "d": "one per direction of the inputs",
        "n": "as many as data",
    },
    checks=(same_sign, signs, tilted),
    part_of="dedios2020.theorem_4_7",
    rests_on=("dedios2020.theorem_4_7",),
)
