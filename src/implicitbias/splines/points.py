"""Data of a spline: at least two points, x increasing, in doubles and, if they were given exactly, as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.exact.rational import exact

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Points:
    """(x_j, y_j) with x strictly increasing; `fractions` holds them exactly unless they were given as doubles."""

    x: Array
    y: Array
    fractions: tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None

    def __len__(self) -> int:
        return len(self.x)


def points(x: Iterable[Any], y: Iterable[Any], at_least: int = 2) -> Points:
    """The data of a spline.

    x, y  equally many numbers: doubles, or exact ones (int, Fraction, Decimal, text such as "0.1")

    Raises DataError, with the value and its place, if a number is not finite, lengths differ, there are fewer than
    `at_least` points, or x does not increase.
    """
    columns = [_column(given, name) for given, name in ((x, "x"), (y, "y"))]
    (xs, exact_x), (ys, exact_y) = columns
    if len(xs) != len(ys):
        raise DataError(f"as many y as x are needed: got {len(xs)} of x and {len(ys)} of y")
    if len(xs) < at_least:
        raise DataError(f"at least {at_least} points are needed: got {len(xs)}")
    _require_increasing(xs, exact_x)
    return Points(xs, ys, None if exact_x is None or exact_y is None else (exact_x, exact_y))


def _column(given: Iterable[Any], name: str) -> tuple[Array, tuple[Fraction, ...] | None]:
    fractions: tuple[Fraction, ...] | None = None
    if isinstance(given, np.ndarray) and given.dtype.kind in "fiub":
        numbers = np.array(given, dtype=np.float64)
    else:
        entries = list(given)
        if all(isinstance(entry, float) for entry in entries):
            numbers = np.array(entries, dtype=np.float64)
        else:
            fractions = tuple(_exact(entry, f"{name}[{j}]") for j, entry in enumerate(entries))
            try:
                numbers = np.array([float(entry) for entry in fractions])
            except OverflowError:
                raise DataError(f"{name} holds a number beyond 1.8e308: rescale the data") from None
            if any(isinstance(entry, float | np.floating) for entry in entries):
                fractions = None
    if numbers.ndim != 1:
        raise DataError(f"{name} is one column of numbers: got an array of shape {numbers.shape}")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        raise DataError(f"{name} must be finite: {name}[{bad[0]}] is {numbers[bad[0]]}")
    return numbers, fractions


def _exact(entry: Any, place: str) -> Fraction:
    try:
        return exact(entry)
    except (DataError, TypeError, ValueError) as error:
        raise DataError(f"{place}: {error}") from None


def _require_increasing(x: Array, fractions: tuple[Fraction, ...] | None) -> None:
    wrong = np.flatnonzero(~(np.diff(x) > 0))
    if not wrong.size:
        return
    j = int(wrong[0])
    if x[j] != x[j + 1]:
        raise DataError(f"x must increase: x[{j}]={x[j]:.17g} is not below x[{j + 1}]={x[j + 1]:.17g}; sort the points")
    if fractions is not None and fractions[j] != fractions[j + 1]:
        raise DataError(f"x[{j}] and x[{j + 1}] agree in double precision, {x[j]:.17g}: no slope between them is known")
    raise DataError(
        f"x repeats: x[{j}] and x[{j + 1}] are both {x[j]:.17g}, and a function has one value there; keep one point"
    )
