"""Every engine is held to `dense`, and `dense` to torch's own gradient, wherever it does not refuse the problem."""

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

import implicitbias.training as training
from implicitbias.errors import DataError
from implicitbias.training import ENGINES, Groups, Trajectory, TwoLayer, anti_symmetric, ntk, standard
from implicitbias.training import problem as problems

ROUNDING = 1e-12
"""Relative: doubles, a few dozen steps, sums of at most some dozen terms."""

GRID = np.linspace(-3, 3, 121)

LATTICE_X = np.array([-1, -0.5, -0.5, 0, 0.25, 0.5, 0.5, 2.0])


ON_A_GPU = {"fused"}
"""Engines that run on a GPU alone; without one tests/training/test_fused.py interprets what they would run there."""


def train(*data: Any, engine: str = "auto", **options: Any) -> Trajectory:
    """`train`, on the device where the engine runs."""
    return training.train(*data, engine=engine, device="cuda" if engine in ON_A_GPU else "cpu", **options)


def refusal(engine: str, *data: Any, **options: Any) -> str | None:
    """Why the engine does not train this where it runs."""
    problem = problems.Problem(*data, device="cuda" if engine in ON_A_GPU else "cpu", **options)
    return ENGINES[engine].refuses(problem)


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


def parameters_of(f: Any) -> TwoLayer:
    """θ of a network, and of a linearised network the θ that it has reached."""
    found = getattr(f, "parameters", f)
    assert isinstance(found, TwoLayer)
    return found


def trained(engine: str, *data: Any, **options: Any) -> Trajectory:
    """What the engine makes of it; the test is skipped, with the engine's reason, if it refuses."""
    why = refusal(engine, *data, **options)
    if why is not None:
        pytest.skip(why)
    return train(*data, engine=engine, **options)


def network_itself(done: Trajectory) -> Trajectory:
    """Skips the test for an engine that trains the linearised network."""
    if not isinstance(done.final, TwoLayer):
        pytest.skip("trains the linearised network")
    return done


def course(engine: str, steps: int = 30, step: float = 0.02) -> dict[str, Any]:
    """Some steps, or the same time for an engine that takes no steps."""
    asked = {"step": step, "steps": steps}
    stepping = refusal(engine, lattice(2, 9), [0.5], [1.0], **asked) is None
    return asked if stepping else {"times": (0.0, step * steps)}


def assert_same(one: Trajectory, other: Trajectory) -> None:
    assert np.array_equal(one.steps, other.steps)
    assert np.array_equal(one.stop_steps, other.stop_steps)
    assert one.reasons == other.reasons
    np.testing.assert_allclose(one.losses, other.losses, rtol=ROUNDING, atol=ROUNDING)
    for f, g in zip([*one.snapshots, one.final], [*other.snapshots, other.final], strict=True):
        assert isinstance(f, TwoLayer)
        assert isinstance(g, TwoLayer)
        np.testing.assert_allclose(parameters(f), parameters(g), rtol=ROUNDING, atol=ROUNDING)


NO_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU here")

every = pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=NO_GPU) if name in ON_A_GPU else name for name in ENGINES]
)


@every
@pytest.mark.parametrize(
    ("loss", "outputs"),
    [("square", None), ("logistic", None), ("exponential", None), ("square", 3), ("cross_entropy", 3), ("logistic", 2)],
)
@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_steps_are_those_of_dense_on_awkward_networks(
    engine: str, loss: str, outputs: int | None, weight_decay: float
) -> None:
    start, y = lattice(3, 12, outputs), labels(loss, LATTICE_X.size, outputs)
    options = {"loss": loss, "step": 0.01, "steps": 40, "snapshots": (0, 7, 20), "weight_decay": weight_decay}
    done = network_itself(trained(engine, start, LATTICE_X, y, **options))
    assert_same(done, train(start, LATTICE_X, y, engine="dense", **options))
    assert done.losses[-1].max() < done.losses[0].max()


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


@every
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
    done = trained(engine, start, x, y, loss=loss, step=1.0, steps=1, weight_decay=1.0)
    wanted = autograd(start, x, y, loss)
    assert isinstance(done.final, TwoLayer)
    np.testing.assert_allclose(parameters(done.final), wanted, rtol=ROUNDING, atol=ROUNDING * np.abs(wanted).max())


@every
@pytest.mark.parametrize("learning", [("v",), ("v", "c"), ("w", "b"), ("w", "b", "v", "c")])
def test_groups_that_do_not_learn_stay(engine: str, learning: Sequence[str]) -> None:
    start, y = lattice(2, 9), labels("square", LATTICE_X.size, None)
    done = train(start, LATTICE_X, y, engine=engine, trained=learning, **course(engine, 10, 0.01))
    for name in "wbvc":
        stayed = np.array_equal(getattr(start, name), getattr(parameters_of(done.final), name))
        assert stayed == (name not in learning)


