"""Patterns, losses, Hessians and multipliers are those of fractions and of torch."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import implicitbias as ib
from implicitbias.errors import DataError
from implicitbias.networks.losses import loss_of
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.samples import samples
from implicitbias.networks.segments import layers_of, switches
from implicitbias.networks.tangent import Tangent
from tests.support.networks import sequential

WHOLE = st.integers(-3, 3).map(float)


@given(
    st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1, max_size=6),
    st.lists(st.tuples(WHOLE, WHOLE), min_size=1, max_size=6),
)
@settings(max_examples=25)
def test_patterns_are_those_of_fractions(units, points):
    w, b = [unit[:2] for unit in units], [unit[2] / 10 for unit in units]
    found = ib.inspect({"w": w, "b": b, "v": [1.0] * len(w)}, [[x / 10 for x in at] for at in points])
    exactly = [
        [
            sum((Fraction(p) * Fraction(q / 10) for p, q in zip(row, at, strict=True)), Fraction(o))
            for row, o in zip(w, b, strict=True)
        ]
        for at in points
    ]
    on = [tuple(height > 0 for height in row) for row in exactly]
    assert found["patterns"] == len(set(on))
    assert found["kinks_at_data"] == sum(height == 0 for row in exactly for height in row)
    assert found["dead_at_data"] == sum(not any(column) for column in zip(*on, strict=True))
    assert found["linear_at_data"] == sum(all(column) for column in zip(*on, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_switches_along_a_segment_are_where_the_activations_of_torch_change(seed: int) -> None:
    torch.manual_seed(seed)
    sizes = (3, 12) if seed % 2 else (3, 8, 8, 6)
    parts = [part for a, b in pairwise(sizes) for part in (torch.nn.Linear(a, b), torch.nn.ReLU())]
    model = torch.nn.Sequential(*parts, torch.nn.Linear(sizes[-1], 1)).double()
    start, end = torch.randn(2, 3, dtype=torch.float64)
    stack = read_network(model)
    t = switches(layers_of(stack), start.numpy(), end.numpy())
    middles = torch.tensor([(p + q) / 2 for p, q in pairwise([0.0, *t, 1.0])])
    fine = torch.cat([middles, torch.linspace(0, 1, 20_001)]).double()
    x = start + fine[:, None] * (end - start)
    patterns = []
    for part in model:
        x = part(x)
        if isinstance(part, torch.nn.ReLU):
            patterns.append(x > 0)
    signs = [tuple(row) for row in torch.cat(patterns, dim=1).tolist()]
    pieces = signs[: len(middles)]
    assert all(p != q for p, q in pairwise(pieces)), "a unit switches at every place"
    assert set(signs[len(middles) :]) <= set(pieces), "and nowhere else"


KINDS = {
    "numbers": (1, lambda rng: rng.normal(size=7), lambda f, y: ((f[:, 0] - y) ** 2).sum() / 2),
    "two numbers": (2, lambda rng: rng.normal(size=(7, 2)), lambda f, y: ((f - y) ** 2).sum() / 2),
    "two classes": (
        1,
        lambda rng: np.array([True, False, True, True, False, False, True]),
        lambda f, y: torch.nn.functional.binary_cross_entropy_with_logits(f[:, 0], y.double(), reduction="sum"),
    ),
    "three classes": (
        3,
        lambda rng: np.array([0, 2, 1, 1, 0, 2, 2]),
        lambda f, y: torch.nn.functional.cross_entropy(f, y, reduction="sum"),
    ),
}


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_loss_gradient_and_hessian_are_those_of_torch(kind: str, bias: bool) -> None:
    outputs, labels, loss = KINDS[kind]
    rng = np.random.default_rng(1)
    model = sequential(3, 4, outputs, bias=bias, dtype=torch.float64, seed=2)
    x, y = rng.normal(size=(7, 3)), labels(rng)
    found = ib.inspect(model, x, y)
    names = [name for name in ("0.weight", "0.bias", "2.weight", "2.bias") if name in model.state_dict()]
    start = [model.get_parameter(name).detach() for name in names]
    flat = torch.cat([(p.T if name == "2.weight" else p).reshape(-1) for name, p in zip(names, start, strict=True)])

    def of(theta: torch.Tensor) -> torch.Tensor:
        given, at = {}, 0
        for name, p in zip(names, start, strict=True):
            part = theta[at : at + p.numel()]
            given[name] = part.reshape(p.T.shape).T if name == "2.weight" else part.reshape(p.shape)
            at += p.numel()
        return loss(torch.func.functional_call(model, given, torch.tensor(x)), torch.tensor(y))

    assert found["loss"] == pytest.approx(of(flat).item(), rel=1e-12)
    gradient = torch.autograd.functional.jacobian(of, flat)
    assert found["gradient_norm"] == pytest.approx(gradient.norm().item(), rel=1e-9)
    expected = torch.autograd.functional.hessian(of, flat).numpy()
    stack = read_network(model)
    given = samples(x, y, 3, outputs)
    tangent = Tangent(stack, given)
    ours = tangent.hessian(loss_of(tangent.values, given))
    assert np.allclose(ours, expected, atol=1e-9 * np.abs(expected).max())
    spectrum = np.linalg.eigvalsh(expected)[::-1]
    assert np.allclose(found["hessian"], spectrum[:8], atol=1e-9 * spectrum[0])
    assert found["hessian_least"] == pytest.approx(spectrum[-1], abs=1e-9 * spectrum[0])
    assert found["hessian_trace"] == pytest.approx(np.trace(expected), rel=1e-9)


def test_beyond_the_largest_matrix_the_gauss_newton_part_has_the_same_eigenvalues(monkeypatch):
    model = sequential(2, 12, dtype=torch.float64)
    x = np.random.default_rng(0).normal(size=(5, 2))
    y = model(torch.tensor(x)).detach().numpy()[:, 0]  # fitted: there is no other part
    whole = ib.inspect(model, x, y)["hessian"]
    monkeypatch.setattr("implicitbias.networks.curvature.LARGEST", 10)
    assert np.allclose(ib.inspect(model, x, y)["hessian"][:5], whole[:5])


def test_margins_are_those_of_the_outputs():
    model = sequential(2, 5, 3, dtype=torch.float64)
    x, y = np.random.default_rng(0).normal(size=(6, 2)), [0, 1, 2, 2, 1, 0]
    f = model(torch.tensor(x)).detach().numpy()
    expected = [f[i, k] - max(f[i, j] for j in range(3) if j != k) for i, k in enumerate(y)]
    found = ib.inspect(model, x, y)
    assert found["smallest_margin"] == pytest.approx(min(expected))
    assert found["misclassified"] == sum(margin <= 0 for margin in expected)


def test_a_kkt_point_is_at_distance_0_and_others_are_not():
    """At x = ±4/3, y = ±1: (w, b) = λ y (x, 1) v with λ = 3/5, and |(w, b)| = |v|, for both units by hand."""
    at = {"w": [0.8, -0.8], "b": [0.6, 0.6], "v": [1.0, -1.0]}
    found = ib.inspect(at, [4 / 3, -4 / 3], [1, -1])
    assert found["kkt_distance"] < 1e-12
    assert found["kkt_slack"] == pytest.approx(0, abs=1e-12)
    assert found["multipliers"] == pytest.approx((0.6, 0.6))
    assert found["kkt"] == "near one"
    assert found["kkt_certified_distance"] < 1e-12
    assert found["stationarity"] < 1e-12
    off = ib.inspect({**at, "b": [0.6, 1.8]}, [4 / 3, -4 / 3], [1, -1])
    assert off["kkt_distance"] > 0.1
    assert off["kkt"] == "no"


def test_the_infinitely_wide_network_is_that_of_the_regressor():
    x, y = np.array([-2.0, -1, 0, 1, 2]), np.array([0.5, -0.5, 0.5, 0, 1])
    model = sequential(1, 9, dtype=torch.float64)
    found = ib.inspect(model, x, y, initialisation=ib.initialisation("normal(0,1)", "uniform(-2,2)"))
    wide = ib.WideNetworkRegressor("normal(0,1)", "uniform(-2,2)").fit(x[:, None], y)
    grid = np.linspace(-2, 2, 201)
    apart = model(torch.tensor(grid)[:, None]).detach().numpy()[:, 0] - wide.predict(grid[:, None])
    assert found["wide_distance"] == pytest.approx(np.abs(apart).max(), rel=1e-6)


def test_the_infinitely_wide_network_of_several_inputs_is_that_of_the_regressor():
    X = np.random.default_rng(3).normal(size=(20, 3))
    y = X[:, 0] - np.abs(X[:, 1])
    model = sequential(3, 9, dtype=torch.float64)
    for law, named in ((("sphere(1)", "uniform(-5,5)"),) * 2, (("normal(0,2)", "normal(0,2)"), None)):
        found = ib.inspect(model, X, y, initialisation=named)
        wide = ib.WideNetworkRegressor(*law).fit(X, y)
        pairs = [(X[i], X[j]) for i in range(20) for j in range(i + 1, 20)]
        every = np.vstack([X, *((1 - t) * a + t * b for a, b in pairs for t in (0.25, 0.5, 0.75))])
        apart = np.abs(model(torch.tensor(every)).detach().numpy()[:, 0] - wide.predict(every))
        at_data = apart[:20].max()  # the places between are some of these
        assert at_data * (1 - 1e-9) <= found["wide_distance"] <= apart.max() * (1 + 1e-9)
        assert "300 places" in found.quantities["wide_distance"].note
        assert found["wide_loss"] < 1e-15
    few = ib.inspect(model, X[:5], y[:5])
    pairs = [(X[i], X[j]) for i in range(5) for j in range(i + 1, 5)]
    every = np.vstack([X[:5], *((1 - t) * a + t * b for a, b in pairs for t in (0.25, 0.5, 0.75))])
    wide = ib.WideNetworkRegressor("normal(0,1)", "normal(0,1)").fit(X[:5], y[:5])
    apart = model(torch.tensor(every)).detach().numpy()[:, 0] - wide.predict(every)
    assert found["initialisation"].startswith("W ~ normal(0,0.333333)")
    assert few["wide_distance"] == pytest.approx(np.abs(apart).max(), rel=1e-9)


def test_what_no_limit_is_known_of_says_why():
    two, X = sequential(2, 3), [[0.0, 1.0], [1.0, 1.0]]
    assert ib.inspect(sequential(2, 3, 2), X, [[1.0, 1.0]] * 2)["wide_distance"] is None
    with pytest.raises(DataError, match="law of one input, and the network has 2"):
        ib.inspect(two, X, [1.0, 2.0], initialisation=ib.initialisation("normal(0,1)", "normal(0,1)"))
    with pytest.raises(DataError, match=r"normal\(0,σ\) for weights and biases"):
        ib.inspect(two, X, [1.0, 2.0], initialisation=("normal(0,1)", "uniform(-2,2)"))
    with pytest.raises(DataError, match="law of several inputs, and the network has one"):
        ib.inspect(sequential(1, 3), [0.0, 1.0], [1.0, 2.0], initialisation=ib.isotropic_law("normal(0,1)"))
