"""The two-phase simplex method in rationals: never cycles, never rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

Rationals = Sequence[fmpq]
"""A sequence of flint's `fmpq`."""

ZERO, ONE = fmpq(0), fmpq(1)


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
    Dantzig's rule; while the value stands still for more than m steps Bland's smallest-index rule (Bland 1977), which
    guarantees termination. Cost: a product of a column and a row of m + 1 and n + m + 1 rationals a step.
    """
    tableau = _started_at(A, b, basis) if basis is not None else None
    if tableau is None:
        tableau = _Tableau(A, b)
        artificial = [ZERO] * tableau.n + [ONE] * tableau.m
        tableau.price(artificial)
        tableau.descend()
        if tableau.value() > 0:
            return NoPoint(tableau.multipliers(artificial))
        tableau.expel_artificials()
    costs = [*c, *[ZERO] * tableau.m]
    tableau.price(costs)
    entering = tableau.descend()
    if entering is not None:
        return NoBound(tableau.point(), tableau.ray(entering))
    return Vertex(tableau.point(), tableau.multipliers(costs))


class _Tableau:
    """Rows of B^-1 [A D | b], D diagonal with signs that make b nonnegative: the artificial columns carry B^-1.

    The last row holds the reduced costs, and minus the value at its end.
    """

    def __init__(self, A: Sequence[Rationals], b: Rationals) -> None:
        self.m, self.n = len(A), len(A[0]) if A else 0
        self.width = self.n + self.m + 1
        self.sign = [-1 if value < 0 else 1 for value in b]
        entries: list[fmpq] = []
        for i, (sign, row, value) in enumerate(zip(self.sign, A, b, strict=True)):
            entries += row if sign > 0 else [-a for a in row]
            entries += [ONE if i == j else ZERO for j in range(self.m)]
            entries.append(sign * value)
        self.table = fmpq_mat(self.m + 1, self.width, entries + [ZERO] * self.width)
        self.basis = list(range(self.n, self.n + self.m))

    def price(self, costs: Rationals) -> None:
        """The last row for these costs of the n + m columns."""
        body = self.table.entries()[: self.m * self.width]
        weights = fmpq_mat(1, self.m, [costs[j] for j in self.basis])
        priced = (weights * fmpq_mat(self.m, self.width, body)).entries()
        reduced = [cost - price for cost, price in zip([*costs, ZERO], priced, strict=True)]
        self.table = fmpq_mat(self.m + 1, self.width, body + reduced)

    def descend(self) -> int | None:
        """Pivot into the first n columns until optimal; a column returned is one without a bound."""
        still = 0
        while True:
            reduced = [self.table[self.m, j] for j in range(self.n)]
            if still <= self.m:
                entering = min(range(self.n), key=reduced.__getitem__, default=None)
            else:
                entering = next((j for j, cost in enumerate(reduced) if cost < 0), None)
            if entering is None or reduced[entering] >= 0:
                return None
            leaving, best = None, ZERO
            for i in range(self.m):
                rise = self.table[i, entering]
                if rise > 0:
                    step = self.table[i, self.width - 1] / rise
                    if leaving is None or step < best or (step == best and self.basis[i] < self.basis[leaving]):
                        leaving, best = i, step
            if leaving is None:
                return entering
            still = 0 if best > 0 else still + 1
            self.pivot(leaving, entering)

    def pivot(self, i: int, j: int) -> None:
        """Row i is divided by its entry in column j, and taken off the other rows so often that theirs vanish."""
        scale = self.table[i, j]
        factors = [self.table[k, j] / scale for k in range(self.m + 1)]
        factors[i] = 1 - 1 / scale
        row = fmpq_mat(1, self.width, [self.table[i, k] for k in range(self.width)])
        self.table = self.table - fmpq_mat(self.m + 1, 1, factors) * row
        self.basis[i] = j

    def value(self) -> fmpq:
        return -self.table[self.m, self.width - 1]

    def expel_artificials(self) -> None:
        """Take the artificial variables out of the basis; one whose row holds no other stays, and stays zero."""
        for i in range(self.m):
            if self.basis[i] >= self.n:
                j = next((j for j in range(self.n) if self.table[i, j] != 0), None)
                if j is not None:
                    self.pivot(i, j)

    def point(self) -> list[fmpq]:
        z = [ZERO] * self.n
        for i, j in enumerate(self.basis):
            if j < self.n:
                z[j] = self.table[i, self.width - 1]
        return z

    def ray(self, entering: int) -> list[fmpq]:
        r = [ZERO] * self.n
        r[entering] = ONE
        for i, j in enumerate(self.basis):
            if j < self.n:
                r[j] = -self.table[i, entering]
        return r

    def multipliers(self, costs: Rationals) -> list[fmpq]:
        """y = c_B B^-1: read off the reduced costs of the artificial columns, with their signs undone."""
        return [sign * (costs[self.n + i] - self.table[self.m, self.n + i]) for i, sign in enumerate(self.sign)]


def _started_at(A: Sequence[Rationals], b: Rationals, basis: Sequence[int]) -> _Tableau | None:
    """The tableau of a feasible basis, or None if the columns are dependent or the vertex is not feasible."""
    tableau = _Tableau(A, b)
    m, width = tableau.m, tableau.width
    if len(basis) != m or m == 0:
        return None
    body = tableau.table.entries()[: m * width]
    B = fmpq_mat(m, m, [body[i * width + j] for i in range(m) for j in basis])
    try:
        solved = B.solve(fmpq_mat(m, width, body)).entries()
    except ZeroDivisionError:
        return None
    if any(solved[i * width + width - 1] < 0 for i in range(m)):
        return None
    tableau.table = fmpq_mat(m + 1, width, solved + [ZERO] * width)
    tableau.basis = list(basis)
    return tableau
