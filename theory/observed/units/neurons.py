"""Neurons φ(x) = c·[aᵀx + b]_+ in fractions, and the averages over data that define the weights in Section 3.

Gradients are difference quotients: φ is affine in each single parameter as long as no wall is crossed, so the
quotients are exact and no formula for the gradient is used.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.vectors import dot

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Neuron:
    """x ↦ c·[aᵀx + b]_+ with θ = (a, b), b last."""

    theta: Point
    c: Fraction

    def before(self, x: Sequence[Fraction]) -> Fraction:
        """aᵀx + b."""
        return dot(self.theta, lifted(x))

    def __call__(self, x: Sequence[Fraction]) -> Fraction:
        return self.c * max(self.before(x), Fraction(0))

    def scaled(self, inner: Fraction, outer: Fraction) -> Neuron:
        """(inner·a, inner·b, outer·c)."""
        return Neuron(tuple(inner * t for t in self.theta), outer * self.c)


def lifted(x: Sequence[Fraction]) -> Point:
    """x̃ = (x, 1)."""
    return (*x, Fraction(1))


def squared_gradient(neuron: Neuron, x: Sequence[Fraction]) -> Fraction:
    """|∇φ|² with respect to (a, b, c) at x, by exact difference quotients.

    Raises ValueError on a wall, where φ has no gradient.

    >>> F = Fraction
    >>> squared_gradient(Neuron((F(1), F(1)), F(3)), (F(2),))  # 3² + 3²(2² + 1)
    Fraction(54, 1)
    """
    height = neuron.before(x)
    if height == 0:
        raise ValueError("the neuron has its hinge at the point: no gradient there")
    largest = max(abs(value) for value in lifted(x))
    step = abs(height) / (2 * largest)
    moved = []
    for k in range(len(neuron.theta)):
        ends = [
            Neuron(tuple(t + (h if j == k else 0) for j, t in enumerate(neuron.theta)), neuron.c)(x)
            for h in (step, -step)
        ]
        moved.append((ends[0] - ends[1]) / (2 * step))
    moved.append((Neuron(neuron.theta, neuron.c + 1)(x) - Neuron(neuron.theta, neuron.c - 1)(x)) / 2)
    return sum((g * g for g in moved), Fraction(0))


def gradient_potential(neuron: Neuron, data: Sequence[Point]) -> Fraction:
    """Ṽ_b: the mean of |∇φ|² over the data."""
    return sum((squared_gradient(neuron, x) for x in data), Fraction(0)) / len(data)


def mean_square_output(theta: Sequence[Fraction], data: Sequence[Point]) -> Fraction:
    """A = E[(aᵀx + b)_+²]."""
    unit = Neuron(tuple(theta), Fraction(1))
    return sum((unit(x) ** 2 for x in data), Fraction(0)) / len(data)


def mean_active_length(theta: Sequence[Fraction], data: Sequence[Point], walls: bool = False) -> Fraction:
    """B = E[(1 + |x|²)·1{aᵀx + b > 0}]; with `walls`, 1{aᵀx + b >= 0}."""
    unit = Neuron(tuple(theta), Fraction(1))
    heights = [(unit.before(x), dot(lifted(x), lifted(x))) for x in data]
    total = sum((q for z, q in heights if z > 0 or (walls and z == 0)), Fraction(0))
    return total / len(data)


def mean_length(data: Sequence[Point]) -> Fraction:
    """E[1 + |x|²] over all data, active or not."""
    return sum((dot(lifted(x), lifted(x)) for x in data), Fraction(0)) / len(data)


def activity(theta: Sequence[Fraction], data: Sequence[Point]) -> Fraction:
    """The fraction of the data on which the neuron is active."""
    unit = Neuron(tuple(theta), Fraction(1))
    return Fraction(sum(unit.before(x) > 0 for x in data), len(data))


def on_a_wall(theta: Sequence[Fraction], data: Sequence[Point]) -> bool:
    """Whether the hinge contains a datum."""
    unit = Neuron(tuple(theta), Fraction(1))
    return any(unit.before(x) == 0 for x in data)


def random_fraction(draw: random.Random, size: int = 6) -> Fraction:
    return Fraction(draw.randint(-12 * size, 12 * size), draw.choice((1, 2, 3, 4, 12)) * 6)


def random_data(draw: random.Random, n: int, d: int) -> list[Point]:
    """n distinct points of dimension d with small fractions as coordinates."""
    found: list[Point] = []
    while len(found) < n:
        x = tuple(random_fraction(draw) for _ in range(d))
        if x not in found:
            found.append(x)
    return found


def random_neuron(draw: random.Random, data: Sequence[Point], alive: bool = True) -> Neuron:
    """A neuron with c ≠ 0 and no datum on its hinge; if `alive`, active at some datum."""
    while True:
        theta = tuple(random_fraction(draw) for _ in range(len(data[0]) + 1))
        c = random_fraction(draw)
        if c and not on_a_wall(theta, data) and (not alive or activity(theta, data)):
            return Neuron(theta, c)


def random_unit_vector(draw: random.Random, size: int) -> Point:
    """A point of the unit sphere of R^size with rational coordinates (stereographic projection)."""
    t = [random_fraction(draw, 2) for _ in range(size - 1)]
    square = dot(t, t)
    vector = [2 * value / (1 + square) for value in t] + [(1 - square) / (1 + square)]
    draw.shuffle(vector)
    return tuple(vector)


def squared_network_gradient(neurons: Sequence[Neuron], x: Sequence[Fraction]) -> Fraction:
    """Σ_j |∇_j f|² at x for f = (1/m) Σ φ_j, by difference quotients of the network output."""

    def output(changed: int, neuron: Neuron) -> Fraction:
        parts = (neuron if j == changed else other for j, other in enumerate(neurons))
        return sum((part(x) for part in parts), Fraction(0)) / len(neurons)

    total = Fraction(0)
    for j, neuron in enumerate(neurons):
        height = neuron.before(x)
        if height == 0:
            raise ValueError("a neuron has its hinge at the point: no gradient there")
        step = abs(height) / (2 * max(abs(value) for value in lifted(x)))
        moves = [
            tuple(Neuron(tuple(t + (h if i == k else 0) for i, t in enumerate(neuron.theta)), neuron.c) for h in ends)
            for k in range(len(neuron.theta))
            for ends in [(step, -step)]
        ]
        moves.append(tuple(Neuron(neuron.theta, neuron.c + h) for h in (step, -step)))
        for up, down in moves:
            total += ((output(j, up) - output(j, down)) / (2 * step)) ** 2
    return total
