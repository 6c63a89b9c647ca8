"""One full-batch gradient step: prefix sums against torch autograd, dense numpy and memory bandwidth."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from benchmarks.timing import ROUNDS, copier, duration, seconds, table
from implicitbias.training import TwoLayer, standard, train

SIZES = ((1_000, 50), (10_000, 250), (100_000, 1_000))

WIDE = 1_000_000

SEEDS = 30


def problem(n: int, m: int, seeds: int | None = None) -> tuple[TwoLayer, np.ndarray, np.ndarray, float]:
    """A network of width n, m data, and a step size small enough to change little."""
    rng = np.random.default_rng(n)
    shape = (n,) if seeds is None else (seeds, n)
    f = standard(rng.normal(size=shape), rng.uniform(-2, 2, shape), rng.normal(size=shape))
    x = np.sort(rng.uniform(-2, 2, m))
    return f, x, np.sin(3 * x), 0.1 / (n * m)


def stepper(n: int, m: int, dtype: str, threads: int, seeds: int | None = None) -> Callable[[], float]:
    """A function that measures the seconds per step of `train`: 2N steps minus N steps, so that start-up cancels."""
    f, x, y, step = problem(n, m, seeds)

    def run(steps: int) -> float:
        settings = {"step": step, "steps": steps, "dtype": dtype, "threads": threads, "record": [0]}
        return train(f, x, y, engine="prefix_sum", **settings).seconds

    run(2)
    count = max(2, int(0.05 / max((run(12) - run(2)) / 10, 1e-6)))
    return lambda: (run(2 * count) - run(count)) / count


def ours(n: int, m: int, dtype: str, threads: int, seeds: int | None = None) -> float:
    """Median seconds per step."""
    once = stepper(n, m, dtype, threads, seeds)
    return float(np.median([once() for _ in range(ROUNDS)]))


def autograd(n: int, m: int, dtype: str, threads: int, seeds: int | None = None) -> float:
    """Seconds per step of the obvious program: torch autograd, all threads."""
    import torch

    torch.set_num_threads(threads)
    f, x, y, step = problem(n, m, seeds)
    kind = getattr(torch, dtype)
    w, b, v, c = (torch.tensor(np.asarray(a), dtype=kind, requires_grad=True) for a in (f.w, f.b, f.v, f.c))
    inputs, labels = torch.tensor(x, dtype=kind), torch.tensor(y, dtype=kind)

    def one() -> None:
        z = inputs[:, None] * w[..., None, :] + b[..., None, :]
        out = (torch.relu(z) @ v[..., None])[..., 0] + c[..., None]
        loss = 0.5 * (out - labels).square().sum()
        gradients = torch.autograd.grad(loss, (w, b, v, c))
        with torch.no_grad():
            for p, g in zip((w, b, v, c), gradients, strict=True):
                p -= step * g

    return seconds(one, rounds=1 if n * m * (seeds or 1) > 1e7 else ROUNDS)


def dense_numpy(n: int, m: int, dtype: str) -> float:
    """Seconds per step with the inputs × units matrix in numpy, the gradient written by hand."""
    f, x, y, step = problem(n, m)
    w, b, v, x, y = (np.asarray(a, dtype=dtype) for a in (f.w, f.b, f.v, x, y))
    c = np.zeros((), dtype=dtype)

    def one() -> None:
        nonlocal c
        z = np.multiply.outer(x, w)
        z += b
        active = z > 0
        z *= active
        r = z @ v + c - y
        pushed, weighted = r @ active, (r * x) @ active
        gradient_v = r @ z
        w[:] -= step * v * weighted
        b[:] -= step * v * pushed
        v[:] -= step * gradient_v
        c = c - step * r.sum()

    return seconds(one, rounds=1 if n * m > 1e7 else ROUNDS)


def report() -> str:
    """The tables."""
    cores = len(os.sched_getaffinity(0))
    rows = []
    for dtype in ("float64", "float32"):
        for n, m in SIZES:
            one, all_cores = ours(n, m, dtype, 1), ours(n, m, dtype, cores)
            torch_time, numpy_time = autograd(n, m, dtype, cores), dense_numpy(n, m, dtype)
            best = min(one, all_cores)
            rows.append(
                [
                    dtype, f"{n:,}", f"{m:,}", duration(one), duration(all_cores), duration(torch_time),
                    duration(numpy_time), f"{torch_time / best:.0f}×", f"{numpy_time / best:.0f}×",
                ]
            )  # fmt: skip
    head = ["", "n", "M", "1 thread", f"{cores} threads", f"autograd, {cores} threads", "dense numpy"]
    steps = table([*head, "autograd / ours", "numpy / ours"], rows)
    return f"## A gradient step (`prefix_sum`)\n\n{steps}\n\n{bandwidth(cores)}\n\n{batch(cores)}\n"


def bandwidth(cores: int) -> str:
    """A step of a million units against the time that the memory takes to read and write its parameters once.

    Step and copy are measured alternately and the median of the ratios is taken, since memory is shared on a shared
    machine.
    """
    rows = []
    copy = copier(cores)
    for dtype, m in (("float64", 250), ("float64", 1000), ("float32", 1000)):
        moved = 2 * 3 * WIDE * np.dtype(dtype).itemsize
        step = stepper(WIDE, m, dtype, cores)
        pairs = [(step(), moved * copy()) for _ in range(ROUNDS)]
        spent, bound = (float(np.median(times)) for times in zip(*pairs, strict=True))
        ratio = np.median([one / other for one, other in pairs])
        speed = f"{moved / bound / 1e9:.1f} GB/s"
        rows.append([dtype, f"{m:,}", duration(spent), speed, duration(bound), f"{ratio:.2f}×"])
    text = (
        f"n = {WIDE:,}, {cores} threads. The bound is w, b, v read and written once, at the speed of a large copy by\n"
    )
    text += f"{cores} threads (bytes read and written); the slots of the units, 4 bytes each, are not counted."
    return f"{text}\n\n" + table(["", "M", "a step", "a copy", "bound", "step / bound"], rows)


def batch(cores: int) -> str:
    """A step of 30 networks in one batch."""
    n, m = 10_000, 250
    together = ours(n, m, "float64", cores, SEEDS)
    torch_time = autograd(n, m, "float64", cores, SEEDS)
    row = [duration(together), duration(torch_time), f"{torch_time / together:.0f}×"]
    text = f"{SEEDS} seeds in one call, n = {n:,}, M = {m}, float64, {cores} threads.\n\n"
    return text + table(["a step of all", "autograd, batched", "ratio"], [row])
