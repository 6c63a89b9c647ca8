"""Problem (10) of Stewart et al. (2022): the classifier of smallest group norm with margin one, with certified bounds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Real


@dataclass(frozen=True)
class GroupRamp:
    """x -> weights·[s(x - kink)]_+ in R^k, s = +1 for a right ramp, -1 for a left one."""

    side: int
    kink: Fraction
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class MaxMargin:
    """An exact feasible classifier and an exact feasible dual: lower <= the optimum of problem (10) <= upper.

    x, labels   the data; classes  the k classes in order, so that labels[i] is one of them
    kinks   (A, B), the range of the kinks
    ramps   f_{y_i}(x_i) - f_l(x_i) >= 1 for all i and l != y_i, exactly, at all data; Σ‖weights‖ <= upper
    beta    {(i, l): β_il >= 0}, l a position in classes: α_i = Σ_l β_il (e_{y_i} - e_l), ‖Σ_i α_i φ_u(x_i)‖ <= 1 for
            all u, exactly; Σ β = lower
    status  what the solver said ("closed form" where none was needed); nothing rests on it
    """

    x: tuple[Fraction, ...]
    labels: tuple[Hashable, ...]
    classes: tuple[Hashable, ...]
    kinks: tuple[Fraction, Fraction]
    ramps: tuple[GroupRamp, ...]
    beta: dict[tuple[int, int], Fraction]
    lower: Fraction
    upper: Fraction
    status: str

    @property
    def value(self) -> float:
        """The optimum to double precision, if the gap allows: the middle of the bounds."""
        return float((self.lower + self.upper) / 2)

    @property
    def gap(self) -> Fraction:
        """(upper - lower)/upper."""
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)

    @property
    def margin(self) -> float:
        """1/value: the largest normalised margin, which trained networks approach from below."""
        return 1 / self.value

    @property
    def support(self) -> tuple[int, ...]:
        """R_class as positions in x (`supports.classification_support`)."""
        raise NotImplementedError

    @property
    def active(self) -> tuple[tuple[int, Fraction], ...]:
        """The (s, c) where the dual norm is 1 to within the gap: no optimum has kinks at other data."""
        raise NotImplementedError

    def scores(self, x: Real) -> tuple[Fraction, ...]:
        """f(x) in R^k, exactly."""
        raise NotImplementedError

    def classify(self, x: Real) -> Hashable:
        """The class of largest score (the first in case of a tie)."""
        raise NotImplementedError

    def dual_norms(self) -> dict[tuple[int, Fraction], float]:
        """‖Σ_i α_i φ_u(x_i)‖ at the data kinks u = (s, c)."""
        raise NotImplementedError

    def certificate(self) -> dict[str, Any]:
        raise NotImplementedError


def max_margin(
    x: Iterable[Real],
    labels: Sequence[Hashable],
    classes: Sequence[Hashable] | None = None,
    kinks: tuple[Real, Real] | None = None,
) -> MaxMargin:
    """min Σ_j ‖w_j‖ over f(x) = Σ_j w_j [s_j(x - c_j)]_+, w_j in R^k, kinks in [A, B], with margins
    f_{y_i}(x_i) - f_l(x_i) >= 1 for all i and l != y_i  (problem (10)).

    x       increasing; labels  as many, words or numbers
    classes the k classes, by default the labels that occur, sorted; more may be given (unused classes raise the value)
    kinks   (A, B): see `ramps.kink_range`
    """
    raise NotImplementedError
