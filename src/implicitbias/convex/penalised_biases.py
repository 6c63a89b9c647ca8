"""Problem (4) of Stewart et al. (2022) in one dimension: the bias counts in the norm of a unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Real


@dataclass(frozen=True)
class Unit:
    """x -> v·[a x + b]_+, any (a, b) != 0, (0, 1) being a constant; it costs |v|·√(a² + b²)."""

    v: Fraction
    a: Fraction
    b: Fraction

    def __call__(self, x: Fraction) -> Fraction:
        return self.v * max(Fraction(0), self.a * x + self.b)


@dataclass(frozen=True)
class BiasPenalisedInterpolant:
    """Exact units through the data and an exact feasible dual: lower <= the optimum of problem (4) <= upper.

    x, y    the data
    units   f(x_i) = y_i exactly; Σ|v|√(a²+b²) <= upper
    alpha   |Σ_i α_i [a x_i + b]_+| <= 1 for all a² + b² = 1; Σ α_i y_i = lower
    """

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    units: tuple[Unit, ...]
    alpha: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    def certificate(self) -> dict[str, Any]:
        raise NotImplementedError


def bias_penalised_interpolant(x: Iterable[Real], y: Iterable[Real]) -> BiasPenalisedInterpolant:
    """min Σ_j |v_j| over f(x) = Σ_j v_j [a_j x + b_j]_+ with a_j² + b_j² = 1 and f(x_i) = y_i  (problem (4), d = 2).

    In kinks c = -b/a the cost of a ramp is √(1 + c²): optimal kinks may lie off the data, which is why Proposition 1
    does not extend to (4): on x = (-1, -1/2, 1/2, 1), y = (0, 0, 1, 3) one kink at 1/4 costs √17, where kinks at the
    data cost √20.
    """
    raise NotImplementedError
