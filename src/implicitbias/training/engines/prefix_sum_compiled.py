"""Prefix sums in compiled loops (`compiled.py`): what engine `prefix_sum` runs on the cpu.

Seeds are spread over threads, and a single wide network is cut into blocks of units that threads share. Blocks depend
on the width alone, so results do not depend on the number of threads.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines import compiled
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.record import assemble

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Reason, Trajectory
    from implicitbias.training.two_layer import TwoLayer

    Array = NDArray[np.float64]

BLOCK = 1 << 16
"""Greatest number of units in a block: large against the 2M + 2 sums that each block has for itself."""

CODES = {
    "square": compiled.SQUARE,
    "logistic": compiled.LOGISTIC,
    "exponential": compiled.EXPONENTIAL,
    "cross_entropy": compiled.CROSS_ENTROPY,
}

WHY: dict[int, Reason] = {
    compiled.LAST: "steps",
    compiled.LOSS: "loss",
    compiled.PLATEAU: "plateau",
    compiled.DIVERGED: "diverged",
}


class Run:
    """One network in training: its parameters, sorted data, sums and tables."""

    def __init__(self, problem: Problem, seed: int, parameters: tuple[Array, Array, Array, Array], step: float) -> None:
        self.w, self.b, self.v, self.c = (a[seed] for a in parameters)
        x = problem.inputs[seed % len(problem.inputs)].astype(problem.dtype)
        y = problem.labels[seed % len(problem.labels)]
        self.order = np.argsort(x, kind="stable")
        m, k, n = x.size, y.shape[1], self.b.size
        huge = 1e30 if problem.dtype == "float32" else 1e300
        self.x = np.concatenate([[-huge], x[self.order], [huge]]).astype(problem.dtype)
        self.y = y[self.order]
        self.weights = problem.weights[self.order]
        self.slot = np.empty(n, dtype=np.uint32)
        blocks = -(-n // BLOCK)
        self.bounds = np.linspace(0, n, blocks + 1).astype(np.int64)
        self.sums = np.zeros((blocks, 2 * m + 2, 2 * k))
        self.table = compiled.empty_table(self.x, k)
        self.f, self.r = np.empty((m, k)), np.empty((m, k))
        self.pull = step * np.array(problem.rates)
        self.keep = 1.0 - step * np.array(problem.decay)
        self.loss = CODES[problem.loss]
        self.recorded = problem.recorded
        self.losses = np.full(problem.recorded.size, np.nan)
        self.status = np.array([np.inf, 0.0, np.nan, 0.0])
        patience = np.inf if problem.patience is None else problem.patience
        self.stop = np.array([problem.least_loss, patience, problem.improvement])
        self.at, self.why, self.end = 0, compiled.RUNNING, problem.last
        for i, (s, t) in enumerate(self.blocks):
            compiled.open_units(self.w[s:t], self.b[s:t], self.v[s:t], self.slot[s:t], self.x, self.sums[i])

    @property
    def blocks(self) -> list[tuple[int, int]]:
        return [(int(s), int(t)) for s, t in zip(self.bounds[:-1], self.bounds[1:], strict=True)]

    def observe(self) -> None:
        """Outputs, loss, slopes and the decision to stop, at the current step."""
        self.why = compiled.observe(
            self.at, self.end, self.loss, self.x, self.y, self.weights, self.c, self.sums, self.f, self.r,
            self.recorded, self.losses, self.status, self.stop,
        )  # fmt: skip

    def prepare(self) -> None:
        """Tables of the slopes, and the step of the output bias."""
        compiled.prepare(self.x, self.r, self.c, self.table, self.pull, self.keep)

    def move(self, block: int) -> None:
        """The step of one block of units."""
        s, t = self.bounds[block], self.bounds[block + 1]
        units = self.w[s:t], self.b[s:t], self.v[s:t], self.slot[s:t]
        if self.v.shape[1] > 1:
            compiled.move_vector(*units, self.x, self.table, self.sums[block], self.pull, self.keep)
            return
        compiled.move_scalar(
            self.w[s:t], self.b[s:t], self.v[s:t].reshape(-1), self.slot[s:t], self.x, self.table.reshape(-1),
            self.sums[block].reshape(-1), self.pull, self.keep,
        )  # fmt: skip

    def descend(self, until: int) -> None:
        """All steps before step number `until`, on one core; stops earlier where it must."""
        if self.why != compiled.RUNNING:
            return
        self.at, self.why = compiled.descend(
            self.at, until, self.end, self.loss, self.x, self.y, self.weights, self.w, self.b, self.v, self.c,
            self.slot, self.sums, self.table, self.f, self.r, self.pull, self.keep, self.recorded, self.losses,
            self.status, self.stop, self.bounds,
        )  # fmt: skip

    def descend_shared(self, until: int, pool: ThreadPoolExecutor) -> None:
        """The same, the blocks of a step being shared by the threads of the pool."""
        while self.at < until and self.why == compiled.RUNNING:
            self.observe()
            if self.why == compiled.RUNNING:
                self.prepare()
                list(pool.map(self.move, range(len(self.blocks))))
                self.at += 1

    def descend_with_noise(self, labels: Array, weights: Array) -> None:
        """One step on the labels of this step; the recorded loss is that of the true labels."""
        if self.why != compiled.RUNNING:
            return
        self.observe()
        if self.why == compiled.RUNNING:
            compiled.slopes(self.loss, self.f, labels[self.order], weights[self.order], self.r)
            self.prepare()
            for block in range(len(self.blocks)):
                self.move(block)
            self.at += 1


def descend(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    begin = time.perf_counter()
    step = learning_rate(problem)
    parameters = problem.arrays()
    runs = [Run(problem, seed, parameters, step) for seed in range(problem.seeds)]
    threads = problem.threads or available_threads()
    snapshots: dict[int, TwoLayer] = {}
    generator = np.random.default_rng(problem.seed)
    with ThreadPoolExecutor(threads) as pool:
        for until in [*problem.kept, problem.last + 1]:
            if problem.label_noise is not None:
                _noisy_steps(problem, runs, until, generator)
            elif threads > len(runs) and len(runs[0].blocks) > 1:
                for one in runs:
                    one.descend_shared(until, pool)
            elif threads == 1 or len(runs) == 1:
                for one in runs:
                    one.descend(until)
            else:
                list(pool.map(Run.descend, runs, [until] * len(runs)))
            if until <= problem.last:
                snapshots[until] = problem.rebuilt(*parameters)
    return _trajectory(problem, runs, snapshots, problem.rebuilt(*parameters), step, time.perf_counter() - begin)


def _noisy_steps(problem: Problem, runs: list[Run], until: int, generator: np.random.Generator) -> None:
    start = max(one.at for one in runs)
    for step in range(start, until):
        if all(one.why != compiled.RUNNING for one in runs):
            return
        labels, weights = problem.noisy(step, generator)
        for seed, one in enumerate(runs):
            one.descend_with_noise(labels[seed % len(labels)], weights[seed % len(weights)])


def _trajectory(
    problem: Problem, runs: list[Run], snapshots: dict[int, TwoLayer], final: TwoLayer, step: float, seconds: float
) -> Trajectory:
    last = np.array([one.status[compiled.VALUE] for one in runs])
    losses = np.stack([one.losses for one in runs], axis=-1)
    return assemble(
        problem,
        "prefix_sum",
        np.concatenate([np.where(np.isnan(losses), last, losses), last[None]]),
        np.array([one.at for one in runs]),
        tuple(WHY[one.why] for one in runs),
        dict(snapshots),
        final,
        step,
        seconds,
    )


def available_threads() -> int:
    """OMP_NUM_THREADS if it is set, as in numerical libraries; otherwise the number of cores this process may use."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
