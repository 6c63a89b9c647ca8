"""R_reg and R_class by their definitions, and random data whose labels form runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random


def regression_support(x: Sequence[Fraction], y: Sequence[Fraction]) -> list[int]:
    """Positions of R_reg: the ends, and every point that is not on the line through its neighbours."""
    n = len(x)
    return [
        i
        for i in range(n)
        if i in (0, n - 1) or (y[i + 1] - y[i]) * (x[i] - x[i - 1]) != (y[i] - y[i - 1]) * (x[i + 1] - x[i])
    ]


def class_support(labels: Sequence[int]) -> list[int]:
    """Positions of R_class: the ends, and every point whose label differs from that of a neighbour."""
    n = len(labels)
    return [i for i in range(n) if i in (0, n - 1) or not labels[i - 1] == labels[i] == labels[i + 1]]


def nearest_bins(y: Sequence[Fraction], k: int) -> list[int]:
    """For each value, the index of the leftmost nearest of k equally spaced midpoints, by exact integer comparison."""
    found = []
    for value in y:
        distances = [abs(value.numerator * (k - 1) - j * value.denominator) for j in range(k)]
        found.append(distances.index(min(distances)))
    return found


def class_runs(draw: Random, k: int, runs: int) -> tuple[list[Fraction], list[int]]:
    """Random points with labels in runs, at least one inner run of three points; not all k labels need occur."""
    lengths = [draw.randint(1, 3) for _ in range(runs)]
    lengths[draw.randrange(1, runs - 1)] = 3
    inner = sorted(draw.sample(range(-19, 20), sum(lengths) - 2))
    x = [Fraction(-1), *(Fraction(c, 20) for c in inner), Fraction(1)]
    labels: list[int] = []
    for length in lengths:
        label = draw.choice([j for j in range(k) if not labels or j != labels[-1]])
        labels += [label] * length
    return x, labels


def one_change(draw: Random, gap: Fraction) -> tuple[list[Fraction], list[int]]:
    """Five points and two classes: three of the first, then, after this gap, two of the other."""
    third = -1 + (2 - gap) * Fraction(draw.randint(1, 9), 10)
    second = -1 + (third + 1) * Fraction(draw.randint(1, 9), 10)
    return [Fraction(-1), second, third, third + gap, Fraction(1)], [0, 0, 0, 1, 1]
