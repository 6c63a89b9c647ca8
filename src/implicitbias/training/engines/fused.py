"""Engine `fused`: thousands of steps of a one-hidden-layer network in one launch on a GPU, in Triton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from implicitbias.errors import brought_by_extra
from implicitbias.training.engines import dense
from implicitbias.training.engines.engine import Engine
from implicitbias.training.engines.triton_here import interpreted

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Trajectory

MOST_INPUTS, MOST_OUTPUTS = 16, 64
"""Beyond them a step is a product of large matrices, which torch leaves to the vendor's library."""

MOST_NUMBERS = 1 << 31
"""Of an array that the kernel indexes by 32 bits, and steps."""


def refuses(problem: Problem) -> str | None:
    """The cpu, several hidden layers, label noise, many inputs or outputs, and what `dense` refuses."""
    if problem.device == "cpu" and not interpreted():
        return "it runs on a GPU: give device='cuda', or take 'prefix_sum' or 'layerwise'"
    if problem.kind == "layered":
        return "it has one hidden layer, a TwoLayer: take engine='dense'"
    if (why := dense.refuses(problem)) is not None:
        return why
    if problem.label_noise is not None:
        return "label noise is drawn step by step outside the GPU: take engine='prefix_sum' or 'dense'"
    d, k, m = problem.two_layer.inputs or 1, problem.labels.shape[2], problem.inputs.shape[1]
    if d > MOST_INPUTS or k > MOST_OUTPUTS:
        return f"it takes up to {MOST_INPUTS} inputs and {MOST_OUTPUTS} outputs, got {d} and {k}: take engine='dense'"
    if max(problem.two_layer.width * max(d, k), 1024 * m * max(k, 16), problem.last) >= MOST_NUMBERS:
        return "it counts to 2³¹, units × outputs, steps and 16 384 × data alike: take engine='dense'"
    return None


def run(problem: Problem) -> Trajectory:
    """The kernel of `fused_kernel.py`. See `train`."""
    with brought_by_extra("engine 'fused'"):
        import torch  # noqa: F401  # named first: the larger of the two that may be missing

        from implicitbias.training.engines.fused_launch import descend

    return descend(problem)


ENGINE = Engine("fused", "one hidden layer, parameters on a GPU's chip, thousands of steps a launch", refuses, run)
