"""Least weighted variation against known values, bounds of its own, and programmes that know no cells."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.weighted.bounds import WeightedDual, require_dual
from implicitbias.convex.weighted.least import WeightedInterpolant, weighted_interpolant
from implicitbias.convex.weighted.weights import PARAMETER_NORM, PRINTED, TRUE, WEIGHTS, Weight, tilted
from implicitbias.errors import DataError
from tests.support.dedios_data import DATA, VALUES


def passes_exactly(found: WeightedInterpolant) -> bool:
    return all(
        sum((unit(at) for unit in found.units), Fraction(0)) == value
        for at, value in zip(found.points, found.y, strict=True)
    )


@pytest.mark.parametrize(("name", "weight"), [(name, weight) for name in VALUES for weight in VALUES[name]])
def test_known_values_lie_between_close_bounds(name: str, weight: str) -> None:
    found = weighted_interpolant(*DATA[name], WEIGHTS[weight])
    assert found.gap < 1e-10
    assert float(found.upper) == pytest.approx(VALUES[name][weight], rel=5e-12)
    assert passes_exactly(found)
    require_dual(found.points, found.dual, found.shapes)


@pytest.mark.parametrize(
    ("name", "weight", "square"),
    [
        ("A6", TRUE, "13/5"),
        ("A7", TRUE, "121.9466666666666666666666666666666666666667"),
        ("A7", PARAMETER_NORM, "3.88"),
        ("B1", TRUE, "18"),
        ("B2", TRUE, "12"),
        ("B2", PRINTED, "4"),
    ],
)
def test_closed_forms_lie_between_the_bounds(name: str, weight: Weight, square: str) -> None:
    found, value = weighted_interpolant(*DATA[name], weight), Fraction(square)
    assert found.lower**2 <= value * (1 + Fraction(1, 10**30))
    assert value * (1 - Fraction(1, 10**30)) <= found.upper**2


def test_the_weight_with_two_atoms_inside_one_cell() -> None:
    found = weighted_interpolant([[-1], [1]], [-1, 1], tilted([0, "-4/5"]))
    assert found.lower <= Fraction(3, 5) <= found.upper
    assert found.gap < 1e-12
    for unit, expected in zip(sorted(found.units, key=lambda u: u.c), ((-0.5, 2 / 3), (0.5, 2 / 3)), strict=True):
        assert [float(t) for t in unit.theta] == pytest.approx(expected)
        assert all(unit(at) for at in found.points)


@pytest.mark.parametrize("weight", [PRINTED, TRUE, tilted(["1/3", "-1/4", "1/5"])])
def test_programmes_over_random_directions_come_down_to_the_value_and_never_below(weight: Weight) -> None:
    generator = np.random.default_rng(7)
    x, y = np.round(generator.standard_normal((5, 2)), 2), np.round(generator.standard_normal(5), 2)
    found = weighted_interpolant([[str(v) for v in row] for row in x], [str(v) for v in y], weight)
    assert found.gap < 1e-11
    lifted = np.hstack([x, np.ones((5, 1))])
    directions = generator.standard_normal((4000, 3))
    units = [np.array([float(t) for t in unit.theta]) for unit in found.units]
    directions = np.vstack(
        [directions, *(u / np.linalg.norm(u) + 1e-4 * generator.standard_normal((100, 3)) for u in units), *units]
    )
    outputs = np.maximum(lifted @ directions.T, 0)
    costs = _costs(weight, lifted, directions)
    value = linprog(np.tile(costs, 2), A_eq=np.hstack([outputs, -outputs]), b_eq=y).fun
    assert float(found.lower) * (1 - 1e-7) <= value <= float(found.upper) * (1 + 3e-3)


def _costs(weight: Weight, lifted: Any, directions: Any) -> Any:
    """By the definitions, in floating point; walls within rounding are not active."""
    heights = directions @ lifted.T
    active = heights > 1e-12
    A, B = (np.where(active, heights, 0) ** 2).mean(1), (active * (lifted**2).sum(1)).mean(1)
    if weight is PRINTED:
        return np.sqrt(A)
    if weight is TRUE:
        return 2 * np.sqrt(A * B)
    return np.linalg.norm(directions, axis=1) + directions @ np.array([1 / 3, -1 / 4, 1 / 5])


def test_the_norm_agrees_with_the_programme_that_knows_only_the_norm() -> None:
    for name in ("B3", "C1"):
        one, other = weighted_interpolant(*DATA[name]), tv_interpolant(*DATA[name])
        assert one.lower <= other.upper
        assert other.lower <= one.upper


def test_only_the_printed_weight_forgets_where_the_data_are() -> None:
    x, y = DATA["A8"]
    expected = {"printed": [1.077350269189626] * 3, "true": [3.314757303333053, 3.524798, 5.396555]}
    expected["norm"] = [0.9013878188659973, 1.013293, 1.739253]
    for weight, values in expected.items():
        for shift, value in zip((0, 1, 3), values, strict=True):
            moved = [[at[0] + shift] for at in x]
            assert float(weighted_interpolant(moved, y, WEIGHTS[weight]).upper) == pytest.approx(value, rel=3e-7)


@pytest.mark.parametrize("place", [0, 1, 5])
def test_one_point_costs_its_length_twice(place: int) -> None:
    found = weighted_interpolant([[place]], [3], TRUE)
    assert float(found.upper) == pytest.approx(6 * sqrt(1 + place**2), rel=1e-13)
    assert found.gap < 1e-13
    assert float(weighted_interpolant([[place]], [3], PRINTED).upper) == pytest.approx(3, rel=1e-13)


def test_an_atom_on_a_wall_does_not_pay_for_the_point_there() -> None:
    found = weighted_interpolant([[-2], [2]], [1, "1/5"], TRUE)
    assert float(found.upper) == pytest.approx(2.4 * sqrt(5) / 2, rel=1e-13)


@pytest.mark.parametrize("weight", [PARAMETER_NORM, PRINTED, TRUE])
def test_points_on_a_line_in_the_plane_have_bounds_too(weight: Weight) -> None:
    found = weighted_interpolant([[0, 0], [1, 2], [2, 4]], [0, 1, -1], weight)
    assert found.gap < 1e-11
    assert passes_exactly(found)


def test_a_dual_that_is_a_little_too_large_is_refused() -> None:
    found = weighted_interpolant(*DATA["B3"], TRUE)
    larger = WeightedDual(tuple(v * Fraction(1001, 1000) for v in found.dual.p), found.dual.shown)
    with pytest.raises(ArithmeticError, match="not shown feasible"):
        require_dual(found.points, larger, found.shapes)
    shown = tuple(tuple(tuple(v * Fraction(1001, 1000) for v in side) for side in pair) for pair in found.dual.shown)
    with pytest.raises(ArithmeticError, match="not shown feasible"):
        require_dual(found.points, WeightedDual(larger.p, shown), found.shapes)  # type: ignore[arg-type]


def test_bad_data_and_labels_of_zero() -> None:
    assert weighted_interpolant([[0], [1]], [0, 0], TRUE).upper == 0
    with pytest.raises(DataError, match="another label"):
        weighted_interpolant([[0], [0]], [0, 1], TRUE)
    with pytest.raises(DataError, match="span the space"):
        weighted_interpolant([[0, 0], [1, 1]], [0, 1], tilted([0, "1/2", 0]))
