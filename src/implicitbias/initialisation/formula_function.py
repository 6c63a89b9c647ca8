"""A formula in x as a function of arrays: walked over its tree, nothing is executed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from implicitbias.expression import Operation, parse
from implicitbias.initialisation.law import Array

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
    "erf": special.erf,
    "gamma": special.gamma,
    "sign": np.sign,
    "floor": np.floor,
}


def formula_function(text: str) -> Callable[[Array], Array]:
    """The formula in x, in floating point; NaN or infinity where it has no value.

    >>> formula_function("1 + Max(x, 0)**2")(np.array([-1.0, 2.0]))
    array([1., 5.])

    Raises FormulaError for what is no formula in x.
    """
    tree = parse(text, ["x"]).tree

    def function(x: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(_value(tree, np.asarray(x, float)) + 0 * x, float)

    return function


def _value(node: Operation, x: Array) -> Any:
    if node.number is not None:
        return np.float64(float(node.number))
    if node.is_name:
        return x if node.head == "x" else np.float64(np.pi if node.head == "pi" else np.e)
    arguments = [_value(argument, x) for argument in node.arguments]
    if node.head in ("Max", "Min"):
        found = arguments[0]
        for other in arguments[1:]:
            found = np.maximum(found, other) if node.head == "Max" else np.minimum(found, other)
        return found
    return _FUNCTIONS[node.head](*arguments)
