"""Observed: networks trained on the penalised loss (8) from many random starts at once, and the certified optimum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.convex.variation.bounds import Unit
    from implicitbias.convex.variation.penalised import PenalisedFit
    from implicitbias.training.effective_neurons import Cluster
    from implicitbias.training.penalised import Penalised

WIDTH = 60
SPREAD = 0.5
"""Standard deviation of all parameters at the start for WIDTH neurons, such that f is of order 1. For m neurons it is
multiplied by √(WIDTH/m), and by a further √m if f has the factor 1/m."""


@dataclass(frozen=True)
class Data:
    """x: rows of inputs; y: labels; penalty on the variation, about 0.3 of that at which 0 is the best network."""

    name: str
    x: tuple[tuple[Fraction, ...], ...]
    y: tuple[Fraction, ...]
    penalty: Fraction
    step: float = 0.05

    @property
    def given(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y}


def data(name: str, x: Sequence[Sequence[Any]], y: Sequence[Any], penalty: str, step: float = 0.05) -> Data:
    rows = tuple(tuple(Fraction(value) for value in row) for row in x)
    return Data(name, rows, tuple(map(Fraction, y)), Fraction(penalty), step)


VALLEY = data("three points of a valley", [[-2], [0], [2]], [1, "1/2", 1], "1/4")
OPPOSITE = data(
    "four points with opposite neurons on one active set",
    [["-4/3", "5/4"], ["-4/3", "-5/4"], [4, 1], [4, -1]],
    ["-4/25", "4/25", "5/4", "-5/4"],
    "1/10",
    0.01,
)
"""The best network has the values (0, 0, 1, -1) and the neurons ±(12, ±20, -9)/25, each with its kink on a data point
and both active on the last two points only: y = f + nκp with the dual p = (-2/5, 2/5, 5/8, -5/8). Two inputs are long,
so the step is small."""


DRAWN = (
    ("three points on the line", 1, 0, 3, "0.047"),
    ("eight points on the line", 1, 2, 8, "0.0189"),
    ("five points in the plane", 2, 10, 5, "0.1916"),
    ("seven points in the plane", 2, 11, 7, "0.0419"),
)
"""Name, dimension, seed, n, penalty: inputs uniform on [-2, 2] and sorted, or normal in the plane; normal labels."""


def every() -> tuple[Data, ...]:
    """The hand-made data sets and the randomly drawn ones."""
    import numpy as np

    found = [VALLEY, OPPOSITE]
    for name, d, seed, n, penalty in DRAWN:
        rng = np.random.default_rng(seed)
        x = np.sort(rng.uniform(-2, 2, n))[:, None] if d == 1 else rng.standard_normal((n, d))
        found.append(data(name, x.tolist(), rng.standard_normal(n).tolist(), penalty))
    return tuple(found)


@lru_cache(maxsize=64)
def trained(
    problem: Data,
    decay: Fraction,
    path: Fraction,
    replicas: int,
    steps: int,
    seed: int,
    mean: bool = False,
    width: int = WIDTH,
) -> Penalised:
    """The networks after `steps` steps; `mean`: f with the factor 1/m, as printed in (1) and (8)."""
    import numpy as np

    from implicitbias.training.penalised import train_penalised

    rng = np.random.default_rng(seed)
    size = SPREAD * (WIDTH / width) ** 0.5 * (width**0.5 if mean else 1.0)
    theta = size * rng.normal(size=(replicas, width, len(problem.x[0]) + 1))
    c = size * rng.normal(size=(replicas, width))
    x = [list(map(float, row)) for row in problem.x]
    return train_penalised(
        theta, c, x, list(map(float, problem.y)), decay=float(decay), path=float(path), step=problem.step, steps=steps,
        scale=None if mean else 1.0,
    )  # fmt: skip


@lru_cache(maxsize=64)
def certified(problem: Data, coefficient: Fraction) -> PenalisedFit:
    """The minimum of (1/n)Σ(f - y)² + 2·coefficient·TV, which is twice the loss of (8)."""
    from implicitbias.convex.variation.penalised import penalised_fit

    return penalised_fit(problem.x, problem.y, 2 * coefficient)


def different_units(units: Sequence[Unit]) -> list[Cluster]:
    """The clusters of a certified network's units: cells that share a direction may each have a unit there."""
    import numpy as np

    from implicitbias.training.effective_neurons import clusters

    theta = np.array([[float(v) for v in unit.theta] for unit in units])
    return clusters(theta, np.array([float(unit.c) for unit in units]))


def different_neurons(run: Penalised) -> list[list[Cluster]]:
    """The clusters of each replica's neurons, by `training.effective_neurons.clusters`."""
    from implicitbias.training.effective_neurons import clusters

    return [clusters(theta, c) for theta, c in zip(run.theta, run.c, strict=True)]
