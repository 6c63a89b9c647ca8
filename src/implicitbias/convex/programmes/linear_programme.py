"""Linear programmes solved exactly in rationals: an optimum, or a proof that none exists.

An independent oracle for closed forms: it shares nothing with them but arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat, nmod_mat

from implicitbias.convex.programmes.exact_simplex import NoBound, NoPoint, Vertex, simplex

Rational = int | Fraction
Matrix = Sequence[Sequence[Rational]]

PRIME = 2**61 - 1
"""Independent columns are guessed modulo this prime; a wrong guess costs time, never truth."""
SMALL = 500
"""Entries of the tableau up to which the simplex method in rationals takes less time than a guess."""
SUPPORT = 1e-9
"""HiGHS's tolerance for zero; it only orders the columns of the guess, so its value does not affect the answer."""


@dataclass(frozen=True)
class Optimum:
    """A primal and a dual solution of equal value, verified in rationals.

    value    c·x = b_eq·dual_eq + b_ub·dual_ub
    primal   x: A_eq x = b_eq, A_ub x <= b_ub, x_j >= 0 unless free
    dual_eq, dual_ub   dual_ub <= 0 and c - A_eq'dual_eq - A_ub'dual_ub >= 0, with = 0 where x_j is free
    """

    value: Fraction
    primal: tuple[Fraction, ...]
    dual_eq: tuple[Fraction, ...]
    dual_ub: tuple[Fraction, ...]


@dataclass(frozen=True)
class Infeasible:
    """No x satisfies the constraints: farkas_ub <= 0, A_eq'farkas_eq + A_ub'farkas_ub <= 0 (= 0 where x_j is free), and
    b_eq·farkas_eq + b_ub·farkas_ub > 0, verified in rationals."""

    farkas_eq: tuple[Fraction, ...]
    farkas_ub: tuple[Fraction, ...]


@dataclass(frozen=True)
class Unbounded:
    """No lower bound: `primal` is feasible, and c·ray < 0, A_eq ray = 0, A_ub ray <= 0, ray_j >= 0 unless free."""

    primal: tuple[Fraction, ...]
    ray: tuple[Fraction, ...]


def minimise(
    c: Sequence[Rational],
    A_eq: Matrix = (),
    b_eq: Sequence[Rational] = (),
    A_ub: Matrix = (),
    b_ub: Sequence[Rational] = (),
    free: bool | Sequence[bool] = False,
) -> Optimum | Infeasible | Unbounded:
    """min c·x subject to A_eq x = b_eq, A_ub x <= b_ub, and x_j >= 0 where x_j is not free.

    `free` is one flag for all variables, or one for each. Numbers are int or Fraction (a float is the dyadic it is).
    HiGHS in floating point guesses the basis; the basis is solved in rationals, and feasibility, signs and gap are
    verified exactly. If the guess fails, or the programme is smaller than a guess is worth, the simplex method in
    rationals takes over.

    Cost: about the exact solution of two linear systems with as many unknowns as constraints.

    >>> optimum = minimise([1, 1], A_eq=[[1, -1]], b_eq=[Fraction(1, 3)])
    >>> optimum.value, optimum.primal, optimum.dual_eq
    (Fraction(1, 3), (Fraction(1, 3), Fraction(0, 1)), (Fraction(1, 1),))
    >>> minimise([1], A_eq=[[2]], b_eq=[-1]).farkas_eq
    (Fraction(-1, 1),)
    """
    programme = _Programme(c, A_eq, b_eq, A_ub, b_ub, free)
    found = _solve(programme)
    if isinstance(found, Vertex):
        outcome: Optimum | Infeasible | Unbounded = Optimum(
            _fraction(_dot(programme.c, found.z)), programme.primal(found.z), *programme.dual(found.y)
        )
    elif isinstance(found, NoPoint):
        outcome = Infeasible(*programme.dual(found.y))
    else:
        outcome = Unbounded(programme.primal(found.z), programme.primal(found.r))
    if not verified(outcome, c, A_eq, b_eq, A_ub, b_ub, free):
        raise AssertionError(f"the exact simplex method returned {outcome}, which does not verify: this is a bug")
    return outcome


def optimum(
    c: Sequence[Rational],
    A_eq: Matrix = (),
    b_eq: Sequence[Rational] = (),
    A_ub: Matrix = (),
    b_ub: Sequence[Rational] = (),
    free: bool | Sequence[bool] = False,
) -> Optimum:
    """`minimise` where an optimum must exist. Raises ArithmeticError with the proof if there is none."""
    outcome = minimise(c, A_eq, b_eq, A_ub, b_ub, free)
    if not isinstance(outcome, Optimum):
        raise ArithmeticError(f"the linear programme has no optimum: {outcome}")
    return outcome


