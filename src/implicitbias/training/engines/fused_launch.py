"""How networks are laid out on a GPU for `fused_kernel.py`, and the launches that train them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from implicitbias.training.engines import fused_kernel
from implicitbias.training.engines.fused import interpreted
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.engines.on_torch import check_device, tensor
from implicitbias.training.record import assemble

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason, Trajectory

KINDS = {"square": 0, "logistic": 1, "exponential": 2, "cross_entropy": 3}

WHY: dict[int, Reason] = {1: "steps", 2: "loss", 3: "plateau", 4: "diverged"}

LAUNCH = 4096
"""Steps of a launch. Between launches Ctrl-C is heard and it is seen whether all networks have stopped."""

THREADS, TOGETHER = 128, 2
"""Of a program, and programs of a multiprocessor: 2 × 128 threads of up to 255 registers fit into its 65 536."""

HELD = 64
"""Registers of a thread that parameters may fill; the others are for pairs of units and data."""

PAIRS = 1 << 14
"""Bytes of the units × data that a program has in hand: 32 registers of a thread for each array of them."""

WASTE = 1.15
"""Units are kept in registers if a power of two holds a program's share at no more than this cost in empty places."""


@dataclass(frozen=True)
class Plan:
    """The layout of a batch of networks on a GPU.

    parts     programs of each network
    share     units of a program
    units     units that a program has in hand at a time, a power of two
    data      data that it has in hand with them, a power of two
    resident  whether a program's units stay in registers: share <= units
    """

    parts: int
    share: int
    units: int
    data: int
    resident: bool


