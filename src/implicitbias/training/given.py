"""Arguments of `train` as they are given: read, or refused by an error that names the argument and what it takes."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def number(name: str, given: Any) -> float:
    """A real number, not NaN."""
    if isinstance(given, bool) or not isinstance(given, numbers.Real) or np.isnan(float(given)):
        raise DataError(f"{name} must be a number: got {given!r}")
    return float(given)


def count(name: str, given: Any, least: int = 0) -> int:
    """An integer, no less than `least`."""
    if isinstance(given, bool) or not isinstance(given, numbers.Integral):
        raise DataError(f"{name} must be an integer: got {given!r}")
    if given < least:
        raise DataError(f"{name} must {f'be at least {least}' if least else 'not be negative'}: got {given}")
    return int(given)


def reals(name: str, given: Any) -> Array:
    """An array of doubles."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name} must be numbers in an array, rows of one length: got {type(given).__name__}") from None
