"""W ~ N(0, σ_w² I), B ~ N(0, σ_b²)."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, lgamma

import numpy as np
from scipy.spatial.distance import cdist

from implicitbias.laws.isotropic.isotropic_law import Array, IsotropicLaw

SERIES = np.array([(-1) ** (k + 1) * 2 * k / factorial(2 * k + 1) for k in range(11, 0, -1)])
"""Σ_k SERIES t^{2k+1} = sin t - t cos t, the highest power first; what follows is below 1e-19 for t <= 1."""


@dataclass(frozen=True)
class GaussianUnits(IsotropicLaw):
    """Independent entries of W with standard deviation σ_w, and B with σ_b.

    With u = (σ_w x, σ_b), v = (σ_w x', σ_b) and t the angle between them K is |u||v|(sin t + (π - t) cos t)/(2π) (Cho
    and Saul 2009), so R is |u||v|(sin t - t cos t)/(2π).

    >>> law = GaussianUnits(1.0, 2.0)
    >>> law.kernel(np.zeros((1, 3)), np.zeros((1, 3)))  # E[B₊²]
    array([[2.]])
    """

    weight: float
    bias: float

    @property
    def text(self) -> str:
        return f"W ~ normal(0,{self.weight:.6g}), B ~ normal(0,{self.bias:.6g})"

    def second_moments(self, d: int) -> Array:
        return np.append(np.full(d, self.weight**2), self.bias**2)

    def curved(self, X: Array, other: Array) -> Array:
        (u, one), (v, two) = self._directions(X), self._directions(other)
        # from the chord, because the cosine of a small angle forgets it
        angle = 2 * np.arcsin(np.minimum(cdist(u, v) / 2, 1))
        return np.asarray(one[:, None] * two * sine_less_arc_cosine(angle) / (2 * np.pi))

    def _directions(self, X: Array) -> tuple[Array, Array]:
        u = np.column_stack([self.weight * X, np.full(len(X), self.bias)])
        lengths = np.linalg.norm(u, axis=1)
        return u / lengths[:, None], lengths

    def zeta(self, c: Array, d: int) -> Array:
        """Theorem 19 of Jin and Montúfar 2023."""
        w, b = self.weight, self.bias
        spread = np.asarray(b**2 + (c * w) ** 2)
        log = lgamma((d + 3) / 2) - (d + 1) / 2 * np.log(np.pi) + 3 * np.log(w) + (d + 2) * np.log(b)
        return np.asarray(np.exp(log - (d + 3) / 2 * np.log(spread)))

    def sample(self, n: int, d: int, rng: np.random.Generator) -> tuple[Array, Array]:
        return self.weight * rng.standard_normal((n, d)), self.bias * rng.standard_normal(n)


def sine_less_arc_cosine(t: Array) -> Array:
    """sin t - t cos t for t in [0, π], to rounding also where it is t³/3."""
    small = np.minimum(t, 1.0)
    return np.where(t < 1, small**3 * np.polyval(SERIES, small**2), np.sin(t) - t * np.cos(t))
