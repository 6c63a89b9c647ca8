"""Exact bounds on the least total variation from approximate solutions, however inaccurate these are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.programmes.cone_projection import exact_shares
from implicitbias.convex.variation.peaks import Peaks
from implicitbias.convex.variation.polish import Atom
from implicitbias.convex.variation.programme import Array, multipliers
from implicitbias.exact.vectors import dot, network_at, relu, root_above

Multipliers = tuple[tuple[int, Fraction], ...]

BITS = 90
"""Numbers of the solver are rounded to multiples of 2^-BITS of the largest."""
REACHING = Fraction(999, 1000)
"""Where the dual is this close to the norm or exceeds it, floating-point multipliers are not enough."""
SMALL = 0.99
"""Sums shorter than this in floating point are below 1, whatever its rounding, and need no multipliers."""
STRONG = Fraction(1, 10**9)
"""Units of less than this share of all cost are rounding."""
REPAIRS = 3
"""How often the units are moved to reduce what they miss at the data, before ramps make up the rest."""


@dataclass(frozen=True)
class Unit:
    """x ↦ c·[θ·(x, 1)]_+, θ != 0; it costs |c|·|θ|."""

    c: Fraction
    theta: Point

    def __call__(self, lifted_point: Point) -> Fraction:
        return self.c * relu(dot(self.theta, lifted_point))

    @property
    def cost(self) -> Fraction:
        """|c|·|θ|, rounded up by a relative error of about 2^-96."""
        return root_above(self.c**2 * dot(self.theta, self.theta))


def strong_units(units: Sequence[Unit]) -> list[Unit]:
    """The units that cost more than rounding, the most expensive first."""
    least = STRONG * sum((unit.cost for unit in units), Fraction(0))
    return sorted((unit for unit in units if unit.cost > least), key=lambda unit: -unit.cost)


# From above: units that pass through the data exactly -----------------------------------------------------------------


def exact_units(points: Sequence[Point], y: Sequence[Fraction], atoms: Sequence[Atom]) -> list[Unit]:
    """Units near the atoms, rounded and moved, and (mostly tiny) ramps for what they miss: exact interpolation.

    points  (x, 1), all different
    """
    table = np.array([[float(value) for value in point] for point in points])
    thetas = [[Fraction(float(value)) for value in atom.u] for atom in atoms]
    best = list(thetas)
    residual = _missed(points, y, atoms, thetas)
    for _ in range(REPAIRS):
        size = max(map(abs, residual), default=Fraction(0))
        if not size or not atoms:
            break
        moves = _moves(table, atoms, np.array([float(value / size) for value in residual]))
        thetas = [
            [value + Fraction(float(step)) * size for value, step in zip(theta, move, strict=True)]
            for theta, move in zip(best, moves, strict=True)
        ]
        moved = _missed(points, y, atoms, thetas)
        if max(map(abs, moved)) >= size:
            break
        best, residual = thetas, moved
    units = [Unit(Fraction(atom.sign), tuple(theta)) for atom, theta in zip(atoms, best, strict=True) if any(theta)]
    return units + ramps_through(points, residual)


def _missed(
    points: Sequence[Point], y: Sequence[Fraction], atoms: Sequence[Atom], thetas: Sequence[Sequence[Fraction]]
) -> list[Fraction]:
    reached = network_at([atom.sign for atom in atoms], thetas, points)
    return [value - found for value, found in zip(y, reached, strict=True)]


def _moves(table: Array, atoms: Sequence[Atom], residual: Array) -> list[Array]:
    """The smallest changes of the atoms, each within its walls, that approximately remove the residual."""
    lengths = np.linalg.norm(table, axis=1)
    directions = table / lengths[:, None]
    blocks, bases = [], []
    for atom in atoms:
        heights = directions @ atom.u / np.linalg.norm(atom.u)
        wall = directions[np.abs(heights) <= 1e-12]
        basis = np.eye(table.shape[1])
        if len(wall):
            _, values, right = np.linalg.svd(wall)
            basis = right[int((values > 1e-9 * values.max()).sum()) :].T
        bases.append(basis)
        blocks.append(np.where((heights > 1e-12)[:, None], directions @ basis, 0.0) * atom.sign)
    step = np.linalg.lstsq(np.hstack(blocks), residual / lengths, rcond=1e-12)[0]
    splits = np.cumsum([basis.shape[1] for basis in bases])[:-1]
    return [basis @ part for basis, part in zip(bases, np.split(step, splits), strict=True)]


def ramps_through(points: Sequence[Point], values: Sequence[Fraction]) -> list[Unit]:
    """Ramps in one direction, with kinks at data points, and a constant, that take these values at the points."""
    if not any(values):
        return []
    direction = generic_direction(points)
    order = sorted(range(len(points)), key=lambda i: dot(direction, points[i][:-1]))
    heights = [dot(direction, points[i][:-1]) for i in order]
    zero = (Fraction(0),) * len(direction)
    units = [Unit(values[order[0]], (*zero, Fraction(1)))]
    slope = Fraction(0)
    for (low, i), (high, j) in zip(
        zip(heights, order, strict=True), zip(heights[1:], order[1:], strict=True), strict=False
    ):
        needed = (values[j] - values[i]) / (high - low)
        units.append(Unit(needed - slope, (*direction, -low)))
        slope = needed
    return [unit for unit in units if unit.c]


def generic_direction(points: Sequence[Point]) -> Point:
    """A direction of small integers that separates the points, well if that is easy."""
    table = np.array([[float(value) for value in point[:-1]] for point in points])
    generator = np.random.default_rng(0)
    candidates: list[NDArray[Any]] = [
        np.asarray(generator.integers(-bound, bound + 1, table.shape[1]))
        for bound in (1, 3, 10, 100, 10**4, 10**6)
        for _ in range(20)
    ]

    def apart(direction: NDArray[Any]) -> float:
        return float(np.diff(np.sort(table @ direction)).min(initial=np.inf)) / float(max(1, np.abs(direction).max()))

    for candidate in sorted(candidates, key=apart, reverse=True):
        direction = tuple(Fraction(int(value)) for value in candidate)
        if any(direction) and len({dot(direction, point[:-1]) for point in points}) == len(points):
            return direction
    raise ArithmeticError("no direction of small integers tells the points apart")


# From below: a dual that is feasible on every cell --------------------------------------------------------------------


@dataclass(frozen=True)
class Dual:
    """p with |Σ p_i [θ·x̃_i]_+| <= |θ| for all θ. On cell k, above[k] and below[k] hold the (i, μ_i) that show it."""

    p: tuple[Fraction, ...]
    above: tuple[Multipliers, ...]
    below: tuple[Multipliers, ...]
    largest: float
    """About the largest |g| on the unit vectors, before p was divided by it."""


def exact_dual(
    points: Sequence[Point],
    p: Array | Sequence[Fraction],
    patterns: NDArray[np.bool_],
    peaks: Peaks | None = None,
) -> Dual:
    """p rounded and scaled until it is feasible, with multipliers in fractions.

    points  (x, 1)
    peaks   of the same patterns: then multipliers come from all cells at once where bounds are not needed closely, and
            otherwise from the walls of a cell alone
    """
    scale = lcm(*(value.denominator for point in points for value in point))
    rows = [[int(value * scale) for value in point] for point in points]
    table = np.array([[float(value) for value in point] for point in points])
    lengths = np.linalg.norm(table, axis=1)
    directions = table / lengths[:, None]
    given = [Fraction(value) for value in p]
    size = max(float(max(map(abs, given))), 1e-300)
    one = 1 << max(BITS, BITS - int(np.floor(np.log2(size))))
    integers = [int(value * one) for value in given]
    unit = scale * one
    weighted = np.array([[weight * t for t in row] for weight, row in zip(integers, rows, strict=True)], dtype=object)
    sums = patterns.astype(object) @ weighted
    guess, small = None, np.zeros(len(patterns), dtype=bool)
    if peaks is not None:
        vectors = peaks.vectors(np.array([float(value) for value in given]) * lengths)
        guess = peaks.bounds(vectors, float(REACHING) ** 0.5 * (1 - 1e-6))
        small = np.linalg.norm(vectors, axis=1) < SMALL
    largest, found = 1, list[list[list[tuple[int, int]]]]()
    for k, (pattern, v) in enumerate(zip(patterns, sums.tolist(), strict=True)):
        sides = list[list[tuple[int, int]]]()
        if small[k]:
            found.append([[], []])
            continue
        for side, sign in enumerate((1, -1)):
            linear, chosen = [sign * entry for entry in v], list[tuple[int, int]]()
            total = linear
            if sum(entry**2 for entry in linear) > unit**2:
                near = None if peaks is None else peaks.of(k)
                if guess is not None and near is not None and guess[0][side, k] ** 2 < float(REACHING):
                    mu = guess[1][side, k]
                    chosen = [
                        (int(i), int(Fraction(m / lengths[i]) * one)) for i, m in zip(near, mu, strict=False) if m
                    ]
                else:
                    chosen = _float_multipliers(directions, lengths, pattern, linear, unit, one, near)
                total = _with_multipliers(linear, chosen, pattern, rows)
                if sum(entry**2 for entry in total) > REACHING * unit**2:
                    start = [i for i, _ in chosen]
                    form = [Fraction(entry, unit) for entry in linear]
                    chosen = _exact_multipliers(form, pattern, points, start, one, near)
                    total = _with_multipliers(linear, chosen, pattern, rows)
            largest = max(largest, sum(entry**2 for entry in total))
            sides.append(chosen)
        found.append(sides)
    # the numbers are integers over `one`; lengths over `unit`
    factor = Fraction(1, one) if largest <= unit**2 else Fraction(scale, isqrt(largest) + 1)
    above, below = (tuple(tuple((i, m * factor) for i, m in sides[which] if m) for sides in found) for which in (0, 1))
    reached = max(1.0, float(Fraction(isqrt(largest), unit)))
    return Dual(tuple(value * factor for value in integers), above, below, reached)


def _float_multipliers(
    directions: Array,
    lengths: Array,
    pattern: NDArray[np.bool_],
    linear: Sequence[int],
    unit: int,
    one: int,
    near: NDArray[np.intp] | None,
) -> list[tuple[int, int]]:
    """The multipliers in floating point, as integers over `one`."""
    listed = np.arange(len(pattern)) if near is None else near
    form = np.array([float(Fraction(entry, unit)) for entry in linear])
    mu, _ = multipliers(directions[listed], pattern[listed], form)
    return [(int(i), int(Fraction(float(m / lengths[i])) * one)) for i, m in zip(listed, mu, strict=True) if m > 0]


def _with_multipliers(
    linear: Sequence[int], chosen: Sequence[tuple[int, int]], pattern: NDArray[np.bool_], rows: Sequence[Sequence[int]]
) -> list[int]:
    """linear + Σ m_i s_i x̃_i, in integers."""
    total = list(linear)
    for i, m in chosen:
        side = m if pattern[i] else -m
        total = [entry + side * value for entry, value in zip(total, rows[i], strict=True)]
    return total


def _exact_multipliers(
    linear: Sequence[Fraction],
    pattern: NDArray[np.bool_],
    points: Sequence[Point],
    start: Sequence[int],
    one: int,
    near: NDArray[np.intp] | None,
) -> list[tuple[int, int]]:
    """The multipliers with the shortest linear + Σ m_i s_i x̃_i, rounded to multiples of 1/one."""
    listed = list(range(len(points))) if near is None else [int(i) for i in near]
    place = {i: k for k, i in enumerate(listed)}
    sides = [tuple(t if pattern[i] else -t for t in points[i]) for i in listed]
    shares = exact_shares([-value for value in linear], sides, None, [place[i] for i in start])
    return sorted((listed[k], round(m * one)) for k, m in shares.items())
