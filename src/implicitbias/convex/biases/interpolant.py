"""Problem (4) of Stewart et al. (2022) in one dimension: the bias counts in the norm of a unit.

In kinks c = -b/a a ramp costs √(1 + c²), and a constant 1. On a cell of directions (a, b) that are active at the same
data, everything is linear in z = v(a, b): the programme is min Σ‖z‖ over two vectors z in each of the 2n - 1 cells (one
to be added, one to be subtracted), a second-order cone programme in the plane. Its solution is made exact:
z is rounded, and what it misses at the data is made up exactly by ramps with kinks there.

Dual: with v = Σ α_i (x_i, 1) over the data active in a cell, |a·v| <= 1 for the unit vectors a of the cell: |v| <= 1 if
v or -v lies in it, and |a·v| <= 1 at its two edges in any case.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.biases.certificate import bias_certificate
from implicitbias.convex.line import exact_points, slopes_between
from implicitbias.errors import DataError
from implicitbias.exact.on_arrays import at_each
from implicitbias.exact.rational import Real
from implicitbias.exact.vectors import dot, relu, root_above

MOST = 2000
"""More points are refused: the certificate would be long and the solver slow."""
BITS = 64
"""Numbers of the solver are rounded to multiples of 2^-BITS of the largest."""
FAINT = 1e-11
"""Units fainter than this, relative to the strongest, are left out."""
NEAR = (1e-7, 1e-5, 1e-3, 0.03)
"""How close to a data point a kink is taken to lie on it: tried in turn, the cheapest result is kept."""


@dataclass(frozen=True)
class Unit:
    """x -> v·[a x + b]_+, (a, b) != 0, (0, 1) being a constant; it costs |v|·√(a² + b²)."""

    v: Fraction
    a: Fraction
    b: Fraction

    def __call__(self, x: Fraction) -> Fraction:
        return self.v * relu(self.a * x + self.b)

    @property
    def kink(self) -> Fraction | None:
        """-b/a; None for a constant."""
        return -self.b / self.a if self.a else None

    @property
    def cost(self) -> Fraction:
        """|v|·√(a² + b²), rounded up by a relative error of about 2^-96."""
        return root_above(self.v**2 * (self.a**2 + self.b**2))


@dataclass(frozen=True)
class BiasPenalisedInterpolant:
    """Exact units through the data and an exact feasible dual: lower <= the optimum of problem (4) <= upper.

    x, y    the data
    units   Σ v[a x_i + b]_+ = y_i exactly, Σ|v|√(a² + b²) <= upper
    alpha   |Σ_i α_i [a x_i + b]_+| <= 1 for all a² + b² = 1, Σ α_i y_i = lower
    status  what the solver said; nothing rests on it
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    units: tuple[Unit, ...]
    alpha: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    status: str

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return float((self.lower + self.upper) / 2)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    @overload
    def __call__(self, x: Real) -> Fraction: ...
    @overload
    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __call__(self, x: Real | NDArray[np.float64]) -> Fraction | NDArray[np.float64]:
        """f(x): exactly at a number, in doubles at each entry of an array."""
        if isinstance(x, np.ndarray):
            return at_each(lambda at: self(at), x)
        (at,), _ = exact_points([x], [0])
        return sum((unit(at) for unit in self.units), Fraction(0))

    def strong_units(self, faint: float = 1e-6) -> tuple[Unit, ...]:
        """The units that cost more than this share of the total: those the optimum uses, judged numerically."""
        return tuple(unit for unit in self.units if unit.cost > Fraction(faint) * self.upper)

    def certificate(self) -> dict[str, Any]:
        """The proof of lower <= optimum <= upper as a document for `certificate.kernel`."""
        units = [(unit.v, unit.a, unit.b) for unit in self.units]
        return bias_certificate(self.x, self.y, units, self.alpha, self.lower, self.upper)


