"""What is asked of a law of (W, B), W a vector: the two parts of its kernel, ζ and samples."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class IsotropicLaw(ABC):
    """The law of (W, B) of a unit [⟨W, x⟩ + B]₊, the same for (QW, B) with Q a rotation and for (-W, -B).

    Its kernel K(x, x') = E[[⟨W, x⟩ + B]₊[⟨W, x'⟩ + B]₊] = ¼E|⟨W, x⟩ + B||⟨W, x'⟩ + B| + ¼(x, 1)G(x', 1)ᵀ, with G the
    second moments of (W, B), is written as

        K(x, x') = ½(x, 1)G(x', 1)ᵀ + R(x, x'),

    where R is 0 at x' = x and of the third order in |x - x'| nearby, and positive definite on multipliers with
    Σλ_j = 0 and Σλ_j x_j = 0. R is known to nearly all of its digits, which K(x, x') - K(x, x) is not.
    """

    @property
    @abstractmethod
    def text(self) -> str:
        """How it is written."""

    @abstractmethod
    def second_moments(self, d: int) -> Array:
        """The diagonal of G, (d + 1,): E W_1², ..., E W_d², E B²; all other entries are 0."""

    @abstractmethod
    def curved(self, X: Array, other: Array) -> Array:
        """R at the rows of X (n, d) and of `other` (m, d): (n, m)."""

    def affine(self, X: Array) -> Array:
        """½(x, 1)G, (n, d + 1): its product with (x', 1) and R(x, x') make K(x, x')."""
        return 0.5 * with_one(X) * self.second_moments(X.shape[1])

    def kernel(self, X: Array, other: Array) -> Array:
        """K at the rows of X (n, d) and of `other` (m, d), which are data: (n, m)."""
        return np.asarray(self.affine(X) @ with_one(other).T + self.curved(X, other))

    def require_reach(self, X: Array) -> None:
        """Raises DataError unless R is known for data at the rows of X."""
        return

    @abstractmethod
    def zeta(self, c: Array, d: int) -> Array:
        """ζ(V, c) = p_{V,C}(V, c) E(|W|² | V, C = c), the same for all directions V; with respect to dV dc."""

    @abstractmethod
    def sample(self, n: int, d: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """n independent draws of W, (n, d), and of B, (n,)."""


def with_one(X: Array) -> Array:
    """(x, 1) for each row: (n, d + 1)."""
    return np.column_stack([X, np.ones(len(X))])
