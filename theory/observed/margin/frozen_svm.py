"""The largest margin of the output layer on frozen random features: a control for Theorem 4.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from implicitbias.functions.regions import LinearRegions


@dataclass(frozen=True)
class Frozen:
    """The output layer of largest margin on random features, up to a positive factor.

    regions  linear regions of the network, exact
    active   number of units active at a point with a multiplier; the others have v = 0
    correct  whether all points are classified correctly, exact
    initial  number of linear regions with random output weights instead
    """

    regions: LinearRegions
    active: int
    correct: bool
    initial: int


def frozen_svm(draw: Random, x: Sequence[Fraction], labels: Sequence[int], width: int, mean: int = 0) -> Frozen:
    """min ½|v|², y_i Σ_j v_j [w_j x_i + b_j]_+ >= 1: v = Σ_i λ_i y_i φ(x_i), λ numerical, v exact given λ.

    w_j is Gaussian, and so is b_j about `mean`: where that is negative few units are active, where positive nearly all.
    """
    import numpy as np
    from scipy.optimize import Bounds, minimize

    from implicitbias.functions.network import Network
    from implicitbias.functions.regions import linear_regions

    def normal() -> Fraction:
        return Fraction(round(10**6 * draw.gauss(0, 1)) or 1, 10**6)

    w, b = [normal() for _ in range(width)], [mean + normal() for _ in range(width)]
    features = np.maximum(
        np.outer([float(at) for at in w], [float(at) for at in x]) + np.array([[float(c)] for c in b]), 0
    )
    signed = features * np.array(labels)
    gram = signed.T @ signed
    # the dual, scaled so that the largest entry of the Gram matrix is 1
    scale = float(np.abs(gram).max())

    def value(dual: Any) -> float:
        return float(dual @ gram @ dual / 2 / scale - dual.sum())

    def slope_of(dual: Any) -> Any:
        return gram @ dual / scale - 1

    dual = np.ones(len(x))
    bounds = Bounds(0.0, np.inf)
    options = {"maxiter": 20000, "maxfun": 40000, "ftol": 1e-16, "gtol": 1e-9}
    if features.any(axis=0).all():
        dual = cast(Any, minimize)(value, dual, jac=slope_of, bounds=bounds, method="L-BFGS-B", options=options).x
    else:  # a point that no unit sees is not classified
        dual = np.zeros(len(x))
    kept = {i: Fraction(float(by)) * labels[i] for i, by in enumerate(dual) if by > 1e-9 * dual.max()}
    v, active = [], 0
    for slope, offset in zip(w, b, strict=True):
        heights = {i: slope * x[i] + offset for i in kept}
        v.append(sum((weight * heights[i] for i, weight in kept.items() if heights[i] > 0), Fraction(0)))
        active += any(height > 0 for height in heights.values())
    network = Network(w, b, v)
    correct = all(label * network(at) > 0 for at, label in zip(x, labels, strict=True))
    start = Network(w, b, [normal() for _ in range(width)])
    return Frozen(linear_regions(network), active, correct, linear_regions(start).exact)
