"""Known cases with further data that the dual does not use, and in more dimensions: n and d vary, the contacts stay."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .contact_sets import Point, Rational, touching
from .exact_cases import Case, by_hand, full_pair, long_zigzag


def extended(known: Case, idle: Sequence[Sequence[Rational]] = (), dimensions: int = 0, times: Rational = 1) -> Case:
    """The case with idle data, their labels those of its minimiser; every input has further entries 0; masses `times`.

    idle        inputs x in the dimension of the case; they are at price 0 in the dual
    dimensions  how many entries are appended
    Its contacts are those of the case, with as many zeros: the dual's function depends on the old entries alone. Raises
    ArithmeticError if they are not.
    """
    nothing = (Fraction(0),) * dimensions

    def wider(theta: Point) -> Point:
        return (*theta[:-1], *nothing, theta[-1])

    points = tuple(wider(x) for x in (*known.points, *((*map(Fraction, x), Fraction(1)) for x in idle)))
    p = (*known.p, *(Fraction(0) for _ in idle))
    tilt = wider(known.shift) if known.shift else None
    touch = touching(points, p, tilt)
    sizes = {(wider(c.theta), c.sign): times * m for c, m in zip(known.contacts, known.masses, strict=True)}
    if sizes.keys() != {(c.theta, c.sign) for c in touch.contacts}:
        raise ArithmeticError(f"{known.label}: the contacts have changed")
    label = known.label + f", {len(idle)} idle data" * bool(idle) + f", {dimensions} more dimensions" * bool(dimensions)
    masses = tuple(sizes[c.theta, c.sign] for c in touch.contacts)
    return Case(label, points, p, masses, touch, tilt)


def crowded_and_idle() -> tuple[Case, ...]:
    """Many contacts; more contacts than data; and many data of which the dual uses few, the rest beyond the ends."""
    beyond = [(Fraction(3 + 2 * t),) for t in range(9)]
    idle = (extended(by_hand()[k], beyond[:more]) for k, more in ((0, 1), (0, 9), (3, 4), (4, 5)))
    return (full_pair(), long_zigzag(6), long_zigzag(11), *idle)
