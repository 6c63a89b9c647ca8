"""Fluctuations of output layers trained on n random units around their infinite-width limit.

The limit and the moments of the fluctuations are integrals over the angle of (W, B), since units are homogeneous in
(W, B): E of a product of k units is ∫ (product at the angle) E[R^k at that angle] dθ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ANGLES = 40_000
"""Number of midpoints on the circle; the integrands are piecewise smooth and the error is below 1e-7."""


@dataclass(frozen=True)
class PolarLaw:
    """A law of (W, B) = R (cos θ, sin θ).

    moment  (k, θ) -> ∫ r^k p(r, θ) dr, with respect to dθ
    draw    (shape, rng) -> W, B
    """

    name: str
    moment: Callable[[int, Array], Array]
    draw: Callable[[tuple[int, ...], np.random.Generator], tuple[Array, Array]]
    has_fourth_moment: bool = True


def _rectangle(k: int, theta: Array) -> Array:
    """Moments for U(-1, 1) × U(-2, 2): density 1/8 times r dr dθ, r from 0 to the boundary of the rectangle."""
    import numpy as np

    with np.errstate(divide="ignore"):
        reach = np.minimum(1 / abs(np.cos(theta)), 2 / abs(np.sin(theta)))
    out: Array = reach ** (k + 2) / (k + 2) / 8
    return out


def _normal(variance: float) -> Callable[[int, Array], Array]:
    def moment(k: int, theta: Array) -> Array:
        """∫ r^(k+1) exp(-r² q/2) dr /(2πσ) with q = cos² + sin²/σ²."""
        import numpy as np

        q = np.cos(theta) ** 2 + np.sin(theta) ** 2 / variance
        out: Array = 2 ** (k / 2) * math.gamma(k / 2 + 1) / q ** (k / 2 + 1) / (2 * math.pi * variance**0.5)
        return out

    return moment


def _radial(moments: Callable[[int], float]) -> Callable[[int, Array], Array]:
    def moment(k: int, theta: Array) -> Array:
        return 0 * theta + moments(k) / (2 * math.pi)

    return moment


def _around(radius: Callable[[tuple[int, ...], np.random.Generator], Array]) -> Callable[..., tuple[Array, Array]]:
    def draw(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Array, Array]:
        import numpy as np

        theta, r = rng.uniform(0, 2 * np.pi, shape), radius(shape, rng)
        return r * np.cos(theta), r * np.sin(theta)

    return draw


def polar_law(name: str) -> PolarLaw:
    """Names: uniform, gauss, gauss 0.1; with uniform angle: circle (R = 1), disk (area), pareto ν (P(R > r) = r^-ν)."""
    if name == "uniform":
        return PolarLaw(name, _rectangle, lambda s, rng: (rng.uniform(-1, 1, s), rng.uniform(-2, 2, s)))
    if name.startswith("gauss"):
        variance = 0.1 if name == "gauss 0.1" else 1.0
        return PolarLaw(
            name, _normal(variance), lambda s, rng: (rng.normal(size=s), variance**0.5 * rng.normal(size=s))
        )
    if name == "circle":
        return PolarLaw(name, _radial(lambda k: 1.0), _around(lambda s, rng: 1.0 + 0 * rng.uniform(size=s)))
    if name == "disk":
        return PolarLaw(name, _radial(lambda k: 2 / (k + 2)), _around(lambda s, rng: rng.uniform(size=s) ** 0.5))
    index = float(name.removeprefix("pareto "))
    return PolarLaw(
        name,
        _radial(lambda k: index / (index - k) if k < index else float("inf")),
        _around(lambda s, rng: rng.uniform(size=s) ** (-1 / index)),
        index > 4,
    )


@dataclass(frozen=True)
class Limit:
    """The infinitely wide limit on the grid, and E[ρ²γ²] and E[ρ²]E[γ²] integrated over [-2, 2].

    With φ(x) a unit's output: λ = K⁻¹y, γ = λᵀφ(X), ρ_x = φ(x) - K(x, X)K⁻¹φ(X).
    """

    values: Array
    fourth: float
    product: float


def limit(law: PolarLaw, x: Array, y: Array, z: Array) -> Limit:
    """The limit, computed with the midpoint rule on the circle."""
    import numpy as np

    theta = (np.arange(ANGLES) + 0.5) * 2 * np.pi / ANGLES
    share = 2 * np.pi / ANGLES

    def units(places: Array) -> Array:
        out: Array = np.maximum(np.cos(theta) * places[:, None] + np.sin(theta), 0)
        return out

    at_x, at_z = units(x), units(z)
    second = law.moment(2, theta) * share
    gram, cross = (at_x * second) @ at_x.T, (at_z * second) @ at_x.T
    solved = np.linalg.solve(gram, np.column_stack([y, cross.T]))
    gamma = solved[:, 0] @ at_x
    rho = at_z - solved[:, 1:].T @ at_x
    fourth = rho**2 @ (gamma**2 * law.moment(4, theta) * share) if law.has_fourth_moment else np.full(len(z), np.inf)
    product = (rho**2 @ second) * (gamma**2 @ second)
    weights = np.full(len(z), (z[-1] - z[0]) / (len(z) - 1))
    weights[[0, -1]] /= 2
    return Limit(cross @ solved[:, 0], float(weights @ fourth), float(weights @ product))
