"""Bounds on the least cost of a signed measure on a plane cone with a given moment, by linear programming."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import dot

from ..units.neurons import Point


def unit_rays(rays: Sequence[Point]) -> tuple[Point, Point]:
    """The two extreme rays of a plane cone, scaled to length 1; the lengths of the given rays must be rational."""
    if len(rays) != 2:
        raise ValueError("a plane cone that contains no line has two extreme rays")
    units = []
    for ray in rays:
        square = dot(ray, ray)
        length = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        if length**2 != square:
            raise ValueError(f"the ray {ray} has no rational length")
        units.append(tuple(value / length for value in ray))
    return units[0], units[1]


def least_cost(first: Point, second: Point, moment: Point, directions: int = 64) -> Interval:
    """min Σ|c_k| over θ_k in the cone of the two unit rays with |θ_k| = 1 and Σ c_k θ_k = moment, c_k of any sign.

    Restricting θ_k to finitely many unit directions of the cone gives an upper bound. A unit vector between two
    neighbours at angle δ is a combination of them with weights of sum at most 1/cos(δ/2), which gives a lower bound.

    >>> F = Fraction
    >>> found = least_cost((F(1), F(0)), (F(0), F(1)), (F(1), F(-1)))
    >>> found.lower <= 2 <= found.upper
    True
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    cosine = dot(first, second)
    sine = first[0] * second[1] - first[1] * second[0]
    normal = (-first[1], first[0]) if sine > 0 else (first[1], -first[0])
    half_tangent = abs(sine) / (1 + cosine)
    units = []
    for k in range(directions + 1):
        t = half_tangent * Fraction(k, directions)
        along, across = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        units.append(tuple(along * p + across * q for p, q in zip(first, normal, strict=True)))
    columns = [tuple(sign * value for value in unit) for unit in units for sign in (1, -1)]
    rows = [[column[j] for column in columns] for j in range(2)]
    found = optimum([1] * len(columns), rows, list(moment))
    closest = min(dot(u, v) for u, v in pairwise(units))
    square = (1 + closest) / 2
    scale = 1 << 60
    factor = Fraction(isqrt(int(square * scale * scale)), scale)
    return Interval(found.value * factor, found.value)
