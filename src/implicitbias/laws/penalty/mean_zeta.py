"""Integrals of zeta over intervals."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.one.law import Array
from implicitbias.laws.penalty.adaptive_quadrature import integrals


def mean_zeta(initialisation: Initialisation, edges: ArrayLike) -> Array:
    """The mean of zeta over each interval between increasing edges, by adaptive quadrature of `zeta`.

    >>> from implicitbias.laws.joint.build import initialisation
    >>> mean_zeta(initialisation("binary(1)", "uniform(-2,2)"), [1, 3])
    array([0.125])
    """
    ends = np.asarray(edges, float)
    if ends.ndim != 1 or ends.size < 2 or not (np.diff(ends) > 0).all() or not np.isfinite(ends).all():
        raise DataError("the edges must be two or more increasing numbers")
    found = []
    for low, high in pairwise(ends):
        knots = np.unique([low, *(k for k in (0.0, *initialisation.kinks) if low < k < high), high])

        def integrand(row: NDArray[np.intp], x: Array) -> Array:
            return initialisation.zeta(x)

        found.append(integrals(integrand, knots, 1, 1e-12)[0] / (high - low))
    return np.array(found)
