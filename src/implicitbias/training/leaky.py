"""Steps of networks with leaky units, max(z, leak z), in one compiled loop over prefix sums.

A leaky unit is 1 - leak times a ReLU plus leak times a line, so that outputs get the two sums over all units, and
slopes the two sums over all data, in addition to the sums over kinks of `compiled`. Losses are the mean square
without a factor ½, and the cross-entropy of one softmax over all scores of all data,
log Σ_{i,l} exp f_l(x_i) - mean_i f_{y_i}(x_i).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import (
    add_up,
    compiled,
    move_scalar,
    move_vector,
    tabulate,
)
from implicitbias.training.engines.cross_entropy_compiled import exponentiate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Slots = NDArray[np.uint32]


@compiled
def descend_leaky(
    steps: int,
    leak: float,
    square: bool,
    x: Array,
    y: Array,
    w: Array,
    b: Array,
    v: Array,
    slot: Slots,
    sums: Array,
    table: Array,
    f: Array,
    r: Array,
    pull: Array,
    keep: Array,
) -> None:
    """Take the steps. x padded, y (M, k) labels or shares of classes, v (n, k), sums (1, 2M+2, 2k) of the start."""
    m, k = f.shape
    nothing, total = np.zeros(k), np.empty(2 * k)
    for _ in range(steps):
        add_up(x, nothing, sums, f)
        for a in range(2 * k):
            total[a] = 0.0
        for q in range(sums.shape[1]):
            for a in range(2 * k):
                total[a] += sums[0, q, a]
        for j in range(m):
            for a in range(k):
                f[j, a] = (1 - leak) * f[j, a] + leak * (total[a] * x[j + 1] + total[k + a])
        if square:
            for j in range(m):
                for a in range(k):
                    r[j, a] = (2 / m) * (f[j, a] - y[j, a])
        else:
            joint_slopes(f, y, r)
        tabulate(x, r, table)
        for a in range(2 * k):
            total[a] = 0.0
        for j in range(m):
            for a in range(k):
                total[a] += r[j, a] * x[j + 1]
                total[k + a] += r[j, a]
        for q in range(table.shape[0]):
            for a in range(2 * k):
                table[q, a] = (1 - leak) * table[q, a] + leak * total[a]
        if k == 1:
            move_scalar(
                w, b, v.reshape(v.size), slot, x, table.reshape(table.size), sums.reshape(sums.size), pull, keep
            )
        else:
            move_vector(w, b, v, slot, x, table, sums[0], pull, keep)


@compiled
def joint_slopes(f: Array, y: Array, r: Array) -> None:
    """∂/∂f of log Σ_{i,l} exp f_il - (1/M) Σ_{i,l} y_il f_il."""
    m, k = f.shape
    top = f[0, 0]
    for j in range(m):
        for a in range(k):
            top = max(top, f[j, a])
    for j in range(m):
        for a in range(k):
            r[j, a] = f[j, a] - top
    exponentiate(r.reshape(r.size))
    odds = 0.0
    for j in range(m):
        row = 0.0
        for a in range(k):
            row += r[j, a]
        odds += row
    for j in range(m):
        for a in range(k):
            r[j, a] = r[j, a] / odds - y[j, a] / m
