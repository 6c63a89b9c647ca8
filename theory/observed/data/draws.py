"""Data sets and laws for exact observations: the paper's points, simple cases and random fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Value

from ..wide.exact_laws import (
    Kernel,
    Rectangle,
    Slab,
    binary,
    rectangle_kernel,
    slab_kernel,
    symmetrised,
    uniform,
)


@dataclass(frozen=True)
class Data:
    """Points with increasing x."""

    label: str
    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]


def data(label: str, x: list[str | int], y: list[str | int]) -> Data:
    return Data(label, tuple(map(Fraction, x)), tuple(map(Fraction, y)))


ZIGZAG = data("five points of Figure 1", [-2, -1, 0, 1, 2], ["3/2", "1/2", "3/2", "1/2", "3/2"])
UNEVEN = data(
    "seven uneven points",
    [-2, "-1.7", "-1.6", "0.9", "1.1", "1.3", 2],
    ["1.5", "-1.2", "0.7", "2.4", "0.6", "2.8", "2.5"],
)
FOUR = data("four points", [-1, 0, "1/2", 2], [1, -1, 2, 0])


def fraction(draw: random.Random, low: int, high: int, denominator: int = 8) -> Fraction:
    """A random multiple of 1/denominator in [low, high]."""
    return Fraction(draw.randint(low * denominator, high * denominator), denominator)


def of_any_size(draw: random.Random, low: int = -6, high: int = 6) -> Fraction:
    """A random positive fraction near one of the powers of two from 2^low to 2^high."""
    return Fraction(draw.randint(4, 9), draw.randint(4, 9)) * Fraction(2) ** draw.randint(low, high)


def evenly(low: int, high: int, count: int) -> list[Fraction]:
    """Fractions from 2^low to 2^high, each larger than the one before by about the same factor."""
    return [Fraction(2.0 ** (low + (high - low) * k / (count - 1))).limit_denominator(10**4) for k in range(count)]


def signed(draw: random.Random, low: int = -6, high: int = 6) -> Fraction:
    """The same with a random sign."""
    return draw.choice((1, -1)) * of_any_size(draw, low, high)


def values(draw: random.Random, count: int) -> tuple[Fraction, ...]:
    """Random values of either sign, 0 now and then: of any size together, and some much smaller than others."""
    size = of_any_size(draw, -8, 5)
    return tuple(size * draw.randint(-9, 9) / draw.choice((1, 2, 5, 50)) for _ in range(count))


def random_data(draw: random.Random, size: int, reach: int = 2) -> Data:
    """`size` points with distinct random x in [-reach, reach], and y of any size."""
    x = sorted(draw.sample([Fraction(i, 10) for i in range(-10 * reach, 10 * reach + 1)], size))
    return Data(f"{size} random points", tuple(x), values(draw, size))


def symmetric_law(draw: random.Random) -> tuple[Slab, ...]:
    """Two weights of any size, with kinks from below -2 to above 2, on one side more than on the other; (W, B) and
    (-W, -B) have the same law."""

    def part(probability: Fraction) -> Slab:
        w = signed(draw, -4, 3)
        low, high = (2 + of_any_size(draw, -3, 1) for _ in range(2))
        return Slab(probability, w, -abs(w) * low, abs(w) * high)

    return symmetrised((part(Fraction(2, 3)), part(Fraction(1, 3))))


@dataclass(frozen=True)
class Triple:
    """Data at -h, 0, k with values y_1, y_2, y_3, for a network initialised with the law of `kernel`.

    z   the weight ζ, constant between the outer points under this law: a_w³/(8a_b) or weight²/(2a_b)
    """

    h: Fraction
    k: Fraction
    y: tuple[Fraction, ...]
    law: str
    kernel: Kernel
    z: Fraction

    @property
    def x(self) -> tuple[Fraction, ...]:
        return (-self.h, Fraction(0), self.k)

    @property
    def symbols(self) -> dict[str, Value]:
        return {"h": self.h, "k": self.k, **{f"y_{j + 1}": value for j, value in enumerate(self.y)}}

    @property
    def label(self) -> str:
        return self.law


TRIPLE_SYMBOLS = {
    "h": "distance from the first point to the middle one, which is at x = 0",
    "k": "distance from the middle point to the last",
    "y_1": "value at x = -h",
    "y_2": "value at x = 0",
    "y_3": "value at x = k",
}


def uniform_triple(h: Fraction | int, k: Fraction | int, y: tuple[Fraction | int, ...], law: Rectangle) -> Triple:
    """W and B uniform on symmetric intervals."""
    values = tuple(map(Fraction, y))
    label = f"W uniform on ±{law.right}, B uniform on ±{law.high}"
    return Triple(Fraction(h), Fraction(k), values, label, rectangle_kernel(law), law.right**3 / (8 * law.high))


def binary_triple(h: Fraction | int, k: Fraction | int, y: tuple[Fraction | int, ...], a_b: Fraction | int) -> Triple:
    """W = ±1, B uniform on [-a_b, a_b]."""
    label = f"W = ±1, B uniform on ±{a_b}"
    return Triple(
        Fraction(h),
        Fraction(k),
        tuple(map(Fraction, y)),
        label,
        slab_kernel(binary(a_b)),
        Fraction(1) / (2 * Fraction(a_b)),
    )


def triples(draw: random.Random, count: int, only_uniform: bool = False) -> Iterator[Triple]:
    """Simple cases (tent, step, line, zeros, uneven distances, outer point at an end of supp ζ, sharp bends), then
    random ones."""
    one, two = uniform(1, 1), uniform(1, 2)
    yield uniform_triple(1, 1, (0, 1, 0), one)
    yield uniform_triple(1, 2, (0, 0, 1), two)
    yield uniform_triple(1, 1, (1, 2, 3), two)
    yield uniform_triple(2, 1, (0, 0, 0), two)
    yield uniform_triple(Fraction(1, 2), 1, (3, -2, 5), uniform(2, 2))
    yield uniform_triple(2, 2, (-1, 4, 1), uniform(3, 6))
    for sign in (1, -1):
        yield uniform_triple(Fraction(1, 8), Fraction(1, 4), (500 * sign, -500 * sign, 500 * sign), two)
    if not only_uniform:
        yield binary_triple(1, 2, (2, -1, 1), 2)
        yield binary_triple(2, 1, (0, 1, 1), 5)
    for _ in range(count):
        a_w, h, k = of_any_size(draw, -4, 5), of_any_size(draw, -3, 3), of_any_size(draw, -3, 3)
        a_b = a_w * max(h, k) * Fraction(draw.randint(4, 8), 4)
        yield uniform_triple(h, k, values(draw, 3), uniform(a_w, a_b))
