"""Gradient descent as described for the released code: leaky ReLU max(z, z/100), one softmax over the whole batch.

A leaky unit is 0.99 of a ReLU plus 0.01 of a line. With the sums over kinks of the engine `prefix_sum` the lines cost
nothing extra: outputs need two sums over all units, slopes two sums over all data. The joint softmax of n x k scores
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

    line = np.multiply.outer(x, network.w @ network.v) + network.b @ network.v
    found: Array = (1 - LEAK) * relu_outputs(network, x) + LEAK * line
    return found


def relu_outputs(network: TwoLayer, x: Array) -> Array:
    """Σ_i v_i [w_i x + b_i]_+ at x (Q,), without the output bias: shape (Q,), or (Q, k); by sums over kinks."""
    import numpy as np

    from implicitbias.training.engines import compiled

    v = np.ascontiguousarray(network.v if network.outputs else network.v[:, None])
    order = np.argsort(x, kind="stable")
    padded = np.concatenate([[-1e300], x[order], [1e300]])
    slot, sums = np.empty(len(v), dtype=np.uint32), np.zeros((1, 2 * x.size + 2, 2 * v.shape[1]))
    compiled.open_units(network.w, network.b, v, slot, padded, sums[0])
    in_order, found = np.empty((x.size, v.shape[1])), np.empty((x.size, v.shape[1]))
    compiled.add_up(padded, np.zeros(v.shape[1]), sums, in_order)
    found[order] = in_order
    return found if network.outputs else found[:, 0]


def descend_leaky(
    network: TwoLayer, x: Array, goal: Array, model: str, step: float, looks: Sequence[int]
) -> tuple[TwoLayer, ...]:
    """The network after each number of steps in `looks`; for the mean loss; `goal`: labels or class numbers."""
    import numpy as np

    from implicitbias.training import TwoLayer, leaky
    from implicitbias.training.engines import compiled

    w, b = network.w.copy(), network.b.copy()
    v = np.ascontiguousarray(network.v if network.outputs else network.v[:, None]).copy()
    order = np.argsort(x, kind="stable")
    padded = np.concatenate([[-1e300], x[order], [1e300]])
    m, k = x.size, v.shape[1]
    y = np.ascontiguousarray(goal[order][:, None]) if model == "regression" else np.eye(k)[goal[order].astype(int)]
    slot, sums = np.empty(w.size, dtype=np.uint32), np.zeros((1, 2 * m + 2, 2 * k))
    compiled.open_units(w, b, v, slot, padded, sums[0])
    table, f, r = compiled.empty_table(padded, k), np.empty((m, k)), np.empty((m, k))
    pull, keep = step * np.array([1.0, 1.0, 1.0, 0.0]), np.ones(4)
    shots: list[Any] = []
    for until, before in zip(looks, (0, *looks), strict=False):
        leaky.descend_leaky(
            until - before, LEAK, model == "regression", padded, y, w, b, v, slot, sums, table, f, r, pull, keep
        )
        scalar = network.outputs is None
        shots.append(TwoLayer(w.copy(), b.copy(), v[:, 0].copy() if scalar else v.copy(), network.c, network.rates))
    return tuple(shots)
