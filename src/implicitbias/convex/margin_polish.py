"""A better dual from a good one, in problem (10): kinks whose dual norm is nearly 1 are brought to it.

The solver's β is as good as its residuals allow, and Σ_i α_i φ_u(x_i) sums it up twice: its norms exceed 1 here, fall
short of it there, by some 1e-8 where points are close together. Dividing by the largest then costs as much. Instead the
norms ν_u of the kinks near 1 are moved to 1, to first order, by the relatively smallest change of β:

  Σ_(i,l) Δβ_il [s(x_i - c)]_+ (g_(y_i) - g_l)/ν_u = 1 - ν_u,   min Σ (Δβ_il/β_il)²,

which keeps Σ β to first order too: it is Σ_u ‖w_u‖ ν_u at an optimum. A few rounds. Nothing rests on this: bounds are
computed from whatever comes out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

NEAR = 1e-5
"""Kinks whose norm is below 1 by more than this are left alone, unless the change lifts them."""
FAINT = 1e-9
"""Multipliers below this share of the largest are left alone."""
ROUNDS = 3
LARGEST = 4_000_000
"""Entries of the system, kinks near 1 times multipliers, beyond which it is not set up."""


def polished(x: Doubles, labels: NDArray[np.intp], beta: Doubles, copies: int = 1) -> Doubles:
    """(m, k) multipliers for m points in [-1, 1], kinks in [-1, 1], a little changed; as they were where it is no use.

    copies  the last class stands for so many (`margin_programme.solve`)
    """
    weight = np.ones(beta.shape[1])
    weight[-1] = 1 / copies
    heights = np.vstack(
        [
            np.maximum(x[None, :] - np.array([-1.0, *x[1:-1]])[:, None], 0),
            np.maximum(np.array([*x[1:-1], 1.0])[:, None] - x[None, :], 0),
        ]
    )
    best, worst = beta, np.inf
    for _ in range(ROUNDS + 1):
        g = heights @ _alpha(labels, beta)
        norms = np.sqrt((g * g) @ weight)
        loss = norms.max() / beta.sum()
        if not np.isfinite(loss) or loss >= worst:
            return best
        best, worst = beta, loss
        near = np.flatnonzero(norms > 1 - NEAR)
        point, rival = np.nonzero(beta > FAINT * beta.max())
        if not len(near) or len(near) * len(point) > LARGEST:
            return best
        unit = g[near] * weight / norms[near, None]
        system = heights[np.ix_(near, point)] * (unit[:, labels[point]] - unit[:, rival])
        change, *_ = np.linalg.lstsq(system * beta[point, rival], 1 - norms[near], rcond=1e-13)
        beta = beta.copy()
        beta[point, rival] *= np.maximum(1 + change, 0)
    return best


def _alpha(labels: NDArray[np.intp], beta: Doubles) -> Doubles:
    alpha = -beta.copy()
    alpha[np.arange(len(labels)), labels] += beta.sum(axis=1)
    return alpha
