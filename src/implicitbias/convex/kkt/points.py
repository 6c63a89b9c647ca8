"""KKT points of the margin problem for networks of one input, exactly: in rationals, without square roots.

The problem (Safran et al. 2022, problem (4)): min ½ Σ (w_j² + b_j² + v_j²) with y_i f(x_i) >= 1, f(x) = Σ v_j [w_j x +
b_j]_+. With Clarke's derivatives c_ij of the ramps (1 where unit j is active at x_i, 0 where it is not, any number of
[0, 1] at its own kink) θ is a KKT point iff it is feasible and λ_i >= 0, zero where y_i f(x_i) > 1, satisfy
  (w_j, b_j) = v_j s_j,  v_j = Σ_i λ_i y_i [w_j x_i + b_j]_+,  s_j = Σ_i λ_i y_i c_ij (x_i, 1).
The two say v_j = v_j |s_j|²: a unit is 0, or |s_j| = 1. So a point is given by ε_j = sign v_j, κ_j = v_j², λ and c;
where only the direction of a network matters, its smallest margin q > 0 is scaled to 1: κ_j = v_j²/q, still no roots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.certificate.parts.kkt_system import System
from implicitbias.convex.kkt.certificate import kkt_certificate, kkt_system
from implicitbias.convex.programmes.linear_programme import Optimum, minimise
from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, exact
from implicitbias.functions.exact_sum import exact_sum
from implicitbias.functions.regions import Units

MOST_DIRECTIONS = 400
"""The linear programme for the multipliers has two equations per direction of units, and is solved in rationals."""


@dataclass(frozen=True)
class KKTUnit:
    """A unit with v = ε√κ: where it is active, and its Clarke coefficients at points on its kink."""

    sign: int
    square: Fraction
    active: frozenset[int]
    contacts: Mapping[int, Fraction]


@dataclass(frozen=True)
class KKTPoint:
    """A KKT point; with a radius, a point within that radius of these numbers. The kernel decides whether it is one."""

    x: tuple[Fraction, ...]
    labels: tuple[int, ...]
    multipliers: Mapping[int, Fraction]
    units: tuple[KKTUnit, ...]
    radius: Fraction = Fraction(0)

    def certificate(self) -> dict[str, Any]:
        """The document for the kernel. Raises DataError with the kernel's reason if it refuses it."""
        document, refusal = self.certified()
        if refusal:
            raise DataError(f"this is not proved to be a KKT point: {refusal}")
        return document

    def certified(self) -> tuple[dict[str, Any], str]:
        """The document, and why the kernel refuses it: "" if it does not."""
        return kkt_certificate(self.x, self.labels, self.multipliers, self._units, self.radius)

    def system(self) -> System:
        """The equations of the point. Raises RefusedError if the kernel refuses to read it."""
        return kkt_system(self.x, self.labels, self.multipliers, self._units)

    @property
    def _units(self) -> list[tuple[int, Fraction, frozenset[int], Mapping[int, Fraction]]]:
        return [(unit.sign, unit.square, unit.active, unit.contacts) for unit in self.units]

    def direction(self, unit: KKTUnit) -> tuple[Fraction, Fraction]:
        """s = (w, b)/v of a unit."""
        weights = {i: self.multipliers[i] * self.labels[i] for i in unit.active if i in self.multipliers}
        weights |= {i: self.multipliers[i] * self.labels[i] * share for i, share in unit.contacts.items()}
        slope = exact_sum([weight * self.x[i] for i, weight in weights.items()])
        return slope, exact_sum(list(weights.values()))


@dataclass(frozen=True)
class ExactAnswer:
    """Whether a network, scaled to smallest margin 1, is a KKT point; if not, why not."""

    point: KKTPoint | None
    reason: str


