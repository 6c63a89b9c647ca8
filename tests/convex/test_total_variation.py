"""The least total variation against closed forms, programmes that know no cells, and the solver of one dimension."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
from implicitbias.convex.cells.arrangement import cells_of
from implicitbias.convex.variation.bounds import exact_dual, exact_units, generic_direction
from implicitbias.convex.variation.least import TvInterpolant, tv_interpolant
from implicitbias.convex.variation.polish import Atom
from implicitbias.errors import DataError

B1 = [("-4/3", "5/4"), ("-4/3", "-5/4"), (4, 1), (4, -1)]
CLOSED = [
    ([[3, 4]], [2], "4/26"),
    ([[0], [1]], ["-1/2", "1/2"], None),
    (B1, [0, 0, 1, -1], "25/16"),
    ([[-1, -1], [-1, 1], [1, -1], [1, 1]], [1, -1, -1, 1], "8"),
    ([["-1"], ["-1/2"], [0], ["1/2"], [1]], [1, "1/2", 0, "1/2", 1], "4"),
    ([[-2], [0], [2]], [1, "1/2", 1], "13/16"),
    ([[0], [1], [2], [3]], [0, 1, 3, 6], "20"),
]


def encloses(found: TvInterpolant, square: Fraction) -> bool:
    return found.lower**2 <= square <= found.upper**2


@pytest.mark.parametrize(("x", "y", "square"), CLOSED)
def test_closed_forms_lie_between_the_bounds(x: list[list[object]], y: list[object], square: str | None) -> None:
    found = tv_interpolant(x, y)  # type: ignore[arg-type]
    if square is None:
        root = Fraction(isqrt(2 * 10**60), 10**30)
        assert found.lower <= (1 + root) / 2 + Fraction(1, 10**30)
        assert (1 + root) / 2 <= found.upper
    else:
        assert encloses(found, Fraction(square))
    assert found.gap < 1e-12


def test_the_units_pass_through_the_data_exactly() -> None:
    found = tv_interpolant(B1, [0, 0, 1, -1])
    assert [found(point) for point in B1] == [0, 0, 1, -1]


def test_two_units_of_opposite_sign_are_active_at_the_same_points() -> None:
    units = tv_interpolant(B1, [0, 0, 1, -1]).strong_units()
    assert sorted(float(unit.c) > 0 for unit in units) == [False, True]
    for unit in units:
        size = sqrt(sum(float(t) ** 2 for t in unit.theta))
        assert [abs(float(t) / size) for t in unit.theta] == pytest.approx([12 / 25, 20 / 25, 9 / 25])
        assert float(unit.cost) == pytest.approx(5 / 8)


@pytest.mark.parametrize(("seed", "n", "d"), [(0, 5, 2), (1, 7, 2), (2, 5, 3), (3, 4, 4)])
def test_programmes_over_random_directions_come_down_to_the_value_and_never_below(seed: int, n: int, d: int) -> None:
    generator = np.random.default_rng(seed)
    x, y = np.round(generator.standard_normal((n, d)), 2), np.round(generator.standard_normal(n), 2)
    found = tv_interpolant([[str(v) for v in row] for row in x], [str(v) for v in y])
    lifted = np.hstack([x, np.ones((n, 1))])
    directions = generator.standard_normal((20_000, d + 1))
    # directions near the units found, so that the programme can come close
    for unit in found.strong_units():
        theta = np.array([float(t) for t in unit.theta])
        directions = np.vstack(
            [directions, theta / np.linalg.norm(theta) + 1e-4 * generator.standard_normal((200, d + 1))]
        )
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    outputs = np.maximum(lifted @ directions.T, 0)
    value = linprog(np.ones(2 * len(directions)), A_eq=np.hstack([outputs, -outputs]), b_eq=y).fun
    assert float(found.lower) - 1e-7 <= value <= float(found.upper) * (1 + 1e-3)
    assert found.gap < 1e-10


def test_one_dimension_agrees_with_its_own_solver() -> None:
    generator = np.random.default_rng(5)
    x = np.sort(np.round(generator.uniform(-2, 2, 9), 3))
    y = np.round(generator.standard_normal(9), 3)
    one = bias_penalised_interpolant([str(v) for v in x], [str(v) for v in y])
    found = tv_interpolant([[str(v)] for v in x], [str(v) for v in y])
    assert found.lower <= one.upper
    assert one.lower <= found.upper
    assert found.gap < 1e-11


@settings(max_examples=15)
@given(
    st.integers(1, 3).flatmap(
        lambda d: st.lists(st.tuples(st.tuples(*[st.integers(-2, 2)] * d), st.integers(-3, 3)), min_size=1, max_size=5)
    )
)
def test_bounds_are_close_and_scale_with_the_labels(data: list[tuple[tuple[int, ...], int]]) -> None:
    x, y = list(dict(data)), list(dict(data).values())
    found, tripled = tv_interpolant(x, y), tv_interpolant(x, [-3 * value for value in y])
    assert found.gap < 1e-9
    assert tripled.lower <= 3 * found.upper
    assert 3 * found.lower <= tripled.upper
    assert [found(point) for point in x] == y


def test_any_atoms_whatever_become_units_through_the_data() -> None:
    generator = np.random.default_rng(7)
    points = [(Fraction(i), Fraction(i * i, 3), Fraction(1)) for i in range(5)]
    y = [Fraction(i % 3, 7) for i in range(5)]
    atoms = [Atom(int(s), generator.standard_normal(3)) for s in (1, -1, 1)]
    for chosen in (atoms, []):
        units = exact_units(points, y, chosen)
        assert [sum(unit(point) for unit in units) for point in points] == y


def test_any_dual_whatever_becomes_feasible_also_off_the_cells() -> None:
    generator = np.random.default_rng(8)
    x = [(i, j) for i in range(3) for j in range(3)]
    dual = exact_dual(
        [(Fraction(i), Fraction(j), Fraction(1)) for i, j in x], generator.standard_normal(9), cells_of(x).patterns
    )
    theta = generator.standard_normal((200_000, 3))
    theta /= np.linalg.norm(theta, axis=1)[:, None]
    g = np.maximum(theta @ np.array([(*point, 1) for point in x]).T, 0) @ np.array([float(p) for p in dual.p])
    assert np.abs(g).max() <= 1
    assert np.abs(g).max() > 0.99
    assert dual.largest > 1


def test_labels_that_are_all_zero_cost_nothing() -> None:
    found = tv_interpolant([[1, 2], [3, 4]], [0, 0])
    assert (found.lower, found.upper, found.units) == (0, 0, ())


@pytest.mark.parametrize("zeros", [0, 3, 300])
def test_inputs_that_are_always_zero_change_nothing(zeros: int) -> None:
    rows, labels = [[1, 2], [2, -1], [-1, "1/2"]], [1, -2, 3]
    plain, wide = tv_interpolant(rows, labels), tv_interpolant([[*row, *[0] * zeros] for row in rows], labels)
    assert max(plain.lower, wide.lower) <= min(plain.upper, wide.upper)
    assert plain.gap < 1e-12
    assert wide.gap < 1e-12
    assert all(abs(float(a)) < 1e-12 for unit in wide.strong_units() for a in unit.theta[2:-1])


def test_equal_points_count_once_and_must_agree() -> None:
    once = tv_interpolant([[0, 1], [2, 1]], [1, -1])
    assert tv_interpolant([[0, 1], [2, 1], [0, 1]], [1, -1, 1]).y == once.y
    with pytest.raises(DataError, match="point 3 is equal to an earlier one"):
        tv_interpolant([[0, 1], [2, 1], [0, 1]], [1, -1, 2])


def test_what_is_too_large_or_ragged_is_refused() -> None:
    with pytest.raises(DataError, match="can have 19840 cells"):
        tv_interpolant(np.random.default_rng(0).standard_normal((40, 3)).tolist(), [1] * 40)
    with pytest.raises(DataError, match="one label per point"):
        tv_interpolant([[1]], [1, 2])


def test_a_generic_direction_tells_points_apart() -> None:
    points = [(Fraction(i), Fraction(j), Fraction(1)) for i in range(4) for j in range(4)]
    direction = generic_direction(points)
    assert len({direction[0] * a + direction[1] * b for a, b, _ in points}) == len(points)
