"""Random rescalings of the layers of a deep sub-network."""

from __future__ import annotations

import random
from fractions import Fraction


def root_of_product(draw: random.Random) -> Fraction:
    """A random rational q > 0, so that the L-th root of a product p = q^L of L norms is rational."""
    return Fraction(draw.randint(1, 12), draw.choice([1, 2, 3, 5]))


def rescalings(draw: random.Random, count: int, depth: int) -> list[list[Fraction]]:
    """Random positive factors with product 1, one per layer."""
    found = []
    for _ in range(count):
        factors = [Fraction(draw.randint(1, 30), draw.randint(1, 30)) for _ in range(depth - 1)]
        last = Fraction(1)
        for f in factors:
            last /= f
        found.append([*factors, last])
    return found
