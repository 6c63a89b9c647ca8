"""Counts of possible atoms per closed cell, pattern and face, and computation of individual minimisers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

from implicitbias.exact.vectors import dot, rank

from .contact_sets import Contact
from .exact_cases import (
    Case,
    by_hand,
    diamond,
    line_cases,
    one_point,
    plane_cases,
    space_case,
    two_signs_inside,
    two_signs_on_walls,
    zigzag,
)
from .extended_cases import extended


@cache
def known_cases(seed: int, drawn: int) -> tuple[Case, ...]:
    """Cases with all minimisers known: checked by hand, in the plane, and `drawn` random ones on the line."""
    return (*by_hand(), *plane_cases(), *line_cases(Random(seed), drawn))


@cache
def further_cases() -> tuple[Case, ...]:
    """One case in three dimensions, and one with another weight."""
    return (space_case(), two_signs_inside())


@cache
def crowded_cases() -> tuple[Case, ...]:
    """For 1 to 9 data, 1 to 3 dimensions a case whose only minimiser has as many neurons as possible in a closed cell.

    From two data on these are two, one of each sign, active on all data or at a hinge there.
    """
    single, pair = one_point((0,), 1), two_signs_on_walls()
    return tuple(
        extended(single, dimensions=d - 1)
        if n == 1
        else extended(pair, [(Fraction(3 * k, 4 * (n - 1)),) for k in range(1, n - 1)], d - 1)
        for d in (1, 2, 3)
        for n in range(1, 10)
    )


@cache
def steady_cases() -> tuple[Case, ...]:
    """Cases whose dual is the same for all small penalties because the contacts lie at rays where walls meet."""
    ends = (Fraction(-4, 3), Fraction(4, 3))
    return (*by_hand()[:3], two_signs_on_walls(), diamond(), zigzag((Fraction(-3, 4), Fraction(3, 4)), ends))


@cache
def tilted_cases(drawn: int = 3) -> tuple[Case, ...]:
    """`drawn` random cases on the line for each of two weights |θ| + l·θ."""
    tilts = ((Fraction(1, 3), Fraction(-1, 2)), (Fraction(0), Fraction(-4, 5)))
    return tuple(case for k, tilt in enumerate(tilts) for case in line_cases(Random(k), drawn, shift=tilt))


def signs(case: Case, contact: Contact) -> tuple[int, ...]:
    """The signs of θ·x̃_i, which identify the relatively open face of the arrangement containing θ."""
    heights = [dot(contact.theta, x) for x in case.points]
    return tuple((h > 0) - (h < 0) for h in heights)


def busiest_cell(contacts: Sequence[Contact]) -> int:
    """The largest number of contacts in one closed cell."""
    return max(Counter(k for c in contacts for k in c.cells).values(), default=0)


def busiest_cell_and_sign(contacts: Sequence[Contact]) -> int:
    """The largest number of contacts of one sign in one closed cell."""
    return max(Counter((k, c.sign) for c in contacts for k in c.cells).values(), default=0)


def busiest_pattern(case: Case, strict: bool) -> int:
    """The largest number of contacts with the same active data, where active means > 0 (`strict`) or >= 0."""
    least = 1 if strict else 0
    return max(Counter(tuple(s >= least for s in signs(case, c)) for c in case.contacts).values(), default=0)


def vertex(case: Case, costs: Sequence[int]) -> tuple[Fraction, ...]:
    """Masses at the contacts of the minimiser with least `costs`: signs as g, interpolating the data."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = [[c.sign * value for c, value in zip(case.contacts, row, strict=True)] for row in case.features]
    found = minimise(list(costs), rows, case.y)
    if not isinstance(found, Optimum):
        raise ArithmeticError(f"{case.label}: the labels are not on the contacts")
    return tuple(c.sign * size for c, size in zip(case.contacts, found.primal, strict=True))


def cost_on_contacts(case: Case, labels: Sequence[Fraction]) -> Fraction | None:
    """The cost of masses at the contacts, all with the sign of g or all with the other one, with these outputs; None if
    there are no such masses."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = [[c.sign * value for c, value in zip(case.contacts, row, strict=True)] for row in case.features]
    wanted = (labels, [-v for v in labels])
    found = (minimise([1] * len(case.contacts), rows, y) for y in wanted)
    return next((f.value for f in found if isinstance(f, Optimum)), None)


def most_cells_told_apart(contacts: Sequence[Contact]) -> int:
    """The size of a maximum matching of contacts to distinct closed cells that contain them."""
    held: dict[int, int] = {}

    def place(k: int, seen: set[int]) -> bool:
        for cell in contacts[k].cells:
            if cell not in seen:
                seen.add(cell)
                if cell not in held or place(held[cell], seen):
                    held[cell] = k
                    return True
        return False

    return sum(place(k, set()) for k in range(len(contacts)))


def steady_until(case: Case) -> Fraction:
    """The largest λ for which (1/2n)|f - y|² + λ‖ν‖ keeps the dual p: f = y - nλp, on the contacts with their signs.

    If the contacts are directions at which walls meet and their features form a basis of R^n, p is the only dual
    and the masses are linear in λ. Raises ValueError otherwise.
    """

    on_rays = all(
        rank([x for x, s in zip(case.points, signs(case, c), strict=True) if s == 0]) == case.d
        or len(case.contacts) == case.n == 1
        for c in case.contacts
    )
    if not (on_rays and case.rank == case.n == len(case.contacts)):
        raise ValueError(f"{case.label}: the dual moves with λ")
    change = vertex_free(case, [case.n * q for q in case.p])
    return min((m / z for m, z in zip(case.masses, change, strict=True) if m * z > 0), default=Fraction(0))


def left_at(case: Case, penalty: Fraction) -> Case:
    """The minimiser of (1/2n)|f - y|² + λ‖ν‖ for λ up to `steady_until`: it has the outputs y - nλp."""
    outputs = [v - case.n * penalty * q for v, q in zip(case.y, case.p, strict=True)]
    return replace(case, masses=vertex_free(case, outputs))


def vertex_free(case: Case, labels: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The masses of any sign at the contacts that yield the outputs `labels`; requires an invertible feature matrix."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    found = minimise([0] * len(case.contacts), case.features, labels, free=True)
    if not isinstance(found, Optimum):
        raise ArithmeticError(f"{case.label}: the features do not span the outputs")
    return found.primal
