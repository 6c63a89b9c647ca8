"""Entropic problems on small grids of parameters: data on the line, several temperatures λ and factors τ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.vectors import dot, relu

from .contact_sets import lift
from .entropic import Entropic, entropic_minimiser

Parameters = tuple[Fraction, tuple[Fraction, ...]]
"""(c, θ)."""

CONFINED = (
    ("1/10", "1/2"),
    ("2/5", "1/20"),
    ("1/50", "1/3"),
    ("1/4", "1/8"),
    ("3/10", "2/5"),
    ("1/20", "1/10"),
    ("1/3", "1/4"),
    ("3/20", "3/40"),
    ("1/5", "1/6"),
    ("1/30", "1/15"),
    ("1/7", "1"),
    ("3/5", "7/4"),
)
"""τ and λ of the problems, two for each set of data: no two alike."""


@dataclass(frozen=True)
class Problem:
    """Data, a grid of parameters, τ and λ; potential c² + |θ|²."""

    label: str
    points: tuple[tuple[Fraction, ...], ...]
    y: tuple[Fraction, ...]
    grid: tuple[Parameters, ...]
    tau: Fraction
    lam: Fraction

    @property
    def features(self) -> list[list[Fraction]]:
        return [[c * relu(dot(t, x)) for c, t in self.grid] for x in self.points]

    @property
    def potential(self) -> list[Fraction]:
        return [c * c + dot(t, t) for c, t in self.grid]

    def solved(self) -> Entropic:
        return entropic_minimiser(self.features, self.y, self.potential, self.tau, self.lam)


def problems(small: bool) -> list[Problem]:
    """Problems with one, two and three data points on the line; λ and τ vary apart."""
    values = [Fraction(v) for v in ((-2, -1, 0, 1, 2) if small else range(-4, 5))]
    grid = tuple((c, (a, b)) for c in values for a in values[1:-1] for b in values[1:-1])
    data: list[tuple[str, list[int], list[Fraction]]] = [
        ("x = 0, y = 0", [0], [Fraction(0)]),
        ("x = 0, y = 1", [0], [Fraction(1)]),
        ("x = 1, y = -5", [1], [Fraction(-5)]),
        ("x = 0, 1", [0, 1], [Fraction(-1, 2), Fraction(1, 2)]),
        ("x = -2, 0, 2", [-2, 0, 2], [Fraction(1), Fraction(1, 2), Fraction(1)]),
        ("x = 1, y = -8", [1], [Fraction(-8)]),  # farther than the grid reaches: pulls of 16 and more
    ]
    confined = [(Fraction(a), Fraction(b)) for a, b in CONFINED]
    return [
        Problem(f"{label}, λ = {lam}, τ = {tau}", tuple(lift((t,)) for t in x), tuple(y), grid, tau, lam)
        for k, (label, x, y) in enumerate(data)
        for tau, lam in confined[2 * k : 2 * k + 2]
    ]
