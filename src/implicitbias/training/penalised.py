"""Full-batch gradient descent on the penalised loss of de Dios & Bruna 2020, equation (8), many seeds at once:

    F(θ, c) = (1/2n) Σ_i (f(x_i) - y_i)² + s Σ_j (α (|θ_j|² + c_j²) + κ |c_j||θ_j|),   f(x) = s Σ_j c_j [θ_j·(x, 1)]_+

with s = 1/m as printed there, or 1. α is weight decay, κ weights the path norm. Since s Σ|c_j||θ_j| bounds the total
variation of f from above and |θ|² + c² >= 2|c||θ|, no network of any width is below

    min_ν (1/2n) Σ_i (f_ν(x_i) - y_i)² + (2α + κ) |ν|_TV

(`convex.variation.penalised`, whose loss is twice this one), and a balanced one attains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.engines.compiled import compiled
from implicitbias.training.label_noise import lifted_points, outputs, start_and_data

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

SETTLE = 0.3
"""Over this last fraction of the steps the learning rate falls linearly to 0."""


@dataclass(frozen=True)
class Penalised:
    """The trained networks.

    theta       (R, m, d + 1): (a_j, b_j)
    c           (R, m)
    scale       s
    objective   (R,): F at the end; not finite if the step was too long
    loss        (R,): its first part
    """

    theta: Array
    c: Array
    scale: float
    objective: Array
    loss: Array

    def outputs(self, x: ArrayLike) -> Array:
        """f at x, shape (Q,) or (Q, d): shape (R, Q)."""
        return outputs(self.theta, self.c, lifted_points(x), self.scale)


def train_penalised(
    theta: ArrayLike,
    c: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    decay: float,
    path: float = 0.0,
    step: float,
    steps: int,
    scale: float | None = None,
) -> Penalised:
    """Gradient descent on F with learning rate step/s, which falls to 0 at the end.

    theta, c     the start: (R, m, d + 1) and (R, m)
    x, y         (n,) or (n, d), and (n,)
    decay, path  α >= 0 and κ >= 0; the subgradient of |c||θ| is 0 where that is 0
    scale        s; default: 1/m. With θ, c multiplied by √m, s = 1/m trains as s = 1 does.

    A step costs about 3 n m (d + 1) multiplications per seed. Raises DataError for shapes that do not fit.

    >>> start = np.random.default_rng(0).normal(size=(3, 8, 2)), np.ones((3, 8))
    >>> run = train_penalised(*start, [0.0], [3.0], decay=0.5, step=0.05, steps=4000, scale=1.0)
    >>> np.round(run.objective, 9).tolist()  # min (f - 3)²/2 + f
    [2.5, 2.5, 2.5]
    """
    theta, c, points, y = start_and_data(theta, c, x, y)
    if not (step > 0 and decay >= 0 and path >= 0 and steps >= 0):
        raise DataError(f"step > 0, decay >= 0, path >= 0, steps >= 0 are needed: got {step}, {decay}, {path}, {steps}")
    s = 1 / c.shape[1] if scale is None else float(scale)
    columns = np.ascontiguousarray(theta.transpose(0, 2, 1))
    _descend(columns, c, points, y, s, decay, path, step, steps - round(SETTLE * steps), steps)
    theta = np.ascontiguousarray(columns.transpose(0, 2, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        loss = np.square(outputs(theta, c, points, s) - y).mean(axis=1) / 2
        squares = np.square(theta).sum(axis=2)
        penalty = decay * (squares + np.square(c)) + path * np.abs(c) * np.sqrt(squares)
        objective = loss + s * penalty.sum(axis=1)
    return Penalised(theta, c, s, objective, loss)


@compiled
def _descend(
    theta: Array,
    c: Array,
    points: Array,
    y: Array,
    scale: float,
    decay: float,
    path: float,
    step: float,
    flat: int,
    steps: int,
) -> None:
    """theta (R, d + 1, m): one coordinate of all neurons side by side."""
    replicas, size, m = theta.shape
    n = len(y)
    h = np.empty((n, m))
    turn, lift, length = np.empty((size, m)), np.empty(m), np.empty(m)
    for k in range(replicas):
        own, out = theta[k], c[k]
        for t in range(steps):
            rate = step if t < flat else step * (steps - t) / (steps - flat)
            for j in range(m):
                lift[j] = 0.0
                for a in range(size):
                    turn[a, j] = 0.0
            for i in range(n):
                for j in range(m):
                    h[i, j] = 0.0
                for a in range(size):
                    xa = points[i, a]
                    for j in range(m):
                        h[i, j] += own[a, j] * xa
                f = 0.0
                for j in range(m):
                    h[i, j] = max(h[i, j], 0.0)
                    f += out[j] * h[i, j]
                pull = (scale * f - y[i]) / n
                for j in range(m):
                    lift[j] += pull * h[i, j]
                    h[i, j] = pull * out[j] if h[i, j] > 0.0 else 0.0
                for a in range(size):
                    xa = points[i, a]
                    for j in range(m):
                        turn[a, j] += h[i, j] * xa
            if path > 0.0:
                for j in range(m):
                    length[j] = 0.0
                for a in range(size):
                    for j in range(m):
                        length[j] += own[a, j] * own[a, j]
                for j in range(m):
                    length[j] = np.sqrt(length[j])
                    shrink = path * abs(out[j]) / length[j] if length[j] > 0.0 else 0.0
                    lift[j] += path * np.sign(out[j]) * length[j]
                    length[j] = shrink
            else:
                for j in range(m):
                    length[j] = 0.0
            for a in range(size):
                for j in range(m):
                    own[a, j] -= rate * (turn[a, j] + (2.0 * decay + length[j]) * own[a, j])
            for j in range(m):
                out[j] -= rate * (lift[j] + 2.0 * decay * out[j])
