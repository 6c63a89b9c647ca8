"""Problem (20) on the sphere S² itself: bounds on its value that know nothing of the cells of the data.

    max p·y  subject to  |g(θ)| <= 1 for all unit θ,  g(θ) = Σ p_i [θ·x̃_i]_+

From above: exact linear programmes over finitely many rational directions. From below: p·y/M, where M >= max |g| comes
from a subdivision of the sphere into triangles. For ±g = f₊ - f₋ with f₊, f₋ convex and of degree one, θ = Σ w_k u_k in
the cone of a triangle with the unit corners u_k:

    ±g(θ) <= Σ w_k (f₊(u_k) - v·u_k),  Σ w_k <= 1/δ,

v the gradient of f₋ at the centre, δ the distance of the corners' plane from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import dot, relu

from .contact_sets import Point

ROUNDING = 1 + 1e-9
"""More than the relative error of some fifty operations on numbers of like size, in floating point."""
FINEST = 40
"""Subdivisions after which a bound is taken as it is."""
FINE = 10**4
"""Denominator of the directions' projections."""


def least_on_the_sphere(
    points: Sequence[Point], y: Sequence[Fraction], within: float, directions: list[Point]
) -> Interval:
    """Bounds on the value of (20) for data x̃ in the plane, d = 2, with max |g| at most 1 + `within` at the end.

    Directions where |g| is too large are added until there are none, to `directions`: from the axes and the diagonals,
    or from those found for other labels. Raises ArithmeticError where rounding keeps them from being new.
    """
    import numpy as np

    from implicitbias.convex.programmes.linear_programme import optimum

    if not directions:
        directions += [_unit(np.array(corner, dtype=float)) for corner in product((-1, 0, 1), repeat=3) if any(corner)]
    while True:
        columns = [_outputs(tuple(points), t) for t in directions]
        rows = [[s * v for s in (1, -1) for v in row] for row in zip(*columns, strict=True)]
        found = optimum([1] * len(rows[0]), rows, list(y))
        most, where = largest(points, found.dual_eq, 1 + within)
        if not where:
            return Interval(dot(found.dual_eq, y) / Fraction(most), found.value)
        new = {_unit(theta) for theta in where} - set(directions)
        if not new:
            raise ArithmeticError("the dual is too large at a direction of the programme itself, up to rounding")
        directions += sorted(new)


@cache
def _outputs(points: tuple[Point, ...], theta: Point) -> Point:
    """[θ·x̃_i]₊ for all i."""
    return tuple(relu(dot(theta, x)) for x in points)


def largest(points: Sequence[Point], p: Sequence[Fraction], enough: float) -> tuple[float, list[Any]]:
    """An upper bound of |g| on the sphere, at least `enough`, or directions at which |g| is more than that."""
    import numpy as np

    data, prices = np.array(points, dtype=float), np.array(p, dtype=float)
    triangles = np.array([np.diag(signs) for signs in product((1.0, -1.0), repeat=3)])
    most = enough
    for depth in range(FINEST):
        centre = triangles.mean(axis=1)
        centre /= np.linalg.norm(centre, axis=1, keepdims=True)
        seen = np.maximum(centre @ data.T, 0) @ prices
        over = np.abs(seen) > enough
        if over.any():
            best = np.argsort(-np.abs(seen))[: min(4, int(over.sum()))]
            return most, [centre[k] for k in best]
        bounds = np.maximum(_bound(triangles, centre, data, prices), _bound(triangles, centre, data, -prices))
        if depth == FINEST - 1:
            most = max(most, float(bounds.max(initial=0.0)) * ROUNDING)
            break
        triangles = _quartered(triangles[bounds * ROUNDING > enough])
        if not len(triangles):
            break
    return most, []


def _bound(triangles: Any, centre: Any, data: Any, prices: Any) -> Any:
    """At least max g on each triangle."""
    import numpy as np

    outputs = np.maximum(triangles @ data.T, 0) @ np.maximum(prices, 0)
    gradient = ((centre @ data.T > 0) * np.maximum(-prices, 0)) @ data
    ends = outputs - np.einsum("tkj,tj->tk", triangles, gradient)
    sides = triangles[:, 1:] - triangles[:, :1]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    return np.maximum(ends.max(axis=1), 0) * area / np.abs(np.linalg.det(triangles))


def _quartered(triangles: Any) -> Any:
    """Each triangle in four, the middles of its sides moved to the sphere."""
    import numpy as np

    middles = triangles + np.roll(triangles, -1, axis=1)
    middles /= np.linalg.norm(middles, axis=2, keepdims=True)
    corners = [np.stack([triangles[:, k], middles[:, k], middles[:, k - 1]], axis=1) for k in range(3)]
    return np.concatenate([*corners, middles])


def _unit(theta: Any) -> Point:
    """A rational unit vector near θ, by stereographic projection from the pole that is further away."""
    import numpy as np

    side = 1 if theta[2] >= 0 else -1
    long = 1 + abs(theta[2]) / np.linalg.norm(theta)
    t = [Fraction(round(float(v / np.linalg.norm(theta) / long) * FINE), FINE) for v in theta[:2]]
    square = dot(t, t)
    return (2 * t[0] / (1 + square), 2 * t[1] / (1 + square), side * (1 - square) / (1 + square))
