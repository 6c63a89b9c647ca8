"""Which ramps carry the kinks in problem (9), and the dual's two numbers: guessed with rounded sums, proved exactly.

The notation and the conditions of optimality are those of `interpolant`. Sums of n fractions may have n times as many
digits, so the case is guessed with integers of PRECISION bits, and only what the guess leaves open is added up exactly.
A guess that does not satisfy the conditions is dropped; in the end every case is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from implicitbias.functions.exact_sum import exact_sum

PRECISION = 320
"""Bits after the leading one of the largest number, for guesses."""
NEARBY = 2
"""Number of neighbours of a guessed place that are tried before all places."""


@dataclass(frozen=True)
class End:
    """The first or the last data point, and the slope of the line there."""

    x: Fraction
    y: Fraction
    slope: Fraction

    def at(self, c: Fraction) -> Fraction:
        return self.y + self.slope * (c - self.x)


@dataclass(frozen=True)
class Shares:
    """The dual at the ends, θ_i of the inner points, and (p, q): optimal, by the conditions in `interpolant`."""

    eta: Fraction
    lam: Fraction
    left_shares: tuple[Fraction, ...]
    end_weights: tuple[Fraction, Fraction]


def shares(
    kinks: tuple[Fraction, Fraction], left: End, right: End, x: Sequence[Fraction], jumps: Sequence[Fraction]
) -> Shares:
    """The optimum for inner points x with slope changes `jumps`, between a left and a right end."""
    problem = _Problem(kinks, left, right, tuple(x), tuple(jumps))
    for attempt in problem.cases():
        found = attempt()
        if found is not None:
            return found
    raise AssertionError("no case of problem (9) fits its own conditions of optimality: this is a bug")


@dataclass(frozen=True)
class _Problem:
    kinks: tuple[Fraction, Fraction]
    left: End
    right: End
    x: tuple[Fraction, ...]
    jumps: tuple[Fraction, ...]

    def cases(self) -> Iterator[Callable[[], Shares | None]]:
        """Every case, the one with the largest guess of ψ first."""
        A, B = self.kinks
        middle = (A + B) / 2
        places = [c for c, kappa in zip(self.x, self.jumps, strict=True) if kappa]
        guesses = _Guesses(self)
        ranked: list[tuple[int, int, Callable[[], Shares | None]]] = [
            (0, 0, self._zero),
            (guesses.slope(1), 1, lambda: self._slope(1)),
            (guesses.slope(-1), 1, lambda: self._slope(-1)),
        ]
        for sign in (1, -1):
            ranked += [
                (guess, 2, lambda c=c, sign=sign: self._point(c, sign))  # type: ignore[misc]
                for c, guess in guesses.points([*places, middle], sign)
            ]
        ranked.sort(key=lambda entry: (-entry[0], entry[1]))
        for _, _, attempt in ranked:
            yield attempt

    def _ends(self, theta: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """(p, q) that make the ramps pass through the data."""
        A, B = self.kinks
        inner = list(zip(self.x, self.jumps, theta, strict=True))
        left = exact_sum(share * kappa * (c - A) for c, kappa, share in inner if share)
        right = exact_sum((1 - share) * kappa * (B - c) for c, kappa, share in inner if share != 1)
        return (self.right.at(B) - right) / (B - A), (self.left.at(A) - left) / (B - A)

    def _slope(self, sign: int) -> Shares | None:
        """D = sign everywhere: convex kinks go to one side and concave ones to the other."""
        theta = [Fraction(int(kappa * sign < 0)) for kappa in self.jumps]
        return self._fitting(Fraction(sign), Fraction(-sign), theta)

    def _point(self, c: Fraction, sign: int) -> Shares | None:
        """D vanishes at c alone: a kink at c may be split."""
        A, B = self.kinks
        weight = max(c - A, B - c)
        eta, lam = sign * (c - A) / weight, sign * (B - c) / weight
        theta = [Fraction(int(kappa * sign * (c - at) < 0)) for at, kappa in zip(self.x, self.jumps, strict=True)]
        here = next((i for i, at in enumerate(self.x) if at == c and self.jumps[i]), None)
        if here is None:
            return self._fitting(eta, lam, theta)
        p, q = self._ends(theta)  # with θ = 0 at c
        per_share_p, per_share_q = (self.jumps[here] * (distance / (B - A)) for distance in (B - c, A - c))
        bounds = [Fraction(0), Fraction(1)]
        for value, change, dual in ((p, per_share_p, eta), (q, per_share_q, lam)):
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
        theta[here] = bounds[1] if bounds[1] == 1 else bounds[0]
        return self._fitting(eta, lam, theta)

    def _fitting(self, eta: Fraction, lam: Fraction, theta: Sequence[Fraction]) -> Shares | None:
        p, q = self._ends(theta)
        for weight, dual in ((p, eta), (q, lam)):
            if weight and dual != (1 if weight > 0 else -1):
                return None
        return Shares(eta, lam, tuple(theta), (p, q))

    def _zero(self) -> Shares | None:
        """p = q = 0: left ramps of total weight S and first moment X, if the kinks can be shared out so.

        With e_i = θ_i κ_i if κ_i > 0, (1 - θ_i)|κ_i| if κ_i < 0, weights of at most |κ_i|, the two equations are
        Σ e_i = S and Σ e_i x_i = X. A window of mass S on the line of the |κ_i| in a row has a moment that grows as it
        moves to the right, from the least to the largest there is: so one of them fits, if any e does.
        """
        A, B = self.kinks
        kept = [i for i, kappa in enumerate(self.jumps) if kappa]
        at_a, at_b = self.left.at(A), self.right.at(B)
        falling = [i for i in kept if self.jumps[i] < 0]
        # With b_i = θ_i κ_i: Σ b_i (x_i - A) = P(A) and Σ (κ_i - b_i)(B - x_i) = P(B), solved for Σ b_i and Σ b_i x_i.
        total = exact_sum(self.jumps[i] * (B - self.x[i]) for i in kept)
        mass = (total - at_b + at_a) / (B - A)
        moment = at_a + A * mass
        mass += exact_sum(-self.jumps[i] for i in falling)
        moment += exact_sum(-self.jumps[i] * self.x[i] for i in falling)
        if not kept:
            return self._fitting(Fraction(0), Fraction(0), [Fraction(0)] * len(self.x)) if mass == moment == 0 else None
        weights = [abs(self.jumps[i]) for i in kept]
        found = _window([self.x[i] for i in kept], weights, mass, moment)
        if found is None:
            return None
        theta = [Fraction(0)] * len(self.x)
        for i, weight, e in zip(kept, weights, found, strict=True):
            theta[i] = e / weight if self.jumps[i] > 0 else 1 - e / weight
        return self._fitting(Fraction(0), Fraction(0), theta)


def _window(
    x: Sequence[Fraction], weights: Sequence[Fraction], mass: Fraction, moment: Fraction
) -> list[Fraction] | None:
    """e with 0 <= e_i <= weights_i, Σ e_i = mass, Σ e_i x_i = moment, full between two places, 0 outside; or None."""
    n = len(x)
    guessed = _guessed_window(x, weights, mass, moment)
    near = [
        (i, j)
        for i in range(max(0, guessed[0] - NEARBY), min(n, guessed[0] + NEARBY + 1))
        for j in range(max(i, guessed[1] - NEARBY), min(n, guessed[1] + NEARBY + 1))
    ]
    near.sort(key=lambda pair: abs(pair[0] - guessed[0]) + abs(pair[1] - guessed[1]))
    for i, j in near:
        found = _window_between(i, j, x, weights, mass, moment)
        if found is not None:
            return found
    if not _window_is_possible(x, weights, mass, moment):
        return None
    return next(
        (
            found
            for i in range(n)
            for j in range(i, n)
            if (found := _window_between(i, j, x, weights, mass, moment)) is not None
        ),
        None,
    )


def _window_between(
    i: int, j: int, x: Sequence[Fraction], weights: Sequence[Fraction], mass: Fraction, moment: Fraction
) -> list[Fraction] | None:
    """The window whose partly filled places are i <= j."""
    full = range(i + 1, j)
    mass = mass - exact_sum(weights[m] for m in full)
    moment = moment - exact_sum(weights[m] * x[m] for m in full)
    if i == j:
        if moment != mass * x[i]:
            return None
        ends = {i: mass}
    else:
        at_j = (moment - mass * x[i]) / (x[j] - x[i])
        ends = {i: mass - at_j, j: at_j}
    if any(not 0 <= e <= weights[m] for m, e in ends.items()):
        return None
    return [ends.get(m, weights[m] if i < m < j else Fraction(0)) for m in range(len(x))]


def _window_is_possible(x: Sequence[Fraction], weights: Sequence[Fraction], mass: Fraction, moment: Fraction) -> bool:
    """Whether the moment lies between those of the leftmost and of the rightmost window of this mass, exactly."""
    if not 0 <= mass <= exact_sum(weights):
        return False
    ends = []
    for order in (range(len(x)), range(len(x) - 1, -1, -1)):
        left, sum_ = mass, Fraction(0)
        for i in order:
            taken = min(left, weights[i])
            sum_, left = sum_ + taken * x[i], left - taken
            if not left:
                break
        ends.append(sum_)
    return ends[0] <= moment <= ends[1]


def _guessed_window(
    x: Sequence[Fraction], weights: Sequence[Fraction], mass: Fraction, moment: Fraction
) -> tuple[int, int]:
    """Where the window begins and ends, about: by bisection of its beginning, on rounded prefix sums."""
    scale_x, scale_w = _scale([*x, Fraction(1, 2**1000)]), _scale(weights)
    positions, sizes = [_rounded(v, scale_x) for v in x], [_rounded(v, scale_w) for v in weights]
    target, size = _rounded(moment, scale_x + scale_w), _rounded(mass, scale_w)
    sums = [0, *accumulate(sizes)]
    moments = [0, *accumulate(p * w for p, w in zip(positions, sizes, strict=True))]

    def place(at: int) -> int:
        low, high = 0, len(x) - 1
        while low < high:
            half = (low + high) // 2
            low, high = (half + 1, high) if sums[half + 1] <= at else (low, half)
        return low

    def moment_until(at: int) -> int:
        i = place(at)
        return moments[i] + (at - sums[i]) * positions[i]

    low, high = 0, max(0, sums[-1] - size)
    while low < high:
        half = (low + high) // 2
        low, high = (half + 1, high) if moment_until(half + size) - moment_until(half) < target else (low, half)
    return place(low), place(max(low, low + size - 1))


class _Guesses:
    """ψ in each case, about: integers, all with the same scale."""

    def __init__(self, problem: _Problem) -> None:
        A, B = problem.kinks
        self.problem = problem
        ends = [problem.left.at(A), problem.right.at(B), problem.left.slope * (B - A), problem.left.y]
        self.scale_x = _scale([A, B, B - A])
        self.scale_k = max(-8 * PRECISION, min(8 * PRECISION, _scale([*problem.jumps, *(e / (B - A) for e in ends)])))
        self.A, self.B = _rounded(A, self.scale_x), _rounded(B, self.scale_x)
        self.x = [_rounded(c, self.scale_x) for c in problem.x]
        jumps = [_rounded(kappa, self.scale_k) for kappa in problem.jumps]
        self.sums, self.moments = {}, {}
        for sign in (1, -1):
            parts = [max(0, sign * kappa) for kappa in jumps]
            self.sums[sign] = [0, *accumulate(parts)]
            self.moments[sign] = [0, *accumulate(k * c for k, c in zip(parts, self.x, strict=True))]

    def slope(self, sign: int) -> int:
        """l_1 - K^-, or -l_1 - K^+."""
        return sign * _rounded(self.problem.left.slope, self.scale_k) - self.sums[-sign][-1]

    def points(self, places: Sequence[Fraction], sign: int) -> Iterator[tuple[Fraction, int]]:
        """(c, (±P(c) - S^±(c))/M(c)) for each place."""
        order = sorted(range(len(places)), key=lambda n: places[n])
        start = _rounded(self.problem.left.at(self.problem.kinks[0]), self.scale_k + self.scale_x)
        slope = _rounded(self.problem.left.slope, self.scale_k)
        i = 0
        for n in order:
            c = _rounded(places[n], self.scale_x)
            while i < len(self.x) and self.x[i] < c:
                i += 1
            left = {s: c * self.sums[s][i] - self.moments[s][i] for s in (1, -1)}
            spline = start + slope * (c - self.A) + left[1] - left[-1]
            right = self.moments[sign][-1] - self.moments[sign][i] - c * (self.sums[sign][-1] - self.sums[sign][i])
            yield places[n], (sign * spline - left[sign] - right) // max(c - self.A, self.B - c, 1)


def _scale(numbers: Sequence[Fraction]) -> int:
    """The bits after the point that leave PRECISION bits below the largest of the numbers."""
    sizes = [abs(v.numerator).bit_length() - v.denominator.bit_length() for v in numbers if v]
    return PRECISION - max(sizes, default=0)


def _rounded(number: Fraction, bits: int) -> int:
    """⌊number·2^bits⌋."""
    if bits >= 0:
        return (number.numerator << bits) // number.denominator
    return number.numerator // (number.denominator << -bits)
