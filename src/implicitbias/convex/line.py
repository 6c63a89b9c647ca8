"""Data on a line, taken exactly: x increasing, y as many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real, decimal_text, exact
from implicitbias.functions.exact_sum import coprime


def exact_points(x: Iterable[Real], y: Iterable[Real]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The numbers as fractions. Raises DataError unless there are as many y as x, one at least, and x increases."""
    points_x, points_y = exact_numbers(x, "x"), exact_numbers(y, "y")
    if not points_x:
        raise DataError("no data: at least one point is needed")
    if len(points_x) != len(points_y):
        raise DataError(f"x and y must have as many numbers each: got {len(points_x)} and {len(points_y)}")
    ratios = [place.as_integer_ratio() for place in points_x]
    for i, ((p, q), (r, s)) in enumerate(pairwise(ratios)):
        if p * s < r * q:
            continue
        here, there = points_x[i], points_x[i + 1]
        place = f"x[{i}]={decimal_text(here)}"
        if here > there:
            raise DataError(
                f"x must increase: {place} is not below x[{i + 1}]={decimal_text(there)}; sort the points by x"
            )
        if points_y[i] == points_y[i + 1]:
            raise DataError(f"the point {place} is given twice, at x[{i}] and x[{i + 1}]: keep one of them")
        raise DataError(
            f"no function passes through two points with the same x: {place} with y[{i}]={decimal_text(points_y[i])} "
            f"and y[{i + 1}]={decimal_text(points_y[i + 1])}; average them, or drop one"
        )
    return points_x, points_y


def exact_numbers(numbers: Iterable[Real], name: str) -> tuple[Fraction, ...]:
    """Each as a fraction. Raises DataError naming the first that is not a finite number."""
    found: list[Fraction] = []
    for i, number in enumerate(numbers):
        if type(number) is Fraction:
            found.append(number)
            continue
        if type(number) is float and isfinite(number):
            found.append(coprime(*number.as_integer_ratio()))
            continue
        try:
            # numpy's scalars know their Python number
            found.append(exact(number.item() if hasattr(number, "item") else number))
        except DataError as error:
            raise DataError(f"{name}[{i}]: {error}") from None
    return tuple(found)


def slopes_between(x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """l_1, …, l_{n-1}: the slopes from point to point."""
    return tuple(Fraction(q - p) / (t - s) for (s, p), (t, q) in pairwise(zip(x, y, strict=True)))


def kink_range(x: tuple[Fraction, ...], kinks: tuple[Real, Real] | None = None) -> tuple[Fraction, Fraction]:
    """(A, B), where kinks may lie: as given; else [-1, 1] if the data lie in it; else from the first to the last point.

    Stewart et al. (2022) put the kinks in [-1, 1] and scale the data so that x_1 = -1, x_n = 1.

    Raises DataError unless A <= x_1, x_n <= B and A < B.

    >>> kink_range((Fraction(0), Fraction(1, 2))), kink_range((Fraction(0), Fraction(5)))
    ((Fraction(-1, 1), Fraction(1, 1)), (Fraction(0, 1), Fraction(5, 1)))
    """
    if kinks is not None:
        low, high = exact_numbers(kinks, "kinks")
    elif x[0] >= -1 and x[-1] <= 1:
        low, high = Fraction(-1), Fraction(1)
    else:
        low, high = x[0], x[-1]
    if not low < high:
        raise DataError(f"kinks need a range [A, B] with A < B: got A={decimal_text(low)}, B={decimal_text(high)}")
    if x[0] < low or high < x[-1]:
        raise DataError(
            f"the data must lie where kinks may: x from {decimal_text(x[0])} to {decimal_text(x[-1])} is not inside "
            f"[{decimal_text(low)}, {decimal_text(high)}]; widen the range of the kinks, or rescale the data"
        )
    return low, high
