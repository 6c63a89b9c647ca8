"""Two expressions joined to the claim's values at the points that were tried, without trying all pairs.

For a sum or a product the second is looked up by the values that it must have; for Max and Min all those below (above)
the claim's values are taken that reach them somewhere, and two that together reach them everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from implicitbias.exact.floating import Array
from implicitbias.exact.formula import Operation
from implicitbias.judging.rivals.bank import Bank, keys
from implicitbias.judging.rivals.demands import ROUNDING

FIRSTS = 20_000
"""Expressions that are tried as the first of a sum or a product."""
REACHING = 500
"""Expressions below (above) the claim's values that are paired, the simplest first."""
MOST = 3000
"""The most expressions of each kind."""


def joined(bank: Bank, says: Array, equality: bool, until: float) -> Iterator[Operation]:
    """Sums, products, Max and Min of two of the bank that have the values `says` at the points that were tried."""
    tried = bank.values[:, : len(says)]
    if equality:
        for head in ("+", "*"):
            yield from _looked_up(bank, tried, says, head, until)
    for head in ("Max", "Min"):
        yield from _covering(bank, tried, says, head, until)


def _looked_up(bank: Bank, tried: Array, says: Array, head: str, until: float) -> Iterator[Operation]:
    rows = {key: row for row, key in reversed(list(enumerate(keys(tried).tolist())))}
    firsts = tried[:FIRSTS]
    with np.errstate(all="ignore"):
        wanted = says - firsts if head == "+" else says / firsts
    usable = set(np.flatnonzero(np.isfinite(wanted).all(axis=1)).tolist())
    found = 0
    for row, key in enumerate(keys(wanted).tolist()):
        other = rows.get(key) if row in usable else None
        if other is not None and other >= row:
            found += 1
            yield Operation(head, (bank.tree(row), bank.tree(other)))
        if found >= MOST or time.process_time() > until:
            return


def _covering(bank: Bank, tried: Array, says: Array, head: str, until: float) -> Iterator[Operation]:
    room = ROUNDING * (1 + np.abs(says))
    beside = tried <= says + room if head == "Max" else tried >= says - room
    reaches = np.abs(tried - says) <= room
    rows = np.flatnonzero(beside.all(axis=1) & reaches.any(axis=1) & ~reaches.all(axis=1))[:REACHING]
    bits = [int("".join("1" if r else "0" for r in reaches[row]), 2) for row in rows]
    everywhere = (1 << len(says)) - 1
    found = 0
    for (one, first), (other, second) in combinations(zip(rows.tolist(), bits, strict=True), 2):
        if first | second == everywhere:
            found += 1
            yield Operation(head, (bank.tree(one), bank.tree(other)))
        if found >= MOST or time.process_time() > until:
            return
