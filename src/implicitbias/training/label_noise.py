"""Algorithm 1 of de Dios & Bruna 2020: stochastic gradient descent with noise on the labels, many replicas at once.

A step of a replica draws a datum i and noise r with E r = 0, E r² = 1, and moves all parameters by

    θ <- θ - ε ∇_θ (f(x_i; θ) - ỹ)²,   ỹ = y_i + η r,   f(x; θ) = s Σ_j c_j [θ_j·(x, 1)]_+

with s = 1/m as in the paper's equation (1), or 1. The square loss has no factor 1/2, and the derivative of [t]_+ at
t = 0 is 0. Replicas are independent: each has its own random stream for both draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.engines.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Streams = NDArray[np.uint64]

Noise = Literal["signs", "normal"]
NOISES: tuple[Noise, ...] = ("signs", "normal")
"""±1 with equal chances; standard normal."""

GOLDEN, FIRST, SECOND = (np.uint64(k) for k in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
"""The constants of SplitMix64 (Steele, Lea & Flood 2014)."""


@dataclass(frozen=True)
class LabelNoise:
    """The parameters of the replicas at the steps that were kept, the last step at the end.

    kept_steps  (K,)
    theta       (K, R, m, d + 1): (a_j, b_j)
    c           (K, R, m)
    scale       s
    """

    kept_steps: tuple[int, ...]
    theta: Array
    c: Array
    scale: float

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """(R,): replicas whose numbers are not finite any more; they need a smaller step."""
        finite: NDArray[np.bool_] = np.isfinite(self.theta[-1]).all(axis=(1, 2)) & np.isfinite(self.c[-1]).all(axis=1)
        return ~finite

    def outputs(self, x: ArrayLike) -> Array:
        """f at x, shape (Q,) or (Q, d), of the last networks: shape (R, Q)."""
        return outputs(self.theta[-1], self.c[-1], lifted_points(x), self.scale)


def label_noise_sgd(
    theta: ArrayLike,
    c: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    step: float,
    noise_size: float,
    steps: int,
    seed: int | Sequence[int],
    noise: Noise = "signs",
    scale: float | None = None,
    anneal: float = 0.0,
    keep: Sequence[int] = (),
) -> LabelNoise:
    """Algorithm 1 for R replicas.

    theta, c    the start: (R, m, d + 1) and (R, m)
    x, y        (n,) or (n, d), and (n,)
    step        ε > 0
    noise_size  η >= 0
    scale       s; default: 1/m
    anneal      over this last fraction of the steps, 0 <= anneal < 1, ε falls linearly to 0
    keep        steps, in addition to the last, after which the parameters are kept; 0 is the start

    A step costs about 3 m (d + 1) multiplications per replica: 50 ns for m = 20, d = 1. Raises DataError for shapes
    that do not fit and numbers out of range.

    >>> start = np.random.default_rng(0).normal(size=(4, 6, 2)), np.ones((4, 6))
    >>> run = label_noise_sgd(*start, [-1.0, 1.0], [0.0, 1.0], step=0.05, noise_size=0.0, steps=4000, seed=1, scale=1.0)
    >>> np.allclose(run.outputs([-1.0, 1.0]), [0.0, 1.0], atol=1e-6)
    True
    """
    theta, c, points, y = start_and_data(theta, c, x, y)
    if not (step > 0 and noise_size >= 0 and 0 <= anneal < 1 and steps >= 0):
        raise DataError(
            f"step > 0, noise_size >= 0, 0 <= anneal < 1 and steps >= 0 are needed: got {step}, {noise_size}, "
            f"{anneal}, {steps}"
        )
    if noise not in NOISES:
        raise DataError(f"the noise is one of {', '.join(NOISES)}: got {noise!r}")
    stops = sorted({*keep, steps})
    if stops[0] < 0 or stops[-1] > steps:
        raise DataError(f"steps to keep must be between 0 and {steps}: got {list(keep)}")
    s = 1 / c.shape[1] if scale is None else float(scale)
    streams = streams_of(seed, len(c))
    columns = np.ascontiguousarray(theta.transpose(0, 2, 1))
    flat = steps - round(anneal * steps)
    kept: list[tuple[Array, Array]] = []
    now = 0
    for stop in stops:
        _advance(columns, c, points, y, s, step, noise_size, noise == "normal", now, stop, flat, steps, streams)
        now = stop
        kept.append((columns.transpose(0, 2, 1).copy(), c.copy()))
    return LabelNoise(tuple(stops), np.stack([t for t, _ in kept]), np.stack([c for _, c in kept]), s)


def start_and_data(theta: ArrayLike, c: ArrayLike, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """Copies of the start (R, m, d + 1), (R, m), the points (n, d + 1) and the labels (n,).

    Raises DataError for shapes that do not fit and for data that are not finite.
    """
    theta, c = np.array(theta, dtype=np.float64), np.array(c, dtype=np.float64)
    points, y = lifted_points(x), np.asarray(y, dtype=np.float64)
    if theta.ndim != 3 or theta.shape[2] != points.shape[1] or c.shape != theta.shape[:2]:
        raise DataError(
            f"theta must have shape (R, m, {points.shape[1]}) for these inputs, and c (R, m): got {theta.shape} and "
            f"{c.shape}"
        )
    if y.shape != (len(points),) or not np.isfinite(y).all():
        raise DataError(f"y must have {len(points)} finite labels, one per input: got shape {y.shape}")
    return theta, c, points, y


def lifted_points(x: ArrayLike) -> Array:
    """(x, 1), shape (n, d + 1). Raises DataError unless x is (n,) or (n, d) finite numbers."""
    x = np.asarray(x, dtype=np.float64)
    x = x[:, None] if x.ndim == 1 else x
    if x.ndim != 2 or not len(x) or not np.isfinite(x).all():
        raise DataError(f"x must be (n,) or (n, d) finite numbers: got shape {x.shape}")
    return np.hstack([x, np.ones((len(x), 1))])


def outputs(theta: Array, c: Array, points: Array, scale: float) -> Array:
    """s Σ_j c_j [θ_j·x̃]_+ for (…, m, d + 1), (…, m) and (Q, d + 1): shape (…, Q)."""
    found: Array = scale * np.einsum("...mq,...m->...q", np.maximum(theta @ points.T, 0.0), c)
    return found


def streams_of(seed: int | Sequence[int], replicas: int) -> Streams:
    """The state of the stream of each replica, far apart: 64 random bits each."""
    return np.random.SeedSequence(seed).generate_state(replicas, np.uint64).astype(np.uint64)


def draws(
    seed: int | Sequence[int], replicas: int, n: int, steps: int, noise: Noise = "signs"
) -> tuple[NDArray[np.int64], Array]:
    """The data and the noise r that `label_noise_sgd` draws: (R, steps) each."""
    index, values = np.zeros((replicas, steps), np.int64), np.zeros((replicas, steps))
    _draw_all(streams_of(seed, replicas), n, noise == "normal", index, values)
    return index, values


@compiled
def next_bits(streams: Streams, k: int) -> Any:
    """64 random bits of stream k (SplitMix64)."""
    streams[k] += GOLDEN
    z = streams[k]
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@compiled
def _draw(streams: Streams, k: int, n: int, normal: bool) -> tuple[Any, float]:
    """A datum (the probabilities differ by n/2³² at most) and the noise."""
    z = next_bits(streams, k)
    i = np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))
    if not normal:
        return i, 1.0 if z & np.uint64(1) else -1.0
    unit = 1.0 / 9007199254740992.0  # 2^-53
    radius = np.sqrt(-2.0 * np.log((np.float64(next_bits(streams, k) >> np.uint64(11)) + 0.5) * unit))
    return i, radius * np.cos(2.0 * np.pi * np.float64(next_bits(streams, k) >> np.uint64(11)) * unit)


@compiled
def _draw_all(streams: Streams, n: int, normal: bool, index: NDArray[np.int64], values: Array) -> None:
    for k in range(index.shape[0]):
        for t in range(index.shape[1]):
            index[k, t], values[k, t] = _draw(streams, k, n, normal)


@compiled
def _advance(
    theta: Array,
    c: Array,
    points: Array,
    y: Array,
    scale: float,
    step: float,
    noise_size: float,
    normal: bool,
    first: int,
    until: int,
    flat: int,
    steps: int,
    streams: Streams,
) -> None:
    """Steps first, …, until - 1 of all replicas. theta (R, d + 1, m): one coordinate of all neurons side by side."""
    replicas, size, m = theta.shape
    h = np.empty(m)
    for k in range(replicas):
        own, out = theta[k], c[k]
        for t in range(first, until):
            rate = step if t < flat else step * (steps - t) / (steps - flat)
            i, r = _draw(streams, k, len(y), normal)
            for j in range(m):
                h[j] = 0.0
            for a in range(size):
                xa, row = points[i, a], own[a]
                for j in range(m):
                    h[j] += row[j] * xa
            f = 0.0
            for j in range(m):
                h[j] = max(h[j], 0.0)
                f += out[j] * h[j]
            pull = 2.0 * rate * scale * (scale * f - y[i] - noise_size * r)
            for j in range(m):
                old = out[j] if h[j] > 0.0 else 0.0
                out[j] -= pull * h[j]
                h[j] = pull * old
            for a in range(size):
                xa, row = points[i, a], own[a]
                for j in range(m):
                    row[j] -= h[j] * xa
