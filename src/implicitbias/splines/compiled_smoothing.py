"""The system of a smoothing spline of many points, compiled: elimination from datum to datum with pivots.

The equations are those of `hats.solve_smoothed`: for every datum p, z and the divided differences δ and Q of p and z
to the next datum, so that nothing is divided by the distance of two data. What is known of the data up to x_j are two
equations between p_j, z_j and the differences before them, δ' and Q'. There p_j = p_{j+1} - hδ and z_j = z_{j+1} - hQ
are put in; with the two equations at x_j, δ' and Q' are eliminated with partial pivoting, and two equations between
p_{j+1}, z_{j+1}, δ and Q remain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.splines.compiled import compiled

if TYPE_CHECKING:
    from implicitbias.splines.compiled import Array

WIDTH = 7
"""Columns: δ', Q', then p, z, δ, Q of the next datum, then the right side."""
FAR = 2.0**20
"""Equations whose largest coefficient is not within this factor of 1 are scaled."""


@compiled
def eliminate(rows: Array, c: int, count: int) -> bool:
    """Eliminate column c from the rows below c by the one with the largest entry; False if there is none."""
    best, size = c, abs(rows[c, c])
    for i in range(c + 1, count):
        if abs(rows[i, c]) > size:
            best, size = i, abs(rows[i, c])
    if not size > 0.0:
        return False
    if best != c:
        for k in range(WIDTH):
            rows[c, k], rows[best, k] = rows[best, k], rows[c, k]
    inverse = 1.0 / rows[c, c]
    for i in range(c + 1, count):
        factor = rows[i, c] * inverse
        for k in range(WIDTH):
            rows[i, k] -= factor * rows[c, k]
        rows[i, c] = 0.0
    return True


@compiled
def carried(rows: Array, h: float) -> None:
    """Rows 2 and 3, what is known at a datum, into rows 0 and 1: its p and z put in terms of the next datum's."""
    for i in range(2):
        size = 0.0
        for k in range(2, 6):
            size = max(size, abs(rows[i + 2, k]))
        scale = 1.0 / size if size > FAR or size * FAR < 1.0 else 1.0
        rows[i, 0], rows[i, 1] = scale * rows[i + 2, 4], scale * rows[i + 2, 5]
        rows[i, 2], rows[i, 3], rows[i, 6] = scale * rows[i + 2, 2], scale * rows[i + 2, 3], scale * rows[i + 2, 6]
        rows[i, 4], rows[i, 5] = -h * rows[i, 2], -h * rows[i, 3]


@compiled
def smoothed(
    x: Array, products: Array, root: float, size: float, weights: Array, data: Array, p: Array, z: Array
) -> bool:
    """p and size·z with W p + size·root Dᵀz = W data and A z = size·root D p; False if the system is singular.

    products  (3, M - 1) as HatProducts
    data      (M,), M > 2
    """
    count = x.shape[0]
    rows, kept = np.zeros((4, WIDTH)), np.empty((count, 2, WIDTH))
    square = size * size
    # at the first datum z = 0, and there are no differences before it
    h, w = x[1] - x[0], weights[0]
    rows[2, 2], rows[2, 4], rows[2, 5], rows[2, 6] = w, -h * w, root, w * data[0]
    rows[3, 3], rows[3, 5] = 1.0, -h
    before = 0.0
    for j in range(1, count - 1):
        step, h, w = h, x[j + 1] - x[j], weights[j]
        carried(rows, h)
        after = products[1, j] / square if j < count - 2 else 0.0
        own = (products[2, j - 1] + products[0, j]) / square + before
        # of row 2 and 3 first the equation with δ', as both are searched for it
        rows[2, 0], rows[2, 1], rows[2, 2], rows[2, 3] = root, -before * step, 0.0, own + after
        rows[2, 4], rows[2, 5], rows[2, 6] = -root, -own * h, 0.0
        rows[3, 0], rows[3, 1], rows[3, 2], rows[3, 3] = 0.0, -root, w, 0.0
        rows[3, 4], rows[3, 5], rows[3, 6] = -h * w, root, w * data[j]
        before = after
        if not (eliminate(rows, 0, 3) and eliminate(rows, 1, 4)):
            return False
        for i in range(2):
            for k in range(WIDTH):
                kept[j, i, k] = rows[i, k]
    # at the last datum z = 0 too, and nothing comes after it
    j = count - 1
    carried(rows, 0.0)
    for k in range(WIDTH):
        rows[2, k] = rows[3, k] = 0.0
    rows[2, 1], rows[2, 2], rows[2, 6] = -root, weights[j], weights[j] * data[j]
    rows[0, 3] = rows[1, 3] = rows[0, 4] = rows[1, 4] = rows[0, 5] = rows[1, 5] = 0.0
    if not (eliminate(rows, 0, 3) and eliminate(rows, 1, 3)) or rows[2, 2] == 0.0:
        return False
    p[j], z[j] = rows[2, 6] / rows[2, 2], 0.0
    q = (rows[1, 6] - rows[1, 2] * p[j]) / rows[1, 1]
    d = (rows[0, 6] - rows[0, 1] * q - rows[0, 2] * p[j]) / rows[0, 0]
    for j in range(count - 2, -1, -1):
        h = x[j + 1] - x[j]
        p[j], z[j] = p[j + 1] - h * d, z[j + 1] - h * q
        if j:
            u = kept[j]
            after_q = (u[1, 6] - u[1, 2] * p[j + 1] - u[1, 3] * z[j + 1] - u[1, 4] * d - u[1, 5] * q) / u[1, 1]
            rest = u[0, 6] - u[0, 2] * p[j + 1] - u[0, 3] * z[j + 1] - u[0, 4] * d - u[0, 5] * q
            d = (rest - u[0, 1] * after_q) / u[0, 0]
            q = after_q
    return True
