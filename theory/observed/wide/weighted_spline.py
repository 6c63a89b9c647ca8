"""The interpolant minimising ∫ s''²/ζ for piecewise constant ζ, in exact fractions: s'' = ζ·ℓ.

ℓ is piecewise linear with knots at the data and zero at both ends. A ℓ = d, with A_jk = ∫ ζ h_j h_k (hat functions at
the data) and d the jumps of the divided differences. It uses only ζ and the data, no kernel or network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from implicitbias.exact.vectors import dot, solve

from .exact_laws import Number, Slab


@dataclass(frozen=True)
class Weight:
    """ζ = ζ_+ + ζ_-, constant between neighbouring knots and zero outside."""

    knots: tuple[Fraction, ...]
    plus: tuple[Fraction, ...]
    minus: tuple[Fraction, ...]

    def __call__(self, x: Number) -> Fraction:
        """ζ(x), right-continuous at knots."""
        return sum(
            (p + m for (a, b), p, m in zip(pairwise(self.knots), self.plus, self.minus, strict=True) if a <= x < b),
            Fraction(0),
        )


def constant(value: Number | str, reach: Number = 1000) -> Weight:
    half = Fraction(value) / 2
    return Weight((-Fraction(reach), Fraction(reach)), (half,), (half,))


def pieces(knots: Sequence[Number | str], values: Sequence[Number | str]) -> Weight:
    halves = tuple(Fraction(v) / 2 for v in values)
    return Weight(tuple(Fraction(k) for k in knots), halves, halves)


def weight_of(law: Sequence[Slab]) -> Weight:
    """ζ_±(c) = Σ p |w|³/(high-low) over the slabs with that sign of w for which -wc lies in [low, high]."""
    ranges: list[tuple[Fraction, Fraction, Slab]] = []
    for s in law:
        if s.w != 0:
            low, high = sorted((-s.low / s.w, -s.high / s.w))
            ranges.append((low, high, s))
    knots = tuple(sorted({end for low, high, _ in ranges for end in (low, high)}))

    def part(sign: int) -> tuple[Fraction, ...]:
        return tuple(
            sum(
                (
                    s.probability * abs(s.w) ** 3 / (s.high - s.low)
                    for low, high, s in ranges
                    if low <= a and b <= high and s.w * sign > 0
                ),
                Fraction(0),
            )
            for a, b in pairwise(knots)
        )

    return Weight(knots, part(1), part(-1))


@dataclass(frozen=True)
class Segment:
    """A linear piece of the second derivative on [a, b], from `left` at a to `right` at b."""

    a: Fraction
    b: Fraction
    left: Fraction
    right: Fraction

    def lifted(self, z: Number) -> Fraction:
        """∫ (z - c)_+ s''(c) dc over the segment."""
        end = min(self.b, Fraction(z))
        if end <= self.a:
            return Fraction(0)
        slope = (self.right - self.left) / (self.b - self.a)
        t, h = z - self.a, end - self.a
        return self.left * (t * h - h**2 / 2) + slope * (t * h**2 / 2 - h**3 / 3)

    def moments(self) -> tuple[Fraction, Fraction]:
        """∫ s'' and ∫ c s''(c) dc over the segment."""
        h = self.b - self.a
        first = h * (self.left + self.right) / 2
        return first, self.a * first + h**2 * (self.left + 2 * self.right) / 6


@dataclass(frozen=True)
class Spline:
    """s(x) = s(x_1) + s'(x_1)(x - x_1) + ∫ (x - c)_+ s''(c) dc."""

    x: tuple[Fraction, ...]
    start: Fraction
    slope: Fraction
    segments: tuple[Segment, ...]
    jumps: tuple[Fraction, ...]
    gram: tuple[tuple[Fraction, ...], ...]
    ell: tuple[Fraction, ...]

    def __call__(self, z: Number) -> Fraction:
        return self.start + self.slope * (z - self.x[0]) + sum((s.lifted(z) for s in self.segments), Fraction(0))

    @property
    def energy(self) -> Fraction:
        """dᵀ A⁻¹ d, the least value of ∫ s''²/ζ."""
        return dot(self.jumps, self.ell[1:-1])

    @property
    def end_slopes(self) -> tuple[Fraction, Fraction]:
        return self.slope, self.slope + sum((s.moments()[0] for s in self.segments), Fraction(0))

    def tangent_left(self, p: Number) -> Fraction:
        """The value at p of the tangent at x_1."""
        return self.start + self.slope * (p - self.x[0])

    def tangent_right(self, p: Number) -> Fraction:
        """The value at p of the tangent at x_M."""
        return self(self.x[-1]) + self.end_slopes[1] * (p - self.x[-1])

    def bent(self, weight: Weight, p: Number) -> Fraction:
        """∫ (1 - r(c)) s''(c) (p - c) dc with r = ζ_+/ζ, which is constant on each segment."""
        total = Fraction(0)
        for s in self.segments:
            middle = (s.a + s.b) / 2
            plus, minus = next(
                ((q, m) for (a, b), q, m in zip(pairwise(weight.knots), weight.plus, weight.minus, strict=True)
                 if a <= middle < b),
                (Fraction(0), Fraction(0)),
            )  # fmt: skip
            if plus + minus:
                first, second = s.moments()
                total += minus / (plus + minus) * (p * first - second)
        return total


