"""The limit of training the output layer, computed from a kernel in exact fractions.

Trained on y from f = 0, an infinitely wide network converges to K(·, X) K(X, X)⁻¹ y; with u, v of (17) free, to
K(·, X) λ + u x + v with Σ λ_j = Σ λ_j x_j = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.vectors import solve

from .exact_laws import Kernel, Number

Function = Callable[[Number], Fraction]
Matrix = list[list[Fraction]]


def eliminated(rows: Sequence[Sequence[Number]]) -> tuple[Matrix, list[int]]:
    """The reduced row echelon form and its pivot columns."""
    work = [[Fraction(entry) for entry in row] for row in rows]
    pivots: list[int] = []
    for column in range(len(work[0]) if work else 0):
        place = next((i for i in range(len(pivots), len(work)) if work[i][column] != 0), None)
        if place is None:
            continue
        top = len(pivots)
        work[top], work[place] = work[place], work[top]
        lead = work[top][column]
        work[top] = [entry / lead for entry in work[top]]
        for i, row in enumerate(work):
            if i != top and row[column] != 0:
                factor = row[column]
                work[i] = [a - factor * b for a, b in zip(row, work[top], strict=True)]
        pivots.append(column)
    return work, pivots


@dataclass(frozen=True)
class Trained:
    """K(·, X) λ + u x + v. The parameter-space cost ∫α² dμ is λᵀ K λ, attained by α = Σ λ_j [wx_j+b]_+."""

    kernel: Kernel
    x: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]
    u: Fraction = Fraction(0)
    v: Fraction = Fraction(0)

    def __call__(self, z: Number) -> Fraction:
        kernel_part = sum((m * self.kernel(z, p) for m, p in zip(self.multipliers, self.x, strict=True)), Fraction(0))
        return kernel_part + self.u * z + self.v

    @property
    def cost(self) -> Fraction:
        """∫ α² dμ."""
        pairs = [(i, j) for i in range(len(self.x)) for j in range(len(self.x))]
        m = self.multipliers
        return sum((m[i] * m[j] * self.kernel(self.x[i], self.x[j]) for i, j in pairs), Fraction(0))


def trained(kernel: Kernel, x: Sequence[Number], y: Sequence[Number]) -> Trained:
    """The limit of (16): training on the unadjusted data."""
    gram = [[kernel(p, q) for q in x] for p in x]
    return Trained(kernel, tuple(map(Fraction, x)), solve(gram, y))


def trained_with_free_line(kernel: Kernel, x: Sequence[Number], y: Sequence[Number]) -> Trained:
    """The limit of (17): u and v are free and do not enter the cost."""
    m = len(x)
    rows: list[list[Number]] = [[*(kernel(p, q) for q in x), p, 1] for p in x]
    rows += [[*x, 0, 0], [*[1] * m, 0, 0]]
    *multipliers, u, v = solve(rows, [*y, 0, 0])
    return Trained(kernel, tuple(map(Fraction, x)), tuple(multipliers), u, v)


def adjusted(x: Sequence[Number], y: Sequence[Number], u: Number, v: Number) -> list[Fraction]:
    """y_j - u x_j - v: the adjusted training data of Theorem 1."""
    return [Fraction(b) - u * a - v for a, b in zip(x, y, strict=True)]


def regression_line(x: Sequence[Number], y: Sequence[Number]) -> tuple[Fraction, Fraction]:
    """Slope and intercept of the least-squares line."""
    m, sx, sy = len(x), Fraction(sum(x)), Fraction(sum(y))
    sxx, sxy = sum(Fraction(a) ** 2 for a in x), sum(Fraction(a) * b for a, b in zip(x, y, strict=True))
    slope = (m * sxy - sx * sy) / (m * sxx - sx**2)
    return slope, (sy - slope * sx) / m
