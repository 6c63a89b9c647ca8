"""Exact contact sets of a dual: the directions that contain the support of every minimiser.

For p in Q^n let g(θ) = Σ p_i [θ·x̃_i]_+ and let the weight be w(θ) = |θ| + l·θ (l = 0: the total variation). On a
closed cell, g = v·θ with v = Σ p_i x̃_i over its active data, so σg <= w there means (σv - l)·θ <= |θ|: the projection
of σv - l on the cell has length at most 1. The projection is found in rationals by trying the sets of walls on which
it may lie (floating point only suggests which to try first), so "length exactly 1" is decidable. If the length is 1,
the projection is the only direction of the cell with σg = w.

If p·y = Σ|c_j|w(θ_j) for some interpolant, p is optimal, and all atoms of every minimiser are at contacts, with the
sign of g there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from implicitbias.exact.vectors import dot, rational_root

Rational = Fraction | int
Point = tuple[Fraction, ...]
Pattern = tuple[bool, ...]

NEGLIGIBLE = 1e-9
"""Multipliers below this fraction of the largest are dropped from the guess, which is then verified in rationals."""


@dataclass(frozen=True)
class Contact:
    """A unit direction θ with σ g(θ) = w(θ), and the closed cells (by number) that contain it."""

    theta: Point
    sign: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Touching:
    """Projections and contacts of a dual on all cells.

    patterns  activation patterns of all full-dimensional cells, sorted
    largest   max over cells and signs of |projection|²: p is feasible if it is at most 1
    contacts  all contacts if `largest` is 1; otherwise empty
    strict    the largest |projection|² other than 1 over cells and signs
    above, below  for each cell the (i, μ_i) of the walls active in the projection of v - l, and of -v - l
    """

    patterns: tuple[Pattern, ...]
    largest: Fraction
    contacts: tuple[Contact, ...]
    strict: Fraction
    above: tuple[tuple[tuple[int, Fraction], ...], ...]
    below: tuple[tuple[tuple[int, Fraction], ...], ...]


def lift(x: Sequence[Rational | str]) -> Point:
    """x̃ = (x, 1)."""
    return (*(Fraction(value) for value in x), Fraction(1))


def unit(theta: Sequence[Rational]) -> Point:
    """θ/|θ|. Raises ValueError if |θ| is irrational."""
    length = rational_root(dot(theta, theta))
    return tuple(Fraction(t) / length for t in theta)


def touching(points: Sequence[Point], p: Sequence[Rational], shift: Sequence[Rational] | None = None) -> Touching:
    """All contacts of the dual p for the weight |θ| + shift·θ. Cost: cells times subsets of up to d + 1 walls."""
    from implicitbias.convex.cells.arrangement import cells_of

    cells = cells_of([x[:-1] for x in points])
    size = len(points[0])
    tilt = [Fraction(value) for value in (shift or (0,) * size)]
    patterns = tuple(tuple(bool(on) for on in row) for row in cells.patterns)
    found: dict[tuple[Point, int], None] = {}
    sides: dict[int, list[tuple[tuple[int, Fraction], ...]]] = {1: [], -1: []}
    lengths = []
    for pattern in patterns:
        v = [
            sum((Fraction(q) * x[j] for on, q, x in zip(pattern, p, points, strict=True) if on), Fraction(0))
            for j in range(size)
        ]
        for sign in (1, -1):
            theta, walls = projection(points, pattern, [sign * a - b for a, b in zip(v, tilt, strict=True)])
            sides[sign].append(walls)
            lengths.append(dot(theta, theta))
            if lengths[-1] == 1:
                found[theta, sign] = None
    largest = max(lengths)
    contacts = tuple(
        Contact(theta, sign, _closed_cells(points, patterns, theta)) for theta, sign in (found if largest == 1 else ())
    )
    strict = max((s for s in lengths if s != 1), default=Fraction(0))
    return Touching(patterns, largest, contacts, strict, tuple(sides[1]), tuple(sides[-1]))


def in_cell(points: Sequence[Point], pattern: Pattern, theta: Sequence[Rational]) -> bool:
    """Whether θ lies in the closed cell of the pattern."""
    heights = [dot(theta, x) for x in points]
    return all(h >= 0 if on else h <= 0 for on, h in zip(pattern, heights, strict=True))


def _closed_cells(points: Sequence[Point], patterns: Sequence[Pattern], theta: Sequence[Rational]) -> tuple[int, ...]:
    """The closed cells, by number, that contain θ."""
    heights = [dot(theta, x) for x in points]
    decided = [(i, h > 0) for i, h in enumerate(heights) if h]
    return tuple(k for k, pattern in enumerate(patterns) if all(pattern[i] == on for i, on in decided))


def projection(
    points: Sequence[Point], pattern: Pattern, v: Sequence[Fraction]
) -> tuple[Point, tuple[tuple[int, Fraction], ...]]:
    """The point of the closed cell nearest to v, and μ >= 0 with projection = v + Σ μ_i s_i x̃_i, exactly.

    s_i = 1 where the pattern is active, -1 elsewhere. Some set of walls yields the projection, and no other point of
    the cell passes the test.
    """
    sides = [tuple(t if on else -t for t in x) for on, x in zip(pattern, points, strict=True)]
    for chosen in _subsets(sides, v):
        mu = _multipliers([sides[i] for i in chosen], v)
        if mu is None or any(m < 0 for m in mu):
            continue
        pushed = [sum((m * sides[i][j] for m, i in zip(mu, chosen, strict=True)), Fraction(0)) for j in range(len(v))]
        theta = tuple(a + b for a, b in zip(v, pushed, strict=True))
        if all(dot(theta, side) >= 0 for side in sides):
            return theta, tuple((i, m) for i, m in zip(chosen, mu, strict=True) if m)
    raise ArithmeticError("no set of walls carries the projection: the cell is not closed or not convex")


def _subsets(sides: Sequence[Point], v: Sequence[Fraction]) -> Iterator[tuple[int, ...]]:
    """All sets of up to d + 1 walls, starting with the one suggested by floating-point nonnegative least squares."""
    import numpy as np
    from scipy.optimize import nnls

    table = np.array([[float(t) for t in side] for side in sides])
    guess = nnls(table.T, -np.array([float(t) for t in v]))[0]
    yield tuple(int(i) for i in np.flatnonzero(guess > NEGLIGIBLE * guess.max(initial=0.0)))
    for count in range(min(len(sides), len(v)) + 1):
        yield from combinations(range(len(sides)), count)


def _multipliers(walls: Sequence[Point], v: Sequence[Fraction]) -> list[Fraction] | None:
    """μ for which v + Σ μ_i wall_i is orthogonal to the walls; None if the walls are linearly dependent."""
    count = len(walls)
    table = [[dot(a, b) for b in walls] + [-dot(a, v)] for a in walls]
    for k in range(count):
        pivot = next((r for r in range(k, count) if table[r][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [value / table[k][k] for value in table[k]]
        for r in range(count):
            if r != k and table[r][k]:
                table[r] = [a - table[r][k] * b for a, b in zip(table[r], table[k], strict=True)]
    return [row[-1] for row in table]
