"""Exact data on [-1, 1] with x_1 = -1, x_n = 1: simple and random data sets, many with collinear points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from implicitbias.claims import Value

Rational = Fraction | int


@dataclass(frozen=True)
class Points:
    """(x_i, y_i), i = 1..n, x increasing from -1 to 1."""

    label: str
    x: tuple[Rational, ...]
    y: tuple[Rational, ...]

    @property
    def size(self) -> int:
        return len(self.x)

    @property
    def slopes(self) -> tuple[Fraction, ...]:
        """γ_1, …, γ_{n-1}, the slopes between consecutive points."""
        points = zip(self.x, self.y, strict=True)
        return tuple(Fraction(q - p) / (t - s) for (s, p), (t, q) in pairwise(points))

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """The slope changes κ_i at x_2, …, x_{n-1}."""
        return tuple(after - before for before, after in pairwise(self.slopes))

    @property
    def rising(self) -> Fraction:
        """K⁺ = Σ max(κ_i, 0)."""
        return sum((k for k in self.kinks if k > 0), Fraction(0))

    @property
    def falling(self) -> Fraction:
        """K⁻ = Σ max(-κ_i, 0)."""
        return sum((-k for k in self.kinks if k < 0), Fraction(0))

    @property
    def variation(self) -> Fraction:
        """TV = Σ|κ_i|."""
        return self.rising + self.falling

    @property
    def support(self) -> tuple[int, ...]:
        """Positions (from 0) of R_reg, by its definition."""
        n = self.size
        return tuple(i for i in range(n) if i in (0, n - 1) or self.kinks[i - 1] != 0)

    @property
    def given(self) -> dict[str, Value]:
        return {"x": self.x, "y": self.y}

    def times(self, factor: Rational) -> Points:
        """The same with all labels times a factor."""
        return Points(f"{self.label}, times {factor}", self.x, tuple(factor * v for v in self.y))

    def spline(self, at: Rational) -> Fraction:
        """P(at), the linear spline, from the two neighbouring points."""
        for i, (s, t) in enumerate(pairwise(self.x)):
            if at <= t or i == self.size - 2:
                return Fraction(self.y[i]) + self.slopes[i] * (at - s)
        raise ValueError(f"{self.label} has one point")


def through(label: str, x: tuple[Rational | str, ...], y: tuple[Rational | str, ...]) -> Points:
    """Points from integers, fractions and strings such as "1/3"."""
    return Points(label, tuple(Fraction(c) for c in x), tuple(Fraction(v) for v in y))


def by_hand() -> tuple[Points, ...]:
    """Data whose optimum can be found by hand: constants, lines, tents, zigzags, collinear points."""
    half = "1/2"
    return (
        through("two equal labels", (-1, 1), (1, 1)),
        through("two zero labels", (-1, 1), (0, 0)),
        through("two opposite labels", (-1, 1), (-1, 1)),
        through("one label of two", (-1, 1), (0, 2)),
        through("a constant", (-1, 0, 1), (-2, -2, -2)),
        through("a line", (-1, 0, 1), (-1, 0, 1)),
        through("a falling line", (-1, half, 1), (2, -1, -2)),
        through("a line far up", (-1, 0, 1), (2, 3, 4)),
        through("tent", (-1, 0, 1), (0, 1, 0)),
        through("valley", (-1, 0, 1), (0, -1, 0)),
        through("tent to the right", (-1, half, 1), (1, 2, 1)),
        through("|x|", (-1, 0, 1), (1, 0, 1)),
        through("|x| with points in a row", (-1, "-1/2", 0, half, 1), (1, half, 0, half, 1)),
        through("-|x| with points in a row", (-1, "-1/2", "-1/4", 0, half, 1), (-1, "-1/2", "-1/4", 0, "-1/2", -1)),
        through("ramp", (-1, "-1/2", half, 1), (0, 0, 1, 3)),
        through("bowl", (-1, "-1/3", 0, "1/3", 1), (4, 1, 0, 1, 4)),
        through("zigzag", (-1, "-1/2", 0, half, 1), (0, 1, 0, 1, 0)),
        through("zigzag on a steep line", (-1, "-1/2", 0, half, 1), (-40, -19, 0, 21, 40)),
        through("plateau with points in a row", (-1, "-1/2", 0, "1/4", half, 1), (0, 2, 2, 2, 2, 0)),
        through("zigzag far down", (-1, "-1/4", 0, half, 1), (-9, -8, -10, -8, -9)),
    )


def random_points(generator: Random, n: int, row: bool = False) -> Points:
    """n random points in hundredths; `row`: a point without a kink is added in the middle of every gap.

    About half of the data sets are shifted far from 0 or tilted, so that neither constants nor lines are cheap.

    >>> random_points(Random(1), 4, row=True).size
    7
    """
    inner = sorted(generator.sample(range(-99, 100), n - 2))
    x = [Fraction(-1), *(Fraction(c, 100) for c in inner), Fraction(1)]
    steps = generator.choice([1, 2, 10])
    y = [Fraction(generator.randint(-20, 20), steps) for _ in x]
    mood = generator.randrange(4)
    if mood == 1:
        lift = generator.choice([-40, 40])
        y = [v / 10 + lift for v in y]
    elif mood == 2:
        tilt = generator.choice([-60, 60])
        y = [v / 10 + tilt * c for c, v in zip(x, y, strict=True)]
    found = Points("random", tuple(x), tuple(y))
    if row:
        middles = [(s + t) / 2 for s, t in pairwise(x)]
        places = sorted([*x, *middles])
        found = Points("random, points in a row", tuple(places), tuple(found.spline(c) for c in places))
    return found


def batch(generator: Random, count: int, largest: int = 7, row: bool = False) -> tuple[Points, ...]:
    """`count` random data sets of 2 … `largest` points (with `row`, 3 … `largest` before points are added)."""
    sizes = [(3 if row else 2) + i % (largest - 2 if row else largest - 1) for i in range(count)]
    return tuple(random_points(generator, n, row) for n in sizes)


def scaled(generator: Random, data: Iterable[Points]) -> tuple[Points, ...]:
    """The data, every other one with its labels times a random factor between 1/10000 and 99."""
    found = []
    for i, d in enumerate(data):
        factor = Fraction(generator.randint(1, 99), generator.choice((1, 10, 100, 10_000))) if i % 2 else Fraction(1)
        found.append(d.times(factor) if i % 2 else d)
    return tuple(found)
