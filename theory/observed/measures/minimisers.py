"""Counting atoms where they may be: by closed cell, by pattern, by face; and walking from minimiser to minimiser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
    plane_cases,
    space_case,
    two_signs_inside,
    two_signs_on_walls,
    zigzag,
)


@cache
def known_cases(seed: int, drawn: int) -> tuple[Case, ...]:
    """Least total variation with all minimisers known: by hand, in the plane, and as many drawn on the line."""
    return (*by_hand(), *plane_cases(), *line_cases(Random(seed), drawn))


@cache
def further_cases() -> tuple[Case, ...]:
    """One in space, and one of another weight."""
    return (space_case(), two_signs_inside())


@cache
def steady_cases() -> tuple[Case, ...]:
    """Cases whose dual is the same for all small penalties, as contacts lie at rays where walls meet."""
    ends = (Fraction(-4, 3), Fraction(4, 3))
    return (*by_hand()[:3], two_signs_on_walls(), diamond(), zigzag((Fraction(-3, 4), Fraction(3, 4)), ends))


@cache
def tilted_cases(drawn: int = 3) -> tuple[Case, ...]:
    """Two weights |θ| + l·θ on the line."""
    tilts = ((Fraction(1, 3), Fraction(-1, 2)), (Fraction(0), Fraction(-4, 5)))
    return tuple(case for k, tilt in enumerate(tilts) for case in line_cases(Random(k), drawn, shift=tilt))


def signs(case: Case, contact: Contact) -> tuple[int, ...]:
    """Of θ·x̃_i: the relatively open face of the arrangement in which θ lies."""
    heights = [dot(contact.theta, x) for x in case.points]
    return tuple((h > 0) - (h < 0) for h in heights)


def busiest_cell(contacts: Sequence[Contact]) -> int:
    """The most contacts in one closed cell."""
    return max(Counter(k for c in contacts for k in c.cells).values(), default=0)


def busiest_cell_and_sign(contacts: Sequence[Contact]) -> int:
    """The most contacts of one sign in one closed cell."""
    return max(Counter((k, c.sign) for c in contacts for k in c.cells).values(), default=0)


def busiest_pattern(case: Case, strict: bool) -> int:
    """The most contacts active at the same data, active meaning > 0 (`strict`) or >= 0."""
    least = 1 if strict else 0
    return max(Counter(tuple(s >= least for s in signs(case, c)) for c in case.contacts).values(), default=0)


def busiest_face(case: Case) -> int:
    return max(Counter(signs(case, c) for c in case.contacts).values(), default=0)


def vertex(case: Case, costs: Sequence[int]) -> tuple[Fraction, ...]:
    """Masses at the contacts, of the sign of g, through the data: the minimiser that is cheapest in `costs`."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = [[c.sign * value for c, value in zip(case.contacts, row, strict=True)] for row in case.features]
    found = minimise(list(costs), rows, case.y)
    if not isinstance(found, Optimum):
        raise ArithmeticError(f"{case.label}: the labels are not on the contacts")
    return tuple(c.sign * size for c, size in zip(case.contacts, found.primal, strict=True))


def most_cells_told_apart(contacts: Sequence[Contact]) -> int:
    """The most contacts that can be given a closed cell each, all different: a largest matching."""
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

    Where the contacts are directions at which walls meet and their features span R^n, p is the only dual, and masses
    are linear in λ. Raises ValueError elsewhere.
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


def vertex_free(case: Case, labels: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The masses at the contacts, of any sign, with these outputs; the features are square and regular."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    found = minimise([0] * len(case.contacts), case.features, labels, free=True)
    if not isinstance(found, Optimum):
        raise ArithmeticError(f"{case.label}: the features do not span the outputs")
    return found.primal
