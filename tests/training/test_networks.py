"""Networks as arrays: values, shapes, parametrisations; and the deep ones, against torch."""

import inspect
import re
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.functions.network import Network
from implicitbias.training import Groups, InfiniteWidth, LayeredNetwork, TwoLayer, anti_symmetric, ntk, standard, train
from implicitbias.training.problem import Problem

HALVES = st.integers(-6, 6).map(lambda i: i / 2)


@given(st.lists(st.tuples(HALVES, HALVES, HALVES), min_size=1, max_size=8), st.lists(HALVES, min_size=1, max_size=8))
def test_values_are_those_of_the_exact_network(units: list[tuple[float, float, float]], x: list[float]) -> None:
    w, b, v = (list(p) for p in zip(*units, strict=True))
    f = TwoLayer(w, b, v, 0.25)
    exact = Network(w, b, v, 0.25)
    assert f(x).tolist() == [exact(t) for t in x]
    assert f.network().v == exact.v
    assert TwoLayer.from_network(exact)(x).tolist() == f(x).tolist()


def test_values_of_batches_of_vectors_have_the_shapes_promised() -> None:
    rng = np.random.default_rng(0)
    w, b, v, c = (
        rng.normal(size=(2, 5, 3)),
        rng.normal(size=(2, 5)),
        rng.normal(size=(2, 5, 4)),
        rng.normal(size=(2, 4)),
    )
    f, x = TwoLayer(w, b, v, c), rng.normal(size=(7, 3))
    wanted = np.einsum("sqn,snk->sqk", np.maximum(np.einsum("qd,snd->sqn", x, w) + b[:, None], 0), v) + c[:, None]
    np.testing.assert_allclose(f(x), wanted, rtol=1e-12)
    np.testing.assert_allclose(f.one(1)(x), wanted[1], rtol=1e-12)
    assert (f.width, f.seeds, f.inputs, f.outputs) == (5, 2, 3, 4)


def test_the_paper_s_scales() -> None:
    w, b, v, c = np.ones((4, 9)), np.full(4, 2.0), np.full(4, 3.0), 5.0
    f, g = standard(w, b, v, c), ntk(w, b, v, c)
    assert (f.w[0, 0], f.b[0], f.v[0], float(f.c)) == (1 / 3, 2 / 3, 1.5, 2.5)
    assert (g.w[0, 0], g.b[0], g.v[0], float(g.c)) == (1 / 3, 2 / 3, 1.5, 5.0)
    assert g.rates == Groups(1 / 9, 1 / 9, 1 / 4, 1.0)


def test_rates_are_those_of_training_the_scaled_parameters_themselves() -> None:
    rng = np.random.default_rng(1)
    w, b, v = rng.normal(size=(3, 8))
    x, y, n = np.array([-1.0, 0.3, 1.2]), np.array([1.0, -1.0, 0.5]), 8
    raw = [torch.tensor(np.asarray(p), requires_grad=True) for p in (w, b, v, 0.0)]
    for _ in range(20):
        out = (torch.relu(torch.tensor(x)[:, None] * raw[0] + raw[1]) @ raw[2]) / n**0.5 + raw[3]
        loss = 0.5 * (out - torch.tensor(y)).square().sum()
        for p, g in zip(raw, torch.autograd.grad(loss, raw), strict=True):
            p.data -= 0.1 * g
    done = train(ntk(w, b, v), x, y, step=0.1, steps=20).final
    for name, p, scale in zip("wbvc", raw, (1, 1, n**-0.5, 1), strict=True):
        np.testing.assert_allclose(getattr(done, name), scale * p.detach().numpy(), rtol=1e-12)


def test_a_doubled_network_trains_as_the_difference_of_two() -> None:
    rng = np.random.default_rng(2)
    w, b, v = rng.normal(size=(3, 6))
    x, y = np.array([-1.0, 0.3, 1.2]), np.array([1.0, -1.0, 0.5])
    both = [[torch.tensor(np.asarray(p), requires_grad=True) for p in (w, b, v, 0.7)] for _ in range(2)]
    for _ in range(20):
        one, two = (torch.relu(torch.tensor(x)[:, None] * p[0] + p[1]) @ p[2] + p[3] for p in both)
        loss = 0.5 * (0.5**0.5 * (one - two) - torch.tensor(y)).square().sum()
        flat = [p for copy in both for p in copy]
        for p, g in zip(flat, torch.autograd.grad(loss, flat), strict=True):
            p.data -= 0.1 * g
    done = train(anti_symmetric(TwoLayer(w, b, v, 0.7)), x, y, step=0.1, steps=20)
    with torch.no_grad():
        one, two = (torch.relu(torch.tensor(x)[:, None] * p[0] + p[1]) @ p[2] + p[3] for p in both)
    np.testing.assert_allclose(done(x), 0.5**0.5 * (one - two).numpy(), rtol=1e-12)


