"""The terminal interface for long, under random keys, with a `verify` that writes into the same ledger.

    python -m benchmarks.campaigns soak --count 5000 --seed 0

Keys and sizes of the window are drawn; the runs that the interface is told to make are real ones. Counted are errors
that the interface ended with (they should be none), how long the screen took to follow a key, how often it was left by
a key that quits (it is opened again), and the memory that it held early and late.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

KEYS = (
    *"jknp123456789 ftrvTPLDxyes/?!:+-",
    *("up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
    *("enter", "escape", "tab", "shift+tab", "space", "backspace", "ctrl+r", "q"),
)
SIZES = ((80, 24), (120, 40), (160, 50), (40, 12), (20, 5))
LONGEST = 5.0
"""Seconds after a key in which the screen must have followed."""
GLOBS = ("savarese2019.*", "dedios2020.*")


def run(count: int, seed: int) -> dict[str, object]:
    """The figures after `count` keys."""
    rng, found, waits = Random(f"{seed} soak"), Counter[str](errors=0, late=0, left=0), list[float]()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        ledger = folder / "ledger.sqlite"
        beside = _verify(ledger)
        early = 0
        try:
            while len(waits) < count:
                asyncio.run(_session(folder, ledger, rng, count, waits, found))
                early = early or _memory()
                if beside.poll() is not None:
                    beside = _verify(ledger)
                    found["runs beside it"] += 1
        finally:
            beside.kill()
            beside.wait()
    return {
        "keys": len(waits),
        **found,
        "median wait in ms": round(statistics.median(waits) * 1000, 1),
        "longest wait in ms": round(max(waits) * 1000),
        "MB after the first session": early,
        "MB at the end": _memory(),
    }


async def _session(
    folder: Path, ledger: Path, rng: Random, count: int, waits: list[float], found: Counter[str]
) -> None:
    """One opening of the interface, until a key quits it, it ends with an error, or there have been enough keys."""
    from implicitbias.claims.catalogue import load
    from implicitbias.tui.app import ImplicitBias
    from implicitbias.tui.settings import Settings

    app = ImplicitBias(load(), Settings(ledger=ledger, memory=folder / "tour.json", workers=1))
    try:
        async with app.run_test(size=rng.choice(SIZES)) as pilot:
            await pilot.pause()
            for _ in range(min(count - len(waits), 1000)):
                key = rng.choice(KEYS)
                wait = await _followed(app, pilot, key)
                waits.append(wait)
                found["late"] += wait > LONGEST
                if rng.random() < 0.02:
                    await pilot.resize_terminal(*rng.choice(SIZES))
                if not app.is_running or app._exit:
                    found["left"] += 1
                    break
            app.end_run()
    except Exception as error:
        found["errors"] += 1
        found[f"{type(error).__name__}: {error}"[:200]] += 1


async def _followed(app: Any, pilot: Any, key: str) -> float:
    """Seconds from a key until all that it causes is done."""
    began = time.perf_counter()
    app.simulate_key(key)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(pilot.pause(), 2 * LONGEST)
    return time.perf_counter() - began


def _verify(ledger: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "implicitbias", "verify", *GLOBS, "--fresh", "--ledger", str(ledger)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*command, "--workers", "1"], stdout=quiet, stderr=quiet, env=dict(os.environ))


def _memory() -> int:
    """The most that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
