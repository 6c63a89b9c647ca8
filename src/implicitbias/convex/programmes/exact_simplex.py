"""The two-phase simplex method in rationals with Bland's rule: slow, never cycles, never rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

Rationals = Sequence[fmpq]
"""A sequence of flint's `fmpq`."""


@dataclass(frozen=True)
class Vertex:
    """An optimal basic solution z and multipliers y: A z = b, z >= 0, c - A'y >= 0, c'z = b'y."""

    z: list[fmpq]
    y: list[fmpq]


@dataclass(frozen=True)
class NoPoint:
    """Farkas' multipliers: y'A <= 0 and y'b > 0, so that A z = b has no solution z >= 0."""

    y: list[fmpq]


@dataclass(frozen=True)
class NoBound:
    """A feasible z and a ray r >= 0 with A r = 0 and c'r < 0."""

    z: list[fmpq]
    r: list[fmpq]


def simplex(
    A: Sequence[Rationals], b: Rationals, c: Rationals, basis: Sequence[int] | None = None
) -> Vertex | NoPoint | NoBound:
    """min c'z subject to A z = b, z >= 0, exactly.

    A      m rows of n rationals, of any rank
    basis  m columns to start from: used if they are independent and give a feasible vertex, ignored otherwise
    Bland's smallest-index rule (Bland 1977) guarantees termination.
    """
    tableau = _started_at(A, b, basis) if basis is not None else None
    if tableau is None:
        tableau = _Tableau(A, b)
        tableau.descend([fmpq(0)] * tableau.n + [fmpq(1)] * tableau.m, tableau.n)
        if tableau.artificial_mass() > 0:
            return NoPoint(tableau.multipliers([fmpq(0)] * tableau.n + [fmpq(1)] * tableau.m))
        tableau.expel_artificials()
    costs = list(c) + [fmpq(0)] * tableau.m
    entering = tableau.descend(costs, tableau.n)
    if entering is not None:
        return NoBound(tableau.point(), tableau.ray(entering))
    return Vertex(tableau.point(), tableau.multipliers(costs))


class _Tableau:
    """Rows of B^-1 [A D | b], D diagonal with signs that make b nonnegative: the artificial columns carry B^-1."""

    def __init__(self, A: Sequence[Rationals], b: Rationals) -> None:
        self.m, self.n = len(A), len(A[0]) if A else 0
        self.sign = [fmpq(-1) if value < 0 else fmpq(1) for value in b]
        self.rows = [
            [s * a for a in row] + [fmpq(int(i == j)) for j in range(self.m)]
            for i, (s, row) in enumerate(zip(self.sign, A, strict=True))
        ]
        self.rhs = [s * value for s, value in zip(self.sign, b, strict=True)]
        self.basis = list(range(self.n, self.n + self.m))

    def descend(self, costs: Rationals, columns: int) -> int | None:
        """Pivot by Bland's rule among the first `columns` until optimal; a column returned is one without a bound."""
        while True:
            y = self._weights(costs)
            entering = next((j for j in range(columns) if costs[j] < self._dot(y, j)), None)
            if entering is None:
                return None
            leaving, best = -1, fmpq(0)
            for i in range(len(self.rows)):
                step = self.rows[i][entering]
                if step > 0:
                    ratio = self.rhs[i] / step
                    if leaving < 0 or ratio < best or (ratio == best and self.basis[i] < self.basis[leaving]):
                        leaving, best = i, ratio
            if leaving < 0:
                return entering
            self.pivot(leaving, entering)

    def pivot(self, i: int, j: int) -> None:
        scale = self.rows[i][j]
        pivot_row = [value / scale if value else value for value in self.rows[i]]
        self.rows[i] = pivot_row
        self.rhs[i] /= scale
        support = [k for k, value in enumerate(pivot_row) if value]
        for other in range(len(self.rows)):
            factor = self.rows[other][j]
            if other != i and factor:
                row = self.rows[other]
                for k in support:
                    row[k] -= factor * pivot_row[k]
                self.rhs[other] -= factor * self.rhs[i]
        self.basis[i] = j

    def artificial_mass(self) -> fmpq:
        return sum((r for r, j in zip(self.rhs, self.basis, strict=True) if j >= self.n), fmpq(0))

    def expel_artificials(self) -> None:
        """Remove the artificial variables from the basis, and from the tableau the (dependent) rows without others."""
        for i in reversed(range(len(self.rows))):
            if self.basis[i] >= self.n:
                j = next((j for j in range(self.n) if self.rows[i][j] != 0), None)
                if j is None:
                    del self.rows[i], self.rhs[i], self.basis[i]
                else:
                    self.pivot(i, j)

    def point(self) -> list[fmpq]:
        z = [fmpq(0)] * self.n
        for value, j in zip(self.rhs, self.basis, strict=True):
            if j < self.n:
                z[j] = value
        return z

    def ray(self, entering: int) -> list[fmpq]:
        r = [fmpq(0)] * self.n
        r[entering] = fmpq(1)
        for row, j in zip(self.rows, self.basis, strict=True):
            if j < self.n:
                r[j] = -row[entering]
        return r

    def multipliers(self, costs: Rationals) -> list[fmpq]:
        """y = c_B B^-1: read off the artificial columns of the tableau, with their signs undone."""
        y = self._weights(costs)
        return [self.sign[i] * self._dot(y, self.n + i) for i in range(self.m)]

    def _weights(self, costs: Rationals) -> list[tuple[int, fmpq]]:
        return [(i, costs[j]) for i, j in enumerate(self.basis) if costs[j] != 0]

    def _dot(self, weights: list[tuple[int, fmpq]], j: int) -> fmpq:
        return sum((weight * self.rows[i][j] for i, weight in weights), fmpq(0))


def _started_at(A: Sequence[Rationals], b: Rationals, basis: Sequence[int]) -> _Tableau | None:
    """The tableau of a feasible basis, or None if the columns are dependent or the vertex is not feasible."""
    tableau = _Tableau(A, b)
    m = tableau.m
    if len(basis) != m or m == 0:
        return None
    B = fmpq_mat(m, m, [tableau.rows[i][j] for i in range(m) for j in basis])
    width = tableau.n + m
    try:
        solved = B.solve(
            fmpq_mat(m, width + 1, [v for row, r in zip(tableau.rows, tableau.rhs, strict=True) for v in [*row, r]])
        )
    except ZeroDivisionError:
        return None
    entries = solved.tolist()
    if any(row[width] < 0 for row in entries):
        return None
    tableau.rows = [list(row[:width]) for row in entries]
    tableau.rhs = [row[width] for row in entries]
    tableau.basis = list(basis)
    return tableau
