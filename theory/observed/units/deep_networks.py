"""Observed: the piecewise-linear function of a deep ReLU network of one input; exact, or in floats for trained ones.

A network is a list of layers (W, b) with W a list of rows; a ReLU follows every layer except the last.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    from ..training.train import Array, Layers

Rational = Fraction | int
Layer = tuple[Sequence[Sequence[Rational]], Sequence[Rational]]


def exact_function(network: Sequence[Layer]) -> PiecewiseLinear:
    """x -> h(x), by exact operations on piecewise-linear functions.

    >>> from implicitbias.functions.piecewise_linear import PiecewiseLinear
    >>> exact_function(TENT) == PiecewiseLinear([0], [1], 1, -1)
    True
    >>> exact_function(HAT) == PiecewiseLinear([-1, 0, 1], [0, 1, 0], 0, 0)
    True
    """
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    values = [PiecewiseLinear.affine(1, 0)]
    for i, (weights, biases) in enumerate(network):
        sums = []
        for row, bias in zip(weights, biases, strict=True):
            total = PiecewiseLinear.affine(0, bias)
            for weight, value in zip(row, values, strict=True):
                if weight:
                    total = total + weight * value
            sums.append(total.simplified())
        values = sums if i == len(network) - 1 else [total.positive_part() for total in sums]
    return values[0]


def squared_norms(network: Sequence[Layer]) -> tuple[Fraction, ...]:
    """‖W_l‖_F² for every layer."""
    return tuple(sum((Fraction(w) ** 2 for row in weights for w in row), Fraction(0)) for weights, _ in network)


def path_norm(network: Sequence[Layer]) -> Fraction:
    """Σ over all paths from input to output of the product of |weights|: the product of the matrices |W_l|."""
    sizes = [Fraction(1)]
    for weights, _ in network:
        sizes = [sum((abs(Fraction(w)) * s for w, s in zip(row, sizes, strict=True)), Fraction(0)) for row in weights]
    return sizes[0]


def slope_norm(f: PiecewiseLinear) -> Fraction:
    """N(f) = |f'(-∞)| + ∫|f''| + |f'(+∞)|: the variation of f' extended by 0 at both ends of the line."""
    return abs(f.left_slope) + f.total_variation + abs(f.right_slope)


def random_network(generator: random.Random, hidden: Sequence[int]) -> list[Layer]:
    """A network with small integer weights, some of them zero, and half-integer biases."""
    network: list[Layer] = []
    for inputs, units in zip([1, *hidden], [*hidden, 1], strict=True):
        weights = [[generator.randint(-3, 3) for _ in range(inputs)] for _ in range(units)]
        network.append((weights, [Fraction(generator.randint(-6, 6), 2) for _ in range(units)]))
    return network


TENT: list[Layer] = [([[1], [-1]], [0, 0]), ([[1, 1]], [0]), ([[-1]], [1])]
"""1 - |x|, with two hidden layers of product norm 2."""
HAT: list[Layer] = [([[1], [-1]], [0, 0]), ([[-1, -1]], [1]), ([[1]], [0])]
"""[1 - |x|]_+, with two hidden layers of product norm 2."""


def through_tent_data(kind: str, depth: int, height: Fraction, half_width: Fraction) -> list[Layer]:
    """A network of `depth` weight layers through (-h, 0), (0, v), (h, 0): `tent` has sloped tails, `hat` flat ones.

    v may be negative. Additional layers pass on the nonnegative hidden value with weight 1.
    """
    slope = height / half_width
    passing: list[Layer] = [([[1]], [0])] * (depth - 3)
    first: Layer = ([[1], [-1]], [0, 0])
    if kind == "tent":
        return [first, ([[1, 1]], [0]), *passing, ([[-slope]], [height])]
    sign = 1 if height >= 0 else -1
    return [first, ([[-sign * slope, -sign * slope]], [sign * height]), *passing, ([[sign]], [0])]


