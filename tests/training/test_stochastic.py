"""Stochastic descent of many networks: against automatic differentiation step by step, and where it ends."""

from typing import Any

import numpy as np
import pytest
import torch

from implicitbias.errors import DataError
from implicitbias.training import TwoLayer, anti_symmetric, standard, tangent_kernel
from implicitbias.training.label_noise import draws
from implicitbias.training.stochastic import stochastic_descent
from implicitbias.training.two_layer import Groups

X, Y = np.array([-1.0, 0.25, 1.5]), np.array([0.5, -1.0, 0.75])


def start(networks: int, n: int, rates: Groups, seed: int = 0) -> TwoLayer:
    rng = np.random.default_rng(seed)
    return TwoLayer(*(rng.normal(size=(networks, n)) for _ in range(3)), rng.normal(size=networks), rates)


@pytest.mark.parametrize("rates", [Groups(), Groups(w=0.5, b=2.0, v=0.25, c=3.0)])
def test_every_step_is_that_of_automatic_differentiation(rates: Groups) -> None:
    networks = start(3, 7, rates)
    steps, step = 90, 0.03
    run = stochastic_descent(networks, X, Y, step=step, steps=steps, seed=[5, 1])
    order, _ = draws([5, 1], 3, len(X), steps)
    for k in range(3):
        w, b, v, c = (torch.tensor(getattr(networks, name)[k], requires_grad=True) for name in "wbvc")
        for i in order[k].tolist():
            f = v @ torch.relu(w * X[i] + b) + c
            slopes = torch.autograd.grad((f - Y[i]).square() / 2, (w, b, v, c))
            with torch.no_grad():
                for part, slope, rate in zip((w, b, v, c), slopes, rates, strict=True):
                    part -= step * rate * slope
        for name, part in zip("wbvc", (w, b, v, c), strict=True):
            np.testing.assert_allclose(getattr(run.network, name)[k], part.detach().numpy(), rtol=0, atol=1e-12)
        outputs = run.network.one(k)(X)
        assert run.loss[k] == pytest.approx(((outputs - Y) ** 2).sum() / 2, abs=1e-14)
    assert run.steps.tolist() == [steps] * 3


def test_it_stops_at_the_loss_asked_for_and_zero_error_stays() -> None:
    run = stochastic_descent(start(2, 60, Groups()), X, Y, step=0.005, steps=10**6, seed=1, stop_loss=1e-18)
    assert (run.loss <= 1e-18).all()
    assert (run.steps < 10**6).all()
    assert (run.steps % 64 == 0).all()
    np.testing.assert_allclose(run.network(X), np.broadcast_to(Y, (2, 3)), atol=2e-9)


def test_wide_networks_end_at_the_nearest_interpolant_whatever_the_order() -> None:
    """Theorem 24 with Remark 25: the end is K(z, X) K(X, X)⁻¹ y of the start's tangent kernel, up to n⁻²."""
    rng = np.random.default_rng(2)
    network = anti_symmetric(standard(*(rng.normal(size=(1, 3000)) for _ in range(3))))
    many = TwoLayer(*(np.repeat(getattr(network, name), 3, axis=0) for name in "wbvc"), network.rates)
    run = stochastic_descent(many, X, Y, step=1e-4, steps=10**6, seed=4, stop_loss=1e-20)
    z = np.linspace(-2, 2, 9)
    one = network.one(0)
    own, there = tangent_kernel(one, X, X), tangent_kernel(one, z, X)
    nearest = there @ np.linalg.solve(own, Y)
    ends = run.network(z)
    assert np.abs(ends - nearest).max() < 1e-4 * np.abs(nearest).max()
    assert 0 < np.abs(ends[0] - ends[1]).max() < 1e-4


def test_networks_that_diverge_stop_when_their_loss_is_no_number() -> None:
    """Beyond a step of 2 the output bias alone swings ever wider."""
    run = stochastic_descent(start(4, 5, Groups()), X, Y, step=3.0, steps=20_000, seed=3)
    assert not np.isfinite(run.loss).any()
    assert (run.steps < 20_000).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"x": [0.0, 1.0]}, "one number for each datum"),
        ({"y": [0.0, np.nan, 1.0]}, "finite"),
        ({"step": 0.0}, "step > 0"),
        ({"stop_loss": -1.0}, "stop_loss >= 0"),
        ({"steps": -1}, "steps must not be negative"),
        ({"start": TwoLayer([1.0], [0.0], [1.0])}, "a batch of networks"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(change: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"start": start(1, 2, Groups()), "x": X, "y": Y, "step": 0.1, "steps": 1, "seed": 0}
    with pytest.raises(DataError, match=words):
        stochastic_descent(**{**given, **change})
