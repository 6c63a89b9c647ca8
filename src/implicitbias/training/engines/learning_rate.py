"""The default learning rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.losses import LOSSES
from implicitbias.training.tangent import tangent

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem

GREATEST = 4096
"""Maximum number of data for which the eigenvalues of the tangent kernel are computed."""


def learning_rate(problem: Problem) -> float:
    """The step asked for; default 1/(ℓ'' λ_max), ℓ'' the greatest curvature of the loss, λ_max of the tangent kernel.

    The default is half of the greatest step at which gradient descent on the linearised network converges, and for a
    batch the smallest of its networks'. λ_max is that of √q K √q, with q the weights of the data.
    """
    if problem.step is not None:
        return problem.step
    curvature = LOSSES[problem.loss].curvature
    if problem.kind != "two_layer" or not np.isfinite(curvature) or problem.inputs.shape[1] > GREATEST:
        raise DataError(
            f"give a step: it is only found for two-layer networks, up to {GREATEST} data, and losses of bounded "
            f"curvature; got loss={problem.loss!r} and {problem.inputs.shape[1]} data"
        )
    w, b, v, c = (a.astype(np.float64) for a in problem.arrays())
    root = np.sqrt(problem.weights)
    greatest = 0.0
    for seed in range(problem.seeds):
        x = problem.inputs[seed % len(problem.inputs)][None]
        for k in range(v.shape[-1]):  # outputs share the hidden layer: their kernels bound the joint one
            at = tangent(w[seed][None], b[seed][None], v[seed, :, k][None], c[seed, k][None], x)
            matrix = at.kernel(problem.rates)[0] * np.outer(root, root)
            greatest = max(greatest, float(np.linalg.eigvalsh(matrix)[-1]) * v.shape[-1])
    if greatest <= 0:
        raise DataError("give a step: the tangent kernel at the start is zero, no parameter that learns has a gradient")
    return 1.0 / (curvature * greatest)
