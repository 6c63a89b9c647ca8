"""A formula in x as a function of arrays, in floating point: its tree is walked, nothing is executed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Expression, Operation, parse

Array = NDArray[np.float64]

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "neg": np.negative,
    "Abs": np.abs,
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


def on_arrays(formula: Expression | str) -> Callable[[Array], Array]:
    """x -> the formula in x, on arrays of any shape; NaN or infinity where it is undefined.

    >>> on_arrays("1 + Max(x, 0)**2")(np.array([-1.0, 2.0]))
    array([1., 5.])

    Raises FormulaError for what is not a formula in x; the function does for a number beyond the range of doubles.
    """
    tree = (formula if isinstance(formula, Expression) else parse(formula, ["x"])).tree

    def function(x: Array) -> Array:
        x = np.asarray(x, np.float64)
        with np.errstate(all="ignore"):
            return np.array(np.broadcast_to(_value(tree, x), x.shape), np.float64)

    return function


def _value(node: Operation, x: Array) -> Any:
    if node.number is not None:
        return _double(node.number)
    if node.is_name:
        return {"pi": np.pi, "E": np.e}.get(node.head, x)
    arguments = [_value(argument, x) for argument in node.arguments]
    if node.head in ("Max", "Min"):
        return (np.maximum if node.head == "Max" else np.minimum).reduce(np.broadcast_arrays(*arguments))
    if node.head in ("erf", "gamma"):
        from scipy import special

        return getattr(special, node.head)(arguments[0])
    return _FUNCTIONS[node.head](*arguments)


def _double(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        raise FormulaError(f"a number of the formula exceeds 1.8e308: {str(number)[:20]}…") from None
