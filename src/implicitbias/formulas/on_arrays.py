"""A formula in x as a function of arrays, in floating point."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from implicitbias.exact.floating import Array, value
from implicitbias.exact.formula import Expression, Operation, parse


def on_arrays(formula: Expression | str) -> Callable[[Array], Array]:
    """x -> the formula in x, on arrays of any shape; NaN or infinity where it is undefined.

    >>> on_arrays("1 + Max(x, 0)**2")(np.array([-1.0, 2.0]))
    array([1., 5.])

    Raises FormulaError for what is not a formula in x; the function does for a number beyond the range of doubles.
    """
    tree = (formula if isinstance(formula, Expression) else parse(formula, ["x"])).tree
    return partial(_on_array, tree)


def _on_array(tree: Operation, x: Array) -> Array:
    x = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        return np.array(np.broadcast_to(value(tree, {"x": x}), x.shape), np.float64)
