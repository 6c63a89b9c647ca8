"""The weights with which the data pull during one step of the flow, found implicitly, so that steps may be long.

For a step η the weights p solve, with q' = q + η G p, G_il = y_i y_l ∇f(x_i)·∇f(x_l) and Σ p = 1,
  temperature 1   p_i proportional to |ℓ'(q'_i)|: gradient flow, implicit Euler in the margins;
  temperature 0   p on the points of smallest q' alone: min ½η pᵀGp + qᵀp over the simplex, the limit q -> ∞.
The step is then limited by the change of G only, not by the stiffness of the margins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.flows.margin_losses import forces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.flows.margin_losses import MarginLoss

    Array = NDArray[np.float64]

NEWTON = 60
"""Newton steps before the step η is given up as too long."""
RIDGE = 1e-12
"""Ridge, relative to the trace of G: gradients of neighbouring points can be parallel."""
ENOUGH = 1e-11
"""Residual of log p at which Newton's method stops."""
LONGEST = 4.0
"""The largest change of log p in one of Newton's steps."""


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
    alpha = np.log(np.maximum(guess, 1e-300))
    H = step * G
    n = len(q)
    last = np.inf
    for _ in range(NEWTON):
        p = np.exp(alpha - alpha.max())
        p /= p.sum()
        alpha = np.log(np.maximum(p, 1e-300))
        after = q + H @ p
        if not np.isfinite(after).all():
            return None
        residual = alpha - loss.log_force(after)
        residual -= p @ residual
        size = float((np.abs(residual) * (p > 1e-12)).max())
        if size < ENOUGH * (1 + float(np.abs(after).max()) * 1e-4):
            return forces(loss, after)
        # (I + diag(decay) H diag(p)) dα = -residual + a constant, which keeps Σ p
        matrix = np.eye(n) + loss.decay(after)[:, None] * H * p[None, :]
        both = np.linalg.solve(matrix, np.stack([-residual, np.ones(n)], axis=1))
        change = both[:, 0] - both[:, 1] * (p @ both[:, 0]) / (p @ both[:, 1])
        largest = float(np.abs(change[p > 1e-9]).max())
        factor = min(1.0, LONGEST / largest) if size >= last * 0.5 else min(1.0, 4 * LONGEST / largest)
        alpha = alpha + factor * change
        last = size
    return None
