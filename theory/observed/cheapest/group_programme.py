"""Problem (11) for norms with polyhedral balls (l1, l∞) as exact linear programmes, primal and dual stated separately.

primal  min Σ_u Ω(w_u)  subject to A_i f(x_i) >= b_i,  f = Σ w_u φ_u, w_u in R^k
dual    max Σ_i b_i·β_i  subject to Ω_*(Σ_i A_iᵀβ_i φ_u(x_i)) <= 1 at the given kinks,  β >= 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .ramp_programme import Feature, Rational, feature

PolyhedralNorm = Literal["l1", "linf"]
KINDS: tuple[PolyhedralNorm, ...] = ("l1", "linf")
DUAL: dict[PolyhedralNorm, PolyhedralNorm] = {"l1": "linf", "linf": "l1"}


@dataclass(frozen=True)
class Halfspace:
    """The constraint normal·f(x_i) >= bound, where i is `position`."""

    position: int
    normal: tuple[Rational, ...]
    bound: Rational


def margins(labels: Sequence[int], k: int, positions: Sequence[int] | None = None) -> list[Halfspace]:
    """f_{y_i}(x_i) - f_l(x_i) >= 1 for l != y_i (problem (10)), at `positions`, by default at all data."""
    kept = range(len(labels)) if positions is None else positions
    return [
        Halfspace(i, tuple(int(j == labels[i]) - int(j == rival) for j in range(k)), 1)
        for i in kept
        for rival in range(k)
        if rival != labels[i]
    ]


def norm(v: Sequence[Fraction], kind: PolyhedralNorm) -> Fraction:
    """Ω(v)."""
    return sum(map(abs, v), Fraction(0)) if kind == "l1" else max(map(abs, v))


@dataclass(frozen=True)
class GroupOptimum:
    """The optimal value Σ Ω(w_u) and the nonzero weights w_u."""

    value: Fraction
    weights: dict[Feature, tuple[Fraction, ...]]

    def at(self, x: Rational) -> tuple[Fraction, ...]:
        k = len(next(iter(self.weights.values())))
        return tuple(sum((w[j] * feature(u, x) for u, w in self.weights.items()), Fraction(0)) for j in range(k))


def cheapest_group(
    x: Sequence[Rational], constraints: Sequence[Halfspace], kinks: Sequence[Rational], kind: PolyhedralNorm
) -> GroupOptimum:
    """Solve the primal with features in {±1} x kinks. Raises ArithmeticError if it is infeasible."""
    from implicitbias.convex.programmes.linear_programme import optimum

    k = len(constraints[0].normal)
    units = [(s, Fraction(c)) for c in sorted(set(map(Fraction, kinks))) for s in (1, -1)]
    units = [u for u in units if any(feature(u, at) for at in x)]
    m = len(units)
    rows = [[feature(u, x[h.position]) * a for u in units for a in h.normal] for h in constraints]
    bounds = [-h.bound for h in constraints]
    if kind == "l1":
        negative = [[-v for v in row] + row for row in rows]
        found = optimum([1] * (2 * m * k), A_ub=negative, b_ub=bounds)
        flat = [found.primal[j] - found.primal[m * k + j] for j in range(m * k)]
    else:  # w = v - t with 0 <= v <= 2t, where t = Ω(w) at an optimum
        lifted = [[-v for v in row] + [sum(row[j * k : (j + 1) * k], Fraction(0)) for j in range(m)] for row in rows]
        caps = [[int(i == j) for j in range(m * k)] + [-2 * int(i // k == j) for j in range(m)] for i in range(m * k)]
        found = optimum([0] * (m * k) + [1] * m, A_ub=[*lifted, *caps], b_ub=[*bounds, *[0] * (m * k)])
        flat = [found.primal[i] - found.primal[m * k + i // k] for i in range(m * k)]
    weights = {u: tuple(flat[j * k : (j + 1) * k]) for j, u in enumerate(units)}
    return GroupOptimum(found.value, {u: w for u, w in weights.items() if any(w)})


@dataclass(frozen=True)
class GroupDual:
    """The optimal value Σ b_i·β_i and the vectors α_i = A_iᵀβ_i."""

    value: Fraction
    alpha: tuple[tuple[Fraction, ...], ...]


def best_dual(
    x: Sequence[Rational],
    constraints: Sequence[Halfspace],
    kinks: Sequence[Rational],
    kind: PolyhedralNorm,
    gain: Sequence[Rational] | None = None,
) -> GroupDual:
    """Solve the dual; `kind` is the norm Ω_* that bounds the prices. `gain` replaces b in the objective."""
    from implicitbias.convex.programmes.linear_programme import optimum

    k, n = len(constraints[0].normal), len(constraints)
    earned = [h.bound for h in constraints] if gain is None else list(gain)
    units = [(s, Fraction(c)) for c in sorted(set(map(Fraction, kinks))) for s in (1, -1)]
    units = [u for u in units if any(feature(u, at) for at in x)]
    prices = [[[feature(u, x[h.position]) * h.normal[j] for h in constraints] for j in range(k)] for u in units]
    A: list[Sequence[Rational]] = []
    b: list[Rational] = []
    if kind == "linf":
        for rows in prices:
            for row in rows:
                A += [row, [-v for v in row]]
                b += [1, 1]
        found = optimum([-g for g in earned], A_ub=A, b_ub=b)
    else:  # Σ_j |g_j| <= 1 with t_j >= |g_j|
        extra = len(units) * k
        for i, rows in enumerate(prices):
            for j, row in enumerate(rows):
                t = [-int(p == i * k + j) for p in range(extra)]
                A += [[*row, *t], [*(-v for v in row), *t]]
                b += [0, 0]
            A.append([0] * n + [int(p // k == i) for p in range(extra)])
            b.append(1)
        found = optimum([-g for g in earned] + [0] * extra, A_ub=A, b_ub=b)
    beta = found.primal[:n]
    alpha = [[Fraction(0)] * k for _ in x]
    for share, h in zip(beta, constraints, strict=True):
        for j in range(k):
            alpha[h.position][j] += share * h.normal[j]
    return GroupDual(-found.value, tuple(map(tuple, alpha)))


def price(x: Sequence[Rational], alpha: Sequence[Sequence[Fraction]], u: Feature) -> tuple[Fraction, ...]:
    """Σ α_i φ_u(x_i) in R^k, evaluated from the definition."""
    return tuple(
        sum((a[j] * feature(u, at) for a, at in zip(alpha, x, strict=True)), Fraction(0)) for j in range(len(alpha[0]))
    )


def largest_price(x: Sequence[Rational], alpha: Sequence[Sequence[Fraction]], kind: PolyhedralNorm) -> Fraction:
    """max of Ω_*(Σ α_i φ_u(x_i)) over all kinks in [-1, 1].

    It is convex in the kink between neighbouring data points, so its maximum is at a data point or at ±1.
    """
    places = sorted({Fraction(-1), Fraction(1), *map(Fraction, x)})
    return max(norm(price(x, alpha, (s, c)), kind) for s in (1, -1) for c in places)