def trained_slopes(layers: Layers) -> tuple[Array, Array]:
    """(knots, slopes) of a trained network in floating point: slopes[i] on the i-th cell, including both tails.

    Knots are the sign changes of the units, layer by layer; slopes come from the activity pattern in each cell, not
    from differences of nearby values.
    """
    import numpy as np

    knots = np.zeros(0)
    for depth in range(1, len(layers)):
        middles, lows, highs = _cells(knots)
        values, slopes = _at(layers[:depth], middles)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings = middles - values / slopes
        inside = np.isfinite(crossings) & (crossings > lows) & (crossings < highs)
        knots = np.unique(np.concatenate([knots, crossings[inside]]))
    middles, _, _ = _cells(knots)
    return knots, _at(layers, middles)[1][0]


def _cells(knots: Array) -> tuple[Array, Array, Array]:
    """A point inside each cell, and its ends (infinite for the tails)."""
    import numpy as np

    lows, highs = np.concatenate([[-np.inf], knots]), np.concatenate([knots, [np.inf]])
    # close to the origin: units with decayed weights have kinks at 1e50, where a midpoint would lose all digits
    margin = np.minimum((highs - lows) / 2, 1.0)
    return np.minimum(np.maximum(0.0, lows + margin), highs - margin), lows, highs


def _at(layers: Layers, points: Array) -> tuple[Array, Array]:
    """Values and slopes of the last given layer (before its ReLU) at the points, one row per unit."""
    import numpy as np

    values, slopes = points[None, :], np.ones((1, len(points)))
    for i, (weights, biases) in enumerate(layers):
        if i:
            slopes = slopes * (values > 0)
            values = np.maximum(values, 0)
        values, slopes = weights @ values + biases[:, None], weights @ slopes
    return values, slopes


def through_a_bend(kind: str, depth: int, left: Rational, right: Rational, sign: int = 1) -> list[Layer]:
    """A network of `depth` weight layers of least norms through data around one bend at 0.

    With p = left², q = right² its slopes beside 0 are, up to sign, p and -q (tent, hat) or p and p + q (the others).
    tent: straight tails. hat: flat tails from the height of the lower of the points at -1 and 1 on. ramp: flat on the
    left from -1 on. shelf: flat from -1 and from 1 on. ledge: flat on the right from 1 on. The rows (left, right) make
    the product of the norms p + q. For tails between straight and flat see `between_tent_and_hat`.
    """
    p, q = left * left, right * right
    passing: list[Layer] = [([[1]], [0])] * (depth - 3)
    if kind in ("tent", "hat"):
        first: Layer = ([[-left], [right]], [0, 0])  # sqrt(p)[-x]_+ and sqrt(q)[x]_+
        if kind == "tent":
            return [first, ([[left, right]], [0]), *passing, ([[-sign]], [0])]
        height = max(p, q)
        return [first, ([[-left, -right]], [height]), *passing, ([[sign]], [-sign * height])]
    if kind == "ledge":
        first = ([[-left], [right]], [left, 0])  # sqrt(p)[1 - x]_+ and sqrt(q)[x]_+
        return [first, ([[left, -right]], [q]), *passing, ([[-sign]], [sign * q])]
    first = ([[left], [right]], [left, 0])  # sqrt(p)[x + 1]_+ and sqrt(q)[x]_+
    if kind == "ramp":
        return [first, ([[left, right]], [0]), *passing, ([[sign]], [0])]
    height = 2 * p + q  # the value at 1
    return [first, ([[-left, -right]], [height]), *passing, ([[-sign]], [sign * height])]


def between_tent_and_hat(depth: int, left: Rational, right: Rational, sign: int, half_angle: Rational) -> list[Layer]:
    """A network of `depth` weight layers of least norms: the share w² of a tent and 1 - w² of a hat.

    (u, w) = (1 - t², 2t)/(1 + t²) with t the tangent of half an angle: two units share the weight of one, at the same
    norms, and the tails have the share w² of the slopes beside the bend.
    """
    p, q, t = left * left, right * right, Fraction(half_angle)
    u, w, height = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), max(p, q)
    first: Layer = ([[-left], [right]], [0, 0])  # sqrt(p)[-x]_+ and sqrt(q)[x]_+
    last: Layer = ([[sign * u, -sign * w]], [-sign * u * u * height])
    if depth == 3:
        rows = [[-u * left, -u * right], [w * left, w * right]]
        return [first, (rows, [u * height, 0]), last]
    passing: list[Layer] = [([[1]], [0])] * (depth - 4)
    return [first, ([[left, right]], [0]), *passing, ([[-u], [w]], [u * height, 0]), last]
