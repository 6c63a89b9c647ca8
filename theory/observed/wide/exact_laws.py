"""Kernels E[[Wx+B]_+ [Wx'+B]_+] as exact fractions, by direct integration over (W, B).

Two families of laws: W takes finitely many values and B is uniform on an interval for each (`Slab`); or (W, B) is
uniform on a rectangle (`Rectangle`). Neither kernel computation uses kinks, ζ or splines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from implicitbias.exact.vectors import dot

Number = int | Fraction
Kernel = Callable[[Number, Number], Fraction]
Point = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Slab:
    """With probability `probability`, W = w and B is uniform on [low, high]."""

    probability: Fraction
    w: Fraction
    low: Fraction
    high: Fraction

    @property
    def mirrored(self) -> Slab:
        """The image of this slab under (W, B) -> (-W, -B)."""
        return Slab(self.probability, -self.w, -self.high, -self.low)


def slab(probability: Number | str, w: Number | str, low: Number | str, high: Number | str) -> Slab:
    return Slab(Fraction(probability), Fraction(w), Fraction(low), Fraction(high))


def binary(a_b: Number | str, weight: Number | str = 1) -> tuple[Slab, ...]:
    """W = ±weight, B uniform on [-a_b, a_b]."""
    return symmetrised((slab(1, weight, -Fraction(a_b), a_b),))


def symmetrised(law: Sequence[Slab]) -> tuple[Slab, ...]:
    """The equal mixture of the laws of (W, B) and (-W, -B)."""
    halves = [Slab(s.probability / 2, s.w, s.low, s.high) for s in law]
    return (*halves, *(s.mirrored for s in halves))


def slab_kernel(law: Sequence[Slab]) -> Kernel:
    """K(x, x') = Σ p/(high-low) ∫ [wx+b]_+ [wx'+b]_+ db.

    >>> slab_kernel(binary(2))(0, 0), slab_kernel(binary(2))(2, -2)
    (Fraction(2, 3), Fraction(0, 1))
    """

    def kernel(x: Number, z: Number) -> Fraction:
        total = Fraction(0)
        for s in law:
            first, second = s.w * x, s.w * z
            start = max(s.low, -first, -second)
            if start < s.high:
                total += s.probability / (s.high - s.low) * _cubic(first, second, start, s.high)
        return total

    return kernel


def _cubic(p: Fraction, q: Fraction, start: Fraction, end: Fraction) -> Fraction:
    """∫ (p+b)(q+b) db from start to end."""

    def primitive(b: Fraction) -> Fraction:
        return p * q * b + (p + q) * b**2 / 2 + b**3 / 3

    return primitive(end) - primitive(start)


@dataclass(frozen=True)
class Rectangle:
    """W uniform on [left, right] and B uniform on [low, high], independent."""

    left: Fraction
    right: Fraction
    low: Fraction
    high: Fraction

    @property
    def corners(self) -> list[Point]:
        a, b, c, d = self.left, self.right, self.low, self.high
        return [(a, c), (b, c), (b, d), (a, d)]

    @property
    def area(self) -> Fraction:
        return (self.right - self.left) * (self.high - self.low)


def uniform(a_w: Number | str, a_b: Number | str) -> Rectangle:
    """W uniform on [-a_w, a_w], B uniform on [-a_b, a_b]: the law of Figure 1 for a_w = 1, a_b = 2."""
    w, b = Fraction(a_w), Fraction(a_b)
    return Rectangle(-w, w, -b, b)


def clip(polygon: Sequence[Point], p: Number, q: Number, r: Number = 0) -> list[Point]:
    """The part of a convex polygon where p·w + q·b + r >= 0 (Sutherland and Hodgman)."""
    if not polygon:
        return []
    heights = [p * w + q * b + r for w, b in polygon]
    kept: list[Point] = []
    for i, (w, b) in enumerate(polygon):
        here, (w2, b2), there = heights[i], polygon[(i + 1) % len(polygon)], heights[(i + 1) % len(polygon)]
        if here >= 0:
            kept.append((w, b))
        if (here > 0 > there) or (here < 0 < there):
            t = here / (here - there)
            kept.append((w + t * (w2 - w), b + t * (b2 - b)))
    return kept


def area(polygon: Sequence[Point]) -> Fraction:
    """The area of a convex polygon."""
    return sum((abs(_double_area(t)) / 2 for t in triangles(polygon)), Fraction(0))


def triangles(polygon: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    return [(polygon[0], a, b) for a, b in pairwise(polygon[1:])]


def _double_area(t: tuple[Point, Point, Point]) -> Fraction:
    (a, b), (c, d), (e, f) = t
    return (c - a) * (f - b) - (e - a) * (d - b)


def rectangle_kernel(law: Rectangle) -> Kernel:
    """K(x, x') as the integral of a quadratic over the polygon where both units are active.

    ∫ pq over a triangle, p and q affine with values p_i, q_i at its corners, is area/12 (Σp Σq + Σpq).

    >>> K = rectangle_kernel(uniform(1, 2))
    >>> K(2, 2), K(Fraction(1, 2), -1)
    (Fraction(4, 3), Fraction(923, 1536))
    """

    def kernel(x: Number, z: Number) -> Fraction:
        polygon = clip(clip(law.corners, x, 1), z, 1)
        total = Fraction(0)
        for t in triangles(polygon):
            p, q = [w * x + b for w, b in t], [w * z + b for w, b in t]
            mixed = sum(p) * sum(q) + dot(p, q)
            total += abs(_double_area(t)) / 24 * mixed
        return total / law.area

    return kernel


SYMMETRIC_LAWS = {
    "W = ±1, B uniform on ±2": binary(2),
    "W = ±1, B uniform on ±3": binary(3),
    "two slopes": symmetrised((slab("1/2", 2, -2, 2), slab("1/2", 1, -3, 3))),
    "W and B dependent": symmetrised((slab("1/3", 2, -5, 4), slab("2/3", 1, -1, 3))),
}
"""Laws invariant under (W, B) -> (-W, -B)."""


def rational_kernels() -> Iterator[tuple[str, Kernel]]:
    """Kernels of infinitely wide networks with rational values at rational inputs, each named by its law of (W, B)."""
    yield "W uniform on ±1, B uniform on ±2", rectangle_kernel(uniform(1, 2))
    yield "W uniform on ±2, B uniform on ±3", rectangle_kernel(uniform(2, 3))
    yield "W = ±1, B uniform on ±2", slab_kernel(binary(2))
