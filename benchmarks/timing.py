"""Timing of calls, and a description of the machine."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 7
"""Odd, so that the median is one of the measurements."""

LEAST = 0.02
"""Minimum seconds per round."""


def seconds(call: Callable[[], object], rounds: int = ROUNDS, least: float = LEAST) -> float:
    """Median wall-clock seconds per call; each round repeats it for `least` seconds. The first call does not count."""
    call()
    measured = []
    for _ in range(rounds):
        count, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < least or count == 0:
            call()
            count += 1
        spent = time.perf_counter() - begin
        measured.append(spent / count)
    return statistics.median(measured)


def copier(threads: int, megabytes: int = 256) -> Callable[[], float]:
    """A function that measures the seconds per byte read or written when numpy copies an array beyond the caches."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    source = np.ones(megabytes << 17)
    target = source.copy()
    parts = [slice(i * len(source) // threads, (i + 1) * len(source) // threads) for i in range(threads)]

    def once() -> float:
        with ThreadPoolExecutor(threads) as pool:
            begin = time.perf_counter()
            list(pool.map(lambda part: np.copyto(target[part], source[part]), parts))
            return (time.perf_counter() - begin) / (2 * source.nbytes)

    return once


def machine() -> list[str]:
    """Lines describing the machine, with its load, since timings on a busy machine are unreliable."""
    lines = [f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"]
    cpu = Path("/proc/cpuinfo")
    if cpu.exists():
        names = {
            line.partition(":")[2].strip() for line in cpu.read_text().splitlines() if line.startswith("model name")
        }
        lines.append(", ".join(sorted(names)))
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines.append(f"{len(os.sched_getaffinity(0))} cores; load average {load} at the start")
    for library in ("numpy", "scipy", "torch", "numba"):
        lines.append(f"{library} {__import__(library).__version__}")
    return lines


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def duration(value: float) -> str:
    """Seconds to three digits, with a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
