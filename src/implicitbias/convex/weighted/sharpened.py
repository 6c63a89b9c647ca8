"""A better dual from a good one, by linear programmes in its changes: nothing here is trusted.

Where points are close together, the solver's p is off the weight by some 1e-8, above it on some cells and below it on
others; dividing by the largest excess costs as much. To first order a change d of p changes the largest value ν_k on
a cell and sign by φ_k·d, φ_k the outputs of the unit where it is attained. So
  max y·d  subject to  ν_k + φ_k·d <= 1 for all k near 1,  |d| small,
regains that loss, up to the square of d. Changes are measured in `differences`; changes without gain are rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.programmes.differences import Differences, differences
from implicitbias.convex.variation.programme import Array
from implicitbias.convex.weighted.bounds import Shape, largest_value
from implicitbias.exact.vectors import dot, root_above

RADII = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
"""Bounds on the changes: a smaller one is tried if the larger gains nothing."""
ROUNDS = 9


def sharpened(
    points: Sequence[Point], y: Sequence[Fraction], p: Sequence[Fraction], shapes: Sequence[Shape]
) -> list[Fraction]:
    """p, slightly changed so that p·y divided by the largest ratio to the weight is larger."""
    from scipy.optimize import linprog

    rows = differences(np.array([[float(v) for v in point] for point in points]))
    labels = np.array([float(value) for value in rows.of(y)])
    best, step = _looked_at(points, p, shapes, rows), 0
    lower = dot(best.p, y)
    for _ in range(ROUNDS):
        radius = RADII[step]
        answer = linprog(-labels / np.abs(labels).max(), A_ub=best.table, b_ub=best.room / radius, bounds=(-1.0, 1.0))
        if answer.status == 0 and answer.x is not None:
            change = rows.back([Fraction(float(v)) * Fraction(radius) for v in answer.x])
            other = _looked_at(points, [a + b for a, b in zip(best.p, change, strict=True)], shapes, rows)
            if dot(other.p, y) > lower:
                best, lower = other, dot(other.p, y)
                continue
        step += 1
        if step == len(RADII):
            break
    return best.p


@dataclass(frozen=True)
class _Sides:
    """p, divided by its largest value, and φ_k and 1 - ν_k where ν_k is near 1."""

    p: list[Fraction]
    table: Array
    room: Array


def _looked_at(points: Sequence[Point], p: Sequence[Fraction], shapes: Sequence[Shape], rows: Differences) -> _Sides:
    sides = []
    for shape in shapes:
        for sign in (1, -1):
            q, square = largest_value(points, p, shape, sign)
            if square:
                sides.append((root_above(square), sign, q, shape))
    largest = max(value for value, *_ in sides)
    table, room = [], []
    for value, sign, q, shape in sides:
        if value < largest * (1 - Fraction(RADII[0])) * (1 - 10 * Fraction(RADII[0])):
            continue
        outputs = [
            sign * dot(q, at) / value if on else Fraction(0) for at, on in zip(points, shape.pattern, strict=True)
        ]
        table.append([float(v) for v in rows.of(outputs)])
        room.append(float(1 - value / largest))
    return _Sides([value / largest for value in p], np.array(table), np.array(room))