@every
@pytest.mark.parametrize("learning", [("v",), ("v", "c"), ("w", "b"), ("w", "b", "v", "c")])
def test_groups_that_learn_agree_with_dense_under_decay(engine: str, learning: Sequence[str]) -> None:
    start, y = lattice(2, 9), labels("square", LATTICE_X.size, None)
    options = {"step": 0.01, "steps": 10, "trained": learning, "weight_decay": Groups(0.1, 0.0, 0.2, 0.3)}
    assert_same(
        network_itself(trained(engine, start, LATTICE_X, y, **options)),
        train(start, LATTICE_X, y, engine="dense", **options),
    )


@every
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_steps_are_those_of_dense_where_the_network_is_linear(engine: str, reduction: str) -> None:
    start, y = lattice(3, 12), labels("square", LATTICE_X.size, None)
    options = {"trained": ("v", "c"), "steps": 60, "snapshots": (0, 3, 60), "reduction": reduction}
    done = trained(engine, start, LATTICE_X, y, **options)
    dense = train(start, LATTICE_X, y, engine="dense", **options)
    np.testing.assert_allclose(done.losses, dense.losses, rtol=1e-11)
    for f, g in zip(done.snapshots, dense.snapshots, strict=True):
        np.testing.assert_allclose(f(GRID), g(GRID), rtol=1e-11, atol=1e-11)


@every
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_a_flow_is_that_of_the_kernel_where_the_network_is_linear(engine: str, reduction: str) -> None:
    start, y = lattice(3, 12), labels("square", LATTICE_X.size, None)
    options: dict[str, Any] = {"trained": ("v", "c"), "times": (0.0, 0.1, 2.0, np.inf), "snapshots": (0, 1, 2, 3)}
    options["reduction"] = reduction
    done = trained(engine, start, LATTICE_X, y, **options)
    kernel = train(start, LATTICE_X, y, engine="kernel", **options)
    np.testing.assert_allclose(done.losses, kernel.losses, rtol=1e-9)
    for f, g in zip(done.snapshots, kernel.snapshots, strict=True):
        np.testing.assert_allclose(f(GRID), g(GRID), rtol=1e-9, atol=1e-9)
    assert set(done.reasons) == {"stationary"}, "a repeated x with two labels cannot be fitted"


@every
@pytest.mark.parametrize("parametrisation", [standard, ntk])
def test_a_flow_is_gradient_descent_in_tiny_steps(engine: str, parametrisation: type) -> None:
    rng = np.random.default_rng(2)
    start = anti_symmetric(
        parametrisation(rng.normal(size=(2, 24)), rng.normal(size=(2, 24)), rng.normal(size=(2, 24)))
    )
    x, y = np.arange(-2.0, 3.0), np.array([1.5, 0.5, 1.5, 0.5, 1.5])
    flow = network_itself(trained(engine, start, x, y, times=(0.01, 0.5), snapshots=(0, 1), tolerance=1e-9))
    gaps = []
    for step in (4e-5, 1e-5):
        descent = train(
            start, x, y, step=step, steps=round(0.5 / step), snapshots=[round(0.01 / step), round(0.5 / step)]
        )
        gaps.append([np.abs(f(GRID) - g(GRID)).max() for f, g in zip(flow.snapshots, descent.snapshots, strict=True)])
    assert max(gaps[1]) < 1e-3
    # Euler's error is proportional to the step; what remains is the flow's own.
    assert gaps[1][0] < 0.35 * gaps[0][0]


