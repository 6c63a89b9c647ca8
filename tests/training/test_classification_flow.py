"""Gradient flow for classification: against finite differences, small Euler steps, and its own conservation laws."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.certificate.kernel import check_certificate
from implicitbias.errors import DataError
from implicitbias.training.flows.classification_flow import (
    Sample,
    Units,
    directions,
    flow,
    margins_and_gram,
    sample,
    units,
)
from implicitbias.training.flows.implicit_force import at_temperature_one, at_zero_temperature
from implicitbias.training.flows.limit import largest_dual, late_limit, merged
from implicitbias.training.flows.margin_losses import (
    MARGIN_LOSSES,
    MarginLoss,
    forces,
    log_mean_loss,
    smoothed_margin,
)


def network(seed: int, n: int = 7, k: int = 25, size: float = 1.0) -> tuple[Units, Sample]:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-2, 2, n))
    y = np.where(np.searchsorted(np.sort(rng.uniform(-2, 2, 2)), x) % 2 == 0, 1.0, -1.0)
    data = sample(x, y)
    return units(*(size * rng.normal(size=(3, k))), data), data


def outputs(state: Units, x: np.ndarray) -> np.ndarray:
    return np.maximum(np.outer(x, state.w) + state.b, 0) @ state.v


@pytest.mark.parametrize("seed", range(5))
def test_margins_and_gram_matrix_are_those_of_the_jacobian(seed: int) -> None:
    state, data = network(seed)
    q, G, norm = margins_and_gram(state, data)
    on = np.outer(data.x, state.w) + state.b > 0
    J = np.concatenate(
        [on * state.v * data.x[:, None], on * state.v, np.maximum(np.outer(data.x, state.w) + state.b, 0)], axis=1
    )
    J *= data.y[:, None]
    np.testing.assert_allclose(q, data.y * outputs(state, data.x), atol=1e-12)
    np.testing.assert_allclose(G, J @ J.T, atol=1e-10)
    assert norm == pytest.approx(sum(np.square(a).sum() for a in (state.w, state.b, state.v)))


@pytest.mark.parametrize("seed", range(3))
def test_sums_over_active_data_are_those_of_each_unit(seed: int) -> None:
    state, data = network(seed)
    p = np.random.default_rng(seed).dirichlet(np.ones(data.size))
    S = directions(p, data)
    on = np.outer(data.x, state.w) + state.b > 0
    wanted = np.stack([on.T @ (p * data.y * data.x), on.T @ (p * data.y)], axis=1)
    np.testing.assert_allclose(S[state.codes], wanted, atol=1e-14)


@pytest.mark.parametrize("loss", list(MARGIN_LOSSES))
def test_the_flow_agrees_with_many_small_euler_steps(loss: str) -> None:
    """An integrator of the plain gradient with a tiny step, compared where both have the same loss."""
    state, data = network(1, n=5, k=6, size=0.7)
    law = MARGIN_LOSSES[loss]
    w, b, v = state.w.copy(), state.b.copy(), state.v.copy()
    start = log_mean_loss(law, data.y * outputs(state, data.x))
    for _ in range(60_000):
        h = np.outer(data.x, w) + b
        on, r = h > 0, np.maximum(h, 0)
        q = data.y * (r @ v)
        g = np.exp(law.log_force(q)) * data.y
        w, b, v = w + 1e-4 * v * (on.T @ (g * data.x)), b + 1e-4 * v * (on.T @ g), v + 1e-4 * (r.T @ g)
    h = np.outer(data.x, w) + b
    q = data.y * (np.maximum(h, 0) @ v)
    aim = log_mean_loss(law, q)
    assert aim < start - 0.3
    course = flow(
        state,
        data,
        temperature=1,
        loss=loss,
        growth=0.002,
        steps=20_000,
        until=lambda _, margins, __: log_mean_loss(law, margins) <= aim,
    )
    assert course.reason == "target"
    np.testing.assert_allclose(course.q, q, atol=0.01 * np.abs(q).max())


@settings(max_examples=25)
@given(st.integers(0, 300), st.sampled_from([0.02, 0.1]))
def test_balance_is_conserved_and_the_smoothed_margin_never_falls(seed: int, growth: float) -> None:
    state, data = network(seed, n=4, k=12)
    course = flow(state, data, temperature=1, growth=growth, steps=400, until=lambda _, q, __: bool(q.min() > 200))
    scale = np.square(course.units.v).max()
    np.testing.assert_allclose(course.units.imbalance, state.imbalance, atol=1e-11 * scale)
    losses = np.array([row[1] for row in course.records])
    assert (np.diff(losses) <= 1e-9).all()
    safe = np.flatnonzero(losses + np.log(data.size) < 0)
    smooth = course.smoothed_margins[safe]
    if not course.falls:
        assert (np.diff(smooth) >= -1e-9 * np.abs(smooth[1:])).all()


@given(st.integers(0, 10_000))
def test_the_pull_at_temperature_zero_solves_its_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    A = rng.normal(size=(n, int(rng.integers(1, 12))))
    q, step = rng.uniform(1, 3, n), float(10 ** rng.uniform(-2, 1))
    p = at_zero_temperature(A @ A.T, q, step)
    after = q + step * A @ A.T @ p
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1)
    assert p @ (after - after.min()) <= 1e-7 * (1 + np.abs(after).max())


@given(st.integers(0, 10_000), st.sampled_from(list(MARGIN_LOSSES)))
def test_the_pull_at_temperature_one_is_the_force_after_the_step(seed: int, loss: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    A = rng.normal(size=(n, 20))
    q, step = rng.normal(size=n) * 3, float(10 ** rng.uniform(-3, 0))
    law = MARGIN_LOSSES[loss]
    p = at_temperature_one(law, A @ A.T, q, step, forces(law, q))
    assert p is not None
    np.testing.assert_allclose(p, forces(law, q + step * A @ A.T @ p), atol=1e-8)


def newtons_method(law: MarginLoss, G: Any, q: Any, step: float, guess: Any) -> Any:
    """The slow twin of the compiled one."""
    alpha = np.log(np.maximum(guess, 1e-300))
    H, n, last = step * G, len(q), np.inf
    for _ in range(60):
        p = np.exp(alpha - alpha.max())
        p /= p.sum()
        alpha = np.log(np.maximum(p, 1e-300))
        after = q + H @ p
        residual = alpha - law.log_force(after)
        residual -= p @ residual
        size = np.abs(residual)[p > 1e-12].max()
        if size < 1e-11 * (1 + np.abs(after).max() * 1e-4):
            return forces(law, after)
        matrix = np.eye(n) + law.decay(after)[:, None] * H * p[None, :]
        both = np.linalg.solve(matrix, np.stack([-residual, np.ones(n)], axis=1))
        change = both[:, 0] - both[:, 1] * (p @ both[:, 0]) / (p @ both[:, 1])
        largest = np.abs(change[p > 1e-9]).max()
        alpha = alpha + min(1.0, (4.0 if size >= last * 0.5 else 16.0) / largest) * change
        last = size
    return None


@given(st.integers(0, 10_000), st.sampled_from(list(MARGIN_LOSSES)))
def test_compiled_newtons_method_finds_what_its_slow_twin_finds_or_gives_up_with_it(seed: int, loss: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    A = rng.normal(size=(n, int(rng.integers(1, 20)))) * 10 ** rng.uniform(-2, 1)
    q, step = rng.normal(size=n) * 10 ** rng.uniform(0, 3), float(10 ** rng.uniform(-3, 2))
    law = MARGIN_LOSSES[loss]
    fast, slow = (find(law, A @ A.T, q, step, forces(law, q)) for find in (at_temperature_one, newtons_method))
    assert (fast is None) == (slow is None)
    if fast is not None:
        np.testing.assert_allclose(fast, slow, rtol=1e-6, atol=1e-12)


def test_losses_do_not_underflow() -> None:
    q = np.array([5000.0, 5001.0, 9000.0])
    for law in MARGIN_LOSSES.values():
        assert log_mean_loss(law, q) == pytest.approx(-5000 + np.log(1 + np.exp(-1)) - np.log(3))
        assert forces(law, q)[0] == pytest.approx(1 / (1 + np.exp(-1)))
        assert smoothed_margin(law, q, 10.0) == pytest.approx(500, rel=1e-4)


@pytest.mark.parametrize("log_value", [-200.0, -31.0, -29.0, -3.0, -0.5])
def test_the_inverse_of_a_loss_is_its_inverse(log_value: float) -> None:
    for law in MARGIN_LOSSES.values():
        q = law.inverse(log_value)
        assert float(law.log_value(np.array([q]))[0]) == pytest.approx(log_value, rel=1e-10)


def test_one_switch_ends_at_the_closed_form() -> None:
    """Last - at a, first + at c, ac >= -1: kinks at a and c, Σλ = (√(1+a²) + √(1+c²))/(c - a)."""
    rng = np.random.default_rng(3)
    x = [-0.9, -0.2, 0.3, 0.8]
    data = sample(x, [-1, -1, 1, 1])
    state = units(*rng.normal(size=(3, 60)), data)
    early = flow(state, data, temperature=1, until=lambda _, q, __: bool(q.min() > 1e3))
    found = late_limit(early.units, data, [Fraction(at) for at in x])
    assert found.point is not None
    document = found.point.certificate()
    assert check_certificate(document).valid
    assert document["claim"] == {"kinks_at_least": 2, "kinks_at_most": 2, "global_optimum": True}
    total = float(sum(found.point.multipliers.values()))
    assert total == pytest.approx((np.hypot(1, 0.2) + np.hypot(1, 0.3)) / 0.5, rel=1e-9)
    assert float(largest_dual(found.point)) == pytest.approx(1, abs=1e-9)


def test_merged_units_have_the_margins_of_all() -> None:
    state, data = network(4, k=300)
    state.v = 0.1 * state.v
    together = merged(state, data.size)
    assert len(together.w) <= 2 * 2 * data.size
    values = np.maximum(np.outer(data.x, together.w) + together.b, 0) @ together.v
    np.testing.assert_allclose(values, outputs(state, data.x), atol=1e-10)


@pytest.mark.parametrize("loss", list(MARGIN_LOSSES))
def test_a_unit_that_is_pushed_off_a_datum_to_both_sides_goes_where_the_branch_rule_says(loss: str) -> None:
    """- at 0, + at 1; v < 0 and the kink on 0: the point 1 pushes it off to the right, the point 0 to the left."""
    data = sample([0.0, 1.0], [-1.0, 1.0])
    kinks = {}
    for branch in ("active", "inactive", "stay"):
        state = units(np.array([1.0, 2.0]), np.array([0.0, 0.5]), np.array([-1.0, 1.0]), data)
        state.contacts[0] = 0
        course = flow(state, data, temperature=1, loss=loss, branch=branch, steps=1)  # type: ignore[arg-type]
        assert course.counts[3] == 1
        kinks[branch] = -course.units.b[0] / course.units.w[0]
    assert kinks["active"] < -1e-4
    assert kinks["inactive"] > 1e-4
    assert abs(kinks["stay"]) < 1e-15


def test_bad_data_are_refused_with_what_to_do() -> None:
    with pytest.raises(DataError, match="increase"):
        sample([1.0, 1.0], [1, -1])
    with pytest.raises(DataError, match="labels must be 1 or -1"):
        sample([0.0, 1.0], [1, 0])
    data = sample([0.0, 1.0], [1, -1])
    with pytest.raises(DataError, match="finite"):
        units(np.array([np.nan]), np.array([1.0]), np.array([1.0]), data)
    with pytest.raises(DataError, match="classified"):
        flow(units(np.ones(1), np.ones(1), np.ones(1), data), data, temperature=0)
