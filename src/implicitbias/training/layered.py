"""Fully connected ReLU networks of any depth, for the engines `layerwise` and `dense`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.evaluation import inputs_of
from implicitbias.training.given import reals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayeredNetwork:
    """f(x) = A_L [A_{L-1} [... [A_1 x + a_1]_+ ...]_+ + a_{L-1}]_+ + a_L.

    weights  L matrices A_l of shape (out, in), for a batch (seeds, out, in)
    biases   L vectors a_l of shape (out,), for a batch (seeds, out)

    >>> f = LayeredNetwork([[[1.0], [-1.0]], [[1.0, 1.0]]], [[0.0, 0.0], [0.5]])
    >>> f(np.array([[-2.0], [3.0]]))
    array([[2.5],
           [3.5]])
    """

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    def __post_init__(self) -> None:
        weights = tuple(reals("weights", a) for a in self.weights)
        biases = tuple(reals("biases", a) for a in self.biases)
        if len(weights) != len(biases) or not weights:
            raise DataError(f"one bias per layer is needed: got {len(weights)} weights and {len(biases)} biases")
        for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            if weight.ndim not in (2, 3) or bias.shape != weight.shape[:-1]:
                raise DataError(f"layer {i}: weights {weight.shape} need biases {weight.shape[:-1]}: got {bias.shape}")
            if i and (weight.shape[-1] != weights[i - 1].shape[-2] or weight.shape[:-2] != weights[0].shape[:-2]):
                raise DataError(f"layer {i}: weights {weight.shape} do not follow {weights[i - 1].shape}")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "biases", biases)

    @property
    def seeds(self) -> int | None:
        """The number of networks of a batch; None for a single network."""
        return int(self.weights[0].shape[0]) if self.weights[0].ndim == 3 else None

    @property
    def inputs(self) -> int:
        """d, the dimension of the inputs."""
        return int(self.weights[0].shape[-1])

    @property
    def outputs(self) -> int:
        """k, the dimension of the outputs."""
        return int(self.weights[-1].shape[-2])

    def __call__(self, x: ArrayLike) -> Array:
        """f(x) for x of shape (Q, d): shape (Q, k), for a batch (seeds, Q, k); at one x (d,) without the axis Q."""
        z, one = inputs_of(self.inputs, x)
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            z = (np.maximum(z, 0.0) if i else z) @ np.swapaxes(weight, -1, -2) + bias[..., None, :]
        return z[..., 0, :] if one else z
