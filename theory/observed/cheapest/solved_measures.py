"""Observed: measures that interpolate the data, from exact linear systems instead of formulas."""

from __future__ import annotations

from fractions import Fraction

from ..data.points import Points
from .ramp_programme import feature


def solved_weights(data: Points) -> dict[tuple[int, Fraction], Fraction]:
    """Weights of the left ramp at x_n and the right ramps at x_1 and the corners, from a linear system at R_reg."""
    import flint

    places = [Fraction(data.x[i]) for i in data.support]
    units = [(-1, places[-1]), *((1, c) for c in places[:-1])]
    m = len(places)
    entries = [feature(u, c) for c in places for u in units]
    wanted = [Fraction(data.y[i]) for i in data.support]
    matrix = flint.fmpq_mat(m, m, [flint.fmpq(v.numerator, v.denominator) for v in entries])
    found = matrix.solve(flint.fmpq_mat(m, 1, [flint.fmpq(v.numerator, v.denominator) for v in wanted]))
    return {u: Fraction(int(found[j, 0].p), int(found[j, 0].q)) for j, u in enumerate(units)}


def meets(data: Points, weights: dict[tuple[int, Fraction], Fraction]) -> bool:
    """Whether the function of the measure interpolates all data."""
    return all(
        sum((w * feature(u, at) for u, w in weights.items()), Fraction(0)) == y
        for at, y in zip(data.x, data.y, strict=True)
    )
