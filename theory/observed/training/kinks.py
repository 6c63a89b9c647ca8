"""Observed: positions of a trained network's kinks, their evenness, and where an additional kink would help most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CELLS = 100
"""Number of cells of [-1, 1] over which the mass of the kinks is binned."""


MISSING, PRESENT = 0.02, 0.05
"""Kinks are missing if at most the first share of those at the start is left, present if more than the second is."""


def number_between(w: Array, b: Array, interval: tuple[float, float]) -> int:
    """The number of units whose kink is strictly inside the interval."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        kinks = -b / w
    return int(((kinks > interval[0]) & (kinks < interval[1])).sum())


def effective_cells(w: Array, b: Array, mass: Array) -> float:
    """exp of the entropy of the mass over the cells of [-1, 1]: CELLS if it is even, 1 if it lies in one cell."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        kinks = -b / w
    inside = np.abs(kinks) <= 1
    found, _ = np.histogram(kinks[inside], bins=CELLS, range=(-1, 1), weights=mass[inside])
    p = found[found > 0] / found.sum()
    return float(np.exp(-(p * np.log(p)).sum()))


def steepest_kink(x: Array, residual: Array) -> tuple[float, float]:
    """(c, height): the maximiser c in [-1, 1] of (2/n)|Σ r_i [±(x_i - c)]_+|/√(1 + c²), and the maximum.

    A new unit with weights near 0 grows fastest with this kink: as e^{height · t} in training time t. At a minimum over
    all measures the height is 0 everywhere (Chizat and Bach, 2018).
    """
    import numpy as np

    grid = np.linspace(-1, 1, 4001)
    gap = x[None, :] - grid[:, None]
    heights = np.maximum(
        np.abs(np.maximum(gap, 0) @ residual), np.abs(np.maximum(-gap, 0) @ residual)
    ) * (2 / x.size / np.sqrt(1 + grid**2))  # fmt: skip
    at = int(np.argmax(heights))
    return float(grid[at]), float(heights[at])


def left_of(numbers: Sequence[int]) -> str:
    """Whether the kinks that were there at the start are missing, few or present."""
    start, end = numbers
    return "missing" if end <= MISSING * start else "present" if end > PRESENT * start else "few"


def majority(answers: Sequence[str]) -> str:
    """The answer of more than half of them, else "mixed"."""
    answer, times = Counter(answers).most_common(1)[0]
    return answer if 2 * times > len(answers) else "mixed"
