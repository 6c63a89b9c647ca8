"""The penalty of a smoothing spline by generalised cross-validation (Craven and Wahba 1979)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from implicitbias.errors import DataError
from implicitbias.splines.hats import differences, hat_products, slope_jumps, solve_smoothed
from implicitbias.splines.panels import panels
from implicitbias.splines.points import points
from implicitbias.splines.smoothing import weights_of
from implicitbias.splines.weight import weight

Array = NDArray[np.float64]

EXACT = 400
"""Up to so many data the trace is exact."""

FEWEST = 1e-6
"""Freedom per datum below which V is not looked at: the spline interpolates."""

MARGIN = 4
"""Decades of penalties that are looked at below what bends one interval and above what bends all of them."""


class GeneralisedCrossValidation:
    """V(λ) = (R/N) / (tr(I - H)/N)², R the squares of the residuals of N data and H the map from them to their values.

    If data share their x they are given as one, y their mean and w their number, and `within` is Σ(datum - mean)²: then
    N = Σ w, R = within + Σ w_j (s(x_j) - y_j)² and tr(I - H) = N - M + Σ_j (I - H)_jj of the M means.

    The trace is Σ e_jᵀ(I - H)e_j for up to `EXACT` data. For more it is estimated by random signs (Hutchinson), the
    same for every λ, with a standard deviation below 1 %. Both are O(M).

    x, y, zeta, breaks, weights  as for SmoothingSpline, at least four data
    within                       Σ(datum - mean)² of data that share their x; then weights are numbers of data
    """

    def __init__(
        self,
        x: Iterable[Any],
        y: Iterable[Any],
        zeta: Any = 1,
        *,
        breaks: Iterable[float] = (),
        weights: ArrayLike | None = None,
        within: float | None = None,
    ) -> None:
        data = points(x, y)
        self.x, self.y, self.weights = data.x, data.y, weights_of(weights, len(data))
        self.within = within or 0.0
        self.count = len(data) if within is None else round(float(self.weights.sum()))
        if self.count < 4:
            raise DataError(f"cross-validation needs at least four data: got n_samples={self.count}; give a penalty")
        self._system = hat_products(panels(weight(zeta, breaks), data.x)).tridiagonal

    @cached_property
    def _probes(self) -> Array:
        count = len(self.x)
        if count <= EXACT:
            return np.eye(count)
        signs: Array = np.random.default_rng(0).choice((-1.0, 1.0), size=(count, max(4, EXACT**2 // (4 * count))))
        return np.asarray(signs / np.sqrt(signs.shape[1]))

    def _missed(self, penalty: float, data: Array) -> Array:
        """(I - H) data."""
        root = np.sqrt(penalty)
        nothing = np.zeros((len(self.x) - 2, *data.shape[1:]))
        _, scaled = solve_smoothed(self.x, *self._system, penalty, nothing, data / root, self.weights)
        return np.asarray(data - root * scaled)

    def freedom_left(self, penalty: float) -> float:
        """tr(I - H), from N - M at the penalty 0 to N - 2."""
        return self.count - len(self.x) + float((self._probes * self._missed(penalty, self._probes)).sum())

    def __call__(self, penalty: float) -> float:
        """V; ∞ where both numbers are so near 0 that their quotient is rounding."""
        missed = self.within + float((self.weights * self._missed(penalty, self.y) ** 2).sum())
        left = self.freedom_left(penalty)
        return missed * self.count / left**2 if left > FEWEST * self.count else np.inf

    @cached_property
    def best(self) -> float:
        """The penalty with the least V: the least of a scan by half decades, made precise between its neighbours."""
        d = differences(self.x)
        if not slope_jumps(self.x, self.y).any():
            return 1.0  # the means are on a line, and so is every smoothing spline
        w = self.weights
        squares = d.before**2 / w[:-2] + d.middle**2 / w[1:-1] + d.after**2 / w[2:]
        # A bend at one datum weighs this penalty, one that all M share up to M⁴ times as much.
        low = float(np.log10(np.median(self._system[0] / squares))) - MARGIN
        high = low + 2 * MARGIN + 4 * np.log10(len(self.x))
        grid = np.linspace(low, high, 1 + int(2 * (high - low)))
        scanned = [self(10.0**place) for place in grid]
        k = int(np.argmin(scanned))
        ends = grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
        found = minimize_scalar(lambda place: self(10.0**place), bounds=ends, method="bounded")
        return float(10.0 ** (found.x if found.fun < scanned[k] else grid[k]))
