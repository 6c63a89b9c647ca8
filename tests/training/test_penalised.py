"""Training with weight decay and path norm: its gradient, its scale, and the certified convex optimum below it."""

from typing import Any

import numpy as np
import pytest
import torch

from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.errors import DataError
from implicitbias.training.label_noise import lifted_points
from implicitbias.training.penalised import SETTLE, train_penalised

X = np.array([[0.3, -1.0], [1.2, 0.4], [-0.7, 0.9]])
Y = np.array([0.5, -1.0, 2.0])


def start(replicas: int, m: int, d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    return 0.5 * rng.normal(size=(replicas, m, d + 1)), 0.5 * rng.normal(size=(replicas, m))


@pytest.mark.parametrize(("decay", "path", "scale"), [(0.1, 0.0, 1.0), (0.0, 0.2, 0.25), (0.05, 0.1, None)])
def test_every_step_is_that_of_automatic_differentiation(decay: float, path: float, scale: float | None) -> None:
    theta, c = start(2, 5, 2)
    steps, step = 40, 0.05
    run = train_penalised(theta, c, X, Y, decay=decay, path=path, step=step, steps=steps, scale=scale)
    s, flat, points = (1 / 5 if scale is None else scale), steps - round(SETTLE * steps), torch.tensor(lifted_points(X))
    for k in range(2):
        t, o = (torch.tensor(p[k], requires_grad=True) for p in (theta, c))

        def objective(t: torch.Tensor, o: torch.Tensor) -> torch.Tensor:
            f = s * torch.relu(points @ t.T) @ o
            costs = decay * (t.square().sum(1) + o.square()) + path * o.abs() * t.norm(dim=1)
            return 0.5 * (f - torch.tensor(Y)).square().mean() + s * costs.sum()

        for now in range(steps):
            rate = step / s * (1 if now < flat else (steps - now) / (steps - flat))
            slopes = torch.autograd.grad(objective(t, o), (t, o))
            with torch.no_grad():
                for p, g in zip((t, o), slopes, strict=True):
                    p -= rate * g
        np.testing.assert_allclose(run.theta[k], t.detach().numpy(), rtol=0, atol=1e-13)
        np.testing.assert_allclose(run.c[k], o.detach().numpy(), rtol=0, atol=1e-13)
        assert run.objective[k] == pytest.approx(float(objective(t, o).detach()), rel=1e-13)


def test_the_scale_only_changes_the_units_of_the_parameters() -> None:
    theta, c = start(2, 9, 2)
    one = train_penalised(theta, c, X, Y, decay=0.02, step=0.05, steps=300, scale=1.0)
    mean = train_penalised(3 * theta, 3 * c, X, Y, decay=0.02, step=0.05, steps=300)
    np.testing.assert_allclose(mean.theta, 3 * one.theta, rtol=1e-10)
    np.testing.assert_allclose(mean.objective, one.objective, rtol=1e-10)


def test_no_network_is_below_the_convex_optimum_and_trained_ones_attain_it() -> None:
    least = penalised_fit(X.tolist(), Y.tolist(), 0.4)
    theta, c = start(8, 30, 2)
    run = train_penalised(theta, c, X, Y, decay=0.1, step=0.05, steps=20_000, scale=1.0)
    lower, upper = float(least.lower) / 2, float(least.upper) / 2
    assert run.objective.min() >= lower - 1e-14
    assert run.objective.max() <= upper * (1 + 1e-4)
    assert run.loss.min() > 1e-4, "the penalty matters here"


def test_weight_decay_balances_the_layers() -> None:
    theta, c = start(4, 10, 2)
    run = train_penalised(theta, c, X, Y, decay=0.05, step=0.05, steps=10_000, scale=1.0)
    large = np.abs(run.c) > 1e-3
    # A step of length ε leaves an imbalance of order ε; at the start it was of order 1.
    np.testing.assert_allclose(np.linalg.norm(run.theta, axis=2)[large], np.abs(run.c)[large], rtol=1e-3)


@pytest.mark.parametrize("change", [{"decay": -1.0}, {"step": 0.0}, {"y": [1.0]}, {"c": np.ones((2, 4))}])
def test_what_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    theta, c = start(2, 3, 2)
    given: dict[str, Any] = {"theta": theta, "c": c, "x": X, "y": Y, "decay": 0.1, "step": 0.1, "steps": 5} | change
    with pytest.raises(DataError, match=r"needed|must"):
        train_penalised(**given)
