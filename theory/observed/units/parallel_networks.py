"""Observed: the bias-free parallel networks of Appendix C and the cost of their weights, in exact arithmetic.

A sub-network is a list of L-1 matrices (lists of rows); a network is a list of (output weight, sub-network) pairs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

Matrix = list[list[Fraction]]
SubNetwork = list[Matrix]
ParallelNetwork = list[tuple[Fraction, SubNetwork]]

UNIT_VECTORS: dict[int, tuple[tuple[Fraction, ...], ...]] = {
    1: ((Fraction(1),), (Fraction(-1),)),
    2: ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13)), (Fraction(8, 17), Fraction(-15, 17))),
    4: (
        (Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(-1, 2)),
        (Fraction(1, 5), Fraction(2, 5), Fraction(2, 5), Fraction(4, 5)),
        (Fraction(2, 9), Fraction(-4, 9), Fraction(5, 9), Fraction(6, 9)),
        (Fraction(1, 10), Fraction(7, 10), Fraction(1, 10), Fraction(7, 10)),
    ),
}
"""Rational vectors of Euclidean norm 1 by number of entries, used as entries of normalised matrices."""


def forward(sub: SubNetwork, x: Sequence[Fraction]) -> Fraction:
    """v(W, x), (41)-(42), a scalar: every layer is followed by a ReLU, including the last."""
    z = list(x)
    for matrix in sub:
        z = [max(sum((w * t for w, t in zip(row, z, strict=True)), Fraction(0)), Fraction(0)) for row in matrix]
    return z[0]


def output(network: ParallelNetwork, x: Sequence[Fraction]) -> Fraction:
    """h(x) = Σ w_i v(W_i, x), (40)."""
    return sum((w * forward(sub, x) for w, sub in network), Fraction(0))


def squared_norm(matrix: Matrix) -> Fraction:
    return sum((w * w for row in matrix for w in row), Fraction(0))


def squared_weight(weight: Fraction, sub: SubNetwork) -> Fraction:
    """α², from (50): |w|² Π ‖W_l‖²."""
    product = weight * weight
    for matrix in sub:
        product *= squared_norm(matrix)
    return product


def cost(network: ParallelNetwork, depth: int) -> Fraction:
    """C_L = (1/L) (Σ w_i² + Σ_i Σ_l ‖W_i^(l)‖_F²), (43)."""
    total = sum((w * w + sum(map(squared_norm, sub), Fraction(0)) for w, sub in network), Fraction(0))
    return total / depth


def scaled(sub: SubNetwork, factors: Sequence[Fraction]) -> SubNetwork:
    return [[[f * w for w in row] for row in matrix] for f, matrix in zip(factors, sub, strict=True)]


def normalised_sub_network(draw: random.Random, depth: int, inputs: int, width: int) -> SubNetwork:
    """L-1 random rational matrices, each of Frobenius norm exactly 1."""

    def matrix(rows: int, columns: int) -> Matrix:
        entries = list(draw.choice(UNIT_VECTORS[rows * columns]))
        draw.shuffle(entries)
        return [entries[r * columns : (r + 1) * columns] for r in range(rows)]

    if depth == 2:
        return [matrix(1, inputs)]
    inner = [matrix(width, width) for _ in range(depth - 3)]
    return [matrix(width, inputs), *inner, matrix(1, width)]
