"""Finite-width random features with output weights trained to zero error, compared with the limits of (5) and (6).

The network is trained on data adjusted by the polynomial p of the infinitely wide limit: f_n = K_n(·, X)K_n⁻¹(y - p).
p comes from K, computed from the law of (W, B) by quadrature; the minimiser of (6) or (5) is computed independently of
K, from ζ or from cubes of distances.
"""

from __future__ import annotations

from typing import Any

Array = Any  # numpy is imported where it is used

X, Y = (-2.0, -1.0, 0.0, 1.0, 2.0), (1.5, 0.5, 1.5, 0.5, 1.5)
GRID = (-1.8, -1.45, -0.7, -0.35, 0.2, 0.55, 1.3, 1.75)
SQUARE = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (0.0, 0.0))
SQUARE_Y = (1.5, 1.5, 0.5, -0.5, -0.5)
PLANE = ((0.5, 0.2), (-0.6, 0.7), (0.1, -0.8), (-0.4, -0.3), (0.9, 0.4), (0.3, 0.9))


def bordered(gram: Array, basis: Array, values: Array) -> tuple[Array, Array]:
    """λ and coefficients a that solve gram λ + basis a = values, basisᵀλ = 0."""
    import numpy as np

    m, k = basis.shape
    system = np.block([[gram, basis], [basis.T, np.zeros((k, k))]])
    solved = np.linalg.solve(system, np.concatenate([values, np.zeros(k)]))
    return solved[:m], solved[m:]


def pieces_of_the_line(points: Array, low: float, high: float) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on [low, high], split at the points."""
    import numpy as np

    ends = np.unique(np.concatenate([[low, high], points[(points > low) & (points < high)]]))
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half = np.diff(ends)[:, None] / 2
    return (ends[:-1, None] + half * (nodes + 1)).ravel(), (half * weights).ravel()


def circle_error(k: int, n: int, count: int, seed: int, index: float | None = None) -> Array:
    """RMS of f_n + p - g* over GRID for (W, B) uniform on the circle and φ(z) = z_+^k; shape (count,).

    index: ν of (W, B) = R (cos θ, sin θ) with P(R > r) = r^-ν for r >= 1. A unit's output has the factor R^k, so the
    kernel is that of the circle times E R^(2k), and the limits are the same.
    """
    import numpy as np

    x, y, grid = np.array(X), np.array(Y), np.array(GRID)
    basis, on_grid = (np.stack([z**i for i in range(k + 1)], 1) for z in (x, grid))

    def phi(w: Array, b: Array, z: Array) -> Array:
        h = w[..., None] * z + b[..., None]
        return (h > 0).astype(float) if k == 0 else np.maximum(h, 0.0) ** k

    # the limit by the law of (W, B): integrate over the angle, split where a kink crosses a data or grid point
    turns = np.concatenate([np.arctan2(-z, np.ones_like(z)) for z in (x, grid)])
    turns = np.concatenate([turns, turns + np.pi, turns - np.pi])
    angle, weight = pieces_of_the_line(turns, -np.pi, np.pi)
    features = phi(np.cos(angle), np.sin(angle), x)
    _, p = bordered(features.T @ (features * weight[:, None]) / (2 * np.pi), basis, y)
    # the minimiser of (6) by ζ = E(W^{2k}|C) p_C = 1/(π(1+c²)^{k+1})
    c, weight = pieces_of_the_line(np.concatenate([x, grid]), float(x[0]), float(x[-1]))
    zeta = 1 / (np.pi * (1 + c * c) ** (k + 1))

    def ramps(z: Array) -> Array:
        h = z[:, None] - c
        return (h > 0).astype(float) if k == 0 else np.maximum(h, 0.0) ** k

    gram = ramps(x) @ (ramps(x) * zeta * weight).T
    lam, a = bordered(gram, basis, y)
    minimiser = ramps(grid) @ (ramps(x) * zeta * weight).T @ lam + on_grid @ a
    rng = np.random.default_rng(seed)
    t = rng.uniform(-np.pi, np.pi, (count, n))
    at_x, at_grid = (phi(np.cos(t), np.sin(t), z) for z in (x, grid))
    if index is not None:
        radius = rng.uniform(size=(count, n, 1)) ** (-1 / index)
        at_x, at_grid = radius**k * at_x, radius**k * at_grid
    K = np.einsum("snp,snq->spq", at_x, at_x)
    multipliers = np.linalg.solve(K, np.broadcast_to((y - basis @ p)[:, None], (count, len(x), 1)))[..., 0]
    trained = np.einsum("sng,snp,sp->sg", at_grid, at_x, multipliers)
    return np.sqrt(((trained + on_grid @ p - minimiser) ** 2).mean(1))


def plane_error(n: int, count: int, seed: int) -> Array:
    """The same for two inputs, uniform directions, B uniform on [-2, 2]; minimiser: cubes of distances plus a plane."""
    import numpy as np

    x, y, places = np.array(SQUARE), np.array(SQUARE_Y), np.array(PLANE)
    basis, on_places = (np.column_stack([np.ones(len(z)), z]) for z in (x, places))
    # kernel: exact in the bias, trapezium rule in the angle (the integrand is periodic with two derivatives)
    turn = np.arange(20_000) * (2 * np.pi / 20_000)
    s = x @ np.stack([np.cos(turn), np.sin(turn)])
    p, q = s[:, None], s[None]
    low = -np.minimum(p, q)  # biases above it: both units active

    def primitive(b: Array) -> Array:
        return p * q * b + (p + q) * b**2 / 2 + b**3 / 3

    gram = (primitive(np.full_like(low, 2.0)) - primitive(low)).mean(2) / 4
    _, affine = bordered(gram, basis, y)
    cubes = np.linalg.norm(x[:, None] - x, axis=2) ** 3
    lam, a = bordered(cubes, basis, y)
    minimiser = np.linalg.norm(places[:, None] - x, axis=2) ** 3 @ lam + on_places @ a
    rng = np.random.default_rng(seed)
    t, b = rng.uniform(-np.pi, np.pi, (count, n)), rng.uniform(-2, 2, (count, n))
    w = np.stack([np.cos(t), np.sin(t)], 2)
    at_x, at_places = (np.maximum(w @ z.T + b[..., None], 0.0) for z in (x, places))
    K = np.einsum("snp,snq->spq", at_x, at_x)
    multipliers = np.linalg.solve(K, np.broadcast_to((y - basis @ affine)[:, None], (count, len(x), 1)))[..., 0]
    trained = np.einsum("sng,snp,sp->sg", at_places, at_x, multipliers)
    return np.sqrt(((trained + on_places @ affine - minimiser) ** 2).mean(1))