def bias_penalised_interpolant(x: Iterable[Real], y: Iterable[Real]) -> BiasPenalisedInterpolant:
    """min Σ_j |v_j| over f(x) = Σ_j v_j [a_j x + b_j]_+ with a_j² + b_j² = 1 and f(x_i) = y_i  (problem (4), d = 2).

    x  strictly increasing, 1 <= n <= MOST numbers; y  as many

    Optimal kinks may lie off the data, which is why Proposition 1 does not extend to (4): here one kink at 1/4 costs
    √17, where kinks at the data cost √20.

    >>> found = bias_penalised_interpolant([-1, "-1/2", "1/2", 1], [0, 0, 1, 3])
    >>> round(found.value, 8), found.gap < 1e-8, [round(float(unit.kink), 4) for unit in found.strong_units()]
    (4.12310563, True, [0.25])

    Raises DataError for data that are not 1 <= n <= MOST finite points with increasing x.
    """
    points_x, points_y = exact_points(x, y)
    if len(points_x) > MOST:
        raise DataError(f"problem (4) is solved for up to {MOST} points: got {len(points_x)}; thin the data out")
    if not any(points_y):
        return BiasPenalisedInterpolant(
            points_x, points_y, (), tuple(Fraction(0) for _ in points_x), Fraction(0), Fraction(0), "closed form"
        )
    from implicitbias.convex.biases.programme import solve

    best: BiasPenalisedInterpolant | None = None
    for guess in solve([float(v) for v in points_x], [float(v) for v in points_y]):
        alpha = feasible_dual(points_x, dual_through(points_x, points_y, guess.right, guess.left))
        lower = dot(alpha, points_y)
        if best is not None and best.lower > lower:
            alpha, lower = best.alpha, best.lower
        candidates = [through(points_x, points_y, guess.units, near) for near in NEAR]
        costs = [sum((unit.cost for unit in units), Fraction(0)) for units in candidates]
        upper = min(costs)
        units = candidates[costs.index(upper)]
        if best is not None and best.upper < upper:
            units, upper = best.units, best.upper
        best = BiasPenalisedInterpolant(points_x, points_y, units, alpha, lower, upper, guess.status)
        if best.gap <= Fraction(1, 10**9):
            break
    if best is None:
        raise AssertionError("no attempt was made")
    return best


def through(
    x: Sequence[Fraction], y: Sequence[Fraction], approximate: Sequence[tuple[float, float, int]], near: float
) -> tuple[Unit, ...]:
    """The units sign·[a x + b]_+ rounded, and changed at the data so that they pass through them exactly.

    near  kinks closer to a data point than this share of the adjacent gap are moved there, into one unit per side

    What the rounded units miss is a linear spline with small kinks at the data. Each is added to a unit that has its
    kink there already, on its side, if there is one: a small change of either sign then costs its share in the
    gradient, not its absolute value.
    """
    units = _rounded(approximate)
    weights: dict[tuple[int, int], Fraction] = {}  # of units [±(x - x_i)]_+, by (±1, i)
    loose = []
    for unit in units:
        i = _nearby(unit, x, near)
        if i is None:
            loose.append(unit)
        else:
            side = 1 if unit.a > 0 else -1
            weights[side, i] = weights.get((side, i), Fraction(0)) + unit.v * abs(unit.a)
    one = Fraction(1)
    snapped = [Unit(weight, Fraction(side), -side * x[i]) for (side, i), weight in weights.items()]
    left = [target - value for target, value in zip(y, _values(x, [*loose, *snapped]), strict=True)]
    slopes = slopes_between(x, left) or (Fraction(0),)
    slope, constant = slopes[0], left[0] - slopes[0] * x[0]
    for i, (before, after) in enumerate(pairwise(slopes), 1):
        kink = after - before
        at_left, at_right = (abs(weights.get((side, i), Fraction(0))) for side in (-1, 1))
        side = -1 if at_left > at_right else 1
        weights[side, i] = weights.get((side, i), Fraction(0)) + kink
        if side < 0:  # [x - c]_+ = [c - x]_+ + x - c
            slope, constant = slope + kink, constant - kink * x[i]
    rest = [Unit(constant, Fraction(0), one), Unit(slope, one, Fraction(0)), Unit(-slope, -one, Fraction(0))]
    merged = [Unit(weight, Fraction(side), -side * x[i]) for (side, i), weight in sorted(weights.items())]
    return tuple(unit for unit in (*loose, *merged, *rest) if unit.v)


