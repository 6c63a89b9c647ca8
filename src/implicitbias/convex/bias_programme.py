"""Problem (4) of Stewart et al. (2022) for x in R as a cone programme over cells of directions.

A cell holds the directions z = (a, b) whose unit [a x + b]_+ is active at the same data: all; those from x_j on, j =
2..n; those up to x_j, j = 1..n-1. Two vectors of each cell, one added and one subtracted. With U_j the sum of the
vectors of the cells "from x_2 on" to "from x_j on", W_j that of "up to x_j" to "up to x_{n-1}", and Z of all, the value
at x_j is (Z + U_j + W_j)·(x_j, 1): every row touches a few neighbouring variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

sparse: Any = scipy.sparse  # its stubs refuse what it accepts: matrices of several formats in one block
ATTEMPTS: tuple[dict[str, Any], ...] = (
    {"tolerance": 1e-11},
    {"tolerance": 1e-10, "iterative_refinement_max_iter": 30, "iterative_refinement_stop_ratio": 2.0},
    {"tolerance": 1e-9},
)


@dataclass(frozen=True)
class Guess:
    """What the solver returned, to about ten digits.

    units  sign·[a x + b]_+ as (a, b, sign)
    right, left  Σ α_i [x_i - x_j]_+ and Σ α_i [x_j - x_i]_+ at the data: better known than α, their second differences
    """

    units: tuple[tuple[float, float, int], ...]
    right: tuple[float, ...]
    left: tuple[float, ...]
    status: str


def solve(x: Sequence[float], y: Sequence[float]) -> Iterator[Guess]:
    """One attempt after the other at min Σ‖z‖ over the cells, through the data."""
    import clarabel

    points, targets = np.array(x), np.array(y)
    if len(x) == 1:  # the direction of the point itself
        length = float(np.hypot(x[0], 1))
        unit = (abs(y[0]) * x[0] / length**2, abs(y[0]) / length**2, 1 if y[0] > 0 else -1)
        yield Guess((unit,), (0.0,), (0.0,), "closed form")
        return
    size = float(np.abs(targets).max())
    G, b, cost, cells = _programme(points, targets / size)
    for attempt in ATTEMPTS:
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        for name, value in attempt.items():
            if name == "tolerance":
                settings.tol_feas = settings.tol_gap_rel = settings.tol_gap_abs = value
            else:
                setattr(settings, name, value)
        n, joins = len(cost), 4 * (len(x) - 1)
        cones = [clarabel.ZeroConeT(len(x) + joins), clarabel.NonnegativeConeT(4 * cells)]
        cones += [clarabel.SecondOrderConeT(3)] * (2 * cells)
        found = clarabel.DefaultSolver(sparse.csc_matrix((n, n)), cost, G, b, cones, settings).solve()
        z = np.asarray(found.x)[: 4 * cells].reshape(2, cells, 2) * size
        units = tuple((float(a), float(b_), sign) for part, sign in zip(z, (1, -1), strict=True) for a, b_ in part)
        # The multipliers of the joins are the sums Σ α_i (x_i, 1) over the data active in each cell.
        sums = np.asarray(found.z)[len(x) : len(x) + joins].reshape(2, len(x) - 1, 2)
        near, far = (sums[:, :, 0] - points[part] * sums[:, :, 1] for part in (slice(None, -1), slice(1, None)))
        right = np.concatenate([near[0, :1], (far[0, :-1] + near[0, 1:]) / 2, [0.0]])
        left = -np.concatenate([[0.0], (far[1, :-1] + near[1, 1:]) / 2, far[1, -1:]])
        yield Guess(units, tuple(right.tolist()), tuple(left.tolist()), str(found.status))


def _programme(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, NDArray[np.float64], Any, int]:
    """b - G s in the cones; s: added z, subtracted z (cells each), U_2..U_n, W_1..W_{n-1} (pairs), then the norms."""
    n, cells = len(x), 2 * len(x) - 1
    sums, norms = 2 * (n - 1), 2 * cells
    eye2 = sparse.eye(2)
    rows = np.stack([x, np.ones(n)], axis=1)
    # the two edges of each cell: z·(x_i, 1) >= 0 and the other one with its sign
    first = np.concatenate([[0], np.arange(1, n), np.arange(n - 1)])
    second = np.concatenate([[n - 1], np.arange(n - 1), np.arange(1, n)])
    sign = np.concatenate([[1], -np.ones(cells - 1)])
    edges = sparse.vstack(
        [_blocks(rows[first]), _blocks(rows[second] * sign[:, None])],
        format="csr",
    )
    values = sparse.hstack([rows, sparse.csr_matrix((n, 2 * (cells - 1)))], format="csr")
    at_sums = sparse.hstack(
        [
            sparse.vstack([sparse.csr_matrix((1, sums)), _blocks(rows[1:])]),
            sparse.vstack([_blocks(rows[:-1]), sparse.csr_matrix((1, sums))]),
        ]
    )
    interpolation = sparse.hstack([values, -values, at_sums, sparse.csr_matrix((n, norms))])
    steps = sparse.diags([np.ones(n - 1), -np.ones(n - 2)], [0, -1], shape=(n - 1, n - 1))
    own = sparse.kron(sparse.hstack([sparse.csr_matrix((cells - 1, 1)), sparse.eye(cells - 1)]), eye2)
    joins = sparse.hstack(
        [-own, own, sparse.kron(sparse.block_diag([steps, steps.T]), eye2), sparse.csr_matrix((2 * sums, norms))]
    )
    z = 4 * cells
    inside = sparse.hstack([sparse.block_diag([edges, edges]), sparse.csr_matrix((z, 2 * sums + norms))])
    cone_of_z = sparse.kron(sparse.eye(norms), sparse.csr_matrix(np.array([[0, 0], [1, 0], [0, 1]])))
    cone_of_t = sparse.kron(sparse.eye(norms), sparse.csr_matrix(np.array([[1], [0], [0]])))
    balls = sparse.hstack([cone_of_z, sparse.csr_matrix((3 * norms, 2 * sums)), cone_of_t])
    G = sparse.csc_matrix(sparse.vstack([interpolation, joins, -inside, -balls]))
    b = np.concatenate([y, np.zeros(G.shape[0] - n)])
    cost = np.concatenate([np.zeros(z + 2 * sums), np.ones(norms)])
    return G, b, cost, cells


def _blocks(rows: NDArray[np.float64]) -> Any:
    """(m, 2m): the row i in the columns 2i, 2i + 1."""
    m = len(rows)
    return sparse.csr_matrix((rows.ravel(), (np.repeat(np.arange(m), 2), np.arange(2 * m))), shape=(m, 2 * m))
