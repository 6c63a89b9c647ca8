"""Observed: the Hessian of the mean square error of a network without an output bias, at a given network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.training import TwoLayer


def curvature(network: TwoLayer, x: Any, y: Any) -> tuple[float, float]:
    """The least eigenvalue of the Hessian of mean (f(x_i) - y_i)², and the length of the gradient.

    By its parts: 2/n JᵀJ, J the derivatives of f by all w, b, v, and a block for each unit, whose output weight is
    coupled with its (w, b) by 2/n Σ r_i 1[w x_i + b > 0] (x_i, 1), r the residuals.
    """
    import numpy as np

    w, b, v = network.w, network.b, network.v
    heights = np.outer(x, w) + b
    on = (heights > 0).astype(float)
    residual = np.maximum(heights, 0) @ v - y
    n, k = heights.shape
    jacobian = np.hstack([on * v * x[:, None], on * v, np.maximum(heights, 0)])
    hessian = 2 / n * jacobian.T @ jacobian
    units = np.arange(k)
    for place, coupling in ((0, x), (k, np.ones(n))):
        pull = 2 / n * (residual * coupling) @ on
        hessian[place + units, 2 * k + units] += pull
        hessian[2 * k + units, place + units] += pull
    gradient = 2 / n * residual @ jacobian
    return float(np.linalg.eigvalsh(hessian)[0]), float(np.linalg.norm(gradient))
