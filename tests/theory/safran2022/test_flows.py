"""Settings, teachers and constants of Theorems 3.1 and 2.3, against independent computations."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from implicitbias.theory.safran2022.observed.branching import B, V, W, X, Y, follow
from implicitbias.theory.safran2022.observed.flows import (
    Setting,
    draw,
    early_run,
    equal,
    label,
    scales,
    teacher,
    width_needed,
)
from implicitbias.theory.safran2022.theorem_3_1 import ENOUGH, LEVEL, OFTEN, OPEN, SELDOM, verdict

SETTINGS = [
    equal(r, 10, "logistic", R=R, first=first, unequal=unequal)
    for r in (1, 2, 3, 6)
    for R in ("1", "3/2")
    for first in (1, -1)
    for unequal in (False, True)
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_sign_of_the_teacher_is_the_label_and_its_width_is_r(setting: Setting) -> None:
    w, b, v = teacher(setting)
    assert len(w) == setting.r
    for j in range(-60, 61):
        at = setting.R * Fraction(j, 61)
        value = sum(out * max(Fraction(0), slope * at + bias) for slope, bias, out in zip(w, b, v, strict=True))
        assert (value > 0) == (label(setting, float(at)) > 0)


def test_the_shortest_segment_and_the_density_of_a_setting() -> None:
    assert equal(3, 10, "logistic").rho == Fraction(1, 2)
    assert equal(2, 10, "logistic", unequal=True).rho == Fraction(1, 2)
    assert equal(1, 10, "logistic", R="2").densest == Fraction(1, 4)
    assert equal(1, 10, "logistic", density="tent").densest == 1


def test_the_widths_and_scales_are_the_printed_constants() -> None:
    """6144 log 48 = 23784.8 for Theorem 3.1 and 6144 log 96 = 28043.4 for Theorem 2.3 at r = 1, δ = 1/2, ρ = R = 1."""
    setting = equal(1, 10, "exponential")
    assert width_needed(setting) == 23785
    assert width_needed(setting, 48) == 28044
    sigma_h, sigma_o = scales(setting, 23785)
    assert sigma_h == pytest.approx(4200 * 100 * 0.5 * 23785**0.5 / 0.5)
    assert sigma_o == pytest.approx(1 / (4 * 23785 * sigma_h * np.log(6 * 23785 / 0.5)))
    assert scales(setting, 28044, doubled=True)[0] == pytest.approx(2 * scales(setting, 28044)[0])


def test_a_setting_survives_json() -> None:
    setting = equal(4, 20, "exponential", R="3/2", unequal=True, density="tent")
    assert Setting.from_json(setting.to_json()) == setting


def test_a_draw_has_the_labels_of_the_teacher_and_the_printed_scale() -> None:
    setting = equal(2, 20, "logistic")
    state, data, (sigma_h, sigma_o) = draw(setting, 5000, 3)
    assert [label(setting, at) for at in data.x] == data.y.tolist()
    assert np.std(state.w) == pytest.approx(sigma_h, rel=0.05)
    assert np.std(state.v) == pytest.approx(sigma_o, rel=0.05)


def test_a_run_at_the_constants_is_certified_and_the_integrator_agrees() -> None:
    run = early_run(equal(1, 5, "logistic"), 23785, 1)
    assert run["reached"]
    assert run["drift"] < 1e-20
    assert run["time of the integrator"] < run["time"]
    assert run["bound of L n"] <= 0.5


def test_verdicts_are_those_of_clopper_and_pearson() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    for delta, runs in ((0.5, 12), (0.1, 72)):
        for successes in range(runs + 1):
            low = scipy_stats.beta.ppf(LEVEL, successes, runs - successes + 1) if successes else 0.0
            high = scipy_stats.beta.ppf(1 - LEVEL, successes + 1, runs - successes) if successes < runs else 1.0
            expected = OFTEN if low >= 1 - delta else SELDOM if high <= 1 - delta else OPEN
            assert verdict(successes, runs, delta) == expected
    assert verdict(12, 12, 0.5) == OFTEN
    assert verdict(0, 12, 0.5) == SELDOM
    assert verdict(6, 12, 0.5) == OPEN


def test_enough_runs_decide_where_all_succeed() -> None:
    for delta, runs in ENOUGH.items():
        assert comb(runs, runs) * (1 - float(Fraction(delta))) ** runs <= LEVEL


def test_the_explicit_start_branches_to_two_certified_limits() -> None:
    active, inactive = follow("active"), follow("inactive")
    assert active["branchings"] >= 1
    assert float(active["cost"]) == pytest.approx(18.08633, abs=1e-4)
    assert float(inactive["cost"]) == pytest.approx(17.29931, abs=1e-4)
    assert (active["kinks"], inactive["kinks"]) == (4, 2)


def test_the_explicit_start_is_generic() -> None:
    """No weight is 0 and no kink lies on a datum initially, so that branching arises during the flow."""
    assert all(number != 0 for row in (W, B, V) for number in row)
    assert all(w * x + b != 0 for w, b in zip(W, B, strict=True) for x in X)
    assert len(X) == len(Y)
