"""Problem (9) in whole numbers: cases guessed in doubles, proved by few sums of quotients of integers.

The notation and the conditions of optimality are those of `interpolant`, X_i and Y_i in the place of x_i and y_i
(`whole_numbers`), which leaves θ, η and λ as they are. All sums over the ramps follow from two, with
S_0 = Σ θ_i κ_i and S_1 = Σ θ_i κ_i x_i:

  (B - A) q = P(A) + A S_0 - S_1,   (B - A) p = P_1(B) + B S_0 - S_1,   P_1 the first line of the data.

What a guess in doubles says is used only if the conditions hold exactly. Where two cases are too near to each other for
doubles, or numbers are too long, `shares` decides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.ramps.shares import NEARBY, Shares
from implicitbias.convex.whole_numbers import WholePoints, moments_of_changes, slope_changes

Array = NDArray[np.float64]

EPSILON = float(np.finfo(float).eps)
SUMS = 64
"""A sum of n doubles, or a few, is wrong by less than this times n roundings of its terms."""
HALVINGS = 64
"""A double is bisected no longer."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Found:
    """The optimum, its weights (p, q) in units of the data, and Σ|κ_i|."""

    shares: Shares
    variation: Fraction


def whole_shares(points: WholePoints, kinks: tuple[Fraction, Fraction]) -> Found | None:
    """The optimum of at least two points, or None where it is for `shares.shares` to find."""
    try:
        with np.errstate(all="ignore"):  # of guesses that are no numbers none fits
            problem = _Problem(points, kinks)
            found = next((one for case in problem.likely() if (one := problem.tried(*case)) is not None), None)
    except (OverflowError, ValueError):  # beyond doubles; NaN as a fraction
        return None
    if found is None:
        return None
    unit = points.unit
    p, q = found.end_weights
    variation = slope_changes(points, [0, *points.signs, 0]).exact
    return Found(Shares(found.eta, found.lam, found.left_shares, (p * unit, q * unit)), variation * unit)


