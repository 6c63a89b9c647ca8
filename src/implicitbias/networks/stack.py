"""A ReLU network as its weights: affine maps with ReLUs between them, every number an exact double."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.two_layer import TwoLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGEST, SMALLEST = 1e150, 1e-150
"""Sizes of weights that are taken, as of data: products of two of them stay within doubles."""

MOST_PARAMETERS = 50_000_000


@dataclass(frozen=True)
class Origin:
    """Where a network comes from.

    source   a file, or the type of an object
    form     how it was read: "torch module", "safetensors", …
    dtype    of the numbers, as they are kept there
    remarks  what a reader of the result should know about the reading
    """

    source: str
    form: str
    dtype: str = "float64"
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Stack:
    """x -> A_L [… [A_2 [A_1 x + a_1]_+ + a_2]_+ …] + a_L.

    weights  A_l, (outputs of the layer, inputs of the layer)
    biases   a_l, or None for a layer without
    """

    weights: tuple[Array, ...]
    biases: tuple[Array | None, ...]
    origin: Origin

    @property
    def inputs(self) -> int:
        return int(self.weights[0].shape[1])

    @property
    def outputs(self) -> int:
        return int(self.weights[-1].shape[0])

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of units of each hidden layer."""
        return tuple(int(matrix.shape[0]) for matrix in self.weights[:-1])

    @property
    def parameters(self) -> int:
        """The number of weights and biases."""
        return sum(matrix.size for matrix in self.weights) + sum(b.size for b in self.biases if b is not None)

    def bias(self, layer: int) -> Array:
        """a_l, zeros for a layer without."""
        given = self.biases[layer]
        return np.zeros(len(self.weights[layer])) if given is None else given

    def __call__(self, x: Array) -> Array:
        """f(x), (M, k), for x of the shape (M, d), in doubles."""
        for layer, matrix in enumerate(self.weights[:-1]):
            x = np.maximum(x @ matrix.T + self.bias(layer), 0.0)
        found: Array = x @ self.weights[-1].T + self.bias(-1)
        return found

    def sizes(self, x: Array) -> Array:
        """Of each output the sum of the sizes of all that is added up for it, (M, k): what rounding is relative to."""
        x = np.abs(x)
        for layer, matrix in enumerate(self.weights):
            x = x @ np.abs(matrix).T + np.abs(self.bias(layer))
        return x

    @property
    def two_layer(self) -> TwoLayer:
        """The same network, w (n, d) and v (n, k). For two layers alone."""
        first, second = self.weights
        return TwoLayer(first, self.bias(0), np.ascontiguousarray(second.T), self.bias(1))


def stack(weights: Sequence[Any], biases: Sequence[Any], origin: Origin) -> Stack:
    """The network with these matrices and biases. Raises DataError for shapes that do not fit and strange numbers."""
    if len(weights) < 2:
        raise DataError(f"{origin.source} holds one linear layer: a network with a ReLU has two at least")
    matrices: list[Array] = []
    offsets: list[Array | None] = []
    for n, (weight, bias) in enumerate(zip(weights, biases, strict=True), 1):
        matrix = _numbers(weight, f"{origin.source}: the weights of layer {n}")
        if matrix.ndim != 2 or 0 in matrix.shape:
            raise DataError(f"{origin.source}: the weights of layer {n} have the shape {matrix.shape}, not a matrix's")
        if matrices and matrix.shape[1] != len(matrices[-1]):
            raise DataError(
                f"{origin.source}: layer {n} takes {matrix.shape[1]} inputs, and layer {n - 1} has "
                f"{len(matrices[-1])} outputs"
            )
        offset = None if bias is None else _numbers(bias, f"{origin.source}: the biases of layer {n}")
        if offset is not None and offset.shape != (len(matrix),):
            raise DataError(
                f"{origin.source}: layer {n} has {len(matrix)} outputs, and biases of the shape {offset.shape}"
            )
        matrices.append(matrix)
        offsets.append(offset)
    found = Stack(tuple(matrices), tuple(offsets), origin)
    if found.parameters > MOST_PARAMETERS:
        raise DataError(f"{origin.source} has {found.parameters} parameters: at most {MOST_PARAMETERS} are read")
    return found


def _numbers(given: Any, name: str) -> Array:
    array = np.array(given, dtype=np.float64)
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise DataError(f"{name} must be finite: {list(where)} is {array[where]}")
    sizes = np.abs(array[array != 0])
    if sizes.size and (sizes.max() > LARGEST or sizes.min() < SMALLEST):
        strange = float(sizes.max() if sizes.max() > LARGEST else sizes.min())
        raise DataError(f"{name} must be 0 or of sizes from {SMALLEST:g} to {LARGEST:g}: one is {strange:g}")
    return array
