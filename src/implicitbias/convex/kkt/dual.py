"""The dual function of a KKT point of the margin problem: where kinks may lie, and whether the point is optimal.

With multipliers λ put D(u) = Σ_i λ_i y_i [u·(x_i, 1)]_+ for u in R². A unit with v != 0 has D(u) = sign(v)|u| in its
direction u = (w, b), and D has a stationary point of that size there: kinks lie at peaks of |D|/|u| of height 1 alone.
Over all widths the margin problem is convex, min Σ κ_j over measures of directions, and its dual is max Σ λ_i with
|D(u)| <= |u| for all u. At a KKT point Σ λ_i = Σ κ_j. So where sup |D(u)|/|u| <= 1 the point is a global optimum among
networks of all widths; where it is larger for every λ that the point admits, the point is not.

Between the rays u ⟂ (x_i, 1) D is linear, D(u) = s·u, and its largest square on such a cone is |s|² if s or -s lies in
it, else the larger one at its two ends: squares of rationals, without a root.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from implicitbias.convex.kkt.optimum import margin_optimum
from implicitbias.convex.kkt.points import KKTPoint, near_multipliers
from implicitbias.exact.rational import Real, exact

Vector = tuple[Fraction, Fraction]

MOST_POINTS = 100
"""With more points, no better network is searched for."""


@dataclass(frozen=True)
class Peak:
    """A place where |D(u)|/|u| may be largest: a stationary point inside a cone, or a ray between two cones.

    direction  u, not normalised
    square     (D(u)/|u|)²
    sign       of D(u)
    active     the points with a multiplier at which u is active
    contact    the point whose ray it is, or None inside a cone
    """

    direction: Vector
    square: Fraction
    sign: int
    active: frozenset[int]
    contact: int | None

    @property
    def kink(self) -> Fraction | None:
        """-b/w of the direction; None for a constant."""
        w, b = self.direction
        return -b / w if w else None


@dataclass(frozen=True)
class DualFunction:
    """D(u) = Σ_i λ_i y_i [u·(x_i, 1)]_+, exactly.

    >>> D = DualFunction((Fraction(-4, 3), Fraction(4, 3)), (1, 1), {0: Fraction(3, 5), 1: Fraction(3, 5)})
    >>> D((0, 1)), D.largest_square, [str(peak.kink) for peak in D.peaks if peak.square == 1]
    (Fraction(6, 5), Fraction(36, 25), ['-3/4', '3/4'])
    """

    x: tuple[Fraction, ...]
    labels: tuple[int, ...]
    multipliers: Mapping[int, Fraction]

    def __call__(self, direction: tuple[Real, Real]) -> Fraction:
        w, b = map(exact, direction)
        return sum(
            (weight * self.labels[i] * max(Fraction(0), w * self.x[i] + b) for i, weight in self.multipliers.items()),
            Fraction(0),
        )

    @cached_property
    def support(self) -> tuple[int, ...]:
        """The points with λ > 0, from left to right."""
        return tuple(sorted(i for i, weight in self.multipliers.items() if weight))

    def pull(self, active: Sequence[int] | frozenset[int]) -> Vector:
        """s = Σ λ_i y_i (x_i, 1) over these points."""
        weights = [(self.multipliers[i] * self.labels[i], self.x[i]) for i in active]
        return sum((k * at for k, at in weights), Fraction(0)), sum((k for k, _ in weights), Fraction(0))

    @cached_property
    def cones(self) -> tuple[frozenset[int], ...]:
        """The active points of each cone that has some: suffixes (right units), all, prefixes (left units)."""
        n = len(self.support)
        rising = [frozenset(self.support[k:]) for k in range(n)]
        falling = [frozenset(self.support[:k]) for k in range(1, n)]
        return (*rising, *falling)

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """All candidates for the largest |D(u)|/|u|, those with D = 0 left out."""
        found = []
        for i in self.support:
            for side in (1, -1):
                direction = (Fraction(side), -side * self.x[i])
                value = self(direction)
                active = frozenset(k for k in self.support if side * (self.x[k] - self.x[i]) > 0)
                found.append(Peak(direction, value**2 / (1 + self.x[i] ** 2), _sign(value), active, i))
        for cone in self.cones:
            s = self.pull(cone)
            for side in (1, -1):
                direction = (side * s[0], side * s[1])
                if all((direction[0] * self.x[i] + direction[1] > 0) == (i in cone) for i in self.support):
                    found.append(Peak(direction, s[0] ** 2 + s[1] ** 2, side, cone, None))
        return tuple(peak for peak in found if peak.square)

    @cached_property
    def largest_square(self) -> Fraction:
        """sup (D(u)/|u|)² over all directions."""
        return max((peak.square for peak in self.peaks), default=Fraction(0))


@dataclass(frozen=True)
class Optimality:
    """Whether a KKT point is a global optimum of the margin problem among networks of all widths.

    status   "global", "not global" or "undecided": both answers are proved
    largest  sup |D(u)|/|u| for its multipliers, rounded; where they are not unique, for those that prove the status
    cost     ½|θ|², rounded
    better   ½|θ|² of a network that is proved feasible and better, rounded, where the point is not global
    """

    status: Literal["global", "not global", "undecided"]
    largest: float
    cost: float
    better: float | None = None


def optimality(point: KKTPoint) -> Optimality:
    """Decide by the dual function. Raises DataError where the kernel refuses the point.

    Global: the kernel proves sup |D| <= 1. Not global: a linear programme finds a better network that is exactly
    feasible. Undecided if neither succeeds: λ is not unique, or a peak other than those of the units is too close to 1.
    """
    document = point.certificate()
    largest = float(DualFunction(point.x, point.labels, point.multipliers).largest_square) ** 0.5
    cost = float(sum(unit.square for unit in point.units))
    if document["claim"].get("global_optimum"):
        return Optimality("global", largest, cost)
    if better := _better(point):
        return Optimality("not global", largest, cost, float(better))
    if not point.radius:
        other = DualFunction(point.x, point.labels, near_multipliers(point)).largest_square
        if 0 < other <= 1:
            return Optimality("global", float(other) ** 0.5, cost)
    return Optimality("undecided", largest, cost)


def _better(point: KKTPoint) -> Fraction | None:
    """½|θ|² of a network that classifies the data with margins 1 or more, exactly, and costs less than the point."""
    if len(point.x) > MOST_POINTS:
        return None
    found = margin_optimum([float(at) for at in point.x], point.labels)
    if found is None:
        return None
    w, b, v = ([Fraction(number) for number in row.tolist()] for row in (found.w, found.b, found.v))
    units = list(zip(w, b, v, strict=True))
    margin = min(
        label * sum((out * max(Fraction(0), slope * at + bias) for slope, bias, out in units), Fraction(0))
        for at, label in zip(point.x, point.labels, strict=True)
    )
    if margin <= 0:
        return None
    cost = sum((slope**2 + bias**2 + out**2 for slope, bias, out in units), Fraction(0)) / (2 * margin)
    least = sum((unit.square - point.radius for unit in point.units), Fraction(0))
    return cost if cost < least else None


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
