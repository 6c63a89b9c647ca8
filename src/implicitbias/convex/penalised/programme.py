"""The penalised loss of one input as a quadratic programme, in floating point: nothing here is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.penalised.shapes import Shape
from implicitbias.errors import UnsolvedError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Approximation:
    """The values at the data, and the multipliers of the changes of the slope and of the sum of the end slopes.

    shape  those of the shape's conditions, at least 0: on the slopes, then on their changes
    """

    values: Array
    bends: Array
    ends: float
    shape: Array


def solve(x: Array, y: Array, shares: Array, penalty: float, network: bool, shape: Shape) -> Approximation:
    """min Σ shares (f - y)² + penalty C over values f at x, C = Σ|changes of the slope| or, of a network, at least
    half of it plus half of |first slope + last slope| too; shapes as asked. x and y of size about 1, at least 2 points.
    """
    import clarabel
    from scipy import sparse

    n = len(x)
    gaps = np.diff(x)
    each = np.arange(n - 1)
    entries = np.concatenate([-1 / gaps, 1 / gaps])
    places = np.concatenate([each, each]), np.concatenate([each, each + 1])
    slopes: Any = sparse.csr_array((entries, places), shape=(n - 1, n))
    bends = (slopes[1:] - slopes[:-1]) if n > 2 else sparse.csr_array((0, n))
    k = n - 2
    ends = slopes[[0]] + slopes[[-1]]
    eye, ones = sparse.eye_array(k), np.ones((1, k))
    # unknowns: f, t >= |bends f|, g >= |ends f|, C
    rows: list[list[Any]] = [
        [bends, -eye, None, None],
        [-bends, -eye, None, None],
        [ends, None, [[-1.0]], None],
        [-ends, None, [[-1.0]], None],
        [None, ones, None, [[-1.0]]],
        [None, 0.5 * ones, [[0.5]], [[-1.0]]],
    ]
    if not network:
        rows[5] = [None, None, [[0.0]], [[-1.0]]]
    parts = [-sign * part for sign, part in ((shape.rising, slopes), (shape.bending, bends)) if sign]
    rows += [[part, None, None, None] for part in parts]
    widths = (n, k, 1, 1)
    table = sparse.vstack(
        [
            sparse.hstack(
                [
                    sparse.csc_array((_height(row), width)) if block is None else sparse.csc_array(block)
                    for block, width in zip(row, widths, strict=True)
                ]
            )
            for row in rows
        ]
    ).tocsc()
    weights = np.concatenate([2 * shares, np.zeros(k + 2)])
    linear = np.concatenate([-2 * shares * y, np.zeros(k + 1), [penalty]])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-13
    count = table.shape[0]
    answer = clarabel.DefaultSolver(
        sparse.csc_matrix(sparse.diags_array(weights)),
        linear,
        sparse.csc_matrix(table),
        np.zeros(count),
        [clarabel.NonnegativeConeT(count)],
        settings,
    ).solve()
    found, multipliers = np.array(answer.x), np.array(answer.z)
    if not (np.isfinite(found).all() and np.isfinite(multipliers).all()):
        raise UnsolvedError("the programme of the penalised loss was not solved")
    return Approximation(
        found[:n],
        multipliers[:k] - multipliers[k : 2 * k],
        float(multipliers[2 * k] - multipliers[2 * k + 1]),
        np.maximum(multipliers[2 * k + 4 :], 0.0),
    )


def _height(row: list[Any]) -> int:
    return int(next(np.shape(block)[0] for block in row if block is not None))
