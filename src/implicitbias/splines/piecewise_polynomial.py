"""Piecewise polynomials with rational breaks and coefficients: the ζ for which splines are exact."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.exact.formula import Operation
from implicitbias.exact.rational import Real, exact

Array = NDArray[np.float64]
Polynomial = tuple[Fraction, ...]
"""Coefficients, the constant first."""

MAX_DEGREE = 40


@dataclass(frozen=True)
class PiecewisePolynomial:
    """p(x) = pieces[i](x) for breaks[i-1] < x < breaks[i], where breaks[-1] = -∞ and the last is followed by +∞.

    At a break the piece on its right applies.

    >>> gap = PiecewisePolynomial.of([-2, -1, 1, 2], [[0], [1], [0], [1], [0]])
    >>> gap(Fraction(3, 2)), gap(0)
    (Fraction(1, 1), Fraction(0, 1))
    """

    breaks: tuple[Fraction, ...]
    pieces: tuple[Polynomial, ...]

    @classmethod
    def of(cls, breaks: Iterable[Real], pieces: Iterable[Iterable[Real]]) -> PiecewisePolynomial:
        """From exact numbers of any kind; one more piece than breaks, each its coefficients with the constant first."""
        places = tuple(exact(place) for place in breaks)
        parts = tuple(trimmed([exact(number) for number in piece]) for piece in pieces)
        if len(parts) != len(places) + 1:
            raise DataError(f"one piece more than breaks is needed: got {len(parts)} pieces, {len(places)} breaks")
        if any(here >= there for here, there in pairwise(places)):
            raise DataError(f"breaks must increase: got {', '.join(str(place) for place in places)}")
        return cls(places, parts)

    @property
    def degree(self) -> int:
        return max(len(piece) for piece in self.pieces) - 1

    def __call__(self, x: Fraction | int) -> Fraction:
        return value(self.pieces[bisect_right(self.breaks, x)], Fraction(x))

    def on_array(self, x: Array) -> Array:
        """In double precision, for arrays of any shape."""
        where = np.searchsorted(np.array([float(place) for place in self.breaks]), x, side="right")
        result = np.zeros_like(x)
        for i, piece in enumerate(self.pieces):
            chosen = where == i
            if chosen.any():
                result[chosen] = np.polynomial.polynomial.polyval(x[chosen], [float(number) for number in piece])
        return result

    def between(self, a: Fraction, b: Fraction) -> list[tuple[Fraction, Fraction, Polynomial]]:
        """(start, end, polynomial) of every piece that meets (a, b)."""
        inner = [place for place in self.breaks if a < place < b]
        return [(start, end, self.pieces[bisect_right(self.breaks, start)]) for start, end in pairwise([a, *inner, b])]


def trimmed(coefficients: Sequence[Fraction]) -> Polynomial:
    """Without leading zeros; the zero polynomial is (0,)."""
    size = max((n + 1 for n, number in enumerate(coefficients) if number), default=1)
    return tuple(coefficients[:size]) or (Fraction(0),)


def value(p: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(p):
        total = total * x + coefficient
    return total


def product(p: Polynomial, q: Polynomial) -> Polynomial:
    result = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return trimmed(result)


def antiderivative(p: Polynomial) -> Polynomial:
    return (Fraction(0), *(number / (n + 1) for n, number in enumerate(p)))


def derivative(p: Polynomial) -> Polynomial:
    return tuple(n * number for n, number in enumerate(p))[1:] or (Fraction(0),)


def integral(p: Polynomial, a: Fraction, b: Fraction) -> Fraction:
    """∫_a^b p."""
    whole = antiderivative(p)
    return value(whole, b) - value(whole, a)


def polynomial_of(tree: Operation, name: str) -> Polynomial | None:
    """The coefficients of a formula in this one name, if it is a polynomial with rational ones; otherwise None."""
    if tree.number is not None:
        return (tree.number,)
    if tree.is_name:
        return (Fraction(0), Fraction(1)) if tree.head == name else None
    parts = [polynomial_of(argument, name) for argument in tree.arguments]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    match tree.head:
        case "neg":
            return tuple(-number for number in known[0])
        case "+" | "-":
            sign = 1 if tree.head == "+" else -1
            size = max(len(known[0]), len(known[1]))
            padded = [[*part, *[Fraction(0)] * (size - len(part))] for part in known]
            return trimmed([a + sign * b for a, b in zip(*padded, strict=True)])
        case "*":
            return product(known[0], known[1]) if len(known[0]) + len(known[1]) <= MAX_DEGREE + 2 else None
        case "/" if len(known[1]) == 1 and known[1][0]:
            return tuple(number / known[1][0] for number in known[0])
        case "**" if len(known[1]) == 1 and known[1][0].denominator == 1 and known[1][0] >= 0:
            exponent = int(known[1][0])
            if (len(known[0]) - 1) * exponent > MAX_DEGREE or exponent > MAX_DEGREE:
                return None
            power: Polynomial = (Fraction(1),)
            for _ in range(exponent):
                power = product(power, known[0])
            return power
    return None
