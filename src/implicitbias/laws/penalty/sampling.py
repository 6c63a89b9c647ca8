"""zeta by drawing neurons: the mean of zeta over an interval is E[W² 1{C in it}] over its length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.laws.one.law import Array, Shape

Sampler = Callable[[Shape, np.random.Generator], tuple[Array, Array]]

BATCH = 1 << 20


@dataclass(frozen=True)
class SampledZeta:
    """Estimates of the mean of zeta over each bin.

    edges            of the bins, increasing, one more than there are bins
    mean             of W² 1{C in bin}/length
    standard_error   of that mean; meaningful where E[W⁴] is finite
    draws            neurons drawn
    """

    edges: Array
    mean: Array
    standard_error: Array
    draws: int


def zeta_by_sampling(sample: Sampler, edges: ArrayLike, draws: int, rng: np.random.Generator) -> SampledZeta:
    """The mean of zeta over each interval between the edges, from this many draws of (W, B).

    It uses nothing but the draws: no density, no formula.

    >>> def signs(shape, rng): return rng.choice([-1.0, 1.0], shape), rng.uniform(-2, 2, shape)
    >>> found = zeta_by_sampling(signs, [0, 1], 10_000, np.random.default_rng(0))
    >>> bool(abs(found.mean[0] - 0.25) < 5 * found.standard_error[0])
    True
    """
    ends = np.asarray(edges, float)
    if ends.ndim != 1 or ends.size < 2 or not (np.diff(ends) > 0).all() or not np.isfinite(ends).all():
        raise DataError("the edges of the bins must be two or more increasing numbers")
    if draws < 2:
        raise DataError(f"draws must be at least 2, got {draws}")
    total, square = np.zeros(ends.size - 1), np.zeros(ends.size - 1)
    left = draws
    while left:
        size = min(left, BATCH)
        w, b = sample(size, rng)
        with np.errstate(divide="ignore", invalid="ignore"):
            kinks = np.where(w == 0, np.nan, -b / w)
        kept = np.isfinite(kinks)
        total += np.histogram(kinks[kept], ends, weights=w[kept] ** 2)[0]
        square += np.histogram(kinks[kept], ends, weights=w[kept] ** 4)[0]
        left -= size
    lengths = np.diff(ends)
    mean = total / draws
    variance = np.maximum(square / draws - mean**2, 0) / (draws - 1)
    return SampledZeta(ends, mean / lengths, np.sqrt(variance) / lengths, draws)
