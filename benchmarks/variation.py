"""Problem (22), least total variation with a penalty: by all cells, and by cones of directions, with certificates."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import duration, table

if TYPE_CHECKING:
    from implicitbias.convex.variation.many_cells import BoundedFit
    from implicitbias.convex.variation.penalised import PenalisedFit

PENALTY = "0.01"
BY_CELLS = ((10, 2), (20, 2), (40, 2), (54, 2), (10, 3), (18, 3))
BY_CONES = (
    (40, 2, 1e-6),
    (100, 2, 1e-6),
    (200, 2, 1e-6),
    (50, 3, 1e-6),
    (100, 3, 1e-6),
    (200, 3, 1e-6),
    (30, 4, 1e-3),
    (50, 4, 1e-3),
    (20, 5, 1e-2),
    (50, 5, 1e-2),
)
"""n, d, and how far the dual function may exceed 1: the gap that is asked for."""
LIMIT = 600.0
"""Time limit in seconds for each."""


def data(n: int, d: int) -> tuple[list[list[str]], list[str]]:
    """Normal inputs and a sine of the first with noise, to three decimals."""
    rng = np.random.default_rng(n + d)
    x = rng.standard_normal((n, d)).round(3)
    y = (np.sin(2 * x[:, 0]) + 0.3 * rng.standard_normal(n)).round(3)
    return [[str(v) for v in row] for row in x], [str(v) for v in y]


def by_cells(n: int, d: int) -> list[str]:
    from implicitbias.convex.variation.penalised import penalised_fit

    penalised_fit([[0, 1], [1, 0]], [1, 2], 1)
    begin = time.perf_counter()
    found = penalised_fit(*data(n, d), PENALTY)
    return _row(f"{len(found.cells):,} cells", begin, found)


def by_cones(n: int, d: int, accuracy: float) -> list[str]:
    from implicitbias.convex.variation.many_cells import bounded_fit

    bounded_fit([[0, 1], [1, 0]], [1, 2], 1)
    begin = time.perf_counter()
    found = bounded_fit(*data(n, d), PENALTY, accuracy)
    return _row(f"{found.bound.cones:,} cones", begin, found)


def _row(looked_at: str, begin: float, found: PenalisedFit | BoundedFit) -> list[str]:
    """What was looked at, time of the bounds, their gap, times of the certificate and of its check, and peak memory."""
    from implicitbias.certificate.kernel import check_certificate

    bounded = time.perf_counter()
    document = found.certificate()
    written = time.perf_counter()
    peak = _peak()
    valid = check_certificate(document).valid
    checked = duration(time.perf_counter() - written) if valid else "REFUSED"
    spent = duration(bounded - begin), duration(written - bounded)
    return [looked_at, spent[0], f"{float(found.gap):.0e}", spent[1], checked, peak]


def _peak() -> str:
    """Of this process; `getrusage` would count what its parent held."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    held = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return f"{int(held) / 1024:.0f} MB"


def _limited(call: Callable[..., list[str]], *given: Any) -> list[str]:
    """In a process of its own, for its peak memory and the time limit."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(call, given).get(LIMIT)
        except Exception as error:  # a size that fails is a line of the table
            return [f"{type(error).__name__}: {str(error)[:60]}", f"more than {LIMIT:g} s?", "", "", "", ""]


def report() -> str:
    """A table: problem, cells or cones, time, gap of the bounds, certificate, its check, peak memory."""
    rows = [["cells", f"{n}", f"{d}", *_limited(by_cells, n, d)] for n, d in BY_CELLS]
    rows += [["cones", f"{n}", f"{d}", *_limited(by_cones, n, d, given)] for n, d, given in BY_CONES]
    head = ["by", "n", "d", "looked at", "time", "gap", "certificate", "its check", "peak memory"]
    return f"## Problem (22), least total variation with a penalty\n\nλ = {PENALTY}.\n\n{table(head, rows)}\n"
