"""Expressions over a claim's symbols in growing size, built from below, merged where they agree at all places.

The places are points that were tried and points that were not: what agrees with the evidence and differs elsewhere is
a rival, so merging at the points that were tried alone would lose it. A size is the number of symbols, constants,
operators and functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from implicitbias.exact.floating import OPERATIONS, Array, Rows
from implicitbias.exact.formula import Operation, written

UNARY = ("neg", "Abs", "sqrt", "sign", "floor")
BINARY = ("+", "-", "*", "/", "Max", "Min", "**")
COMMUTATIVE = frozenset({"+", "*", "Max", "Min"})
LARGEST = 1e12
"""A part that is larger somewhere is given up."""
BLOCK = 1 << 15
"""Rows that are evaluated at once."""

TINY = 1e-12
"""What is smaller is taken for 0: rounding has made it."""

_MULTIPLIERS = np.random.default_rng(0).integers(1, 2**62, 4096, dtype=np.int64) | 1


@dataclass(frozen=True)
class Grown:
    """New expressions: their values, one row each, and how they are made of two rows of the bank."""

    head: str
    left: Rows
    right: Rows
    values: Array


class Bank:
    """The expressions found so far, each with its values at the places and its tree.

    places  the first `tried` columns are points of the evidence, at which every expression has a value
    """

    def __init__(self, leaves: Sequence[tuple[Operation, Array]], tried: int, most: int) -> None:
        self.tried = tried
        self.most = most
        self.evaluated = 0
        self.values = np.empty((0, len(leaves[0][1]) if leaves else 0))
        self.sizes: list[int] = []
        self._made: list[tuple[str, int, int] | Operation] = []
        self._seen: set[int] = set()
        self._starts = [0, 0]  # the first row of each size
        rows = [np.asarray(v, float) for _, v in leaves]
        fresh = self._fresh(np.stack(rows)) if rows else np.zeros(0, np.int64)
        self._add([leaves[i][0] for i in fresh], [rows[i] for i in fresh], 1)

    def __len__(self) -> int:
        return len(self._made)

    @property
    def distinct(self) -> int:
        return len(self._seen)

    @property
    def is_full(self) -> bool:
        return len(self) >= self.most

    def tree(self, row: int) -> Operation:
        made = self._made[row]
        if isinstance(made, Operation):
            return made
        head, left, right = made
        arguments = (self.tree(left),) if right < 0 else (self.tree(left), self.tree(right))
        return Operation(head, arguments)

    def grow(self) -> Iterator[Grown]:
        """The expressions of the next size that agree with none before; they are kept while there is room."""
        size = len(self._starts)
        self._starts.append(len(self))
        for head in UNARY:
            for rows in _blocks(self._rows(size - 1)):
                yield from self._made_of(head, rows, np.full(len(rows), -1), size)
        for left_size in range(1, size - 1):
            left, right = self._rows(left_size), self._rows(size - 1 - left_size)
            for head in BINARY:
                if head in COMMUTATIVE and left_size > size - 1 - left_size:
                    continue
                for some in _blocks(left, max(1, BLOCK // max(1, len(right)))):
                    pairs = np.repeat(some, len(right)), np.tile(right, len(some))
                    if head in COMMUTATIVE and left_size == size - 1 - left_size:
                        ordered = pairs[0] < pairs[1]
                        pairs = pairs[0][ordered], pairs[1][ordered]
                    yield from self._made_of(head, *pairs, size)

    def _rows(self, size: int) -> Rows:
        end = self._starts[size + 1] if size + 1 < len(self._starts) else len(self)
        return np.arange(self._starts[size], end, dtype=np.int64)

    def _made_of(self, head: str, left: Rows, right: Rows, size: int) -> Iterator[Grown]:
        if not len(left):
            return
        with np.errstate(all="ignore"):
            if right[0] < 0:
                values = OPERATIONS[head](self.values[left])
            else:
                values = OPERATIONS[head](self.values[left], self.values[right])
        self.evaluated += len(values)
        within = np.abs(values[:, : self.tried]) < LARGEST
        usable = np.flatnonzero(within.all(axis=1))
        fresh = usable[self._fresh(values[usable])]
        if not len(fresh):
            return
        grown = Grown(head, left[fresh], right[fresh], values[fresh])
        room = max(0, self.most - len(self))
        if room:
            made = [(head, int(a), int(b)) for a, b in zip(grown.left[:room], grown.right[:room], strict=True)]
            self._add(made, list(grown.values[:room]), size)
        yield grown

    def grown_tree(self, grown: Grown, row: int) -> Operation:
        left, right = int(grown.left[row]), int(grown.right[row])
        return Operation(grown.head, (self.tree(left),) if right < 0 else (self.tree(left), self.tree(right)))

    def _fresh(self, values: Array) -> Rows:
        """The rows that agree with none before."""
        fresh = []
        for row, key in enumerate(keys(values).tolist()):
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(row)
        return np.array(fresh, np.int64)

    def _add(self, made: Sequence[tuple[str, int, int] | Operation], values: Sequence[Array], size: int) -> None:
        if not len(made):
            return
        self._made += made
        self.sizes += [size] * len(made)
        self.values = np.concatenate([self.values, np.stack(values)])


def keys(values: Array) -> Rows:
    """A number for each row: equal for rows that agree to ten digits, with overwhelming odds for no others.

    >>> one, two, three = keys(np.array([[0.1 + 0.2, 1.0], [0.3, 1.0], [0.3, 1.1]]))
    >>> bool(one == two), bool(one == three)
    (True, False)
    """
    clean = np.where(np.abs(values) < TINY, 0.0, values)
    clean[np.isnan(clean)] = np.nan  # of the many, one
    whole = (clean.view(np.int64) + (1 << 17)) >> 18
    multipliers = _MULTIPLIERS[: values.shape[1]]
    found: Rows = (whole * multipliers).sum(axis=1)
    return found


def leaves(symbols: Mapping[str, Array], constants: Sequence[Operation], places: int) -> list[tuple[Operation, Array]]:
    """The symbols and the constants, with their values at the places."""
    from implicitbias.exact.floating import value

    found = [(Operation(name), np.asarray(values, float)) for name, values in symbols.items()]
    return found + [(c, np.full(places, float(value(c, {})))) for c in constants]


def constants_of(tree: Operation) -> list[Operation]:
    """The constants that expressions are made of: 1, 2, 3, 1/2, and those of the claim's formula."""
    few = [Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2)]
    found = [Operation("number", number=n) for n in few]
    for node in _nodes(tree):
        if node.number is not None:
            found.append(Operation("number", number=node.number))
        elif node.is_name and node.head in ("pi", "E"):
            found.append(node)
    return list({written(node): node for node in found}.values())


def _nodes(tree: Operation) -> Iterator[Operation]:
    yield tree
    for argument in tree.arguments:
        yield from _nodes(argument)


def _blocks(rows: Rows, size: int = BLOCK) -> Iterator[Rows]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
