"""The tools behind the training claims of dedios2020: intervals, extrapolation, initial points, data, real steps."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.claims.check import Context
from implicitbias.theory.dedios2020.algorithm_1 import real_steps
from implicitbias.theory.dedios2020.section_3_balance import different
from implicitbias.theory.dedios2020.section_3_walls import CASES, optimal_start
from implicitbias.theory.observed.training import drift_runs, label_noise_runs, penalised_runs
from implicitbias.theory.observed.training.samples import RICHARDSON, combined
from implicitbias.training.effective_loss import effective_loss
from implicitbias.training.label_noise import lifted_points, outputs


def test_richardson_cancels_errors_of_first_and_second_order_and_no_others() -> None:
    steps = [Fraction(1), Fraction(1, 2), Fraction(1, 4)]
    left = [sum(w * step**k for w, step in zip(RICHARDSON, steps, strict=True)) for k in range(4)]
    assert left[:3] == [1, 0, 0]
    assert left[3] != 0


def test_combined_means_have_the_variance_of_independent_samples() -> None:
    rng = np.random.default_rng(1)
    centres = [combined([(2.0, rng.normal(1, 1, 50)), (-1.0, rng.normal(3, 2, 80))])[0] for _ in range(1500)]
    assert np.mean(centres) == pytest.approx(-1.0, abs=0.05)
    assert np.std(centres) == pytest.approx((4 / 50 + 4 / 80) ** 0.5, rel=0.1)


@pytest.mark.parametrize("start", [drift_runs.LINE, drift_runs.PLANE], ids=lambda s: s.name)
def test_no_neuron_of_a_drifting_start_is_near_a_datum(start: drift_runs.Start) -> None:
    for theta in start.theta:
        for x in start.x:
            assert abs(sum(t * v for t, v in zip(theta, (*x, 1), strict=True))) >= Fraction(1, 2)


def test_rescaling_a_neuron_changes_its_balance_and_not_its_share() -> None:
    theta, c = np.array([[1.0, 2.0], [0.5, 1.0]]), np.array([3.0, -1.0])
    point, scaled, scaled_c = np.array([1.0, 1.0]), theta * [[2.0], [1.0]], c * [0.5, 1.0]
    share = drift_runs.observed("share", theta, c, point)
    assert share == drift_runs.observed("share", scaled, scaled_c, point) == 9.0
    assert drift_runs.observed("D1", theta, c, point) == 5.0 - 9.0
    assert drift_runs.observed("D1", scaled, scaled_c, point) == 20.0 - 2.25


@pytest.mark.parametrize(("h", "y"), [tuple(map(Fraction, case)) for case in CASES])
def test_the_optimal_start_interpolates_at_the_least_effective_loss(h: Fraction, y: Fraction) -> None:
    theta, c = optimal_start(h, y, 1)
    points = lifted_points([-float(h), 0.0, float(h)])
    np.testing.assert_allclose(outputs(theta, c, points, 1.0)[0], float(y), rtol=1e-12)
    least = 2 / 3 * abs(float(y)) * (5 * (2 + float(h) ** 2)) ** 0.5
    assert effective_loss(theta[0], c[0], points, 1.0) == pytest.approx(least, rel=1e-12)
    # Active at two data each: at the third the kink is on the datum or beyond it.
    assert ((theta[0] @ points.T > 0).sum(axis=1) == 2).all()


def test_values_off_the_data_leave_out_neurons_that_no_datum_moves() -> None:
    job = label_noise_runs.Training(
        label_noise_runs.on_the_line([0, 1]), (Fraction(1), Fraction(2)), 2, 1, 0.01, 0.0, 0, 0
    )
    theta = np.array([[[1.0, 1.0], [-1.0, -0.5]]])  # the second is active for x < -1/2 only
    c = np.array([[1.0, 7.0]])
    run = label_noise_runs.run_from(job, theta, c)
    np.testing.assert_allclose(label_noise_runs.values_at(job, run, [-1]), [0.0], atol=1e-12)
    np.testing.assert_allclose(run.outputs([-1.0]), [[3.5]])


def test_the_quiet_steps_at_the_end_bring_networks_back_to_zero_error() -> None:
    x, y = label_noise_runs.on_the_line([2, -2]), (Fraction(1), Fraction(1, 5))
    job = label_noise_runs.Training(x, y, 12, 4, 0.02, 0.5, 3000, 5)
    assert label_noise_runs.worst_errors(job, label_noise_runs.trained(job)).max() < 1e-6


def test_opposite_neurons_on_one_active_set_are_the_certified_minimiser() -> None:
    problem = penalised_runs.OPPOSITE
    fit = penalised_runs.certified(problem, problem.penalty)
    assert fit.gap < Fraction(1, 10**9)
    found = {u.sign: u for u in penalised_runs.different_units(fit.units)}
    assert found.keys() == {1, -1}
    for sign, unit in found.items():
        np.testing.assert_allclose(25 * unit.direction, [12, 20 * sign, -9], atol=1e-5)
        assert unit.cost == pytest.approx(5 / 8, abs=1e-6)


def test_the_data_of_the_penalised_runs_are_the_drawn_ones() -> None:
    names = [problem.name for problem in penalised_runs.every()]
    assert len(set(names)) == len(names) == 6
    eight = penalised_runs.every()[3]
    rng = np.random.default_rng(2)
    assert [float(x) for (x,) in eight.x] == sorted(rng.uniform(-2, 2, 8).tolist())
    assert [float(y) for y in eight.y] == rng.standard_normal(8).tolist()


def test_neurons_of_a_cell_that_the_data_see_alike_are_one() -> None:
    points = lifted_points([0.0, 1.0])
    theta, c = np.array([[1.0, 1.0], [2.0, 2.0], [1.0, 3.0]]), np.array([1.0, 2.0, 1.0])
    assert different(theta, c, points, (0, 1, 2)) == 2
    assert different(theta, c, points, (0, 1)) == 1
    assert different(theta, c * [1.0, 3.0, 1.0], points, (0, 1)) == 2, "c counts too"


def test_real_steps_tell_their_error_with_the_noise_in_it() -> None:
    first = next(iter(real_steps(Context(seed=3), 1)))
    # f(1) = (2·0 - 1·1)/2 = -1/2; ỹ = 3 ± 1/2.
    assert first.e in (Fraction(-3), Fraction(-4))
    assert first.h(0) == 0
    assert first.moved[0] == first.theta[0]
