"""Values of a formula at many rational points, as long as they are rational: the rational operations in a row.

`implicitbias.exact.enclosure.evaluate` gives every value, and the same one; here a formula is taken apart once, what
stands in it several times is computed once a point, and the fractions are flint's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from flint import fmpq

from implicitbias.exact.formula import CONSTANTS, Operation

LARGEST_POWER = 1 << 12
"""The most bits that a power may have: `evaluate` knows what to do beyond."""


MOST_TAKEN_APART = 1 << 10
"""Formulas that are kept taken apart."""


class _NotRationalError(ArithmeticError):
    """The value is irrational, too large or undefined: which, others decide."""


class RationalValues:
    """The values of one formula.

    >>> from implicitbias.exact.formula import parse
    >>> values = RationalValues(parse("sqrt(x)/(x - 1) + Max(x, 3)").tree)
    >>> values.at({"x": Fraction(4)}), values.at({"x": Fraction(1, 4)})
    (11/3, 7/3)
    >>> [values.at({"x": Fraction(x)}) for x in (1, 2)]  # a division by 0; an irrational root
    [None, None]
    """

    def __init__(self, tree: Operation) -> None:
        self._known: list[Any] = []
        self._names: list[tuple[int, str]] = []
        self._steps: list[tuple[Callable[..., Any], int, int]] = []
        self._places: dict[int, int] = {}
        self._tree = tree  # kept: parts are told apart by where they lie in memory
        leaves, inner = _parts(tree)
        self._possible = not any(node.is_name and node.head in CONSTANTS for node in leaves) and all(
            node.head in _OPERATIONS for node in inner
        )
        if self._possible:
            self._place(leaves, inner)

    def at(self, point: Mapping[str, Fraction]) -> Any | None:
        """The value as an fmpq; None where it is not rational or there is none. Raises KeyError for a name unknown."""
        if not self._possible:
            return None
        values = self._known.copy()
        for place, name in self._names:
            given = point[name]
            values[place] = fmpq(given.numerator, given.denominator)
        try:
            for function, i, j in self._steps:
                values.append(function(values[i]) if j < 0 else function(values[i], values[j]))
        except (_NotRationalError, ZeroDivisionError):
            return None
        return values[self._places[id(self._tree)]]

    def _place(self, leaves: Sequence[Operation], inner: Sequence[Operation]) -> None:
        """Numbers and names first, then a step for each operation."""
        for node in leaves:
            self._places[id(node)] = len(self._known)
            if node.number is None:
                self._names.append((len(self._known), node.head))
                self._known.append(None)
            else:
                self._known.append(fmpq(node.number.numerator, node.number.denominator))
        for node in inner:
            first, *others = (self._places[id(a)] for a in node.arguments)
            function = _OPERATIONS[node.head]
            if not others and node.head not in ("Max", "Min"):
                first = self._step(function, first)
            for other in others:
                first = self._step(function, first, other)
            self._places[id(node)] = first

    def _step(self, function: Callable[..., Any], i: int, j: int = -1) -> int:
        self._steps.append((function, i, j))
        return len(self._known) + len(self._steps) - 1


_taken_apart: dict[int, RationalValues] = {}
"""By the identity of the tree, which they keep: to hash a tree takes as long as to evaluate it."""


def rational_value(tree: Operation, values: Mapping[str, Any]) -> Fraction | None:
    """The value where it is rational, found without balls; None elsewhere. The tree is taken apart the first time."""
    if (found := _taken_apart.get(id(tree))) is None:
        if len(_taken_apart) >= MOST_TAKEN_APART:
            _taken_apart.clear()
        found = _taken_apart[id(tree)] = RationalValues(tree)
    value = found.at(values)
    return None if value is None else Fraction(int(value.p), int(value.q))


def _parts(tree: Operation) -> tuple[list[Operation], list[Operation]]:
    """Numbers and names; operations, each after its arguments. What stands in several places is there once."""
    leaves: list[Operation] = []
    inner: list[Operation] = []
    seen: set[int] = set()

    def visit(node: Operation) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        for argument in node.arguments:
            visit(argument)
        (inner if node.arguments else leaves).append(node)

    visit(tree)
    return leaves, inner


def _root(a: Any) -> Any:
    top, bottom = int(a.p), int(a.q)
    if top < 0 or isqrt(top) ** 2 != top or isqrt(bottom) ** 2 != bottom:
        raise _NotRationalError
    return fmpq(isqrt(top), isqrt(bottom))


def _power(base: Any, exponent: Any) -> Any:
    if exponent == fmpq(1, 2):
        return _root(base)
    n = int(exponent.p)
    if exponent.q != 1 or (base == 0 and n < 0):
        raise _NotRationalError
    if abs(n) * max(int(base.p).bit_length(), int(base.q).bit_length()) > LARGEST_POWER:
        raise _NotRationalError
    return base**n


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "neg": operator.neg,
    "**": _power,
    "Abs": abs,
    "Max": max,
    "Min": min,
    "sign": lambda a: fmpq((a > 0) - (a < 0)),
    "floor": lambda a: fmpq(int(a.p) // int(a.q)),
    "sqrt": _root,
}
