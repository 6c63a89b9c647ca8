"""Prefix sums in compiled loops (`compiled.py`): what engine `prefix_sum` runs on the cpu.

Seeds are spread over threads, and a single wide network is cut into blocks of units that threads share. Blocks depend
on the width alone, so results do not depend on the number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines import compiled, descents
from implicitbias.training.engines.descents import Descent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Trajectory

    Array = NDArray[np.float64]

BLOCK = 1 << 16
"""Greatest number of units in a block: large against the 2M + 2 sums that each block has for itself."""


class Run(Descent):
    """One network in training: its parameters, sorted data, sums and tables."""

    def __init__(self, problem: Problem, seed: int, parameters: tuple[Array, Array, Array, Array], step: float) -> None:
        super().__init__(problem, seed)
        self.w, self.b, self.v, self.c = (a[seed] for a in parameters)
        x = problem.inputs[seed % len(problem.inputs)].astype(problem.dtype)
        self.order = np.argsort(x, kind="stable")
        m, k, n = x.size, self.y.shape[1], self.b.size
        huge = 1e30 if problem.dtype == "float32" else 1e300
        self.x = np.concatenate([[-huge], x[self.order], [huge]]).astype(problem.dtype)
        self.y, self.weights = self.y[self.order], self.weights[self.order]
        self.slot = np.empty(n, dtype=np.uint32)
        blocks = -(-n // BLOCK)
        self.bounds = np.linspace(0, n, blocks + 1).astype(np.int64)
        self.sums = np.zeros((blocks, 2 * m + 2, 2 * k))
        self.table = compiled.empty_table(self.x, k)
        self.f, self.r = np.empty((m, k)), np.empty((m, k))
        self.pull = step * np.array(problem.rates)
        self.keep = 1.0 - step * np.array(problem.decay)
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
    parameters = problem.arrays()
    several_blocks = problem.two_layer.width > BLOCK
    return descents.descend(
        problem,
        "prefix_sum",
        lambda seed, step: Run(problem, seed, parameters, step),
        lambda: problem.rebuilt(*parameters),
        Run.descend_shared if several_blocks else None,
    )
