"""A formula as a function of arrays, in floating point: its tree is walked, nothing is executed. It proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]

OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "neg": np.negative,
    "Abs": np.abs,
    "Max": np.maximum,
    "Min": np.minimum,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "sign": np.sign,
    "floor": np.floor,
}
"""What each operation of the formula language does to arrays; `Max` and `Min` of two."""


def value(node: Operation, arrays: Mapping[str, Any]) -> Any:
    """The formula's value where its names have these arrays, which must broadcast; NaN or infinite where undefined.

    Raises FormulaError for a number beyond the range of doubles, KeyError for a name without an array.
    """
    if node.number is not None:
        return double(node.number)
    if node.is_name:
        if node.head in arrays:
            return arrays[node.head]
        return {"pi": np.pi, "E": np.e}[node.head]
    arguments = [value(argument, arrays) for argument in node.arguments]
    if node.head in ("Max", "Min"):
        found = arguments[0]
        for other in arguments[1:]:
            found = OPERATIONS[node.head](found, other)
        return found
    if node.head in ("erf", "gamma"):
        from scipy import special

        return getattr(special, node.head)(arguments[0])
    return OPERATIONS[node.head](*arguments)


def double(number: Fraction) -> float:
    """The nearest double. Raises FormulaError beyond their range."""
    try:
        return float(number)
    except OverflowError:
        raise FormulaError(f"a number of the formula exceeds 1.8e308: {str(number)[:20]}…") from None
