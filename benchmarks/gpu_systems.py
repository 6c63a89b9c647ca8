"""What `benchmarks gpu` compares: engine `fused`, and what a user of torch would write, each as a function of steps.

All train the same networks from the same start. `steps(count)` takes that many steps; `losses()` are those before the
last of them, one per network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.prefix_sum import problem

if TYPE_CHECKING:
    import torch

    from implicitbias.training import TwoLayer
    from implicitbias.training.engines.fused_launch import Plan

DEVICE = "cuda"


@dataclass(frozen=True)
class Case:
    """Networks of n units at m data, one or many seeds, one input and output, in a precision."""

    n: int
    m: int
    seeds: int
    dtype: str

    @property
    def size(self) -> int:
        """Bytes of a number."""
        return np.dtype(self.dtype).itemsize

    @property
    def operations(self) -> float:
        """Multiplications and additions of a dense step: 2 (2d + 3k) for each pair of a unit and a datum, d = k = 1."""
        return 10.0 * self.n * self.m * self.seeds

    def made(self) -> tuple[TwoLayer, np.ndarray, np.ndarray, float]:
        """Networks, data, labels, learning rate."""
        return problem(self.n, self.m, self.seeds)

    def layout(self) -> Plan:
        """How engine `fused` lays it out on this GPU."""
        from implicitbias.training.engines import fused_launch

        there = fused_launch.multiprocessors(DEVICE)
        return fused_launch.plan(self.n, self.m, 1, 1, self.seeds, self.size, there)


System = tuple[Callable[[int], None], Callable[[], np.ndarray]]


def fused(case: Case) -> System:
    """All steps in one launch."""
    from implicitbias.training.engines.fused_launch import launcher
    from implicitbias.training.problem import Problem

    f, x, y, step = case.made()
    asked = Problem(f, x, y, step=step, steps=10**9, record=[0], device=DEVICE, dtype=case.dtype)
    run, at = launcher(asked, step), 0

    def steps(count: int) -> None:
        nonlocal at
        at += count
        run.launch(at)

    return steps, lambda: run.values[:, 1].cpu().numpy()


def tensors(case: Case) -> tuple[list[torch.Tensor], torch.Tensor, torch.Tensor, float]:
    """w (S, 1, n), b (S, 1, n), v (S, n, 1), c (S, 1, 1) on the device, x and y (m, 1), the learning rate."""
    import torch

    f, x, y, step = case.made()
    shapes = ((-1, 1, case.n), (-1, 1, case.n), (-1, case.n, 1), (-1, 1, 1))

    def there(array: np.ndarray) -> torch.Tensor:
        return torch.tensor(array, dtype=getattr(torch, case.dtype), device=DEVICE)

    parameters = [there(np.reshape(a, s)) for a, s in zip((f.w, f.b, f.v, f.c), shapes, strict=True)]
    return parameters, there(x[:, None]), there(y[:, None]), step


def by_autograd(case: Case) -> System:
    """The obvious program, eager."""
    import torch

    parameters, x, y, step = tensors(case)
    w, b, v, c = (p.requires_grad_() for p in parameters)
    loss = torch.zeros(case.seeds)

    def steps(count: int) -> None:
        nonlocal loss
        for _ in range(count):
            r = (x * w + b).relu() @ v + c - y
            loss = 0.5 * r.square().sum((1, 2))
            moves = torch.autograd.grad(loss.sum(), parameters)
            with torch.no_grad():
                for p, g in zip(parameters, moves, strict=True):
                    p -= step * g

    return steps, lambda: loss.detach().cpu().numpy()


def by_hand(step: float) -> Callable[..., torch.Tensor]:
    """A step with the gradient written out, in place; it returns the losses before."""

    def take(w: Any, b: Any, v: Any, c: Any, x: Any, y: Any) -> torch.Tensor:
        z = x * w + b
        h = z.relu()
        r = h @ v + c - y
        u = (r * v.transpose(1, 2)) * (z > 0)
        of_v = h.transpose(1, 2) @ r
        v.sub_(step * of_v)
        w.sub_(step * (u * x).sum(1, keepdim=True))
        b.sub_(step * u.sum(1, keepdim=True))
        c.sub_(step * r.sum(1, keepdim=True))
        loss: torch.Tensor = 0.5 * r.square().sum((1, 2))
        return loss

    return take


def compiled(case: Case) -> System:
    """The step by hand under torch.compile."""
    import torch

    torch._dynamo.reset()
    parameters, x, y, step = tensors(case)
    take = torch.compile(by_hand(step))
    loss = torch.zeros(case.seeds)

    def steps(count: int) -> None:
        nonlocal loss
        for _ in range(count):
            loss = take(*parameters, x, y)

    return steps, lambda: loss.cpu().numpy()


def graphed(case: Case, compiles: bool) -> System:
    """The step by hand, perhaps compiled, recorded as a CUDA graph and replayed."""
    import torch

    torch._dynamo.reset()
    parameters, x, y, step = tensors(case)
    start = [p.clone() for p in parameters]
    take = torch.compile(by_hand(step)) if compiles else by_hand(step)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            take(*parameters, x, y)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = take(*parameters, x, y)
    for p, first in zip(parameters, start, strict=True):
        p.copy_(first)

    def steps(count: int) -> None:
        for _ in range(count):
            graph.replay()

    return steps, lambda: loss.cpu().numpy()


SYSTEMS: dict[str, Callable[[Case], System]] = {
    "fused": fused,
    "torch eager, autograd": by_autograd,
    "torch.compile": compiled,
    "CUDA graph": lambda case: graphed(case, compiles=False),
    "CUDA graph of torch.compile": lambda case: graphed(case, compiles=True),
}
