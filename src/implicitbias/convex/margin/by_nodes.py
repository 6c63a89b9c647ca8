"""The system of a step of `margin.refined` in balls, point by point: its cost grows with m, not with m³.

Sought are Δβ with ratio_il Δβ_il + (f_own - f_l)(x_i) = r_il, where f = Σ_u φ_u M_u g_u, M_u = η_u (1 + 2 p_u p_u'),
and g_u = Σ_i a_i φ_u(x_i), a_i = Σ_l Δβ_il (e_own - e_l). Scores matter up to a constant, so vectors have the k - 1
coordinates l < k - 1, in the basis e_l - e_(k-1). Given f, each point has a_i = c_i - K_i f_i. As functions of the kink
the g of right ramps and the g⁻ of left ones differ by the affine D with D(A) = η = g(A), -D(B) = λ = g⁻(B)
(`convex.ramps.interpolant`), so that second differences on both sides give, at every inner point and at the ends,

  Δ²f_i = M⁺_i g_i + M⁻_i (g_i - D_i),   Δ²g_i + K_i f_i = c_i,   g_m = 0,   g_1 = D(x_1),

block tridiagonal in (f_i, g_i) and quasi-definite, hence solved without pivots; it depends on (η, λ) linearly, and what
f must be at x_1 and x_m gives these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.margin.bounds import Grid

Numbers = NDArray[Any]
Matrix = flint.arb_mat


@dataclass(frozen=True)
class _Node:
    """Point i: f_i is sought, and at inner points g_i. K, M⁺, M⁻ (k-1, k-1); c (k-1, 1)."""

    K: Matrix
    c: Matrix
    plus: Matrix | None = None
    minus: Matrix | None = None


class Line:
    """Where the points lie, as shares of the range of kinks: distances are in units of B - A."""

    def __init__(self, grid: Grid, labels: Sequence[int], k: int, copies: int) -> None:
        whole = grid.high - grid.low
        self.length = flint.arb(whole) / grid.scale
        self.before = [flint.arb(x - grid.low) / whole for x in grid.points]
        self.after = [flint.arb(grid.high - x) / whole for x in grid.points]
        self.inverse = [flint.arb(whole) / (b - a) for a, b in pairwise(grid.points)]
        self.labels, self.k, self.copies = labels, k, copies

    def solver(self, p: Numbers, eta: Numbers, ratio: Numbers) -> Callable[[Numbers], tuple[Numbers, Numbers]]:
        """residual -> (Δβ, 2η p·g). p (2(m-1), k), eta (2(m-1),), ratio (m(k-1),) as in `refined`; p over the roots."""
        m, n = len(self.labels), self.k - 1
        shifted = p[:, :n] - p[:, n:]
        metric = _diagonal(n) + Matrix(n, n, [flint.arb(1) / self.copies] * (n * n))
        scale = self.length * self.length  # of two ramps
        weights = [_weight(metric, row, by * scale) for row, by in zip(shifted.tolist(), eta.tolist(), strict=True)]
        right, left = weights[: m - 1], weights[m - 1 :]  # at A, x_2, …, x_(m-1); at x_2, …, x_(m-1), B
        omega = [[1 / v for v in row] for row in ratio.reshape(m, n).tolist()]

        def solve(residual: Numbers) -> tuple[Numbers, Numbers]:
            wanted = residual.reshape(m, n).tolist()
            nodes = []
            for i, (own, inverse, short) in enumerate(zip(self.labels, omega, wanted, strict=True)):
                inner = (right[i], left[i - 1]) if 0 < i < m - 1 else ()
                nodes.append(_Node(*_point(own, self.k, inverse, short), *inner))
            f, g, eta_, lam = self._solved(nodes, right[0], left[-1])
            beta = [
                w * (r - d)
                for own, inverse, short, at in zip(self.labels, omega, wanted, f, strict=True)
                for w, r, d in zip(inverse, short, _leads(own, self.k, at), strict=True)
            ]
            kinks = [eta_, *g[1:-1], *(a - self._affine(i, eta_, lam) for i, a in enumerate(g) if 0 < i < m - 1), lam]
            along = [
                2 * by * self.length * sum((a * b for a, b in zip(row, at.entries(), strict=True)), flint.arb(0))
                for row, by, at in zip(shifted.tolist(), eta.tolist(), kinks, strict=True)
            ]
            return np.array([v.mid() for v in beta], dtype=object), np.array([v.mid() for v in along], dtype=object)

        return solve

    def _affine(self, i: int, eta: Matrix, lam: Matrix) -> Matrix:
        """D(x_i)."""
        return eta * self.after[i] - lam * self.before[i]

    def _affine_by_ends(self, i: int) -> Matrix:
        """D(x_i) as (k-1, 2k-1): by columns, a constant, η and λ."""
        n = self.k - 1
        return _row(Matrix(n, 1), _diagonal(n, self.after[i]), _diagonal(n, -self.before[i]))

    def _solved(
        self, nodes: Sequence[_Node], first: Matrix, last: Matrix
    ) -> tuple[list[Matrix], list[Matrix], Matrix, Matrix]:
        """f and g at the points, (k-1, 1) each, η and λ. first, last: M at A and at B."""
        n, m = self.k - 1, len(nodes)
        f, g = self._eliminated(nodes)
        at_first = f[0] - _row(Matrix(n, 1), first * self.before[0], last * self.after[0])
        at_last = f[-1] - _row(Matrix(n, 1), first * self.before[-1], last * self.after[-1])
        for i in range(1, m - 1):
            node = nodes[i]
            assert node.plus is not None
            assert node.minus is not None
            at_first -= node.minus * (g[i] - self._affine_by_ends(i)) * (self.before[i] - self.before[0])
            at_last -= node.plus * g[i] * (self.after[i] - self.after[-1])
        system = _stacked(at_first, at_last)
        known, unknown = _columns(system, 0, 1), _columns(system, 1, 2 * n + 1)
        ends = unknown.solve(-known, algorithm="approx")
        both = _stacked(_diagonal(1), ends)
        return [at * both for at in f], [at * both for at in g], _rows(ends, 0, n), _rows(ends, n, 2 * n)

    def _eliminated(self, nodes: Sequence[_Node]) -> tuple[list[Matrix], list[Matrix]]:
        """f and g at the points, (k-1, 2k-1) each: by columns, a constant, η and λ."""
        n, m, h = self.k - 1, len(nodes), self.inverse
        start = self._affine_by_ends(0)
        slope = _row(Matrix(n, 1), _diagonal(n, -1), _diagonal(n, -1))
        blocks, sides = [], []
        for i, node in enumerate(nodes):
            side = _row(node.c, Matrix(n, n), Matrix(n, n))
            if i == 0:
                side += start * h[0] + slope
            if i == 1:
                side -= start * h[0]
            if node.plus is None or node.minus is None:
                blocks.append(node.K)
                sides.append(side)
                continue
            middle = _diagonal(n, -(h[i - 1] + h[i]))
            blocks.append(_stacked(_row(node.K, middle), _row(middle, -(node.plus + node.minus))))
            sides.append(_stacked(side, -(node.minus * self._affine_by_ends(i))))
        inverses: list[Matrix] = []
        for i in range(m):
            if i and m > 2:
                to, by = self._coupling(i - 1, m), inverses[-1]
                blocks[i] -= to.transpose() * by * to
                sides[i] -= to.transpose() * by * sides[i - 1]
            inverses.append(blocks[i].solve(_diagonal(blocks[i].nrows()), algorithm="approx"))
        found = [inverses[-1] * sides[-1]]
        for i in range(m - 2, -1, -1):
            side = sides[i] - self._coupling(i, m) * found[-1] if m > 2 else sides[i]
            found.append(inverses[i] * side)
        found.reverse()
        f = [_rows(at, 0, n) for at in found]
        g = [start, *(_rows(at, n, 2 * n) for at in found[1:-1]), Matrix(n, 2 * n + 1)]
        return f, g

    def _coupling(self, i: int, m: int) -> Matrix:
        """Of the equations at point i with what is sought at point i + 1: f with g, both over the gap."""
        one, none = _diagonal(self.k - 1, self.inverse[i]), Matrix(self.k - 1, self.k - 1)
        if i == 0:
            return _row(none, one)
        if i == m - 2:
            return _stacked(none, one)
        return _stacked(_row(none, one), _row(one, none))


def _weight(metric: Matrix, p: Sequence[Any], eta: Any) -> Matrix:
    """M in the basis: η (Q'Q + 2 Q'p p'Q)."""
    column = Matrix(len(p), 1, list(p))
    found: Matrix = (metric + column * column.transpose() * 2) * eta
    return found


def _point(own: int, k: int, inverse: Sequence[Any], residual: Sequence[Any]) -> tuple[Matrix, Matrix]:
    """K and c at a point: a = c - K f."""
    rivals = [rival for rival in range(k) if rival != own]
    whole = [[flint.arb(0)] * k for _ in range(k)]
    side = [flint.arb(0)] * k
    for rival, w, r in zip(rivals, inverse, residual, strict=True):
        whole[own][own] += w
        whole[rival][rival] += w
        whole[own][rival] -= w
        whole[rival][own] -= w
        side[own] += w * r
        side[rival] -= w * r
    n = k - 1
    return Matrix(n, n, [v for row in whole[:n] for v in row[:n]]), Matrix(n, 1, side[:n])


def _leads(own: int, k: int, f: Matrix) -> list[Any]:
    """f_own - f_rival for all rivals, in coordinates of which the last is 0."""
    scores = [*f.entries(), flint.arb(0)]
    return [scores[own] - scores[rival] for rival in range(k) if rival != own]


def _diagonal(n: int, entry: Any = 1) -> Matrix:
    found = Matrix(n, n)
    for i in range(n):
        found[i, i] = entry
    return found


def _row(*parts: Matrix) -> Matrix:
    """Side by side."""
    tables = [part.tolist() for part in parts]
    return Matrix([[v for table in tables for v in table[i]] for i in range(len(tables[0]))])


def _stacked(*parts: Matrix) -> Matrix:
    return Matrix([row for part in parts for row in part.tolist()])


def _rows(table: Matrix, begin: int, end: int) -> Matrix:
    return Matrix(table.tolist()[begin:end])


def _columns(table: Matrix, begin: int, end: int) -> Matrix:
    return Matrix([row[begin:end] for row in table.tolist()])
