"""Engine `fused` on a GPU against torch eager, torch.compile and CUDA graphs; writes GPU.md next to this file.

All train the same networks in the same precision, TF32 off, and the losses after some steps are compared with prefix
sums on the CPU. What a share refers to is measured on the same device: its bandwidth by a large copy, its arithmetic by
a large product of matrices (of doubles: on tensor cores, where there are some).
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import gpu_systems, section_6
from benchmarks.gpu_systems import Case
from benchmarks.timing import duration, table

SIZES = ((10_000, 250), (100_000, 1_000))
SEEDS = 132
TABLE = Path(__file__).parent / "GPU.md"
UNTIL = 260.0
"""Seconds after which no further row of the steps is begun: all must end within eight minutes."""
EACH = 35.0
"""Seconds for the trainings of a model of Section 6 in one precision; longer ones are extrapolated, and say so."""
PROBED = 200
"""Epochs that say how many fit into that time."""
BUDGET = 1.0
"""Seconds that one measurement may take, after its first calls."""
CHECKED = 20
"""Steps after which losses are compared."""
COPIED, SIDE = 1 << 30, 4096
"""Bytes of the copy, and the side of the matrices, that show what the device can do."""


def missing() -> str | None:
    """What is missing for this benchmark here, or None."""
    for library in ("torch", "triton"):
        if find_spec(library) is None:
            return f"it needs {library}: pip install 'implicitbias[gpu]'"
    import torch

    if torch.version.cuda is None:
        return f"it needs a CUDA GPU and torch built for it; this is torch {torch.__version__} (see pytorch.org)"
    if not torch.cuda.is_available():
        return "it needs a CUDA GPU, and torch finds none here (nvidia-smi shows what the driver sees)"
    return None


def per_step(steps: Callable[[int], None], budget: float = BUDGET) -> float:
    """Median seconds per step of `steps(count)`: from 2N steps minus N steps, so that start-up cancels."""
    import torch

    def timed(count: int) -> float:
        torch.cuda.synchronize()
        begin = time.perf_counter()
        steps(count)
        torch.cuda.synchronize()
        return time.perf_counter() - begin

    timed(2)
    count = max(1, min(4096, int(budget / 9 / max(timed(8) / 8, 1e-7))))
    return max(1e-9, statistics.median((timed(2 * count) - timed(count)) / count for _ in range(3)))


def peaks(dtype: str) -> tuple[float, float]:
    """Bytes a second, read and written, of a large copy; operations a second of a large product of matrices."""
    import torch

    kind = getattr(torch, dtype)
    source = torch.ones(COPIED // kind.itemsize, dtype=kind, device=gpu_systems.DEVICE)
    target = torch.empty_like(source)
    square = torch.ones(SIDE, SIDE, dtype=kind, device=gpu_systems.DEVICE)
    product = torch.empty_like(square)

    def copies(count: int) -> None:
        for _ in range(count):
            target.copy_(source)

    def products(count: int) -> None:
        for _ in range(count):
            torch.mm(square, square, out=product)

    return 2 * source.nbytes / per_step(copies), 2.0 * SIDE**3 / per_step(products)


def on_the_cpu(case: Case) -> np.ndarray:
    """The losses before step CHECKED by prefix sums in doubles, of at most three of the networks."""
    from implicitbias.training import TwoLayer, train

    f, x, y, step = case.made()
    few = TwoLayer(f.w[:3], f.b[:3], f.v[:3], f.c[:3])
    return train(few, x, y, step=step, steps=CHECKED, record=[0]).final_loss


def moved(case: Case, name: str) -> float | None:
    """Bytes that a step moves at the least, where that can be said.

    fused: what programs tell each other (written once, read once; slopes read by each), which fits into a cache, and
    the parameters, if they are streamed: read twice, written once. Eager: eight passes over units × data.
    """
    if name == "fused":
        layout = case.layout()
        told = 3.0 * layout.parts * case.m
        return case.seeds * case.size * (told + (0 if layout.resident else 9.0 * case.n))
    return 8.0 * case.size * case.n * case.m * case.seeds if name.startswith("torch eager") else None


def row(case: Case, name: str, wanted: np.ndarray, peak: tuple[float, float], ours: float) -> tuple[list[str], float]:
    """One system at one size, and its seconds per step (nan if it fails: then the row says why)."""
    import torch

    head = [case.dtype, f"{case.n:,}", f"{case.m:,}", str(case.seeds), name]
    try:
        gc.collect()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()  # torch.compile keeps some
        steps, losses = gpu_systems.SYSTEMS[name](case)
        steps(CHECKED + 1)
        off = float(np.abs(losses()[: len(wanted)] / wanted - 1).max())
        spent = per_step(steps)
    except Exception as error:  # out of memory, or what does not compile: the other rows are worth having
        says = f"{type(error).__name__}: {' '.join(str(error).split())[:60]}".replace("|", "/")
        return [*head, says, "", "", "", "", ""], float("nan")
    memory, bytes_moved = (torch.cuda.max_memory_allocated() - before) / 2**20, moved(case, name)
    return [
        *head,
        duration(spent),
        f"{spent / ours:.1f}×" if ours == ours else "",
        f"{case.operations / spent / peak[1]:.1%}",
        "" if bytes_moved is None else f"{bytes_moved / spent / peak[0]:.1%}",
        f"{off:.0e}",
        f"{memory:,.0f} MB",
    ], spent


def steps_of_all() -> str:
    """The table of the steps."""
    begin, rows, says = time.perf_counter(), [], []
    for dtype in ("float32", "float64"):
        peak = peaks(dtype)
        says.append(
            f"{dtype}: a copy moves {peak[0] / 1e9:,.0f} GB/s, a product of matrices does {peak[1] / 1e12:.1f} TFLOP/s."
        )
        for n, m in SIZES:
            for seeds in (1, SEEDS):
                case, ours = Case(n, m, seeds, dtype), float("nan")
                wanted = on_the_cpu(case)
                for name in gpu_systems.SYSTEMS:
                    if time.perf_counter() - begin > UNTIL:
                        rows.append([dtype, f"{n:,}", f"{m:,}", str(seeds), name, "not run: time", *[""] * 5])
                        continue
                    cells, spent = row(case, name, wanted, peak, ours)
                    ours = spent if name == "fused" else ours
                    rows.append(cells)
    head = ["", "n", "M", "seeds", "system", "a step of all", "/ fused", "arithmetic", "bandwidth", "loss off by"]
    text = "\n".join(says) + f"\n\n{table([*head, 'memory'], rows)}\n\n"
    text += "Arithmetic: 10 operations for each unit and datum, as a share of what the product of matrices reaches.\n"
    text += "Bandwidth: what a step must move, as a share of what the copy reaches; above 100 % it stays in a cache.\n"
    return text + f"Loss off by: relative to prefix sums in doubles on the CPU, after {CHECKED} steps.\n"


def paper(model: str, dtype: str) -> list[str]:
    """A model of Section 6 of Stewart et al. (2022) at the paper's size: all seeds at once, each with its own data."""
    from implicitbias.training import TwoLayer, train

    made = [section_6.setting(model, seed) for seed in range(section_6.SEEDS)]
    f = TwoLayer(*(np.stack([getattr(one[0], name) for one in made]) for name in "wbvc"))
    x, y = (np.stack([one[i] for one in made]) for i in (1, 2))
    units, step, epochs = section_6.MODELS[model]
    asked: dict[str, Any] = {
        "trained": ("w", "b", "v"), "reduction": "mean", "record": [0], "dtype": dtype, "engine": "fused",
        "device": gpu_systems.DEVICE, "loss": "square" if model == "regression" else "cross_entropy",
        "step": 2 * step if model == "regression" else step,
    }  # fmt: skip
    train(f, x, y, steps=2, **asked)
    probe = train(f, x, y, steps=PROBED, **asked).seconds / PROBED
    done = max(PROBED, min(epochs, int(EACH / probe)))
    run = train(f, x, y, steps=done, **asked)
    an_epoch = run.seconds / done
    return [
        model, dtype, f"{units:,}", f"{done:,} of {epochs:,}", duration(an_epoch), duration(run.seconds),
        duration(an_epoch * epochs), f"{np.mean(run.losses[0]):.3g} → {np.mean(run.final_loss):.3g}",
    ]  # fmt: skip


