"""Problem (9) of Stewart et al. (2022): the cheapest sum of left and right ramps through given points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Real


@dataclass(frozen=True)
class Ramp:
    """x -> weight·[s(x - kink)]_+, s = +1 for a right ramp, -1 for a left one; weight != 0."""

    side: int
    kink: Fraction
    weight: Fraction

    def __call__(self, x: Fraction) -> Fraction:
        return self.weight * max(Fraction(0), self.side * (x - self.kink))


@dataclass(frozen=True)
class RampInterpolant:
    """What `ramp_interpolant` found: an optimum of problem (9) with the dual that proves it.

    x, y    the data, exactly
    kinks   (A, B), the range of the kinks
    value   the smallest Σ|weights|, exactly
    variation  Σ|κ_i|, the part of it that the data force between x_1 and x_n
    case    "zero" (value = variation), "slope", or "point" (the dual is that of one place c): see `least_variation`
    place   c where case is "point", else None
    eta, lam   the dual at the ends: Σ_i α_i (x_i - A) and Σ_i α_i (B - x_i), both in [-1, 1]
    left_shares  θ_i in [0, 1] of the kink κ_i (i = 2, …, n-1) that left ramps carry
    ramps   the optimum, at most two kinks of the data carry both a left and a right ramp
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    kinks: tuple[Fraction, Fraction]
    value: Fraction
    variation: Fraction
    case: str
    place: Fraction | None
    eta: Fraction
    lam: Fraction
    left_shares: tuple[Fraction, ...]
    ramps: tuple[Ramp, ...]

    @property
    def alpha(self) -> tuple[Fraction, ...]:
        """The dual optimum: Σ α_i y_i = value, |Σ α_i φ_u(x_i)| <= 1 for all u (the printed (12) has -α)."""
        raise NotImplementedError

    def feature(self, side: int, c: Real) -> Fraction:
        """Σ_i α_i [s(x_i - c)]_+, evaluated from the sum."""
        raise NotImplementedError

    @property
    def active(self) -> tuple[tuple[int, Fraction], ...]:
        """The (s, c), c in the data or at A (s = +1), B (s = -1), with |Σ α_i φ_u(x_i)| = 1."""
        raise NotImplementedError

    def __call__(self, x: Real) -> Fraction:
        raise NotImplementedError

    def certificate(self) -> dict[str, Any]:
        raise NotImplementedError


def kink_range(x: Iterable[Fraction], kinks: tuple[Real, Real] | None = None) -> tuple[Fraction, Fraction]:
    """(A, B): as given; [-1, 1] without a word if the data lie in it; else from the first to the last point."""
    raise NotImplementedError


def least_variation(x: Iterable[Real], y: Iterable[Real], kinks: tuple[Real, Real] | None = None) -> Fraction:
    """The value of problem (9): min Σ|w_j| over f = Σ w_j [s_j(x - c_j)]_+ with f(x_i) = y_i, kinks c_j in [A, B].

    With P the linear spline of the data, continued beyond them, l_1 its first slope, κ_i its kinks at x_2, …, x_{n-1},
    K^± = Σ κ_i^±, S^±(c) = Σ κ_i^± |x_i - c|, M(c) = max(c - A, B - c), and c over the data and the middle (A + B)/2:

      V = K^+ + K^- + max{0, l_1 - K^-, -l_1 - K^+, (P(c) - S^+(c))/M(c), (-P(c) - S^-(c))/M(c)}.

    With [A, B] = [-1, 1] this is problem (9). Quadratic in n (for claims and as an oracle); `ramp_interpolant` is O(n).
    """
    raise NotImplementedError


def least_variation_on_the_line(x: Iterable[Real], y: Iterable[Real]) -> tuple[Fraction, bool]:
    """The infimum of problem (9) with kinks on all of R, K^+ + K^- + max(0, l_1 - K^-, -l_1 - K^+), and whether it is
    attained. It equals the smallest representation cost of Savarese et al. (2019) through the same points."""
    raise NotImplementedError


def ramp_interpolant(x: Iterable[Real], y: Iterable[Real], kinks: tuple[Real, Real] | None = None) -> RampInterpolant:
    """An optimum of problem (9) and its proof, in rationals, O(n) operations."""
    raise NotImplementedError
