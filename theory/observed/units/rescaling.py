"""The label-noise potential of a neuron along its rescalings (λa, λb, c/λ), which leave its function unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from ..cheapest.convex_minimum import Bracket, convex_minimum
from .neurons import Neuron, Point, gradient_potential


def least_potential(neuron: Neuron, data: Sequence[Point]) -> Bracket:
    """min over λ > 0 of Ṽ_b(λa, λb, c/λ), evaluated by difference quotients; needs c ≠ 0 and no datum on the hinge.

    >>> from fractions import Fraction as F
    >>> found = least_potential(Neuron((F(1), F(1)), F(1)), [(F(0),), (F(1),)])
    >>> found.value.lower**2 <= 15 <= found.value.upper**2
    True
    """
    return convex_minimum(lambda scale: gradient_potential(neuron.scaled(scale, 1 / scale), data))
