"""The numbers in which a step of `margin.refined` is computed: doubles, or balls where doubles do not suffice.

A step solves (h + B' 2η B + diag(ratio)) Δβ = residual with h = Σ_u η_u φ_u φ_u' ⟨e, e'⟩ and
B_u = φ_u(x_i)(p_own - p_rival). Near the optimum η grows without bound: in doubles the rows of B are kept apart, which
helps as long as no points are within some 1e-8 of each other; in balls there are digits enough.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

from implicitbias.convex.margin.bounds import Grid

Numbers = NDArray[Any]
Places = NDArray[np.intp]
Solve = Callable[[Numbers], tuple[Numbers, Numbers]]
"""residual -> (Δβ, 2η B Δβ)."""
System = Callable[[Numbers, Numbers, Numbers], Solve]
"""p (U, k), over the roots; η (U,); ratio (N,)."""

BITS = 160
"""The iterate is in multiples of 2^-BITS."""
ONE = 1 << BITS
FIRST_BITS, MOST_BITS = 512, 4096
"""Of balls: doubled whenever the system of a step was not solved to what the step needs."""


@dataclass(frozen=True)
class Programme:
    """Problem (10) for these points, m of them, as a step sees it: its margins by point and rival, m(k-1) in order.

    copies  how many classes the last one stands for (`margin.programme.solve`)
    """

    grid: Grid
    labels: Sequence[int]
    k: int
    copies: int

    @cached_property
    def margins(self) -> tuple[Places, Places]:
        """Their points and their rivals."""
        point, rival = np.nonzero(np.arange(self.k)[None, :] != np.asarray(self.labels)[:, None])
        return point, rival

    @property
    def point(self) -> Places:
        return self.margins[0]

    @property
    def rival(self) -> Places:
        return self.margins[1]

    @cached_property
    def own(self) -> Places:
        return np.asarray(self.labels)[self.point]

    @cached_property
    def kinks(self) -> list[tuple[int, int]]:
        """The 2(m-1) ramps (s, kink)."""
        x, low, high = self.grid.points, self.grid.low, self.grid.high
        return [*((1, c) for c in (low, *x[1:-1])), *((-1, c) for c in (*x[1:-1], high))]

    @cached_property
    def same(self) -> Numbers:
        """⟨e_own - e_rival, e_own' - e_rival'⟩, in which the last class counts 1/copies times."""
        weight = np.ones(self.k)
        weight[-1] = 1 / self.copies
        found = np.zeros((len(self.point), len(self.point)))
        for a, s in ((self.own, 1), (self.rival, -1)):
            for b, t in ((self.own, 1), (self.rival, -1)):
                found += s * t * (a[:, None] == b) * weight[a][:, None]
        return found


class Arithmetic(Protocol):
    """How integers become numbers and numbers integers, and how the system of a step is solved."""

    repeats: int
    """How often the system of a step is solved for what is left of its right side."""

    def is_quick(self, m: int, k: int) -> bool:
        """Whether m points of k classes take a minute or so at most."""

    def at_work(self) -> AbstractContextManager[Any]:
        """Within it numbers are computed."""

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        """values/unit."""

    def root(self, value: int) -> Any:
        """√value."""

    def integers(self, values: Numbers) -> list[int]:
        """In multiples of 2^-BITS."""

    def systems(self, programme: Programme) -> System:
        """The systems of this programme."""

    def sharper(self) -> Arithmetic | None:
        """More digits, if there are any."""


class Doubles:
    """Machine numbers: an inaccurate step is only a slightly wrong step, until the system is too badly conditioned."""

    most, repeats = 3_000, 6

    def is_quick(self, m: int, k: int) -> bool:
        return m * (k - 1) <= self.most

    def at_work(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")  # what comes out is then no number, which is seen

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        return np.array([v / unit for v in values])

    def root(self, value: int) -> Any:
        return np.sqrt(value)

    def integers(self, values: Numbers) -> list[int]:
        pairs = (value.as_integer_ratio() for value in values.tolist())
        return [(over << BITS) // under for over, under in pairs]

    def systems(self, programme: Programme) -> System:
        """One factorisation for each, with the rows of B kept apart; solutions are repeated once for their residual."""
        grid, point, own, rival = programme.grid, programme.point, programme.own, programme.rival
        heights = np.array([[max(s * (x - c), 0) / grid.scale for x in grid.points] for s, c in programme.kinks])
        same = programme.same

        def system(p: Numbers, eta: Numbers, ratio: Numbers) -> Solve:
            b = heights[:, point] * (p[:, own] - p[:, rival])
            h = ((heights * eta[:, None]).T @ heights)[np.ix_(point, point)] * same
            h[np.diag_indices(len(ratio))] += ratio
            return _factorised(h, b, eta)

        return system

    def sharper(self) -> None:
        return None


class Balls:
    """Balls, of which only the middles are used: slow, and right however near points are."""

    most, repeats = 100_000, 2

    def __init__(self, bits: int = FIRST_BITS) -> None:
        self.bits = bits

    def is_quick(self, m: int, k: int) -> bool:
        return m * ((k - 1) ** 3 + 60) <= self.most

    def at_work(self) -> AbstractContextManager[Any]:
        import flint

        return flint.ctx.workprec(self.bits)

    def one(self, values: Sequence[int], unit: int) -> Numbers:
        import flint

        by = flint.arb(unit)
        return np.array([flint.arb(v) / by for v in values], dtype=object)

    def root(self, value: int) -> Any:
        import flint

        return flint.arb(value).sqrt()

    def integers(self, values: Numbers) -> list[int]:
        pairs = (value.mid().man_exp() for value in values.tolist())
        shifted = ((int(mantissa), int(exponent) + BITS) for mantissa, exponent in pairs)
        return [mantissa << by if by >= 0 else mantissa >> -by for mantissa, by in shifted]

    def systems(self, programme: Programme) -> System:
        from implicitbias.convex.margin.by_nodes import Line

        return Line(programme.grid, programme.labels, programme.k, programme.copies).solver

    def sharper(self) -> Balls | None:
        return Balls(2 * self.bits) if self.bits < MOST_BITS else None


def _factorised(h: Numbers, b: Numbers, eta: Numbers) -> Solve:
    size, diagonal = len(h), np.diag(h)
    matrix = np.block([[h, b.T], [b, np.diag(-1 / (2 * eta))]])
    units = 1 / np.sqrt(np.concatenate([diagonal, 1 / (2 * eta) + (b * b / diagonal).sum(axis=1)]))
    matrix *= units[:, None]
    matrix *= units
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        factors = lu_factor(matrix, check_finite=True)

    def solve(residual: Numbers) -> tuple[Numbers, Numbers]:
        right = np.concatenate([residual, np.zeros(len(eta))]) * units
        found = lu_solve(factors, right)
        found += lu_solve(factors, right - matrix @ found)
        found *= units
        return found[:size], found[size:]

    return solve
