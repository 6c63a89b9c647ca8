"""Λ against the Jacobian of automatic differentiation; the slow flow against training and against what it keeps."""

import numpy as np
import pytest
import torch

from implicitbias.training.effective_loss import effective_loss, moments, slow_flow
from implicitbias.training.label_noise import label_noise_sgd, lifted_points, outputs

X = np.array([-1.0, 1.0])
POINTS = lifted_points(X)
THETA = np.array([[0.5, 1.5], [-1.25, 0.25], [1.5, 0.0]])
C = np.array([1.0, 0.75, -1.25])


def test_the_effective_loss_is_the_mean_squared_jacobian() -> None:
    rng = np.random.default_rng(1)
    theta, c, points = rng.normal(size=(4, 3)), rng.normal(size=4), lifted_points(rng.normal(size=(6, 2)))
    t, o = (torch.tensor(p, requires_grad=True) for p in (theta, c))
    total = 0.0
    for point in torch.tensor(points):
        slopes = torch.autograd.grad(0.3 * torch.relu(t @ point) @ o, (t, o))
        total += sum(float(g.square().sum()) for g in slopes) / len(points)
    assert effective_loss(theta, c, points, 0.3) == pytest.approx(total, rel=1e-13)


def test_the_cost_of_a_neuron_is_the_least_over_its_rescalings() -> None:
    found = moments(THETA, POINTS)
    grid = np.exp(np.linspace(-4, 4, 200_001))
    least = [(a * grid**2 + c**2 * b / grid**2).min() for a, b, c in zip(found.A, found.B, C, strict=True)]
    np.testing.assert_allclose(found.costs(C), least, rtol=1e-8)


def test_a_datum_on_the_kink_does_not_count_as_active() -> None:
    found = moments(np.array([[1.0, -1.0]]), lifted_points([1.0, 2.0]))
    assert (found.A.item(), found.B.item()) == (0.5, 2.5)


def test_the_slow_flow_keeps_all_outputs_and_lowers_the_effective_loss() -> None:
    theta, c = slow_flow(THETA, C, POINTS, 1.0, 0.3)
    np.testing.assert_allclose(outputs(theta, c, POINTS, 1.0), outputs(THETA, C, POINTS, 1.0), rtol=1e-9)
    assert effective_loss(theta, c, POINTS, 1.0) < effective_loss(THETA, C, POINTS, 1.0) - 0.5


def test_the_balance_drifts_at_the_rate_that_the_exact_law_of_a_step_gives() -> None:
    """d(|θ_j|² - c_j²)/dτ = 4 s² (c_j² B_j - A_j): 4ε²η²(c²B - A)/m² per step, on average, at zero error."""
    found, tau = moments(THETA, POINTS), 1e-4
    theta, c = slow_flow(THETA, C, POINTS, 0.5, tau)
    change = (np.square(theta).sum(1) - c**2 - (np.square(THETA).sum(1) - C**2)) / tau
    np.testing.assert_allclose(change, 4 * 0.25 * (C**2 * found.B - found.A), rtol=1e-3)


def test_training_with_label_noise_follows_the_slow_flow_up_to_the_step_size() -> None:
    tau, replicas = 0.15, 600
    theta, c = slow_flow(THETA, C, POINTS, 1.0, tau)
    wanted = (np.square(theta).sum(1) - c**2)[0]
    y = outputs(THETA, C, POINTS, 1.0)
    off = []
    for step in (0.02, 0.01):
        run = label_noise_sgd(
            np.repeat(THETA[None], replicas, 0), np.repeat(C[None], replicas, 0), X, y,
            step=step, noise_size=1.0, steps=round(tau / step**2), seed=4, scale=1.0,
        )  # fmt: skip
        off.append((np.square(run.theta[-1, :, 0]).sum(1) - run.c[-1, :, 0] ** 2).mean() - wanted)
    assert abs(2 * off[1] - off[0]) < 0.006 < abs(off[1]), "the deviation is linear in the step"


def test_a_change_of_pattern_is_reported() -> None:
    # The second neuron is active at x = 1 alone, and by little.
    theta, c = np.array([[1.0, 0.0], [-1.0, 1.02]]), np.array([1.0, -1.0])
    with pytest.raises(ArithmeticError, match="pattern"):
        slow_flow(theta, c, lifted_points([1.0, 4.0]), 1.0, 1.0)
