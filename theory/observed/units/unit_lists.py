"""Networks Σ v [w x + b]_+ on the line as plain lists of rational units (w, b, v)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.exact.vectors import relu

Unit = tuple[Fraction, Fraction, Fraction]
"""(w, b, v)."""


def value(units: Sequence[Unit], x: Fraction) -> Fraction:
    """Σ v [w x + b]_+."""
    return sum((v * relu(w * x + b) for w, b, v in units), Fraction(0))


def squares(units: Sequence[Unit]) -> Fraction:
    """‖θ‖² = Σ (w² + b² + v²)."""
    return sum((w * w + b * b + v * v for w, b, v in units), Fraction(0))
