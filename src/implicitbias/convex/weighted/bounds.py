"""Exact bounds on the least weighted variation, from an approximately optimal dual and approximately optimal atoms.

From below. On the closed cell spanned by rays r, sign·g - l is the linear form c·θ, c = ±v - l. If q has (Qq)·r >= c·r
for every extreme ray r and qᵀQq <= 1, then c·θ <= qᵀQθ <= √(θᵀQθ) on the cell, by Cauchy and Schwarz. With such a q for
every cell and sign, |g| <= w, and p·y is a lower bound.

From above. Atoms held on their walls are moved as little as possible so that they pass through the data exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq_mat

from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.cells.lifted import Vector
from implicitbias.convex.programmes.cone_projection import exact_maximiser
from implicitbias.convex.programmes.nonnegative import nonnegative_least_squares
from implicitbias.convex.variation.bounds import Unit
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.contacts import Contact
from implicitbias.convex.weighted.programme import root_of
from implicitbias.convex.weighted.weights import Form, Weight, quadratic
from implicitbias.exact.vectors import dot, flint_matrix, matrix_of, root_above

BITS = 96
"""Approximate numbers are rounded to multiples of 2^-BITS of the largest."""

REACHING = Fraction(999, 1000)
"""Where the dual comes this close to the weight, or exceeds it, floating point is not enough."""

Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


@dataclass(frozen=True)
class Shape:
    """A cell for exact arithmetic: pattern, extreme rays, Q and l, and h with (Qh)·r > 0 for every ray that w sees."""

    pattern: tuple[bool, ...]
    rays: tuple[tuple[Fraction, ...], ...]
    form: Form
    inner: tuple[Fraction, ...]


@dataclass(frozen=True)
class WeightedDual:
    """p with |Σ p_i [θ·x̃_i]_+| <= w(θ) for all θ; shown[k] holds the q of cell k for g and for -g."""

    p: tuple[Fraction, ...]
    shown: tuple[Pair, ...]


def shapes_of(points: Sequence[Point], cells: Cells, weight: Weight) -> list[Shape]:
    """The shapes of all cells. If the points lie in a subspace, rays are made orthogonal to the lineality space."""
    found = []
    for k in range(len(cells)):
        pattern = tuple(bool(on) for on in cells.patterns[k])
        Q, tilt = weight.form(points, pattern)
        rays = tuple(_without(ray, cells.lineality) for ray in cells.extreme_rays(k))
        if weight.of_outputs:
            inner = tuple(sum(entries, Fraction(0)) for entries in zip(*rays, strict=True))
        else:
            sides = [
                tuple(value if on else -value for value in point) for point, on in zip(points, pattern, strict=True)
            ]
            total = [[sum(entries, Fraction(0))] for entries in zip(*sides, strict=True)]
            inner = tuple(row[0] for row in matrix_of(flint_matrix(Q).solve(flint_matrix(total))))
        found.append(Shape(pattern, rays, (Q, tilt), inner))
    return found


def _without(ray: Vector, lineality: Sequence[Vector]) -> tuple[Fraction, ...]:
    """The part of the ray that is orthogonal to all of `lineality`."""
    vector = tuple(map(Fraction, ray))
    if not lineality:
        return vector
    table = flint_matrix([[Fraction(v) for v in row] for row in lineality])
    shares = (table * table.transpose()).solve(table * flint_matrix([[v] for v in vector]))
    part = matrix_of(table.transpose() * shares)
    return tuple(a - b[0] for a, b in zip(vector, part, strict=True))


# From below -----------------------------------------------------------------------------------------------------------


def weighted_dual(
    points: Sequence[Point],
    p: Sequence[Fraction],
    shapes: Sequence[Shape],
    weight: Weight,
) -> WeightedDual:
    """p, scaled or, where the weight is tilted, mixed with 0, until it is just feasible, with what shows it."""
    given = _rounded(p)
    found = [(largest_value(points, given, shape, 1), largest_value(points, given, shape, -1)) for shape in shapes]
    if weight.homogeneous:
        largest = max((side[1] for pair in found for side in pair), default=Fraction(0))
        share = 1 / root_above(largest) if largest else Fraction(1)
        shown = tuple(
            (tuple(share * v for v in above[0]), tuple(share * v for v in below[0])) for above, below in found
        )
        return WeightedDual(tuple(share * value for value in given), shown)
    nothing = (Fraction(0),) * len(given)
    rest = [(largest_value(points, nothing, shape, 1), largest_value(points, nothing, shape, -1)) for shape in shapes]
    share = Fraction(1)
    for pair, idle in zip(found, rest, strict=True):
        for (_, square), (_, base) in zip(pair, idle, strict=True):
            high, low = root_above(square), root_above(base)
            if low > 1:
                raise ArithmeticError("the weight is not shown to be at least 0")
            if high > 1:
                share = min(share, (1 - low) / (high - low))
    shown = tuple(
        (_mixed(above[0], idle[0][0], share), _mixed(below[0], idle[1][0], share))
        for (above, below), idle in zip(found, rest, strict=True)
    )
    return WeightedDual(tuple(share * value for value in given), shown)


def require_dual(points: Sequence[Point], dual: WeightedDual, shapes: Sequence[Shape]) -> None:
    """Check in fractions that the dual is feasible, however it was found. Raises ArithmeticError if it is not."""
    for shape, pair in zip(shapes, dual.shown, strict=True):
        Q = shape.form[0]
        for sign, q in zip((1, -1), pair, strict=True):
            c = _linear(points, dual.p, shape, sign)
            pull = [dot(row, q) for row in Q]
            if quadratic(Q, q) > 1 or any(dot(pull, ray) < dot(c, ray) for ray in shape.rays):
                raise ArithmeticError(f"the dual is not shown feasible on the cell {shape.pattern}")


def _mixed(a: Sequence[Fraction], b: Sequence[Fraction], share: Fraction) -> tuple[Fraction, ...]:
    return tuple(share * s + (1 - share) * t for s, t in zip(a, b, strict=True))


def _rounded(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    size = max(map(abs, values), default=Fraction(0))
    one = Fraction(2) ** (BITS - (size.numerator.bit_length() - size.denominator.bit_length() if size else 0))
    return tuple(Fraction(round(value * one)) / one for value in values)


def _linear(points: Sequence[Point], p: Sequence[Fraction], shape: Shape, sign: int) -> list[Fraction]:
    """c with sign·g(θ) - l·θ = c·θ on the cell."""
    return [
        sign * sum((weight * at[j] for weight, at, on in zip(p, points, shape.pattern, strict=True) if on), Fraction(0))
        - tilt
        for j, tilt in enumerate(shape.form[1])
    ]


def largest_value(
    points: Sequence[Point],
    p: Sequence[Fraction],
    shape: Shape,
    sign: int,
) -> tuple[tuple[Fraction, ...], Fraction]:
    """q with (Qq)·r >= c·r for all rays, qᵀQq nearly least, and qᵀQq: sign·g - l·θ <= √(qᵀQq) √(θᵀQθ) on the cell."""
    c = _linear(points, p, shape, sign)
    if not any(shape.pattern) and not any(c):
        return (Fraction(0),) * len(c), Fraction(0)
    about, active = _maximiser(c, shape)
    q = _rounded([Fraction(float(v)) for v in about])
    if quadratic(shape.form[0], q) > REACHING:
        q = _rounded(exact_maximiser(c, shape.rays, shape.form[0], active))
    return _raised(c, q, shape)


def _raised(c: Sequence[Fraction], q: Sequence[Fraction], shape: Shape) -> tuple[tuple[Fraction, ...], Fraction]:
    """q moved inwards until it has (Qq)·r >= c·r for all rays, and qᵀQq."""
    Q = shape.form[0]
    pull, inner = [dot(row, q) for row in Q], [dot(row, shape.inner) for row in Q]
    more = Fraction(0)
    for ray in shape.rays:
        short, gain = dot(c, ray) - dot(pull, ray), dot(inner, ray)
        if short > 0:
            if gain <= 0:
                raise ArithmeticError("a direction that the weight does not see changes the outputs")
            more = max(more, short / gain)
    moved = tuple(a + more * b for a, b in zip(q, shape.inner, strict=True))
    return moved, quadratic(Q, moved)


def _maximiser(c: Sequence[Fraction], shape: Shape) -> tuple[Array, list[int]]:
    """The q in the closed cell with the largest c·q - qᵀQq/2, in floating point, and the rays that span it."""
    rays = np.array([[float(v) for v in ray] for ray in shape.rays])
    rays /= np.linalg.norm(rays, axis=1)[:, None]
    root = root_of(np.array([[float(v) for v in row] for row in shape.form[0]]))
    if not len(root):
        return np.zeros(len(c)), []
    table = root @ rays.T
    target = np.linalg.pinv(root.T) @ np.array([float(v) for v in c])
    seen = np.linalg.norm(table, axis=0) > 1e-13
    if not seen.any():
        return np.zeros(len(c)), []
    shares = nonnegative_least_squares(table[:, seen], target)
    return np.asarray(rays[seen].T @ shares), [int(k) for k in np.flatnonzero(seen)[shares > 0]]


# From above -----------------------------------------------------------------------------------------------------------


def exact_atoms(
    points: Sequence[Point],
    y: Sequence[Fraction],
    contacts: Sequence[Contact],
    starts: Sequence[Sequence[Fraction]],
    flats: Sequence[Sequence[Fraction]],
) -> list[Unit] | None:
    """Units B_j t_j, t_j near the starts, through the data exactly, each in its closed cell; None if there are none.

    flats  what is added to each along directions that change neither outputs nor cost
    """
    thetas = shifted_atoms(points, y, contacts, starts, flats)
    if thetas is None:
        return None
    for c, theta in zip(contacts, thetas, strict=True):
        signs = [dot(theta, point) for point in points]
        if any(s < 0 if on else s > 0 for s, on in zip(signs, c.pattern, strict=True)):
            return None
    return [Unit(Fraction(c.sign), theta) for c, theta in zip(contacts, thetas, strict=True) if any(theta)]


def shifted_atoms(
    points: Sequence[Point],
    y: Sequence[Fraction],
    contacts: Sequence[Contact],
    starts: Sequence[Sequence[Fraction]],
    flats: Sequence[Sequence[Fraction]],
) -> list[tuple[Fraction, ...]] | None:
    """Like `exact_atoms`, treating each unit as linear on its pattern, so that it may leave its closed cell."""
    columns = [[c.sign * value for value in c.outputs(points, column)] for c in contacts for column in c.basis]
    flat_start = [value for t in starts for value in t]
    if not columns:
        return [] if not any(y) else None
    missing = [
        target - sum((column[i] * value for column, value in zip(columns, flat_start, strict=True)), Fraction(0))
        for i, target in enumerate(y)
    ]
    change = _least_change(columns, missing, [_magnitude(t) for t in starts for _ in t])
    if change is None:
        return None
    moved = [a + b for a, b in zip(flat_start, change, strict=True)]
    thetas, at = [], 0
    for c, rest in zip(contacts, flats, strict=True):
        along = c.along(moved[at : at + len(c.basis)])
        thetas.append(tuple(a + b for a, b in zip(along, rest, strict=True)))
        at += len(c.basis)
    return thetas


def _magnitude(t: Sequence[Fraction]) -> Fraction:
    """A power of two about as large as t."""
    largest = max(map(abs, t))
    return (
        Fraction(2) ** (largest.numerator.bit_length() - largest.denominator.bit_length()) if largest else Fraction(1)
    )


def _least_change(
    columns: Sequence[Sequence[Fraction]], missing: Sequence[Fraction], sizes: Sequence[Fraction]
) -> list[Fraction] | None:
    """The x with Σ x_k columns_k = missing that is the smallest relative to the sizes; None if there is none."""
    table = flint_matrix(columns).transpose()
    pivots = _pivots(table.transpose().rref())
    if not pivots:
        return None if any(missing) else [Fraction(0)] * len(columns)
    chosen = flint_matrix([[column[i] * size for column, size in zip(columns, sizes, strict=True)] for i in pivots])
    right = flint_matrix([[missing[i]] for i in pivots])
    shares = matrix_of(chosen.transpose() * (chosen * chosen.transpose()).solve(right))
    x = flint_matrix([[size * row[0]] for size, row in zip(sizes, shares, strict=True)])
    if table * x != flint_matrix([[value] for value in missing]):
        return None
    return [row[0] for row in matrix_of(x)]


def _pivots(reduced: tuple[fmpq_mat, int]) -> list[int]:
    matrix, rank = reduced
    found, j = [], 0
    for i in range(rank):
        while matrix[i, j] == 0:
            j += 1
        found.append(j)
    return found


def unit_cost(points: Sequence[Point], weight: Weight, unit: Unit) -> Fraction:
    """|c|·w(θ), rounded up a little."""
    return abs(unit.c) * weight.above(points, unit.theta)