def plan(n: int, m: int, d: int, k: int, seeds: int, size: int, programs: int) -> Plan:
    """A layout for `seeds` networks of n units, m data, d inputs, k outputs, numbers of `size` bytes.

    programs: how many can be on the GPU together. All those of a network must be, since they wait for each other: so
    parts × seeds <= programs, or parts = 1.
    """
    least = 16 if k > 1 else 32
    parts = max(1, min(programs // seeds, -(-n // least)))
    share = -(-n // parts)
    parts = -(-n // share)
    whole = max(least, power_of_two(share))
    numbers = power_of_two(d) + 1 + widened(k)
    registers = whole * numbers * size // 4 / THREADS
    resident = registers <= HELD and (whole <= WASTE * share or whole == least) and whole * size <= PAIRS // 4
    units = whole if resident else min(64, whole)
    data = min(max(power_of_two(m), 16), max(PAIRS // size // units, 16 if k > 1 else 4), 128)
    return Plan(parts, share, units, data, resident)


def power_of_two(number: int) -> int:
    """The least power of two that is no less."""
    return 1 << (number - 1).bit_length()


def widened(k: int) -> int:
    """Columns for k outputs: one, or a power of two from 16 on."""
    return 1 if k == 1 else max(16, power_of_two(k))


def programs_together(device: str) -> int:
    """How many programs are on the GPU at the same time. The interpreter takes them one after the other."""
    if interpreted():
        return 1
    return int(torch.cuda.get_device_properties(device).multi_processor_count) * TOGETHER


class Launcher:
    """The arrays of a problem on the device, and the launches of the kernel on them."""

    def __init__(self, problem: Problem, step: float, layout: Plan) -> None:
        p, self.problem, self.layout = problem, problem, layout
        w, b, v, c = (tensor(p, a).contiguous() for a in p.arrays())
        inputs = p.inputs[:, None, :] if p.inputs.ndim == 2 else p.inputs.transpose(0, 2, 1)
        x = tensor(p, np.ascontiguousarray(inputs))
        seeds, n = b.shape
        d, m, k = x.shape[1], x.shape[2], v.shape[2]
        wide, parts = widened(k), layout.parts
        self.parameters = w, b, v, c
        self.numbers = {"n": n, "m": m, "k": k, "share": layout.share, "records": p.recorded.size}
        self.numbers |= {"x_size": d * m if len(x) > 1 else 0, "y_size": m * k if len(p.labels) > 1 else 0}
        self.sizes = {
            "PARTS": parts, "MOST": power_of_two(parts), "UNITS": layout.units, "DATA": layout.data,
            "ROWS": max(1, min(128, 1024 // wide)), "INPUTS": d, "D": power_of_two(d), "K": wide,
            "KIND": KINDS[p.loss], "RESIDENT": layout.resident,
        }  # fmt: skip
        patience = np.iinfo(np.int64).max if p.patience is None else p.patience
        self.limits = self._integers([p.last, patience, 0])
        self.count = torch.zeros(seeds, dtype=torch.int32, device=p.device)
        self.losses = self._doubles(np.full((seeds, p.recorded.size), np.nan))
        self.marks = torch.zeros(seeds, 4, dtype=torch.int64, device=p.device)
        self.values = self._doubles(np.tile([np.inf, np.nan], (seeds, 1)))
        self.arrays = {
            "x": x,
            "y": self._doubles(p.labels),
            "weights": self._doubles(p.weights),
            "partial": b.new_empty(seeds, parts, m, wide),
            "slopes": b.new_empty(seeds, m, wide),
            "losses_of_parts": self._doubles(np.zeros((seeds, parts))),
            "recorded": self._integers(p.recorded),
            "rates": self._doubles([step * r for r in p.rates] + [1.0 - step * q for q in p.decay]),
            "stop": self._doubles([p.least_loss, p.improvement]),
        }

    def _doubles(self, numbers: Any) -> torch.Tensor:
        return torch.tensor(np.asarray(numbers, dtype=np.float64), device=self.problem.device)

    def _integers(self, numbers: Any) -> torch.Tensor:
        return torch.tensor(np.asarray(numbers, dtype=np.int64), device=self.problem.device)

    def descend(self, until: int) -> bool:
        """All steps before step number `until` of the networks that run; whether there is one that still runs."""
        at = int(self.marks[:, 0].max())
        running = bool((self.marks[:, 3] == 0).any())
        while running and at < until:
            at = min(until, at + LAUNCH)
            self.launch(at)
            running = bool((self.marks[:, 3] == 0).any())
        return running

    def launch(self, until: int) -> None:
        """One launch of the kernel, which is not waited for."""
        self.limits[2] = until
        self.count.zero_()
        w, b, v, c = self.parameters
        grid = (len(b) * self.layout.parts,)
        kept = {"count": self.count, "losses": self.losses, "marks": self.marks, "values": self.values}
        fused_kernel.descend[grid](
            w=w, b=b, v=v, c=c, limits=self.limits, **self.arrays, **kept, **self.numbers, **self.sizes,
            num_warps=THREADS // 32, num_stages=1, enable_fp_fusion=False,
            launch_cooperative_grid=self.layout.parts > 1,
        )  # fmt: skip

    def now(self) -> Function:
        """The function of the parameters as they are."""
        w, b, v, c = (p.cpu().numpy() for p in self.parameters)
        return self.problem.rebuilt(w, b, v, c)


def launcher(problem: Problem, step: float) -> Launcher:
    """The arrays of the problem on its device, laid out for it."""
    w, _, v, _ = (a.shape for a in problem.arrays())
    size = np.dtype(problem.dtype).itemsize
    d = w[2] if len(w) == 3 else 1
    programs = programs_together(problem.device)
    return Launcher(problem, step, plan(w[1], problem.inputs.shape[1], d, v[2], w[0], size, programs))


def descend(problem: Problem) -> Trajectory:
    """Train as the problem says, on its GPU. See `train`."""
    begin = time.perf_counter()
    if not interpreted():
        check_device(problem.device)
    step = learning_rate(problem)
    run = launcher(problem, step)
    snapshots: dict[int, Function] = {}
    for until in [*problem.kept, problem.last + 1]:
        running = run.descend(until)
        if running and until <= problem.last:
            snapshots[until] = run.now()
    last = run.values[:, 1].cpu().numpy()
    losses = run.losses.cpu().numpy().T
    marks = run.marks.cpu().numpy()
    return assemble(
        problem,
        "fused",
        np.concatenate([np.where(np.isnan(losses), last, losses), last[None]]),
        marks[:, 0],
        tuple(WHY[int(code)] for code in marks[:, 3]),
        snapshots,
        run.now(),
        step,
        time.perf_counter() - begin,
    )
