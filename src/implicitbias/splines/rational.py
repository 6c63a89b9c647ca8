"""The adaptive spline in exact fractions, for ζ a piecewise polynomial with rational data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from implicitbias.errors import DataError
from implicitbias.splines.piecewise_polynomial import (
    PiecewisePolynomial,
    Polynomial,
    antiderivative,
    derivative,
    integral,
    product,
    value,
)

Fractions = tuple[Fraction, ...]


@dataclass(frozen=True)
class RationalSpline:
    """s exactly: a polynomial on each piece, affine outside.

    ell     ℓ_1 = 0, ..., ℓ_M = 0 with s'' = ζ ℓ, ℓ linear between data
    energy  ∫(s'')²/ζ
    starts  left ends of the pieces; pieces[i] is s there, in x
    leaving, arriving  s' right of x_1, ..., x_{M-1} and left of x_2, ..., x_M, each computed on its interval alone
    """

    x: Fractions
    y: Fractions
    ell: Fractions
    energy: Fraction
    starts: Fractions
    pieces: tuple[Polynomial, ...]
    leaving: Fractions
    arriving: Fractions

    def __call__(self, x: Fraction, order: int = 0) -> Fraction:
        if x < self.x[0] or x > self.x[-1]:
            near, slope = (
                ((self.x[0], self.y[0]), self.leaving[0])
                if x < self.x[0]
                else ((self.x[-1], self.y[-1]), self.arriving[-1])
            )
            return (near[1] + slope * (x - near[0]), slope, Fraction(0))[order]
        piece = self.pieces[max(bisect_right(self.starts, x) - 1, 0)]
        for _ in range(order):
            piece = derivative(piece)
        return value(piece, x)


def rational_spline(x: Fractions, y: Fractions, zeta: PiecewisePolynomial) -> RationalSpline:
    """Solve A ℓ = d, A_jk = ∫ζ h_j h_k, and integrate ζ ℓ twice. O(M) operations, with numbers of O(M) digits.

    Raises DataError if ζ vanishes around a datum at which the data turn, or if A is not positive definite, that is if ζ
    is negative somewhere.
    """
    products = [_hat_products(zeta, a, b) for a, b in pairwise(x)]
    slopes = [(d - c) / (b - a) for (a, b), (c, d) in zip(pairwise(x), pairwise(y), strict=True)]
    jumps = [after - before for before, after in pairwise(slopes)]
    diagonal = [before[2] + after[0] for before, after in pairwise(products)]
    off = [mixed for _, mixed, _ in products[1:-1]]
    for j, (jump, mass) in enumerate(zip(jumps, diagonal, strict=True), 1):
        if jump and not mass:
            raise DataError(
                f"ζ is zero between x={x[j - 1]} and x={x[j + 1]}, so the spline is a straight line there, but the "
                f"points at {x[j - 1]}, {x[j]} and {x[j + 1]} lie on no line: no function satisfies both"
            )
    ell = (Fraction(0), *_solve(diagonal, off, jumps), Fraction(0))
    energy = sum((jump * bend for jump, bend in zip(jumps, ell[1:-1], strict=True)), Fraction(0))
    starts: list[Fraction] = []
    pieces: list[Polynomial] = []
    leaving: list[Fraction] = []
    arriving: list[Fraction] = []
    for j, (a, b) in enumerate(pairwise(x)):
        bends = [(start, end, product(p, _line(a, ell[j], b, ell[j + 1]))) for start, end, p in zeta.between(a, b)]
        ahead = sum((integral(product(bend, (b, Fraction(-1))), start, end) for start, end, bend in bends), Fraction(0))
        slope, height = slopes[j] - ahead / (b - a), y[j]
        leaving.append(slope)
        for start, end, bend in bends:
            once = antiderivative(bend)
            once = (slope + once[0] - value(once, start), *once[1:])
            twice = antiderivative(once)
            twice = (height + twice[0] - value(twice, start), *twice[1:])
            starts.append(start)
            pieces.append(twice)
            slope, height = value(once, end), value(twice, end)
        arriving.append(slope)
    return RationalSpline(x, y, ell, energy, tuple(starts), tuple(pieces), tuple(leaving), tuple(arriving))


def _line(a: Fraction, at_a: Fraction, b: Fraction, at_b: Fraction) -> Polynomial:
    slope = (at_b - at_a) / (b - a)
    return (at_a - slope * a, slope)


def _hat_products(zeta: PiecewisePolynomial, a: Fraction, b: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    left, right = _line(a, Fraction(1), b, Fraction(0)), _line(a, Fraction(0), b, Fraction(1))
    pairs = (product(left, left), product(left, right), product(right, right))
    pieces = zeta.between(a, b)
    first, mixed, last = (
        sum((integral(product(p, pair), start, end) for start, end, p in pieces), Fraction(0)) for pair in pairs
    )
    return first, mixed, last


def _solve(diagonal: Sequence[Fraction], off: Sequence[Fraction], right: Sequence[Fraction]) -> list[Fraction]:
    """Elimination without pivoting, as A is positive definite; rows of zeros get zero."""
    pivots, sides = list(diagonal), list(right)
    for j in range(1, len(pivots)):
        if off[j - 1]:
            factor = off[j - 1] / pivots[j - 1]
            pivots[j] -= factor * off[j - 1]
            sides[j] -= factor * sides[j - 1]
        _require_positive(pivots[j], diagonal[j])
    if pivots:
        _require_positive(pivots[0], diagonal[0])
    found = [Fraction(0)] * len(pivots)
    for j in range(len(pivots) - 1, -1, -1):
        if pivots[j]:
            after = off[j] * found[j + 1] if j + 1 < len(pivots) else Fraction(0)
            found[j] = (sides[j] - after) / pivots[j]
    return found


def _require_positive(pivot: Fraction, entry: Fraction) -> None:
    if pivot < 0 or (pivot == 0 and entry != 0) or entry < 0:
        raise DataError("ζ must be at least 0 between the data: it is negative somewhere")
