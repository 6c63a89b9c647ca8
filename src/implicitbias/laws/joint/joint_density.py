"""Laws of (W, B) with a joint density that the user gives as a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.exact.rational import Interval, Real
from implicitbias.laws.joint import from_sides
from implicitbias.laws.joint.joint_law import BITS, Initialisation
from implicitbias.laws.one.law import Array, Shape
from implicitbias.laws.penalty.adaptive_quadrature import integrals

Density = Callable[[Array, Array], Array]
Sampler = Callable[[Shape, np.random.Generator], tuple[Array, Array]]

SPREAD = 2.0 ** np.arange(-40.0, 64.0)
"""Ends of panels in |w|, in units of the weight's scale."""

MASS_TOLERANCE = 1e-6


def joint_density(
    density: Density,
    *,
    scale: float = 1.0,
    support: tuple[tuple[float, float], ...] = ((-np.inf, np.inf),),
    kinks: tuple[float, ...] = (),
    symmetric: bool = False,
    sampler: Sampler | None = None,
    called: str = "a joint density",
) -> JointDensity:
    """(W, B) with density p(w, b), a function of two arrays of equal shape.

    scale      about how large |W| is, so that no narrow density is overlooked
    support    the intervals outside which no kinks -B/W lie, if known
    kinks      points x where zeta may not be smooth, if known
    sampler    (shape, rng) -> (w, b); without one `sample` raises DataError

    Raises DataError if the density is negative or does not integrate to one.

    >>> p = joint_density(lambda w, b: np.exp(-(w**2 + b**2) / 2) / (2 * np.pi))
    >>> round(p.zeta(1.0) * 2 * np.pi, 12)
    1.0
    """
    made = JointDensity(density, scale, support, kinks, symmetric, sampler, called)
    mass = made.moment(0, 0)
    if not abs(mass - 1) < MASS_TOLERANCE:
        raise DataError(f"the joint density integrates to {mass:.9g}, not to 1: divide it by that, or give its `scale`")
    return made


@dataclass(frozen=True, repr=False)
class JointDensity(Initialisation):
    """zeta(x) = ∫ |w|³ p(w, -w x) dw by adaptive quadrature in floating point."""

    density: Density
    scale: float
    intervals: tuple[tuple[float, float], ...]
    breaks: tuple[float, ...]
    even: bool
    sampler: Sampler | None = field(default=None)
    called: str = "a joint density"

    @property
    def text(self) -> str:
        return self.called

    @property
    def symmetric(self) -> bool:
        return self.even

    @property
    def support(self) -> tuple[tuple[float, float], ...]:
        return self.intervals

    @property
    def kinks(self) -> tuple[float, ...]:
        return self.breaks

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        points = np.asarray(x, float)
        return self._side(points, order + 1, -1), self._side(points, order + 1, 1)

    def _side(self, x: Array, power: int, sign: int) -> Array:
        # |w| = scale r/max(1,|x|), so that w and w x are both of the law's size
        unit = self.scale / np.maximum(1, np.abs(x))

        def integrand(row: NDArray[np.intp], r: Array) -> Array:
            size = unit[row][:, None] * r
            w = sign * size
            with np.errstate(all="ignore"):
                p = np.asarray(self.density(w, -w * x[row][:, None]), float)
                values = size**power * p
            if (p < 0).any() or np.isnan(p).any():
                raise DataError("the joint density is negative or NaN at some (w, b)")
            return np.where(np.isfinite(values), values, 0.0)

        return np.asarray(integrals(integrand, np.concatenate([[0.0], SPREAD]), x.size) * unit)

    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        raise DataError(
            "a joint density given as a function is known in floating point only, so there is no rigorous enclosure: "
            "use zeta, or a law by name"
        )

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        if self.sampler is None:
            raise DataError("to draw from a joint density give joint_density(…, sampler=…)")
        return self.sampler(shape, rng)

    def moment(self, j: int, k: int) -> float:
        """Integrated over x; not checked for existence."""
        return from_sides.moment(self.sides, self.breaks, j, k)

    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        return from_sides.kernel(self.sides, self.breaks, x, other)

    def zeta_symbolic(self, x: Any = None) -> Any:
        return None
