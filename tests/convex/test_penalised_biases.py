"""Problem (4): bounds that bracket closed forms, other solvers and exact constructions."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sin, sqrt
from typing import Any

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.biases.interpolant import (
    BiasPenalisedInterpolant,
    bias_penalised_interpolant,
    dual_squares,
    feasible_dual,
)
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.errors import DataError


def check(found: BiasPenalisedInterpolant) -> None:
    """Feasibility by definition: exact at the data, and the dual on a fine circle of directions."""
    assert [found(at) for at in found.x] == list(found.y)
    cost = sum(abs(float(unit.v)) * sqrt(float(unit.a) ** 2 + float(unit.b) ** 2) for unit in found.units)
    assert cost <= float(found.upper) * (1 + 1e-12)
    x, alpha = np.array(found.x, dtype=float), np.array(found.alpha, dtype=float)
    angles = np.linspace(0, 2 * np.pi, 20_001)
    values = np.maximum(np.outer(np.cos(angles), x) + np.sin(angles)[:, None], 0) @ alpha
    assert np.abs(values).max() <= 1 + 1e-9 * np.abs(alpha).max()
    assert sum(a * b for a, b in zip(found.alpha, found.y, strict=True)) == found.lower <= found.upper
    outcome = check_certificate(found.certificate())
    assert outcome.valid, outcome.reason


@pytest.mark.parametrize(
    ("x", "y", "value"),
    [
        (["-1", "-1/2", "1/2", "1"], ["0", "0", "1", "3"], sqrt(17)),
        (["-1", "1"], ["1", "1"], 1.0),
        (["-1", "1"], ["1", "-1/2"], sqrt(1 / 2) + sqrt(1 / 8)),
        (["-1", "1"], ["1", "1/2"], sqrt(1 / 2 + 1 / 8)),
        (["3"], ["-2"], 2 / sqrt(10)),
        (["-1", "0", "1"], ["1", "0", "1"], 2.0),
        (["0", "1"], ["0", "0"], 0.0),
    ],
)
def test_values_in_closed_form_lie_within_tight_bounds(x: list[str], y: list[str], value: float) -> None:
    found = bias_penalised_interpolant(x, y)
    assert float(found.lower) <= value * (1 + 1e-12)
    assert value * (1 - 1e-12) <= float(found.upper)
    assert found.gap < 1e-9
    check(found)


def test_one_kink_off_the_data_is_cheaper_than_all_at_the_data() -> None:
    """Proposition 1 does not extend to problem (4)."""
    found = bias_penalised_interpolant(["-1", "-1/2", "1/2", "1"], [0, 0, 1, 3])
    (unit,) = found.strong_units()
    assert abs(unit.kink - Fraction(1, 4)) < Fraction(1, 10**9)
    assert found.upper < Fraction("4.4721")  # √20, with kinks at the data


@pytest.mark.parametrize("seed", range(4))
def test_random_data_agree_with_a_fine_grid_of_directions(seed: int) -> None:
    cvxpy: Any = pytest.importorskip("cvxpy")
    rng = random.Random(seed)
    n = rng.randint(3, 6)
    x = [Fraction(v, 10) for v in sorted(rng.sample(range(-20, 21), n))]
    y = [Fraction(rng.randint(-9, 9), 3) for _ in x]
    found = bias_penalised_interpolant(x, y)
    assert found.gap < 1e-8
    check(found)
    angles = np.concatenate(
        [np.linspace(0, 2 * np.pi, 4001), *(np.arctan2(s * np.array(x, dtype=float) * -1, s * 1.0) for s in (1, -1))]
    )
    units = np.maximum(np.outer(np.array(x, dtype=float), np.cos(angles)) + np.sin(angles), 0)
    w = cvxpy.Variable(len(angles))
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm1(w)), [units @ w == np.array(y, dtype=float)])
    problem.solve(solver=cvxpy.CLARABEL)
    assert float(found.lower) * (1 - 1e-7) <= problem.value <= float(found.upper) * (1 + 1e-4)


def test_the_dual_bound_knows_maxima_between_the_data() -> None:
    """|Σ α_i [a x_i + b]_+| of one point is largest in the direction of the point itself, not at a kink on it."""
    assert max(dual_squares([Fraction(2)], [Fraction(1)])) == 5
    x, alpha = (
        [Fraction(-1), Fraction(-1, 2), Fraction(1, 2), Fraction(1)],
        [Fraction(0), Fraction(0), Fraction(-10), Fraction(9)],
    )
    assert max(dual_squares(x, alpha)) == 17
    scaled = feasible_dual(x, alpha)
    assert Fraction(1) - Fraction(1, 10**20) < max(dual_squares(x, scaled)) <= 1


def test_it_is_at_least_the_variation_and_symmetric() -> None:
    rng = random.Random(4)
    for _ in range(5):
        x = [Fraction(v, 10) for v in sorted(rng.sample(range(-10, 11), 5))]
        y = [Fraction(rng.randint(-5, 5)) for _ in x]
        found = bias_penalised_interpolant(x, y)
        mirrored = bias_penalised_interpolant([-at for at in reversed(x)], y[::-1])
        assert abs(found.value / mirrored.value - 1) < 1e-8
        # √(1 + c²) lies between 1 and √2 for kinks in [-1, 1]
        assert found.lower**2 <= 2 * ramp_interpolant(x, y).value ** 2


def test_too_many_points_are_refused() -> None:
    with pytest.raises(DataError, match="up to 2000 points"):
        bias_penalised_interpolant(range(2001), [1] * 2001)


def test_many_points_of_a_smooth_function_are_bracketed_as_tightly() -> None:
    """Cells are narrow and units in them weak: in directions (a, b) the solver left bounds 7.6e-5 apart."""
    rng = random.Random(300)
    x = [Fraction(v, 10**6) for v in sorted(rng.sample(range(-(10**6), 10**6), 300))]
    found = bias_penalised_interpolant(x, [Fraction(round(1000 * sin(6 * float(at))), 1000) for at in x])
    assert found.gap < 1e-8
    assert check_certificate(found.certificate()).valid
