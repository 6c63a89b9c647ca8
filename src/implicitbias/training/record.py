"""The Trajectory of a batch of gradient descents that may stop at different steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason

    Array = NDArray[np.float64]


def assemble(
    problem: Problem,
    engine: str,
    losses: Array,
    stop_steps: NDArray[np.int64],
    reasons: tuple[Reason, ...],
    snapshots: dict[int, Function],
    final: Function,
    step: float,
    seconds: float,
) -> Trajectory:
    """A Trajectory whose record ends where the last seed stopped.

    losses  (at least as many rows as were recorded by then, seeds); the last row holds the last losses
    """
    end = int(stop_steps.max())
    before = int(np.count_nonzero(problem.recorded < end))
    steps = np.append(problem.recorded[:before], end)
    kept = np.concatenate([losses[:before], losses[-1:]])
    return Trajectory(
        engine=engine,
        steps=steps,
        times=steps * step,
        losses=kept[:, 0] if problem.single else kept,
        kept_steps=problem.kept,
        snapshots=tuple(snapshots.get(s, final) for s in problem.kept),
        final=final,
        reasons=reasons,
        stop_steps=stop_steps,
        seconds=seconds,
        step=step,
    )
