"""Engine `dense`: full-batch gradient descent with torch autograd; any input dimension, any depth, cpu or cuda."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch

from implicitbias.errors import DataError
from implicitbias.training.engines.course import Course
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.layered import LayeredNetwork
from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function

    Parameters = list[torch.Tensor]


def run(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    begin = time.perf_counter()
    check_device(problem.device)
    step = learning_rate(problem)
    parameters, outputs, pull, keep = _layered(problem, step) if problem.kind == "layered" else _two(problem, step)
    x, y, weights = (tensor(problem, a) for a in (problem.x, problem.y, problem.weights))
    course = Course(problem, problem.device)
    generator = np.random.default_rng(problem.seed)
    snapshots: dict[int, Function] = {}
    for at in range(problem.last + 1):
        if at in problem.kept:
            snapshots[at] = _rebuilt(problem, parameters)
        f = outputs(parameters, x)
        value = loss_of(problem.loss, f, y, weights)
        if course.see(at, value.detach()):
            break
        if problem.label_noise is not None:
            labels, q = (tensor(problem, a) for a in problem.noisy(at, generator))
            value = loss_of(problem.loss, f, labels, q)
        gradients = torch.autograd.grad(value.sum(), parameters, allow_unused=True)
        with torch.no_grad():
            for p, g, eta, rest in zip(parameters, gradients, pull, keep, strict=True):
                mask = course.running.reshape(-1, *[1] * (p.ndim - 1))
                p.copy_(torch.where(mask, rest * p - eta * (0.0 if g is None else g), p))
    return course.trajectory("dense", snapshots, _rebuilt(problem, parameters), step, time.perf_counter() - begin)


def _two(
    problem: Problem, step: float
) -> tuple[Parameters, Callable[[Parameters, torch.Tensor], torch.Tensor], list[float], list[float]]:
    parameters = [torch.tensor(a, device=problem.device, requires_grad=True) for a in problem.arrays()]
    return (
        parameters,
        two_layer_outputs,
        [step * rate for rate in problem.rates],
        [1.0 - step * decay for decay in problem.decay],
    )


def two_layer_outputs(parameters: Parameters, x: torch.Tensor) -> torch.Tensor:
    """f (S, M, k) for w (S, n) or (S, n, d), b (S, n), v (S, n, k), c (S, k) at x (1 or S, M) or (1 or S, M, d)."""
    w, b, v, c = parameters
    z = x @ w.transpose(1, 2) if w.ndim == 3 else x[:, :, None] * w[:, None, :]
    return torch.relu(z + b[:, None, :]) @ v + c[:, None, :]


def _layered(
    problem: Problem, step: float
) -> tuple[Parameters, Callable[[Parameters, torch.Tensor], torch.Tensor], list[float], list[float]]:
    network = problem.network
    assert isinstance(network, LayeredNetwork)
    arrays = [a[None] if problem.single else a for a in (*network.weights, *network.biases)]
    parameters = [tensor(problem, a).requires_grad_() for a in arrays]
    depth = len(network.weights)
    keep = [1.0 - step * problem.decay.w] * depth + [1.0 - step * problem.decay.b] * depth
    return parameters, _layered_outputs, [step] * 2 * depth, keep


def _layered_outputs(parameters: Parameters, x: torch.Tensor) -> torch.Tensor:
    depth = len(parameters) // 2
    z = x
    for i in range(depth):
        z = (torch.relu(z) if i else z) @ parameters[i].transpose(1, 2) + parameters[depth + i][:, None, :]
    return z


def loss_of(loss: str, f: torch.Tensor, y: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """(S,): the weighted loss of outputs f (S, M, k) with labels y (1 or S, M, k), weights (M,) or (1 or S, M)."""
    if loss == "square":
        each = 0.5 * (f - y).square().sum(-1)
    elif loss == "logistic":
        each = torch.nn.functional.softplus(-y * f, threshold=100.0).sum(-1)
    elif loss == "exponential":
        each = torch.exp(-y * f).sum(-1)
    else:
        each = torch.logsumexp(f, -1) * y.sum(-1) - (y * f).sum(-1)
    return (weights * each).sum(-1)


def tensor(problem: Problem, array: object) -> torch.Tensor:
    """An array of numbers on the device and in the dtype of the problem; a copy."""
    return torch.tensor(np.asarray(array), dtype=getattr(torch, problem.dtype), device=problem.device)


def check_device(device: str) -> None:
    """Raises DataError where torch has no such device here."""
    try:
        kind = torch.device(device).type
    except RuntimeError:
        raise DataError(f"device must be 'cpu' or 'cuda': got {device!r}") from None
    if kind == "cuda" and not torch.cuda.is_available():
        raise DataError("device 'cuda' was asked for, but torch finds no CUDA GPU here: take device='cpu'")


def _rebuilt(problem: Problem, parameters: Parameters) -> Function:
    arrays = [p.detach().cpu().numpy() for p in parameters]
    if problem.kind == "two_layer":
        return problem.rebuilt(arrays[0], arrays[1], arrays[2], arrays[3])
    depth = len(arrays) // 2
    arrays = [np.array(a[0] if problem.single else a) for a in arrays]
    return LayeredNetwork(tuple(arrays[:depth]), tuple(arrays[depth:]))
