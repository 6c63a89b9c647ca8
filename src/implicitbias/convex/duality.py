"""The dual of minimum-norm problems over ramps, for any norm of R^k (Stewart et al. 2022, problem (11), Lemma 1).

    primal   min ∫ Ω(dμ(u))  subject to f_μ(x_i) in S_i,  f_μ(x) = ∫ φ_u(x) dμ(u),  φ_(s,c)(x) = [s(x - c)]_+
    dual     max -Σ_i σ_{S_i}(α_i)  subject to Ω_*(Σ_i α_i φ_u(x_i)) <= 1 for every kink c of the range, s = ±1

Norms are exact where they are rational (l1, l∞) and decided exactly where they are roots: `at_most` compares squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Protocol

from implicitbias.exact.rational import Interval

Vector = Sequence[Fraction]
Kinks = tuple[Fraction, Fraction]


class Norm(Protocol):
    """A norm Ω of R^k on rational vectors."""

    name: str

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        """Whether Ω(v) <= bound, decided exactly."""

    def value(self, v: Vector, bits: int = 128) -> Fraction | Interval:
        """Ω(v): exact where it is rational by nature, else an interval whose width is at most 2^-bits of it."""

    def dual(self) -> Norm:
        """Ω_*(v) = max {v·w : Ω(w) <= 1}."""


class Set(Protocol):
    """A closed convex non-empty set S of R^k."""

    def contains(self, v: Vector) -> bool: ...

    def support(self, alpha: Vector) -> Fraction | None:
        """σ_S(α) = sup {w·α : w in S}; None where it is infinite."""
