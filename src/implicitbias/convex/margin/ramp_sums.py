"""Sums of ramps at the data, and of data at the ramps, of problem (10): O(m k) each, in extended precision.

Ramps are those of `margin.programme`: to the right from A, x_2, …, x_{m-1}, then to the left from x_2, …, x_{m-1}, B.
A class that stands for `copies` others counts so often in norms: weights w_l are held as w_l √copies, functions g_l as
g_l/√copies, so that norms are plain. Sums run over gaps, which are given to full precision: points that are close
together cancel nothing. Where the machine has no extended precision, sums are doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Long = NDArray[np.longdouble]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Margins:
    """Margins (point, rival) of the programme: the own class leads the rival by 1 there.

    same  (N, N): ⟨e_own - e_rival, e_own' - e_rival'⟩, in the units of the norms
    """

    point: Places
    own: Places
    rival: Places
    same: Doubles

    def __len__(self) -> int:
        return len(self.point)


class RampSums:
    """m points of k classes with kinks in [A, B].

    points  increasing, inside kinks; m >= 2
    labels  in 0..k-1
    copies  how many classes the last one stands for (`margin.programme.solve`)
    """

    def __init__(
        self,
        points: Sequence[Fraction],
        labels: Places,
        k: int,
        kinks: tuple[Fraction, Fraction],
        copies: int = 1,
    ) -> None:
        self.m, self.k, self.labels = len(points), k, labels
        self.root = np.ones(k)
        self.root[-1] = np.sqrt(copies)
        self.gaps = np.array([float(b - a) for a, b in pairwise(points)], dtype=np.longdouble)
        self.first = np.longdouble(float(points[0] - kinks[0]))
        self.last = np.longdouble(float(kinks[1] - points[-1]))
        at = np.concatenate([[np.longdouble(0)], np.cumsum(self.gaps)])
        self.places = at.astype(np.float64)
        right, left = np.array([-self.first, *at[1:-1]]), np.array([*at[1:-1], at[-1] + self.last])
        ahead = np.maximum(at[None, :] - right[:, None], 0), np.maximum(left[:, None] - at[None, :], 0)
        self.heights = np.vstack(ahead).astype(np.float64)
        # steps from kink to kink: the first ramp to the right starts at A, not at x_1
        self.rightward, self.leftward = self.gaps.copy(), self.gaps.copy()
        self.rightward[0] += self.first
        self.leftward[-1] += self.last

    def margins(self, wanted: NDArray[np.bool_]) -> Margins:
        """The margins wanted[point, rival]."""
        point, rival = np.nonzero(wanted)
        own, share = self.labels[point], 1 / self.root**2

        def equal(a: Places, b: Places) -> Doubles:
            return np.asarray((a[:, None] == b) * share[a][:, None])

        same = equal(own, own) - equal(own, rival) - equal(rival, own) + equal(rival, rival)
        return Margins(point, own, rival, same)

    def functions(self, margins: Margins, beta: Long) -> Long:
        """(2(m-1), k): g_u = Σ_i α_i φ_u(x_i), α_i = Σ_l β_il (e_own - e_l)."""
        alpha = np.zeros((self.m, self.k), dtype=np.longdouble)
        np.add.at(alpha, (margins.point, margins.own), beta)
        np.add.at(alpha, (margins.point, margins.rival), -beta)
        alpha /= self.root
        beyond = np.cumsum(alpha[::-1], axis=0)[::-1][1:]
        right = np.cumsum((beyond * self.rightward[:, None])[::-1], axis=0)[::-1]
        right[0] += alpha[0] * self.first
        left = np.cumsum(np.cumsum(alpha, axis=0)[:-1] * self.leftward[:, None], axis=0)
        left[-1] += alpha[-1] * self.last
        return np.vstack([right, left])

    def scores(self, weights: Long) -> Long:
        """(m, k): Σ_u w_u φ_u(x_i)."""
        w = weights / self.root
        right, left = w[: self.m - 1], w[self.m - 1 :]
        total = np.zeros((self.m, self.k), dtype=np.longdouble)
        total[1:] = np.cumsum(np.cumsum(right, axis=0) * self.rightward[:, None], axis=0)
        total[0] += right[0] * self.first
        slopes = np.cumsum(left[::-1], axis=0)[::-1]
        total[:-1] += np.cumsum((slopes * self.leftward[:, None])[::-1], axis=0)[::-1]
        total[-1] += left[-1] * self.last
        return total

    def leads(self, weights: Long) -> Long:
        """(m, k): f_own - f_l at the points, infinite where l is the own class."""
        scores = self.scores(weights)
        every = np.arange(self.m)
        found = scores[every, self.labels][:, None] - scores
        found[every, self.labels] = np.inf
        return np.asarray(found)

    def of(self, margins: Margins, weights: Long) -> Long:
        """f_own - f_rival at the margins."""
        scores = self.scores(weights)
        return np.asarray(scores[margins.point, margins.own] - scores[margins.point, margins.rival])
