"""Exact rational tests for equality along a chord: for square roots of quadratic forms and for directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from implicitbias.claims import Value


def root_chord(p: Fraction, q: Fraction, middle: Fraction, share: Fraction) -> tuple[bool, bool]:
    """(λ√p + (1-λ)√q = √middle, λ√p + (1-λ)√q >= √middle) for p, q, middle >= 0 and λ = share in (0, 1).

    Squaring once compares 2λ(1-λ)√(pq) with middle - λ²p - (1-λ)²q; squaring again removes the remaining root.

    >>> root_chord(Fraction(2), Fraction(8), Fraction(9, 2), Fraction(1, 2))
    (True, True)
    """
    rest = (middle - share**2 * p - (1 - share) ** 2 * q) / (2 * share * (1 - share))
    return rest >= 0 and rest**2 == p * q, rest <= 0 or rest**2 <= p * q


def mixed(theta: Sequence[Fraction], other: Sequence[Fraction], share: Fraction) -> tuple[Fraction, ...]:
    """λθ + (1-λ)θ'."""
    return tuple(share * p + (1 - share) * q for p, q in zip(theta, other, strict=True))


def non_negative_multiples(u: Sequence[Fraction], v: Sequence[Fraction]) -> bool:
    """Whether u or v is a non-negative multiple of the other."""
    parallel = all(p * t == q * s for p, q in zip(u, v, strict=True) for s, t in zip(u, v, strict=True))
    return parallel and all(p * q >= 0 for p, q in zip(u, v, strict=True))


def vector(given: Mapping[str, Value], name: str) -> list[Fraction]:
    """The tuple of numbers stored in an instance under `name`, as fractions."""
    found = given[name]
    if not isinstance(found, tuple):
        raise TypeError(f"the instance gives no {name}")
    return [Fraction(value) for value in found]
