"""The trainer, and how functions are read off trained and exact deep networks."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from implicitbias.theory.observed.cheapest.regularised_optimum import regularised_optimum
from implicitbias.theory.observed.data.datasets import ten_points
from implicitbias.theory.observed.training.shallow_runs import exact_objective, network_of, train_job
from implicitbias.theory.observed.training.train import forward, rebalanced, started, train
from implicitbias.theory.observed.units.deep_networks import (
    exact_function,
    path_norm,
    random_network,
    slope_norm,
    squared_norms,
    through_tent_data,
    trained_slopes,
)
from implicitbias.theory.savarese2019.footnote_5 import smoothed_kink
from implicitbias.training.regularised.layered_loss import value_and_gradient

X = [-1.0, -0.3, 0.4, 1.1, 2.0]
Y = [0.3, -0.2, 0.5, 0.1, -0.4]


@pytest.mark.parametrize("hidden", [[6], [5, 4], [4, 3, 5]])
@pytest.mark.parametrize("bias_penalty", [0.0, 1.0])
def test_the_gradient_is_torch_s(hidden: list[int], bias_penalty: float) -> None:
    torch = pytest.importorskip("torch")
    layers = started(X, hidden, 4)
    flat, sizes = np.concatenate([array.ravel() for layer in layers for array in layer]), np.array([1, *hidden, 1])
    value, gradient = value_and_gradient(flat, sizes, np.array(X), np.array(Y), 0.1, bias_penalty)
    tensors = [torch.tensor(array, requires_grad=True) for layer in layers for array in layer]
    hidden_values = torch.tensor([X], dtype=torch.float64)
    penalty = torch.zeros(())
    for i in range(0, len(tensors), 2):
        hidden_values = tensors[i] @ hidden_values + tensors[i + 1][:, None]
        penalty = penalty + (tensors[i] ** 2).sum() * 2 / len(tensors)
        if i + 2 < len(tensors):
            hidden_values = torch.relu(hidden_values)
            penalty = penalty + bias_penalty * (tensors[i + 1] ** 2).sum() / 2
    objective = ((hidden_values[0] - torch.tensor(Y)) ** 2).sum() + 0.1 * penalty
    objective.backward()
    assert value == pytest.approx(float(objective.detach()), rel=1e-6)
    theirs = np.concatenate([tensor.grad.numpy().ravel() for tensor in tensors])
    np.testing.assert_allclose(gradient, theirs, rtol=1e-6, atol=1e-6)


def test_rebalancing_lowers_the_cost_and_leaves_the_function() -> None:
    layers = started(X, [7, 5], 1)
    grid = np.linspace(-3, 3, 50)
    after = rebalanced(layers)
    np.testing.assert_allclose(forward(after, grid), forward(layers, grid), atol=1e-12)
    assert sum((w**2).sum() for w, _ in after) < sum((w**2).sum() for w, _ in layers)


def test_training_twice_gives_the_same_network() -> None:
    one, two = (train(X, Y, [10], 1e-2, 3, runs=2, iterations=100, warm_up=20) for _ in range(2))
    assert one.objective == two.objective
    assert all((u == v).all() for p, q in zip(one.layers, two.layers, strict=True) for u, v in zip(p, q, strict=True))


def test_a_trained_network_comes_close_to_the_certified_minimum_and_stays_above() -> None:
    data, lam = ten_points(), Fraction(1, 100)
    optimum = regularised_optimum(data, lam)
    assert optimum is not None
    runs = [train_job({"data": "ten points", "width": 80, "lam": "1/100", "seed": s}, "cpu") for s in (1, 2, 3)]
    objectives = [exact_objective(network_of(run), data, lam) for run in runs]
    assert all(value >= optimum.value for value in objectives)
    assert min(objectives) < optimum.value * (1 + Fraction(1, 10**6))


def test_penalised_biases_cost_more() -> None:
    data = ten_points()
    x, y = [float(v) for v in data.x], [float(v) for v in data.y]
    free = min(train(x, y, [60], 1e-3, s).objective for s in range(3))
    penalised = min(train(x, y, [60], 1e-3, s, bias_penalty=1.0).objective for s in range(3))
    assert penalised > 1.2 * free


def test_slopes_of_trained_networks_are_those_of_the_exact_function() -> None:
    generator = Random(8)
    for _ in range(30):
        network = random_network(generator, [generator.randint(1, 4) for _ in range(generator.randint(1, 3))])
        f = exact_function(network)
        layers = [(np.array(w, dtype=float), np.array([float(v) for v in b])) for w, b in network]
        knots, slopes = trained_slopes(layers)
        assert np.abs(np.diff(slopes)).sum() == pytest.approx(float(f.total_variation), abs=1e-6)
        assert (slopes[0], slopes[-1]) == pytest.approx((float(f.left_slope), float(f.right_slope)))
        assert all(np.abs(knots - float(k)).min() < 1e-9 for k in f.simplified().knots if f.total_variation)


def test_units_whose_weights_have_decayed_hide_no_knots() -> None:
    # kinks at 1, at 5, and at 1e60: midway between the last two, the one at 5 would drown
    first = (np.array([[1.0], [1.0], [1e-60]]), np.array([-1.0, -5.0, -1.0]))
    knots, slopes = trained_slopes([first, (np.array([[1.0, 1.0, 1.0]]), np.zeros(1))])
    assert slopes[:3] == pytest.approx([0, 1, 2])
    assert knots[:2] == pytest.approx([1, 5])


def test_the_depth_bound_is_met_by_tent_and_hat_at_every_depth_and_kept_by_random_networks() -> None:
    generator = Random(2)
    networks = [random_network(generator, [3, 2, 3][: 1 + i % 3]) for i in range(60)]
    for network in networks:
        assert slope_norm(exact_function(network)) <= 2 * path_norm(network)
    for depth in (3, 4, 6):
        for kind in ("tent", "hat"):
            network = through_tent_data(kind, depth, Fraction(5), Fraction(2))
            product = np.prod([float(s) for s in squared_norms(network)])
            assert float(slope_norm(exact_function(network))) == pytest.approx(2 * product**0.5)


def test_a_kink_smoothed_by_quadrature() -> None:
    grid = np.linspace(-12, 12, 400_001)
    for r, u in ((1.0, 0.5), (4.0, -1.0), (0.5, 0.0)):
        kernel = np.sqrt(r / np.pi) * np.exp(-r * (u - grid) ** 2)
        smooth = smoothed_kink(Fraction(u), Fraction(r))
        assert float((smooth.lower + smooth.upper) / 2) == pytest.approx(np.trapezoid(np.abs(grid) * kernel, grid))
