"""Exact functions of one number, at each entry of an array of doubles."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def at_each(function: Callable[[Fraction], Fraction], x: Array) -> Array:
    """The values in doubles, shaped as x: NaN at NaN. Each entry is taken as the exact number that it is.

    >>> at_each(lambda t: t / 3, np.array([1.0, np.nan]))
    array([0.33333333,        nan])
    """
    places = np.asarray(x, dtype=np.float64)
    values = [np.nan if np.isnan(place) else float(function(Fraction(float(place)))) for place in places.ravel()]
    return np.array(values, dtype=np.float64).reshape(places.shape)
