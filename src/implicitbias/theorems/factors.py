"""The factors of polynomials, found once: the same ones are met in setting after setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Polynomial = Any  # python-flint's fmpq_mpoly is not typed


@dataclass(frozen=True)
class _Written:
    """A polynomial by its text: python-flint's have no hash."""

    text: str
    polynomial: Polynomial = field(compare=False)


@lru_cache(maxsize=1 << 12)
def _factors_of(written: _Written) -> Any:
    return written.polynomial.factor()


def factored(polynomial: Polynomial) -> tuple[Any, list[tuple[Polynomial, int]]]:
    """The content, and the factors with their exponents. All must be of one context: they are known by their text."""
    content, factors = _factors_of(_Written(str(polynomial), polynomial))
    return content, factors
