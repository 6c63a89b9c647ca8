"""The data, networks and stopping rules of Section 6, against independent computations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from implicitbias.claims.check import Budget, Context
from implicitbias.claims.writing import gathered
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.observed.data.figure_4 import bends, bins_to_the_right, changes, figure_data, target
from implicitbias.theory.observed.data.triangles import (
    ABSOLUTE,
    LARGE,
    PER_BIN,
    POLYGONS,
    TRIANGLES,
    corners,
    labels,
    pieces,
    sample,
    values,
)
from implicitbias.theory.observed.training import courses
from implicitbias.theory.observed.training.courses import Setting, Watch, ended
from implicitbias.theory.observed.training.kinks import effective_cells, steepest_kink
from implicitbias.theory.observed.training.leaky import LEAK, descend_leaky, leaky_outputs
from implicitbias.theory.observed.training.section_6_runs import share_won
from implicitbias.theory.stewart2022 import section_6_binning, section_6_kinks, section_6_variance

SMALL = Setting("regression", TRIANGLES, "paper", 40, 8, 0.05, 300, 50, 3, 4)


def test_the_target_is_two_large_triangles_less_two_small_ones() -> None:
    def triangle(x: Fraction, a: str, b: str) -> Fraction:
        low, high = Fraction(a), Fraction(b)
        return max(Fraction(0), 1 - abs(2 * x - low - high) / (high - low))

    for x, y in corners(TRIANGLES):
        small = Fraction("0.3") * triangle(x, "-0.7", "-0.5") + Fraction("0.4") * triangle(x, "0.55", "0.75")
        assert y == triangle(x, "-1", "0") + triangle(x, "0", "1") - small


@pytest.mark.parametrize("target", POLYGONS)
@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_every_bin_holds_equally_many_points(target: str, protocol: str) -> None:
    x = sample(target, 20, np.random.default_rng(0), protocol)
    found = labels(values(target, x), 20, protocol)
    assert x.min() >= -1
    assert x.max() <= 1
    if protocol == "paper":  # single precision may move a point over the edge of its bin
        assert np.unique(found, return_counts=True)[1].tolist() == [PER_BIN] * 20
        assert np.unique(x).size == x.size


def test_pieces_of_a_bin_are_where_the_target_is_in_it() -> None:
    low, high = 0.31, 0.52
    grid = np.linspace(-1, 1, 4001)
    inside = np.zeros(grid.size, dtype=bool)
    for a, b in pieces(TRIANGLES, low, high):
        inside |= (grid >= a) & (grid <= b)
    y = values(TRIANGLES, grid)
    clear = (np.abs(y - low) > 1e-9) & (np.abs(y - high) > 1e-9)
    assert (inside == ((y > low) & (y < high)))[clear].all()


def test_ties_go_left_in_the_text_and_right_in_the_released_protocol() -> None:
    y = np.array([0.0, 0.25, 0.75, 1.0])  # midpoints 0, 1/2, 1: edges at 1/4 and 3/4
    assert labels(y, 3).tolist() == [0, 0, 1, 2]
    assert labels(y, 3, "released").tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize("model", ["regression", "classification"])
def test_leaky_descent_follows_autograd(model: str) -> None:
    s = replace(SMALL, model=model, protocol="released")
    start = courses.glorot(s)
    x, y = courses.draw_data(s)["train"]
    goal = y if model == "regression" else labels(y, s.bins, "released")
    (end,) = descend_leaky(start, x, goal, model, 0.05, (30,))
    parameters = [torch.tensor(a, requires_grad=True) for a in (start.w, start.b, start.v)]
    points = torch.tensor(x)[:, None]
    for _ in range(30):
        w, b, v = parameters
        f = torch.nn.functional.leaky_relu(points * w + b, LEAK) @ v
        if model == "regression":
            loss = (f - torch.tensor(y)).square().mean()
        else:  # one softmax over all scores of the batch
            loss = torch.logsumexp(f.reshape(-1), 0) - f[torch.arange(x.size), torch.tensor(goal).long()].mean()
        gradients = torch.autograd.grad(loss, parameters)
        parameters = [(p - 0.05 * g).detach().requires_grad_() for p, g in zip(parameters, gradients, strict=True)]
    for p, q in zip(parameters, (end.w, end.b, end.v), strict=True):
        assert np.abs(p.detach().numpy() - q).max() < 1e-14
    z = np.multiply.outer(x, end.w) + end.b
    assert np.allclose(leaky_outputs(end, x), np.where(z > 0, z, LEAK * z) @ end.v, atol=1e-13)


def test_a_course_is_plain_gradient_descent_and_reports_its_errors() -> None:
    found = courses.course(SMALL)
    data = courses.draw_data(SMALL)
    start = courses.glorot(SMALL)
    w, b, v = start.w.copy(), start.b.copy(), start.v.copy()
    x, y = data["train"]
    for _ in range(300):
        z = np.multiply.outer(x, w) + b
        r = 2 / x.size * (np.maximum(z, 0) @ v - y)
        on = z > 0
        w, b, v = (
            w - 0.05 * v * ((r * x) @ on), b - 0.05 * v * (r @ on), v - 0.05 * r @ np.maximum(z, 0)
        )  # fmt: skip
    expected = [np.square(np.maximum(np.multiply.outer(p, w) + b, 0) @ v - q).mean() for p, q in data.values()]
    assert found["epochs"].tolist() == list(range(0, 301, 50))
    assert np.allclose(found["errors"][-1], expected, rtol=1e-9)


def test_classification_predicts_the_mean_midpoint() -> None:
    s = replace(SMALL, model="classification", bins=3)
    network = courses.glorot(s)
    scores = network(np.array([0.3]))[0]
    odds = np.exp(scores) / np.exp(scores).sum()
    assert courses.predictions(s, network, np.array([0.3]))[0] == pytest.approx(0.5 * odds[1] + odds[2])


def test_patience_counts_epochs_without_a_decrease_of_either_error() -> None:
    watch = Watch(100)
    for epoch, train, validation in ((0, 1.0, 1.0), (50, 0.9, 1.0), (120, 0.9, 0.8), (200, 0.9 - 1e-9, 0.8)):
        watch.see(epoch, (train, validation))
        assert not watch.over
    watch.see(220, (0.9, 0.9))
    assert watch.over


def test_a_rule_takes_the_least_validation_error_before_it_stops() -> None:
    errors = np.array([[1.0, 0.5, 0.6], [0.9, 0.04, 0.09], [0.9, 0.06, 0.09], [0.9, 0.06, 0.09], [0.1, 0.01, 0.01]])
    output = {"epochs": np.arange(5) * 100, "errors": errors}
    stop = ended(output, 200)
    assert (stop.epoch, stop.stopped, stop.validation, round(stop.test, 12)) == (300, True, 0.2, 0.3)
    assert ended(output, None).validation == 0.1


def test_evenness_and_the_place_of_fastest_growth() -> None:
    kinks = np.linspace(-0.995, 0.995, 100)
    assert effective_cells(np.ones(100), -kinks, np.ones(100)) == pytest.approx(100)
    assert effective_cells(np.ones(2), np.array([0.505, 0.505]), np.ones(2)) == pytest.approx(1)
    x = np.linspace(-1, 1, 401)
    missed = np.maximum(0, 1 - np.abs(x - 0.3) / 0.1)
    assert abs(steepest_kink(x, missed - missed.mean())[0] - 0.3) < 0.1


def outputs_with(regression: list[float], classification: list[float]) -> Context:
    """Runs whose root mean square error falls from 1 to these values at once and stays there."""
    epochs = np.arange(0, 30_001, 500)

    def course(model: str, error: float, units: int) -> dict[str, object]:
        errors = np.full((epochs.size, 3), error**2)
        errors[0] = 1.0
        return {"model": model, "epochs": epochs, "errors": errors, "units": units}

    return Context(
        outputs=(
            *(course("regression", e, units) for units in section_6_variance.WIDTHS for e in regression),
            *(course("classification", e, 200) for e in classification for _ in range(2)),
        )
    )


def test_one_classification_run_that_is_not_better_refutes_the_phenomenon() -> None:
    good = outputs_with([0.06, 0.061, 0.062], [0.02, 0.03, 0.031])
    bad = outputs_with([0.06, 0.061, 0.062], [0.02, 0.03, 0.0605])
    observe = section_6_binning.binning(("all epochs",))
    claim = section_6_binning.SECTION_6_BINNING
    assert judge(gathered(observe(good)), claim.formula, list(claim.symbols)).outcome is Outcome.ACCEPTED
    assert judge(gathered(observe(bad)), claim.formula, list(claim.symbols)).outcome is Outcome.REJECTED
    assert share_won([1, 4], [2, 3]) == Fraction(1, 2)


def test_a_spread_of_one_sign_refutes_that_the_width_decides() -> None:
    wide, narrow = [0.02, 0.03, 0.05, 0.06, 0.08, 0.09], [0.0200, 0.0201, 0.0202, 0.0203, 0.0204, 0.0205]
    claim = section_6_variance.SECTION_6_VARIANCE
    for regression, classification, answer in ((wide, narrow, "classification"), (narrow, wide, "regression")):
        evidence = section_6_variance.variance.observe(outputs_with(regression, classification))
        assert evidence.instances[0].observed == answer
        assert judge(evidence, claim.formula).outcome is Outcome.REJECTED
    assert all(p.holds for p in evidence.premises)


def test_networks_of_one_model_that_disagree_are_mixed() -> None:
    assert section_6_kinks.majority(["missing", "present", "few", "missing"]) == "mixed"
    assert section_6_kinks.majority(["missing", "present", "missing"]) == "missing"
    assert section_6_kinks.left_of((100, 2)) == "missing"
    assert section_6_kinks.left_of((100, 3)) == "few"


def test_the_targets_that_reverse_have_no_small_triangle() -> None:
    widths = {t: min(float(b[0] - a[0]) for a, b in zip(corners(t), corners(t)[1:], strict=False)) for t in POLYGONS}
    assert widths[TRIANGLES] < 0.1 < widths[LARGE] <= widths[ABSOLUTE]


def test_the_data_of_figure_4_have_five_points_per_bin_and_come_from_its_seed_alone() -> None:
    x = figure_data()
    assert np.unique(bins_to_the_right([target(at) for at in x]), return_counts=True)[1].max() <= PER_BIN + 1
    assert len(x) == 250
    assert x == sorted(x)
    assert figure_data(1) != x


def test_supports_are_counted_by_their_definitions() -> None:
    x = [Fraction(j, 4) for j in range(-4, 5)]
    assert bends(x, [abs(v) for v in x]) == 3
    assert changes([0, 0, 0, 1, 1, 1, 2]) == 1 + 1 + 1 + 1 + 1
    assert changes([5]) == 1


@pytest.mark.parametrize("planned", [section_6_binning.paper_runs, section_6_binning.released_runs])
def test_at_the_paper_s_size_each_of_sixty_trainings_is_a_job_of_its_own(planned: Any) -> None:
    jobs = planned(Context(seed=3, budget=Budget.PAPER))
    assert [sum(job["model"] == m for job in jobs) for m in ("regression", "classification")] == [30, 30]
    assert len({job["start"] for job in jobs}) == 60
    assert len({job["data"] for job in jobs}) == 1
    assert {(job["units"], job["bins"]) for job in jobs} == {(10_000, 50), (500, 50)}
    assert jobs == planned(Context(seed=3, budget=Budget.PAPER))