def _rounded(approximate: Sequence[tuple[float, float, int]]) -> list[Unit]:
    size = max((abs(a) + abs(b) for a, b, _ in approximate), default=0.0)
    if not 0 < size < float("inf"):
        return []
    step = Fraction(2) ** (Fraction(size).numerator.bit_length() - Fraction(size).denominator.bit_length() - BITS)
    units = [
        Unit(Fraction(sign), round(Fraction(a) / step) * step, round(Fraction(b) / step) * step)
        for a, b, sign in approximate
        if abs(a) + abs(b) > FAINT * size
    ]
    return [unit for unit in units if unit.a or unit.b]


def _nearby(unit: Unit, x: Sequence[Fraction], near: float) -> int | None:
    """The data point at which the unit's kink nearly is."""
    if not unit.a or len(x) < 2:
        return None
    kink = -unit.b / unit.a
    j = bisect_left(x, kink)
    for i in (j - 1, j):
        if 0 <= i < len(x):
            gap = x[i + 1] - x[i] if i + 1 < len(x) and kink >= x[i] else x[i] - x[i - 1] if i else x[1] - x[0]
            if abs(kink - x[i]) <= Fraction(near) * gap:
                return i
    return None


def _values(x: Sequence[Fraction], units: Sequence[Unit]) -> list[Fraction]:
    """Σ v[a x_i + b]_+, by running sums."""
    totals = [Fraction(0)] * len(x)
    for side in (1, -1):
        waiting = [(side * -unit.b / unit.a, unit) for unit in units if unit.a * side > 0]
        waiting.sort(key=lambda pair: pair[0], reverse=True)
        slope = offset = Fraction(0)
        for i in range(len(x)) if side > 0 else range(len(x) - 1, -1, -1):
            while waiting and waiting[-1][0] < side * x[i]:
                unit = waiting.pop()[1]
                slope, offset = slope + unit.v * unit.a, offset + unit.v * unit.b
            totals[i] += slope * x[i] + offset
    constant = sum((unit.v * relu(unit.b) for unit in units if not unit.a), Fraction(0))
    return [total + constant for total in totals]


def dual_through(
    x: Sequence[Fraction], y: Sequence[Fraction], right: Sequence[float], left: Sequence[float]
) -> tuple[Fraction, ...]:
    """α with Σ α_i [x_i - x_j]_+ about right_j and Σ α_i [x_j - x_i]_+ about left_j: second differences, exactly.

    Their difference is affine in x_j: its values at the ends decide, the rest shares what does not fit.
    """
    if len(x) == 1:
        return (Fraction((y[0] > 0) - (y[0] < 0)),)
    if not all(map(isfinite, (*right, *left))):
        return tuple(Fraction(0) for _ in x)
    first, last = Fraction(right[0]), -Fraction(left[-1])
    slope = (last - first) / (x[-1] - x[0])
    gaps = [first + slope * (at - x[0]) for at in x]
    values = [
        first,
        *((Fraction(r) + Fraction(v) + gap) / 2 for r, v, gap in zip(right[1:-1], left[1:-1], gaps[1:-1], strict=True)),
        Fraction(0),
    ]
    slopes = [slope, *slopes_between(x, values), Fraction(0)]
    return tuple(after - before for before, after in pairwise(slopes))


def feasible_dual(x: Sequence[Fraction], alpha: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """α divided by the largest value that its function takes on the circle of directions."""
    largest = root_above(max(dual_squares(x, alpha)))
    return tuple(value / largest for value in alpha) if largest else tuple(alpha)


def dual_squares(x: Sequence[Fraction], alpha: Sequence[Fraction]) -> Iterator[Fraction]:
    """The squares among which is that of max |Σ_i α_i [a x_i + b]_+| over a² + b² = 1: at kinks at the data, and the
    local maxima between them."""
    everything = (dot(alpha, x), sum(alpha, Fraction(0)))
    for side in (1, -1):
        first, mass = everything
        order = list(range(len(x))) if side > 0 else list(range(len(x) - 1, -1, -1))
        for i, following in zip(order, [*order[1:], None], strict=True):
            at = x[i]
            yield (first - at * mass) ** 2 / (1 + at**2)
            first, mass = first - alpha[i] * at, mass - alpha[i]
            # the best direction ±(first, mass) has its kink in this cell
            if following is not None and first and (first * at + mass) * (first * x[following] + mass) <= 0:
                yield first**2 + mass**2
    first, mass = everything
    if (first * x[0] + mass) * (first * x[-1] + mass) >= 0:
        yield first**2 + mass**2
