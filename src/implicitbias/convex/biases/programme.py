"""Problem (4) of Stewart et al. (2022) for x in R as a cone programme over cells of directions.

A cell holds the directions (a, b) whose unit [a x + b]_+ is active at the same data: all; those from x_{j+1} on; those
up to x_j, j = 1..n-1. The vectors of a cell between x_j and x_{j+1} are sums λ(1, -x_j) + μ(1, -x_{j+1}), λ, μ >= 0, of
ramps at its ends: what such a unit does at the data is λ[x - x_j]_+ + μ[x - x_{j+1}]_+, and it costs less than both,
the length of the sum. Two vectors of each cell, one added and one subtracted. As in `margin.programme` the sum of the
ramps to the right is described by its slopes S between the data and its values R at them,

  S_j = S_{j-1} + weight of the ramp at x_j,   R_{j+1} = R_j + h_j S_j,

so are the ramps to the left from the other end, and units active everywhere by their values at x_1 and x_n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

sparse: Any = scipy.sparse  # its stubs refuse what it accepts: matrices of several formats in one block
Doubles = NDArray[np.float64]

POWERS = ((0.5, 0.25), (1.0, 0.5), (0.75, 0.125), (1.0, 0.25))
"""(a, b), tried in turn: slopes are counted in units of h^-a and units of a cell in units of h^-b, h its width."""
TOLERANCE = 1e-11


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
    """Successive attempts at min Σ‖z‖ over the cells, through the data."""
    points, targets = np.array(x), np.array(y)
    if len(x) == 1:  # the direction of the point itself
        length = float(np.hypot(x[0], 1))
        unit = (abs(y[0]) * x[0] / length**2, abs(y[0]) / length**2, 1 if y[0] > 0 else -1)
        yield Guess((unit,), (0.0,), (0.0,), "closed form")
        return
    size = float(np.abs(targets).max())
    for powers in POWERS:
        yield _attempt(points, targets / size, size, powers)


def _attempt(x: Doubles, y: Doubles, size: float, powers: tuple[float, float]) -> Guess:
    import clarabel

    m = len(x) - 1
    cost, G, b = _programme(x, y)
    columns, rows = _units(x, *powers)
    priced = cost * columns
    price = priced.max()
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_feas = settings.tol_gap_rel = TOLERANCE
    settings.tol_gap_abs = 0.0
    cones = [clarabel.ZeroConeT(5 * m + 1), clarabel.NonnegativeConeT(8 * m + 4)]
    cones += [clarabel.SecondOrderConeT(3)] * (4 * m + 2)
    scaled = sparse.csc_matrix(sparse.diags([rows], [0]) @ G @ sparse.diags([columns], [0]))
    n = len(cost)
    found = clarabel.DefaultSolver(sparse.csc_matrix((n, n)), priced / price, scaled, b * rows, cones, settings).solve()
    z = np.maximum(np.asarray(found.x) * columns, 0) * size
    units: list[tuple[float, float, int]] = []
    for side, part, ends in ((1, z[: 4 * m], x), (-1, z[4 * m : 8 * m], x[::-1])):
        for sign, (first, second) in zip((1, -1), part.reshape(2, m, 2).transpose(0, 2, 1), strict=True):
            slopes, offsets = first + second, first * ends[:-1] + second * ends[1:]
            units += [(side * a, -side * c, sign) for a, c in zip(slopes.tolist(), offsets.tolist(), strict=True)]
    for sign, (first, last) in zip((1, -1), z[8 * m : 8 * m + 4].reshape(2, 2).tolist(), strict=True):
        slope = (last - first) / float(x[-1] - x[0])
        units.append((slope, first - slope * float(x[0]), sign))
    # the multiplier of a ramp's weight is the value of the dual function at the ramp
    earned = (np.asarray(found.z) * rows * price)[: 2 * m].reshape(2, m)
    return Guess(tuple(units), (*earned[0].tolist(), 0.0), (0.0, *earned[1, ::-1].tolist()), str(found.status))


def _programme(x: Doubles, y: Doubles) -> tuple[Doubles, Any, Doubles]:
    """min cost·s subject to b - G s in the cones, m = n - 1 cells per side.

    s: λ, μ of each cell, added, then subtracted, to the right, then to the left (4m each); values at both ends of the
    two units active everywhere (4); slopes and values to the right, then to the left (m each); lengths (4m + 2).
    Rows: weights, right and left (m each); values (m each); the data (m + 1); signs; lengths.
    """
    m, width = len(x) - 1, float(x[-1] - x[0])
    none = sparse.csr_matrix((m, m))
    steps = sparse.diags([np.ones(m), -np.ones(m - 1)], [0, -1], shape=(m, m), format="csr")
    pair = sparse.csr_matrix(np.array([[1.0, 0.0]])), sparse.csr_matrix(np.array([[0.0, 1.0]]))
    ramp = sparse.kron(sparse.eye(m), pair[0]) + sparse.kron(sparse.eye(m, k=-1), pair[1])  # λ_j + μ_{j-1} at x_j
    signed = sparse.hstack([-ramp, ramp])
    weights = sparse.block_diag([signed, signed])
    slopes = sparse.block_diag([sparse.hstack([steps, none])] * 2)
    gaps = np.diff(x)
    values = sparse.block_diag([sparse.hstack([-sparse.diags([h], [0]), steps]) for h in (gaps, gaps[::-1])])
    share = ((x - x[0]) / width)[:, None]
    everywhere = np.hstack([1 - share, share, share - 1, -share])
    beyond, nothing = sparse.csr_matrix((1, m)), sparse.csr_matrix((m + 1, m))
    at_right, at_left = (
        sparse.vstack([beyond, sparse.eye(m)]),
        sparse.vstack([sparse.eye(m, format="csr")[::-1], beyond]),
    )
    lengths = 4 * m + 2
    equal = sparse.vstack(
        [
            sparse.hstack([weights, sparse.csr_matrix((2 * m, 4)), slopes]),
            sparse.hstack([sparse.csr_matrix((2 * m, 8 * m + 4)), values]),
            sparse.hstack([sparse.csr_matrix((m + 1, 8 * m)), everywhere, nothing, at_right, nothing, at_left]),
        ]
    )
    vectors = sparse.block_diag([*(_vectors(ends) for ends in (x, x, x[::-1], x[::-1])), *(_ends(x, width),) * 2])
    head = sparse.csr_matrix(([1.0], ([0], [0])), shape=(3, 1))
    G = sparse.vstack(
        [
            sparse.hstack([equal, sparse.csr_matrix((5 * m + 1, lengths))]),
            sparse.hstack([-sparse.eye(8 * m + 4), sparse.csr_matrix((8 * m + 4, 4 * m + lengths))]),
            sparse.hstack([-vectors, sparse.csr_matrix((3 * lengths, 4 * m)), -sparse.kron(sparse.eye(lengths), head)]),
        ]
    )
    b = np.zeros(G.shape[0])
    b[4 * m : 5 * m + 1] = y
    return np.concatenate([np.zeros(12 * m + 4), np.ones(lengths)]), sparse.csc_matrix(G), b


def _vectors(ends: Doubles) -> Any:
    """(3m, 2m): λ(1, -x_j) + μ(1, -x_{j+1}) along the middle of the cell and across it, after a row of zeros."""
    middle = (ends[:-1] + ends[1:]) / 2
    length = np.sqrt(1 + middle**2)
    blocks = [
        np.stack([np.zeros_like(middle), (1 + middle * at) / length, (middle - at) / length])
        for at in (ends[:-1], ends[1:])
    ]
    return sparse.block_diag(list(np.stack(blocks, axis=-1).transpose(1, 0, 2)))


def _ends(x: Doubles, width: float) -> Any:
    """(3, 2): slope and value at 0 of the line with these values at x_1 and x_n, after a row of zeros."""
    return sparse.csr_matrix(np.array([[0.0, 0.0], [-1.0, 1.0], [x[-1], -x[0]]]) / width)


def _units(x: Doubles, slopes_by: float, cells_by: float) -> tuple[Doubles, Doubles]:
    """The scales of the variables and of the rows of the programme."""
    m, gaps = len(x) - 1, np.diff(x)
    cells = [gaps**cells_by, gaps[::-1] ** cells_by]
    weights = np.concatenate([np.repeat(np.tile(width, 2), 2) for width in cells])
    slopes = np.concatenate([np.concatenate([h**-slopes_by, np.ones(m)]) for h in (gaps, gaps[::-1])])
    lengths = np.concatenate([np.tile(width, 2) for width in cells])
    columns = np.concatenate([1 / weights, np.ones(4), slopes, 1 / lengths, np.ones(2)])
    rows = np.concatenate([np.ones(5 * m + 1), weights, np.ones(4), np.repeat(lengths, 3), np.ones(6)])
    return columns, rows