@pytest.mark.parametrize("engine", ["layerwise", "dense"])
@pytest.mark.parametrize("seeds", [None, 2])
def test_deep_networks_train_as_torch_trains_them(engine: str, seeds: int | None) -> None:
    rng = np.random.default_rng(3)
    sizes, batch = [2, 5, 4, 1], () if seeds is None else (seeds,)
    weights = [rng.normal(size=(*batch, b, a)) for a, b in pairwise(sizes)]
    biases = [rng.normal(size=(*batch, b)) for b in sizes[1:]]
    x, y = rng.normal(size=(6, 2)), rng.normal(size=(6, 1))
    start = LayeredNetwork(tuple(weights), tuple(biases))
    done = train(start, x, y, engine=engine, step=0.01, steps=15, reduction="mean")
    assert train(start, x, y, step=0.01, steps=1).engine == "layerwise"
    pick = () if seeds is None else (1,)
    layers = []
    for weight, bias in zip(weights, biases, strict=True):
        layer = torch.nn.Linear(weight.shape[-1], weight.shape[-2]).double()
        layer.weight.data, layer.bias.data = torch.tensor(weight[pick]), torch.tensor(bias[pick])
        layers += [layer, torch.nn.ReLU()]
    model = torch.nn.Sequential(*layers[:-1])
    optimiser = torch.optim.SGD(model.parameters(), lr=0.005)  # torch's mean has no half
    for _ in range(15):
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(model(torch.tensor(x)), torch.tensor(y)).backward()
        optimiser.step()
    np.testing.assert_allclose(done(x)[pick], model(torch.tensor(x)).detach().numpy(), rtol=1e-12)


def test_the_default_step_converges_and_four_times_it_does_not() -> None:
    rng = np.random.default_rng(4)
    f = standard(*rng.normal(size=(3, 400)))
    x, y = np.array([-1.0, 0.3, 1.2]), np.array([1.0, -1.0, 0.5])
    done = train(f, x, y, steps=3000)
    assert done.final_loss < 1e-6 * done.losses[0]
    wild = train(f, x, y, steps=20, step=4 * done.step)
    assert wild.losses.max() > wild.losses[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"x": [0.0, np.nan]}, "inputs must be finite"),
        ({"x": [[0.0], [1.0]]}, r"inputs must have shape \(M,\)"),
        ({"x": []}, "at least one"),
        ({"y": [1.0]}, "labels must have one of the shapes"),
        ({"y": [1.0, np.inf]}, "labels must be finite"),
        ({"loss": "hinge"}, "loss must be one of square, logistic"),
        ({"loss": "logistic"}, r"must be \+1 or -1: got 0.5"),
        ({"step": 0.0}, "step must be positive"),
        ({"steps": -1}, "steps must not be negative"),
        ({"steps": 3, "times": (1.0,)}, "not both"),
        ({"times": (2.0, 1.0)}, "times must increase"),
        ({"times": (np.nan,)}, "times must increase"),
        ({"record": 0}, "record must be at least 1"),
        ({"steps": 3, "snapshots": (4,)}, "snapshots must be increasing numbers from 0 to 3"),
        ({"trained": ("bias",)}, "trained must name some of"),
        ({"weight_decay": -1.0}, "weight decay must not be negative"),
        ({"dtype": "float16"}, "dtype must be one of"),
        ({"loss": "exponential", "y": [1.0, -1.0]}, "give a step"),
        ({"network": InfiniteWidth(lambda x, y: x * y), "engine": "dense", "steps": 2}, "no parameters"),
        ({"device": "cuda:99" if torch.cuda.is_available() else "cuda"}, "CUDA|cuda"),
    ],
)
def test_what_cannot_be_trained_is_named(change: dict, says: str) -> None:
    given = {"network": TwoLayer([1.0, -1.0], [0.0, 0.5], [1.0, 1.0]), "x": [0.0, 1.0], "y": [0.5, -1.0], **change}
    if "cuda" in str(change.get("device")) and torch.cuda.is_available():
        pytest.skip("a GPU is here")
    with pytest.raises(DataError, match=says):
        train(**given)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([1.0], [1.0, 2.0], [1.0]), r"w must have shape \(2,\)"),
        (([1.0], [1.0], [1.0, 2.0]), r"v must have shape \(1,\)"),
        (([1.0], 1.0, [1.0]), "b must have shape"),
        (([np.nan], [1.0], [1.0]), r"w\[0\] = nan"),
        (([], [], []), "at least one unit"),
        (([1.0], [1.0], [1.0], [1.0, 2.0]), "c must have shape"),
    ],
)
def test_arrays_that_are_no_network_are_named(arguments: tuple, says: str) -> None:
    with pytest.raises(DataError, match=says):
        TwoLayer(*arguments)


def test_train_takes_the_fields_of_a_problem_and_names_them_where_another_is_given() -> None:
    assert [*inspect.signature(train).parameters] == [f.name for f in fields(Problem)]
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'stepp': its arguments are .*step"):
        train(TwoLayer([1.0], [0.0], [1.0]), [1.0], [1.0], stepp=0.1)  # type: ignore[call-arg]
    described = inspect.getdoc(train) or ""
    assert all(re.search(rf"\b{f.name}\b", described) for f in fields(Problem))
