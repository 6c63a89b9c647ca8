"""The arrangement of the data's hyperplanes in parameter space: its cells by sign pattern, and their extreme rays.

The neuron θ = (a, b) is active at x_i where θ·x̃_i > 0, x̃ = (x, 1). Its half-open cell is the set of all θ with the
same pattern S(θ) = {i: θ·x̃_i > 0}. Half-open cells are convex cones that partition R^{d+1}. As the last coordinate of
every x̃ is 1, decreasing b moves every θ into the interior of its cell, so there are as many of them as cells of full
dimension, in degenerate positions too (de Dios & Bruna 2020, Section 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.counts import general_position_count
from implicitbias.convex.cells.lifted import Number, Vector, independent_columns, lifted, null_space, primitive
from implicitbias.errors import DataError

MOST_CELLS = 300_000
"""More cells than this are not listed."""
MOST_SIGNS = 20_000_000
"""More signs of rays at data than this are not computed: some seconds where the numbers are long."""
CHUNK = 4096
"""Subsets of hyperplanes that are intersected at once."""


@dataclass(frozen=True)
class Cells:
    """The cells of an arrangement.

    rows       x̃_i as primitive integer vectors, (n, d + 1)
    rank       of the x̃_i; where it is below d + 1, every cell contains the lines of `lineality`, a basis of their span
    patterns   (S, n): whether x_i is active on the cell; sorted
    rays       every closed cell is the sum of `lineality` and of the rays that have its signs or 0; primitive integers
    ray_signs  (number of rays, n): the signs of ray·x̃_i
    """

    rows: tuple[Vector, ...]
    rank: int
    lineality: tuple[Vector, ...]
    patterns: NDArray[np.bool_]
    rays: tuple[Vector, ...]
    ray_signs: NDArray[np.int8]
    general_position: bool
    """Whether any `rank` of the x̃_i are independent: then Cover's formula gives the number of cells."""

    def __len__(self) -> int:
        return len(self.patterns)

    def active(self, cell: int) -> tuple[int, ...]:
        """The data, counted from 0, at which the neurons of the cell are active."""
        return tuple(int(i) for i in np.flatnonzero(self.patterns[cell]))

    def extreme_rays(self, cell: int) -> tuple[Vector, ...]:
        """The rays that span the closed cell, up to `lineality`; none of them is a sum of others."""
        sides = np.where(self.patterns[cell], 1, -1).astype(np.int8)
        return tuple(self.rays[k] for k in np.flatnonzero((self.ray_signs * sides >= 0).all(axis=1)))

    def interior(self, cell: int) -> Vector:
        """A parameter inside the cell, off every hyperplane: the sum of its extreme rays."""
        return primitive([sum(entries) for entries in zip(*self.extreme_rays(cell), strict=True)])


def cells_of(points: Sequence[Sequence[Number]]) -> Cells:
    """All cells of the arrangement of the points, exactly. Points may repeat or be degenerate in other ways.

    Every cell has an extreme ray, in which rank - 1 independent hyperplanes meet; the cells around a ray have its sign
    at the points off its hyperplanes, and the patterns of a smaller arrangement at those on them. So the rays give all
    cells; there are at most 2 C(n, rank - 1) of them.

    Raises DataError, with an estimate of their number, where there are too many cells.

    >>> found = cells_of([[0], [1]])
    >>> [found.active(k) for k in range(len(found))]
    [(), (1,), (0,), (0, 1)]
    >>> found.extreme_rays(3)
    ((-1, 1), (1, 0))
    """
    rows = lifted(points)
    n, d = len(rows), len(rows[0]) - 1
    columns = independent_columns(rows)
    rank = len(columns)
    if (refusal := too_many(n, d, rank)) is not None:
        raise DataError(refusal)
    reduced = [tuple(row[j] for j in columns) for row in rows]
    flats = dict(_flats(reduced, rank))
    ordered = sorted(_signed(flats.values()), key=lambda item: item[0])
    rays = []
    for ray, _ in ordered:
        whole = [0] * (d + 1)
        for j, value in zip(columns, ray, strict=True):
            whole[j] = value
        rays.append(tuple(whole))
    return Cells(
        rows,
        rank,
        null_space(rows),
        _patterns_around(reduced, flats, n),
        tuple(rays),
        np.array([signs for _, signs in ordered], np.int8),
        len(flats) == comb(n, rank - 1),
    )


