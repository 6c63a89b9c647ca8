"""Prefix sums in torch, batched over seeds: what engine `prefix_sum` runs on cuda (`compiled.py` has the formulas).

`gradients` is the whole of a step's work; a fused kernel that keeps the parameters on the chip can take its place.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import torch

from implicitbias.training.engines.course import Course
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.engines.on_torch import check_device, loss_of, tensor
from implicitbias.training.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function

    Slopes = Callable[[torch.Tensor], torch.Tensor]


def slots(w: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """(S, n): p for units that open to the right, M + 1 + p for the others; x (S, M) sorted.

    p counts the data on the near side of the kink by the predicate w x_j + b > 0 itself, bisecting without branches.
    """
    m = x.shape[1]
    left = w <= 0
    low = torch.zeros(w.shape, dtype=torch.int64, device=w.device)
    high = torch.full_like(low, m)
    for _ in range(m.bit_length()):
        middle = (low + high) // 2
        at = middle.clamp(max=m - 1)
        near = ((w * torch.gather(x, 1, at) + b > 0) == left) & (middle < high)
        low = torch.where(near, middle + 1, low)
        high = torch.where(near, high, middle)
    return low + left * (m + 1)


def outputs(
    w: torch.Tensor, b: torch.Tensor, v: torch.Tensor, c: torch.Tensor, x: torch.Tensor, slot: torch.Tensor
) -> torch.Tensor:
    """f (S, M, k), by sums over slots and then a prefix and a suffix sum."""
    m, k = x.shape[1], v.shape[2]
    parts = torch.cat([v * w[..., None], v * b[..., None]], -1)
    sums = torch.zeros(len(w), 2 * m + 2, 2 * k, dtype=v.dtype, device=v.device)
    sums.scatter_add_(1, slot[..., None].expand_as(parts), parts)
    right = sums[:, :m].cumsum(1)
    left = sums[:, m + 2 :].flip(1).cumsum(1).flip(1)
    both = right + left
    return both[..., :k] * x[..., None] + both[..., k:] + c[:, None, :]


def gradients(
    w: torch.Tensor, b: torch.Tensor, v: torch.Tensor, x: torch.Tensor, slot: torch.Tensor, r: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """∂L/∂(w, b, v, c) from the slopes r = ∂L/∂f (S, M, k)."""
    k = r.shape[2]
    both = torch.cat([r * x[..., None], r], -1)
    zero = torch.zeros_like(both[:, :1])
    table = torch.cat([both.flip(1).cumsum(1).flip(1), zero, zero, both.cumsum(1)], 1)
    near = torch.gather(table, 1, slot[..., None].expand(*slot.shape, 2 * k))
    first, zeroth = near[..., :k], near[..., k:]
    return (v * first).sum(-1), (v * zeroth).sum(-1), w[..., None] * first + b[..., None] * zeroth, r.sum(1)


def descend(problem: Problem) -> Trajectory:
    """Train as the problem says, on its device. See `train`."""
    begin = time.perf_counter()
    check_device(problem.device)
    step = learning_rate(problem)
    parameters = [tensor(problem, a) for a in problem.arrays()]
    seeds = problem.seeds
    order = np.argsort(problem.inputs, axis=1, kind="stable")
    x = tensor(problem, np.take_along_axis(problem.inputs, order, 1)).expand(seeds, -1).contiguous()
    order = np.broadcast_to(order, (seeds, x.shape[1]))
    y = tensor(problem, _sorted(problem.labels, order))
    weights = tensor(problem, _sorted(problem.weights[None], order))
    course = Course(problem, problem.device)
    generator = np.random.default_rng(problem.seed)
    snapshots: dict[int, Function] = {}
    for at in range(problem.last + 1):
        if at in problem.kept:
            snapshots[at] = _rebuilt(problem, parameters)
        w, b, v, c = parameters
        slot = slots(w, b, x)
        f = outputs(w, b, v, c, x, slot)
        if course.see(at, loss_of(problem.loss, f, y, weights)):
            break
        labels, q = y, weights
        if problem.label_noise is not None:
            labels, q = (tensor(problem, _sorted(a, order)) for a in problem.noisy(at, generator))
        r = _slopes(problem.loss, f, labels, q)
        moves = gradients(w, b, v, x, slot, r)
        for i, (p, g) in enumerate(zip(parameters, moves, strict=True)):
            mask = course.running.reshape(-1, *[1] * (p.ndim - 1))
            parameters[i] = torch.where(mask, (1.0 - step * problem.decay[i]) * p - step * problem.rates[i] * g, p)
    return course.trajectory("prefix_sum", snapshots, _rebuilt(problem, parameters), step, time.perf_counter() - begin)


def _slopes(loss: str, f: torch.Tensor, y: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    q = weights[..., None]
    if loss == "square":
        return q * (f - y)
    if loss == "logistic":
        return -q * y * torch.sigmoid(-y * f)
    if loss == "exponential":
        return -q * y * torch.exp(-y * f)
    return q * (torch.softmax(f, -1) * y.sum(-1, keepdim=True) - y)


def _sorted(array: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows (1 or S, M, …) of each seed in the order of its data."""
    full = np.broadcast_to(array, (len(order), *array.shape[1:]))
    return np.stack([row[o] for row, o in zip(full, order, strict=True)])


def _rebuilt(problem: Problem, parameters: list[torch.Tensor]) -> Function:
    w, b, v, c = (p.cpu().numpy() for p in parameters)
    return problem.rebuilt(w, b, v, c)
