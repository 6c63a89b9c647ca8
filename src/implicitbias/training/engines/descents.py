"""A batch of gradient descents in compiled loops: seeds over threads, records, stops and noisy labels."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from implicitbias.training.engines import compiled
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.record import assemble

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason, Trajectory

    Array = NDArray[np.float64]

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


class Descent:
    """One network in training: what it is trained on, its record, and whether and why it has stopped.

    at, why  the step it is at; RUNNING, or the code of the reason why it has stopped
    """

    def __init__(self, problem: Problem, seed: int) -> None:
        self.y = problem.labels[seed % len(problem.labels)]
        self.weights = problem.weights
        self.loss = CODES[problem.loss]
        self.recorded = problem.recorded
        self.losses = np.full(problem.recorded.size, np.nan)
        self.status = np.array([np.inf, 0.0, np.nan, 0.0])
        patience = np.inf if problem.patience is None else problem.patience
        self.stop = np.array([problem.least_loss, patience, problem.improvement])
        self.at, self.why, self.end = 0, compiled.RUNNING, problem.last

    def descend(self, until: int) -> None:
        """All steps before step number `until`, on one core; stops earlier where it must."""
        raise NotImplementedError

    def descend_with_noise(self, labels: Array, weights: Array) -> None:
        """One step on the labels of this step; the recorded loss is that of the true labels."""
        raise NotImplementedError


D = TypeVar("D", bound=Descent)


def descend(
    problem: Problem,
    engine: str,
    start: Callable[[int, float], D],
    now: Callable[[], Function],
    share: Callable[[D, int, ThreadPoolExecutor], None] | None = None,
) -> Trajectory:
    """Train as the problem says.

    start  (seed, learning rate) -> its descent
    now    the function of the parameters as they are
    share  takes one descent to a step with all threads; default: it has one, and seeds are spread over threads
    """
    begin = time.perf_counter()
    step = learning_rate(problem)
    runs = [start(seed, step) for seed in range(problem.seeds)]
    threads = problem.threads or available_threads()
    snapshots: dict[int, Function] = {}
    generator = np.random.default_rng(problem.seed)
    with ThreadPoolExecutor(threads) as pool:
        for until in [*problem.kept, problem.last + 1]:
            if problem.label_noise is not None:
                _noisy_steps(problem, runs, until, generator)
            elif share is not None and threads > len(runs):
                for one in runs:
                    share(one, until, pool)
            elif threads == 1 or len(runs) == 1:
                for one in runs:
                    one.descend(until)
            else:
                list(pool.map(lambda one, to=until: one.descend(to), runs))
            if until <= problem.last:
                snapshots[until] = now()
    return _trajectory(problem, engine, runs, snapshots, now(), step, time.perf_counter() - begin)


def _noisy_steps(problem: Problem, runs: Sequence[D], until: int, generator: np.random.Generator) -> None:
    start = max(one.at for one in runs)
    for step in range(start, until):
        if all(one.why != compiled.RUNNING for one in runs):
            return
        labels, weights = problem.noisy(step, generator)
        for seed, one in enumerate(runs):
            one.descend_with_noise(labels[seed % len(labels)], weights[seed % len(weights)])


def _trajectory(
    problem: Problem,
    engine: str,
    runs: Sequence[D],
    snapshots: dict[int, Function],
    final: Function,
    step: float,
    seconds: float,
) -> Trajectory:
    last = np.array([one.status[compiled.VALUE] for one in runs])
    losses = np.stack([one.losses for one in runs], axis=-1)
    return assemble(
        problem,
        engine,
        np.concatenate([np.where(np.isnan(losses), last, losses), last[None]]),
        np.array([one.at for one in runs]),
        tuple(WHY[one.why] for one in runs),
        snapshots,
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
