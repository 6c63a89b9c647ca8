"""Gradient descent as the released code is described: leaky ReLU max(z, z/100), and one softmax over the whole batch.

A leaky unit is 0.99 of a ReLU and 0.01 of a line. With the sums over kinks of the engine `prefix_sum` the lines cost
nothing: outputs get the two sums over all units, slopes the two sums over all data. The joint softmax of n x k scores
replaces the n softmaxes: its cross-entropy is log Σ_{i,l} exp f_l(x_i) - mean_i f_{y_i}(x_i).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from implicitbias.training import TwoLayer

    Array = NDArray[np.float64]

LEAK = 0.01


def leaky_outputs(network: TwoLayer, x: Array) -> Array:
    """Σ_i v_i max(z_i, z_i/100), z_i = w_i x + b_i, at x (Q,): shape (Q,), or (Q, k)."""
    import numpy as np

    if network.outputs is None:  # sums over kinks are quicker than every unit at every point
        line = x * (network.v @ network.w) + network.v @ network.b
        scalar: Array = (1 - LEAK) * network(x) + LEAK * line
        return scalar
    z = np.multiply.outer(x, network.w) + network.b
    found: Array = np.maximum(z, LEAK * z) @ network.v
    return found


def descend_leaky(
    network: TwoLayer, x: Array, goal: Array, model: str, step: float, looks: Sequence[int]
) -> tuple[TwoLayer, ...]:
    """The network after each number of steps in `looks`; `goal`: labels, or class numbers. Mean losses."""
    import numpy as np

    from implicitbias.training import TwoLayer, compiled

    w, b = network.w.copy(), network.b.copy()
    v = np.ascontiguousarray(network.v if network.outputs else network.v[:, None]).copy()
    order = np.argsort(x, kind="stable")
    padded = np.concatenate([[-1e300], x[order], [1e300]])
    m, k = x.size, v.shape[1]
    y = goal[order][:, None] if model == "regression" else np.eye(k)[goal[order].astype(int)]
    slot, sums = np.empty(w.size, dtype=np.uint32), np.zeros((1, 2 * m + 2, 2 * k))
    compiled.open_units(w, b, v, slot, padded, sums[0])
    table, f = compiled.empty_table(padded, k), np.empty((m, k))
    pull, keep = step * np.array([1.0, 1.0, 1.0, 0.0]), np.ones(4)
    nothing = np.zeros(k)
    shots: list[Any] = []
    for until, before in zip(looks, (0, *looks), strict=False):
        for _ in range(until - before):
            compiled.add_up(padded, nothing, sums, f)
            total = sums[0].sum(0)
            f *= 1 - LEAK
            f += LEAK * (np.multiply.outer(padded[1:-1], total[:k]) + total[k:])
            if model == "regression":
                r = (2 / m) * (f - y)
            else:
                odds = np.exp(f - f.max())
                r = odds / odds.sum() - y / m
            compiled.tabulate(padded, r, table)
            table[:, : 2 * k] *= 1 - LEAK
            table[:, :k] += LEAK * (padded[1:-1] @ r)
            table[:, k : 2 * k] += LEAK * r.sum(0)
            if k == 1:
                compiled.move_scalar(w, b, v.reshape(-1), slot, padded, table.reshape(-1), sums.reshape(-1), pull, keep)
            else:
                compiled.move_vector(w, b, v, slot, padded, table, sums[0], pull, keep)
        shots.append(
            TwoLayer(
                w.copy(),
                b.copy(),
                v[:, 0].copy() if k == 1 and network.outputs is None else v.copy(),
                network.c,
                network.rates,
            )
        )
    return tuple(shots)
