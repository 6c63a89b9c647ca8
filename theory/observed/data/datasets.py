"""Exact data sets for the interpolation claims: simple (checkable by hand), adversarial and random.

With l_1, …, l_{N-1} the slopes of the linear spline, a = l_1, b = l_{N-1} and T = Σ|l_n - l_{n-1}|, there are two
regimes: T ≥ |a+b| (the spline continues straight) and T < |a+b| (its tails bend). Every list below covers both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Value

SLOPES = {
    "T": "Σ|l_n - l_{n-1}| over n = 2 … N-1, the variation of the slope inside the data",
    "a": "l_1, the slope between the first two points (0 if N = 1)",
    "b": "l_{N-1}, the slope between the last two points (0 if N = 1)",
}
TAILS = {**SLOPES, "l_0": "the spline's slope to the left of the data", "l_N": "its slope to the right"}
"""The symbols in formulas for linear splines, with their meanings."""


@dataclass(frozen=True)
class DataSet:
    """Points (x_n, y_n), x increasing, all rational.

    >>> tent = DataSet("tent", (-1, 0, 1), (0, 1, 0))
    >>> tent.slopes, tent.kinks, tent.variation, tent.a + tent.b
    ((Fraction(1, 1), Fraction(-1, 1)), (Fraction(-2, 1),), Fraction(2, 1), Fraction(0, 1))
    """

    label: str
    x: tuple[Fraction | int, ...]
    y: tuple[Fraction | int, ...]

    @property
    def size(self) -> int:
        return len(self.x)

    @property
    def slopes(self) -> tuple[Fraction, ...]:
        """l_1, …, l_{N-1}."""
        points = zip(self.x, self.y, strict=True)
        return tuple(Fraction(v - y) / Fraction(u - x) for (x, y), (u, v) in pairwise(points))

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """κ_n = l_n - l_{n-1} at x_2, …, x_{N-1}."""
        return tuple(right - left for left, right in pairwise(self.slopes))

    @property
    def variation(self) -> Fraction:
        """Σ|l_n - l_{n-1}|, the variation of the slope inside the data."""
        return sum((abs(kink) for kink in self.kinks), Fraction(0))

    @property
    def a(self) -> Fraction:
        """l_1 (0 for a single point)."""
        return self.slopes[0] if self.size > 1 else Fraction(0)

    @property
    def b(self) -> Fraction:
        """l_{N-1} (0 for a single point)."""
        return self.slopes[-1] if self.size > 1 else Fraction(0)

    @property
    def tails_bend(self) -> bool:
        """T < |a+b|."""
        return abs(self.a + self.b) > self.variation

    @property
    def symbols(self) -> dict[str, Value]:
        """The values of T, a and b by name."""
        return {"T": self.variation, "a": self.a, "b": self.b}

    @property
    def smallest_gap(self) -> Fraction:
        """δ = min(x_{n+1} - x_n)."""
        return min(Fraction(u - x) for x, u in pairwise(self.x))

    @property
    def given(self) -> dict[str, Value]:
        """The data, as reported in a counterexample."""
        return {"x": self.x, "y": self.y}

    def with_labels(self, y: Sequence[Fraction | int]) -> DataSet:
        return DataSet(self.label, self.x, tuple(y))


def through(label: str, slopes: Sequence[int | str], gaps: Sequence[int | str] | None = None) -> DataSet:
    """The data set that starts at (0, 0) and has these slopes over these gaps (by default 1)."""
    x: list[Fraction] = [Fraction(0)]
    y: list[Fraction] = [Fraction(0)]
    for slope, gap in zip(slopes, gaps or [1] * len(slopes), strict=True):
        x.append(x[-1] + Fraction(gap))
        y.append(y[-1] + Fraction(slope) * Fraction(gap))
    return DataSet(label, tuple(x), tuple(y))


def by_hand() -> tuple[DataSet, ...]:
    """Small data sets for which every quantity can be computed mentally, simplest first."""
    return (
        DataSet("one point", (Fraction(0),), (Fraction(3),)),
        through("two equal labels", [0]),
        through("a rising line through two points", [1]),
        through("a falling line through two points", [-2]),
        through("tent", [1, -1]),
        through("valley of unequal sides", [-1, 3]),
        through("T = |a+b| exactly", [0, 1]),
        through("T = |a+b| exactly, a+b negative", [0, -2]),
        through("T = |a+b| exactly, both signs of kinks", [2, 0, 1]),
        through("rising ramp", [1, 2]),
        through("falling ramp", [-1, -2]),
        through("ramp with a valley", [3, 1, 2]),
        through("falling ramp with a hill", [-4, -1, -3]),
        through("four points on a line", [2, 2, 2]),
        through("a zero kink before the top", [1, 1, -1]),
        through("a zero kink in a ramp", [1, 1, 2]),
        through("plateau", [1, 0, -1]),
        through("zigzag", [1, -1, 1, -1, 1]),
        through("bowl", [-3, -1, 0, 1, 3]),
        through("zigzag on a steep ramp", [9, 7, 9, 7], [1, 2, 1, 3]),
        through("steep descent of unequal gaps", [-5, -8, -6], ["1/3", "1/2", 7]),
        through("large slopes of opposite sign", [100, -300, 250], ["1/10", "1/7", "1/5"]),
        through("tiny slopes", ["1/1000", "1/500"], [100, 300]),
    )


def random_data(seed: int, N: int, kind: str = "generic") -> DataSet:
    """N random points: abscissae in tenths from [-5, 5], ordinates in tenths; kind "ramp": slope 3 plus noise.

    >>> random_data(0, 3).x, random_data(0, 3).variation
    ((Fraction(1, 10), Fraction(13, 10), Fraction(17, 5)), Fraction(13, 42))
    >>> random_data(8, 4, "ramp").tails_bend
    True
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    x = sorted(int(i) for i in rng.choice(np.arange(-50, 51), N, replace=False))
    y = [int(i) for i in rng.integers(-30, 31, N)]
    if kind == "ramp":
        y = [3 * u + int(e) for u, e in zip(x, rng.integers(-4, 5, N), strict=True)]
    return DataSet(
        f"{kind} data {seed} of {N} points", tuple(Fraction(u, 10) for u in x), tuple(Fraction(v, 10) for v in y)
    )


def random_batch(seed: int, count: int, largest: int = 7) -> tuple[DataSet, ...]:
    """`count` random data sets of 2 … `largest` points; every second is a ramp, every fourth a falling one."""
    batch = []
    for i in range(count):
        data = random_data(seed + i, 2 + i % (largest - 1), "ramp" if i % 2 else "generic")
        batch.append(data.with_labels(tuple(-v for v in data.y)) if i % 4 == 3 else data)
    return tuple(batch)


def ten_points() -> DataSet:
    """Ten points of least cost 87/20 = 4.35, the value reported in Figure 1 (the paper does not list its points).

    >>> ten_points().variation, ten_points().a + ten_points().b
    (Fraction(87, 20), Fraction(1, 20))
    """
    slopes = ["1/2", "1/5", "-2/5", "-9/10", "-3/10", "7/20", "4/5", "3/10", "-9/20"]
    data = through("ten points of least cost 87/20", slopes, ["1/2"] * 9)
    return DataSet(data.label, tuple(x - Fraction(9, 4) for x in data.x), data.y)
