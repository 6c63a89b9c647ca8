"""The compiled loop of leaky units and one softmax over the batch, and its exponential, against autograd and libm."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from implicitbias.training.engines.compiled import empty_table, open_units
from implicitbias.training.engines.cross_entropy_compiled import LEAST_EXPONENT, exponentiate
from implicitbias.training.leaky import descend_leaky


def test_exponentials_are_right_to_a_unit_in_the_last_place() -> None:
    rng = np.random.default_rng(0)
    z = -np.concatenate([[0.0, 1e-300, 1e-17, -LEAST_EXPONENT], rng.exponential(10, 5000), rng.uniform(0, 700, 5000)])
    found = z.copy()
    exponentiate(found)
    assert (np.abs(found / np.exp(z) - 1) < 4.5e-16).all()
    assert found[0] == 1


def test_exponentials_far_below_are_nothing() -> None:
    found = np.array([-1e5, -np.inf, -710.0])
    exponentiate(found)
    assert (found < 1e-303).all()
    assert (found >= 0).all()


@pytest.mark.parametrize(("k", "square"), [(1, True), (3, True), (4, False)])
@pytest.mark.parametrize("leak", [0.0, 0.01, 0.3])
def test_the_loop_follows_autograd(k: int, square: bool, leak: float) -> None:
    rng = np.random.default_rng(k)
    n, m, step = 30, 12, 0.03
    w, b, v = rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, k)) / n
    x = np.sort(rng.uniform(-1, 1, m))
    y = rng.normal(size=(m, k)) if square else np.eye(k)[rng.integers(0, k, m)]
    parameters = [torch.tensor(a, requires_grad=True) for a in (w, b, v)]
    points, goal = torch.tensor(x)[:, None], torch.tensor(y)
    for _ in range(20):
        z = points * parameters[0] + parameters[1]
        f = torch.where(z > 0, z, leak * z) @ parameters[2]
        loss = (
            (f - goal).square().sum() / m if square else torch.logsumexp(f.reshape(-1), 0) - (goal * f).sum() / m
        )  # fmt: skip
        gradients = torch.autograd.grad(loss, parameters)
        parameters = [(p - step * g).detach().requires_grad_() for p, g in zip(parameters, gradients, strict=True)]
    padded = np.concatenate([[-1e300], x, [1e300]])
    slot, sums = np.empty(n, dtype=np.uint32), np.zeros((1, 2 * m + 2, 2 * k))
    open_units(w, b, v, slot, padded, sums[0])
    pull = step * np.array([1.0, 1.0, 1.0, 0.0])
    scratch = np.empty((m, k)), np.empty((m, k))
    descend_leaky(
        20, leak, square, padded, y, w, b, v, slot, sums, empty_table(padded, k), *scratch, pull, np.ones(4)
    )  # fmt: skip
    for p, q in zip(parameters, (w, b, v), strict=True):
        assert np.abs(p.detach().numpy() - q).max() < 1e-13
