"""The natural cubic spline: the adaptive spline of a constant ζ, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from implicitbias.splines.hats import slope_jumps, solve_tridiagonal

Array = NDArray[np.float64]


def second_derivatives(x: Array, y: Array) -> Array:
    """s''(x_1), ..., s''(x_M) of the natural cubic spline, the function that minimises ∫(s'')² through the points.

    (x_{j+1} - x_{j-1})/3 s''_j + (x_j - x_{j-1})/6 s''_{j-1} + (x_{j+1} - x_j)/6 s''_{j+1} = jump of the slope at x_j,
    and s'' = 0 at both ends. O(M).

    >>> second_derivatives(np.array([0.0, 1, 2]), np.array([0.0, 1, 0]))
    array([ 0., -3.,  0.])
    """
    width = np.diff(x)
    inner = solve_tridiagonal((width[:-1] + width[1:]) / 3, width[1:-1] / 6, slope_jumps(x, y))
    return np.concatenate([[0.0], inner, [0.0]])
