"""Data of one input, each place once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Averaged:
    """Data in order of x, each x once.

    y       the mean of the targets at x: no function comes nearer to them in squares
    counts  how many there were
    within  Σ(target - mean)² of all data, what no function can meet
    """

    x: Array
    y: Array
    counts: Array
    within: float


def averaged(x: Array, y: Array, name: str, at_least: int = 2) -> Averaged:
    """The data in order. Raises DataError, with the estimator's name, for fewer than `at_least` different x."""
    places, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    if len(places) < at_least:
        raise DataError(
            f"{name} needs {at_least} different x at least: got n_samples={len(x)} with {len(places)} different x"
        )
    sums = np.bincount(inverse, weights=y)
    means = np.where(counts == 1, sums, sums / counts)
    within = float(((y - means[inverse]) ** 2).sum())
    return Averaged(places, means, counts.astype(np.float64), within)
