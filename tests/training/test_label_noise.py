"""Algorithm 1, step by step, against torch and against exact arithmetic; and its streams of draws."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.training.label_noise import NOISES, Noise, draws, label_noise_sgd, lifted_points, next_bits

X = np.array([[0.3, -1.0], [1.2, 0.4], [-0.7, 0.9]])
Y = np.array([0.5, -1.0, 2.0])


def start(replicas: int, m: int, d: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(replicas, m, d + 1)), rng.normal(size=(replicas, m))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("scale", "anneal"), [(None, 0.0), (1.0, 0.5)])
def test_every_step_is_that_of_automatic_differentiation(noise: Noise, scale: float | None, anneal: float) -> None:
    theta, c = start(4, 5, 2)
    steps, step, size = 60, 0.02, 0.7
    run = label_noise_sgd(
        theta, c, X, Y, step=step, noise_size=size, steps=steps, seed=[3, 1], noise=noise, scale=scale, anneal=anneal
    )
    index, values = draws([3, 1], 4, len(Y), steps, noise)
    points, flat = torch.tensor(lifted_points(X)), steps - round(anneal * steps)
    for k in range(4):
        t, o = (torch.tensor(p[k], requires_grad=True) for p in (theta, c))
        for now in range(steps):
            i = int(index[k, now])
            f = (torch.relu(t @ points[i]) @ o) * (1 / 5 if scale is None else scale)
            error = (f - (Y[i] + size * values[k, now])).square()
            rate = step * (1 if now < flat else (steps - now) / (steps - flat))
            slopes = torch.autograd.grad(error, (t, o))
            with torch.no_grad():
                for p, g in zip((t, o), slopes, strict=True):
                    p -= rate * g
        np.testing.assert_allclose(run.theta[-1, k], t.detach().numpy(), rtol=0, atol=1e-13)
        np.testing.assert_allclose(run.c[-1, k], o.detach().numpy(), rtol=0, atol=1e-13)


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10**6), st.sampled_from([0.01, 0.1, 0.4]))
def test_a_step_changes_the_balance_of_a_neuron_by_the_exact_law(d: int, m: int, seed: int, step: float) -> None:
    """D = |θ|² - c² grows by (4ε²e²/m²)(c²|x̃|² 1{active} - [θ·x̃]_+²), e = f(x_i) - ỹ: equation (12) in one step."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(3, d)), rng.normal(size=3)
    theta, c = start(2, m, d, seed)
    run = label_noise_sgd(theta, c, x, y, step=step, noise_size=0.5, steps=1, seed=seed)
    index, values = draws(seed, 2, 3, 1, "signs")
    points = lifted_points(x)
    for k in range(2):
        i, r = index[k, 0], values[k, 0]
        h = np.maximum(theta[k] @ points[i], 0)
        error = (h @ c[k]) / m - (y[i] + 0.5 * r)
        square = points[i] @ points[i]
        law = 4 * step**2 * error**2 / m**2 * (c[k] ** 2 * square * (h > 0) - h**2)
        new = [balance(t, o) for t, o in zip(run.theta[-1, k], run.c[-1, k], strict=True)]
        old = [balance(t, o) for t, o in zip(theta[k], c[k], strict=True)]
        change = [float(a - b) for a, b in zip(new, old, strict=True)]
        size = 1 + np.abs(theta[k]).max() ** 2 + np.abs(c[k]).max() ** 2
        np.testing.assert_allclose(change, law, rtol=1e-13, atol=1e-14 * size)


def balance(theta: Any, c: float) -> Fraction:
    """|θ|² - c² of doubles, exactly."""
    return sum((Fraction(t) ** 2 for t in theta.tolist()), Fraction(0)) - Fraction(float(c)) ** 2


def test_a_neuron_whose_kink_is_on_the_datum_does_not_move() -> None:
    run = label_noise_sgd([[[1.0, -0.5]]], [[2.0]], [0.5], [3.0], step=0.1, noise_size=1.0, steps=5, seed=0)
    assert run.theta[-1].tolist() == [[[1.0, -0.5]]]
    assert run.c[-1].tolist() == [[2.0]]


def test_replicas_draw_data_and_noise_independently_of_each_other() -> None:
    index, signs = draws(7, 2000, 3, 40, "signs")
    assert np.abs([(index == i).mean() - 1 / 3 for i in range(3)]).max() < 0.01
    assert np.unique(signs).tolist() == [-1.0, 1.0]
    # Correlations of 2000 × 40 pairs have a standard deviation of 0.0035.
    for pair in (
        (signs[:-1], signs[1:]),
        (index[:-1], index[1:]),
        (index, signs),
        (signs[:, :-1], signs[:, 1:]),
        (index[:, :-1], index[:, 1:]),
    ):
        assert abs(np.corrcoef(pair[0].ravel(), pair[1].ravel())[0, 1]) < 0.02
    assert len(np.unique(index, axis=0)) == 2000


def test_the_streams_are_those_of_splitmix64() -> None:
    state = np.array([1234567], np.uint64)
    found = [int(next_bits(state, 0)) for _ in range(5)]
    # The published values for this seed.
    assert found == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


def test_normal_noise_has_mean_zero_variance_one_and_normal_tails() -> None:
    _, values = draws(8, 200, 2, 1000, "normal")
    moments = [(values**k).mean() for k in (1, 2, 3, 4)]
    np.testing.assert_allclose(moments, [0, 1, 0, 3], atol=0.06)


def test_the_same_seed_gives_the_same_run_and_keeping_steps_does_not_change_it() -> None:
    theta, c = start(3, 4, 2)
    settings: Any = {"step": 0.05, "noise_size": 0.5, "steps": 30, "seed": 5, "anneal": 0.4}
    one = label_noise_sgd(theta, c, X, Y, **settings)
    two = label_noise_sgd(theta, c, X, Y, **settings, keep=[0, 7, 25])
    assert two.kept_steps == (0, 7, 25, 30)
    np.testing.assert_array_equal(two.theta[0], theta)
    np.testing.assert_array_equal(one.theta[-1], two.theta[-1])
    np.testing.assert_array_equal(
        two.theta[1], label_noise_sgd(theta, c, X, Y, **{**settings, "seed": 5, "anneal": 0.0, "steps": 7}).theta[-1]
    )
    other = label_noise_sgd(theta, c, X, Y, **{**settings, "seed": 6})
    assert not np.array_equal(one.theta[-1], other.theta[-1])


def test_a_step_that_is_too_long_is_reported() -> None:
    theta, c = start(2, 4, 2)
    run = label_noise_sgd(theta * 50, c * 50, X, Y, step=1.0, noise_size=1.0, steps=200, seed=0)
    assert run.diverged.all()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"theta": np.ones((2, 3, 2))}, r"\(R, m, 3\)"),
        ({"c": np.ones((2, 4))}, "c"),
        ({"y": [1.0, 2.0]}, "3 finite labels"),
        ({"x": np.full((3, 2), np.nan)}, "finite numbers"),
        ({"step": 0.0}, "step > 0"),
        ({"anneal": 1.0}, "anneal < 1"),
        ({"noise": "uniform"}, "signs, normal"),
        ({"keep": [99]}, "between 0 and 5"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], says: str) -> None:
    theta, c = start(2, 3, 2)
    given: dict[str, Any] = {
        "theta": theta,
        "c": c,
        "x": X,
        "y": Y,
        "step": 0.1,
        "noise_size": 1.0,
        "steps": 5,
        "seed": 0,
    }
    given |= change
    with pytest.raises(DataError, match=says):
        label_noise_sgd(**given)