def verified(
    outcome: Optimum | Infeasible | Unbounded,
    c: Sequence[Rational],
    A_eq: Matrix = (),
    b_eq: Sequence[Rational] = (),
    A_ub: Matrix = (),
    b_ub: Sequence[Rational] = (),
    free: bool | Sequence[bool] = False,
) -> bool:
    """Whether the outcome is what it says, by its definition alone, in rationals."""
    n = len(c)
    frees = _frees(free, n)
    costs, eq, ub = _row(c), [_row(r) for r in A_eq], [_row(r) for r in A_ub]
    beq, bub = _row(b_eq), _row(b_ub)

    def feasible(x: Sequence[Rational], scale: int) -> bool:
        point = _row(x)
        return (
            all(a == scale * b for a, b in zip(_times(eq, point), beq, strict=True))
            and all(a <= scale * b for a, b in zip(_times(ub, point), bub, strict=True))
            and all(f or v >= 0 for f, v in zip(frees, point, strict=True))
        )

    def dual_feasible(y_eq: Sequence[Rational], y_ub: Sequence[Rational], cost: Sequence[fmpq]) -> bool:
        if any(v > 0 for v in y_ub):
            return False
        priced = _transposed_times(eq + ub, _row([*y_eq, *y_ub]), n)
        slack = [a - b for a, b in zip(cost, priced, strict=True)]
        return all(s == 0 if f else s >= 0 for f, s in zip(frees, slack, strict=True))

    if isinstance(outcome, Optimum):
        value = fmpq(outcome.value.numerator, outcome.value.denominator)
        return (
            feasible(outcome.primal, 1)
            and dual_feasible(outcome.dual_eq, outcome.dual_ub, costs)
            and _dot(costs, _row(outcome.primal)) == value
            and _dot(beq, _row(outcome.dual_eq)) + _dot(bub, _row(outcome.dual_ub)) == value
        )
    if isinstance(outcome, Infeasible):
        return dual_feasible(outcome.farkas_eq, outcome.farkas_ub, [fmpq(0)] * n) and (
            _dot(beq, _row(outcome.farkas_eq)) + _dot(bub, _row(outcome.farkas_ub)) > 0
        )
    return feasible(outcome.primal, 1) and feasible(outcome.ray, 0) and bool(_dot(costs, _row(outcome.ray)) < 0)


