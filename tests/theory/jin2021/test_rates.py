"""The statistics behind every rate of this paper: coverage, power, and the seeds."""

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.claims.evidence import Evidence
from implicitbias.exact.sampling import mean_interval
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.observed.training.rates import (
    fitted_power,
    limit_interval,
    rate_instances,
    ratio_interval,
    seeds,
)


def synthetic(exponent, generator, widths=(64, 128, 256, 512, 1024), count=30, spread=0.4):
    n = np.repeat(widths, count)
    return n.tolist(), (3 * n**exponent * np.exp(generator.normal(0, spread * (n / 64) ** 0.2))).tolist()


def test_the_interval_of_the_exponent_covers_as_often_as_it_says_also_with_unequal_spread():
    generator = np.random.default_rng(1)
    covered = sum(
        fitted_power(*synthetic(-0.5, generator), level=0.2).interval.contains(Fraction(-1, 2)) for _ in range(400)
    )
    # level 0.2 is shared with the quadratic term: 90% each
    assert 0.86 < covered / 400 < 0.94


def test_curvature_is_seen_where_a_rate_breaks_off_at_a_floor():
    generator = np.random.default_rng(2)
    n, errors = synthetic(-0.5, generator, spread=0.1)
    assert fitted_power(n, errors).is_straight
    assert not fitted_power(n, [float(np.hypot(e, 0.2)) for e in errors]).is_straight


@pytest.mark.parametrize(("formula", "accepted"), [("sqrt(n0/n)", True), ("n0/n", False), ("(n0/n)**(1/4)", False)])
def test_a_rate_is_judged_as_a_formula_in_two_widths(formula, accepted):
    instances, _ = rate_instances("made up", *synthetic(-0.5, np.random.default_rng(3)))
    outcome = judge(Evidence(instances=instances), formula, ["n", "n0"]).outcome
    assert outcome is (Outcome.ACCEPTED if accepted else Outcome.REJECTED)


def test_all_intervals_of_a_rate_together_keep_their_level():
    generator = np.random.default_rng(4)
    alarms = 0
    for _ in range(200):
        instances, _ = rate_instances("made up", *synthetic(-0.5, generator, count=12), level=0.1)
        alarms += judge(Evidence(instances=instances), "sqrt(n0/n)", ["n", "n0"]).outcome is Outcome.REJECTED
    assert alarms / 200 < 0.16


def test_means_and_ratios_of_means_cover():
    generator = np.random.default_rng(5)
    means = sum(mean_interval(generator.normal(2, 1, 12), level=0.1).contains(2) for _ in range(500))
    ratios = sum(
        ratio_interval(np.exp(generator.normal(1, 0.3, 10)), np.exp(generator.normal(0, 0.6, 25)), level=0.1).contains(
            Fraction(np.e)
        )
        for _ in range(500)
    )
    assert 0.86 < means / 500 < 0.94
    assert 0.86 < ratios / 500 < 0.94


def test_a_limit_is_extrapolated_past_its_first_correction():
    generator = np.random.default_rng(7)
    n = np.repeat([64, 128, 256, 512], 50)
    values = 2 + 30 / n + generator.normal(0, 0.1, n.size)
    assert limit_interval(n.tolist(), values.tolist(), level=0.01).contains(2)
    assert not mean_interval(values, level=0.01).contains(2)


def test_seeds_differ_between_widths_experiments_and_runs():
    found = [s for run in (1, 2) for what in (3, 4) for n in (64, 128) for s in seeds(run, what, n, count=5)]
    assert len(set(found)) == len(found)
    assert max(found) < 2**63


def test_an_error_of_zero_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="positive"):
        fitted_power([1, 2, 4, 8, 16], [1.0, 0.5, 0.0, 0.1, 0.1])
