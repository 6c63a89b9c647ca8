"""The faces of cells on which the atoms of a minimiser may lie, read off an approximate one. Nothing here is trusted.

A face is given by the points at which a unit is active and those on whose hyperplanes it lies. A solver spreads an atom
on a wall over the cells around it, and where points nearly coincide so do walls. So an atom is on a wall if little of
it is spanned by rays off the wall, whatever their angles are; or, tried later, if it is close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.variation.polish import FAINT, Atom
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.programme import CellShape
from implicitbias.convex.weighted.weights import Weight
from implicitbias.exact.vectors import dot

NEAR = (1e-6, 1e-5, 1e-4, 1e-7, 1e-8, 1e-3, 1e-9)
"""How close to a wall an atom is taken to lie on it: tried in turn until the bounds are close."""
RAYS = ((1e-4, 1e-6), (1e-3, 1e-5), (1e-5, 1e-7), (1e-2, 1e-4), (1e-4, 1e-8), (1e-6, 1e-9))
"""(off, faint): the share of an atom that may be off a hyperplane it is taken to lie on, and the size below which atoms
are left out."""

Face = tuple[int, tuple[bool, ...], tuple[int, ...]]
"""Where an atom is: its sign, the points at which it is active, and those on whose hyperplanes it lies."""


def guesses_of_faces(
    table: Array,
    weight: Weight,
    cells: Cells,
    shapes: Sequence[CellShape],
    blocks: Sequence[tuple[int, int, Array]],
) -> Iterator[dict[Face, Array]]:
    """Atoms by the faces on which they may lie: first by the rays that span them, then by their distance to walls."""
    for off, faint in RAYS:
        yield _by_rays(cells, shapes, blocks, off, faint)
    lengths = np.linalg.norm(table, axis=1)
    whole = [(k, sign, shapes[k].rays.T @ shares) for k, sign, shares in blocks]
    for near in NEAR:
        for wide in (3.0, 30.0):
            found: dict[Face, Array] = {}
            for atom in _merged(table, whole, weight, wide * near, near):
                heights = table @ atom.u / lengths / np.linalg.norm(atom.u)
                pattern = tuple(bool(value) for value in heights > near)
                face = (atom.sign, pattern, tuple(int(i) for i in np.flatnonzero(np.abs(heights) <= near)))
                found[face] = found.get(face, np.zeros(table.shape[1])) + atom.u
            yield found


def _by_rays(
    cells: Cells,
    shapes: Sequence[CellShape],
    blocks: Sequence[tuple[int, int, Array]],
    off: float,
    faint: float,
) -> dict[Face, Array]:
    """An atom is on a hyperplane if the rays of its cell that are off it have no more than `off` of the shares: that
    does not depend on how narrow the cell is. Atoms on one face are added up."""
    total = sum(float(shares.sum()) for _, _, shares in blocks)
    found: dict[Face, Array] = {}
    for k, sign, shares in blocks:
        if shares.sum() <= faint * total:
            continue
        sides = np.where(cells.patterns[k], 1, -1).astype(np.int8)
        signs = cells.ray_signs[(cells.ray_signs * sides >= 0).all(axis=1)]
        wall = (signs != 0).T @ shares <= off * shares.sum()
        kept = ~(signs[:, wall] != 0).any(axis=1)
        u = shapes[k].rays[kept].T @ shares[kept]
        pattern = tuple(bool(on and not w) for on, w in zip(cells.patterns[k], wall, strict=True))
        face = (sign, pattern, tuple(int(i) for i in np.flatnonzero(wall)))
        if u.any():
            found[face] = found.get(face, np.zeros(len(u))) + u
    return found


def _merged(
    table: Array, found: Sequence[tuple[int, int, Array]], weight: Weight, angle: float, faint: float
) -> list[Atom]:
    """Atoms of one sign in nearly one direction are added up; where only outputs count, of nearly the same outputs."""

    def seen(u: Array) -> Array:
        value = np.maximum(table @ u, 0) if weight.of_outputs else u
        return np.asarray(value / max(float(np.linalg.norm(value)), 1e-300))

    def size(u: Array) -> float:
        return float(np.linalg.norm(np.maximum(table @ u, 0) if weight.of_outputs else u))

    total = sum(size(u) for _, _, u in found)
    sums: list[Atom] = []
    for _, sign, u in sorted(found, key=lambda item: -size(item[2])):
        if size(u) <= max(FAINT, faint) * total:
            break
        for k, other in enumerate(sums):
            if other.sign == sign and float(np.linalg.norm(seen(u) - seen(other.u))) <= angle:
                sums[k] = Atom(sign, other.u + u)
                break
        else:
            sums.append(Atom(sign, u))
    return sums


def moved_to_walls(at: Sequence[Point], face: Face, theta: Sequence[Fraction]) -> Face:
    """The face with the hyperplanes that θ has crossed added to its walls."""
    sign, pattern, walls = face
    heights = [dot(theta, point) for point in at]
    crossed = {
        i for i, (on, height) in enumerate(zip(pattern, heights, strict=True)) if i not in walls and (height < 0) == on
    }
    crossed -= {i for i in crossed if heights[i] == 0 and not pattern[i]}
    held = tuple(sorted({*walls, *crossed}))
    return sign, tuple(on and i not in crossed for i, on in enumerate(pattern)), held
