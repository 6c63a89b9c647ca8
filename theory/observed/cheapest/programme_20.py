"""Programme (20) for a function with finitely many kinks, solved exactly, and its set of minimisers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random

from implicitbias.exact.vectors import dot

from ..data.draws import of_any_size
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

    def value_at(self, s: Fraction) -> tuple[Fraction, Fraction]:
        """The minimum subject to Σ a_j = s, and a subgradient of it in s (a multiplier of this constraint), by a linear
        programme in (a, P, Q) with P_j >= ±(κ_j + a_j) and Q_j >= ±(κ_j - a_j)."""
        from implicitbias.convex.programmes.linear_programme import optimum

        n = len(self.second)
        rows, bounds = [], []
        for j, k in enumerate(self.second):
            for block, slope in ((1, 1), (2, -1)):
                for sign in (1, -1):
                    row = [0] * (3 * n)
                    row[j], row[block * n + j] = sign * slope, -1
                    rows.append(row)
                    bounds.append(-sign * k)
        cost = [0] * n + [Fraction(1, 2)] * (2 * n)
        free = [True] * n + [False] * (2 * n)
        solved = optimum(cost, [[1] * n + [0] * (2 * n)], [s], rows, bounds, free)
        return solved.value, solved.dual_eq[0]

    @cached_property
    def minimisers(self) -> tuple[tuple[Fraction, ...], ...]:
        """Those minimisers in which all a_j but one are at 0 or ±κ_j.

        Between these places cost and Σ|a_j| are linear, and the cost grows with every |a_j|. So the minimisers are a
        polytope with all its vertices here, and the least and the greatest Σ|a_j| are found here.
        """
        n = len(self.second)
        places = [sorted({Fraction(0), k, -k}) for k in self.second]
        cost = {}
        for j in range(n):
            for rest in product(*places[:j], *places[j + 1 :]):
                a = (*rest[:j], self.s - sum(rest), *rest[j:])
                cost[a] = sum(abs(k + u) + abs(k - u) for k, u in zip(self.second, a, strict=True))
        least = min(cost.values())
        return tuple(a for a in cost if cost[a] == least)

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
        return min(dot(weights, a) for a in self.minimisers)

    def least_mass(self) -> Fraction:
        """The least Σ|a_j| among all minimisers."""
        return min(sum(map(abs, a), Fraction(0)) for a in self.minimisers)

    def greatest_mass(self) -> Fraction:
        """The greatest Σ|a_j| among all minimisers: a convex function, greatest at a vertex."""
        return max(sum(map(abs, a), Fraction(0)) for a in self.minimisers)


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
        size = some_size(random)
        alike = [size * Fraction(random.randint(1, 6), random.randint(1, 6)) for _ in range(count)]
        sizes = random.choice((alike, [some_size(random) for _ in range(count)]))
        kinks = [random.choice((1, -1)) * k for k in sizes]
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
    """A number that is simple, tiny or large: what holds for numbers of one size only is seen to fail."""
    if random.randrange(4) == 0:
        return Fraction(random.randint(1, 8), 2)
    return of_any_size(random, *random.choice(((-6, 6), (-1, 4))))
