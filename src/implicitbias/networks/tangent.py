"""How a two-layer network's outputs at the data change with its parameters: gradients, and the loss's Hessian."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.losses import Loss
    from implicitbias.networks.samples import Samples
    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]

MOST = 20_000_000
"""Numbers of the matrix of gradients: 160 MB."""


class Tangent:
    """θ = (w, b, v, c) flat, biases where the network has them, and J = ∂f(x_i)/∂θ; 0 is a ReLU's derivative at 0.

    Raises DataError where J has too many numbers.
    """

    def __init__(self, network: Stack, samples: Samples) -> None:
        two = network.two_layer
        self.w, self.v, self.x = two.w, two.v, samples.x
        self.has = (True, network.biases[0] is not None, True, network.biases[1] is not None)
        self.parameters = network.parameters
        size = len(samples) * network.outputs * self.parameters
        if size > MOST:
            raise DataError(
                f"{len(samples)} points, {network.outputs} outputs and {self.parameters} parameters make {size} "
                f"derivatives, and {MOST} at most are taken"
            )
        self.theta = np.concatenate(
            [part.reshape(-1) for part, has in zip((two.w, two.b, two.v, two.c), self.has, strict=True) if has]
        )
        self.heights = self.x @ two.w.T + two.b
        self.active = (self.heights > 0).astype(float)
        self.values = np.maximum(self.heights, 0) @ two.v + two.c

    @cached_property
    def jacobian(self) -> Array:
        """J, (M, k, P)."""
        count, outputs = self.values.shape
        bend = self.active[:, None, :] * self.v.T  # (M, k, n): ∂f/∂b
        identity = np.eye(outputs)
        out = np.maximum(self.heights, 0)[:, None, :, None] * identity[:, None, :]  # (M, k, n, k)
        ones = np.broadcast_to(identity, (count, outputs, outputs))
        blocks = (bend[..., None] * self.x[:, None, None, :], bend, out, ones)
        flat = [block.reshape(count, outputs, -1) for block, has in zip(blocks, self.has, strict=True) if has]
        return np.concatenate(flat, axis=2)

    def gauss_newton(self, loss: Loss) -> Array:
        """Jᵀ ℓ″ J, (P, P)."""
        J = self.jacobian
        return np.asarray(np.einsum("ikp,ikl,ilq->pq", J, loss.curvature, J, optimize=True))

    def hessian(self, loss: Loss) -> Array:
        """∂²/∂θ² of the loss: Jᵀ ℓ″ J, and Σ ℓ′ ∂²f between each unit's v and its (w, b)."""
        H = self.gauss_newton(loss)
        n, d = self.w.shape
        outputs = self.v.shape[1]
        between = np.einsum(
            "ik,ij,id->jkd", loss.gradient, self.active, np.column_stack([self.x, np.ones(len(self.x))])
        )
        start = n * d + (n if self.has[1] else 0)
        for j in range(n):
            rows = slice(start + j * outputs, start + (j + 1) * outputs)
            columns = [*range(j * d, (j + 1) * d), *([n * d + j] if self.has[1] else [])]
            H[rows, columns] += between[j, :, : len(columns)]
            H[columns, rows] += between[j, :, : len(columns)].T
        return H