class _Problem:
    def __init__(self, points: WholePoints, kinks: tuple[Fraction, Fraction]) -> None:
        self.points = points
        self.A, self.B = (int(end * points.x_unit) for end in kinks)
        self.first = Fraction(points.rises[0], points.widths[0])
        slopes = np.array([rise / width for rise, width in zip(points.rises, points.widths, strict=True)])
        self.kappa: Array = np.where(np.array(points.signs, dtype=np.int8) != 0, np.diff(slopes), 0.0)
        self.x = np.array([float(c - self.A) for c in points.X[1:-1]])
        if not np.isfinite(slopes).all():
            raise OverflowError

    def likely(self) -> Iterator[tuple[str, int, Fraction]]:
        """The case with the largest ψ, unless rounding may hide another: its name, the sign, the place."""
        points, width = self.points, float(self.B - self.A)
        cases: list[tuple[float, str, int, Fraction]] = [(0.0, "zero", 0, ZERO)]
        middle = (self.B - self.A) / 2
        places = np.append(self.x, middle)
        at_middle = Fraction(self.A + self.B, 2)
        values = np.append([float(v) for v in points.Y[1:-1]], self._spline(at_middle))
        reach = np.maximum(places, width - places)
        for sign in (1, -1):
            other = np.maximum(-sign * self.kappa, 0)
            cases.append((sign * float(self.first) - float(other.sum()), "slope", sign, ZERO))
            same = np.maximum(sign * self.kappa, 0)
            sums, moments = np.append(0, np.cumsum(same)), np.append(0, np.cumsum(same * self.x))
            i = np.append(np.arange(len(self.x)), np.searchsorted(self.x, middle))
            away = places * (2 * sums[i] - sums[-1]) - 2 * moments[i] + moments[-1]
            psi = (sign * values - away) / reach
            psi[:-1][self.kappa == 0] = -np.inf
            for n in np.argsort(-psi)[:2]:
                c = at_middle if n == len(self.x) else Fraction(points.X[1 + int(n)])
                cases.append((float(psi[n]), "point", sign, c))
        cases.sort(key=lambda case: -case[0])
        scale = abs(float(self.first)) + float(np.abs(self.kappa).sum()) + 2 * float(np.abs(values).max()) / width
        if cases[0][0] - cases[1][0] > SUMS * len(values) * EPSILON * scale:
            yield cases[0][1:]

    def tried(self, name: str, sign: int, place: Fraction) -> Shares | None:
        """The optimum if this is its case, exactly."""
        if name == "zero":
            return self._zero()
        return self._slope(sign) if name == "slope" else self._point(place, sign)

    def _spline(self, c: Fraction) -> float:
        points = self.points
        i = min(max(bisect_right(points.X, c) - 1, 0), len(points.widths) - 1)
        return float(points.Y[i] + (c - points.X[i]) * Fraction(points.rises[i], points.widths[i]))

    def _sums(self, multiples: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Σ c_i κ_i and Σ c_i κ_i X_i for inner c_i."""
        padded = [0, *multiples, 0]
        quotients, whole = moments_of_changes(self.points, padded)
        return slope_changes(self.points, padded).exact, quotients.exact + whole

    def _weights(self, s_0: Fraction, s_1: Fraction) -> tuple[Fraction, Fraction]:
        """(p, q)."""
        x, y = self.points.X[0], self.points.Y[0]
        ends = (y + self.first * (end - x) + end * s_0 - s_1 for end in (self.B, self.A))
        p, q = (end / (self.B - self.A) for end in ends)
        return p, q

    def _slope(self, sign: int) -> Shares | None:
        theta = [int(s * sign < 0) for s in self.points.signs]
        return _fitting(Fraction(sign), Fraction(-sign), theta, self._weights(*self._sums(theta)))

    def _point(self, c: Fraction, sign: int) -> Shares | None:
        A, B, X, signs = self.A, self.B, self.points.X, self.points.signs
        reach = max(c - A, B - c)
        eta, lam = sign * (c - A) / reach, sign * (B - c) / reach
        here = bisect_left(X, c, 1, max(1, len(X) - 1))
        # θ_i = 1 where κ_i sign (c - x_i) < 0
        theta = [int(s == -sign) for s in signs[: here - 1]] + [int(s == sign) for s in signs[here - 1 :]]
        split = here - 1 if here < len(X) - 1 and X[here] == c and signs[here - 1] else None
        if split is not None:
            theta[split] = 0
        p, q = self._weights(*self._sums(theta))
        if split is None:
            return _fitting(eta, lam, theta, (p, q))
        kappa = self._kappa(split)
        changes = [kappa * distance / (B - A) for distance in (B - c, A - c)]
        bounds = [ZERO, ONE]
        for value, change, dual in ((p, changes[0], eta), (q, changes[1], lam)):
            zero = -value / change if change else None
            if abs(dual) != 1:
                if zero is None:
                    return None
                bounds = [max(bounds[0], zero), min(bounds[1], zero)]
            elif zero is not None and change * dual > 0:
                bounds[0] = max(bounds[0], zero)
            elif zero is not None:
                bounds[1] = min(bounds[1], zero)
        if bounds[0] > bounds[1]:
            return None
        share = ONE if bounds[1] == 1 else bounds[0]
        shared = [ONE if one else ZERO for one in theta]
        shared[split] = share
        return _fitting(eta, lam, shared, (p + share * changes[0], q + share * changes[1]))

    def _kappa(self, i: int) -> Fraction:
        """The change of slope at inner point i."""
        rises, widths = self.points.rises, self.points.widths
        return Fraction(rises[i + 1] * widths[i] - rises[i] * widths[i + 1], widths[i] * widths[i + 1])

    def _zero(self) -> Shares | None:
        """p = q = 0, which is Σ e_i = S and Σ e_i x_i = X for the e of `shares`, full in a window of kinks."""
        signs = self.points.signs
        kept = [i for i, s in enumerate(signs) if s]
        guess = self._guessed_window(kept)
        if guess is None:
            return None
        # -Σ|κ| over the full kinks, -Σκ over the falling ones
        multiples = [-1 if s < 0 else 0 for s in signs]
        for i in kept[guess[0] + 1 : guess[1]]:
            multiples[i] -= signs[i]
        s_0, s_1 = self._sums(multiples)
        mass, moment = s_0 - self.first, s_1 + self.points.Y[0] - self.first * self.points.X[0]
        for i, j in _around(guess, len(kept)):
            ends = self._ends_of_window(kept, guess, (i, j), mass, moment)
            if ends is None:
                continue
            theta = [ONE if s < 0 else ZERO for s in signs]
            for m in kept[i + 1 : j]:
                theta[m] = ZERO if signs[m] < 0 else ONE
            for m, share in ends.items():
                theta[m] = share if signs[m] > 0 else 1 - share
            return Shares(ZERO, ZERO, tuple(theta), (ZERO, ZERO))
        return None

    def _ends_of_window(
        self, kept: list[int], guess: tuple[int, int], window: tuple[int, int], mass: Fraction, moment: Fraction
    ) -> dict[int, Fraction] | None:
        """How full the first and the last place of a window are, from what is left beside the full ones of `guess`."""
        before, now = range(guess[0] + 1, guess[1]), range(window[0] + 1, window[1])
        for k in {*before[: NEARBY + 1], *before[-NEARBY - 1 :], *now[: NEARBY + 1], *now[-NEARBY - 1 :]}:
            change = (k in before) - (k in now)
            if change:
                weight = abs(self._kappa(kept[k])) * change
                mass, moment = mass + weight, moment + weight * self.points.X[kept[k] + 1]
        i, j = kept[window[0]], kept[window[1]]
        here, there = self.points.X[i + 1], self.points.X[j + 1]
        if i == j:
            if moment != mass * here:
                return None
            ends = {i: mass}
        else:
            at_j = (moment - mass * here) / (there - here)
            ends = {i: mass - at_j, j: at_j}
        shares = {m: e / abs(self._kappa(m)) for m, e in ends.items()}
        return shares if all(0 <= share <= 1 for share in shares.values()) else None

    def _guessed_window(self, kept: list[int]) -> tuple[int, int] | None:
        """Its first and last place among those kept, about."""
        if not kept:
            return None
        sizes, places = np.abs(self.kappa[kept]), self.x[kept]
        sums = [0.0, *accumulate(sizes.tolist())]
        moments = [0.0, *accumulate((sizes * places).tolist())]
        falling = np.maximum(-self.kappa, 0)
        mass = float(falling.sum()) - float(self.first)
        # about A
        start = self.points.Y[0] - self.first * (self.points.X[0] - self.A)
        target = float((falling * self.x).sum()) + float(start)
        count = len(kept)

        def place(at: float) -> int:
            return min(max(bisect_right(sums, at) - 1, 0), count - 1)

        def until(at: float) -> float:
            i = place(at)
            return float(moments[i] + (at - sums[i]) * places[i])

        low, high = 0.0, max(0.0, sums[-1] - mass)
        for _ in range(HALVINGS):
            half = (low + high) / 2
            low, high = (half, high) if until(half + mass) - until(half) < target else (low, half)
        first = place(low)
        return first, max(first, place(low + mass))


def _around(guess: tuple[int, int], count: int) -> list[tuple[int, int]]:
    """The guessed window and its neighbours, the nearest first."""
    i, j = guess
    near = [
        (k, m)
        for k in range(max(0, i - NEARBY), min(count, i + NEARBY + 1))
        for m in range(max(k, j - NEARBY), min(count, j + NEARBY + 1))
    ]
    return sorted(near, key=lambda pair: abs(pair[0] - i) + abs(pair[1] - j))


def _fitting(
    eta: Fraction, lam: Fraction, theta: Sequence[int | Fraction], weights: tuple[Fraction, Fraction]
) -> Shares | None:
    for weight, dual in zip(weights, (eta, lam), strict=True):
        if weight and dual != (1 if weight > 0 else -1):
            return None
    return Shares(eta, lam, tuple(v if type(v) is Fraction else (ONE if v else ZERO) for v in theta), weights)
