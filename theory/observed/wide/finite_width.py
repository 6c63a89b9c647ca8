"""Finite networks of rational units (w_i, b_i), with exact training of the output layer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.exact.vectors import relu

from .exact_laws import Kernel, Number
from .interpolants import Trained

Unit = tuple[Fraction, Fraction]


def random_units(draw: random.Random, n: int, reach: int = 2) -> list[Unit]:
    """n random units with kinks in [-reach, reach] and weights w of both signs, 1/4 <= |w| <= 2."""
    units = []
    for _ in range(n):
        w = Fraction(draw.randint(1, 8), 4) * draw.choice([-1, 1])
        units.append((w, -w * Fraction(draw.randint(-16 * reach, 16 * reach), 16)))
    return units


def feature(unit: Unit, x: Number) -> Fraction:
    """[wx + b]_+."""
    w, b = unit
    return relu(w * x + b)


def empirical_kernel(units: Sequence[Unit]) -> Kernel:
    """K_n(x, x') = (1/n) Σ [w_i x + b_i]_+ [w_i x' + b_i]_+."""

    def kernel(x: Number, z: Number) -> Fraction:
        return sum((feature(u, x) * feature(u, z) for u in units), Fraction(0)) / len(units)

    return kernel


def densities(f: Trained, units: Sequence[Unit]) -> list[Fraction]:
    """α_i = Σ_j λ_j [w_i x_j + b_i]_+, so that (1/n) Σ α_i [w_i x + b_i]_+ is the trained function."""
    return [sum((m * feature(u, p) for m, p in zip(f.multipliers, f.x, strict=True)), Fraction(0)) for u in units]
