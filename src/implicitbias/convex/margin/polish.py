"""A better dual from a good one, in problem (10): kinks whose dual norm is nearly 1 are moved to 1.

The solver's β is as good as its residuals allow, and g_u = Σ_i α_i φ_u(x_i) sums it twice: where points are close
together, its norms ν_u are off by some 1e-8, above 1 or below. Dividing by the largest costs as much.
Instead the norms near 1 are moved to 1, to first order and a few times, by the relatively smallest change of β:

  Σ_(i,l) Δβ_il [s(x_i - c)]_+ (g_(y_i) - g_l)/ν_u = 1 - ν_u,   min Σ (Δβ_il/β_il)²,

which changes Σ β, that is Σ ‖w_u‖ ν_u at an optimum, by no more. Nothing rests on this: bounds are computed from
whatever comes out. Sums are formed in extended precision if the machine has it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq

Doubles = NDArray[np.float64]

NEAR = 1e-5
"""Norms below 1 by more than this are left alone."""
FAINT = 1e-9
"""Multipliers below this share of the largest are left alone."""
ROUNDS = 3
LARGEST = 4_000_000
"""A system with more entries is not set up."""
CUT = 1e-13
"""Singular values below this share of the largest count as 0."""
DENSE = 40_000
"""A system with more entries is solved by Cholesky of its rows' products: as dear as one of many passes of `lstsq`."""
RIDGE = 1e-11
"""Added to the diagonal of these products, 1 otherwise: a kink's right and left ramp often have the same row."""


def polished_dual(x: Doubles, labels: NDArray[np.intp], beta: Doubles, copies: int = 1) -> Doubles:
    """(m, k) multipliers for m points in [-1, 1], kinks in [-1, 1], slightly changed if that helps.

    copies  how many classes the last one stands for (`margin.programme.solve`)
    """
    weight = np.ones(beta.shape[1])
    weight[-1] = 1 / copies
    heights = _heights(x)
    best, worst = beta, np.inf
    for _ in range(ROUNDS + 1):
        alpha = -beta.astype(np.longdouble)
        alpha[np.arange(len(labels)), labels] += beta.sum(axis=1)
        g = (heights.astype(np.longdouble) @ alpha).astype(np.float64)
        norms = np.sqrt((g * g) @ weight)
        loss = norms.max() / beta.sum()
        if not loss < worst:
            return best
        best, worst = beta, loss
        near = np.flatnonzero(norms > 1 - NEAR)
        point, rival = np.nonzero(beta > FAINT * beta.max())
        if not len(near) or len(near) * len(point) > LARGEST:
            return best
        unit = g[near] * weight / norms[near, None]
        system = heights[np.ix_(near, point)] * (unit[:, labels[point]] - unit[:, rival])
        change = _least(system * beta[point, rival], 1 - norms[near])
        beta = beta.copy()
        beta[point, rival] *= np.maximum(1 + change, 0)
    return best


def _heights(x: Doubles) -> Doubles:
    """[s(x_i - c)]_+: ramps to the right from -1, x_2, …, x_{m-1}, then to the left from x_2, …, x_{m-1}, 1."""
    right, left = np.array([-1.0, *x[1:-1]]), np.array([*x[1:-1], 1.0])
    return np.vstack([np.maximum(x[None, :] - right[:, None], 0), np.maximum(left[:, None] - x[None, :], 0)])


def _least(system: Doubles, target: Doubles) -> Doubles:
    """The least-squares solution of least norm, if need be approximately; 0 if there is no finite one."""
    try:
        if system.size > DENSE:
            return by_products(system, target)
        found = lstsq(system, target, cond=CUT, lapack_driver="gelsy")[0]
    except (LinAlgError, ValueError):
        return np.zeros(system.shape[1])
    return np.asarray(found, dtype=np.float64)


def by_products(system: Doubles, target: Doubles) -> Doubles:
    """S'(SS' + ridge)⁻¹ target, repeated once for its residual: near the solution of least norm."""
    units = 1 / np.sqrt(np.maximum((system * system).sum(axis=1), 1e-300))
    rows = system * units[:, None]
    products = rows @ rows.T
    products[np.diag_indices(len(products))] += RIDGE
    factor = cho_factor(products, lower=True, overwrite_a=True)
    found = np.zeros(system.shape[1])
    for _ in range(2):
        found += cho_solve(factor, units * (target - system @ found)) @ rows
    return found
