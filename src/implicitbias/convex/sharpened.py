"""A better dual from a good one, by linear programmes in its changes: nothing here is trusted.

The solver's p exceeds the weight on some cells and stays below it on others, each by some 1e-8 where points are close
together; dividing by the largest excess costs as much. To first order a change d of p changes the largest value ν_k on
a cell and sign by φ_k·d, φ_k the outputs of the unit where it is attained. So
  max y·d  subject to  ν_k + φ_k·d <= 1 for all k near 1,  |d| small,
gains what is lost, up to the square of d. Changes are measured in `differences`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from implicitbias.convex.differences import differences
from implicitbias.convex.penalised_biases import root_above
from implicitbias.convex.tv_bounds import Point, dot
from implicitbias.convex.weighted_bounds import Shape, largest_value

NEAR = 1e-3
"""Cells on which the dual stays further below the weight are left alone."""
ROUNDS = 5
WIDE = 30.0
"""A change may be as large as so many times the largest excess."""


def sharpened(
    points: Sequence[Point], y: Sequence[Fraction], p: Sequence[Fraction], shapes: Sequence[Shape]
) -> list[Fraction]:
    """p, a little changed so that p·y, divided by how much it exceeds the weight at most, is larger."""
    from scipy.optimize import linprog

    rows = differences(np.array([[float(v) for v in point] for point in points]))
    labels = np.array([float(value) for value in rows.of(y)])
    best, highest, given = list(p), Fraction(-1), list(p)
    for _ in range(ROUNDS):
        excess, table, bounds, largest = 0.0, [], [], Fraction(1)
        for shape in shapes:
            for sign in (1, -1):
                q, square = largest_value(points, given, shape, sign)
                if square < Fraction(1 - NEAR) ** 2:
                    continue
                value = root_above(square)
                largest = max(largest, value)
                short = float(1 - value)
                excess = max(excess, -short)
                outputs = [
                    sign * dot(q, at) / value if on else Fraction(0)
                    for at, on in zip(points, shape.pattern, strict=True)
                ]
                table.append([float(v) for v in rows.of(outputs)])
                bounds.append(short)
        lower = dot(given, y) / largest
        if lower <= highest or not table:
            break
        best, highest = list(given), lower
        if excess == 0.0:
            break
        size = max(excess, 1e-16)
        answer = linprog(
            -labels / np.abs(labels).max(),
            A_ub=np.array(table),
            b_ub=np.array(bounds) / size,
            bounds=(-WIDE, WIDE),
        )
        if answer.status != 0 or answer.x is None:
            break
        change = rows.back([Fraction(float(v)) * Fraction(size) for v in answer.x])
        given = [a + b for a, b in zip(given, change, strict=True)]
    return best
