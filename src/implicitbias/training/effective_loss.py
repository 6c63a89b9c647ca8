"""What label noise regularises (de Dios & Bruna 2020, equations (10) and (12)), and the flow on slow time it induces.

    Λ = E_D Σ_j |∇_{θ_j, c_j} f(x)|² = s² Σ_j (A_j + c_j² B_j),   f(x) = s Σ_j c_j [θ_j·x̃]_+,  x̃ = (x, 1)
    A_j = E_D [θ_j·x̃]_+²,   B_j = E_D |x̃|² 1{θ_j·x̃ > 0}

with E_D the mean over the data. Among networks of zero error, Algorithm 1 drifts by d(θ, c)/dτ = -P ∇Λ: τ is slow time
and P projects on the directions in which no output at a datum changes (Blanc et al. 2019; Li, Wang & Arora 2022).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Gradient = Callable[[Array, Array], tuple[Array, Array]]

TOLERANCE = 1e-10
"""Relative error of the flow's integrator: far below the noise of training."""


class Moments(NamedTuple):
    """A and B of every neuron, shape (…, m), and |θ|²."""

    A: Array
    B: Array
    squares: Array

    def costs(self, c: Array) -> Array:
        """2|c|√(AB): the least A + c²B among the rescalings (lθ, c/l) of each neuron."""
        found: Array = 2 * np.abs(c) * np.sqrt(self.A * self.B)
        return found


def moments(theta: Array, points: Array) -> Moments:
    """For theta (…, m, d + 1) and points (x, 1) of shape (n, d + 1).

    >>> found = moments(np.array([[1.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 1.0]]))
    >>> found.A.tolist(), found.B.tolist(), found.squares.tolist()
    ([2.5], [1.5], [2.0])
    """
    before = theta @ points.T
    lengths = np.square(points).sum(axis=1)
    return Moments(
        np.square(np.maximum(before, 0)).mean(axis=-1),
        ((before > 0) * lengths).mean(axis=-1),
        np.square(theta).sum(axis=-1),
    )


def effective_loss(theta: Array, c: Array, points: Array, scale: float) -> Array:
    """Λ of the networks theta (…, m, d + 1), c (…, m): shape (…)."""
    found = moments(theta, points)
    total: Array = scale**2 * (found.A + np.square(c) * found.B).sum(axis=-1)
    return total


def slow_flow(
    theta: Array,
    c: Array,
    points: Array,
    scale: float,
    tau: float,
    *,
    gradient: Gradient | None = None,
    projected: bool = True,
) -> tuple[Array, Array]:
    """One network, theta (m, d + 1) and c (m,), a slow time τ later, as long as no neuron changes its pattern.

    For comparison, `gradient`, (theta, c) -> slopes in theta and in c, can replace ∇Λ, and the projection can be left
    out. Raises ArithmeticError if a neuron changes its pattern or the integrator fails.
    """
    from scipy.integrate import solve_ivp

    m, size = theta.shape
    active = (theta @ points.T > 0).astype(np.float64)
    squares = np.square(points).sum(axis=1)

    def parts(z: Array) -> tuple[Array, Array]:
        return z[: m * size].reshape(m, size), z[m * size :]

    def velocity(_: float, z: Array) -> Array:
        theta, c = parts(z)
        h = active * (theta @ points.T)
        if gradient is None:
            slope = 2 * scale**2 / len(points) * np.concatenate([(h @ points).ravel(), c * (active @ squares)])
        else:
            slope = np.concatenate([g.ravel() for g in gradient(theta, c)])
        if not projected:
            return -slope
        jacobian = scale * np.stack([
            np.concatenate([np.outer(c * active[:, i], points[i]).ravel(), h[:, i]]) for i in range(len(points))
        ])  # fmt: skip
        normal = jacobian.T @ np.linalg.lstsq(jacobian @ jacobian.T, jacobian @ slope, rcond=None)[0]
        found: Array = normal - slope
        return found

    start = np.concatenate([theta.ravel(), c])
    solved = solve_ivp(velocity, (0.0, tau), start, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE)
    if not solved.success:
        raise ArithmeticError(f"the slow flow could not be integrated: {solved.message}")
    end = parts(solved.y[:, -1])
    if ((end[0] @ points.T > 0) != active.astype(bool)).any():
        raise ArithmeticError("a neuron changes its pattern: the slow flow is not smooth there")
    return end
