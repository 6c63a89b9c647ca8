"""The tangent of networks of several inputs at few data, in one pass over the units, without arrays of data × units.

A unit's derivatives at the data depend on it through (w, b, v) and through the data at which it is active. So R Jᵀ a
needs the activity alone, one byte for each unit and datum, and the outputs and the kernel are sums over the units that
are made as they pass. Every pair of data is visited: for many data products of matrices are
faster (`Tangent`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled, regrouped
from implicitbias.training.two_layer import Groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Activity = NDArray[np.uint8]

FEW = 256
"""Up to so many data it is faster than `Tangent`."""

CHUNK = 128
"""Units that are taken together: compilers vectorise the loops over them."""


class TangentByActivity:
    """A batch of S scalar networks w (S, n, d), b, v (S, n), c (S,) at x (1 or S, M, d), as `Tangent` has them.

    outputs   (S, M)
    """

    def __init__(self, w: Array, b: Array, v: Array, c: Array, x: Array) -> None:
        self.w, self.b, self.v, self.c, self.x = (np.ascontiguousarray(part) for part in (w, b, v, c, x))
        seeds, n, m = len(b), b.shape[1], x.shape[1]
        self.active = np.empty((seeds, m, n), np.uint8)
        self.features, self.paths = np.zeros((seeds, m, m)), np.zeros((seeds, m, m))
        self.outputs = np.repeat(c[:, None], m, axis=1)
        _gather(self.w, self.b, self.v, self.x, self.active, self.features, self.paths, self.outputs)

    def kernel(self, rates: Groups) -> Array:
        """(S, M, M): Σ rates ∂f(x)/∂θ ∂f(x')/∂θ."""
        products = self.x @ self.x.transpose(0, 2, 1)
        found: Array = rates.v * self.features + (rates.w * products + rates.b) * self.paths + rates.c
        return found

    def pull_back(self, a: Array, rates: Groups) -> tuple[Array, Array, Array, Array]:
        """R Jᵀ a for a of shape (S, M): the parts of w, b, v, c."""
        return *self._plus(0.0, a, rates), rates.c * a.sum(1)

    def after(self, a: Array, rates: Groups) -> tuple[Array, Array, Array, Array]:
        """θ - R Jᵀ a: w, b, v, c."""
        return *self._plus(1.0, -a, rates), self.c - rates.c * a.sum(1)

    def _plus(self, times: float, a: Array, rates: Groups) -> tuple[Array, Array, Array]:
        w, b, v = np.empty(self.w.shape), np.empty(self.b.shape), np.empty(self.b.shape)
        a, learning = np.ascontiguousarray(a), np.array(rates[:3])
        _pull_back(times, self.w, self.b, self.v, self.active, self.x, a, learning, w, b, v)
        return w, b, v


@compiled
def _gather(
    w: Array, b: Array, v: Array, x: Array, active: Activity, features: Array, paths: Array, outputs: Array
) -> None:
    """Activities, Σ φ(x) φ(x') and Σ v² 1{active at x and x'}, and the outputs, to which v φ is added.

    ⟨w, x⟩ is added coordinate by coordinate and b last, as `evaluation.lifts` adds it where the sign is in doubt.
    """
    m, d, n = x.shape[1], x.shape[2], b.shape[1]
    lift, path, turned = np.empty((m, CHUNK)), np.empty((m, CHUNK)), np.empty((d, CHUNK))
    for s in range(b.shape[0]):
        points = x[s % x.shape[0]]
        for start in range(0, n, CHUNK):
            size = min(CHUNK, n - start)
            biases, heads = b[s, start : start + size], v[s, start : start + size]
            for i in range(size):
                for k in range(d):
                    turned[k, i] = w[s, start + i, k]
            for j in range(m):
                lifts, paths_of, on = lift[j, :size], path[j, :size], active[s, j, start : start + size]
                for i in range(size):
                    lifts[i] = 0.0
                for k in range(d):
                    for i in range(size):
                        lifts[i] += points[j, k] * turned[k, i]
                for i in range(size):
                    z = lifts[i] + biases[i]
                    on[i] = z > 0
                    lifts[i] = max(z, 0.0)
                    paths_of[i] = heads[i] if z > 0 else 0.0
                outputs[s, j] += dot(heads, lifts)
                for k in range(j + 1):
                    features[s, j, k] += dot(lifts, lift[k, :size])
                    paths[s, j, k] += dot(paths_of, path[k, :size])
        for j in range(m):
            for k in range(j):
                features[s, k, j], paths[s, k, j] = features[s, j, k], paths[s, j, k]


@regrouped
def dot(one: Array, other: Array) -> float:
    """Σ one other."""
    total = 0.0
    for i in range(one.shape[0]):
        total += one[i] * other[i]
    return total


@compiled
def _pull_back(
    times: float,
    w: Array,
    b: Array,
    v: Array,
    active: Activity,
    x: Array,
    a: Array,
    rates: Array,
    dw: Array,
    db: Array,
    dv: Array,
) -> None:
    """(w, b, v) so many times, and R Jᵀ a."""
    m, d, n = x.shape[1], x.shape[2], b.shape[1]
    near, zeroth = np.empty((d, CHUNK)), np.empty(CHUNK)
    for s in range(b.shape[0]):
        points = x[s % x.shape[0]]
        for start in range(0, n, CHUNK):
            size = min(CHUNK, n - start)
            for i in range(size):
                zeroth[i] = 0.0
                for k in range(d):
                    near[k, i] = 0.0
            for j in range(m):
                on, share = active[s, j, start : start + size], a[s, j]
                for i in range(size):
                    zeroth[i] += share * on[i]
                for k in range(d):
                    part = share * points[j, k]
                    for i in range(size):
                        near[k, i] += part * on[i]
            for i in range(size):
                at = start + i
                first = 0.0
                for k in range(d):
                    first += w[s, at, k] * near[k, i]
                    dw[s, at, k] = times * w[s, at, k] + rates[0] * v[s, at] * near[k, i]
                db[s, at] = times * b[s, at] + rates[1] * v[s, at] * zeroth[i]
                dv[s, at] = times * v[s, at] + rates[2] * (first + b[s, at] * zeroth[i])
