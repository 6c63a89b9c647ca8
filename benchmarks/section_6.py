"""The training runs of Section 6 of Stewart et al. (2022) at full size: prefix sums against dense torch."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import ROUNDS, duration, seconds, table
from implicitbias.training import TwoLayer, train

POINTS, BINS, SEEDS = 250, 50, 30
MODELS = {"regression": (10_000, 0.08, 300_000), "classification": (500, 0.5, 150_000)}
"""Neurons, learning rate and epochs of a run."""
SHORT = 200
"""Epochs that are timed."""

Doubles = NDArray[np.float64]


def setting(model: str, seed: int = 0) -> tuple[TwoLayer, Doubles, Doubles, float]:
    """A Glorot network without output bias, five points per bin of two triangles, and their labels or bins."""
    units, step, _ = MODELS[model]
    rng = np.random.default_rng(seed)
    outputs = 1 if model == "regression" else BINS
    a, b = np.sqrt(6 / (2 + units)), np.sqrt(6 / (units + outputs))
    first, second = rng.uniform(-a, a, (units, 2)), rng.uniform(-b, b, (units, outputs))
    x = np.sort(rng.uniform(-1, 1, POINTS))
    y = 1 - np.abs(2 * np.abs(x) - 1)
    if model == "regression":
        return TwoLayer(first[:, 0], first[:, 1], second[:, 0]), x, y, step
    bins = np.ceil(y * (BINS - 1) - 0.5).clip(0)
    return TwoLayer(first[:, 0], first[:, 1], second, np.zeros(outputs)), x, bins, step


def ours(model: str) -> float:
    """Seconds per epoch on one core: 2N epochs minus N epochs, so that start-up cancels."""
    network, x, y, step = setting(model)

    def run(epochs: int) -> float:
        loss = "square" if model == "regression" else "cross_entropy"
        return train(
            network, x, y, engine="prefix_sum", threads=1, trained=("w", "b", "v"), reduction="mean", loss=loss,
            step=2 * step if model == "regression" else step, steps=epochs, record=[0],
        ).seconds  # fmt: skip

    run(2)
    return float(np.median([(run(2 * SHORT) - run(SHORT)) / SHORT for _ in range(ROUNDS)]))


def dense(model: str, dtype: str, threads: int) -> float:
    """Seconds per epoch of the obvious program: torch autograd, all units at all points."""
    import torch

    torch.set_num_threads(threads)
    network, x, y, step = setting(model)
    kind = getattr(torch, dtype)
    w, b, v = (torch.tensor(np.asarray(a), dtype=kind, requires_grad=True) for a in (network.w, network.b, network.v))
    inputs = torch.tensor(x, dtype=kind)
    goal = torch.tensor(y, dtype=kind if model == "regression" else torch.long)

    def one() -> None:
        f = torch.relu(inputs[:, None] * w + b) @ v
        loss = (f - goal).square().mean() if model == "regression" else torch.nn.functional.cross_entropy(f, goal)
        with torch.no_grad():
            for p, g in zip((w, b, v), torch.autograd.grad(loss, (w, b, v)), strict=True):
                p -= step * g

    return seconds(one)


def report() -> str:
    """A table: seconds per epoch, and the time of all runs of the experiment extrapolated from them."""
    cores = len(os.sched_getaffinity(0))
    rows, total = [], np.zeros(3)
    for model, (units, _, epochs) in MODELS.items():
        found = np.array([ours(model), dense(model, "float64", cores), dense(model, "float32", cores)])
        whole = found * epochs * SEEDS / [cores, 1, 1]  # ours: one seed per core; torch: all cores for one seed
        total += whole
        rows.append(
            [model, f"{units:,}", f"{epochs:,}", *(duration(s) for s in found), f"{found[1] / found[0]:.0f}×"]
            + [f"{s / 60:.1f} min" for s in whole]
        )
    rows.append(["both", "", "", "", "", "", "", *(f"{s / 60:.1f} min" for s in total)])
    head = ["", "neurons", "epochs", "epoch, 1 core", f"torch, {cores} cores", "torch, float32", "ratio"]
    text = f"{POINTS} points, {BINS} bins, {SEEDS} seeds of each; the last columns are extrapolated from one epoch"
    text += f" ({cores} cores: one seed per core, or one after the other in torch), without validation.\n\n"
    return f"## Section 6: {2 * SEEDS} trainings\n\n{text}{table([*head, 'all', 'torch', 'torch, float32'], rows)}\n"
