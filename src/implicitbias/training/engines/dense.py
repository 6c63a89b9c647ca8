"""Engine `dense`: full-batch gradient descent with torch autograd; any input dimension, any depth, cpu or cuda."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import brought_by_extra
from implicitbias.training.engines.engine import Engine
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.layered import LayeredNetwork

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Trajectory
    from implicitbias.training.two_layer import Groups

    Array = NDArray[np.float64]
    Parameters = list[torch.Tensor]


def refuses(problem: Problem) -> str | None:
    """Infinite width, and times."""
    if problem.kind == "infinite":
        return "an infinitely wide network has no parameters to train: take engine='kernel'"
    if problem.times is not None:
        return "gradient descent counts steps, not times: give step and steps, or take 'gradient_flow' or 'kernel'"
    return None


def run(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    with brought_by_extra("engine 'dense'"):
        import torch

    from implicitbias.training.engines.course import Course
    from implicitbias.training.engines.on_torch import check_device, loss_of, tensor

    begin = time.perf_counter()
    check_device(problem.device)
    step = learning_rate(problem)
    outputs = two_layer_outputs if problem.kind == "two_layer" else _layered_outputs
    arrays, rates, decay = _two_layer(problem) if problem.kind == "two_layer" else _layered(problem)
    parameters = [tensor(problem, a).requires_grad_() for a in arrays]
    pull, keep = [step * rate for rate in rates], [1.0 - step * d for d in decay]
    x, y, weights = (tensor(problem, a) for a in (problem.inputs, problem.labels, problem.weights))
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


def _two_layer(problem: Problem) -> tuple[list[Array], list[float], list[float]]:
    """Parameters, and the rate and the decay of each."""
    return list(problem.arrays()), list(problem.rates), list(problem.decay)


def two_layer_outputs(parameters: Parameters, x: torch.Tensor) -> torch.Tensor:
    """f (S, M, k) for w (S, n) or (S, n, d), b (S, n), v (S, n, k), c (S, k) at x (1 or S, M) or (1 or S, M, d)."""
    w, b, v, c = parameters
    z = x @ w.transpose(1, 2) if w.ndim == 3 else x[:, :, None] * w[:, None, :]
    return (z + b[:, None, :]).relu() @ v + c[:, None, :]


def _layered(problem: Problem) -> tuple[list[Array], list[float], list[float]]:
    network = problem.network
    assert isinstance(network, LayeredNetwork)
    arrays = [a[None] if problem.single else a for a in (*network.weights, *network.biases)]
    hidden = len(network.weights) - 1

    def by_layer(groups: Groups) -> list[float]:
        return [*[groups.w] * hidden, groups.v, *[groups.b] * hidden, groups.c]

    return arrays, by_layer(problem.rates), by_layer(problem.decay)


def _layered_outputs(parameters: Parameters, x: torch.Tensor) -> torch.Tensor:
    depth = len(parameters) // 2
    z = x
    for i in range(depth):
        z = (z.relu() if i else z) @ parameters[i].transpose(1, 2) + parameters[depth + i][:, None, :]
    return z


def _rebuilt(problem: Problem, parameters: Parameters) -> Function:
    arrays = [p.detach().cpu().numpy() for p in parameters]
    if problem.kind == "two_layer":
        return problem.rebuilt(arrays[0], arrays[1], arrays[2], arrays[3])
    depth = len(arrays) // 2
    arrays = [np.array(a[0] if problem.single else a) for a in arrays]
    return LayeredNetwork(tuple(arrays[:depth]), tuple(arrays[depth:]))


ENGINE = Engine("dense", "torch autograd: any input dimension, any depth, cpu or cuda", refuses, run)