def report() -> str:
    """The tables, which are also written to GPU.md."""
    if (why := missing()) is not None:
        raise RuntimeError(why)
    import torch
    import triton

    begin = time.perf_counter()
    torch.backends.cuda.matmul.allow_tf32 = False
    about = torch.cuda.get_device_properties(0)
    text = f"## On a GPU: {about.name}\n\n{about.multi_processor_count} multiprocessors, "
    text += f"{about.total_memory / 2**30:.0f} GB, capability {about.major}.{about.minor}; CUDA {torch.version.cuda}, "
    text += f"torch {torch.__version__}, triton {triton.__version__}.\n\n{steps_of_all()}\n"
    rows = [paper(model, dtype) for model in section_6.MODELS for dtype in ("float32", "float64")]
    head = ["", "", "neurons", "epochs", "an epoch of all", "took", "all epochs", "mean loss"]
    text += f"### Section 6 of Stewart et al. (2022)\n\n{section_6.SEEDS} seeds of each model at once, in one call of "
    text += f"`train`, without validation.\n\n{table(head, rows)}\n\nAll in {time.perf_counter() - begin:.0f} s.\n"
    TABLE.write_text(f"# Speed on a GPU\n\nMeasured by `python -m benchmarks gpu` in one run.\n\n{text}")
    return text
