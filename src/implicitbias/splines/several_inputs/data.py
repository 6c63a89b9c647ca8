"""Data with several inputs: checked, and repeated ones taken together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Distinct:
    """Distinct inputs X (M, d), in the order in which they first appear, the mean y of the data at each, (M,), and how
    many there are; `place` (N,) says which of them each datum is. The square loss of the data is that of the means,
    weighted by `count`, and a constant."""

    X: Array
    y: Array
    count: Array
    place: NDArray[np.intp]


def distinct(X: ArrayLike, y: ArrayLike) -> Distinct:
    """The data. Raises DataError unless X is (N, d) and y (N,), all finite."""
    inputs, target = rows(X), _numbers(y, "y")
    if target.shape != (len(inputs),):
        raise DataError(f"y must hold one number for each of the {len(inputs)} rows of X: its shape is {target.shape}")
    _require_finite(target, "y")
    if not inputs.size:
        raise DataError(f"there are no data: X has the shape {inputs.shape}")
    _, first, place = np.unique(inputs, axis=0, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))[place.reshape(-1)]
    count = np.bincount(place).astype(np.float64)
    return Distinct(inputs[np.sort(first)], np.bincount(place, target) / count, count, place)


def rows(X: ArrayLike) -> Array:
    """Inputs as (N, d)."""
    inputs = _numbers(X, "X")
    if inputs.ndim != 2:
        raise DataError(f"X must have the shape (N, d), a row for each datum: got {inputs.shape}")
    _require_finite(inputs, "X")
    return inputs + 0.0  # no negative zeros, which would be distinct


def _numbers(given: ArrayLike, name: str) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name} must be an array of numbers") from None


def _require_finite(values: Array, name: str) -> None:
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        place = ", ".join(map(str, bad[0]))
        raise DataError(f"{name} must hold finite numbers: {name}[{place}] is {values[tuple(bad[0])]}")
