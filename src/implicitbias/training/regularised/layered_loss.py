"""The regularised loss of a ReLU network of any depth and its gradient, compiled: one call of L-BFGS-B takes 20 µs.

The parameters lie in one array, layer by layer: W_l (units, inputs) row by row, then b_l.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@compiled
def value_and_gradient(
    flat: Array, sizes: NDArray[np.int64], x: Array, y: Array, lam: float, bias_penalty: float
) -> tuple[float, Array]:
    """Σ (h(x_n) - y_n)² + λ (C + bias_penalty · ½ Σ b²), without the output bias in Σ b², and its gradient.

    C = (1/L) Σ_l ‖W_l‖_F²; sizes are the numbers of inputs, of units of each hidden layer, and of outputs.
    """
    depth, n, widest = sizes.shape[0] - 1, x.shape[0], sizes.max()
    values = np.zeros((depth + 1, widest, n))
    for j in range(n):
        values[0, 0, j] = x[j]
    starts = np.zeros(depth, np.int64)
    start = 0
    for layer in range(depth):
        inputs, units = sizes[layer], sizes[layer + 1]
        starts[layer] = start
        biases = start + units * inputs
        for i in range(units):
            out = values[layer + 1, i]
            for j in range(n):
                out[j] = flat[biases + i]
            for k in range(inputs):
                weight, into = flat[start + i * inputs + k], values[layer, k]
                for j in range(n):
                    out[j] += weight * into[j]
            if layer < depth - 1:
                for j in range(n):
                    out[j] = max(out[j], 0.0)
        start = biases + units
    gradient = np.empty(flat.shape[0])
    back, further = np.zeros((widest, n)), np.zeros((widest, n))
    total = 0.0
    for j in range(n):
        residual = values[depth, 0, j] - y[j]
        total += residual * residual
        back[0, j] = 2.0 * residual
    for layer in range(depth - 1, -1, -1):
        inputs, units = sizes[layer], sizes[layer + 1]
        start = starts[layer]
        biases = start + units * inputs
        for k in range(inputs):
            for j in range(n):
                further[k, j] = 0.0
        for i in range(units):
            slope = 0.0
            for j in range(n):
                slope += back[i, j]
            if layer < depth - 1:
                bias = flat[biases + i]
                total += 0.5 * lam * bias_penalty * bias * bias
                slope += lam * bias_penalty * bias
            gradient[biases + i] = slope
            for k in range(inputs):
                at, into = start + i * inputs + k, values[layer, k]
                weight = flat[at]
                total += lam * weight * weight / depth
                product = 0.0
                for j in range(n):
                    product += back[i, j] * into[j]
                    further[k, j] += weight * back[i, j]
                gradient[at] = product + 2.0 * lam * weight / depth
        for k in range(inputs):
            for j in range(n):
                back[k, j] = further[k, j] if values[layer, k, j] > 0 else 0.0
    return total, gradient
