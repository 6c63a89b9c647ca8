"""The dual function against values on a fine grid of directions; optimality against optima and better networks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from implicitbias.certificate import kernel
from implicitbias.convex.kkt.dual import DualFunction, optimality
from implicitbias.convex.kkt.limit import kkt_limit
from implicitbias.convex.kkt.optimum import cells, margin_optimum
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit, near_multipliers


def unit(sign, square, active, **contacts):
    return KKTUnit(sign, Fraction(square), frozenset(active), {int(i[1:]): Fraction(c) for i, c in contacts.items()})


def point(x, labels, multipliers, *units):
    weights = {i: Fraction(weight) for i, weight in multipliers.items()}
    return KKTPoint(tuple(map(Fraction, x)), tuple(labels), weights, units)


NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=6)


@given(
    st.lists(NUMBERS, min_size=1, max_size=6, unique=True),
    st.lists(
        st.tuples(st.sampled_from([1, -1]), st.fractions(min_value=0, max_value=3, max_denominator=5)), min_size=6
    ),
)
def test_the_largest_value_is_that_on_the_circle(x, weights):
    at = tuple(sorted(x))
    labels = tuple(label for label, _ in weights[: len(at)])
    dual = DualFunction(at, labels, {i: weight for i, (_, weight) in enumerate(weights[: len(at)])})
    angle = np.linspace(0, 2 * np.pi, 4001)
    heights = np.maximum(np.outer(np.cos(angle), np.array(at, dtype=float)) + np.sin(angle)[:, None], 0)
    values = heights @ np.array([float(dual.multipliers[i]) * labels[i] for i in range(len(at))])
    largest = float(dual.largest_square) ** 0.5
    assert np.abs(values).max() <= largest + 1e-12
    # a peak is met by the grid up to a relative π²/4000², kinks of D up to their slope times π/4000
    assert np.abs(values).max() >= largest - 0.02 * max(1, largest)
    for peak in dual.peaks:
        w, b = peak.direction
        assert dual((w, b)) ** 2 == peak.square * (w * w + b * b)


POINTS = {
    "A": (
        point(["-4/3", "4/3"], [1, 1], {0: "3/5", 1: "3/5"}, unit(1, "3/5", [1]), unit(1, "3/5", [0])),
        ("not global", "36/25", 1.0),
    ),
    "A, constant": (
        point(["-4/3", "4/3"], [1, 1], {0: "1/2", 1: "1/2"}, unit(1, 1, [0, 1])),
        ("global", "1", None),
    ),
    "B": (
        point(["-4/3", "4/3"], [-1, 1], {0: "3/5", 1: "3/5"}, unit(1, "3/5", [1]), unit(-1, "3/5", [0])),
        ("global", "1", None),
    ),
    "C": (
        point(
            [-2, 0, "3/4", "4/3", 2, 3],
            [-1, -1, -1, 1, 1, 1],
            {2: "20/7", 3: "15/7"},
            unit(1, "15/7", [3, 4, 5], i2="24/25"),
            unit(-1, "20/7", [0, 1, 2], i3="24/25"),
        ),
        ("global", "1", None),
    ),
    "D": (
        point(
            ["-4/3", 0, "4/3"],
            [1, -1, 1],
            {0: "3/4", 1: "5/2", 2: "3/4"},
            unit(1, "3/2", [2], i1="3/10"),
            unit(1, "3/2", [0], i1="3/10"),
            unit(-1, 1, [0, 1, 2]),
        ),
        ("global", "1", None),
    ),
    "Example 1": (
        point([-4, 4], [1, 1], {0: "1/2", 1: "1/2"}, unit(1, 1, [0, 1])),
        ("not global", "17/4", 2 / 17**0.5),
    ),
}


@pytest.mark.parametrize("name", POINTS)
def test_known_points_are_judged(name):
    found, (status, square, better) = POINTS[name]
    assert kernel.check_certificate(found.certificate()).valid
    dual = DualFunction(found.x, found.labels, found.multipliers)
    assert dual.largest_square == Fraction(square)
    answer = optimality(found)
    assert answer.status == status
    assert answer.better == (None if better is None else pytest.approx(better, rel=1e-6))


def test_kinks_of_live_units_are_peaks_of_height_one():
    for found, _ in POINTS.values():
        dual = DualFunction(found.x, found.labels, found.multipliers)
        heights = {(peak.kink, peak.sign): peak.square for peak in dual.peaks}
        for j in found.units:
            w, b = found.direction(j)
            assert heights[-b / w if w else None, j.sign] == 1


def test_close_multipliers_prove_what_distant_ones_leave_open():
    """A constant 1 on five points: any λ with Σ λ = 1, Σ λ x = 0 will do, and sup |D| is 1 for close ones only."""
    found = point([-3, -1, 0, 1, 3], [1] * 5, {0: "1/2", 4: "1/2"}, unit(1, 1, range(5)))
    assert DualFunction(found.x, found.labels, found.multipliers).largest_square > 1
    assert near_multipliers(found) == {2: 1}
    assert optimality(found).status == "global"


@pytest.mark.parametrize("switches", [0, 1, 2, 4])
def test_optima_are_proved_global_and_restricted_ones_are_not_better(switches):
    rng = np.random.default_rng(20 + switches)
    n = switches + 4
    x = np.sort(rng.choice(np.arange(-2000, 2000), size=n, replace=False)) / 1000
    y = np.ones(n, dtype=int)
    for cut in rng.choice(np.arange(1, n), size=switches, replace=False):
        y[cut:] *= -1
    places = [f"{at:.3f}" for at in x]
    whole = kkt_limit(margin_optimum(x, y.tolist()), places, y.tolist())
    best = optimality(whole.point)
    assert best.status == "global"
    for _ in range(6):
        network = margin_optimum(x, y.tolist(), [cell for cell in cells(n) if rng.random() < 0.6])
        found = None if network is None else kkt_limit(network, places, y.tolist())
        if found is not None and found.status == "certified":
            answer = optimality(found.point)
            assert answer.cost >= best.cost * (1 - 1e-12)
            assert (answer.status == "global") == (answer.cost <= best.cost * (1 + 1e-9))


def test_no_descent_from_a_global_optimum():
    """½|θ|² with margins at least 1, minimised from many starts over five units by another method."""
    x, y = np.array([-1.5, -0.3, 0.4, 1.7]), np.array([1, -1, -1, 1])
    network = margin_optimum(x, y.tolist())
    best = float(np.sum(network.v**2))
    rng = np.random.default_rng(5)

    def margins(theta):
        w, b, v = theta.reshape(3, 5)
        return y * (v @ np.maximum(np.outer(w, x) + b[:, None], 0)) - 1

    lowest = min(
        (
            found.fun
            for found in (
                minimize(
                    lambda theta: theta @ theta / 2,
                    rng.normal(size=15) * 1.5,
                    constraints={"type": "ineq", "fun": margins},
                    method="SLSQP",
                    options={"maxiter": 300},
                )
                for _ in range(12)
            )
            if found.success and margins(found.x).min() > -1e-7
        ),
        default=np.inf,
    )
    assert lowest >= best * (1 - 1e-6)


def test_no_cells_make_no_network():
    assert margin_optimum([0.0, 1.0], [1, -1], []) is None
    assert margin_optimum([-1.0, 0.0, 1.0], [1, -1, 1], [(0, 3)]) is None
