"""Stochastic gradient descent on the square loss, one datum a step, of many two-layer networks at once.

A step of a network draws a datum i, all with the same chance, and moves all parameters by

    θ <- θ - η ∇_θ ½(f(x_i; θ) - y_i)²,   f(x; θ) = Σ_j v_j [w_j x + b_j]_+ + c

times the rate of the parameter's group (Jin & Montúfar 2023, equation (46), for the network itself). The derivative of
[t]_+ at t = 0 is 0. Networks are independent: each has its own random stream, the one of `label_noise`, so that
`label_noise.draws` gives the data that it drew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.engines.compiled import regrouped
from implicitbias.training.given import count, number, reals
from implicitbias.training.label_noise import next_bits, streams_of
from implicitbias.training.two_layer import TwoLayer, unchecked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Streams = NDArray[np.uint64]

LOOK = 64
"""Steps between two looks at the loss over all data."""


@dataclass(frozen=True)
class Stochastic:
    """Networks after stochastic descent.

    network  all of them, a batch
    loss     (R,): ½ Σ_i (f(x_i) - y_i)² at the end
    steps    (R,): steps that each took
    """

    network: TwoLayer
    loss: Array
    steps: NDArray[np.int64]


def stochastic_descent(
    start: TwoLayer,
    x: ArrayLike,
    y: ArrayLike,
    *,
    step: float,
    steps: int,
    seed: int | Sequence[int],
    stop_loss: float = 0.0,
) -> Stochastic:
    """Train R networks of one input, one datum a step.

    start      a batch, w, b and v of shape (R, n)
    x, y       (M,) each
    step       η > 0
    steps      at most so many
    stop_loss  a network stops when its loss over all data is no larger; looked at every 64 steps

    A step costs some 1.5 ns a unit. Raises DataError for shapes that do not fit and numbers out of range. Steps that
    are too large let a network diverge: it stops at the first look at which its loss is infinite or NaN.

    >>> rng = np.random.default_rng(0)
    >>> start = TwoLayer(rng.normal(size=(2, 50)), rng.normal(size=(2, 50)), np.zeros((2, 50)))
    >>> run = stochastic_descent(start, [-1.0, 1.0], [0.0, 1.0], step=0.01, steps=100_000, seed=1, stop_loss=1e-20)
    >>> bool((run.loss <= 1e-20).all()), np.allclose(run.network([-1.0, 1.0]), [0.0, 1.0])
    (True, True)
    """
    if start.seeds is None or start.inputs is not None or start.outputs is not None:
        raise DataError("start must be a batch of networks of one input and one output: w, b and v of shape (R, n)")
    places, labels = reals("x", x), reals("y", y)
    if places.ndim != 1 or not len(places) or labels.shape != places.shape:
        raise DataError(f"x and y must have one number for each datum: got shapes {places.shape} and {labels.shape}")
    if not (np.isfinite(places).all() and np.isfinite(labels).all()):
        raise DataError("x and y must be finite")
    if not (number("step", step) > 0 and number("stop_loss", stop_loss) >= 0):
        raise DataError(f"step > 0 and stop_loss >= 0 are needed: got {step} and {stop_loss}")
    # in order, so that the sums of the machine code have contiguous rows
    w, b, v, c = (np.array(part, dtype=np.float64, order="C") for part in (start.w, start.b, start.v, start.c))
    taken = np.zeros(len(b), dtype=np.int64)
    loss = np.zeros(len(b))
    rates = np.array(start.rates, dtype=np.float64) * step
    streams = streams_of(seed, len(b))
    _descend(w, b, v, c, places, labels, rates, count("steps", steps), float(stop_loss), streams, taken, loss)
    return Stochastic(unchecked(w, b, v, c, start.rates), loss, taken)


@regrouped
def _draw(streams: Streams, k: int, data: int) -> Any:
    """A datum (the probabilities differ by M/2³² at most)."""
    return np.int64(((next_bits(streams, k) >> np.uint64(32)) * np.uint64(data)) >> np.uint64(32))


@regrouped
def _value(w: Array, b: Array, v: Array, c: float, x: float) -> float:
    f = 0.0
    for j in range(len(w)):
        f += v[j] * max(w[j] * x + b[j], 0.0)
    return f + c


@regrouped
def _descend(
    all_w: Array,
    all_b: Array,
    all_v: Array,
    all_c: Array,
    x: Array,
    y: Array,
    rates: Array,
    steps: int,
    stop_loss: float,
    streams: Streams,
    taken: NDArray[np.int64],
    losses: Array,
) -> None:
    for k in range(len(all_w)):
        w, b, v = all_w[k], all_b[k], all_v[k]
        for t in range(steps + 1):
            if t % LOOK == 0 or t == steps:
                losses[k] = 0.0
                for i in range(len(x)):
                    losses[k] += 0.5 * (_value(w, b, v, all_c[k], x[i]) - y[i]) ** 2
                if losses[k] <= stop_loss or t == steps or not np.isfinite(losses[k]):
                    taken[k] = t
                    break
            i = _draw(streams, k, len(x))
            place = x[i]
            rest = _value(w, b, v, all_c[k], place) - y[i]
            on_w, on_b, on_v = rates[0] * rest * place, rates[1] * rest, rates[2] * rest
            for j in range(len(w)):
                z = w[j] * place + b[j]
                pull = v[j] if z > 0.0 else 0.0
                v[j] -= on_v * max(z, 0.0)
                w[j] -= on_w * pull
                b[j] -= on_b * pull
            all_c[k] -= rates[3] * rest