def too_many(n: int, d: int, rank: int) -> str | None:
    """Why the cells of n points in dimension d are not listed, with an estimate of their number; None if they are."""
    bound = general_position_count(n, rank)
    if bound <= MOST_CELLS and n * comb(n, rank - 1) <= MOST_SIGNS:
        return None
    number = str(bound) if bound < 10**9 else f"about {float(bound):.3g}" if bound < 10**300 else "over 1e300"
    return (
        f"{n} points in dimension {d} have {number} cells in general position (fewer only in degenerate position), too "
        f"many to list: at most {MOST_CELLS} cells and {MOST_SIGNS} signs of rays are computed; take fewer points or "
        "fewer columns"
    )


Flat = tuple[Vector, NDArray[np.int8]]


def _flats(rows: Sequence[Vector], rank: int) -> Iterator[tuple[bytes, Flat]]:
    """The lines in which the hyperplanes meet, a primitive vector of each, with its signs; by the hyperplanes through
    it. Some come repeatedly. `rows` have rank = their length."""
    longest = max(abs(value) for row in rows for value in row)
    kind: Any = np.int64 if factorial(rank) * longest**rank < 2**62 else object
    matrix = np.array(rows, dtype=kind)
    subsets = combinations(range(len(rows)), rank - 1)
    while chosen := list(islice(subsets, CHUNK)):
        directions = _orthogonal(matrix[np.array(chosen, dtype=np.intp).reshape(len(chosen), rank - 1)])
        signs = np.sign(directions @ matrix.T).astype(np.int8)
        for direction, sign in zip(directions, signs, strict=True):
            if direction.any():
                yield (sign == 0).tobytes(), (primitive([int(value) for value in direction]), sign)


def _orthogonal(stacks: NDArray[Any]) -> NDArray[Any]:
    """For r - 1 vectors of R^r each, shape (B, r - 1, r), the vector of their signed minors, which is orthogonal to all
    of them, and 0 where they are dependent."""
    count, size = len(stacks), stacks.shape[2]
    minors: dict[tuple[int, ...], NDArray[Any]] = {(): np.ones(count, dtype=stacks.dtype)}
    for k in range(size - 1):
        minors = {
            columns: sum(
                (-1) ** (k - p) * stacks[:, k, j] * minors[columns[:p] + columns[p + 1 :]]
                for p, j in enumerate(columns)
            )
            for columns in combinations(range(size), k + 1)
        }
    every = tuple(range(size))
    return np.stack([(-1) ** j * minors[every[:j] + every[j + 1 :]] for j in every], axis=1)


def _signed(flats: Iterable[Flat]) -> Iterator[Flat]:
    for ray, signs in flats:
        yield ray, signs
        yield tuple(-value for value in ray), -signs


def _patterns_around(rows: Sequence[Vector], flats: dict[bytes, Flat], n: int) -> NDArray[np.bool_]:
    """The patterns of all cells that have one of the rays, sorted."""
    found: set[bytes] = set()
    for ray, signs in flats.values():
        through = np.flatnonzero(signs == 0)
        local = _local_patterns(rows, ray, through)
        for side in (1, -1):
            around = np.repeat((side * signs > 0)[None, :], len(local), axis=0)
            around[:, through] = local
            found.update(row.tobytes() for row in np.packbits(around, axis=1))
    packed = np.frombuffer(b"".join(sorted(found)), np.uint8).reshape(len(found), -1)
    return np.unpackbits(packed, axis=1, count=n).astype(np.bool_)


def _local_patterns(rows: Sequence[Vector], ray: Vector, through: NDArray[Any]) -> NDArray[np.bool_]:
    """The patterns, on the hyperplanes through a ray, of the parameters around it."""
    rank = len(ray) - 1
    if len(through) == rank:
        # independent hyperplanes: every pattern occurs
        return np.array(list(product((False, True), repeat=rank)), np.bool_).reshape(2**rank, rank)
    # the forms vanish on the ray, so one coordinate in which it is not 0 can be put to 0
    k = next(j for j, value in enumerate(ray) if value)
    forms = [tuple(value for j, value in enumerate(rows[i]) if j != k) for i in through]
    return _patterns_around(forms, dict(_flats(forms, rank)), len(forms))
