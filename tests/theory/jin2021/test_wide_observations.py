"""Linear trajectories, trained networks and features against independent computations, and deliberately wrong ones."""

import numpy as np
import pytest

from implicitbias.theory.jin2021.observed import limits_of_features, linear_trajectories, trained_networks


def one_network(seed=3, n=40):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(1, n)), generator.normal(size=(1, n)), generator.normal(size=(1, n)) / np.sqrt(n)


def test_kernels_by_group_are_products_of_gradients_by_finite_differences():
    w, b, v = one_network(n=6)
    x, z = np.array([-1.3, 0.4]), np.array([0.9])

    def f(point, theta):
        ww, bb, vv, c = theta[:6], theta[6:12], theta[12:18], theta[18]
        return float((vv * np.maximum(ww * point + bb, 0)).sum() + c)

    theta = np.concatenate([w[0], b[0], v[0], [0.0]])

    def gradient(point):
        h = 1e-6 * np.eye(19)
        return np.array([(f(point, theta + e) - f(point, theta - e)) / 2e-6 for e in h])

    parts = linear_trajectories.kernels(w, b, v, x, z)
    for group, rows in (("w", slice(0, 6)), ("b", slice(6, 12)), ("v", slice(12, 18)), ("c", slice(18, 19))):
        direct = [[gradient(p)[rows] @ gradient(q)[rows] for q in z] for p in x]
        assert parts[group][0] == pytest.approx(np.array(direct), abs=1e-7)


def test_the_closed_form_of_many_steps_is_what_the_steps_give():
    w, b, v = one_network()
    x, y = (np.array(part) for part in linear_trajectories.SHIFTED)
    parts = linear_trajectories.kernels(w, b, v, x, x)
    K = sum(parts.values())[0]
    lam, modes = np.linalg.eigh(K)
    eta = 0.7 / lam[-1]
    a = np.zeros_like(y)
    for _ in range(37):
        a = a + eta * (y - K @ a)  # the multipliers of Jᵀ in the parameters' displacement
    found = linear_trajectories.multipliers(lam[None], modes[None], y, np.array([eta]), np.array([37.0]))
    assert found[0, 0] == pytest.approx(a, rel=1e-9)


def test_a_trained_network_follows_its_linearisation_and_reaches_the_data():
    job = {"n": 512, "count": 2, "seed": 1, "law": "gaussian", "data": "shifted", "ntk": False, "times": None}
    found = trained_networks.trained(job)
    assert found["loss"].max() < 1e-20
    assert found["apart"].max() < 0.02
    assert found["moved"].max() < 0.01


def test_the_infinite_width_function_at_late_times_is_the_interpolant():
    late, end = (trained_networks.infinite_width("zigzag", tau) for tau in (1e9, np.inf))
    assert late == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_features_on_the_circle_come_near_the_minimiser_at_the_rate_of_a_mean(k):
    errors = [np.exp(np.log(limits_of_features.circle_error(k, n, 30, n)).mean()) for n in (512, 8192)]
    assert errors[1] / errors[0] == pytest.approx(0.25, rel=0.35)


def test_features_of_two_inputs_come_near_the_cubic_minimiser_and_not_near_other_data_s(monkeypatch):
    near = limits_of_features.plane_error(8192, 10, 1).mean()
    assert near < 0.02
    # another power of the distance is another function
    norm = np.linalg.norm
    monkeypatch.setattr(np.linalg, "norm", lambda a, **kwargs: norm(a, **kwargs) ** (5 / 6))
    assert limits_of_features.plane_error(8192, 10, 1).mean() > 2 * near
