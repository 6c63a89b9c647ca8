"""Every engine is held to the trajectory of `dense`, which is torch's own gradient, wherever it applies."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from implicitbias.errors import DataError
from implicitbias.training import ENGINES, Groups, Trajectory, TwoLayer, anti_symmetric, ntk, standard, train

ROUNDING = 1e-12
"""Relative: doubles, a few dozen steps, sums of at most some dozen terms."""

GRID = np.linspace(-3, 3, 121)

LATTICE_X = np.array([-1, -0.5, -0.5, 0, 0.25, 0.5, 0.5, 2.0])


def lattice(seeds: int, units: int, outputs: int | None = None) -> TwoLayer:
    """Weights on a coarse lattice: zeros, negative weights, duplicates, and kinks exactly on LATTICE_X."""
    rng = np.random.default_rng([seeds, units])
    w, b = rng.integers(-2, 3, (seeds, units)) / 2, rng.integers(-2, 3, (seeds, units)) / 4
    assert (w == 0).any()
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.isin(-b / w, LATTICE_X).mean() > 0.2
    tail = () if outputs is None else (outputs,)
    return TwoLayer(w, b, rng.integers(-2, 3, (seeds, units, *tail)) / 2, 0.125)


def labels(loss: str, m: int, outputs: int | None) -> np.ndarray:
    rng = np.random.default_rng(m)
    if loss == "cross_entropy":
        return rng.integers(0, outputs or 1, m)
    y = rng.normal(size=m if outputs is None else (m, outputs))
    return y if loss == "square" else np.where(y > 0, 1.0, -1.0)


def parameters(f: TwoLayer) -> np.ndarray:
    return np.concatenate([np.ravel(a) for a in (f.w, f.b, f.v, f.c)])


def assert_same(one: Trajectory, other: Trajectory) -> None:
    assert np.array_equal(one.steps, other.steps)
    assert np.array_equal(one.stop_steps, other.stop_steps)
    assert one.reasons == other.reasons
    np.testing.assert_allclose(one.losses, other.losses, rtol=ROUNDING, atol=ROUNDING)
    for f, g in zip([*one.snapshots, one.final], [*other.snapshots, other.final], strict=True):
        assert isinstance(f, TwoLayer)
        assert isinstance(g, TwoLayer)
        np.testing.assert_allclose(parameters(f), parameters(g), rtol=ROUNDING, atol=ROUNDING)


@pytest.mark.parametrize(
    ("loss", "outputs"),
    [("square", None), ("logistic", None), ("exponential", None), ("square", 3), ("cross_entropy", 3), ("logistic", 2)],
)
def test_prefix_sums_take_the_steps_of_autograd_on_awkward_networks(loss: str, outputs: int | None) -> None:
    start, y = lattice(3, 12, outputs), labels(loss, LATTICE_X.size, outputs)
    settings = {"loss": loss, "step": 0.01, "steps": 40, "snapshots": (0, 7, 20), "weight_decay": 0.1}
    dense = train(start, LATTICE_X, y, engine="dense", **settings)
    assert_same(train(start, LATTICE_X, y, engine="prefix_sum", **settings), dense)
    assert dense.losses[-1].max() < dense.losses[0].max()


def autograd(f: TwoLayer, x: np.ndarray, y: np.ndarray, loss: str) -> np.ndarray:
    """-∂L/∂θ, written here afresh."""
    w, b, v, c = (torch.tensor(a, requires_grad=True) for a in (f.w, f.b, f.v, f.c))
    out = torch.nn.functional.relu(torch.tensor(x)[:, None] * w + b) @ v + c
    target = torch.tensor(y)
    if loss == "square":
        value = 0.5 * torch.nn.functional.mse_loss(out, target, reduction="sum")
    elif loss == "logistic":
        value = torch.nn.functional.binary_cross_entropy_with_logits(out, (target + 1) / 2, reduction="sum")
    elif loss == "exponential":
        value = torch.exp(-target * out).sum()
    else:
        value = torch.nn.functional.cross_entropy(out, target, reduction="sum")
    value.backward()
    return -np.concatenate([np.ravel(p.grad.numpy()) for p in (w, b, v, c)])


@pytest.mark.parametrize("engine", ["dense", "prefix_sum"])
@pytest.mark.parametrize("loss", ["square", "logistic", "exponential", "cross_entropy"])
@pytest.mark.parametrize("network", ["lattice", "gaussian"])
def test_gradients_are_those_of_autograd(engine: str, loss: str, network: str) -> None:
    outputs = 4 if loss == "cross_entropy" else None
    rng = np.random.default_rng(5)
    if network == "lattice":
        x, start = LATTICE_X, lattice(3, 12, outputs).one(1)
    else:
        x = rng.normal(size=40)
        x[7] = x[3]
        tail = () if outputs is None else (outputs,)
        start = TwoLayer(rng.normal(size=150), rng.normal(size=150), rng.normal(size=(150, *tail)) / 12, 0.3)
    y = labels(loss, x.size, outputs)
    # One step with keep = 1 - step × decay = 0 leaves minus the gradient, without cancellation.
    done = train(start, x, y, engine=engine, loss=loss, step=1.0, steps=1, weight_decay=1.0)
    wanted = autograd(start, x, y, loss)
    assert isinstance(done.final, TwoLayer)
    np.testing.assert_allclose(parameters(done.final), wanted, rtol=ROUNDING, atol=ROUNDING * np.abs(wanted).max())


@pytest.mark.parametrize("trained", [("v",), ("v", "c"), ("w", "b"), ("w", "b", "v", "c")])
def test_groups_that_do_not_learn_stay_and_the_others_agree(trained: Sequence[str]) -> None:
    start, y = lattice(2, 9), labels("square", LATTICE_X.size, None)
    settings = {"step": 0.01, "steps": 10, "trained": trained, "weight_decay": Groups(0.1, 0.0, 0.2, 0.3)}
    one, other = (train(start, LATTICE_X, y, engine=e, **settings) for e in ("dense", "prefix_sum"))
    assert_same(other, one)
    for name in "wbvc":
        assert np.array_equal(getattr(start, name), getattr(one.final, name)) == (name not in trained)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_a_kernel_takes_the_steps_of_dense_where_the_network_is_linear(reduction: str) -> None:
    start, y = lattice(3, 12), labels("square", LATTICE_X.size, None)
    settings = {"trained": ("v", "c"), "steps": 60, "snapshots": (0, 3, 60), "reduction": reduction}
    dense = train(start, LATTICE_X, y, engine="dense", **settings)
    kernel = train(start, LATTICE_X, y, engine="kernel", **settings)
    np.testing.assert_allclose(kernel.losses, dense.losses, rtol=1e-11)
    for f, g in zip(kernel.snapshots, dense.snapshots, strict=True):
        np.testing.assert_allclose(f(GRID), g(GRID), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_a_flow_is_the_kernel_where_the_network_is_linear(reduction: str) -> None:
    start, y = lattice(3, 12), labels("square", LATTICE_X.size, None)
    settings = {"trained": ("v", "c"), "times": (0.0, 0.1, 2.0, np.inf), "snapshots": (0, 1, 2, 3)}
    settings["reduction"] = reduction
    flow, kernel = (train(start, LATTICE_X, y, engine=e, **settings) for e in ("gradient_flow", "kernel"))
    np.testing.assert_allclose(flow.losses, kernel.losses, rtol=1e-9)
    for f, g in zip(flow.snapshots, kernel.snapshots, strict=True):
        np.testing.assert_allclose(f(GRID), g(GRID), rtol=1e-9, atol=1e-9)
    assert set(flow.reasons) == {"stationary"}, "a repeated x with two labels cannot be fitted"


@pytest.mark.parametrize("parametrisation", [standard, ntk])
def test_the_flow_is_gradient_descent_in_tiny_steps(parametrisation: type) -> None:
    rng = np.random.default_rng(2)
    start = anti_symmetric(
        parametrisation(rng.normal(size=(2, 24)), rng.normal(size=(2, 24)), rng.normal(size=(2, 24)))
    )
    x, y = np.arange(-2.0, 3.0), np.array([1.5, 0.5, 1.5, 0.5, 1.5])
    flow = train(start, x, y, times=(0.01, 0.5), snapshots=(0, 1), tolerance=1e-9)
    assert flow.engine == "gradient_flow"
    gaps = []
    for step in (4e-5, 1e-5):
        descent = train(
            start, x, y, step=step, steps=round(0.5 / step), snapshots=[round(0.01 / step), round(0.5 / step)]
        )
        gaps.append([np.abs(f(GRID) - g(GRID)).max() for f, g in zip(flow.snapshots, descent.snapshots, strict=True)])
    assert max(gaps[1]) < 1e-3
    # Euler's error is proportional to the step; what remains is the flow's own.
    assert gaps[1][0] < 0.35 * gaps[0][0]


@pytest.mark.parametrize("engine", list(ENGINES))
def test_a_batch_is_its_networks_one_by_one(engine: str) -> None:
    rng = np.random.default_rng(3)
    start = standard(rng.normal(size=(3, 20)), rng.normal(size=(3, 20)), rng.normal(size=(3, 20)))
    x, y = np.array([-1.0, 0.2, 1.0]), np.array([0.5, -0.5, 1.0])
    settings = {} if engine == "gradient_flow" else {"steps": 30, "step": 0.02}
    batch = train(start, x, y, engine=engine, **settings)
    assert batch(GRID).shape == (3, GRID.size)
    for seed in range(3):
        alone = train(start.one(seed), x, y, engine=engine, **settings)
        assert alone.losses.shape == (len(alone.steps),)
        np.testing.assert_allclose(alone(GRID), batch(GRID)[seed], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(alone.losses, batch.losses[:, seed], rtol=1e-9, atol=1e-25)


@pytest.mark.parametrize("engine", list(ENGINES))
def test_each_network_of_a_batch_may_have_data_of_its_own(engine: str) -> None:
    rng = np.random.default_rng(4)
    start = standard(rng.normal(size=(2, 20)), rng.normal(size=(2, 20)), rng.normal(size=(2, 20)))
    x, y = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    settings = {} if engine == "gradient_flow" else {"steps": 30, "step": 0.02}
    batch = train(start, x, y, engine=engine, **settings)
    for seed in range(2):
        alone = train(start.one(seed), x[seed], y[seed], engine=engine, **settings)
        np.testing.assert_allclose(alone(GRID), batch(GRID)[seed], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("engine", ["dense", "prefix_sum"])
def test_each_seed_stops_for_its_own_reason(engine: str) -> None:
    # f = v [w x]_+ with v alone learning: the error is multiplied by 1 - w²/10 a step.
    start = TwoLayer(w=[[1.0], [10.0], [0.0]], b=[[0.0], [0.0], [-1.0]], v=[[0.0], [0.0], [0.0]])
    settings = {"engine": engine, "step": 0.1, "steps": 500, "trained": ("v",), "record": 1}
    done = train(start, [1.0], [2.0], stop_loss=1e-6, **settings)
    assert done.reasons == ("loss", "diverged", "steps")
    assert done.reason == "diverged"
    exact = 2.0 * 0.9 ** (2 * np.arange(done.stop_steps[0] + 1))
    np.testing.assert_allclose(done.losses[: done.stop_steps[0] + 1, 0], exact, rtol=1e-9)
    assert exact[-1] <= 1e-6 < exact[-2]
    assert (done.losses[done.stop_steps[0] :, 0] == done.losses[-1, 0]).all()
    flat = train(start.one(2), [1.0], [2.0], patience=5, **settings)
    assert (flat.reason, int(flat.stop_steps[0])) == ("plateau", 5)


@pytest.mark.parametrize("engine", ["dense", "prefix_sum"])
def test_label_noise_moves_the_labels_of_the_step_and_not_the_recorded_loss(engine: str) -> None:
    start, y = lattice(2, 9), labels("square", LATTICE_X.size, None)

    def one_datum(step: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        weights = np.zeros(y.size)
        weights[generator.integers(y.size)] = 1.0
        return y + 0.5 * generator.choice([-1.0, 1.0], size=(2, y.size)), weights

    settings = {"step": 0.05, "steps": 25, "label_noise": one_datum, "record": 1}
    one = train(start, LATTICE_X, y, engine=engine, seed=1, **settings)
    same = train(start, LATTICE_X, y, engine="dense", seed=1, **settings)
    assert_same(one, same)
    other = train(start, LATTICE_X, y, engine=engine, seed=2, **settings)
    assert not np.allclose(one.losses[-1], other.losses[-1])
    assert np.array_equal(one.losses[0], train(start, LATTICE_X, y, engine=engine, step=0.05, steps=0).losses[0])


@pytest.mark.parametrize("engine", list(ENGINES))
def test_an_engine_says_why_it_refuses(engine: str) -> None:
    f = TwoLayer([1.0], [0.0], [1.0])
    wrong = {
        "dense": {"times": (1.0,)},
        "prefix_sum": {"times": (1.0,)},
        "kernel": {"loss": "logistic"},
        "gradient_flow": {"steps": 5},
    }[engine]
    with pytest.raises(DataError, match=f"engine '{engine}' cannot train this: "):
        train(f, [1.0], [1.0], engine=engine, **wrong)


def test_an_unknown_engine_is_answered_with_the_known_ones() -> None:
    with pytest.raises(DataError, match="auto, dense, prefix_sum, kernel, gradient_flow"):
        train(TwoLayer([1.0], [0.0], [1.0]), [1.0], [1.0], engine="adam")
