"""Problem (10) as a second-order cone programme in a sparse basis, for a solver that is not trusted.

A sum of ramps is a right part R (right ramps, 0 at A) and a left part L (left ramps, 0 at B). R is described by its
values R_i in R^k at the points x_1 < … < x_m that matter and by its slopes S_i between them, S_1 from A on:

  R_1 = (x_1 - A) S_1,  R_{i+1} = R_i + h_i S_i;   weights of the ramps: S_1 at A, S_i - S_{i-1} at x_i;

L is its mirror image. The programme is then

  min Σ t_u  subject to ‖w_u‖ <= t_u,  (R_i + L_i)_{y_i} - (R_i + L_i)_l >= 1 for l != y_i.

Every row touches a few neighbouring variables, and no coefficient is a reciprocal of a gap. In the ramps themselves the
same programme is dense; in the values alone, with second differences for weights, it is sparse but badly scaled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Sparse = Any
sparse: Any = scipy.sparse  # its stubs refuse what it accepts: matrices of several formats in one block

_CAREFUL = {"iterative_refinement_max_iter": 30, "iterative_refinement_stop_ratio": 2.0}
FIRST: Mapping[str, Any] = {"tolerance": 1e-10}
"""Sufficient unless some points are much closer together than the others."""
STARTS: tuple[Mapping[str, Any], ...] = (
    {"tolerance": 1e-4, "tol_gap_abs": 0.0, "powers": (0.5, 0.25)},
    {"tolerance": 1e-5, "tol_gap_abs": 0.0},
    {"tolerance": 1e-3, "tol_gap_abs": 0.0, "powers": (1.0, 0.25)},
)
"""Settings that stop early, well inside the cones: starts for `margin.refined`."""
ATTEMPTS: tuple[Mapping[str, Any], ...] = (
    {"tolerance": 1e-12, "tol_gap_abs": 0.0, "powers": (0.5, 0.25)},
    {"tolerance": 1e-12, "tol_gap_abs": 0.0, "powers": (1.0, 0.25)},
    {"tolerance": 1e-12, "tol_gap_abs": 0.0, "powers": (1.0, 0.5)},
    {"tolerance": 1e-10, **_CAREFUL},
    {"tolerance": 1e-9},
)
"""Settings to try in turn: where one ends in numerical trouble, one of the others usually does not. `powers` (a, b):
slopes are counted in units of h^-a and weights in units of h^-b, h the gap to the next point, so that points close
together do not make coefficients of all sizes."""


@dataclass(frozen=True)
class Interior:
    """An iterate inside the cones, well centred because the solver stopped early.

    weights  (2(m-1), k): right ramps at A, x_2, …, x_{m-1}, then left ramps at x_2, …, x_{m-1}, B
    norms    (2(m-1),): above the weights' norms
    duals    (2(m-1), k+1): about (1, -g_u)
    beta, slacks  (m, k): multipliers of the margins, and margins less 1; both 0 at [i, y_i]
    """

    weights: Doubles
    norms: Doubles
    duals: Doubles
    beta: Doubles
    slacks: Doubles
    status: str

    def in_units(self, half: float) -> Interior:
        """The same with x multiplied by half."""
        return replace(self, weights=self.weights / half, norms=self.norms / half, beta=self.beta / half)


@dataclass(frozen=True)
class Guess:
    """What the solver returned, each to about ten digits, and its status.

    right  (m-1, k): weights of right ramps at A, x_2, …, x_{m-1}
    left   (m-1, k): weights of left ramps at x_2, …, x_{m-1}, B
    beta   (m, k): multipliers of the margins, 0 at [i, y_i]
    """

    right: Doubles
    left: Doubles
    beta: Doubles
    status: str
    iterations: int
    interior: Interior | None = None


@np.errstate(divide="ignore", invalid="ignore")  # gaps that vanish in doubles: no numbers come back, which callers see
def solve(
    x: Doubles,
    labels: NDArray[np.intp],
    k: int,
    low: float,
    high: float,
    copies: int = 1,
    attempt: Mapping[str, Any] = FIRST,
) -> Guess:
    """Solve problem (10) for m >= 2 points, labels in 0..k-1, kinks in [low, high], with clarabel.

    copies  how many unused classes the last one stands for; by symmetry they have equal scores, so it counts
            √copies times in the norm
    """
    import clarabel

    m, ramps = len(x), 2 * (len(x) - 1)
    weight_of_class = np.ones(k)
    weight_of_class[-1] = np.sqrt(copies)
    cost, G, b = _programme(x, labels, weight_of_class, low, high)
    cones = [clarabel.ZeroConeT(ramps * k)]
    cones += [clarabel.SecondOrderConeT(k + 1)] * ramps
    cones += [clarabel.NonnegativeConeT(m * (k - 1))]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    slopes_by, weights_by = attempt.get("powers", (0.0, 0.0))
    for name, value in attempt.items():
        if name == "tolerance":
            settings.tol_feas = settings.tol_gap_rel = value
            settings.tol_gap_abs = attempt.get("tol_gap_abs", value)
        elif name not in ("powers", "tol_gap_abs"):
            setattr(settings, name, value)
    columns, rows = _units(x, k, low, high, slopes_by, weights_by)
    priced = cost * columns
    price = priced.max()
    scaled = sparse.csc_matrix(sparse.diags([rows], [0]) @ G @ sparse.diags([columns], [0]))
    n = len(cost)
    solution = clarabel.DefaultSolver(
        sparse.csc_matrix((n, n)), priced / price, scaled, b * rows, cones, settings
    ).solve()
    slopes = (np.asarray(solution.x) * columns)[: 2 * ramps * k].reshape(2, 2, m - 1, k)[:, 0]
    weights = np.diff(slopes, axis=1, prepend=0)
    inside, prices = np.asarray(solution.s) / rows, np.asarray(solution.z) * rows * price
    others = np.ones((m, k), dtype=bool)
    others[np.arange(m), labels] = False
    beta, slacks = np.zeros((m, k)), np.zeros((m, k))
    beta[others], slacks[others] = prices[-m * (k - 1) :], inside[-m * (k - 1) :]
    cone = slice(ramps * k, ramps * (2 * k + 1))
    at, dual = (_in_order(v[cone].reshape(2, m - 1, k + 1)) for v in (inside, prices))
    interior = Interior(
        at[:, 1:] / weight_of_class,
        at[:, 0],
        dual * np.concatenate([[1.0], weight_of_class]),
        beta,
        slacks,
        str(solution.status),
    )
    return Guess(weights[0], weights[1, ::-1], beta, str(solution.status), int(solution.iterations), interior)


def _in_order(parts: Doubles) -> Doubles:
    """Right and mirrored left ramps, one after the other from left to right."""
    return np.concatenate([parts[0], parts[1, ::-1]])


def _units(x: Doubles, k: int, low: float, high: float, slopes_by: float, weights_by: float) -> tuple[Doubles, Doubles]:
    """The scales of the variables and of the rows of the programme."""
    m = len(x)
    gaps = [np.diff(x), np.diff(-x[::-1])]
    gaps[0][0], gaps[1][0] = x[1] - low, high - x[-2]
    nearest = np.concatenate([np.minimum(h, np.concatenate([h[:1], h[:-1]])) for h in gaps]) ** weights_by
    slopes = [np.concatenate([np.repeat(h**-slopes_by, k), np.ones((m - 1) * k)]) for h in gaps]
    rows = np.concatenate([np.ones(2 * (m - 1) * k), np.repeat(nearest, k + 1), np.ones(m * (k - 1))])
    return np.concatenate([*slopes, 1 / nearest]), rows


def _programme(
    x: Doubles, labels: NDArray[np.intp], weight_of_class: Doubles, low: float, high: float
) -> tuple[Doubles, Sparse, Doubles]:
    """min cost·z subject to b - G z in the cones, z: S and the values of R, then of the mirrored L (k each), then t."""
    m, k = len(x), len(weight_of_class)
    ramps = 2 * (m - 1)
    right, left = _part(x, low), _part(-x[::-1], -high)
    weights, joins = (sparse.block_diag([right[n], left[n]]) for n in (0, 1))
    scores = sparse.kron(sparse.hstack([right[2], left[2][::-1]]), sparse.eye(k), format="csr")
    body = sparse.vstack([sparse.csr_matrix((1, k)), sparse.diags([weight_of_class], [0])])
    head = sparse.csr_matrix(([1.0], ([0], [0])), shape=(k + 1, 1))
    own = np.arange(m) * k + labels
    every = np.arange(m * k).reshape(m, k)
    margins = scores[np.repeat(own, k - 1)] - scores[every[every != own[:, None]]]
    rows = [
        sparse.hstack([sparse.kron(joins, sparse.eye(k)), sparse.csr_matrix((ramps * k, ramps))]),
        sparse.hstack([sparse.kron(weights, body), sparse.kron(sparse.eye(ramps), head)]),
        sparse.hstack([margins, sparse.csr_matrix((m * (k - 1), ramps))]),
    ]
    b = np.concatenate([np.zeros(ramps * (2 * k + 1)), -np.ones(m * (k - 1))])
    return np.concatenate([np.zeros(2 * ramps * k), np.ones(ramps)]), sparse.csc_matrix(-sparse.vstack(rows)), b


def _part(x: Doubles, low: float) -> tuple[Sparse, Sparse, Sparse]:
    """A sum of right ramps, from its slopes and its values at x_2, …, x_m, one class: 2(m-1) columns.

    The weights of its ramps (m-1 rows); what must vanish, R_{i+1} - R_i - h_i S_i (m-1 rows); its values (m rows).
    """
    n = len(x) - 1
    steps = sparse.diags([np.ones(n), -np.ones(n - 1)], [0, -1])
    gaps = np.diff(x)
    gaps[0] = x[1] - low  # straight from A to x_2
    none = sparse.csr_matrix((n, n))
    first = sparse.csr_matrix(([x[0] - low], ([0], [0])), shape=(1, 2 * n))
    return (
        sparse.hstack([steps, none], format="csr"),
        sparse.hstack([-sparse.diags([gaps], [0]), steps], format="csr"),
        sparse.vstack([first, sparse.hstack([none, sparse.eye(n)])], format="csr"),
    )
