"""Engine `prefix_sum`: gradient descent of univariate two-layer networks in O(n log M + M) per step, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from implicitbias.errors import brought_by_extra
from implicitbias.training.engines import dense
from implicitbias.training.engines.engine import Engine

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Trajectory


def refuses(problem: Problem) -> str | None:
    """Networks other than univariate two-layer ones, and what `dense` refuses."""
    if problem.kind != "two_layer" or problem.two_layer.inputs is not None:
        return "prefix sums need a two-layer network of one input (w of shape (n,) or (seeds, n)): take engine='dense'"
    return dense.refuses(problem)


def run(problem: Problem) -> Trajectory:
    """Compiled loops on the cpu, a batched version in torch on cuda. See `train`."""
    if problem.device == "cpu":
        from implicitbias.training.engines.prefix_sum_compiled import descend
    else:
        with brought_by_extra(f"device {problem.device!r}"):
            from implicitbias.training.engines.prefix_sum_torch import descend
    return descend(problem)


ENGINE = Engine("prefix_sum", "univariate two-layer, exact gradient in O(n log M + M)", refuses, run)
