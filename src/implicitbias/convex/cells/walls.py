"""The hyperplanes that bound each cell: two or three beside all n."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def walls(patterns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(S, n): whether x_i bounds the cell, that is, whether the pattern with i changed is a cell as well.

    The closed cell is where its walls have its signs. The hyperplanes are different ones, so that across a piece of
    one of them only its sign changes.

    patterns  (S, n), all cells of different points

    >>> walls(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)).all()
    True
    """
    count, n = patterns.shape
    packed = np.packbits(patterns, axis=1)
    width = packed.shape[1]
    kind = np.dtype((np.void, width))
    keys = np.ascontiguousarray(packed).view(kind).ravel()
    order = np.argsort(keys)
    known = keys[order]
    found = np.zeros((count, n), dtype=bool)
    for i in range(n):
        changed = packed.copy()
        changed[:, i // 8] ^= np.uint8(128 >> (i % 8))
        wanted = np.ascontiguousarray(changed).view(kind).ravel()
        place = np.minimum(np.searchsorted(known, wanted), count - 1)
        found[:, i] = known[place] == wanted
    return found
