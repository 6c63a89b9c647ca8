"""W uniform on the sphere of radius r, B uniform on [-b, b]: ζ is constant where |c| <= b/r."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, pi, sqrt

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import hyp2f1

from implicitbias.errors import DataError
from implicitbias.laws.isotropic.isotropic_law import Array, IsotropicLaw


@dataclass(frozen=True)
class SphericalUnits(IsotropicLaw):
    """W of length r in a uniform direction V, B uniform on [-b, b]; the kinks of data within a = b/r are all met.

    Given V, with s = ⟨V, x⟩ and t = ⟨V, x'⟩ in [-a, a], the mean of |s - C||t - C| over C is st + a²/3 + |s - t|³/(6a).
    So R(x, x') = r² E|V_1|³|x - x'|³/(24a), with E|V_1|³ = Γ(d/2)/(√π Γ((d+3)/2)).

    >>> law = SphericalUnits(1.0, 2.0)
    >>> law.kernel(np.zeros((1, 3)), np.zeros((1, 3))) * 3  # E[B₊²] = 2/3
    array([[2.]])
    """

    radius: float
    bias: float

    @property
    def text(self) -> str:
        return f"W ~ sphere({self.radius:.6g}), B ~ uniform({-self.bias:.6g},{self.bias:.6g})"

    @property
    def reach(self) -> float:
        """a: kinks C = -B/|W| are uniform on [-a, a]."""
        return self.bias / self.radius

    def second_moments(self, d: int) -> Array:
        return np.append(np.full(d, self.radius**2 / d), self.bias**2 / 3)

    def curved(self, X: Array, other: Array) -> Array:
        d = X.shape[1]
        factor = self.radius**2 * exp(lgamma(d / 2) - lgamma((d + 3) / 2)) / (24 * self.reach * sqrt(pi))
        return np.asarray(factor * cdist(X, other) ** 3)

    def affine(self, X: Array) -> Array:
        """Also for x beyond the ball, with x' in it: what is then missing is affine in x',

        (r²/4a) E[(s - a)₊²(a - t) + (s - a)₊³/3], since s < -a leaves no C with both units active.
        """
        found = super().affine(X)
        lengths = np.linalg.norm(X, axis=1)
        beyond = lengths > self.reach
        if beyond.any():
            length, a, d = lengths[beyond], self.reach, X.shape[1]
            two, three = (truncated_moment(k, a / length, d) for k in (2, 3))
            slope = (three + a / length * two)[:, None] * (X[beyond] * length[:, None])
            constant = length**2 * a * two + length**3 * three / 3
            found[beyond] -= self.radius**2 / (4 * a) * np.column_stack([-slope, constant])
        return found

    def require_reach(self, X: Array) -> None:
        lengths = np.linalg.norm(X, axis=1)
        far = int(lengths.argmax())
        if lengths[far] > self.reach * (1 + 1e-12):  # rounding of the length
            raise DataError(
                f"datum {far + 1} lies {lengths[far]:.6g} from the origin, and kinks of {self.text} reach "
                f"{self.reach:.6g}: shift the data, scale them down, or take biases from a longer interval"
            )

    def zeta(self, c: Array, d: int) -> Array:
        """Proposition 17 of Jin and Montúfar 2023: r²/(2a) over the area of the sphere, 0 beyond."""
        area = exp(log(2) + d / 2 * log(pi) - lgamma(d / 2))
        return np.where(np.abs(c) <= self.reach, self.radius**2 / (2 * self.reach * area), 0.0)

    def sample(self, n: int, d: int, rng: np.random.Generator) -> tuple[Array, Array]:
        W = rng.standard_normal((n, d))
        W *= self.radius / np.linalg.norm(W, axis=1, keepdims=True)
        return W, rng.uniform(-self.bias, self.bias, n)


def truncated_moment(k: int, low: Array, d: int) -> Array:
    """E(V_1 - low)₊^k for 0 <= low <= 1 and V uniform on the sphere in d dimensions.

    V_1 has a density in proportion to (1 - v²)^α, α = (d - 3)/2; with v = 1 - (1 - low)u the integral is Euler's for
    2F1, every term positive. d = 1, V = ±1, is the limit.
    """
    alpha = (d - 3) / 2
    factor = exp(lgamma(d / 2) + lgamma(k + 1) - lgamma(alpha + k + 2)) / sqrt(pi)
    rest = hyp2f1(-alpha, alpha + 1, alpha + k + 2, (1 - low) / 2)
    return np.asarray(factor * (1 - low) ** (k + alpha + 1) * 2**alpha * rest)
