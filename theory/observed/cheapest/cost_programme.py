"""Observed: the cost of a piecewise-linear function, by an exact linear programme over units of norm one.

min Σ|u| subject to Σ u[w(x−b)]₊ + c = f(x), with w = ±1 and kinks b in a finite set K that holds the kinks of f.
Two functions with kinks in K are equal if they agree on K and at one point beyond each end, so finitely many
constraints suffice. A kink outside K can only contribute a pair u[x−b]₊ − u[b−x]₊ = u(x−b), which a kink in K provides
at the same cost up to a constant. Hence the optimum is the infimum over all kinks, (5), and over all measures, (8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction


@dataclass(frozen=True)
class Polyline:
    """offset + left_slope·x + Σ jump·[x−kink]₊."""

    jumps: Mapping[Fraction, Fraction]
    left_slope: Fraction = Fraction(0)
    offset: Fraction = Fraction(0)

    @classmethod
    def of(cls, jumps: Mapping[Number, Number], left_slope: Number = 0, offset: Number = 0) -> Polyline:
        return cls({Fraction(b): Fraction(u) for b, u in jumps.items()}, Fraction(left_slope), Fraction(offset))

    def __call__(self, x: Fraction) -> Fraction:
        return (
            self.offset
            + self.left_slope * x
            + sum((u * max(x - b, Fraction(0)) for b, u in self.jumps.items()), Fraction(0))
        )

    def __add__(self, other: Polyline) -> Polyline:
        jumps = dict(self.jumps)
        for b, u in other.jumps.items():
            jumps[b] = jumps.get(b, Fraction(0)) + u
        return Polyline(jumps, self.left_slope + other.left_slope, self.offset + other.offset)

    def times(self, factor: Number) -> Polyline:
        scaled = {b: factor * u for b, u in self.jumps.items()}
        return Polyline(scaled, factor * self.left_slope, factor * self.offset)


def representation(
    f: Callable[[Fraction], Fraction], kinks: Sequence[Number], output_bias: bool = True
) -> tuple[Fraction, tuple[tuple[int, Fraction, Fraction], ...]]:
    """The exact least ‖u‖₁ and the units (w, b, u) of a network Σ u[w(x−b)]₊ (+ c) that attains it.

    >>> tent = Polyline.of({-1: 1, 0: -2, 1: 1})
    >>> representation(tent, list(tent.jumps))[0]
    Fraction(4, 1)
    >>> representation(Polyline.of({}, left_slope=1), [0])[0]
    Fraction(2, 1)
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    K = sorted({Fraction(b) for b in kinks})
    points = [K[0] - 1, *K, K[-1] + 1]
    atoms = [(w, b) for b in K for w in (1, -1)]
    rows: list[list[Number]] = []
    for x in points:
        features = [max(w * (x - b), Fraction(0)) for w, b in atoms]
        rows.append([*features, *(-z for z in features), *([1] if output_bias else [])])
    n = len(atoms)
    found = optimum(
        [1] * (2 * n) + [0] * output_bias, rows, [f(x) for x in points], free=[False] * (2 * n) + [True] * output_bias
    )
    units = [(w, b, found.primal[i] - found.primal[n + i]) for i, (w, b) in enumerate(atoms)]
    return found.value, tuple(u for u in units if u[2] != 0)


@dataclass(frozen=True)
class Interpolation:
    """The least cost of an interpolant, the units of a network that attains it, and the optimal multipliers."""

    cost: Fraction
    units: tuple[tuple[int, Fraction, Fraction], ...]
    prices: tuple[Fraction, ...]


def interpolation(x: Sequence[Number], y: Sequence[Number]) -> Interpolation:
    """min ‖u‖₁ subject to Σ u[w(xₙ−b)]₊ + c = yₙ, with an optimal vertex and prices ν: Σνₙyₙ = cost.

    The price Σνₙ[w(xₙ−b)]₊ of a unit is piecewise linear in its kink b with corners at the data and, since Σνₙ = 0,
    constant outside them. Hence kinks at the data suffice, for finite networks and for measures.

    >>> found = interpolation([-1, 0, 1], [0, 1, 0])
    >>> found.cost, found.prices
    (Fraction(2, 1), (Fraction(-1, 1), Fraction(2, 1), Fraction(-1, 1)))
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    data = [Fraction(z) for z in x]
    atoms = [(w, b) for b in data for w in (1, -1)]
    rows: list[list[Number]] = []
    for z in data:
        features = [max(w * (z - b), Fraction(0)) for w, b in atoms]
        rows.append([*features, *(-feature for feature in features), 1])
    n = len(atoms)
    found = optimum([1] * (2 * n) + [0], rows, list(y), free=[False] * (2 * n) + [True])
    units = [(w, b, found.primal[i] - found.primal[n + i]) for i, (w, b) in enumerate(atoms)]
    return Interpolation(found.value, tuple(u for u in units if u[2] != 0), found.dual_eq)
