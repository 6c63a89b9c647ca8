"""Programme (20) for a function with finitely many kinks, solved exactly, and its set of minimisers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from ..functions.piecewise_linear_cases import simple_cases


@dataclass(frozen=True)
class Programme20:
    """min ½Σ(|κ_j + a_j| + |κ_j - a_j|) subject to Σ a_j = s, over a_j = α_-({b_j}).

    second      κ_j = f''({b_j}), with two zeros appended for thresholds that are not kinks of f
    s           f'(-∞) + f'(+∞)
    """

    second: tuple[Fraction, ...]
    s: Fraction

    @property
    def T(self) -> Fraction:  # noqa: N802 (the paper's symbol)
        return sum(map(abs, self.second), Fraction(0))

    def _rows(self) -> tuple[list[list[int]], list[Fraction]]:
        """P_j >= ±(κ_j + a_j), Q_j >= ±(κ_j - a_j) as rows of A z <= b, z = (a, P, Q), each of length n."""
        n = len(self.second)
        rows, bounds = [], []
        for j, k in enumerate(self.second):
            for block, slope in ((1, 1), (2, -1)):
                for sign in (1, -1):
                    row = [0] * (3 * n)
                    row[j], row[block * n + j] = sign * slope, -1
                    rows.append(row)
                    bounds.append(-sign * k)
        return rows, bounds

    def _solve(self, cost: list[Any], s: Fraction, capped: bool) -> Any:
        from implicitbias.convex.programmes.linear_programme import optimum

        n = len(self.second)
        rows, bounds = self._rows()
        if capped:
            rows, bounds = [*rows, [0] * n + [1] * (2 * n)], [*bounds, 2 * self.value]
        free = [True] * n + [False] * (2 * n)
        return optimum(cost, [[1] * n + [0] * (2 * n)], [s], rows, bounds, free)

    def value_at(self, s: Fraction) -> tuple[Fraction, Fraction]:
        """The minimum subject to Σ a_j = s, and a subgradient of it in s (a multiplier of this constraint)."""
        n = len(self.second)
        solved = self._solve([0] * n + [Fraction(1, 2)] * (2 * n), s, capped=False)
        return solved.value, solved.dual_eq[0]

    @cached_property
    def value(self) -> Fraction:
        return self.value_at(self.s)[0]

    def multipliers(self) -> tuple[Fraction, Fraction]:
        """The ends of the interval of multipliers in the sense of (21): minus the one-sided slopes of the minimum in s.

        The minimum is convex in s; it is linear on a chord whose slope is a multiplier at the far end of the chord.
        """
        slopes = []
        for direction in (1, -1):
            step = Fraction(1)
            while True:
                value, dual = self.value_at(self.s + direction * step)
                if value - self.value == direction * step * dual:
                    slopes.append(dual)
                    break
                step /= 4
        return -slopes[0], -slopes[1]

    def least_of(self, weights: tuple[int, ...]) -> Fraction:
        """The least Σ weights_j a_j among all minimisers; one weight per threshold."""
        least: Fraction = self._solve([*weights, *[0] * (2 * len(weights))], self.s, capped=True).value
        return least

    def least_mass(self) -> Fraction:
        """The least Σ|a_j| among all minimisers."""
        from implicitbias.convex.programmes.linear_programme import optimum

        n = len(self.second)
        rows, bounds = self._rows()
        wide = [[*row, *([0] * n)] for row in [*rows, [0] * n + [1] * (2 * n)]]
        bounds = [*bounds, 2 * self.value]
        for j in range(n):
            for sign in (1, -1):
                row = [0] * (4 * n)
                row[j], row[3 * n + j] = sign, -1
                wide.append(row)
                bounds.append(Fraction(0))
        free = [True] * n + [False] * (3 * n)
        return optimum([0] * (3 * n) + [1] * n, [[1] * n + [0] * (3 * n)], [self.s], wide, bounds, free).value

    def greatest_mass(self) -> Fraction:
        """The greatest Σ|a_j| among all minimisers; solves one programme per sign pattern."""
        return -min(self.least_of(signs) for signs in product((1, -1), repeat=len(self.second)))


def programmes(random: Random, each: int, most: int = 3) -> list[tuple[str, Programme20]]:
    """Simple programmes, then `each` random ones for every regime of (T, s), all with at most `most` kinks."""
    nothing = (Fraction(0), Fraction(0))
    found = [
        (label, Programme20((*(jump for _, jump in f.kinks), *nothing), f.end_slope_sum))
        for label, f in simple_cases()
        if len(f.kinks) <= most
    ]
    for i in range(each * len(REGIMES)):
        regime = REGIMES[i % len(REGIMES)]
        count = 0 if regime == "T = 0" else random.randint(1, most)
        kinks = [random.choice((1, -1)) * some_size(random) for _ in range(count)]
        T = sum(map(abs, kinks), Fraction(0))
        inside = T * Fraction(random.randint(1, 11), 12)
        s = {
            "|s| = T": T,
            "|s| > T": T + some_size(random),
            "|s| < T": inside,
            "s = 0": Fraction(0),
        }.get(regime, some_size(random))
        found.append((f"random {i}, {regime}", Programme20((*kinks, *nothing), random.choice((1, -1)) * s)))
    return found


REGIMES = ("|s| = T", "|s| < T", "|s| > T", "any s", "T = 0", "s = 0")


def some_size(random: Random) -> Fraction:
    """A number that is simple, tiny or large: what holds for functions of one size only is seen to fail."""
    numerator, denominator = random.choice(((3, 1), (3, 1), (12, 4), (1, 60), (60, 1)))
    return Fraction(random.randint(1, numerator), random.randint(1, denominator))
