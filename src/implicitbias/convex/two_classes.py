"""Problem (10) with two classes, in closed form with its dual."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from implicitbias.exact.rational import Real


def two_class_variation(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None = None
) -> Fraction:
    """√2 times the value of problem (10) with k = 2: the smallest variation of f with σ_i f(x_i) >= 1, σ_i = ±1.

    J label changes, across gaps of lengths g_1, …, g_J; H = (B - A)/2 and m = (A + B)/2 of the range of kinks (H = 1,
    m = 0 in the paper):
      J = 0   1/(H + dist(m, [x_1, x_n]))          J = 1   2/g_1
      J = 2   2/g_1 + 2/g_2 + 1/(H + dist(m, [middle run]))
      J >= 3  Σ_{j<J} (2/g_j + 2/g_{j+1}).
    """
    raise NotImplementedError


def two_class_dual(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None = None
) -> tuple[Fraction, ...]:
    """β_i >= 0 with Σ β_i = `two_class_variation` and |Σ_i σ_i β_i φ_u(x_i)| <= 1 for all u: the proof of a bound."""
    raise NotImplementedError
