"""The tangent of networks of one input in one pass over the units, without arrays of data × units.

A unit's derivatives at the data depend on it through (w, b, v) and through the data at which it is active, its slot
(see `engines.compiled`). So the sums of vw, vb, w², wb, b², v² by slot give the outputs and the kernel, and R Jᵀ a is
a table by slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import add_up, compiled, find, tabulate
from implicitbias.training.two_layer import Groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.engines.compiled import Slots

    Array = NDArray[np.float64]

HUGE = np.finfo(np.float64).max

CHUNK = 128
"""Units that are taken together: their products stay in the fastest cache."""

COUNTED = 32
"""Up to so many data a unit's slot is found by counting, not by bisection."""


class TangentBySlot:
    """A batch of S scalar networks w, b, v (S, n), c (S,) at sorted inputs x (1 or S, M), as `Tangent` has them.

    outputs   (S, M)
    """

    def __init__(self, w: Array, b: Array, v: Array, c: Array, x: Array) -> None:
        ends = np.full((len(x), 1), HUGE)
        self.x = np.concatenate([-ends, x, ends], axis=1)
        self.w, self.b, self.v, self.c = (np.ascontiguousarray(part) for part in (w, b, v, c))
        self.slots = np.empty(w.shape, np.uint32)
        self.outputs = np.empty((len(w), x.shape[1]))
        self.sums = np.zeros((len(w), 2 * x.shape[1] + 2, 6))
        _gather(self.w, self.b, self.v, c, self.x, self.slots, self.sums, self.outputs)

    def kernel(self, rates: Groups) -> Array:
        """(S, M, M): Σ rates ∂f(x)/∂θ ∂f(x')/∂θ."""
        m = self.outputs.shape[1]
        x, at = self.x[:, 1:-1], np.arange(m)
        # A unit of slot p is active at both of two data if p is at most the lesser, or, opening to the left, above the
        # greater.
        right = np.cumsum(self.sums[:, : m + 1, 2:], axis=1)[:, np.minimum.outer(at, at)]
        left = np.cumsum(self.sums[:, :m:-1, 2:], axis=1)[:, ::-1][:, np.maximum.outer(at, at) + 1]
        ww, wb, bb, vv = np.moveaxis(right + left, -1, 0)
        products = x[:, :, None] * x[:, None, :]
        found: Array = (
            rates.v * (ww * products + wb * (x[:, :, None] + x[:, None, :]) + bb)
            + (rates.w * products + rates.b) * vv
            + rates.c
        )
        return found

    def pull_back(self, a: Array, rates: Groups) -> tuple[Array, Array, Array, Array]:
        """R Jᵀ a for a of shape (S, M): the parts of w, b, v, c."""
        return *self._plus(0.0, a, rates), rates.c * a.sum(1)

    def after(self, a: Array, rates: Groups) -> tuple[Array, Array, Array, Array]:
        """θ - R Jᵀ a: w, b, v, c."""
        return *self._plus(1.0, -a, rates), self.c - rates.c * a.sum(1)

    def _plus(self, times: float, a: Array, rates: Groups) -> tuple[Array, Array, Array]:
        w, b, v = (np.empty(self.w.shape) for _ in range(3))
        a, learning = np.ascontiguousarray(a)[..., None], np.array(rates[:3])
        _pull_back(times, self.w, self.b, self.v, self.slots, self.x, a, learning, w, b, v)
        return w, b, v


@compiled
def _gather(w: Array, b: Array, v: Array, c: Array, x: Array, slots: Slots, sums: Array, outputs: Array) -> None:
    """The slots of all units, the sums of vw, vb, w², wb, b², v² by slot, and the outputs."""
    m, n = outputs.shape[1], w.shape[1]
    first = np.empty((1, 2 * m + 2, 2))
    column = np.empty((m, 1))
    products = np.empty((CHUNK, 6))
    near = np.empty(CHUNK)
    for s in range(w.shape[0]):
        points = x[s % x.shape[0]]
        for start in range(0, n, CHUNK):
            size = min(CHUNK, n - start)
            wc, bc, vc = w[s, start : start + size], b[s, start : start + size], v[s, start : start + size]
            slots_near(wc, bc, points, near)
            for i in range(size):
                wi, bi, vi = wc[i], bc[i], vc[i]
                products[i, 0], products[i, 1] = vi * wi, vi * bi
                products[i, 2], products[i, 3] = wi * wi, wi * bi
                products[i, 4], products[i, 5] = bi * bi, vi * vi
            for i in range(size):
                q = np.uint32(near[i])
                slots[s, start + i] = q
                for k in range(6):
                    sums[s, q, k] += products[i, k]
        for row in range(2 * m + 2):
            first[0, row, 0], first[0, row, 1] = sums[s, row, 0], sums[s, row, 1]
        add_up(points, c[s : s + 1], first, column)
        for j in range(m):
            outputs[s, j] = column[j, 0]


@compiled
def slots_near(w: Array, b: Array, x: Array, slots: Array) -> None:
    """The slots of a chunk of units, as doubles: by counting where data are few, which compilers vectorise, or `find`.

    w x + b is rounded monotonically, so its sign changes at most once along the data.
    """
    m = x.shape[0] - 2
    if m > COUNTED:
        for i in range(w.shape[0]):
            slots[i] = find(w[i], b[i], x) + (m + 1 if w[i] <= 0 else 0)
        return
    for i in range(w.shape[0]):
        slots[i] = m + 1.0 if w[i] <= 0 else 0.0
    for j in range(1, m + 1):
        at = x[j]
        for i in range(w.shape[0]):
            slots[i] += 1.0 if (w[i] * at + b[i] > 0) == (w[i] <= 0) else 0.0


@compiled
def _pull_back(
    times: float,
    w: Array,
    b: Array,
    v: Array,
    slots: Slots,
    x: Array,
    a: Array,
    rates: Array,
    dw: Array,
    db: Array,
    dv: Array,
) -> None:
    """(w, b, v) so many times, and R Jᵀ a."""
    table = np.empty((2 * a.shape[1] + 2, 2))
    for s in range(w.shape[0]):
        tabulate(x[s % x.shape[0]], a[s], table)
        for i in range(w.shape[1]):
            near = table[slots[s, i]]
            wi, bi, vi = w[s, i], b[s, i], v[s, i]
            dw[s, i] = times * wi + rates[0] * vi * near[0]
            db[s, i] = times * bi + rates[1] * vi * near[1]
            dv[s, i] = times * vi + rates[2] * (wi * near[0] + bi * near[1])
