"""Engine `gradient_flow`: dθ/dt = -R ∇L of the nonlinear network, by an exponential integrator with error control.

One stage linearises at the present θ, where K = J R Jᵀ = Q diag(λ) Qᵀ and r = f(X) - y, and follows the linear flow
for a time h exactly (exponential Rosenbrock-Euler with the Gauss-Newton part of the Hessian):

    θ <- θ - R Jᵀ Q diag((1 - e^{-q h λ}) / λ) Qᵀ r

M × M algebra only. Wide networks are nearly linear, so h grows geometrically and some tens of stages reach infinity,
where plain gradient descent needs some κ(K) log(1/ε) steps. A step h is compared with two of h/2: the distance of the
parameters, relative to the distance √(rᵀ K⁻¹ r) that linear training would travel, is kept below the tolerance, and
the two are extrapolated. Seeds of a batch have step sizes of their own.

A kink can slide along a datum: the gradient jumps there and pushes back from both sides, and the error of a step is
then O(h) however short the step. So no step is shorter than tolerance^(1/3) of the time that has passed; the kink
zigzags over its datum in that rhythm, as it does in gradient descent in the rhythm of the learning rate.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from implicitbias.training.engines import tangent_kernel
from implicitbias.training.engines.engine import Engine
from implicitbias.training.tangent import tangent
from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason
    from implicitbias.training.two_layer import Groups

    Array = NDArray[np.float64]

BLOCK = 1 << 23
"""Maximum number of entries of the seeds × data × units array held at once."""

ORDER = 1
"""Order of one stage: the error of a step is O(h²), because r ∇²f is left out; with extrapolation O(h³)."""

RHYTHM = 1 / 3
"""No step is shorter than tolerance^RHYTHM of the time passed."""

GROWTH, SHRINKAGE, SAFETY = 4.0, 0.2, 0.9

GONE = 40.0
"""A mode that has decayed by e^-40 is below rounding: the limit is reached by solving the linear system."""

POLISH = 20
"""Greatest number of such solves: each squares the residual until rounding stops it."""

LEAST = 1e-12
"""A step shorter than this part of 1/λ_max makes no progress: the integrator gives up."""


class Parameters(NamedTuple):
    """w (S, n) or (S, n, d), b and v (S, n), c (S,)."""

    w: Array
    b: Array
    v: Array
    c: Array

    def rows(self, which: NDArray[np.int64]) -> Parameters:
        """The parameters of some of the seeds."""
        return Parameters(*(p[which] for p in self))

    def minus(self, move: tuple[Array, ...]) -> Parameters:
        """The parameters after a move."""
        return Parameters(*(p - m for p, m in zip(self, move, strict=True)))


class Stage:
    """The network linearised at θ: outputs, spectrum of K, and moves for any time h."""

    def __init__(self, theta: Parameters, x: Array, y: Array, rates: Groups, q: float) -> None:
        self.theta, self.rates, self.q = theta, rates, q
        self.at = tangent(*theta, x)
        self.residual = self.at.outputs - y
        self.values, self.vectors = np.linalg.eigh(self.at.kernel(rates))
        self.null = tangent_kernel.null(self.values)
        self.safe = np.where(self.null, 1.0, self.values)
        self.parts = (self.vectors.transpose(0, 2, 1) @ self.residual[..., None])[..., 0]

    @property
    def travel(self) -> Array:
        """√(rᵀ K⁻¹ r): how far linear training would carry the parameters that learn."""
        far: Array = np.sqrt((np.square(self.parts) * (1 - self.null) / self.safe).sum(-1))
        return far

    def slowest(self) -> Array:
        """The least nonzero eigenvalue of each seed."""
        least: Array = np.where(self.null, np.inf, self.q * self.values).min(-1)
        return least

    def after(self, h: Array) -> Parameters:
        """θ a time h (S,) later."""
        learnt = np.where(self.null, 0.0, -np.expm1(-self.q * h[:, None] * self.safe)) / self.safe
        a = (self.vectors @ (learnt * self.parts)[..., None])[..., 0]
        return self.theta.minus(self.at.pull_back(a, self.rates))


def refuses(problem: Problem) -> str | None:
    """Infinite width, steps, and what the kernel engine refuses."""
    if problem.kind == "infinite":
        return "an infinitely wide network has no parameters to train: take engine='kernel'"
    if problem.steps is not None or problem.step is not None:
        return "a flow has times, not steps: give times (or nothing, for the limit)"
    return tangent_kernel.refuses(problem)


def run(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    begin = time.perf_counter()
    w, b, v, c = (a.astype(np.float64) for a in problem.arrays())
    start = Parameters(w, b, v[..., 0], c[..., 0])
    times = np.array(problem.times or (np.inf,))
    seeds, n, m = problem.seeds, b.shape[1], problem.inputs.shape[1]
    size = max(1, BLOCK // (n * m))
    groups = [np.arange(i, min(i + size, seeds), dtype=np.int64) for i in range(0, seeds, size)]
    flows = [_flow(problem, start.rows(group), group, times) for group in groups]
    rows = [
        Parameters(*(np.concatenate(p) for p in zip(*(f.kept[i] for f in flows), strict=True)))
        for i in range(len(times))
    ]
    losses = np.concatenate([f.losses for f in flows], axis=1)

    def function(row: int) -> Function:
        theta = rows[row]
        return problem.rebuilt(theta.w, theta.b, theta.v[..., None], theta.c[..., None])

    return Trajectory(
        engine="gradient_flow",
        steps=np.arange(len(times)),
        times=times,
        losses=losses[:, 0] if problem.single else losses,
        kept_steps=problem.kept,
        snapshots=tuple(function(row) for row in problem.kept),
        final=function(len(times) - 1),
        reasons=tuple(reason for f in flows for reason in f.reasons),
        stop_steps=np.concatenate([f.stages for f in flows]),
        seconds=time.perf_counter() - begin,
        step=np.nan,
    )


class Flow(NamedTuple):
    """What a group of seeds leaves behind: parameters and losses at each time, reasons, accepted steps."""

    kept: list[Parameters]
    losses: Array
    reasons: list[Reason]
    stages: NDArray[np.int64]


def _flow(problem: Problem, theta: Parameters, group: NDArray[np.int64], times: Array) -> Flow:
    seeds, q, rates = len(group), float(problem.weights[0]), problem.rates
    x = problem.inputs[group % len(problem.inputs)] if len(problem.inputs) > 1 else problem.inputs
    y = problem.labels[group % len(problem.labels), :, 0]
    kept = [Parameters(*(p.copy() for p in theta)) for _ in times]
    losses = np.full((len(times), seeds), np.nan)
    reasons: list[Reason] = ["times"] * seeds
    now, row, stages = np.zeros(seeds), np.zeros(seeds, dtype=np.int64), np.zeros(seeds, dtype=np.int64)
    theta = Parameters(*(p.copy() for p in theta))
    h, travel, active = np.zeros(seeds), np.zeros(seeds), np.arange(seeds, dtype=np.int64)

    def data(which: NDArray[np.int64]) -> tuple[Array, Array]:
        return (x[which] if len(x) > 1 else x), y[which]

    def keep(seed: np.int64, residual: Array) -> None:
        for into, value in zip(kept[row[seed]], theta, strict=True):
            into[seed] = value[seed]
        losses[row[seed], seed] = 0.5 * q * np.square(residual).sum()
        row[seed] += 1

    stage = Stage(theta, *data(active), rates, q)
    with np.errstate(divide="ignore"):
        h[:] = 0.1 / (q * stage.values[:, -1])
    travel[:] = stage.travel
    while True:
        for i, seed in enumerate(active):
            if row[seed] < len(times) and now[seed] >= times[row[seed]]:
                keep(seed, stage.residual[i])
            if row[seed] < len(times) and np.isinf(times[row[seed]]) and h[seed] * stage.slowest()[i] > GONE:
                one = np.array([seed])
                polished, residual = _polish(theta.rows(one), *data(one), rates, q)
                for into, value in zip(theta, polished, strict=True):
                    into[seed] = value[0]
                left = np.abs(residual).max() > 1e-9 * max(1.0, np.abs(y[seed]).max())
                reasons[seed] = "stationary" if left else "times"
                now[seed] = np.inf
                keep(seed, residual)
            elif h[seed] * q * stage.values[i, -1] < LEAST:
                reasons[seed] = "stalled"
                while row[seed] < len(times):
                    keep(seed, stage.residual[i])
        going = row[active] < len(times)
        if not going.any():
            return Flow(kept, losses, reasons, stages)
        if not going.all():
            active = active[going]
            stage = Stage(theta.rows(active), *data(active), rates, q)
        to_go = times[row[active]] - now[active]
        length = np.minimum(h[active], to_go)
        whole, half = stage.after(length), stage.after(length / 2)
        both = Stage(half, *data(active), rates, q).after(length / 2)
        travel[active] = np.maximum(travel[active], stage.travel)
        error = _distance(whole, both, rates) / np.maximum(travel[active], np.finfo(np.float64).tiny)
        shortest = problem.tolerance**RHYTHM * now[active]
        good = (error <= problem.tolerance) | (length <= shortest)
        for into, p, p2 in zip(theta, whole, both, strict=True):
            # Two half steps have half of the error of a whole one: extrapolate.
            better = p2 + (p2 - p) / (2**ORDER - 1)
            into[active[good]] = better[good]
        now[active[good]] = np.where(length == to_go, times[row[active]], now[active] + length)[good]
        stages[active[good]] += 1
        with np.errstate(divide="ignore"):
            factor = SAFETY * (problem.tolerance / error) ** (1 / (ORDER + 1))
        factor = np.clip(factor, SHRINKAGE, GROWTH)
        # A step that was cut short to hit a time says little about the next.
        following = np.where(good & (length < h[active]), np.maximum(h[active], length * factor), length * factor)
        h[active] = np.maximum(following, shortest)
        stage = Stage(theta.rows(active), *data(active), rates, q)


def _polish(theta: Parameters, x: Array, y: Array, rates: Groups, q: float) -> tuple[Parameters, Array]:
    """The limit, from a point where the residual is almost zero: linear solves as long as they help."""
    stage = Stage(theta, x, y, rates, q)
    for _ in range(POLISH):
        further = Stage(stage.after(np.array([np.inf])), x, y, rates, q)
        if not np.abs(further.residual).max() < np.abs(stage.residual).max():
            break
        stage = further
    return stage.theta, stage.residual[0]


def _distance(one: Parameters, other: Parameters, rates: Groups) -> Array:
    """Distance of the parameters that learn, in p̃ = p/√rate: shape (S,)."""
    total = np.zeros(len(one.c))
    for p, p2, rate in zip(one, other, rates, strict=True):
        if rate:
            total += np.square(p - p2).reshape(len(p), -1).sum(-1) / rate
    return np.sqrt(total)


ENGINE = Engine("gradient_flow", "gradient flow of the nonlinear network, adaptive", refuses, run)
