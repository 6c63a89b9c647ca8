"""The kernel of the output layer at infinite width: K(x, x') = E[[W x + B]_+ [W x' + B]_+]."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from implicitbias.laws.one.law import Array, Law
from implicitbias.laws.penalty.weight_panels import CHUNK, NODES, WEIGHTS, weight_panels


def of_independent(weight: Law, bias: Law, x: ArrayLike, other: ArrayLike) -> Array:
    """E over W of E[[p + B]_+ [q + B]_+] with p = W x, q = W x', which partial moments of B give in closed form.

    Raises DataError where a second moment is infinite.
    """
    weight.require_moment(2)
    bias.require_moment(2)
    first, second = np.broadcast_arrays(np.asarray(x, float), np.asarray(other, float))
    a, b = first.ravel(), second.ravel()
    values = np.zeros(a.size)
    for atom in weight.atoms:
        values += atom.mass * given_weight(bias, atom.place.number * a, atom.place.number * b)
    if not weight.atoms:
        step = max(1, CHUNK // (NODES.size * (weight.knots.size + 2 * bias.knots.size + 1)))
        for start in range(0, a.size, step):
            part = slice(start, start + step)
            values[part] = _integrated(weight, bias, a[part], b[part])
    return values.reshape(first.shape)


def given_weight(bias: Law, p: Array, q: Array) -> Array:
    """E[[p + B]_+ [q + B]_+] = E[(p + B)(q + B) 1{B > -min(p, q)}]."""
    t = -np.minimum(p, q)
    moments = [bias.partial_moment(k, t) for k in range(3)]
    return np.asarray(moments[2] + (p + q) * moments[1] + p * q * moments[0])


def _integrated(weight: Law, bias: Law, x: Array, other: Array) -> Array:
    w = weight_panels(weight, [(bias, x), (bias, other)], cut=False)
    halves = (w[:, 1:] - w[:, :-1]) / 2
    nodes = (w[:, 1:] + w[:, :-1])[..., None] / 2 + halves[..., None] * NODES
    inner = given_weight(bias, nodes * x[:, None, None], nodes * other[:, None, None])
    return np.asarray(((weight.density(nodes) * inner) @ WEIGHTS * halves).sum(1))


def arc_cosine(covariance: Array, x: ArrayLike, other: ArrayLike) -> Array:
    """K for (W, B) jointly normal with mean zero: sqrt(k k') (sin t + (pi - t) cos t)/(2 pi).

    k = E(W x + B)², k' = E(W x' + B)², and t is the angle with cos t = E[(W x + B)(W x' + B)]/sqrt(k k').
    """
    a, b = np.broadcast_arrays(np.asarray(x, float), np.asarray(other, float))
    factor = np.linalg.cholesky(np.asarray(covariance, float))
    # (W x + B) = u·z with z standard normal: the angle between two vectors in the plane, without cancellation
    u = np.stack([a * factor[0, 0] + factor[1, 0], np.broadcast_to(factor[1, 1], a.shape)])
    v = np.stack([b * factor[0, 0] + factor[1, 0], np.broadcast_to(factor[1, 1], b.shape)])
    cross, dot = np.abs(u[0] * v[1] - u[1] * v[0]), (u * v).sum(0)
    return np.asarray((cross + (np.pi - np.arctan2(cross, dot)) * dot) / (2 * np.pi))
