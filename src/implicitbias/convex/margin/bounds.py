"""Rigorous bounds for problem (10) from any approximate solution, in integers: nothing here rests on the solver.

A classifier whose margins are all positive is divided by the smallest of them: its norm is then an upper bound. Any
β >= 0 is divided by the largest norm of the dual function at the kinks of the data: its sum is then a lower bound.
Points and weights are integers over common denominators, so that a bound costs O(n k) operations on integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

from implicitbias.errors import DataError

BITS = 64
"""Weights are rounded to multiples of 2^-BITS of the largest."""
MORE_BITS = 128
"""The same for weights that come as exact numbers, not as doubles."""
LONGEST = 4096
"""Bits of a common denominator of x and of the range of kinks; more are refused."""
ROOT_BITS = 96
"""Bits after the point of a square root of an integer."""


@dataclass(frozen=True)
class Ramps:
    """Ramps unit·weights·[s(x - kink)]_+ in R^k, weights integers: (s, kink, weights), and a rigorous Σ‖·‖ <= upper."""

    unit: Fraction
    ramps: tuple[tuple[int, Fraction, tuple[int, ...]], ...]
    upper: Fraction


@dataclass(frozen=True)
class Multipliers:
    """β_il = unit·integer >= 0, a feasible dual: Σ β = lower."""

    unit: Fraction
    beta: Mapping[tuple[int, int], int]
    lower: Fraction


@dataclass(frozen=True)
class Grid:
    """Points and the range of kinks as integers: x_i = points[i]/scale, A = low/scale, B = high/scale."""

    points: tuple[int, ...]
    low: int
    high: int
    scale: int

    @classmethod
    def of(cls, x: Sequence[Fraction], kinks: tuple[Fraction, Fraction]) -> Grid:
        scale = 1
        for number in (*x, *kinks):
            scale = lcm(scale, number.denominator)
            if scale.bit_length() > LONGEST:
                raise DataError(
                    f"the points have no common denominator of at most {LONGEST} bits: round them to decimals first"
                )
        low, high, *points = ((number.numerator * (scale // number.denominator)) for number in (*kinks, *x))
        return cls(tuple(points), low, high, scale)


def feasible_ramps(
    grid: Grid, labels: Sequence[int], k: int, ramps: Iterable[tuple[int, Fraction, Sequence[float | Fraction]]]
) -> Ramps | None:
    """Approximate ramps (s, kink, weights) made feasible, or None if a margin is not positive."""
    listed = [(side, int(kink * grid.scale), weights) for side, kink, weights in ramps if any(weights)]
    sizes: list[float | Fraction] = [w if w > 0 else -w for *_, weights in listed for w in weights]
    largest = max(sizes, default=0.0)
    if not 0 < largest < float("inf"):
        return None
    shift = _shift(largest)
    rounded = [(side, kink, tuple(round(Fraction(w) * shift) for w in weights)) for side, kink, weights in listed]
    smallest = min(
        scores[label] - score
        for label, scores in zip(labels, scores_at(grid, k, rounded), strict=True)
        for other, score in enumerate(scores)
        if other != label
    )
    if smallest <= 0:
        return None
    # Scores are integers over the grid's scale: the margin `smallest`/scale becomes 1.
    unit = Fraction(grid.scale, smallest)
    total = sum(root_above(sum(w * w for w in weights)) for *_, weights in rounded)
    kept = tuple((side, Fraction(kink, grid.scale), weights) for side, kink, weights in rounded if any(weights))
    return Ramps(unit, kept, unit * Fraction(total, 1 << ROOT_BITS))


def scores_at(grid: Grid, k: int, ramps: Iterable[tuple[int, int, Sequence[int]]]) -> list[list[int]]:
    """Σ weights·[s(x_i - kink)]_+ at the points, times the grid's scale: n lists of k integers."""
    listed = list(ramps)
    totals = [[0] * k for _ in grid.points]
    for side in (1, -1):
        order = range(len(grid.points)) if side > 0 else range(len(grid.points) - 1, -1, -1)
        waiting = sorted((r for r in listed if r[0] == side), key=lambda r: side * r[1], reverse=True)
        slope, offset = [0] * k, [0] * k
        for i in order:
            at = side * grid.points[i]
            while waiting and side * waiting[-1][1] < at:
                _, kink, weights = waiting.pop()
                slope = [a + w for a, w in zip(slope, weights, strict=True)]
                offset = [a + w * side * kink for a, w in zip(offset, weights, strict=True)]
            totals[i] = [t + a * at - b for t, a, b in zip(totals[i], slope, offset, strict=True)]
    return totals


def feasible_multipliers(
    grid: Grid, labels: Sequence[int], k: int, beta: Mapping[tuple[int, int], float | Fraction]
) -> Multipliers | None:
    """Approximate multipliers made feasible, or None if none is positive."""
    largest = max(beta.values(), default=0.0)
    if not 0 < largest < float("inf"):
        return None
    shift = _shift(largest)
    rounded = {place: round(Fraction(value) * shift) for place, value in beta.items() if value > 0}
    rounded = {place: value for place, value in rounded.items() if value}
    worst = max(squares for _, squares in dual_squares(grid, labels, k, rounded))
    if worst == 0:
        return None
    # ‖g‖ <= 1 with g = unit·integers/scale
    unit = Fraction(grid.scale << ROOT_BITS, root_above(worst))
    return Multipliers(unit, rounded, unit * sum(rounded.values()))


def dual_squares(
    grid: Grid, labels: Sequence[int], k: int, beta: Mapping[tuple[int, int], int]
) -> Iterator[tuple[tuple[int, int], int]]:
    """((s, kink), ‖Σ_i α_i [s(x_i - kink)]_+‖²·scale²): see `dual_vectors`."""
    for place, vector in dual_vectors(grid, labels, k, beta):
        yield place, sum(v * v for v in vector)


def dual_vectors(
    grid: Grid, labels: Sequence[int], k: int, beta: Mapping[tuple[int, int], int]
) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """((s, kink), Σ_i α_i [s(x_i - kink)]_+·scale), α_i = Σ_l β_il (e_{y_i} - e_l), kinks from x_n to x_1
    and A for s = 1, then from x_1 to x_n and B."""
    alpha = [[0] * k for _ in grid.points]
    for (i, rival), value in beta.items():
        alpha[i][labels[i]] += value
        alpha[i][rival] -= value
    for side, end in ((1, grid.low), (-1, grid.high)):
        order = range(len(grid.points) - 1, -1, -1) if side > 0 else range(len(grid.points))
        mass, moment = [0] * k, [0] * k
        for i in (*order, None):
            at = side * (end if i is None else grid.points[i])
            yield (side, side * at), [m - a * at for a, m in zip(mass, moment, strict=True)]
            if i is not None:
                mass = [a + v for a, v in zip(mass, alpha[i], strict=True)]
                moment = [m + v * at for m, v in zip(moment, alpha[i], strict=True)]


def _shift(largest: float | Fraction) -> Fraction:
    """The power of two that scales the largest number to an integer of `bits` bits."""
    size = Fraction(largest)
    bits = MORE_BITS if isinstance(largest, Fraction) else BITS
    return Fraction(2) ** (bits - size.numerator.bit_length() + size.denominator.bit_length())


def root_above(square: int) -> int:
    """An integer not below √square·2^ROOT_BITS, and less than 2 above."""
    return isqrt(square << (2 * ROOT_BITS)) + 1 if square else 0
