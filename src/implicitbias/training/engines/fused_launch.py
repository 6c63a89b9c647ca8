"""How networks are laid out on a GPU for `fused_kernel.py`, and the launches that train them."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from implicitbias.training.engines import fused_kernel
from implicitbias.training.engines.learning_rate import learning_rate
from implicitbias.training.engines.on_torch import check_device, tensor
from implicitbias.training.engines.triton_here import interpreted
from implicitbias.training.record import assemble

if TYPE_CHECKING:
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Reason, Trajectory

KINDS = {"square": 0, "logistic": 1, "exponential": 2, "cross_entropy": 3}

WHY: dict[int, Reason] = {1: "steps", 2: "loss", 3: "plateau", 4: "diverged"}

FIRST_LAUNCH, LAUNCH, LONG = 64, 1 << 14, 0.5
"""Steps of the first launch and of the longest; launches grow until one takes so many seconds. Between them Ctrl-C is
heard, and it is seen whether all networks have stopped."""

THREADS = 128
"""Of a program."""

REGISTERS = 1 << 16
"""Of a multiprocessor, which its threads share; a thread has 255 at most."""

HELD = 64
"""Registers of a thread that parameters may fill; the others are for pairs of units and data."""

TILE = 8 * THREADS
"""Bytes of a number for each unit of a tile that is streamed. On an H100 tiles of half take up to twice the time."""

PAIRS = 1 << 14
"""Bytes of units × data that a program has in hand: 32 registers of a thread for each array of them. Twice as many
with units of TILE bytes or more, where no third program needs the registers."""

ADDED = 1 << 11
"""Outputs, of several programs for several data, that a program reads and adds at a time."""

STREAMING = 1.1
"""What it costs to read units tile by tile instead of keeping them, as a factor of the work on pairs. On an H100 it was
0.9 to 1.2."""

BESIDE = 0.65
"""What each of several programs of a multiprocessor costs, as a factor of what one costs alone: alone it waits for its
own results. On an H100 two of 64 units took 0.6 of the time of one of 128, and three of 256 as long as two of 512."""

WAITING = 51.0
"""What one more program of a network costs, in pairs of a unit and a datum: its turn at the counter where all meet.
On paper."""


@dataclass(frozen=True)
class Plan:
    """The layout of a batch of networks on a GPU.

    parts     programs of each network
    share     units of a program
    units     units that a program has in hand at a time, a power of two
    data      data that it has in hand with them, a power of two
    resident  whether a program's units stay in registers: share <= units
    together  programs that a multiprocessor must have room for
    """

    parts: int
    share: int
    units: int
    data: int
    resident: bool
    together: int = 2

    @property
    def most_registers(self) -> int | None:
        """The registers that a thread may have, so that there is this room; None for as many as there are."""
        return None if self.together <= 2 else REGISTERS // (THREADS * self.together) // 8 * 8


def plan(n: int, m: int, d: int, k: int, seeds: int, size: int, multiprocessors: int) -> Plan:
    """A layout for `seeds` networks of n units, m data, d inputs, k outputs, numbers of `size` bytes.

    The programs of a network wait for each other, so all must be on the GPU together: parts × seeds programs fit into
    its multiprocessors, or parts = 1. Of all layouts with this the one of least work: pairs of units and data of the
    multiprocessor that has most, places in a tile that stay empty included.
    """
    wide = widened(k)
    least = 16 if k > 1 else 32
    most = max(16, min(64, 8192 // (size * wide))) if k > 1 else 1024 * 4 // size
    found: list[tuple[float, Plan]] = []
    for together in (2, 3) if size == 4 and k == 1 else (2,):
        room = max(1, multiprocessors * together // seeds)
        for units in (1 << e for e in range(least.bit_length() - 1, most.bit_length())):
            enough = -(-n // units)
            held = units * (power_of_two(d) + 1 + wide) * size // 4 / THREADS
            if enough <= room and held <= HELD * 2 / together:
                found.append((1.0, _plan(n, m, enough, units, True, together, size, k)))
        if together == 2:  # a third program would leave too few registers to stream
            units = min(TILE // size, most)
            found.append((STREAMING, _plan(n, m, min(room, -(-n // units)), units, False, together, size, k)))

    def work(one: tuple[float, Plan]) -> float:
        factor, layout = one
        crowd = -(-layout.parts * seeds // max(1, multiprocessors))
        padded = -(-layout.share // layout.units) * layout.units
        return factor * max(1.0, BESIDE * crowd) * padded + WAITING * layout.parts / m

    return min(found, key=work)[1]


def _plan(n: int, m: int, parts: int, units: int, resident: bool, together: int, size: int, k: int) -> Plan:
    share = -(-n // parts)
    pairs = PAIRS * (2 if together == 2 and units * size >= TILE else 1)
    most = 16 if k > 1 else max(4, min(128, pairs // size // units))
    return Plan(-(-n // share), share, units, min(max(16, power_of_two(m)), most), resident, together)


def power_of_two(number: int) -> int:
    """The least power of two that is no less."""
    return 1 << (number - 1).bit_length()


def widened(k: int) -> int:
    """Columns for k outputs: one, or a power of two from 16 on."""
    return 1 if k == 1 else max(16, power_of_two(k))


def multiprocessors(device: str) -> int:
    """Of the GPU. The interpreter has none: it takes programs one after the other, and none can wait for another."""
    if interpreted():
        return 0
    return int(torch.cuda.get_device_properties(device).multi_processor_count)


def options(layout: Plan) -> dict[str, Any]:
    """How the kernel is compiled and launched."""
    asked = {"num_warps": THREADS // 32, "num_stages": 1, "enable_fp_fusion": False}
    asked |= {"launch_cooperative_grid": layout.parts > 1}
    return asked if layout.most_registers is None else asked | {"maxnreg": layout.most_registers}


def sizes(layout: Plan, m: int, d: int, k: int, loss: str) -> dict[str, Any]:
    """What the kernel is compiled for."""
    wide, all_parts = widened(k), power_of_two(layout.parts)
    rows = min(power_of_two(-(-m // layout.parts)), max(1, min(128, ADDED // 2 // wide)))
    return {
        "PARTS": layout.parts, "MOST": all_parts, "UNITS": layout.units, "DATA": layout.data,
        "ROWS": rows, "OTHERS": max(1, min(all_parts, ADDED // (rows * wide))), "INPUTS": d, "D": power_of_two(d),
        "K": wide, "KIND": KINDS[loss], "RESIDENT": layout.resident,
    }  # fmt: skip


class Launcher:
    """The arrays of a problem on the device, and the launches of the kernel on them."""

    def __init__(self, problem: Problem, step: float, layout: Plan) -> None:
        p, self.problem, self.layout, self.steps = problem, problem, layout, min(FIRST_LAUNCH, LAUNCH)
        w, b, v, c = (tensor(p, a).contiguous() for a in p.arrays())
        inputs = p.inputs[:, None, :] if p.inputs.ndim == 2 else p.inputs.transpose(0, 2, 1)
        x = tensor(p, np.ascontiguousarray(inputs))
        seeds, n = b.shape
        d, m, k = x.shape[1], x.shape[2], v.shape[2]
        wide, parts = widened(k), layout.parts
        self.parameters = w, b, v, c
        self.numbers = {"n": n, "m": m, "k": k, "share": layout.share, "records": p.recorded.size}
        self.numbers |= {"x_size": d * m if len(x) > 1 else 0, "y_size": m * k if len(p.labels) > 1 else 0}
        self.sizes = sizes(layout, m, d, k, p.loss)
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
            begin = time.perf_counter()
            at = min(until, at + self.steps)
            self.launch(at)
            running = bool((self.marks[:, 3] == 0).any())
            if (took := time.perf_counter() - begin) < LONG:
                self.steps = min(LAUNCH, 4 * self.steps)
            elif took > 4 * LONG:
                self.steps = max(1, self.steps // 4)
        return running

    def launch(self, until: int) -> None:
        """One launch of the kernel, which is not waited for."""
        self.limits[2] = until
        self.count.zero_()
        w, b, v, c = self.parameters
        grid = (len(b) * self.layout.parts,)
        kept = {"count": self.count, "losses": self.losses, "marks": self.marks, "values": self.values}
        here = nullcontext() if interpreted() else torch.cuda.device(self.problem.device)
        with here:
            fused_kernel.descend[grid](
                w=w, b=b, v=v, c=c, limits=self.limits, **self.arrays, **kept, **self.numbers, **self.sizes,
                **options(self.layout),
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
    layout = plan(w[1], problem.inputs.shape[1], d, v[2], w[0], size, multiprocessors(problem.device))
    return Launcher(problem, step, layout)


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
