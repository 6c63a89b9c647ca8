"""KKT points of problem (4): closed-form families in exact rationals, and points computed from random data.

The kernel checks every point before it is used. The number s of label switches is counted from the labels; the width
r of a teacher is not used here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.convex.kkt.points import KKTPoint

LEGS = tuple(Fraction(p, q) for p, q in ((0, 1), (3, 4), (4, 3), (5, 12), (12, 5), (8, 15), (15, 8), (7, 24), (24, 7)))
"""Numbers t for which 1 + t² is a square, so that unit vectors along (t, 1) are rational."""


@dataclass(frozen=True)
class Found:
    """A KKT point accepted by the kernel, with its certificate document."""

    name: str
    point: KKTPoint
    document: dict[str, Any]

    @property
    def switches(self) -> int:
        return sum(a != b for a, b in pairwise(self.point.labels))

    @property
    def kinks(self) -> tuple[int, int]:
        """Lower and upper bounds on the number of kinks."""
        claim = self.document["claim"]
        return claim["kinks_at_least"], claim["kinks_at_most"]

    @property
    def cost(self) -> Fraction:
        """½|θ|² = Σ κ_j."""
        return sum((unit.square for unit in self.point.units), Fraction(0))


def accepted(name: str, point: KKTPoint) -> Found:
    """The point with its certificate. Raises DataError if the kernel rejects it."""
    return Found(name, point, point.certificate())


def length(t: Fraction) -> Fraction:
    """√(1 + t²). Raises ValueError if it is irrational."""
    square = 1 + t * t
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise ValueError(f"1 + {t}² is not the square of a rational")
    return root


def make(
    x: Sequence[Fraction | int],
    labels: Sequence[int],
    multipliers: dict[int, Fraction],
    units: Sequence[tuple[int, Fraction, Sequence[int], dict[int, Fraction]]],
) -> KKTPoint:
    """A KKT point from plain numbers, with units given as (sign, κ, active points, contacts)."""
    from implicitbias.convex.kkt.points import KKTPoint, KKTUnit

    return KKTPoint(
        tuple(map(Fraction, x)),
        tuple(labels),
        multipliers,
        tuple(KKTUnit(sign, square, frozenset(active), contacts) for sign, square, active, contacts in units),
    )


def two_units(t: Fraction, left: int, right: int) -> KKTPoint:
    """Two points ±t, t >= 1 with √(1 + t²) rational, and a unit along each; f(±t) is the label, the kinks are ±1/t."""
    weight = 1 / length(t)
    return make((-t, t), (left, right), {0: weight, 1: weight}, ((right, weight, (1,), {}), (left, weight, (0,), {})))


def constant(t: Fraction, label: int = 1) -> KKTPoint:
    """Two points ±t with the same label and a constant unit: no kinks, ½|θ|² = 1."""
    half = Fraction(1, 2)
    return make((-t, t), (label, label), {0: half, 1: half}, ((label, Fraction(1), (0, 1), {}),))


def valley(t: Fraction, sign: int = 1) -> KKTPoint:
    """Points -t, 0, t with labels sign·(+, -, +): f = sign·(2|x|/t - 1), both bending units have their kink at 0.

    λ = (1/t, 1 + 2/t, 1/t); the Clarke coefficients at 0 are 1/(t + 2).
    """
    side, share, bend = 1 / t, 1 / (t + 2), 2 / t
    return make(
        (-t, 0, t),
        (sign, -sign, sign),
        {0: side, 1: 1 + 2 * side, 2: side},
        ((sign, bend, (2,), {1: share}), (sign, bend, (0,), {1: share}), (-sign, Fraction(1), (0, 1, 2), {})),
    )


def one_switch(a: Fraction, c: Fraction, sign: int = 1) -> KKTPoint:
    """Two points a < c with labels -sign, sign, where √(1 + a²) and √(1 + c²) are rational.

    If a c >= -1, each unit has its kink at the other unit's point; if a c <= -1, each unit is 0 at the other point.
    """
    low, high, gap = length(a), length(c), c - a
    if a * c >= -1:
        share = (1 + a * c) / (low * high)
        if share == 1:
            raise ValueError("a and c must differ")
        return make(
            (a, c),
            (-sign, sign),
            {0: high / gap, 1: low / gap},
            ((sign, low / gap, (1,), {0: share}), (-sign, high / gap, (0,), {1: share})),
        )
    return make(
        (a, c), (-sign, sign), {0: 1 / low, 1: 1 / high}, ((sign, 1 / high, (1,), {}), (-sign, 1 / low, (0,), {}))
    )


def with_point(point: KKTPoint, at: Fraction, label: int) -> KKTPoint:
    """The KKT point with an additional datum that has no multiplier."""
    from implicitbias.convex.kkt.points import KKTPoint, KKTUnit

    n = sum(x < at for x in point.x)
    moved = [i + (i >= n) for i in range(len(point.x))]
    units = []
    for unit in point.units:
        w, b = point.direction(unit)
        active = {moved[i] for i in unit.active} | ({n} if unit.sign * (w * at + b) > 0 else set())
        units.append(
            KKTUnit(unit.sign, unit.square, frozenset(active), {moved[i]: c for i, c in unit.contacts.items()})
        )
    return KKTPoint(
        (*point.x[:n], at, *point.x[n:]),
        (*point.labels[:n], label, *point.labels[n:]),
        {moved[i]: weight for i, weight in point.multipliers.items()},
        tuple(units),
        point.radius,
    )


def families(draw: Random, count: int) -> Iterator[Found]:
    """Exact points: simple members of each family, then random members, some with additional data outside."""
    big = tuple(t for t in LEGS if t >= 1)
    legs = (*LEGS, *(-t for t in LEGS if t))
    yield accepted("two units, opposite labels", two_units(Fraction(4, 3), -1, 1))
    yield accepted("two units, one label", two_units(Fraction(4, 3), 1, 1))
    yield accepted("a constant", constant(Fraction(4, 3)))
    yield accepted("the paper's θ*", constant(Fraction(4)))
    yield accepted("a valley", valley(Fraction(4, 3)))
    yield accepted("one switch, kinks on data", one_switch(Fraction(3, 4), Fraction(4, 3)))
    yield accepted("one switch, kinks beyond", one_switch(Fraction(-4, 3), Fraction(12, 5)))
    for _ in range(count):
        family, sign = draw.randrange(5), draw.choice((1, -1))
        if family == 0:
            found = two_units(draw.choice(big), sign, draw.choice((1, -1)))
        elif family == 1:
            found = constant(Fraction(draw.randint(1, 40), draw.randint(1, 9)), sign)
        elif family == 2:
            found = valley(Fraction(draw.randint(1, 40), draw.randint(1, 9)), sign)
        else:
            a, c = sorted(draw.sample(legs, 2))
            found = one_switch(a, c, sign)
        end = max(abs(found.x[0]), found.x[-1])
        if family > 1:
            found = with_point(found, end + draw.randint(1, 9), found.labels[-1])
            found = with_point(found, -end - draw.randint(1, 9), found.labels[0])
        yield accepted(("two units", "a constant", "a valley", "one switch", "one switch")[family], found)


def random_data(draw: Random, switches: int, points: int) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
    """Random multiples of 1/1000 between -3 and 3, and labels with `switches` switches."""
    x = sorted(draw.sample(range(-3000, 3001), points))
    cuts = set(draw.sample(range(1, points), switches))
    label, labels = draw.choice((1, -1)), []
    for i in range(points):
        label = -label if i in cuts else label
        labels.append(label)
    return tuple(Fraction(at, 1000) for at in x), tuple(labels)


def search(draw: Random, switches: int, share: float, scale: Fraction = Fraction(1)) -> Found | None:
    """A certified KKT point for random data in [-3 scale, 3 scale], from the optimum over units of a random subset of
    the cells, or None.
    """
    from implicitbias.convex.kkt.optimum import cells

    n = max(2, switches + 1) + draw.randint(0, 5)
    x, labels = random_data(draw, switches, n)
    chosen = [cell for cell in cells(n) if draw.random() < share]
    return limit(f"{n} random points", tuple(scale * at for at in x), labels, chosen)


def limit(
    name: str, x: Sequence[Fraction], labels: Sequence[int], chosen: Sequence[tuple[int, int]] | None = None
) -> Found | None:
    """The certified KKT point near the optimum over units of these cells, by default of all, or None."""
    from implicitbias.convex.kkt.limit import kkt_limit
    from implicitbias.convex.kkt.optimum import margin_optimum

    network = margin_optimum([float(at) for at in x], labels, chosen)
    found = None if network is None else kkt_limit(network, x, labels)
    if found is None or found.point is None or found.document is None:
        return None
    return Found(name, found.point, found.document)


def searched(draw: Random, wanted: dict[int, int], tries: int = 12, share: float = 0.7) -> list[Found]:
    """Certified points, up to `wanted[s]` with s switches; every other one is an optimum over all cells."""
    found = []
    for switches, count in wanted.items():
        kept, left = 0, tries * count
        while kept < count and left:
            one = search(draw, switches, 1.0 if kept % 2 == 0 else share)
            left -= 1
            if one is not None:
                found.append(one)
                kept += 1
    return found
