"""The whole course of gradient flow at infinite width, as functions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.splines.hats import jump_rounding, slope_jumps
from implicitbias.splines.points import points
from implicitbias.splines.raw_data import KernelInterpolant, KernelSystem, interpolate

if TYPE_CHECKING:
    from implicitbias.laws.joint.joint_law import Initialisation

Array = NDArray[np.float64]

SMALLEST = 1e-100
"""An eigenvalue of K⁻¹ below this is rounding; its mode is learned at once."""


class GradientFlow:
    """f_T(x) = K(x, X)K⁻¹(I - e^{-TK})y: gradient flow on ½Σ(f(x_j) - y_j)² from f = 0, at infinite width.

    Gradient descent with learning rate η̄/n, n the width, is at T = η̄ · steps (η̄ small). For the mean of squares, which
    deep learning libraries minimise, T = 2 η̄ · steps/M.

    f_T is the raw-data limit for the low-passed data (I - e^{-TK})y, and that is how it is computed: no inverse of
    K(X, X) is applied to anything. The mode of K with eigenvalue κ has reached 1 - e^{-Tκ}. Late times are read off
    the eigenvectors of K⁻¹, in which the slow modes dominate, so that a condition number of 1e16 still leaves half the
    digits. If ζ vanishes around data that are not on a line, some of y is never learned, and the loss stays positive.

    law   an initialisation with E W² and E B² finite
    x, y  at least two points, x increasing
    """

    def __init__(self, law: Initialisation, x: Iterable[Any], y: Iterable[Any]) -> None:
        data = points(x, y)
        self.system = KernelSystem(law, data.x)
        self.y = data.y

    @cached_property
    def unlearnable(self) -> Array:
        """The part of y that is never learned: 0 unless ζ vanishes on both sides of a datum at which the data turn."""
        basis = self._null
        result: Array = basis @ (basis.T @ self.y)
        x, jumps = self.system.x, slope_jumps(self.system.x, self.y)
        # collinear data leave rounding here
        turned = np.abs(jumps) > jump_rounding(x, self.y)
        return result if (turned & self._stuck).any() else np.zeros_like(self.y)

    @property
    def final_loss(self) -> float:
        """½Σ(f_∞(x_j) - y_j)²."""
        return 0.5 * float(self.unlearnable @ self.unlearnable)

    @property
    def _stuck(self) -> NDArray[np.bool_]:
        """The inner data on both sides of which ζ vanishes."""
        return np.equal(self.system.products.tridiagonal[0], 0)

    @cached_property
    def _null(self) -> Array:
        """An orthonormal basis of the null space of K(X, X): second differences at data with no kinks nearby."""
        found = self.system.differences
        stuck = np.flatnonzero(self._stuck)
        columns = np.zeros((len(self.y), len(stuck)))
        for column, j in enumerate(stuck):
            columns[j : j + 3, column] = found.before[j], found.middle[j], found.after[j]
        basis: Array = np.linalg.qr(columns)[0]
        return basis

    @cached_property
    def _slow(self) -> tuple[Array, Array]:
        """Eigenvalues of K from those of K⁻¹ = T Q⁻¹ Tᵀ, accurate for the small ones."""
        inverse = self.system.multipliers(*self.system.solve(np.eye(len(self.y))))
        values, vectors = np.linalg.eigh(0.5 * (inverse + inverse.T))
        return 1 / np.maximum(values, SMALLEST), vectors

    @cached_property
    def _fast(self) -> tuple[Array, Array]:
        """Eigenvalues of K, accurate for the large ones."""
        values, vectors = np.linalg.eigh(self.system.gram)
        return np.maximum(values, 0.0), vectors

    @property
    def modes(self) -> Array:
        """The eigenvalues of K(X, X), the largest first: each from the side on which it is accurate."""
        fast = np.sort(self._fast[0])[::-1]
        if self._null.shape[1]:
            return fast
        slow = np.sort(self._slow[0])[::-1]
        return np.where(fast > np.sqrt(fast[0] * slow[-1]), fast, slow)

    def residual(self, time: float) -> Array:
        """y - f_T(X) = e^{-TK}y."""
        if not time >= 0:
            raise DataError(f"training time must be at least 0: got {time}")
        if time == 0:
            return self.y.copy()
        if np.isinf(time):
            return self.unlearnable.copy()
        values, vectors = self._fast
        # in the middle of the spectrum on a logarithmic scale both are equally good
        if not self._null.shape[1] and time * np.sqrt(values.max() * self._slow[0].min()) > 1:
            values, vectors = self._slow
        learnable = self.y - self.unlearnable
        result: Array = self.unlearnable + vectors @ (np.exp(-time * values) * (vectors.T @ learnable))
        return result

    def at(self, time: float = np.inf) -> KernelInterpolant:
        """f_T; T may be infinity."""
        return interpolate(self.system, self.y - self.residual(time))
