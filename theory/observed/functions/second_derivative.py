"""Functions given exactly by their second derivative: atoms plus a piecewise constant density.

f'' = Σ κ_i δ_{t_i} + Σ ρ_j 1_{(l_j, r_j)}, with f'(-∞) and one value of f. Where the density is nonzero, f is
quadratic, so no finite network equals f.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from ..data.datasets import DataSet


@dataclass(frozen=True)
class SecondDerivative:
    """atoms: {t: κ}; densities: {(l, r): ρ}; left_slope: f'(-∞); constant: see `__call__`."""

    atoms: Mapping[Fraction, Fraction]
    densities: Mapping[tuple[Fraction, Fraction], Fraction]
    left_slope: Fraction
    constant: Fraction

    def __call__(self, x: Fraction | int) -> Fraction:
        """constant + f'(-∞) x + Σ κ [x-t]_+ + Σ ρ ([x-l]_+² - [x-r]_+²)/2."""
        value = self.constant + self.left_slope * x
        value += sum((kink * _relu(x - t) for t, kink in self.atoms.items()), Fraction(0))
        ramps = ((rho, _relu(x - left), _relu(x - right)) for (left, right), rho in self.densities.items())
        return value + sum((rho * (u * u - v * v) / 2 for rho, u, v in ramps), Fraction(0))

    @property
    def variation(self) -> Fraction:
        """∫|f''|, assuming the densities lie on disjoint intervals."""
        smooth = sum((abs(rho) * (r - left) for (left, r), rho in self.densities.items()), Fraction(0))
        return smooth + sum((abs(kink) for kink in self.atoms.values()), Fraction(0))

    @property
    def end_slopes(self) -> tuple[Fraction, Fraction]:
        gained = sum((rho * (r - left) for (left, r), rho in self.densities.items()), Fraction(0))
        return self.left_slope, self.left_slope + gained + sum(self.atoms.values(), Fraction(0))

    @property
    def end_slope_sum(self) -> Fraction:
        return self.end_slopes[0] + self.end_slopes[1]

    def interpolates(self, data: DataSet) -> bool:
        return all(self(x) == y for x, y in zip(data.x, data.y, strict=True))

    @classmethod
    def of_spline(cls, data: DataSet) -> SecondDerivative:
        """The linear spline through the data, extended linearly beyond both ends (N ≥ 2)."""
        atoms = {Fraction(x): kink for x, kink in zip(data.x[1:-1], data.kinks, strict=True) if kink}
        return cls(atoms, {}, data.a, Fraction(data.y[0]) - data.a * data.x[0])

    def variants(self, data: DataSet) -> Iterator[tuple[str, SecondDerivative]]:
        """The spline, a variant bent at the left end, and variants of its first two kinks: merged, smeared, wiggle."""
        yield "the linear spline", self
        yield "the spline with a kink more at the left end", self._bent(Fraction(data.x[0]))
        for (t, kink), (u, other) in pairwise(sorted(self.atoms.items())):
            middle, width = (t + u) / 2, u - t
            rest = {v: k for v, k in self.atoms.items() if v not in (t, u)}
            if kink * other > 0:
                knot = (kink * t + other * u) / (kink + other)
                yield "two kinks merged into one", replace(self, atoms={**rest, knot: kink + other})
                # a density ρ on (t, u) changes the function outside it like atoms ρ·width/2 at both ends
                rho = min(abs(kink), abs(other)) / width * (1 if kink > 0 else -1)
                left = {t: kink - rho * width / 2, u: other - rho * width / 2}
                smeared = {**rest, **{v: k for v, k in left.items() if k}}
                yield "two kinks smeared out between them", replace(self, atoms=smeared, densities={(t, u): rho})
            wiggle = {t: kink + 1, middle: Fraction(-2), u: other + 1}
            yield "a wiggle between two data points", replace(self, atoms={**rest, **wiggle})
            halves = {(t, middle): Fraction(3), (middle, u): Fraction(-3)}
            moved = {t: kink - Fraction(3, 4) * width, u: other + Fraction(3, 4) * width}
            yield "a smooth wiggle between two data points", replace(self, atoms={**rest, **moved}, densities=halves)
            return

    def _bent(self, t: Fraction) -> SecondDerivative:
        """The function with slope increased by 1 to the left of t and unchanged to its right."""
        atoms = {**self.atoms, t: self.atoms.get(t, Fraction(0)) - 1}
        return replace(self, atoms=atoms, left_slope=self.left_slope + 1, constant=self.constant - t)


def cheapest_exact_network(f: SecondDerivative) -> Fraction | None:
    """The least Σ|α| of a finite network equal to f, or None if f'' has a density, so that no network equals f.

    At each knot the amplitudes of the two orientations sum to the kink; the left-facing ones sum to -f'(-∞).
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    if any(f.densities.values()):
        return None
    knots = sorted(f.atoms) or [Fraction(0)]
    sums = [[int(i // 2 == j) for i in range(2 * len(knots))] for j in range(len(knots))]
    turned_left = [i % 2 for i in range(2 * len(knots))]
    rows = [[*row, *(-v for v in row)] for row in (*sums, turned_left)]
    targets = [*(f.atoms.get(t, Fraction(0)) for t in knots), -f.left_slope]
    return optimum([1] * (4 * len(knots)), rows, targets).value


def _relu(x: Fraction | int) -> Fraction:
    return max(Fraction(0), Fraction(x))


def spline_with_tails(data: DataSet, l_0: Fraction, l_N: Fraction) -> SecondDerivative:
    """The linear spline through the data with these end slopes."""
    atoms = {Fraction(x): kink for x, kink in zip(data.x[1:-1], data.kinks, strict=True)}
    atoms[Fraction(data.x[0])] = atoms.get(Fraction(data.x[0]), Fraction(0)) + data.a - l_0
    atoms[Fraction(data.x[-1])] = atoms.get(Fraction(data.x[-1]), Fraction(0)) + l_N - data.b
    return SecondDerivative(atoms, {}, l_0, Fraction(data.y[0]) - l_0 * data.x[0])
