"""Vectors and small matrices of rationals, and rational bounds of square roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from implicitbias.exact.rational import Interval

if TYPE_CHECKING:
    from flint import fmpq_mat

Rational = int | Fraction
Matrix = tuple[tuple[Fraction, ...], ...]
"""Rows of equal length."""


def dot(a: Sequence[Rational], b: Sequence[Rational]) -> Fraction:
    """Σ a_i b_i.

    >>> dot([1, Fraction(1, 2)], [3, 4])
    Fraction(5, 1)
    """
    top, bottom = 0, 1
    try:
        # Reduced once, at the end: a quarter of the time of sums of fractions.
        for p, q in zip(a, b, strict=True):
            if p and q:
                n, d = p.as_integer_ratio()
                m, e = q.as_integer_ratio()
                n, d = n * m, d * e
                top, bottom = (top + n, bottom) if d == bottom else (top * d + n * bottom, bottom * d)
        return Fraction(top, bottom)
    except (AttributeError, TypeError):  # numbers of another ordered field
        total = Fraction(0)
        for p, q in zip(a, b, strict=True):
            total += p * q
        return total


def values_at(thetas: Sequence[Sequence[Rational]], points: Sequence[Sequence[Rational]]) -> list[list[Fraction]]:
    """θ·point for each θ (rows) and each point (columns).

    >>> values_at([[1, 2]], [[3, 4], [0, Fraction(1, 2)]])
    [[Fraction(11, 1), Fraction(1, 1)]]
    """
    if not thetas or not points:
        return [[] for _ in thetas]
    return [list(row) for row in matrix_of(flint_matrix(thetas) * flint_matrix(points).transpose())]


def network_at(
    factors: Sequence[Rational], thetas: Sequence[Sequence[Rational]], points: Sequence[Sequence[Rational]]
) -> list[Fraction]:
    """Σ_k factors_k [θ_k·point]_+ for each point.

    >>> network_at([2, -1], [[1, 0], [0, -1]], [[3, 4], [-1, -1]])
    [Fraction(6, 1), Fraction(-1, 1)]
    """
    if not thetas:
        return [Fraction(0)] * len(points)
    import flint

    heights = (flint_matrix(thetas) * flint_matrix(points).transpose()).tolist()
    active = flint.fmpq_mat([[value if value > 0 else flint.fmpq(0) for value in row] for row in heights])
    return list(matrix_of(flint_matrix([factors]) * active)[0])


def combined(factors: Sequence[Rational], rows: Sequence[Sequence[Rational]]) -> list[Fraction]:
    """Σ_k factors_k rows_k, for one row or more.

    >>> combined([1, -1], [[3, 4], [0, Fraction(1, 2)]])
    [Fraction(3, 1), Fraction(7, 2)]
    """
    return list(matrix_of(flint_matrix([factors]) * flint_matrix(rows))[0])


def relu(z: Rational) -> Fraction:
    """[z]_+ = max(z, 0)."""
    return Fraction(z) if z > 0 else Fraction(0)


def rank(rows: Sequence[Sequence[Rational]]) -> int:
    """The rank of a matrix; 0 if it has no entries.

    >>> rank([[1, 2], [2, 4], [0, 1]])
    2
    """
    return int(flint_matrix(rows).rank()) if rows and rows[0] else 0


def solve(matrix: Sequence[Sequence[Rational]], right: Sequence[Rational]) -> tuple[Fraction, ...]:
    """The solution of a regular square system. Raises ArithmeticError if the matrix is singular.

    >>> solve([[2, 1], [1, 3]], [3, 4])
    (Fraction(1, 1), Fraction(1, 1))
    """
    if not right:
        return ()
    try:
        solution = flint_matrix(matrix).solve(flint_matrix([[value] for value in right]))
    except ZeroDivisionError:
        raise ArithmeticError("the system is singular") from None
    return tuple(row[0] for row in matrix_of(solution))


def flint_matrix(rows: Sequence[Sequence[Rational]]) -> fmpq_mat:
    """The matrix as flint's `fmpq_mat`."""
    import flint

    return flint.fmpq_mat([[flint.fmpq(v.numerator, v.denominator) for v in row] for row in rows])


def matrix_of(matrix: fmpq_mat) -> Matrix:
    """The rows of flint's `fmpq_mat`."""
    return tuple(tuple(Fraction(int(v.p), int(v.q)) for v in row) for row in matrix.tolist())


# Square roots ---------------------------------------------------------------------------------------------------------


def root_between(square: Fraction, bits: int = 128) -> Interval:
    """Rationals around √square, for square >= 0, whose relative distance is about 2^-bits.

    >>> found = root_between(Fraction(2), 10)
    >>> float(found.lower), float(found.upper)
    (1.4140625, 1.416015625)
    """
    if not square:
        return Interval(Fraction(0), Fraction(0))
    shift = max(0, bits + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    low = isqrt((square.numerator << (2 * shift)) // square.denominator)
    return Interval(Fraction(low, 1 << shift), Fraction(low + 1, 1 << shift))


def root_above(square: Fraction, bits: int = 96) -> Fraction:
    """A rational not below √square, larger by a relative error of about 2^-bits."""
    return root_between(square, bits).upper


def root_on_grid(square: Fraction, bits: int) -> Interval:
    """Multiples of 2^-bits around √square, for square >= 0, at most 2·2^-bits away from it.

    >>> found = root_on_grid(Fraction(1, 4), 2)
    >>> found.lower, found.upper
    (Fraction(1, 2), Fraction(3, 4))
    """
    scaled = square * 4**bits
    return Interval(Fraction(isqrt(scaled.__floor__()), 2**bits), Fraction(isqrt(scaled.__ceil__()) + 1, 2**bits))


def rational_root(square: Fraction) -> Fraction:
    """√square. Raises ValueError if it is irrational.

    >>> rational_root(Fraction(9, 16))
    Fraction(3, 4)
    """
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if top**2 != square.numerator or bottom**2 != square.denominator:
        raise ValueError(f"{square} is not the square of a rational")
    return Fraction(top, bottom)
