"""Moments and the kernel of any initialisation, integrated from zeta's two sides: B = -W C in law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.laws.one.law import Array
from implicitbias.laws.penalty.adaptive_quadrature import NODES, WEIGHTS, integrals, refined

OUTER = 1e-11
"""The sides may be quadratures themselves, with noise of 1e-13: a smaller tolerance would halve panels without end."""

Sides = Callable[[Array, int], tuple[Array, Array]]
"""(points, order) -> (E[|W|^order 1{W < 0} | C = x] p_C(x), the same with W > 0)."""


def moment(sides: Sides, breaks: tuple[float, ...], j: int, k: int) -> float:
    """E[W^j B^k] = ∫ (-x)^k E[W^(j+k) | C = x] p_C(x) dx; inf or nan where it does not exist."""
    order = j + k

    def integrand(row: NDArray[np.intp], angle: Array) -> Array:
        x, stretch = _line(angle)
        left, right = sides(x.ravel(), order)
        return np.asarray(((-x) ** k) * (right + (-1) ** order * left).reshape(x.shape) * stretch)

    return float(integrals(integrand, _angles(breaks), 1, OUTER)[0])


def kernel(sides: Sides, breaks: tuple[float, ...], x: ArrayLike, other: ArrayLike) -> Array:
    """E[[W x + B]_+ [W x' + B]_+]: neurons with W > 0 and C < min(x, x'), or W < 0 and C > max(x, x').

    K = ∫_(-oo)^min zeta_+(c)(x - c)(x' - c) dc + ∫_max^oo zeta_-(c)(x - c)(x' - c) dc.
    """
    a, b = np.broadcast_arrays(np.asarray(x, float), np.asarray(other, float))
    first, second = a.ravel(), b.ravel()

    def size(angle: Array) -> Array:
        c, stretch = _line(angle)
        left, right = sides(c.ravel(), 2)
        return np.asarray((left + right).reshape(c.shape) * (1 + c**2) * stretch)

    # panels that resolve zeta once, for all pairs: what multiplies it there are polynomials
    places = (*breaks, *np.unique(np.concatenate([first, second])))
    knots = refined(size, _angles(places), OUTER, OUTER / 100)
    halves = np.diff(knots)[:, None] / 2
    angles = (knots[:-1, None] + halves * (1 + NODES)).ravel()
    c, stretch = _line(angles)
    weights = (halves * WEIGHTS).ravel() * stretch
    left, right = sides(c, 2)
    values = np.empty(first.size)
    for i, (p, q) in enumerate(zip(first, second, strict=True)):
        active = np.where(c < min(p, q), right, 0) + np.where(c > max(p, q), left, 0)
        values[i] = (active * (p - c) * (q - c)) @ weights
    return values.reshape(a.shape)


def _line(angle: Array) -> tuple[Array, Array]:
    """The line as tan of an angle, with dx/dangle."""
    return np.tan(angle), 1 / np.cos(angle) ** 2


def _angles(places: tuple[float, ...]) -> Array:
    inner = np.arctan([p for p in places if np.isfinite(p)])
    return np.unique(np.concatenate([np.linspace(-np.pi / 2, np.pi / 2, 17), inner]))
