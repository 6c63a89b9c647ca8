"""Observed: ReLU networks of any depth, all parameters trained on regularised interpolation, in float64.

min over all weights W_l and biases of Σ (h(x_n) - y_n)² + λ C, C = (1/L) Σ_l ‖W_l‖_F², which is ½ Σ(v² + w²) for L = 2.
The minimiser is L-BFGS; before each run, adjacent layers are rescaled unit by unit to equal norms, which preserves
the function and lowers the cost. Gradient and minimiser are compiled (`layered_loss`, `quasi_newton`; tests compare
them with torch's and scipy's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Layers = list[tuple[Array, Array]]


MEMORY, FALL, STEEPNESS = 30, 1e-16, 1e-13
"""Of L-BFGS: steps that it remembers, and where it stops."""


@dataclass(frozen=True)
class Trained:
    """layers: (W_l, b_l), W_l of shape (units, inputs); objective = loss + λ·cost as above (+ the penalty on b)."""

    layers: Layers
    objective: float
    loss: float
    cost: float
    evaluations: int


def forward(layers: Layers, x: Array) -> Array:
    """h at the points x, with a ReLU after every layer except the last."""
    import numpy as np

    values: Array = np.asarray(x, dtype=float)[None, :]
    for weights, biases in layers[:-1]:
        values = np.maximum(weights @ values + biases[:, None], 0)
    weights, biases = layers[-1]
    result: Array = (weights @ values + biases[:, None])[0]
    return result


def rebalanced(layers: Layers) -> Layers:
    """The same function, rescaled so that each hidden unit's incoming and outgoing weights have equal norms."""
    import numpy as np

    layers = [(weights.copy(), biases.copy()) for weights, biases in layers]
    for (weights, biases), (following, _) in pairwise(layers):
        incoming, outgoing = np.linalg.norm(weights, axis=1), np.linalg.norm(following, axis=0)
        alive = (incoming > 0) & (outgoing > 0)
        scale = np.where(alive, np.sqrt(np.where(alive, outgoing, 1) / np.where(alive, incoming, 1)), 1.0)
        weights *= scale[:, None]
        biases *= scale
        following /= scale[None, :]
    return layers


def started(x: Sequence[float], hidden: Sequence[int], seed: int) -> Layers:
    """Random layers: kinks of the first within the data's range ± 15%, further hidden layers at He's scale."""
    import numpy as np

    rng = np.random.default_rng(seed)
    low, high = min(x), max(x)
    margin = 0.15 * (high - low)
    w = np.abs(rng.normal(0, 0.5, hidden[0])) * rng.choice([-1.0, 1.0], hidden[0])
    layers = [(w[:, None], -w * rng.uniform(low - margin, high + margin, hidden[0]))]
    for inputs, units in pairwise(hidden):
        layers.append((rng.normal(0, np.sqrt(2 / inputs), (units, inputs)), np.zeros(units)))
    layers.append((rng.normal(0, 0.5 / np.sqrt(hidden[-1]), (1, hidden[-1])), np.zeros(1)))
    return layers


def train(
    x: Sequence[float],
    y: Sequence[float],
    hidden: Sequence[int],
    lam: float,
    seed: int,
    *,
    runs: int = 4,
    iterations: int = 3000,
    warm_up: int = 0,
    bias_penalty: float = 0.0,
) -> Trained:
    """Train from a random start with the numbers of units per layer in `hidden`.

    runs          number of L-BFGS runs; the layers are rebalanced before each
    iterations    maximum number of iterations per run
    warm_up       initial Adam steps with λ decreasing to its value (deeper networks stall without them)
    bias_penalty  see `value_and_gradient`; if nonzero, the layers are not rebalanced
    """
    import numpy as np

    from implicitbias.training.regularised.adam import adam
    from implicitbias.training.regularised.layered_loss import value_and_gradient
    from implicitbias.training.regularised.quasi_newton import minimise

    layers = started(x, hidden, seed)
    points, labels = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    shapes = [array.shape for layer in layers for array in layer]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    sizes = np.array([1, *hidden, 1])

    def flatten(found: Layers) -> Array:
        return np.concatenate([array.ravel() for layer in found for array in layer])

    def unflatten(flat: Array) -> Layers:
        arrays = [piece.reshape(shape) for piece, shape in zip(np.split(flat, ends), shapes, strict=True)]
        return list(zip(arrays[::2], arrays[1::2], strict=True))

    flat = flatten(layers)
    evaluations = warm_up
    for factor, share in ((100, warm_up // 4), (10, warm_up // 4), (1, warm_up // 2)):
        adam(flat, sizes, points, labels, factor * lam, bias_penalty, share)
    for _ in range(runs):
        if bias_penalty == 0:
            flat = flatten(rebalanced(unflatten(flat)))
        evaluations += minimise(
            flat, sizes, points, labels, lam, bias_penalty, MEMORY, iterations, 2 * iterations, FALL, STEEPNESS
        )
    layers = unflatten(flat) if bias_penalty else rebalanced(unflatten(flat))
    loss = float(((forward(layers, points) - labels) ** 2).sum())
    cost = sum(float((weights**2).sum()) for weights, _ in layers) / len(layers)
    objective, _ = value_and_gradient(flatten(layers), sizes, points, labels, lam, bias_penalty)
    return Trained(layers, objective, loss, cost, evaluations)