@every
def test_a_batch_is_its_networks_one_by_one(engine: str) -> None:
    rng = np.random.default_rng(3)
    start = standard(rng.normal(size=(3, 20)), rng.normal(size=(3, 20)), rng.normal(size=(3, 20)))
    x, y = np.array([-1.0, 0.2, 1.0]), np.array([0.5, -0.5, 1.0])
    options = course(engine)
    batch = train(start, x, y, engine=engine, **options)
    assert batch.engine == engine
    assert batch(GRID).shape == (3, GRID.size)
    for seed in range(3):
        alone = train(start.one(seed), x, y, engine=engine, **options)
        assert alone.losses.shape == (len(alone.steps),)
        np.testing.assert_allclose(alone(GRID), batch(GRID)[seed], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(alone.losses, batch.losses[:, seed], rtol=1e-9, atol=1e-25)


@every
def test_each_network_of_a_batch_may_have_data_of_its_own(engine: str) -> None:
    rng = np.random.default_rng(4)
    start = standard(rng.normal(size=(2, 20)), rng.normal(size=(2, 20)), rng.normal(size=(2, 20)))
    x, y = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    options = course(engine)
    batch = train(start, x, y, engine=engine, **options)
    for seed in range(2):
        alone = train(start.one(seed), x[seed], y[seed], engine=engine, **options)
        np.testing.assert_allclose(alone(GRID), batch(GRID)[seed], rtol=1e-9, atol=1e-9)


@every
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")  # the linearised network diverges unstopped
def test_each_seed_stops_for_its_own_reason(engine: str) -> None:
    # f = v [w x]_+ with v alone learning: the error is multiplied by 1 - w²/10 per step.
    start = TwoLayer(w=[[1.0], [10.0], [0.0]], b=[[0.0], [0.0], [-1.0]], v=[[0.0], [0.0], [0.0]])
    options: dict[str, Any] = {"step": 0.1, "steps": 500, "trained": ("v",), "record": 1}
    done = network_itself(trained(engine, start, [1.0], [2.0], stop_loss=1e-6, **options))
    assert done.reasons == ("loss", "diverged", "steps")
    assert done.reason == "diverged"
    exact = 2.0 * 0.9 ** (2 * np.arange(done.stop_steps[0] + 1))
    np.testing.assert_allclose(done.losses[: done.stop_steps[0] + 1, 0], exact, rtol=1e-9)
    assert exact[-1] <= 1e-6 < exact[-2]
    assert (done.losses[done.stop_steps[0] :, 0] == done.losses[-1, 0]).all()
    flat = train(start.one(2), [1.0], [2.0], engine=engine, patience=5, **options)
    assert (flat.reason, int(flat.stop_steps[0])) == ("plateau", 5)


@every
def test_label_noise_moves_the_labels_of_the_step_and_not_the_recorded_loss(engine: str) -> None:
    start, y = lattice(2, 9), labels("square", LATTICE_X.size, None)

    def one_datum(step: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        weights = np.zeros(y.size)
        weights[generator.integers(y.size)] = 1.0
        return y + 0.5 * generator.choice([-1.0, 1.0], size=(2, y.size)), weights

    options = {"step": 0.05, "steps": 25, "label_noise": one_datum, "record": 1}
    one = trained(engine, start, LATTICE_X, y, seed=1, **options)
    same = train(start, LATTICE_X, y, engine="dense", seed=1, **options)
    assert_same(one, same)
    other = train(start, LATTICE_X, y, engine=engine, seed=2, **options)
    assert not np.allclose(one.losses[-1], other.losses[-1])
    assert np.array_equal(one.losses[0], train(start, LATTICE_X, y, engine=engine, step=0.05, steps=0).losses[0])


ASKED: list[dict[str, Any]] = [
    {"times": (1.0,)},
    {"step": 0.1, "steps": 5},
    {"loss": "logistic", "step": 0.1, "steps": 5},
    {"weight_decay": 0.1, "step": 0.1, "steps": 5},
    {"label_noise": lambda step, generator: [1.0], "step": 0.1, "steps": 5},
]


@every
def test_an_engine_trains_or_says_why_not(engine: str) -> None:
    given = (TwoLayer([1.0], [0.0], [1.0]), [1.0], [1.0])
    refused = 0
    for options in ASKED:
        why = refusal(engine, *given, **options)
        if why is None:
            assert np.isfinite(train(*given, engine=engine, **options).final_loss)
            continue
        refused += 1
        with pytest.raises(DataError) as error:
            train(*given, engine=engine, **options)
        assert str(error.value) == f"engine {engine!r} cannot train this: {why}"
    assert refused, "no engine takes both steps and times with every loss"


@pytest.mark.parametrize("engine", list(ENGINES))
def test_an_engine_has_its_name_and_a_line_about_it(engine: str) -> None:
    assert ENGINES[engine].name == engine
    assert len(ENGINES[engine].says) > 10
    with pytest.raises(DataError, match=engine):
        train(TwoLayer([1.0], [0.0], [1.0]), [1.0], [1.0], engine="adam")


@pytest.mark.parametrize("engine", list(ENGINES))
def test_asking_what_an_engine_refuses_loads_nothing_heavy(engine: str) -> None:
    code = f"""
import sys
from implicitbias.training import ENGINES, TwoLayer
from implicitbias.training.problem import Problem
ENGINES[{engine!r}].refuses(Problem(TwoLayer([1.0], [0.0], [1.0]), [1.0], [1.0], steps=5))
print({{"torch", "triton", "numba", "scipy", "sympy"}} & sys.modules.keys())
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
