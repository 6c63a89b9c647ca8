"""More digits than a cone programme gives: solved again, with atoms merged and walls held. Nothing here is trusted.

The programme spreads an atom on a wall over the cells around it, and an interior-point method then finds only half of
its digits. Held on the walls that it is near, each atom is a free vector; Σ|u_j|
is smooth there, and p follows from what it must be at the atoms: its vector v, projected on the walls, is ±u_j/|u_j|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FAINT = 1e-7
"""Atoms fainter than this, relative to all, are left out."""


STEPS = 5
"""Newton's steps; the start has half of the digits."""


@dataclass(frozen=True)
class Atom:
    """sign·[u·x̃]_+, at cost |u|."""

    sign: int
    u: Array


def merged(atoms: Sequence[Atom], angle: float, faint: float = 0.0) -> list[Atom]:
    """Atoms of one sign whose directions differ by no more than the angle are added up, the strongest first; those
    fainter than `faint`, relative to all, are left out."""
    total = sum(float(np.linalg.norm(atom.u)) for atom in atoms)
    sums: list[Atom] = []
    for atom in sorted(atoms, key=lambda a: -float(np.linalg.norm(a.u))):
        length = float(np.linalg.norm(atom.u))
        if length <= max(FAINT, faint) * total:
            break
        for k, other in enumerate(sums):
            there = other.u / np.linalg.norm(other.u)
            if other.sign == atom.sign and float(np.linalg.norm(atom.u / length - there)) <= angle:
                sums[k] = Atom(atom.sign, other.u + atom.u)
                break
        else:
            sums.append(atom)
    return sums


def polished(
    directions: Array, targets: Array, atoms: Sequence[Atom], p: Array, near: float, slack: Array | None = None
) -> tuple[list[Atom], Array] | None:
    """The programme over these atoms alone, each held on the walls closer than `near`; None if it has no solution.

    directions  (n, d + 1), the x̃_i/|x̃_i|
    targets     y_i/|x̃_i|
    p           in the same scale; it is changed as little as possible
    slack       where the loss is penalised, what is missed at the data is slack_i·p_i; by default 0
    """
    if not atoms:
        return None
    span = _row_space(directions)  # an atom's part across the data costs, and does nothing
    bases, columns = [], []
    for atom in atoms:
        heights = directions @ atom.u / np.linalg.norm(atom.u)
        wall = np.abs(heights) <= near
        basis = span @ _orthogonal_basis(directions[wall] @ span, span.shape[1])
        if basis.shape[1] == 0:
            return None
        bases.append(basis)
        columns.append(np.where((heights > near)[:, None], directions @ basis, 0.0) * atom.sign)
    start = [basis.T @ atom.u for atom, basis in zip(atoms, bases, strict=True)]
    weights = least_on_faces(columns, targets) if slack is None else start
    if weights is None:
        return None
    sizes = [float(np.linalg.norm(w)) for w in weights]
    strong = [size > FAINT * sum(sizes) for size in sizes]
    if not all(strong):
        # an atom that the programme keeps only because its cost hardly exceeds its contribution
        kept = [atom for atom, stays in zip(atoms, strong, strict=True) if stays]
        return polished(directions, targets, kept, p, near, slack)
    weights, p = _by_newton(columns, targets, weights, p, np.zeros(len(targets)) if slack is None else slack)
    found = [Atom(atom.sign, basis @ w) for atom, basis, w in zip(atoms, bases, weights, strict=True)]
    return found, p


def _by_newton(
    columns: list[Array], targets: Array, weights: list[Array], p: Array, slack: Array
) -> tuple[list[Array], Array]:
    """w and p with Σ columns_j w_j + slack·p = targets, columns_jᵀp = w_j/|w_j|: Newton's method, least-norm steps."""
    table = np.hstack(columns)
    ends = np.cumsum([column.shape[1] for column in columns])[:-1]
    for _ in range(STEPS):
        curved = np.zeros((table.shape[1],) * 2)
        for w, part in zip(weights, np.split(np.arange(table.shape[1]), ends), strict=True):
            unit = w / np.linalg.norm(w)
            curved[np.ix_(part, part)] = (np.eye(len(w)) - np.outer(unit, unit)) / np.linalg.norm(w)
        flat = np.concatenate(weights)
        missing = np.concatenate([w / np.linalg.norm(w) for w in weights]) - table.T @ p
        system = np.block([[-curved, table.T], [table, np.diag(slack)]])
        step = np.linalg.lstsq(system, np.concatenate([missing, targets - table @ flat - slack * p]), rcond=1e-11)[0]
        moved = np.split(flat + step[: len(flat)], ends)
        if any(np.linalg.norm(a - b) > 0.5 * np.linalg.norm(b) for a, b in zip(moved, weights, strict=True)):
            break
        weights, p = moved, p + step[len(flat) :]
    return weights, p


def _row_space(rows: Array) -> Array:
    """Orthonormal columns that span the rows."""
    _, values, right = np.linalg.svd(rows, full_matrices=False)
    return np.asarray(right[values > 1e-12 * values.max()].T)


def _orthogonal_basis(rows: Array, size: int) -> Array:
    """Orthonormal columns that span the orthogonal complement of the rows."""
    if not len(rows):
        return np.eye(size)
    _, values, right = np.linalg.svd(rows)
    rank = int((values > 1e-9 * values.max()).sum())
    return np.asarray(right[rank:].T)


def least_on_faces(columns: list[Array], targets: Array) -> list[Array] | None:
    """min Σ|w_j| subject to Σ columns_j w_j = targets."""
    import clarabel
    from scipy import sparse

    n, widths = len(targets), [column.shape[1] for column in columns]
    table = np.hstack([np.hstack([np.zeros((n, 1)), column]) for column in columns])
    # equations that depend on others up to rounding would leave the programme without solution
    left, values, _ = np.linalg.svd(table, full_matrices=False)
    kept = left[:, values > 1e-9 * values.max()].T
    total = table.shape[1]
    A = sparse.csc_matrix(sparse.vstack([sparse.csc_matrix(kept @ table), -sparse.identity(total)]))
    b = np.concatenate([kept @ targets, np.zeros(total)])
    cones: list[Any] = [clarabel.ZeroConeT(len(kept)), *(clarabel.SecondOrderConeT(w + 1) for w in widths)]
    q = np.concatenate([np.concatenate([[1.0], np.zeros(w)]) for w in widths])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-14
    answer = clarabel.DefaultSolver(sparse.csc_matrix((total, total)), q, A, b, cones, settings).solve()
    x = np.array(answer.x)
    if not np.isfinite(x).all():
        return None
    starts = np.cumsum([0, *(w + 1 for w in widths)])
    return [x[start + 1 : start + 1 + w] for start, w in zip(starts, widths, strict=False)]
