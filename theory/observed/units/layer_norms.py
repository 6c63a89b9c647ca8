"""Random rescalings of the layers of a deep sub-network."""

from __future__ import annotations

import random
from fractions import Fraction


def root_of_product(draw: random.Random) -> Fraction:
    """A random q > 0; p = q^L is then a product of L norms whose roots are rational."""
    return Fraction(draw.randint(1, 12), draw.choice([1, 2, 3, 5]))


def rescalings(draw: random.Random, count: int, depth: int) -> list[list[Fraction]]:
    """Random positive factors with product 1, one a layer."""
    found = []
    for _ in range(count):
        factors = [Fraction(draw.randint(1, 30), draw.randint(1, 30)) for _ in range(depth - 1)]
        last = Fraction(1)
        for f in factors:
            last /= f
        found.append([*factors, last])
    return found
