"""Gradient flow on points of equal mass with alternating labels, the distribution of Theorem 3.2's construction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, Any

from .flows import first_phase
from .frozen_features import separate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Start:
    """Points, labels and weights before training; see `start`."""

    x: Array
    y: Array
    w: Array
    b: Array
    v: Array

    @cached_property
    def separable(self) -> bool:
        """Whether output weights on the first features classify the points, by a programme in rationals."""
        return separate(self.w, self.b, self.x, self.y)


def start(m: int, k: int, seed: int, scale: float) -> Start:
    """A draw of k units on x_i = tan(π i/(2(m + 2))), i = 1, …, m + 1, with labels 1, -1, 1, ….

    w, b ~ N(0, σ_h²) with σ_h = `scale`, v ~ N(0, σ_o²) with σ_o = 1/(4 k σ_h log(12 k)), which is (3) for R = 1 and
    δ = 1/2.
    """
    import numpy as np

    rng, i = np.random.default_rng(seed), np.arange(m + 1)
    x, y = np.tan(np.pi * (i + 1) / (2 * (m + 2))), (-1.0) ** i
    w, b = scale * rng.normal(size=(2, k))
    v = rng.normal(size=k) / (4 * k * scale * log(12 * k))
    return Start(*(np.asarray(part, dtype=np.float64) for part in (x, y, w, b, v)))


def alternating_run(at: Start, loss: str, level: float, steps: int) -> dict[str, Any]:
    """Run at most `steps` steps of the flow itself on all parameters, or until the mean loss is `level` or less.

    The sample holds every point once: its loss is that of the distribution with equal masses. The dead units are those
    with w, b < 0.
    """
    from implicitbias.training.flows.classification_flow import sample, units

    data = sample(at.x, at.y)
    course, reached = first_phase(units(at.w, at.b, at.v, data), data, loss, level, steps)
    end, dead = course.units, (at.w < 0) & (at.b < 0)
    moved = (end.w != at.w) | (end.b != at.b) | (end.v != at.v)
    return {
        "dead": int(dead.sum()),
        "dead that moved": int((dead & moved).sum()),
        "separable": at.separable,
        "reached": reached,
        "reason": course.reason,
    }