def hat(x: Sequence[Fraction], j: int, c: Number) -> Fraction:
    """The value at c of the hat function at x_j for the knots x."""
    if j > 0 and x[j - 1] <= c <= x[j]:
        return (c - x[j - 1]) / (x[j] - x[j - 1])
    if j + 1 < len(x) and x[j] <= c <= x[j + 1]:
        return (x[j + 1] - c) / (x[j + 1] - x[j])
    return Fraction(0)


def weighted_spline(x: Sequence[Number], y: Sequence[Number], weight: Weight) -> Spline:
    """The adaptive natural spline (19). Raises ArithmeticError if ζ vanishes on the whole support of a hat.

    >>> weighted_spline([-1, 0, 1], [0, 1, 0], constant(1)).energy
    Fraction(6, 1)
    """
    return _solved(tuple(map(Fraction, x)), tuple(map(Fraction, y)), weight)


def _solved(x: tuple[Fraction, ...], y: tuple[Fraction, ...], weight: Weight) -> Spline:
    m = len(x)
    slopes = [(y[j + 1] - y[j]) / (x[j + 1] - x[j]) for j in range(m - 1)]
    jumps = [b - a for a, b in pairwise(slopes)]
    grid = sorted({*x, *(k for k in weight.knots if x[0] < k < x[-1])})
    cells = [(a, b, weight((a + b) / 2)) for a, b in pairwise(grid)]

    def entry(j: int, k: int) -> Fraction:
        total = Fraction(0)
        for a, b, value in cells:
            p, q, r, s = hat(x, j, a), hat(x, j, b), hat(x, k, a), hat(x, k, b)
            if value and (p or q) and (r or s):
                total += value * (b - a) * (2 * p * r + p * s + q * r + 2 * q * s) / 6
        return total

    gram = [[entry(j, k) if abs(j - k) <= 1 else Fraction(0) for k in range(1, m - 1)] for j in range(1, m - 1)]
    ell = (Fraction(0), *(solve(gram, jumps) if jumps else []), Fraction(0))

    def at(c: Fraction) -> Fraction:
        return sum((e * hat(x, j, c) for j, e in enumerate(ell)), Fraction(0))

    segments = tuple(Segment(a, b, value * at(a), value * at(b)) for a, b, value in cells if value)
    lifted = sum((s.lifted(x[1]) for s in segments), Fraction(0))
    slope = (y[1] - y[0] - lifted) / (x[1] - x[0])
    return Spline(x, y[0], slope, segments, tuple(jumps), tuple(map(tuple, gram)), ell)
