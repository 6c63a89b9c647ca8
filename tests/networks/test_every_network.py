"""Of each of the networks as others write them, what is told at data is what fractions and torch's autograd say."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

import implicitbias as ib
from implicitbias.networks.reading.read import read_network
from tests.networks.test_rays import ray
from tests.support.networks import NETWORKS, Written

POINTS = 4


def data(written: Written) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    return draw.normal(size=(POINTS, written.w.shape[1])), draw.normal(size=(POINTS, written.v.shape[1]))


def exactly(row: np.ndarray) -> list[Fraction]:
    return [Fraction(x) for x in row.tolist()]


@pytest.mark.parametrize("name", NETWORKS)
def test_units_are_counted_and_patterns_told_apart_as_fractions_do(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    x, _ = data(written)
    found = ib.inspect(written.given, x)
    zero = bending = 0
    rays = set()
    for w, b, v in zip(written.w, written.b, written.v, strict=True):
        if not v.any() or (not w.any() and b <= 0):
            zero += 1
        elif w.any():
            bending += 1
            rays.add(ray([*w.tolist(), b.item()]))
    assert found["zero_units"] == zero
    assert found["duplicate_units"] == bending - len(rays)
    heights = [
        [sum(p * q for p, q in zip(exactly(w), exactly(at), strict=True)) + Fraction(b.item()) for at in x]
        for w, b in zip(written.w, written.b, strict=True)
    ]
    on = [[height > 0 for height in unit] for unit in heights]
    assert found["patterns"] == len(set(zip(*on, strict=True)))
    assert found["dead_at_data"] == sum(not any(unit) for unit in on)
    assert found["linear_at_data"] == sum(all(unit) for unit in on)
    assert found["kinks_at_data"] == sum(height == 0 for unit in heights for height in unit)


@pytest.mark.parametrize("name", NETWORKS)
def test_loss_gradient_and_spectrum_are_those_of_autograd(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    x, y = data(written)
    found = ib.inspect(written.given, x, y)
    biases = [bias is not None for bias in read_network(written.given).biases]
    parts = [written.w, written.v, *([written.b] if biases[0] else []), *([written.c] if biases[1] else [])]
    shapes = [part.shape for part in parts]

    def loss(theta: torch.Tensor) -> torch.Tensor:
        flat = torch.split(theta, [int(np.prod(shape)) for shape in shapes])
        w, v, *rest = (piece.reshape(shape) for piece, shape in zip(flat, shapes, strict=True))
        b = rest[0] if biases[0] else torch.zeros(len(w), dtype=torch.float64)
        c = rest[-1] if biases[1] else torch.zeros(v.shape[1], dtype=torch.float64)
        f = torch.relu(torch.tensor(x) @ w.T + b) @ v + c
        return ((f - torch.tensor(y)) ** 2).sum() / 2

    theta = torch.tensor(np.concatenate([part.ravel() for part in parts]))
    gradient = torch.autograd.functional.jacobian(loss, theta)
    values = np.linalg.eigvalsh(torch.autograd.functional.hessian(loss, theta).numpy())[::-1]
    assert found["loss"] == pytest.approx(loss(theta).item(), rel=1e-9)
    assert found["gradient_norm"] == pytest.approx(gradient.norm().item(), rel=1e-9)
    assert np.allclose(found["hessian"], values[:8], atol=1e-9 * values[0])
    assert found["hessian_least"] == pytest.approx(values[-1], abs=1e-9 * values[0])
    assert found["hessian_trace"] == pytest.approx(values.sum(), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_least_is_certified_and_the_network_costs_no_less(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    x, _ = data(written)
    found = ib.inspect(written.given, x)
    assert len(found.certificates) == written.v.shape[1]
    for certificate in found.certificates:
        assert certificate is not None
        assert ib.check_certificate(certificate).valid
    for key in (key for key in found.quantities if key.startswith("times_least")):
        ratio = found[key]
        assert ratio is None or getattr(ratio, "upper", ratio) >= 1
