"""Finitely supported measures over ReLUs in threshold form, evaluated directly from their definition (12)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random


@dataclass(frozen=True)
class DiscreteMeasure:
    """f(x) = Σ_j α(1, b_j) [x - b_j]_+ + α(-1, b_j) [b_j - x]_+ + c, thresholds increasing."""

    thresholds: tuple[Fraction, ...]
    forward: tuple[Fraction, ...]
    backward: tuple[Fraction, ...]
    constant: Fraction

    def __call__(self, x: Fraction) -> Fraction:
        units = zip(self.thresholds, self.forward, self.backward, strict=True)
        zero = Fraction(0)
        return self.constant + sum((u * max(x - b, zero) + v * max(b - x, zero) for b, u, v in units), zero)

    @property
    def sum(self) -> tuple[Fraction, ...]:
        """α_+ at the thresholds."""
        return tuple(u + v for u, v in zip(self.forward, self.backward, strict=True))

    @property
    def difference(self) -> tuple[Fraction, ...]:
        """α_- at the thresholds."""
        return tuple(u - v for u, v in zip(self.forward, self.backward, strict=True))

    @property
    def places(self) -> tuple[Fraction, ...]:
        """One point inside each piece of f: before the first threshold, between neighbouring ones, after the last."""
        b = self.thresholds
        return (b[0] - 1, *((b[i] + b[i + 1]) / 2 for i in range(len(b) - 1)), b[-1] + 1)

    def slope(self, x: Fraction) -> Fraction:
        """f'(x) as a difference quotient over an interval around x that contains no threshold."""
        room = min((abs(x - b) for b in self.thresholds), default=Fraction(1)) / 2
        if room == 0:
            raise ValueError(f"f may have a kink at x={x}: choose x off the thresholds")
        return (self(x + room) - self(x - room)) / (2 * room)

    def in_words(self) -> dict[str, Fraction | tuple[Fraction, ...]]:
        return {
            "thresholds": self.thresholds,
            "α(1, b)": self.forward,
            "α(-1, b)": self.backward,
            "output bias": self.constant,
        }


def measure(
    *units: tuple[int | Fraction, int | Fraction, int | Fraction], constant: int | Fraction = 0
) -> DiscreteMeasure:
    """The measure given by triples (threshold, α(1, b), α(-1, b))."""
    b, u, v = zip(*sorted(units), strict=True)
    return DiscreteMeasure(
        tuple(map(Fraction, b)), tuple(map(Fraction, u)), tuple(map(Fraction, v)), Fraction(constant)
    )


def simple_measures() -> list[tuple[str, DiscreteMeasure]]:
    """Measures simple enough to check by hand: nonzero thresholds and both orientations, to expose sign errors."""
    return [
        ("[x - 1]_+", measure((1, 1, 0))),
        ("[1 - x]_+", measure((1, 0, 1))),
        ("-2[x - 1]_+ + 3", measure((1, -2, 0), constant=3)),
        ("[x]_+", measure((0, 1, 0))),
        ("x - 1 as [x - 1]_+ - [1 - x]_+", measure((1, 1, -1))),
        ("|x - 2| as [x - 2]_+ + [2 - x]_+", measure((2, 1, 1))),
        ("[x - 1]_+ + [-x]_+", measure((0, 0, 1), (1, 1, 0))),
        ("2[x + 1]_+ - [3 - x]_+ + 1", measure((-1, 2, 0), (3, 0, -1), constant=1)),
        ("the constant 5, a dead pair", measure((4, 0, 0), constant=5)),
    ]


def random_measure(random: Random, most: int = 5) -> DiscreteMeasure:
    """A random asymmetric measure with 1 to `most` thresholds; some forward or backward masses are zero."""

    def mass() -> Fraction:
        return random.choice((0, 1, 1, 1)) * Fraction(random.randint(-30, 30), random.randint(1, 7))

    count, thresholds = random.randint(1, most), set[Fraction]()
    while len(thresholds) < count:
        thresholds.add(Fraction(random.randint(-25, 35), random.randint(1, 6)))
    return measure(
        *((b, mass(), mass()) for b in sorted(thresholds)),
        constant=Fraction(random.randint(-9, 9), random.randint(1, 4)),
    )


def measures(random: Random, count: int) -> list[tuple[str, DiscreteMeasure]]:
    """The simple measures, followed by `count` random ones."""
    return simple_measures() + [(f"random measure {i + 1}", random_measure(random)) for i in range(count)]
