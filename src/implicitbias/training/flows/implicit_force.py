"""The weights with which the data pull during one step of the flow, found implicitly, so that steps may be long.

For a step η the weights p solve, with q' = q + η G p, G_il = y_i y_l ∇f(x_i)·∇f(x_l) and Σ p = 1,
  temperature 1   p_i proportional to |ℓ'(q'_i)|: gradient flow, implicit Euler in the margins;
  temperature 0   p on the points of smallest q' alone: min ½η pᵀGp + qᵀp over the simplex, the limit q -> ∞.
The step is then limited by the change of G only, not by the stiffness of the margins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.flows.compiled_force import newton
from implicitbias.training.flows.margin_losses import forces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.flows.margin_losses import MarginLoss

    Array = NDArray[np.float64]

RIDGE = 1e-12
"""Ridge, relative to the trace of G: gradients of neighbouring points can be parallel."""


def at_zero_temperature(G: Array, q: Array, step: float, guess: Array | None = None) -> Array:
    """p >= 0, Σ p = 1, that minimises ½η pᵀGp + qᵀp: by an active-set method started at the support of the guess.

    >>> at_zero_temperature(np.eye(2), np.array([1.0, 2.0]), 0.5), at_zero_temperature(np.eye(2), np.ones(2), 0.5)
    (array([1., 0.]), array([0.5, 0.5]))
    """
    n = len(q)
    H = step * G
    H = H + RIDGE * max(float(np.trace(H)) / n, 1e-300) * np.eye(n)
    shift = q - q.min()
    p = np.zeros(n)
    if guess is not None and guess.sum() > 0:
        p = np.where(guess > 0, guess, 0.0) / guess[guess > 0].sum()
    else:
        p[int(q.argmin())] = 1.0
    for _ in range(20 * n + 50):
        support = np.flatnonzero(p > 0)
        free = _on_support(H, shift, support)
        if (free > 0).all():
            p = np.zeros(n)
            p[support] = free
            slack = H @ p + shift
            level = float(slack[support] @ free)
            worst = int(slack.argmin())
            if slack[worst] >= level - 1e-12 * (abs(level) + float(np.abs(H).max())) or p[worst] > 0:
                return p
            p = p * (1 - 1e-9)
            p[worst] = 1e-9
        else:
            at = p[support]
            falling = free <= 0
            share = float((at[falling] / (at[falling] - free[falling])).min())
            moved = at + share * (free - at)
            moved[falling & (at + share * (free - at) <= 1e-15)] = 0.0
            if (moved > 0).all():
                moved[int(np.where(falling, moved, np.inf).argmin())] = 0.0
            p = np.zeros(n)
            p[support] = np.maximum(moved, 0.0)
            p /= p.sum()
    return p


def _on_support(H: Array, q: Array, support: NDArray[np.int64]) -> Array:
    """The minimiser on the plane Σ p = 1 of a support, of any signs."""
    size = len(support)
    part = H[np.ix_(support, support)]
    scale = max(float(np.abs(np.diag(part)).max()), 1e-300)
    bordered = np.ones((size + 1, size + 1))
    bordered[:size, :size], bordered[size, size] = part / scale, 0.0
    found: Array = np.linalg.solve(bordered, np.append(-q[support] / scale, 1.0))[:size]
    found /= found.sum()
    return found


def at_temperature_one(loss: MarginLoss, G: Array, q: Array, step: float, guess: Array) -> Array | None:
    """p proportional to |ℓ'(q + η G p)|, by Newton's method in log p; None if it does not converge.

    >>> from implicitbias.training.flows.margin_losses import MARGIN_LOSSES
    >>> p = at_temperature_one(MARGIN_LOSSES["exponential"], np.eye(2), np.array([0.0, 1.0]), 1.0, np.full(2, 0.5))
    >>> bool(np.allclose(np.log(p[0] / p[1]), 1 - (p[0] - p[1])))
    True
    """
    alpha, after = np.log(np.maximum(guess, 1e-300)), np.empty(len(q))
    return forces(loss, after) if newton(loss.logistic, G, q, float(step), alpha, after) else None
