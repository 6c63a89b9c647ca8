"""Rows that are equal up to a positive factor, exactly: units on one hyperplane that are active on the same side."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from implicitbias.exact.dyadic import equal_products

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Groups:
    """Positions in groups that lie one after another in `order`; group g begins at `starts[g]`."""

    order: Integers
    starts: Integers

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> Integers:
        return np.diff(self.starts, append=len(self.order))

    @property
    def first(self) -> Integers:
        """One position of each group."""
        return self.order[self.starts]

    def members(self, group: int) -> list[int]:
        end = self.starts[group + 1] if group + 1 < len(self.starts) else len(self.order)
        found: list[int] = self.order[self.starts[group] : end].tolist()
        return found


def same_rays(rows: Array) -> Groups:
    """The rows, none of them 0, grouped by their rays.

    The groups increase by (row divided by its first entry's size), rounded to doubles; where these are equal, by the
    exact quotients.

    Rows of one ray have the same quotients, so also the same quotients rounded to doubles. Where several rows share
    these, exact products decide whether they share the ray.

    >>> same_rays(np.array([[1.0, 3.0], [-2.0, 5.0], [2.0, 6.0], [0.1, 0.3]])).sizes.tolist()
    [1, 1, 2]
    """
    n = len(rows)
    if not n:
        return Groups(np.zeros(0, np.int64), np.zeros(0, np.int64))
    pivot = np.abs(rows[np.arange(n), (rows != 0).argmax(axis=1)])
    keys = rows / pivot[:, None] + 0.0  # makes one zero of the two
    order = _sorted(keys)
    keys = keys[order]
    new = np.ones(n, dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    first = order[starts][np.cumsum(new) - 1]
    doubtful = np.flatnonzero(first != order)
    here, there = order[doubtful], first[doubtful]
    same = np.ones(len(doubtful), dtype=bool)
    for c in range(rows.shape[1]):
        same &= equal_products(rows[here, c], pivot[there], rows[there, c], pivot[here])
    if not same.all():
        wrong = np.unique(np.searchsorted(starts, doubtful[~same], side="right") - 1)
        starts = _by_fractions(rows, order, starts, wrong.tolist())
    return Groups(order, starts)


def _sorted(keys: Array) -> Integers:
    """The order by rows. The first column holds -1, 0 and 1 alone; of two columns only the other needs sorting."""
    if keys.shape[1] != 2:
        return np.lexsort(keys.T[::-1])
    parts = [np.flatnonzero(keys[:, 0] == first) for first in (-1, 0, 1)]
    return np.concatenate([part[np.argsort(keys[part, 1])] for part in parts])


def _by_fractions(rows: Array, order: Integers, starts: Integers, wrong: list[int]) -> Integers:
    """The starts after groups of rows that rounding alone makes equal were taken apart; `order` is changed in them."""
    more = []
    for group in wrong:
        begin = int(starts[group])
        end = int(starts[group + 1]) if group + 1 < len(starts) else len(order)
        found: dict[tuple[Fraction, ...], list[int]] = {}
        for i in order[begin:end].tolist():
            row = [Fraction(entry) for entry in rows[i].tolist()]
            size = abs(next(entry for entry in row if entry))
            found.setdefault(tuple(entry / size for entry in row), []).append(i)
        for ray in sorted(found):
            more.append(begin)
            order[begin : begin + len(found[ray])] = found[ray]
            begin += len(found[ray])
    return np.union1d(starts, np.array(more, dtype=np.int64))
