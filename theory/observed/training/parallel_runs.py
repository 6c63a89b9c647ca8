"""Observed: parallel networks of one input without biases, (40)-(43), trained on the regularised loss (48)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SPREAD = 1.5
"""Standard deviation of a layer's product with an input of length 1. From much less, sub-networks of three layers and
more fall to zero: there the penalty, a square, is larger than what the loss gains, a product of all layers."""


def shapes(depth: int, width: int) -> list[tuple[int, int]]:
    """The matrices of a sub-network: L - 1 of them, the last with one row; the output weight as one more."""
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
) -> tuple[float, list[Any]]:
    """The objective (48) where L-BFGS ends from one random start, and Σ of squared weights of each layer there."""
    import numpy as np
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    size = count, depth, width
    given = *size, np.asarray(x, dtype=float), np.asarray(y, dtype=float), lam
    found = minimize(
        objective, start(rng, *size), args=given, jac=True, method="L-BFGS-B",
        options={"maxiter": 3000, "maxfun": 6000, "ftol": 1e-15, "gtol": 1e-10, "maxcor": 20},
    )  # fmt: skip
    return float(found.fun), [float((layer**2).sum()) for layer in layers_of(found.x, *size)]
