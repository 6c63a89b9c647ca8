"""Initialisations that are made from the law of their kinks: W given C, and B = -W C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.exact.rational import Interval, Real
from implicitbias.laws.joint import from_sides
from implicitbias.laws.joint.joint_law import BITS, Initialisation
from implicitbias.laws.joint.kink_density import KinkDensity, converges
from implicitbias.laws.one.law import Array, Law, Shape


@dataclass(frozen=True, repr=False)
class Realised(Initialisation):
    """A law of (W, B) whose curvature penalty 1/zeta is the wanted one, up to a factor.

    wanted     zeta up to a factor: 1 over the wanted penalty
    factor     1/zeta(x) is this factor times the wanted penalty at x
    warnings   moments that are infinite, and what they are needed for
    """

    called: str
    wanted: Callable[[Array], Array]
    density: KinkDensity
    factor: float
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.called

    @property
    def support(self) -> tuple[tuple[float, float], ...]:
        return (self.density.interval,)

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(end for end in self.density.interval if np.isfinite(end))

    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        raise DataError(
            "a realised penalty is normalised in floating point, so there is no rigorous enclosure: use zeta"
        )

    def zeta_symbolic(self, x: Any = None) -> Any:
        return None

    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        self.moment(0, 2)
        return from_sides.kernel(self.sides, self.kinks, x, other)

    def _density_of_kinks(self, x: Array) -> Array:
        low, high = self.density.interval
        inside = (x >= low) & (x <= high)
        return (
            np.where(inside, self.density.weight(np.where(inside, x, max(low, min(high, 0.0)))), 0.0)
            / self.density.total
        )


@dataclass(frozen=True, repr=False)
class OnACircle(Realised):
    """p_C ∝ zeta (1 + c²), W = ±r/sqrt(1 + c²), B = -W C: (W, B) lies on the circle of radius r, so it is bounded."""

    radius: float = 1.0

    @property
    def symmetric(self) -> bool:
        return True

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        x = np.asarray(x, float)
        half = self._density_of_kinks(x) * (self.radius / np.hypot(1, x)) ** order / 2
        return half, half.copy()

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        c = self.density.sample(shape, rng)
        w = rng.choice([-1.0, 1.0], shape) * self.radius / np.hypot(1, c)
        return w, -w * c

    def moment(self, j: int, k: int) -> float:
        if (j + k) % 2:
            return 0.0
        found = self.density.integral(lambda c: (-c / np.hypot(1, c)) ** k / np.hypot(1, c) ** j)
        return found / self.density.total * self.radius ** (j + k)


@dataclass(frozen=True, repr=False)
class IndependentOfKinks(Realised):
    """C with density ∝ zeta, W independent of it, B = -W C (Jin & Montúfar 2021, Proposition 8)."""

    weight: Law | None = None

    @property
    def _law(self) -> Law:
        if self.weight is None:
            raise DataError("this law needs the law of its weights")
        return self.weight

    @property
    def symmetric(self) -> bool:
        return self._law.symmetric

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        p = self._density_of_kinks(np.asarray(x, float))
        whole, above = self._law.partial_moment(order, np.array([-np.inf, 0.0]))
        return p * abs(whole - above), p * above

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        w = self._law.sample(shape, rng)
        return w, -w * self.density.sample(shape, rng)

    def moment(self, j: int, k: int) -> float:
        """E[W^(j+k)] E[(-C)^k]. Raises DataError where the latter is infinite."""
        if np.isinf(self.density.interval).any() and not converges(lambda c: self.density.weight(c) * np.abs(c) ** k):
            raise DataError(f"E|C|^{k} is infinite for kinks with density proportional to 1 over the wanted penalty")
        return self._law.moment(j + k) * self.density.integral(lambda c: (-c) ** k) / self.density.total
