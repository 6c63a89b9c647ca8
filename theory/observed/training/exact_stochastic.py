"""Stochastic descent of a linearised network, one datum a step, in integers; where it ends, enclosed.

A step with datum j moves the parameters' change δ by -η ℓ'(z_j·δ - r_j) z_j, z_j the gradient at the datum. Here it is
rounded to multiples of 2^-BITS. With η ℓ'' ‖z_j‖² <= 2 no step takes two starting points farther apart (the gradient
of a convex function with a K-Lipschitz derivative is cocoercive), so that

- what was rounded away in T steps is off by no more than T times one step's rounding at the end; and
- a point that every step leaves alone, one that meets the data, is never left behind: from δ the course stays within
  ‖e‖ of δ + e, hence within 2‖e‖ of δ, e the shortest change that meets the data.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt, lcm

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import dot

from ..wide.interpolants import Matrix

BITS = 160
ONE = 1 << BITS
CLOSE = Fraction(1, 2**60)
"""Residuals that end the course."""
LONGEST = 60_000

LOSSES: dict[str, Callable[[int], int]] = {
    "square": lambda u: u,
    "Huber's": lambda u: max(-ONE, min(ONE, u)),
    "lopsided": lambda u: u if u > 0 else u // 3,
    "√(1 + u²)": lambda u: u * ONE // isqrt(ONE * ONE + u * u),
}
"""ℓ' of the residual u, in units of 2^-BITS; 1-Lipschitz, 0 at 0 alone. Rounding is by two units at most."""


class Course:
    """δ of a course, in units of 2^-BITS.

    share  η max_j ‖z_j‖²
    """

    def __init__(self, rows: Matrix, residual: Sequence[Fraction], loss: str, share: Fraction) -> None:
        self.common = lcm(*(entry.denominator for row in rows for entry in row))
        self.gradients = [[int(entry * self.common) for entry in row] for row in rows]
        self.wanted = [round(r * ONE) for r in residual]
        eta = share / max(dot(row, row) for row in rows)
        self.top, self.bottom = eta.numerator, eta.denominator * self.common
        self.slope = LOSSES[loss]
        self.change = [0] * len(rows[0])

    def rest(self, j: int) -> int:
        """z_j·δ - r_j, up to a unit and a half."""
        return sum(a * d for a, d in zip(self.gradients[j], self.change, strict=True)) // self.common - self.wanted[j]

    def step(self, j: int) -> None:
        """One with datum j."""
        pull = self.slope(self.rest(j)) * self.top
        self.change = [d - pull * a // self.bottom for a, d in zip(self.gradients[j], self.change, strict=True)]

    @property
    def squared_length(self) -> Fraction:
        """‖δ‖²."""
        return sum((Fraction(d, ONE) ** 2 for d in self.change), Fraction(0))


def wandered(
    rows: Matrix, residual: Sequence[Fraction], loss: str, share: Fraction, draw: random.Random
) -> tuple[Interval, int] | None:
    """‖δ_∞‖² of a course in random order, and the steps that were taken; two data.

    share  η max_j ‖z_j‖², less than 2

    None if LONGEST steps leave residuals above CLOSE.
    """
    course = Course(rows, residual, loss, share)
    for steps in range(LONGEST):
        if steps % 32 == 0:
            missing = Fraction(max(abs(course.rest(j)) for j in (0, 1)) + 2, ONE)
            if missing < CLOSE:
                break
        course.step(draw.randrange(2))
    else:
        return None
    a, b, c = dot(rows[0], rows[0]), dot(rows[0], rows[1]), dot(rows[1], rows[1])
    # a unit in each coordinate; one in the residual, a half in the label, two in ℓ', which act through η‖z‖ <= 2/‖z‖
    least = min(Fraction(isqrt(int(norm * 100)), 10) for norm in (a, c))
    off = steps * (len(course.change) + 7 / least) / ONE
    # ‖e‖² = restᵀ(ZZᵀ)⁻¹rest, at most |rest|² over the least eigenvalue, which is no less than det/trace
    ahead = _root(2 * missing**2 * (a + c) / (a * c - b * b))
    room = 2 * ahead + 3 * off
    length = course.squared_length
    slack = room * (2 * (_root(length) + room) + room)
    return Interval(length - slack, length + slack), steps


def _root(number: Fraction) -> Fraction:
    """Not below the square root, nor above it by more than 2^-BITS."""
    return Fraction(isqrt(int(number * ONE * ONE)) + 1, ONE)
