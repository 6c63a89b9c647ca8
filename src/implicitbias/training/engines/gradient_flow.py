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

The tolerance is one step's. What its errors add up to is estimated by taking the same path again, each accepted step in
two halves: on smooth stretches, where errors are of second order in the steps, both ends are 3/4 of the error apart,
where kinks cross data or slide along them one half. It is an estimate, no bound: both may miss the same thing, and
where a datum pushes a kink away to both sides the flow itself is not unique.
"""

from __future__ import annotations

import time
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from implicitbias.training.engines import tangent_kernel
from implicitbias.training.engines.engine import Engine
from implicitbias.training.tangent import Tangent, tangent
from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.tangent_by_activity import TangentByActivity
    from implicitbias.training.tangent_by_slot import TangentBySlot
    from implicitbias.training.trajectory import Function, Reason
    from implicitbias.training.two_layer import Groups

    Array = NDArray[np.float64]

BLOCK = 1 << 17
"""Seeds × data × units of a group that is followed at once: its arrays stay in the fast caches."""

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


FACTOR = 4.0
"""Times the distance from a path of half steps: that of errors of order 0.4, so that those of order 1 have room."""


class Parameters(NamedTuple):
    """w (S, n) or (S, n, d), b and v (S, n), c (S,)."""

    w: Array
    b: Array
    v: Array
    c: Array

    def rows(self, which: NDArray[np.int64]) -> Parameters:
        """The parameters of some of the seeds."""
        return Parameters(*(p[which] for p in self))

    def plus(self, move: Parameters) -> Parameters:
        return Parameters(*(p + m for p, m in zip(self, move, strict=True)))

    def minus(self, move: tuple[Array, ...]) -> Parameters:
        return Parameters(*(p - m for p, m in zip(self, move, strict=True)))


class Stage:
    """The network linearised at θ: outputs, spectrum of K, and moves for any time h."""

    def __init__(self, theta: Parameters, x: Array, y: Array, rates: Groups, q: float) -> None:
        self.theta, self.rates, self.q = theta, rates, q
        self.at = _tangent(theta, x)
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
        if isinstance(self.at, Tangent):
            return self.theta.minus(self.at.pull_back(a, self.rates))
        return Parameters(*self.at.after(a, self.rates))


def _tangent(theta: Parameters, x: Array) -> Tangent | TangentBySlot | TangentByActivity:
    """The fastest for the inputs, which are sorted where there is one."""
    by_slot, by_activity, few = _compiled()
    if x.ndim == 2:
        return by_slot(*theta, x)
    return by_activity(*theta, x) if x.shape[1] <= few else tangent(*theta, x)


@cache
def _compiled() -> tuple[type[TangentBySlot], type[TangentByActivity], int]:
    """What numba compiles, which is loaded late and once: a stage lasts less than some import statements."""
    from implicitbias.training.tangent_by_activity import FEW, TangentByActivity
    from implicitbias.training.tangent_by_slot import TangentBySlot

    return TangentBySlot, TangentByActivity, FEW


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
    times = _times(problem)
    start, seeds = _start(problem), problem.seeds
    size = max(1, BLOCK // (start.b.shape[1] * problem.inputs.shape[1]))
    groups = [np.arange(i, min(i + size, seeds), dtype=np.int64) for i in range(0, seeds, size)]
    flows = [_flow(problem, start.rows(group), group, times) for group in groups]
    rows = [
        Parameters(*(np.concatenate(p) for p in zip(*(f.kept[i] for f in flows), strict=True)))
        for i in range(len(times))
    ]
    losses, taken = (np.concatenate(parts, axis=1) for parts in zip(*((f.losses, f.taken) for f in flows), strict=True))

    def function(row: int) -> Function:
        theta = rows[row]
        return problem.rebuilt(theta.w, theta.b, theta.v[..., None], theta.c[..., None])

    return Trajectory(
        engine="gradient_flow",
        steps=taken.max(axis=1),
        times=times,
        losses=losses[:, 0] if problem.single else losses,
        kept_steps=problem.kept,
        snapshots=tuple(function(row) for row in problem.kept),
        final=function(len(times) - 1),
        reasons=tuple(reason for f in flows for reason in f.reasons),
        stop_steps=taken[-1],
        seconds=time.perf_counter() - begin,
        step=np.nan,
        estimate=partial(_error, problem, flows),
    )


def _times(problem: Problem) -> Array:
    return np.array(problem.times or (np.inf,))


def _start(problem: Problem) -> Parameters:
    w, b, v, c = (a.astype(np.float64) for a in problem.arrays())
    return Parameters(w, b, v[..., 0], c[..., 0])


def _error(problem: Problem, flows: list[Flow]) -> Array:
    """What `Trajectory.error` says, from the distance to the same paths in half steps. Infinite where stalled."""
    error = np.concatenate([_apart(problem, flow) for flow in flows], axis=1)
    return error[:, 0] if problem.single else error


def _apart(problem: Problem, flow: Flow) -> Array:
    start, rates = _start(problem).rows(flow.seeds), problem.rates
    halved = _halved(problem, flow)
    apart = np.stack([_length(one.minus(other), rates) for one, other in zip(flow.kept, halved, strict=True)])
    moved = np.maximum.accumulate([_length(row.minus(start), rates) for row in flow.kept], axis=0)
    error = np.where(apart > 0, FACTOR * apart / np.maximum(moved, np.finfo(np.float64).tiny), 0.0)
    error[:, [reason == "stalled" for reason in flow.reasons]] = np.inf
    return error


class Flow(NamedTuple):
    """What a group of seeds leaves behind.

    kept, losses, taken  parameters, losses and the number of accepted steps at each time
    path                 the accepted steps in turn: which seeds of the group, and how long
    """

    seeds: NDArray[np.int64]
    kept: list[Parameters]
    losses: Array
    reasons: list[Reason]
    taken: NDArray[np.int64]
    path: list[tuple[NDArray[np.int64], Array]]


class Data(NamedTuple):
    """The data of a group of seeds: x (1 or S, M), sorted, or (1 or S, M, d); y (S, M); their weight in the loss."""

    x: Array
    y: Array
    q: float

    @classmethod
    def of(cls, problem: Problem, group: NDArray[np.int64]) -> Data:
        x = problem.inputs[group % len(problem.inputs)] if len(problem.inputs) > 1 else problem.inputs
        y = problem.labels[group % len(problem.labels), :, 0]
        if x.ndim == 2:
            order = np.argsort(x, axis=1)
            x, y = np.take_along_axis(x, order, 1), np.take_along_axis(y, np.broadcast_to(order, y.shape), 1)
        return cls(x, y, float(problem.weights[0]))

    def stage(self, theta: Parameters, which: NDArray[np.int64], rates: Groups) -> Stage:
        """Some of the seeds, whose parameters these are, linearised there."""
        return Stage(theta, self.x[which] if len(self.x) > 1 else self.x, self.y[which], rates, self.q)


def _step(stage: Stage, length: Array, data: Data, which: NDArray[np.int64], rates: Groups) -> tuple[Parameters, Array]:
    """The parameters after a step, extrapolated from it and its halves; the distance of these two."""
    whole, half = stage.after(length), stage.after(length / 2)
    both = data.stage(half, which, rates).after(length / 2)
    # Two half steps have half of the error of a whole one, which is as far again.
    apart = both.minus(whole)
    return both.plus(apart), _length(apart, rates)


def _halved(problem: Problem, flow: Flow) -> list[Parameters]:
    """The parameters at each time, each accepted step taken in two halves."""
    rates, times, data = problem.rates, _times(problem), Data.of(problem, flow.seeds)
    theta = Parameters(*(p.copy() for p in _start(problem).rows(flow.seeds)))
    kept = [Parameters(*(p.copy() for p in theta)) for _ in times]
    count = np.zeros(len(flow.seeds), dtype=np.int64)
    for which, length in flow.path:
        for _ in range(2):
            better, _ = _step(data.stage(theta.rows(which), which, rates), length / 2, data, which, rates)
            for into, value in zip(theta, better, strict=True):
                into[which] = value
        count[which] += 1
        for row, taken in zip(kept, flow.taken, strict=True):
            here = which[taken[which] == count[which]]
            for into, value in zip(row, theta, strict=True):
                into[here] = value[here]
    for seed, reason in enumerate(flow.reasons):
        if np.isinf(times[-1]) and reason != "stalled":
            one = np.array([seed])
            polished, _ = _polish(theta.rows(one), one, data, rates)
            for into, value in zip(kept[-1], polished, strict=True):
                into[seed] = value[0]
    return kept


def _flow(problem: Problem, theta: Parameters, group: NDArray[np.int64], times: Array) -> Flow:
    seeds, rates, tolerance, data = len(group), problem.rates, problem.tolerance, Data.of(problem, group)
    path: list[tuple[NDArray[np.int64], Array]] = []
    kept = [Parameters(*(p.copy() for p in theta)) for _ in times]
    losses = np.full((len(times), seeds), np.nan)
    taken = np.zeros((len(times), seeds), dtype=np.int64)
    reasons: list[Reason] = ["times"] * seeds
    now, row, stages = np.zeros(seeds), np.zeros(seeds, dtype=np.int64), np.zeros(seeds, dtype=np.int64)
    theta = Parameters(*(p.copy() for p in theta))
    h, travel, active = np.zeros(seeds), np.zeros(seeds), np.arange(seeds, dtype=np.int64)

    def keep(seed: np.int64, residual: Array) -> None:
        for into, value in zip(kept[row[seed]], theta, strict=True):
            into[seed] = value[seed]
        losses[row[seed], seed] = 0.5 * data.q * np.square(residual).sum()
        taken[row[seed], seed] = stages[seed]
        row[seed] += 1

    stage = data.stage(theta, active, rates)
    with np.errstate(divide="ignore"):
        h[:] = 0.1 / (data.q * stage.values[:, -1])
    travel[:] = stage.travel
    while True:
        for i, seed in enumerate(active):
            if row[seed] < len(times) and now[seed] >= times[row[seed]]:
                keep(seed, stage.residual[i])
            if row[seed] < len(times) and np.isinf(times[row[seed]]) and h[seed] * stage.slowest()[i] > GONE:
                one = np.array([seed])
                polished, residual = _polish(theta.rows(one), one, data, rates)
                for into, value in zip(theta, polished, strict=True):
                    into[seed] = value[0]
                left = np.abs(residual).max() > 1e-9 * max(1.0, np.abs(data.y[seed]).max())
                reasons[seed] = "stationary" if left else "times"
                now[seed] = np.inf
                keep(seed, residual)
            elif h[seed] * data.q * stage.values[i, -1] < LEAST:
                reasons[seed] = "stalled"
                while row[seed] < len(times):
                    keep(seed, stage.residual[i])
        going = row[active] < len(times)
        if not going.any():
            return Flow(group, kept, losses, reasons, taken, path)
        if not going.all():
            active = active[going]
            stage = data.stage(theta.rows(active), active, rates)
        to_go = times[row[active]] - now[active]
        length = np.minimum(h[active], to_go)
        better, apart = _step(stage, length, data, active, rates)
        travel[active] = np.maximum(travel[active], stage.travel)
        error = apart / np.maximum(travel[active], np.finfo(np.float64).tiny)
        shortest = tolerance**RHYTHM * now[active]
        good = (error <= tolerance) | (length <= shortest)
        for into, value in zip(theta, better, strict=True):
            into[active[good]] = value[good]
        if good.any():
            path.append((active[good], length[good]))
        now[active[good]] = np.where(length == to_go, times[row[active]], now[active] + length)[good]
        stages[active[good]] += 1
        with np.errstate(divide="ignore"):
            factor = SAFETY * (tolerance / error) ** (1 / (ORDER + 1))
        factor = np.clip(factor, SHRINKAGE, GROWTH)
        # A step that was cut short to hit a time says little about the next.
        following = np.where(good & (length < h[active]), np.maximum(h[active], length * factor), length * factor)
        h[active] = np.maximum(following, shortest)
        stage = data.stage(theta.rows(active), active, rates)


def _polish(theta: Parameters, which: NDArray[np.int64], data: Data, rates: Groups) -> tuple[Parameters, Array]:
    """The limit, from a point where the residual is almost zero: linear solves as long as they help."""
    stage = data.stage(theta, which, rates)
    for _ in range(POLISH):
        further = data.stage(stage.after(np.array([np.inf])), which, rates)
        if not np.abs(further.residual).max() < np.abs(stage.residual).max():
            break
        stage = further
    return stage.theta, stage.residual[0]


def _length(move: Parameters, rates: Groups) -> Array:
    """How far parameters that learn are moved, in p̃ = p/√rate: shape (S,)."""
    total = np.zeros(len(move.c))
    for m, rate in zip(move, rates, strict=True):
        if rate:
            flat = m.reshape(len(m), -1)
            total += np.einsum("sn,sn->s", flat, flat) / rate
    return np.sqrt(total)


ENGINE = Engine("gradient_flow", "gradient flow of the nonlinear network, adaptive", refuses, run)
