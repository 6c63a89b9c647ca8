"""Integrals over the weight w in floating point: Gauss-Legendre on panels that resolve both densities."""

from __future__ import annotations

import numpy as np

from implicitbias.laws.one.law import Array, Law

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
"""24 nodes integrate exp over a panel of ±20 to rounding, and a pole one panel length away to a relative 1e-19."""

CHUNK = 1 << 20
"""Maximum number of values held at once."""


def kink_sides(weight: Law, bias: Law, x: Array, power: int) -> tuple[Array, Array]:
    """∫ |w|^power p_W(w) p_B(-w x) dw over w < 0 and over w > 0, for laws that have densities.

    With power 1 + k this is E[|W|^k 1{±W > 0} | C = x] p_C(x): k = 2 gives zeta (Jin & Montúfar 2021, Proposition 7).
    """
    left, right = np.zeros(x.size), np.zeros(x.size)
    step = max(1, CHUNK // (NODES.size * (weight.knots.size + bias.knots.size + 1)))
    for start in range(0, x.size, step):
        part = slice(start, start + step)
        left[part], right[part] = _at_once(weight, bias, x[part], power)
    return left, right


def _at_once(weight: Law, bias: Law, x: Array, power: int) -> tuple[Array, Array]:
    w = weight_panels(weight, [(bias, x)])
    middles, halves = (w[:, 1:] + w[:, :-1]) / 2, (w[:, 1:] - w[:, :-1]) / 2
    nodes = middles[..., None] + halves[..., None] * NODES
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        values = np.abs(nodes) ** power * weight.density(nodes) * bias.density(-nodes * x[:, None, None])
    panels = (values @ WEIGHTS) * halves
    return np.where(middles < 0, panels, 0).sum(1), np.where(middles > 0, panels, 0).sum(1)


def weight_panels(weight: Law, seen: list[tuple[Law, Array]], cut: bool = True) -> Array:
    """Increasing ends of panels in w, one row per x: the weight's knots, 0, and those of -b/x for each (law, x).

    `cut`: only where -w x lies in the laws' range; the other panels become empty.
    """
    rows = seen[0][1].size
    ends = [np.broadcast_to(weight.knots, (rows, weight.knots.size)), np.zeros((rows, 1))]
    lower, upper = np.full((rows, 1), weight.knots[0]), np.full((rows, 1), weight.knots[-1])
    for law, x in seen:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mapped = np.where(x[:, None] == 0, 0.0, -law.knots / x[:, None])
        ends.append(mapped)
        if cut:
            moved = x[:, None] != 0
            lower = np.where(moved, np.maximum(lower, mapped.min(1, keepdims=True)), lower)
            upper = np.where(moved, np.minimum(upper, mapped.max(1, keepdims=True)), upper)
    upper = np.maximum(lower, upper)
    return np.sort(np.clip(np.concatenate(ends, axis=1), lower, upper), axis=1)
