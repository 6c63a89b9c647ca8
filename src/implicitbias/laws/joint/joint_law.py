"""The law of (W, B), a neuron's input weight and bias at initialisation, and its curvature penalty 1/zeta."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from implicitbias.errors import DataError
from implicitbias.exact.enclosure import NoValueError, enclose
from implicitbias.exact.rational import Interval, Real, exact
from implicitbias.laws.one.law import Array, Shape
from implicitbias.laws.penalty.sampling import SampledZeta, zeta_by_sampling
from implicitbias.laws.penalty.zeta_form import ClosedForm

BITS = 100
"""Default number of certain bits of an enclosure."""


class Initialisation(ABC):
    """The law of (W, B) of a ReLU neuron [W x + B]_+, whose kink lies at C = -B/W.

    zeta(x) = E[W² | C = x] p_C(x) (Jin & Montúfar 2021, Proposition 7); a wide network trained by gradient descent
    pays ∫ f''(x)²/zeta(x) dx for its curvature.
    """

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: not what was worked out from the law, which holds functions and is worked out again."""
        return {k: v for k, v in self.__dict__.items() if not isinstance(getattr(type(self), k, None), cached_property)}

    def __repr__(self) -> str:
        return f"<{self.text}>"

    @property
    @abstractmethod
    def text(self) -> str:
        """How it is written."""

    @abstractmethod
    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        """E[|W|^order 1{W < 0} | C = x] p_C(x), and the same with W > 0, at the points x."""

    @abstractmethod
    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        """An interval that certainly holds zeta(x), by quadrature in ball arithmetic; x is taken exactly as written."""

    @abstractmethod
    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        """Independent draws of (W, B): two arrays of this shape."""

    @abstractmethod
    def moment(self, j: int, k: int) -> float:
        """E[W^j B^k], j + k <= 4. Raises DataError if it does not exist."""

    @abstractmethod
    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        """K(x, x') = E[[W x + B]_+ [W x' + B]_+], broadcast over both arguments."""

    @abstractmethod
    def zeta_symbolic(self, x: Any = None) -> Any:
        """zeta as a sympy expression in the real symbol x, integrated from Proposition 7; None where sympy cannot."""

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether (W, B) and (-W, -B) have the same law; False also if that is not known."""

    @property
    @abstractmethod
    def support(self) -> tuple[tuple[float, float], ...]:
        """The closed intervals, in order, outside which zeta is 0."""

    @property
    @abstractmethod
    def kinks(self) -> tuple[float, ...]:
        """The points where zeta may not be smooth."""

    def require_finite_zeta(self, low: float, high: float) -> None:
        """Raises DataError if zeta is known to be infinite somewhere in [low, high]: no spline has it as its weight."""
        return

    @property
    def closed_form(self) -> ClosedForm | None:
        """zeta as a formula, if one is known."""
        return None

    @overload
    def zeta(self, x: float) -> float: ...
    @overload
    def zeta(self, x: Sequence[float] | Array) -> Array: ...
    def zeta(self, x: Any) -> Any:
        """zeta at a number or at each entry of an array, to rounding.

        >>> from implicitbias.laws.joint.build import initialisation
        >>> initialisation("normal(0,1)", "normal(0,1)").zeta([0.0, 1.0])
        array([0.63661977, 0.15915494])
        """
        return self._over(x, lambda points: sum(self.sides(points)))

    def zeta_exact(self, x: Real) -> Fraction | None:
        """zeta(x) as a rational number, if a closed form gives one."""
        form = self.closed_form
        if form is None:
            return None
        if form.exact is not None:
            return form.exact(exact(x))
        if form.where and exact(x) == 0:
            return None
        try:
            value = enclose(form.formula, x=exact(x))
        except NoValueError:
            return None
        return value if isinstance(value, Fraction) else None

    @overload
    def right_share(self, x: float) -> float: ...
    @overload
    def right_share(self, x: Sequence[float] | Array) -> Array: ...
    def right_share(self, x: Any) -> Any:
        """The part of zeta(x) that comes from W > 0; nan where zeta(x) = 0."""

        def share(points: Array) -> Array:
            left, right = self.sides(points)
            with np.errstate(invalid="ignore"):
                return np.asarray(right / (left + right))

        return self._over(x, share)

    @overload
    def density_of_kinks(self, x: float) -> float: ...
    @overload
    def density_of_kinks(self, x: Sequence[float] | Array) -> Array: ...
    def density_of_kinks(self, x: Any) -> Any:
        """The density p_C of the kinks C = -B/W."""
        return self._over(x, lambda points: sum(self.sides(points, 0)))

    @property
    def weight_second_moment(self) -> float:
        """E[W²] = ∫ zeta."""
        return self.moment(2, 0)

    @property
    def mixed_second_moment(self) -> float:
        """E[W B] = -∫ x zeta(x) dx."""
        return self.moment(1, 1)

    @property
    def bias_second_moment(self) -> float:
        """E[B²] = ∫ x² zeta(x) dx."""
        return self.moment(0, 2)

    @property
    def mean(self) -> tuple[float, float]:
        """(E W, E B)."""
        return self.moment(1, 0), self.moment(0, 1)

    def zeta_by_sampling(self, edges: ArrayLike, draws: int, rng: np.random.Generator) -> SampledZeta:
        """The mean of zeta over each interval between the edges, estimated from draws of (W, B) alone."""
        return zeta_by_sampling(self.sample, edges, draws, rng)

    def _over(self, x: Any, function: Any) -> Any:
        points = np.asarray(x, float)
        if not np.isfinite(points).all():
            raise DataError("x must be finite numbers: there is a NaN or an infinity among them")
        values = np.asarray(function(points.ravel())).reshape(points.shape)
        return float(values) if points.ndim == 0 else values

    def __str__(self) -> str:
        return self.text
