"""Engine `kernel`: training of the linearised network, whole and in closed form, at finite or infinite width.

With K = J R Jᵀ at the start (J over the parameters that learn, R their rates), L = ½ q Σ (f - y)² and r_0 = y - f_0(X),

    f_t(x) = f_0(x) + K(x, X) a_t,   a_t = Q diag(g_t(λ)) Qᵀ r_0,   K(X, X) = Q diag(λ) Qᵀ

    gradient descent  g_t(λ) = (1 - (1 - η q λ)^t) / λ,      gradient flow  g_t(λ) = (1 - e^{-q t λ}) / λ

so that no step is taken and t may be infinity: f_0 + K(·, X) K⁻¹ (y - f_0) where K is regular (Jin & Montúfar 2021,
equations (8)-(10)).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.engine import Engine
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.infinite_width import InfiniteWidth
from implicitbias.training.linearised import KernelExpansion, LinearisedNetwork
from implicitbias.training.tangent import Tangent, tangent
from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason

    Array = NDArray[np.float64]


def refuses(problem: Problem) -> str | None:
    """All but scalar two-layer networks, finite or infinite, with the square loss."""
    if problem.kind == "layered":
        return "only two-layer networks: take engine='dense'"
    if problem.kind == "two_layer" and problem.two_layer.outputs is not None:
        return "only scalar outputs (v of shape (n,) or (seeds, n))"
    if problem.loss != "square":
        return f"only the square loss: got loss={problem.loss!r}"
    if any(problem.decay):
        return "no weight decay: take engine='dense' or 'prefix_sum'"
    if problem.label_noise is not None:
        return "no label noise: take engine='dense' or 'prefix_sum'"
    if problem.device != "cpu":
        return f"runs on the cpu only: got device={problem.device!r}"
    return None


def run(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    begin = time.perf_counter()
    discrete = problem.steps is not None
    q = float(problem.weights[0])
    y = problem.labels[..., 0]
    if isinstance(problem.network, InfiniteWidth):
        points = problem.inputs[0]
        at = None
        matrix = problem.network.matrix(points, points)[None]
        residual = y - problem.network.start(points)
        step = _infinite_step(problem, matrix, q) if discrete else np.nan
    else:
        at = tangent_at_start(problem)
        matrix = at.kernel(problem.rates)
        residual = y - at.outputs
        step = learning_rate(problem) if discrete else np.nan
    values, vectors = np.linalg.eigh(matrix)
    parts = (vectors.transpose(0, 2, 1) @ residual[..., None])[..., 0]
    if discrete:
        grid = problem.recorded.astype(np.float64)
        kept = [float(s) for s in problem.kept]
        decay = q * step * values
    else:
        grid = np.array(problem.times or (np.inf,))
        kept = [float(grid[s]) for s in problem.kept]
        decay = q * values
    losses = np.stack([0.5 * q * np.square(parts * remaining(decay, t, discrete)).sum(-1) for t in grid])

    def function(t: float) -> Function:
        a = (vectors @ (parts * grown(values, decay, t, discrete))[..., None])[..., 0]
        return _function(problem, at, a)

    final = function(float(grid[-1]))
    return Trajectory(
        engine="kernel",
        steps=problem.recorded if discrete else np.zeros(len(grid), dtype=np.int64),
        times=grid * step if discrete else grid,
        losses=losses[:, 0] if problem.single else losses,
        kept_steps=problem.kept,
        snapshots=tuple(function(t) for t in kept),
        final=final,
        reasons=tuple(
            _reason(float(loss), float(t0), discrete, grid[-1])
            for loss, t0 in zip(losses[-1], _scale(residual, q), strict=True)
        ),
        stop_steps=np.full(problem.seeds, problem.last if discrete else 0),
        seconds=time.perf_counter() - begin,
        step=float(step),
    )


def tangent_at_start(problem: Problem) -> Tangent:
    """Features and active units of the network at the data, in doubles."""
    w, b, v, c = (a.astype(np.float64) for a in problem.arrays())
    return tangent(w, b, v[..., 0], c[..., 0], problem.inputs)


def null(values: Array) -> Array:
    """Which eigenvalues are zero to rounding: what lies along them is never learnt."""
    small: Array = values <= values.shape[-1] * np.finfo(np.float64).eps * values[..., -1:]
    return small


def remaining(decay: Array, t: float, discrete: bool) -> Array:
    """The part of each eigendirection that is left at t: (1 - decay)^t for steps, e^{-decay t} for a flow."""
    decay = np.where(null(decay), 0.0, decay)
    if discrete:
        power: Array = (1.0 - decay) ** t
        return power
    with np.errstate(invalid="ignore"):
        return np.where(decay > 0, np.exp(-decay * t), 1.0)


def grown(values: Array, decay: Array, t: float, discrete: bool) -> Array:
    """g_t(λ): the part that is learnt over λ, stable for small λ; zero where λ is."""
    zero = null(values)
    decay = np.where(zero, 1.0, decay)
    if discrete:
        with np.errstate(divide="ignore", invalid="ignore"):
            slow = -np.expm1(t * np.log1p(-decay))
        learnt = np.where(decay < 1, slow, 1.0 - (1.0 - decay) ** t)
    else:
        learnt = -np.expm1(-decay * t)
    return np.where(zero, 0.0, learnt / np.where(zero, 1.0, values))


def _infinite_step(problem: Problem, matrix: Array, q: float) -> float:
    if problem.step is not None:
        return problem.step
    return 1.0 / (q * float(np.linalg.eigvalsh(matrix)[0, -1]))


def _function(problem: Problem, at: Tangent | None, a: Array) -> Function:
    if isinstance(problem.network, InfiniteWidth):
        return KernelExpansion(problem.network, problem.inputs[0], a[0])
    assert at is not None
    moves = at.pull_back(a, problem.rates)
    w, b, v, c = (move[0] if problem.single else move for move in moves)
    return LinearisedNetwork(problem.rebuilt(*problem.arrays()), (w, b, v, c))


def _scale(residual: Array, q: float) -> Array:
    scale: Array = 0.5 * q * np.square(residual).sum(-1)
    return scale


def _reason(loss: float, first: float, discrete: bool, end: float) -> Reason:
    if not np.isfinite(loss) or loss > first * (1 + 1e-9):
        return "diverged"
    if np.isinf(end) and loss > 0:
        return "stationary"
    return "steps" if discrete else "times"


ENGINE = Engine("kernel", "the linearised network in closed form, at finite or infinite width", refuses, run)
