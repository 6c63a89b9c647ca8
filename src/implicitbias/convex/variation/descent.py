"""The penalised loss of any dimension by greedy descent, where the cells are too many for `penalised`: no bounds.

min Σ (w_i/Σw)(f(x_i) - y_i)² + λ Σ|c_j||θ_j| over f(x) = Σ c_j [θ_j·(x, 1)]_+ (de Dios & Bruna 2020, problem (22)).
Units are added where g(θ) = Σ (2w_i/Σw)(y_i - f(x_i)) [θ·x̃_i]_+ exceeds λ on the sphere most, as far as local ascent
from many starts finds, and all parameters then descend with ½λ Σ(c² + |θ|²), which is the same at a minimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]

STARTS = 96
"""Directions from which g is climbed, besides those of the data."""
CLIMBS, STILL = 40, 1e-4
"""The most steps of a climb, and the length, in shares of the way, below which a step is the last."""
ROUNDS, LITTLE = 15, 1e-4
"""The most rounds, and the share of the objective below which what one has gained makes it the last."""
TOGETHER, APART = 6, 0.95
"""Units that are added at once, and the largest cosine between them."""
ENOUGH = 1e-4
"""A unit whose g exceeds λ by less than this share is not added."""
FAINT = 1e-9
"""Units below this share of the total cost are left out."""


@dataclass(frozen=True)
class Descended:
    """f(x) = Σ c_j [θ_j·(x, 1)]_+ and its penalised loss; `excess` is how far the last climb exceeded λ, relatively."""

    theta: Array
    c: Array
    objective: float
    excess: float

    def __call__(self, X: Array) -> Array:
        return np.asarray(np.maximum(_lifted(X) @ self.theta.T, 0.0) @ self.c)

    @property
    def variation(self) -> float:
        """Σ|c_j||θ_j|."""
        return float(np.abs(self.c) @ np.linalg.norm(self.theta, axis=1))


def descended(X: Array, y: Array, penalty: float, weights: Array | None = None, seed: int = 0) -> Descended:
    """The best network that was found. X (n, d), y (n,), weights (n,) positive; the same for the same seed."""
    points = _lifted(X)
    shares = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
    draw = np.random.default_rng(seed)
    theta, c = np.zeros((0, points.shape[1])), np.zeros(0)
    excess, objective = np.inf, np.inf
    for _ in range(ROUNDS):
        pull = 2 * shares * (y - np.maximum(points @ theta.T, 0.0) @ c)
        values, directions = steepest(points, pull, draw)
        excess = float(np.abs(values).max(initial=0.0)) / penalty - 1
        if excess < ENOUGH:
            break
        added = np.abs(values) > penalty * (1 + ENOUGH)
        values, directions = values[added], directions[added]
        # with this mass the loss falls most along a direction alone, the other units held
        squares = shares @ np.maximum(points @ directions.T, 0.0) ** 2
        size = np.sqrt((np.abs(values) - penalty) / (2 * len(values) * squares))
        theta = np.vstack([theta, size[:, None] * directions])
        c = np.append(c, size * np.sign(values))
        theta, c = _settled(points, y, shares, penalty, theta, c)
        before, objective = objective, _objective(points, y, shares, penalty, theta, c)
        if objective > before * (1 - LITTLE):
            break
    return Descended(theta, c, _objective(points, y, shares, penalty, theta, c), max(float(excess), 0.0))


def _objective(points: Array, y: Array, shares: Array, penalty: float, theta: Array, c: Array) -> float:
    missed = y - np.maximum(points @ theta.T, 0.0) @ c
    return float(shares @ missed**2) + penalty * float(np.abs(c) @ np.linalg.norm(theta, axis=1))


def steepest(points: Array, pull: Array, draw: np.random.Generator) -> tuple[Array, Array]:
    """g = Σ pull_i [θ·x̃_i]_+ and θ at the largest |g| over unit θ that were found, apart from each other."""
    starts = np.vstack([draw.normal(size=(STARTS, points.shape[1])), points, -points])
    value, theta = climbed(points, pull, starts)
    order, kept = np.argsort(-np.abs(value)), list[int]()
    for k in order:
        if len(kept) < TOGETHER and all(theta[k] @ theta[j] < APART for j in kept):
            kept.append(int(k))
    return value[kept], theta[kept]


def climbed(points: Array, pull: Array, starts: Array) -> tuple[Array, Array]:
    """g and the unit θ to which ascent of |g| leads from each start."""
    theta = starts / np.linalg.norm(starts, axis=1)[:, None]
    heights = theta @ points.T
    value = np.maximum(heights, 0.0) @ pull
    climbing, at, g = np.arange(len(theta)), theta.copy(), value.copy()
    step, sign = np.ones(len(theta)), np.where(value < 0, -1.0, 1.0)
    for _ in range(CLIMBS):
        gradient = sign[:, None] * (((heights > 0) * pull) @ points)
        length = np.linalg.norm(gradient, axis=1, keepdims=True)
        aim = gradient / np.where(length > 0, length, 1.0)
        moved = at + step[:, None] * (aim - at)
        norm = np.linalg.norm(moved, axis=1, keepdims=True)
        moved = moved / np.where(norm > 0, norm, 1.0)
        there = moved @ points.T
        reached = np.maximum(there, 0.0) @ pull
        better = sign * reached > sign * g
        at[better], g[better], heights[better] = moved[better], reached[better], there[better]
        theta[climbing], value[climbing] = at, g
        step = np.where(better, np.minimum(1.0, 2 * step), step / 4)
        on = step > STILL
        climbing, step, sign = climbing[on], step[on], sign[on]
        at, g, heights = at[on], g[on], heights[on]
        if not len(climbing):
            break
    return value, theta


def _settled(points: Array, y: Array, shares: Array, penalty: float, theta: Array, c: Array) -> tuple[Array, Array]:
    """All parameters at a local minimum, without the units that vanish there."""
    count, dimension = theta.shape

    def objective(flat: Array) -> tuple[float, Array]:
        at, out = flat[: count * dimension].reshape(count, dimension), flat[count * dimension :]
        before = points @ at.T
        active = np.maximum(before, 0.0)
        missed = active @ out - y
        back = 2 * shares * missed
        slope = (np.where(before > 0, back[:, None], 0.0).T @ points) * out[:, None]
        value = float(shares @ missed**2) + 0.5 * penalty * float(flat @ flat)
        return value, np.concatenate([slope.ravel(), active.T @ back]) + penalty * flat

    found = minimize(
        objective,
        np.concatenate([theta.ravel(), c]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 400, "maxfun": 800, "ftol": 1e-13, "gtol": 1e-9},
    ).x
    theta, c = found[: count * dimension].reshape(count, dimension), found[count * dimension :]
    cost = np.abs(c) * np.linalg.norm(theta, axis=1)
    kept = cost > FAINT * cost.sum()
    return theta[kept], c[kept]


def _lifted(X: Array) -> Array:
    return np.column_stack([X, np.ones(len(X))])
