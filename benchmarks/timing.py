"""Timing of calls, and a description of the machine."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROUNDS = 7
"""Odd, so that the median is one of the measurements."""

LEAST = 0.02
"""Minimum seconds per round."""


def seconds(call: Callable[[], object], rounds: int = ROUNDS, least: float = LEAST) -> float:
    """Median wall-clock seconds per call; each round repeats it for `least` seconds. The first call does not count."""
    if rounds > 1:
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


def alternately(calls: Sequence[Callable[[], object]], rounds: int = ROUNDS, least: float = LEAST) -> list[float]:
    """Median seconds of each call, measured in turn, so that all of them meet the same load."""
    measured: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, found in zip(calls, measured, strict=True):
            found.append(seconds(call, rounds=1, least=least))
    return [statistics.median(found) for found in measured]


def peak_megabytes(program: str) -> float:
    """The largest memory that a fresh process of this Python program has held, on Linux.

    Not by `getrusage`, which in a child counts what its parent held.
    """
    told = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}\n{told}"], check=True, capture_output=True, text=True, timeout=900
    )
    return int(ran.stdout.split()[-1]) / 1024


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
