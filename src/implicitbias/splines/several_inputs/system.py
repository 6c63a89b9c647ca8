"""(K(X, X) + ridge I)λ = y by one Cholesky decomposition, in coordinates that keep affine functions apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, eigh, lapack, qr, solve_triangular
from scipy.spatial import KDTree

from implicitbias.errors import DataError
from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw, with_one

Array = NDArray[np.float64]

ROUNDS = 2
"""Rounds of iterative refinement: the second no longer changes anything unless the first was needed."""
UNSOLVED = 1e-6
"""A residual of this part of the data, after refinement, means that doubles do not solve the system."""


@dataclass(frozen=True)
class Solution:
    """λ (M,), its moments Σλ_j(x_j, 1) (d + 1,), which λ alone gives to fewer digits, and β (d + 1,)."""

    multipliers: Array
    moments: Array
    affine: Array

    def __add__(self, other: Solution) -> Solution:
        return Solution(self.multipliers + other.multipliers, self.moments + other.moments, self.affine + other.affine)


class DenseSystem:
    """SKS + ridge I for one law, distinct rows of X and weights s² of the data (S their roots, on the diagonal).

    K = ½ΦGΦᵀ + R, Φ = (X, 1). Householder reflections Q carry SΦ to its last r coordinates, r its rank. There the
    first M - r rows and columns are those of QᵀSRSQ alone: small numbers that are known to their digits, if data lie
    close together, beside large ones. One Cholesky decomposition L serves both problems: all of it solves with K, its
    first M - r rows and columns solve with the affine part free.
    """

    def __init__(self, law: IsotropicLaw, X: Array, weights: Array, ridge: float = 0.0) -> None:
        law.require_reach(X)
        self.law = law
        self.X = X
        self.ridge = ridge
        self.root = np.sqrt(weights)
        self.centre = X.mean(0)
        spread = np.abs(X - self.centre).max() or 1.0
        affine = self.root[:, None] * with_one((X - self.centre) / spread)
        (self._reflections, self._tau), triangle, _ = qr(affine, mode="raw", pivoting=True)
        sizes = np.abs(np.diag(triangle))
        self.rank = int((sizes > len(X) * np.finfo(float).eps * sizes[0]).sum())
        self._curved: Array = self.root[:, None] * law.curved(X, X) * self.root
        # the affine functions x_i and 1 in the coordinates that the reflections carry them to
        self._affine: Array = self._carried(self.root[:, None] * with_one(X))[-self.rank :]

    @property
    def bends(self) -> int:
        """M - r, the number of coordinates of λ that the affine functions do not see."""
        return len(self.X) - self.rank

    @cached_property
    def carried(self) -> Array:
        """Qᵀ(SKS + ridge I)Q."""
        half = self._carried(self._curved)
        found: Array = self._carried(half.T)
        found = 0.5 * (found + found.T)
        last = slice(self.bends, None)
        found[last, last] += 0.5 * (self._affine * self.law.second_moments(self.X.shape[1])) @ self._affine.T
        found[np.diag_indices(len(found))] += self.ridge
        return found

    @cached_property
    def factor(self) -> Array:
        """L."""
        try:
            return np.asarray(cholesky(self.carried, lower=True, check_finite=False))
        except LinAlgError:
            raise self._unsolved() from None

    def solve(self, y: Array, affine_free: bool = False) -> Solution:
        """(K + ridge S⁻²)λ = y; or, with the affine part free, (R + ridge S⁻²)λ + Φβ = y and Φᵀλ = 0."""
        target: Array = self.root * y
        size = self.bends if affine_free else len(y)
        found = Solution(np.zeros(len(y)), np.zeros(self.X.shape[1] + 1), np.zeros(self.X.shape[1] + 1))
        residual = target
        for _ in range(1 + ROUNDS):
            found = found + self._solve(residual, size)
            residual = target - self._applied(found)
        if not np.abs(residual).max() <= UNSOLVED * np.abs(target).max():
            raise self._unsolved()
        return Solution(self.root * found.multipliers, found.moments, found.affine)

    def _solve(self, target: Array, size: int) -> Solution:
        """With the first `size` rows and columns of L; β fits what is left over if these are not all."""
        carried = self._carried(target[:, None])[:, 0]
        lower = self.factor[:size, :size]
        inner = solve_triangular(lower, carried[:size], lower=True, check_finite=False)
        inner = solve_triangular(lower, inner, lower=True, trans="T", check_finite=False)
        slopes: Array = np.zeros(self._affine.shape[1])
        if size < len(target):
            left = carried[size:] - self.carried[size:, :size] @ inner
            slopes = np.asarray(np.linalg.lstsq(self._affine, left)[0], dtype=np.float64)
        padded = np.concatenate([inner, np.zeros(len(target) - size)])
        return Solution(self._back(padded[:, None])[:, 0], self._affine.T @ padded[self.bends :], slopes)

    def _applied(self, found: Solution) -> Array:
        moments = self.law.second_moments(self.X.shape[1]) * found.moments
        affine = with_one(self.X) @ (0.5 * moments + found.affine)
        return np.asarray(self._curved @ found.multipliers + self.ridge * found.multipliers + self.root * affine)

    def decay(self, y: Array, time: float) -> Array:
        """e^{-time K S²}y: what gradient flow has not learned."""
        if time == 0:
            return y
        target = self._carried((self.root * y)[:, None])[:, 0]
        values, vectors = self._fast
        if time * np.sqrt(values[-1] * max(values[0], 0.0)) > 1:
            values, vectors = self._slow
        left = vectors @ (np.exp(-time * np.maximum(values, 0.0)) * (vectors.T @ target))
        return np.asarray(self._back(left[:, None])[:, 0] / self.root)

    @cached_property
    def _fast(self) -> tuple[Array, Array]:
        """Eigenvalues of SKS, accurate for the large ones."""
        return eigh(self.carried, check_finite=False)

    @cached_property
    def _slow(self) -> tuple[Array, Array]:
        """Eigenvalues of SKS from those of its inverse, accurate for the small ones."""
        inverse, failed = lapack.dpotri(self.factor, lower=1)
        if failed:
            raise self._unsolved()
        values, vectors = eigh(inverse, lower=True, check_finite=False)
        return 1 / values, vectors

    def _carried(self, columns: Array) -> Array:
        """Qᵀ applied, with the first r coordinates last."""
        return np.roll(self._reflected(columns, "T"), -self.rank, axis=0)

    def _back(self, columns: Array) -> Array:
        return self._reflected(np.roll(columns, self.rank, axis=0), "N")

    def _reflected(self, columns: Array, which: str) -> Array:
        size = lapack.dormqr("L", which, self._reflections[:, : len(self._tau)], self._tau, columns[:, :1], -1)[1]
        length = max(int(size[0]), 64 * columns.shape[1])  # 64: the width of LAPACK's blocks
        found = lapack.dormqr("L", which, self._reflections[:, : len(self._tau)], self._tau, columns, length)[0]
        return np.asarray(found)

    def _unsolved(self) -> DataError:
        apart, first, second = nearest_pair(self.X)
        return DataError(
            f"the kernel of {self.law.text} is singular at these data, to rounding: the nearest two, "
            f"{_row(self.X[first])} and {_row(self.X[second])}, are {apart:.3g} apart; take them together, or give a "
            "ridge or a time of training"
        )


def nearest_pair(X: Array) -> tuple[float, int, int]:
    """The least distance of two rows, and which they are."""
    if len(X) == 1:
        return np.inf, 0, 0
    apart, others = map(np.asarray, KDTree(X).query(X, k=2))
    first = int(apart[:, 1].argmin())
    return float(apart[first, 1]), first, int(others[first, 1])


def _row(x: Array) -> str:
    shown = ", ".join(f"{value:.6g}" for value in x[:4])
    return f"({shown}{', …' if len(x) > 4 else ''})"
