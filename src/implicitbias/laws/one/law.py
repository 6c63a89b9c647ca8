"""The law of one real variable, a weight W or a bias B: what every law must provide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from implicitbias.errors import DataError
from implicitbias.laws.one.parameter import Parameter

Array = NDArray[np.float64]
Arb = flint.arb
Acb = flint.acb
BallDensity = Callable[[Acb, bool], Acb]
"""(z, analytic) -> density, as acb.integral calls it."""
Shape = int | tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """An interval on which a density is analytic. An end that is None lies at infinity."""

    lower: Arb | None
    upper: Arb | None
    density: BallDensity


@dataclass(frozen=True)
class Atom:
    """A point that has positive probability."""

    place: Parameter
    mass: float


@dataclass(frozen=True, eq=False)
class Pole:
    """An end of a support where P(|X - place| <= t) ~ t^exponent with exponent < 1: the density is infinite.

    inside  +1 at a lower end, -1 at an upper one
    """

    place: float
    inside: int
    exponent: float


class Law(ABC):
    """A law on the real line: a density, or atoms.

    Densities include the ends of the support: `uniform(-2,2)` has density 1/4 at 2.
    """

    @property
    @abstractmethod
    def text(self) -> str:
        """How `law(text)` reads it."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """The least closed interval of probability one."""

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether X and -X have the same law."""

    @property
    def ends(self) -> tuple[Parameter | None, Parameter | None]:
        """The exact ends of the support; None for an infinite one."""
        return None, None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return ()

    @abstractmethod
    def density(self, x: Array) -> Array:
        """The density at the points x; 0 where the law has atoms only."""

    @property
    def singular(self) -> tuple[Pole, ...]:
        """The ends where the density is infinite. `density` is finite there too, so that sums over panels are."""
        return ()

    def height(self, x: Array) -> Array:
        """The density at the points x, infinite at singular ends."""
        return np.where(np.isin(x, [end.place for end in self.singular]), np.inf, self.density(x))

    @property
    @abstractmethod
    def knots(self) -> Array:
        """Increasing points between which Gauss-Legendre quadrature resolves the density to rounding.

        They include all points where the density is not analytic. Before the first and after the last there is less
        probability than a double can add.
        """

    @property
    @abstractmethod
    def kinks(self) -> tuple[float, ...]:
        """The points where the density is not smooth, finite ends of the support among them."""

    @property
    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """The density in ball arithmetic. Raises DataError if it is known in floating point only."""

    @abstractmethod
    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        """(h, alpha) with p(x) <= h (reach/|x|)^alpha wherever |x| >= reach: rigorous."""

    @property
    @abstractmethod
    def moments_below(self) -> float:
        """E|X|^k is finite for all k below this number."""

    @abstractmethod
    def partial_moment(self, k: int, t: Array) -> Array:
        """E[X^k 1{X > t}] for k <= 4, at the points t; t may be infinite."""

    @abstractmethod
    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        """Independent draws."""

    def formula(self, x: str) -> str | None:
        """The density at x in the formula language, if one formula holds on the whole line."""
        return None

    def symbolic(self, x: Any) -> tuple[tuple[Any, Any, Any], ...]:
        """The density in sympy, one (lower, upper, expression in x) per piece. Raises DataError if there is none."""
        raise DataError(f"{self.text} has no symbolic density here")

    def moment(self, k: int) -> float:
        """E[X^k]. Raises DataError if it does not exist."""
        self.require_moment(k)
        return float(self.partial_moment(k, np.array([-np.inf]))[0])

    def require_moment(self, k: float) -> None:
        """Raises DataError if E|X|^k is infinite."""
        if k >= self.moments_below:
            raise DataError(
                f"E|X|^{k:g} is infinite for {self.text}: it has moments of orders below {self.moments_below:g} only"
            )

    def __str__(self) -> str:
        return self.text
