"""Observed: the least value of (49) for one input without biases, where a network is p[x]₊ + q[-x]₊."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Sides:
    """Σ(f(x_n) - y_n)² = rest + right (p - p₀)² + left (q - q₀)², for f = p[x]₊ + q[-x]₊."""

    rest: float
    right: float
    left: float
    p: float
    q: float


def sides(x: Sequence[Fraction], y: Sequence[Fraction]) -> Sides:
    """The squared loss of data with points on both sides of 0, by the least-squares slopes of both sides."""
    weights, slopes, rest = [], [], Fraction(0)
    for sign in (1, -1):
        own = [(sign * a, b) for a, b in zip(x, y, strict=True) if sign * a > 0]
        weight = sum((a * a for a, _ in own), Fraction(0))
        slope = sum((a * b for a, b in own), Fraction(0)) / weight
        rest += sum(((slope * a - b) ** 2 for a, b in own), Fraction(0))
        weights.append(weight)
        slopes.append(slope)
    return Sides(*map(float, (rest, *weights, *slopes)))


def bridge(p: float, q: float, depth: int) -> float:
    """(p⁺ + q⁺)^(2/L) + (p⁻ + q⁻)^(2/L): the penalty of p[x]₊ + q[-x]₊, one sub-network for sides of one sign."""
    return float(sum((max(s * p, 0.0) + max(s * q, 0.0)) ** (2 / depth) for s in (1, -1)))


def least_value(of: Sides, lam: float, depth: int, *, shared: bool = True) -> tuple[float, float]:
    """Ends of the least rest + right (p - p₀)² + left (q - q₀)² + λ P(p, q), 1e-10 of it apart at most.

    shared: P = (p⁺ + q⁺)^(2/L) + (p⁻ + q⁻)^(2/L), one sub-network for both sides where their signs agree; otherwise
    P = |p|^(2/L) + |q|^(2/L). The signs of p₀ and q₀ are the best ones: a slope of the other sign, put to 0, lowers
    both terms.
    """
    p, q = abs(of.p), abs(of.q)
    if shared and of.p * of.q > 0:
        parts = [least_along([(of.right, p), (of.left, q)], lam, depth)]
    else:
        parts = [least_along([(of.right, p)], lam, depth), least_along([(of.left, q)], lam, depth)]
    return of.rest + sum(low for low, _ in parts), of.rest + sum(high for _, high in parts)


def least_along(squares: Sequence[tuple[float, float]], lam: float, depth: int) -> tuple[float, float]:
    """Ends of the least Σ a_i (p_i - r_i)² + λ s^(2/L) over p >= 0, s = Σ p_i: one or two squares.

    Branch and bound over s in [0, Σ r_i]. The squares are convex in s and fall to 0 at its end, the penalty grows: on
    [u, v] no value is below the squares at v and the penalty at u.
    """
    import numpy as np

    def loss(s: np.ndarray) -> np.ndarray:
        if len(squares) == 1:
            ((a, r),) = squares
            return np.asarray(a * (s - r) ** 2)
        (a, r), (b, t) = squares
        p = np.clip((a * r + b * (s - t)) / (a + b), 0, s)
        return np.asarray(a * (p - r) ** 2 + b * (s - p - t) ** 2)

    def penalty(s: np.ndarray) -> np.ndarray:
        return np.asarray(lam * s ** (2 / depth))

    u, v = np.array([0.0]), np.array([sum(r for _, r in squares)])
    while True:
        ends = np.concatenate([u, v])
        high = float((loss(ends) + penalty(ends)).min())
        low = loss(v) + penalty(u)
        kept = low < high
        u, v, low = u[kept], v[kept], low[kept]
        least = float(low.min()) if low.size else high
        if high - least <= 1e-10 * high:
            return least, high
        middle = (u + v) / 2
        u, v = np.concatenate([u, middle]), np.concatenate([middle, v])
