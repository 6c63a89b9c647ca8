"""Which units are active at which data, exactly, and the activation patterns that the data meet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.dyadic import product, total
from implicitbias.networks.quantity import Quantity, Section
from implicitbias.networks.weights import EPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.samples import Samples
    from implicitbias.networks.weights import Weights

    Array = NDArray[np.float64]

MOST = 200_000_000
"""Units times data that are looked at: some ten seconds."""
BLOCK = 2_000_000
"""Units times data that are held at once."""


def sides(weights: Weights, samples: Samples) -> Iterator[tuple[int, NDArray[np.int8]]]:
    """(first datum, signs of ⟨w_j, x_i⟩ + b_j) for blocks of data, exactly: in doubles where they decide.

    Raises DataError for too many units and data.
    """
    n, count = len(weights.w), len(samples)
    if n * count > MOST:
        raise DataError(f"{n} units and {count} points are more than are looked at, {MOST} pairs")
    step = max(1, BLOCK // n)
    for first in range(0, count, step):
        x = samples.x[first : first + step]
        heights = x @ weights.w.T + weights.b
        # each x is rounded once, each product once, and sums of d + 1 terms at most d times
        bound = (weights.w.shape[1] + 3) * EPS * (np.abs(x) @ np.abs(weights.w).T + np.abs(weights.b))
        signs = np.sign(heights).astype(np.int8)
        for i, j in np.argwhere(np.abs(heights) <= bound).tolist():
            at = samples.row(first + i)
            terms = (Fraction(w) * t for w, t in zip(weights.w[j].tolist(), at, strict=True))
            exactly = sum(terms, Fraction(weights.b[j].item()))
            signs[i, j] = (exactly > 0) - (exactly < 0)
        yield first, signs


def exact_values(weights: Weights, output: int, samples: Samples) -> list[Fraction]:
    """One output at the data: ⟨Σ v w, x⟩ + Σ v b over the active units, plus c."""
    v, c = weights.v[:, output], Fraction(float(weights.c[output]))
    found = []
    for first, signs in sides(weights, samples):
        for i, on in enumerate(signs > 0):
            slopes = [total(product(v[on], column[on])) for column in weights.w.T]
            x = samples.row(first + i)
            rise = sum((slope * t for slope, t in zip(slopes, x, strict=True)), Fraction(0))
            found.append(rise + total(product(v[on], weights.b[on])) + c)
    return found


def section(weights: Weights, samples: Samples) -> Section:
    """How many patterns the data meet, and the units that bend between none of them."""
    n = len(weights.w)
    patterns: set[bytes] = set()
    ever, always, live, touching = np.zeros(n, bool), np.ones(n, bool), 0, 0
    try:
        for _, signs in sides(weights, samples):
            active = signs > 0
            patterns.update(row.tobytes() for row in np.packbits(active, axis=1))
            ever |= active.any(axis=0)
            always &= active.all(axis=0)
            live += int(active.sum())
            touching += int((signs == 0).sum())
    except DataError as error:
        return Section("Activation patterns at the data", (Quantity("patterns", "patterns", None, note=str(error)),))
    count = len(samples)
    return Section(
        "Activation patterns at the data",
        (
            Quantity("points", "points", count),
            Quantity("patterns", "patterns", len(patterns), "different sets of active units", "exact"),
            Quantity("active_share", "active", live / (n * count), "share of units that are active, on average"),
            Quantity("dead_at_data", "dead units", int((~ever).sum()), "active at no datum", "exact"),
            Quantity("kinks_at_data", "kinks at data", touching, "units and data with ⟨w, x⟩ + b = 0", "exact"),
            Quantity("linear_at_data", "linear units", int(always.sum()), "active at every datum", "exact"),
        ),
    )