def exact_kkt(network: Units, x: Iterable[Real], labels: Sequence[int]) -> ExactAnswer:
    """Decide in rationals whether the network is a KKT point of the margin problem up to one positive factor.

    network  w, b, v as they are; the problem has no output bias. Units with one direction (w, b)/v and one sign of v
             act as one with v² the sum of theirs, and are taken together
    labels   1 or -1 for each x; x increasing

    >>> from implicitbias import Network
    >>> exact_kkt(Network(["4/5", "-4/5"], ["3/5", "3/5"], [1, -1]), ["-4/3", "4/3"], [-1, 1]).point.multipliers
    {0: Fraction(3, 5), 1: Fraction(3, 5)}
    >>> exact_kkt(Network([1], [0], [1]), [-1, 1], [-1, 1]).reason
    'the point x = -1 is not classified: y f(x) = 0'
    """
    points, signs = checked_labels(x, labels)
    w, b, v = ([Fraction(*number.as_integer_ratio()) for number in row] for row in (network.w, network.b, network.v))
    merged: dict[tuple[int, Fraction, Fraction], list[Fraction]] = {}
    for j, (weight, bias, out) in enumerate(zip(w, b, v, strict=True)):
        if weight**2 + bias**2 != out**2:
            return ExactAnswer(None, f"unit {j + 1} is not balanced: v² = w² + b² fails")
        if out:
            merged.setdefault((1 if out > 0 else -1, weight / out, bias / out), []).append(out**2)
    if len(merged) > MOST_DIRECTIONS:
        return ExactAnswer(
            None, f"{len(merged)} different directions (w, b)/v occur, and at most {MOST_DIRECTIONS} are looked at"
        )
    directions = [direction for _, *direction in merged]
    # these have the sign of the ramp's argument ε√κ (s·(x, 1))
    heights = [[sign * (slope * at + offset) for at in points] for sign, slope, offset in merged]
    squares = [exact_sum(parts) for parts in merged.values()]
    margins = [
        label
        * exact_sum(
            [sign * k * row[i] for (sign, *_), k, row in zip(merged, squares, heights, strict=True) if row[i] > 0]
        )
        for i, label in enumerate(signs)
    ]
    worst = min(range(len(points)), key=lambda i: margins[i])
    if margins[worst] <= 0:
        return ExactAnswer(None, f"the point x = {points[worst]} is not classified: y f(x) = {margins[worst]}")
    support = [i for i, margin in enumerate(margins) if margin == margins[worst]]
    # if λ is not unique, multipliers of points that lie close together: see near_multipliers
    found = _multipliers(points, signs, support, directions, heights, [1 + points[i] ** 2 for i in support])
    if found is None:
        return ExactAnswer(
            None, "no multipliers of the points of smallest margin balance the weights: proved in rationals"
        )
    multipliers, shares = found
    kept = {i: weight for i, weight in multipliers.items() if weight}
    units = []
    for n, ((sign, *_), square, row) in enumerate(zip(merged, squares, heights, strict=True)):
        contacts = {i: shares[n, i] / kept[i] for i in kept if row[i] == 0}
        active = frozenset(i for i in range(len(points)) if row[i] > 0)
        units.append(KKTUnit(sign, square / margins[worst], active, contacts))
    return ExactAnswer(KKTPoint(points, signs, kept, tuple(units)), "")


def near_multipliers(point: KKTPoint) -> dict[int, Fraction]:
    """Multipliers of an exact point with the smallest Σ λ_i x_i², points of margin 1 without one included.

    If λ is not unique, the points with these multipliers lie close together, which makes the dual function of points
    with one label least.
    """
    directions = [point.direction(unit) for unit in point.units]
    heights = [
        [unit.sign * (slope * at + offset) for at in point.x]
        for unit, (slope, offset) in zip(point.units, directions, strict=True)
    ]
    parts = list(zip(point.units, heights, strict=True))
    support = [
        i
        for i, label in enumerate(point.labels)
        if label * exact_sum([unit.sign * unit.square * row[i] for unit, row in parts if row[i] > 0]) == 1
    ]
    found = _multipliers(point.x, point.labels, support, directions, heights, [1 + point.x[i] ** 2 for i in support])
    return {} if found is None else {i: weight for i, weight in found[0].items() if weight}


def _multipliers(
    x: Sequence[Fraction],
    labels: Sequence[int],
    support: Sequence[int],
    directions: Sequence[Sequence[Fraction]],
    heights: Sequence[Sequence[Fraction]],
    price: Sequence[Fraction] | None = None,
) -> tuple[dict[int, Fraction], dict[tuple[int, int], Fraction]] | None:
    """λ_i and λ_i c_ij at contacts with Σ_i λ_i y_i c_ij (x_i, 1) = s_j for all units, or None.

    price  of each λ_i in the support; the total price is minimised (Σ λ_i is the same for all solutions)
    """
    contacts = [(n, i) for n, row in enumerate(heights) for i in support if row[i] == 0]
    columns = [*support, *contacts]
    A_eq, b_eq = [], []
    for n, direction in enumerate(directions):
        for a in (0, 1):
            row = []
            for column in columns:
                unit, i = column if isinstance(column, tuple) else (n, column)
                takes = unit == n if isinstance(column, tuple) else heights[n][i] > 0
                row.append(labels[i] * (Fraction(1) if a else x[i]) if takes else Fraction(0))
            A_eq.append(row)
            b_eq.append(direction[a])
    A_ub = [[Fraction((column == pair) - (column == pair[1])) for column in columns] for pair in contacts]
    prices = [*(price or [Fraction(1)] * len(support)), *([Fraction(0)] * len(contacts))]
    found = minimise(prices, A_eq, b_eq, A_ub, [Fraction(0)] * len(contacts))
    if not isinstance(found, Optimum):
        return None
    values = dict(zip(columns, found.primal, strict=True))
    return {i: values[i] for i in support}, {pair: values[pair] for pair in contacts}


def checked_labels(x: Iterable[Real], labels: Sequence[int]) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
    """Increasing points with labels 1 and -1. Raises DataError for anything else."""
    points = tuple(exact(at) for at in x)
    if len(points) != len(labels) or not points:
        raise DataError(f"as many labels as points, and at least one, are needed: got {len(points)} and {len(labels)}")
    if wrong := [label for label in labels if label not in (1, -1)]:
        raise DataError(f"labels must be 1 or -1: got {wrong[0]}")
    for i in range(1, len(points)):
        if points[i - 1] >= points[i]:
            raise DataError(f"x must increase: {points[i - 1]} is followed by {points[i]}")
    return points, tuple(int(label) for label in labels)
