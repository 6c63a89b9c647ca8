"""What is said of a network with more than one hidden layer: sizes of its layers and path norms, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact.dyadic import product, total
from implicitbias.networks.quantity import Quantity, Section

if TYPE_CHECKING:
    from implicitbias.networks.stack import Stack


def section(network: Stack) -> Section:
    """Sums over the weights without biases."""
    squares = [total(product(matrix.reshape(-1), matrix.reshape(-1))) for matrix in network.weights]
    absolute = squared = np.ones(network.inputs)
    for matrix in network.weights:
        absolute, squared = np.abs(matrix) @ absolute, matrix**2 @ squared
    norms = tuple(float(square) ** 0.5 for square in squares)
    note = "in doubles"
    return Section(
        "Weights",
        (
            Quantity("squares", "sum of squares", sum(squares) / 2, "½ Σ of all weights', without biases", "exact"),
            Quantity("layer_norms", "layers", norms, "Frobenius norms; equal where layers are balanced", note),
            Quantity("path_norm_1", "path norm", float(absolute.sum()), "Σ over paths of ∏ |weight|", note),
            Quantity("path_norm_2", "in squares", float(squared.sum()) ** 0.5, "√ of Σ over paths of ∏ weight²", note),
        ),
    )
