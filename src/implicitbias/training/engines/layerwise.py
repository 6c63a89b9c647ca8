"""Engine `layerwise`: gradient descent of ReLU networks of any depth and input dimension, on the cpu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from implicitbias.training.engines import dense
from implicitbias.training.engines.engine import Engine

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Trajectory


def refuses(problem: Problem) -> str | None:
    """Devices other than the cpu, and what `dense` refuses."""
    if problem.device != "cpu":
        return f"it runs on the cpu, not on {problem.device!r}: take engine='dense'"
    return dense.refuses(problem)


def run(problem: Problem) -> Trajectory:
    """Compiled loops. See `train`."""
    from implicitbias.training.engines.layerwise_compiled import descend

    return descend(problem)


ENGINE = Engine("layerwise", "any input dimension, any depth, layer by layer in compiled loops, cpu", refuses, run)
