"""Many integrals at once over panels that are halved adaptively."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from implicitbias.laws.one.law import Array

Rows = NDArray[np.intp]

ORDER = 24


def lobatto(order: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Lobatto quadrature on [-1, 1], exact for polynomials of degree 2 order - 3.

    The nodes include the ends, so that halving a panel detects a jump however near to an end it lies.
    """
    last = np.polynomial.legendre.Legendre.basis(order - 1)
    nodes = np.concatenate([[-1.0], np.sort(last.deriv().roots().real), [1.0]])
    return nodes, 2 / (order * (order - 1) * last(nodes) ** 2)


NODES, WEIGHTS = lobatto(ORDER)

TOLERANCE = 2e-14
"""Relative to each row's integral of |f|: a panel is done when halving it changes less than this."""

MAX_HALVINGS = 50
CHUNK = 1 << 16

MAX_PANELS = 4000
NOISE = 1e-17
"""Relative to the whole integral: what rounding of a density may hide in a panel."""


def integrals(function: Callable[[Rows, Array], Array], knots: Array, rows: int, tolerance: float = TOLERANCE) -> Array:
    """∫ f_i over the panels between the knots, for i = 0, …, rows - 1.

    function   (row numbers, shape (m,); points, shape (m, 24)) -> values, shape (m, 24)
    """
    low = np.tile(knots[:-1], rows)
    high = np.tile(knots[1:], rows)
    row = np.repeat(np.arange(rows), knots.size - 1)
    value, size = _panels(function, row, low, high)
    total = np.zeros(rows)
    scale = np.bincount(row, size, rows)
    for _ in range(MAX_HALVINGS):
        if not row.size:
            break
        middle = (low + high) / 2
        left, left_size = _panels(function, row, low, middle)
        right, right_size = _panels(function, row, middle, high)
        open_ = np.abs(left + right - value) > tolerance * scale[row]
        open_ &= (middle > low) & (middle < high)
        total += np.bincount(row[~open_], (left + right)[~open_], rows)
        row = np.concatenate([row[open_], row[open_]])
        low, high = np.concatenate([low[open_], middle[open_]]), np.concatenate([middle[open_], high[open_]])
        value = np.concatenate([left[open_], right[open_]])
        scale = np.maximum(scale, np.bincount(row, np.concatenate([left_size[open_], right_size[open_]]), rows))
    return total + np.bincount(row, value, rows)


def _panels(function: Callable[[Rows, Array], Array], row: Rows, low: Array, high: Array) -> tuple[Array, Array]:
    """Gauss-Lobatto on each panel, of f and of |f|."""
    value, size = np.empty(row.size), np.empty(row.size)
    for start in range(0, row.size, CHUNK):
        part = slice(start, start + CHUNK)
        half = (high[part] - low[part]) / 2
        points = (high[part] + low[part])[:, None] / 2 + half[:, None] * NODES
        values = function(row[part], points)
        value[part], size[part] = (values @ WEIGHTS) * half, (np.abs(values) @ WEIGHTS) * half
    return value, size


def refined(density: Callable[[Array], Array], knots: Array, tolerance: float = 1e-13, noise: float = NOISE) -> Array:
    """The knots, with panels halved until Gauss-Lobatto on the halves agrees with that on the whole."""
    kept: list[Array] = []
    panels = np.stack([knots[:-1], knots[1:]])
    least = noise * np.sum(_integral(density, *panels))
    for _ in range(MAX_HALVINGS):
        low, high = panels
        middle = (low + high) / 2
        whole = _integral(density, low, high)
        halves = _integral(density, low, middle) + _integral(density, middle, high)
        rough = np.abs(whole - halves) > tolerance * np.abs(halves) + least
        rough &= (middle > low) & (middle < high) & (high - low > 1e-15 * np.maximum(np.abs(low), np.abs(high)))
        kept.append(low[~rough])
        panels = np.stack([np.concatenate([low[rough], middle[rough]]), np.concatenate([middle[rough], high[rough]])])
        if not rough.any() or sum(part.size for part in kept) + panels.shape[1] > MAX_PANELS:
            break
    return np.unique(np.concatenate([*kept, panels[0], knots[-1:]]))


def _integral(density: Callable[[Array], Array], low: Array, high: Array) -> Array:
    half = (high - low) / 2
    return np.asarray((density((low + high)[:, None] / 2 + half[:, None] * NODES) @ WEIGHTS) * half)
