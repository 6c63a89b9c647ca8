"""Problem (4) in the plane: units [a x + b]_+ with a² + b² = 1, with exact prices over the whole circle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import Rational, dot, relu, root_on_grid

BITS = 120
"""Square roots are rounded to multiples of 2^-BITS."""

Direction = tuple[Fraction, Fraction]


def unit_value(d: Direction, x: Rational) -> Fraction:
    """[a x + b]_+."""
    return relu(d[0] * x + d[1])


def largest_square(x: Sequence[Rational], alpha: Sequence[Fraction]) -> Fraction:
    """max over a² + b² = 1 of (Σ α_i [a x_i + b]_+)², exactly.

    Between neighbouring directions with some a x_i + b = 0, the sum is v·(a, b). Its largest absolute value is |v| if
    v or -v lies between them; otherwise it is attained at one of the two directions.

    >>> largest_square([-1, 1], [Fraction(1), Fraction(1)])
    Fraction(4, 1)
    """
    rays = sorted(
        {(Fraction(sign), Fraction(-sign * c)) for c in x for sign in (1, -1)}, key=lambda d: math.atan2(d[1], d[0])
    )
    best = Fraction(0)
    for k, here in enumerate(rays):
        there = rays[(k + 1) % len(rays)]
        for ray in (here, there):
            value = sum((w * unit_value(ray, c) for w, c in zip(alpha, x, strict=True)), Fraction(0))
            best = max(best, value**2 / (ray[0] ** 2 + ray[1] ** 2))
        opposite = _cross(here, there) <= 0  # a single data point: the sum is linear on two half-planes
        middle = (-here[1], here[0]) if opposite else (here[0] + there[0], here[1] + there[1])
        on = [(w, c) for w, c in zip(alpha, x, strict=True) if middle[0] * c + middle[1] > 0]
        v = (sum((w * c for w, c in on), Fraction(0)), sum((w for w, _ in on), Fraction(0)))
        for sign in (1, -1):
            towards = (sign * v[0], sign * v[1])
            if _cross(here, towards) >= 0 and _cross(towards, there) >= 0:
                best = max(best, v[0] ** 2 + v[1] ** 2)
    return best


def _cross(p: Direction, q: Direction) -> Fraction:
    return p[0] * q[1] - p[1] * q[0]


@dataclass(frozen=True)
class Bracket:
    """lower <= the value of problem (4) <= upper, with the dual vector behind the lower bound."""

    lower: Fraction
    upper: Fraction
    alpha: tuple[Fraction, ...]

    @property
    def interval(self) -> Interval:
        return Interval(self.lower, self.upper)


def length_above(d: Direction) -> Fraction:
    """√(a² + b²), rounded up."""
    return root_on_grid(d[0] ** 2 + d[1] ** 2, BITS).upper


def lower_bound(x: Sequence[Rational], y: Sequence[Rational], alpha: Sequence[Fraction]) -> Fraction:
    """Σ α_i y_i for α scaled to be feasible: a lower bound for any α."""
    earned = dot(alpha, y)
    return earned / root_on_grid(largest_square(x, alpha), BITS).upper if earned > 0 else Fraction(0)


def bracket(x: Sequence[Rational], y: Sequence[Rational], rounds: int = 14) -> Bracket:
    """Two-sided exact bounds for problem (4) from floating-point cutting planes.

    The primal guess is made exact: its directions are rounded to fractions, and an exact linear programme over these
    directions finds output weights that interpolate the points exactly.
    """
    import numpy as np
    from scipy.optimize import linprog

    X, Y = np.array([float(c) for c in x]), np.array([float(v) for v in y])
    angles = list(np.linspace(0, 2 * np.pi, 97)[:-1]) + [math.atan2(-c * s, s) for c in X for s in (1, -1)]
    alpha = np.zeros(len(X))
    fine = np.linspace(0, 2 * np.pi, 20001)
    for _ in range(rounds):
        units = np.maximum(0, np.outer(np.cos(angles), X) + np.sin(angles)[:, None])
        solved = linprog(-Y, A_ub=np.vstack([units, -units]), b_ub=np.ones(2 * len(units)), bounds=(None, None))
        alpha = np.asarray(solved.x)
        prices = np.abs(np.maximum(0, np.outer(np.cos(fine), X) + np.sin(fine)[:, None]) @ alpha)
        peaks = [i for i in range(1, len(fine) - 1) if prices[i] >= max(prices[i - 1], prices[i + 1], 1 - 1e-5)]
        angles += [_peak(fine[i - 1 : i + 2].tolist(), prices[i - 1 : i + 2].tolist()) for i in peaks]
        if prices.max() < 1 + 1e-13:
            break
    exact_alpha = [Fraction(float(a)).limit_denominator(10**12) for a in alpha]
    tight = [a for a in angles if abs(abs(float(np.maximum(0, math.cos(a) * X + math.sin(a)) @ alpha)) - 1) < 1e-6]
    return Bracket(lower_bound(x, y, exact_alpha), _cheapest_exact(x, y, tight), tuple(exact_alpha))


def _peak(angles: Sequence[float], values: Sequence[float]) -> float:
    curvature = values[0] - 2 * values[1] + values[2]
    shift = 0.0 if curvature == 0 else 0.5 * (values[0] - values[2]) / curvature
    return float(angles[1] + max(-1.0, min(1.0, shift)) * (angles[2] - angles[1]))


def _cheapest_exact(x: Sequence[Rational], y: Sequence[Rational], angles: Sequence[float]) -> Fraction:
    """The least cost of an exact interpolant over these directions, rounded to rational points of the circle."""
    from implicitbias.convex.programmes.linear_programme import optimum

    directions: set[Direction] = set()
    for a in angles:
        u = Fraction(math.tan(a / 2)).limit_denominator(10**7)
        directions.add(((1 - u * u) / (1 + u * u), 2 * u / (1 + u * u)))
    for c in x:  # so that the programme is always feasible
        norm = root_on_grid(Fraction(c) ** 2 + 1, BITS).upper
        directions |= {(1 / norm, -c / norm), (-1 / norm, c / norm)}
    units = sorted(directions)
    rows = [[unit_value(d, c) for d in units] for c in x]
    costs = [length_above(d) for d in units]
    return optimum(costs * 2, [row + [-v for v in row] for row in rows], list(y)).value
