"""Parameters of estimators, and numbers that no double holds: refused as DataError, which is a ValueError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError

Array = NDArray[np.float64]

EPS = 2.0**-52


def number(given: Any, name: str, allowed: str) -> float:
    """The parameter as a float. Raises DataError, saying what is allowed, for what is no number.

    >>> number("3", "penalty", "a positive number")
    3.0
    """
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} is {allowed}: got {given!r}") from None


def whole(given: Any, name: str, least: int) -> int:
    """The parameter as an int. Raises DataError for what is none, or is less than `least`."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < least:
        raise DataError(f"{name} is a whole number, {least} at least: got {given!r}")
    return int(given)


def require_finite(*found: ArrayLike) -> None:
    """Raises DataError where what was fitted is not finite."""
    if not all(np.isfinite(values).all() for values in found):
        raise DataError(UNEVEN)


def require_met(found: Array, y: Array) -> None:
    """Raises DataError where a function that should meet its data misses them by more than rounding does."""
    if not np.abs(found - y).max() <= np.sqrt(EPS) * np.abs(y).max():  # half the digits are lost
        raise DataError(UNEVEN)


@contextmanager
def in_doubles() -> Iterator[None]:
    """Raises DataError where a number inside exceeds all doubles; what is not finite is not warned of, but refused."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (OverflowError, np.linalg.LinAlgError):
        raise DataError(UNEVEN) from None


UNEVEN = "what is fitted exceeds floating point: the data are too large, or too close together; bring X and y near 1"
