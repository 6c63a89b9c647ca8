"""Adam (Kingma and Ba 2015) on the regularised loss of a ReLU network (`layered_loss`), in compiled loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled
from implicitbias.training.regularised.layered_loss import value_and_gradient

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RATE = 3e-3
"""The step at the start; it falls to 0 as a cosine."""


def adam(
    flat: Array, sizes: NDArray[np.int64], x: Array, y: Array, lam: float, bias_penalty: float, steps: int
) -> None:
    """So many steps from flat, in place."""
    at = np.arange(1.0, steps + 1.0)
    rates = RATE * (1 + np.cos(np.pi * at / max(steps, 1))) / 2
    first, second = (1 - np.power(decay, at, dtype=np.float64) for decay in (0.9, 0.999))
    _descend(flat, sizes, x, y, lam, bias_penalty, rates, first, second)


@compiled
def _descend(
    flat: Array,
    sizes: NDArray[np.int64],
    x: Array,
    y: Array,
    lam: float,
    bias_penalty: float,
    rates: Array,
    first: Array,
    second: Array,
) -> None:
    n = flat.shape[0]
    mean, square = np.zeros(n), np.zeros(n)
    for k in range(rates.shape[0]):
        _, slope = value_and_gradient(flat, sizes, x, y, lam, bias_penalty)
        for i in range(n):
            mean[i] = 0.9 * mean[i] + 0.1 * slope[i]
            square[i] = 0.999 * square[i] + 0.001 * slope[i] ** 2
            flat[i] -= rates[k] * (mean[i] / first[k]) / (np.sqrt(square[i] / second[k]) + 1e-8)
