"""Observed: parallel networks of one input without biases, (40)-(43), trained on the regularised loss (48)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.claims import Context, JobOutput, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RUNS = "savarese2019, parallel networks of Appendix C"

SUB_NETWORKS, WIDTH = 6, 3

SPREAD = 1.5
"""Standard deviation of a layer's product with an input of length 1. From much less, sub-networks of three layers and
more fall to zero: there the penalty, a square, is larger than what the loss gains, a product of all layers."""


@dataclass(frozen=True)
class Problem:
    """One-dimensional data on both sides of 0, λ and the number L of layers."""

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    lam: Fraction
    depth: int

    @property
    def label(self) -> str:
        x, y = (", ".join(map(str, z)) for z in (self.x, self.y))
        return f"L = {self.depth}, x = ({x}), y = ({y}), λ = {self.lam}"


def problem(depth: int, x: str, y: str, lam: str) -> Problem:
    return Problem(tuple(map(Fraction, x.split())), tuple(map(Fraction, y.split())), Fraction(lam), depth)


PROBLEMS = (
    problem(3, "-1 1", "4 8", "4"),
    problem(3, "-1 1", "-1 2", "1/2"),
    problem(4, "-1 1", "1 2", "1"),
    problem(4, "-1 1", "-3/10 2", "1"),
    problem(5, "-1 1/2 2", "1/4 1/4 1/2", "1/50"),
    problem(3, "-1 1 2", "1/2 1 3", "1"),
    problem(3, "-2 -1 1 2", "-1 -1 2 1", "1/5"),
    problem(4, "-1 1", "-1 3/2", "3/10"),
    problem(5, "-1 1", "1 1", "3/10"),
)
"""Slopes of one sign, which one sub-network represents, and of two; in the fourth one side is worth no sub-network."""


def parallel_runs(context: Context) -> Sequence[Point]:
    problems, starts = context.choose((5, 12), (len(PROBLEMS), 60))
    return [
        {"problem": i, "seeds": [(context.seed + 7919 * run + 101 * i) % 2**31 for run in range(starts)]}
        for i in range(problems)
    ]


def parallel_job(parameters: Point, device: str) -> JobOutput:
    """The objective where L-BFGS ends from each of the random starts, and the squared norms at the end of the best."""
    task = PROBLEMS[parameters["problem"]]
    x, y = (list(map(float, z)) for z in (task.x, task.y))
    runs = [
        least_objective(x, y, float(task.lam), depth=task.depth, count=SUB_NETWORKS, width=WIDTH, seed=seed)
        for seed in parameters["seeds"]
    ]
    return {**parameters, "objectives": [value for value, _ in runs], "squared_norms": min(runs)[1]}


def shapes(depth: int, width: int) -> list[tuple[int, int]]:
    """The matrices of a sub-network, L >= 3: L - 1 of them, the last with one row; the output weight as one more."""
    return [(width, 1), *[(width, width)] * (depth - 3), (1, width), (1, 1)]


def start(rng: np.random.Generator, count: int, depth: int, width: int) -> Array:
    """The weights of `count` sub-networks, flat: normal, each layer scaled by the root of its number of inputs."""
    import numpy as np

    layers = [SPREAD * rng.normal(size=(count, r, c)) / c**0.5 for r, c in shapes(depth, width)]
    return np.concatenate([layer.ravel() for layer in layers])


def layers_of(flat: Array, count: int, depth: int, width: int) -> list[Array]:
    """The layers (count, rows, columns) that lie one behind another in flat."""
    found, at = [], 0
    for r, c in shapes(depth, width):
        found.append(flat[at : at + count * r * c].reshape(count, r, c))
        at += count * r * c
    return found


def objective(flat: Array, count: int, depth: int, width: int, x: Array, y: Array, lam: float) -> tuple[float, Array]:
    """Σ_n (h(x_n) - y_n)² + λ C_L and its gradient; C_L = (1/L) Σ of all squared weights."""
    import numpy as np

    *inner, outer = layers_of(flat, count, depth, width)
    inputs = [np.broadcast_to(x, (count, 1, x.size))]
    for layer in inner:
        inputs.append(np.maximum(layer @ inputs[-1], 0.0))
    residual = (outer @ inputs[-1]).sum(axis=0)[0] - y
    slopes = [2 * residual @ inputs[-1].transpose(0, 2, 1)]
    back = outer.transpose(0, 2, 1) * (2 * residual)
    for layer, before, after in zip(reversed(inner), reversed(inputs[:-1]), reversed(inputs[1:]), strict=True):
        back = back * (after > 0)
        slopes.append(back @ before.transpose(0, 2, 1))
        back = layer.transpose(0, 2, 1) @ back
    gradient = np.concatenate([s.ravel() for s in reversed(slopes)]) + 2 * lam / depth * flat
    return float(residual @ residual + lam / depth * (flat @ flat)), gradient


def least_objective(
    x: Sequence[float], y: Sequence[float], lam: float, *, depth: int, count: int, width: int, seed: int
) -> tuple[float, list[list[float]]]:
    """The objective (48) where L-BFGS ends from one random start, and for each sub-network the squared norms of its
    layers there, the output weight last."""
    import numpy as np
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    size = count, depth, width
    given = *size, np.asarray(x, dtype=float), np.asarray(y, dtype=float), lam
    found = minimize(
        objective, start(rng, *size), args=given, jac=True, method="L-BFGS-B",
        options={"maxiter": 3000, "maxfun": 6000, "ftol": 1e-15, "gtol": 1e-10, "maxcor": 20},
    )  # fmt: skip
    norms = np.stack([np.square(layer).sum(axis=(1, 2)) for layer in layers_of(found.x, *size)], axis=1)
    return float(found.fun), norms.tolist()