class _Programme:
    """The standard form min c'z, A z = b, z >= 0: free variables are differences of two, inequalities get slacks."""

    def __init__(
        self,
        c: Sequence[Rational],
        A_eq: Matrix,
        b_eq: Sequence[Rational],
        A_ub: Matrix,
        b_ub: Sequence[Rational],
        free: bool | Sequence[bool],
    ) -> None:
        n = len(c)
        for name, A, b in (("A_eq", A_eq, b_eq), ("A_ub", A_ub, b_ub)):
            if len(A) != len(b) or any(len(row) != n for row in A):
                raise ValueError(
                    f"{name} needs {len(b)} rows (one per entry of b) of {n} entries (one per entry of c): "
                    f"got {len(A)} rows of lengths {sorted({len(row) for row in A})}"
                )
        self.frees = _frees(free, n)
        self.n, self.m_eq, self.m_ub = n, len(b_eq), len(b_ub)
        negated = [j for j in range(n) if self.frees[j]]
        zeros = [fmpq(0)] * self.m_ub
        self.c = _row(c)
        self.c += [-self.c[j] for j in negated] + zeros
        self.A = []
        for i, row in enumerate([*A_eq, *A_ub]):
            entries = _row(row)
            slack = list(zeros)
            if i >= self.m_eq:
                slack[i - self.m_eq] = fmpq(1)
            self.A.append(entries + [-entries[j] for j in negated] + slack)
        self.b = _row([*b_eq, *b_ub])

    def primal(self, z: Sequence[fmpq]) -> tuple[Fraction, ...]:
        x = list(z[: self.n])
        for k, j in enumerate(j for j in range(self.n) if self.frees[j]):
            x[j] -= z[self.n + k]
        return tuple(map(_fraction, x))

    def dual(self, y: Sequence[fmpq]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        return tuple(map(_fraction, y[: self.m_eq])), tuple(map(_fraction, y[self.m_eq :]))


def _solve(programme: _Programme) -> Vertex | NoPoint | NoBound:
    A, b, c = programme.A, programme.b, programme.c
    if not A:
        falling = next((j for j, cost in enumerate(c) if cost < 0), None)
        origin = [fmpq(0)] * len(c)
        return Vertex(origin, []) if falling is None else NoBound(origin, _unit(falling, len(c)))
    if len(A) * (len(A) + len(c)) <= SMALL:
        return simplex(A, b, c)
    guess = _guess(A, b, c)
    if isinstance(guess, Vertex):
        return guess
    if guess is None:
        return simplex(A, b, c)
    rows, columns = guess
    found = simplex([A[i] for i in rows], [b[i] for i in rows], c, basis=columns)
    if isinstance(found, Vertex) and _times(A, found.z) == b:
        y = [fmpq(0)] * len(b)
        for i, value in zip(rows, found.y, strict=True):
            y[i] = value
        return Vertex(found.z, y)
    return simplex(A, b, c)


def _guess(A: list[list[fmpq]], b: list[fmpq], c: list[fmpq]) -> Vertex | tuple[list[int], list[int]] | None:
    """An exact optimal vertex if HiGHS has found the right basis; else rows and columns of a basis; else None."""
    import numpy as np
    from scipy.optimize import linprog

    try:
        table = np.zeros((len(A), len(c)))
        for row, values in zip(table, A, strict=True):
            for j, v in enumerate(values):
                if v:
                    row[j] = _float(v)
        floats_b, floats_c = np.array([_float(v) for v in b]), np.array([_float(v) for v in c])
        answer = linprog(floats_c, A_eq=table, b_eq=floats_b, bounds=(0, None), method="highs-ds")
    except (OverflowError, ValueError):
        return None
    if answer.status != 0 or answer.x is None:
        return None
    reduced = floats_c - table.T @ np.asarray(answer.eqlin.marginals)
    support = np.asarray(answer.x) > SUPPORT
    order = [int(j) for j in np.lexsort((np.where(support, 0.0, np.abs(reduced)), ~support))]
    residues = [[_residue(v) for v in row] for row in A]
    columns = [order[j] for j in _pivots([[row[j] for j in order] for row in residues])]
    rows = _pivots([[row[j] for row in residues] for j in columns])
    m = len(columns)
    if len(rows) != m:
        return None
    entries = [A[i][j] for i in rows for j in columns]
    B, transposed = fmpq_mat(m, m, entries), fmpq_mat(m, m, entries).transpose()
    try:
        z_basic = B.solve(fmpq_mat(m, 1, [b[i] for i in rows]))
        y_basic = transposed.solve(fmpq_mat(m, 1, [c[j] for j in columns]))
    except ZeroDivisionError:
        return None
    z, y = [fmpq(0)] * len(c), [fmpq(0)] * len(b)
    for k in range(m):
        z[columns[k]], y[rows[k]] = z_basic[k, 0], y_basic[k, 0]
    if any(v < 0 for v in z_basic.entries()) or _times(A, z) != b:
        return None
    priced = _transposed_times(A, y, len(c))
    return Vertex(z, y) if all(p <= cost for p, cost in zip(priced, c, strict=True)) else (rows, columns)


def _pivots(residues: list[list[int]]) -> list[int]:
    """The first columns that are independent modulo the prime (so also in the rationals)."""
    if not residues or not residues[0]:
        return []
    reduced, rank = nmod_mat(len(residues), len(residues[0]), [v for row in residues for v in row], PRIME).rref()
    pivots, j = [], 0
    for i in range(rank):
        while int(reduced[i, j]) == 0:
            j += 1
        pivots.append(j)
    return pivots


def _residue(value: fmpq) -> int:
    if not value:
        return 0
    return int(value.p) * pow(int(value.q), -1, PRIME) % PRIME if int(value.q) % PRIME else 0


def _frees(free: bool | Sequence[bool], n: int) -> list[bool]:
    if isinstance(free, bool):
        return [free] * n
    if len(free) != n:
        raise ValueError(f"free must be one flag, or one for each of the {n} variables: got {len(free)}")
    return list(free)


def _row(values: Sequence[Rational]) -> list[fmpq]:
    return [fmpq(v) if isinstance(v, int) else fmpq(v.numerator, v.denominator) for v in values]


def _unit(j: int, n: int) -> list[fmpq]:
    return [fmpq(int(i == j)) for i in range(n)]


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _float(value: fmpq) -> float:
    return int(value.p) / int(value.q)


def _dot(a: Sequence[fmpq], b: Sequence[fmpq]) -> fmpq:
    return sum((p * q for p, q in zip(a, b, strict=True) if p and q), fmpq(0))


def _times(A: Sequence[Sequence[fmpq]], z: Sequence[fmpq]) -> list[fmpq]:
    support = [(j, v) for j, v in enumerate(z) if v]
    return [sum((row[j] * v for j, v in support if row[j]), fmpq(0)) for row in A]


def _transposed_times(A: Sequence[Sequence[fmpq]], y: Sequence[fmpq], n: int) -> list[fmpq]:
    total = [fmpq(0)] * n
    for row, weight in zip(A, y, strict=True):
        if weight:
            for j, entry in enumerate(row):
                if entry:
                    total[j] += weight * entry
    return total
