"""The early phase: a-priori bounds against the full flow with all parameters moving."""

import numpy as np
import pytest

from implicitbias.training.flows.classification_flow import Sample, Units, flow, sample, units
from implicitbias.training.flows.early_phase import certificate, features, frozen_flow
from implicitbias.training.flows.margin_losses import MARGIN_LOSSES, log_mean_loss


def start(hidden: float, k: int = 60, seed: int = 0) -> tuple[Units, Sample]:
    rng = np.random.default_rng(seed)
    data = sample(np.linspace(-0.9, 0.9, 6), [-1, -1, 1, 1, -1, -1])
    w, b = hidden * rng.normal(size=(2, k))
    return units(w, b, rng.normal(size=k) / (4 * k * hidden * np.log(60.0 * k)), data), data


@pytest.mark.parametrize("loss", list(MARGIN_LOSSES))
def test_a_certificate_is_kept_by_the_full_flow(loss: str) -> None:
    state, data = start(3e6)
    found = certificate(state, data, loss, 1 / 12)
    assert found.reached
    assert found.drift < 1e-2
    law = MARGIN_LOSSES[loss]
    whole = flow(
        state, data, temperature=1, loss=loss, growth=0.01, steps=9000,
        until=lambda _, q, __: log_mean_loss(law, q) <= np.log(1 / 12),
    )  # fmt: skip
    assert whole.reason == "target"
    assert (whole.units.codes == state.codes).all(), "no activation flips"
    assert np.abs(whole.units.w - state.w).max() < found.drift * np.hypot(state.w, state.b).max()
    frozen = frozen_flow(state, data, loss, 1 / 12, growth=0.01)
    assert frozen.reached < found.time
    assert np.abs(frozen.units.v - whole.units.v).max() < 0.05 * np.abs(whole.units.v).max()


def test_a_small_hidden_layer_has_no_certificate() -> None:
    state, data = start(3.0)
    found = certificate(state, data, "logistic", 1 / 12)
    assert not found.reached
    assert "drift" in found.reason


def test_features_without_a_knot_between_the_switches_have_no_certificate() -> None:
    rng = np.random.default_rng(0)
    data = sample([-1.0, -0.5, 0.0, 0.5, 1.0], [-1, -1, 1, -1, -1])
    state = units(1e6 * np.ones(9), 1e6 * rng.uniform(2, 3, 9), 1e-9 * rng.normal(size=9), data)
    assert not certificate(state, data, "exponential", 0.1).reached


def test_frozen_features_follow_the_convex_problem() -> None:
    state, data = start(1e6)
    course = frozen_flow(state, data, "exponential", 1e-3)
    np.testing.assert_allclose(course.q, data.y * (features(state, data) @ course.units.v), rtol=1e-9)
    assert log_mean_loss(MARGIN_LOSSES["exponential"], course.q) <= np.log(1e-3)
