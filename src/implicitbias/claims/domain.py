"""The domain of a claim's symbols as conditions in the formula language: `T >= Abs(a - b)`, `d < n`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation, parse


@dataclass(frozen=True)
class Condition:
    """`difference` is at least 0, or more than 0 if it is strict."""

    text: str
    difference: Operation
    strict: bool


def condition(text: str, symbols: Iterable[str]) -> Condition:
    """Read a condition.

    >>> condition("T >= Abs(s)", ["T", "s"]).strict, condition("d < n", ["d", "n"]).strict
    (False, True)

    Raises FormulaError for what is none.
    """
    parts = re.split(r"(<=|>=|<|>)", text)
    if len(parts) != 3:
        raise FormulaError(f"{text!r} is not a condition: write two formulas with <, <=, > or >= between them")
    names = tuple(symbols)
    left, right = (parse(side, names).tree for side in parts[::2])
    larger, smaller = (left, right) if parts[1][0] == ">" else (right, left)
    return Condition(text, Operation("-", (larger, smaller)), strict=len(parts[1]) == 1)
