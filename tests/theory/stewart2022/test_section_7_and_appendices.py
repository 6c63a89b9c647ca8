"""Critical lines in the plane, certified margins on the circle, angles of gradients, and depth."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from implicitbias.claims.check import Context
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.theory.observed.cheapest.circle import largest_square
from implicitbias.theory.observed.cheapest.circle_margin import activations, bounds, circle, largest_price
from implicitbias.theory.observed.training import plane, three_layers
from implicitbias.theory.stewart2022 import appendix_a, appendix_f, appendix_g, section_7


def test_a_line_and_its_opposite_are_the_same() -> None:
    line = np.array([[0.6, 0.8, -0.2]])
    assert plane.distances(line, -3 * line)[0] == pytest.approx(0)
    near = np.array([[-math.cos(0.1), math.sin(0.1), 0.5]])  # normal angle π - 0.1, offset 0.5
    far = np.array([[-math.cos(0.1), -math.sin(0.1), 0.5]])  # normal angle -π + 0.1: 0.2 on from it across the seam
    assert plane.distances(near, far)[0] == pytest.approx(0.2)


def test_lines_that_cross_are_those_with_both_signs_at_the_corners() -> None:
    a = np.random.default_rng(0).normal(size=(200, 3))
    corners = np.array([[x, y, 1] for x in (-1, 1) for y in (-1, 1)])
    signs = corners @ a.T > 0
    assert (plane.crossing(a) == (signs.any(0) & ~signs.all(0))).all()


def test_every_unit_of_a_teacher_can_be_found() -> None:
    for seed in range(5):
        a, b = plane.teacher(np.random.default_rng(seed))
        mass = np.linalg.norm(a, axis=1) * np.abs(b)
        assert plane.crossing(a).all()
        assert mass.min() >= plane.LEAST_SHARE * mass.sum()
        assert plane.top_distance(a, mass, a, 3) == pytest.approx(0)


def test_shared_mass_counts_units() -> None:
    assert plane.participation(np.array([1.0, 1.0, 0.0])) == pytest.approx(2)


@pytest.mark.parametrize(
    ("x", "labels", "k", "value"),
    [((-1, 1), (0, 1), 2, 1.0), ((-1, 0, 1), (0, 1, 0), 2, 5 / math.sqrt(2)), ((-1, 1), (0, 1), 3, 1.0)],
)
def test_bounds_enclose_margins_known_by_hand(
    x: tuple[int, ...], labels: tuple[int, ...], k: int, value: float
) -> None:
    found = bounds(x, labels, k, circle(720, x))
    assert found.lower <= value * (1 + 1e-9) or k == 3
    assert found.upper >= found.lower * (1 - 1e-9)
    assert found.upper - found.lower < 1e-4 * found.upper
    if k == 2:
        assert found.upper >= value * (1 - 1e-9)


def test_the_largest_price_is_that_of_exact_arithmetic_and_never_below_a_grid() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        x = np.sort(rng.choice(np.arange(-9, 10), 4, replace=False)) / 9
        alpha = rng.integers(-5, 6, size=(4, 1)).astype(float)
        exact = largest_square([Fraction(c) for c in x.tolist()], [Fraction(a) for a in alpha[:, 0].tolist()])
        assert largest_price(x, alpha) == pytest.approx(math.sqrt(exact), abs=1e-12)
        several = rng.normal(size=(4, 3))
        grid = np.linalg.norm(activations(circle(5000, x), x) @ several, axis=1).max()
        assert grid <= largest_price(x, several) * (1 + 1e-12)
        assert largest_price(x, several) <= grid * (1 + 1e-5)


def test_a_margin_above_the_certified_one_is_refuted() -> None:
    """Runs that claim one percent more than the optimum, or that stop before it, are rejected."""
    losses = [0.1 * 4.0**-i for i in range(16)]
    for factor, outcome in ((1.0, Outcome.ACCEPTED), (1.1, Outcome.REJECTED), (0.95, Outcome.REJECTED)):
        outputs = []
        for name in list(appendix_a.DATA)[:1]:
            low, _, _ = appendix_a.optimal_margins(name)
            margins = [factor * low * (1 - 0.3 / math.log(1 / v)) for v in losses]
            rich = {"data": name, "trained": "wbv", "losses": losses, "margins": margins}
            outputs = [rich, rich, {**rich, "trained": "v", "margins": [0.6 * low] * 16}]
        evidence = appendix_a.margin.observe(Context(outputs=tuple(outputs)))
        claim = appendix_a.APPENDIX_A
        assert judge(evidence, claim.formula, list(claim.symbols)).outcome is outcome, factor


def test_angles_of_known_gradients() -> None:
    found = appendix_f.angles(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))
    assert found["largest"] == pytest.approx(90)
    assert found["straightness"] == pytest.approx(math.sqrt(4 + 9) / (3 + math.sqrt(2)))
    assert appendix_f.angles(appendix_f.whitened_gradients({"start": 1}))["largest"] < 1e-3


def test_three_layers_have_the_weights_of_the_paper() -> None:
    network = three_layers.glorot((1000, 250), [1, 2])
    a, b, c = (w[0].size for w in network.weights)
    assert a + network.biases[0][0].size + b + c == 252_250
    assert (network.weights[1][0] != network.weights[1][1]).any()


@pytest.mark.parametrize(
    ("end", "tips", "answers"),
    [(0.51, (3, 2), ("at corners", "present")), (0.3, (3, 2), ("as at the start", "present")),
     (0.51, (3, 0), ("at corners", "missing"))],
)  # fmt: skip
def test_kinks_away_from_corners_or_lost_at_the_tip_refute_figure_11b(
    end: float, tips: tuple[int, int], answers: tuple[str, str]
) -> None:
    """At the start a mass of 1 of 5 is at a corner; at the end the other kink is where `end` says."""

    def layer(kink: float, tip: int) -> dict[str, object]:
        return {"kinks": [-0.71, kink], "mass": [1.0, 4.0], "at the right tip": tip}

    networks = [[layer(0.3, tips[0]), layer(end, tips[1])] for _ in range(4)]
    evidence = appendix_g.kinks_of_the_first_layer.observe(Context(outputs=({"layers": 3, "kinks": networks},)))
    assert tuple(i.observed for i in evidence.instances) == answers
    accepted = judge(evidence, appendix_g.APPENDIX_G_SUPPORT.formula).outcome is Outcome.ACCEPTED
    assert accepted == (answers == ("at corners", "present"))


def test_the_kinks_of_a_batch_are_those_of_each_network() -> None:
    batch = three_layers.glorot((5, 3), [1, 2])
    for i in range(2):
        found = appendix_g.first_layer(batch, i)
        w, b, v = batch.weights[0][i][:, 0], batch.biases[0][i], batch.weights[1][i]
        for kink, mass in zip(found["kinks"], found["mass"], strict=True):
            j = int(np.argmin(np.abs(w * kink + b)))
            assert w[j] * kink + b[j] == pytest.approx(0, abs=1e-12)
            assert mass == pytest.approx(math.hypot(w[j], b[j]) * math.sqrt(sum(v[:, j] ** 2)))


@pytest.mark.parametrize(("deep", "answer"), [(0.02, "three layers"), (0.2, "two layers"), (0.06, "cannot be told")])
def test_depth_is_decided_by_the_interval(deep: float, answer: str) -> None:
    spread = (0.9, 1.0, 1.1, 1.05)
    outputs = [{"layers": 2, "test": [0.06 * s]} for s in spread] + [{"layers": 3, "test": [deep * s for s in spread]}]
    evidence = appendix_g.depth.observe(Context(outputs=tuple(outputs)))
    assert evidence.instances[0].observed == answer
    assert evidence.premises[0].holds == (answer != "cannot be told")


def test_lines_that_do_not_come_nearer_refute_section_7() -> None:
    def outputs(regression: float, classification: float) -> Context:
        jitter = (0.9, 1.0, 1.1, 1.2, 0.95)
        return Context(
            outputs=tuple(
                {
                    "seeds": [i],
                    "regression, start": [0.7 * j],
                    "regression, end": [regression],
                    "classification, end": [classification * j],
                }
                for i, j in enumerate(jitter)
            )
        )

    claim = section_7.SECTION_7
    assert judge(section_7.plane.observe(outputs(0.02, 0.5)), claim.formula).outcome is Outcome.ACCEPTED
    assert judge(section_7.plane.observe(outputs(0.5, 0.02)), claim.formula).outcome is Outcome.REJECTED


@pytest.mark.parametrize(
    ("ratio", "answer"), [(1.0, "not twice as sparse"), (4.0, "sparser"), (0.5, "not twice as sparse")]
)
def test_supports_are_compared_by_one_count(ratio: float, answer: str) -> None:
    key = "end, units that share the mass"
    outputs = tuple(
        {f"regression, {key}": [60 * j], f"classification, {key}": [60 * ratio]} for j in (0.9, 1.0, 1.1, 1.2, 0.95)
    )
    evidence = section_7.sharing.observe(Context(outputs=outputs))
    assert evidence.instances[0].observed == answer
    assert judge(evidence, section_7.SPARSE.formula).outcome is (
        Outcome.REJECTED if answer == "sparser" else Outcome.ACCEPTED
    )
