"""The terminal interface: time to the first screen, and from a key to the redraw, idle and with two busy workers."""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.timing import duration, table

CLAIMS = """
import itertools, time
from implicitbias.claims import certificate, claim, seen

@certificate("only")
def quick(context):
    for x in range(20):
        yield seen(x * x, x=x)

@certificate("only")
def busy(context):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        sum(itertools.repeat(1, 100_000))
    yield seen(4, x=2)

CLAIMS = [
    claim(f"many.claim_{i}", f"Theorem {i}", f"The square, told {i} times", "f(x) = x²",
          formula="x**2", symbols={"x": "a number"}, controls={"2*x": "at 2", "x": "at 1"}, checks=(check,))
    for check, numbers in ((quick, range(1000)), (busy, range(1000, 1004))) for i in numbers
]
"""

START = """
import asyncio, sys, time
from pathlib import Path
from implicitbias.claims.catalogue import load
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.settings import Settings

async def start():
    app = ImplicitBias(load(), Settings(ledger=Path(sys.argv[1])))
    async with app.run_test(size=(120, 40)) as pilot:
        while not app._has_read:
            await pilot.pause(0.005)
        await pilot.pause()

asyncio.run(start())
"""
"""From starting Python to the first screen with the last verdicts of the shipped claims."""

KEYS = {
    "a step in the tree": ("j", "k"),
    "another tab": ("4", "2"),
    "another claim": ("n", "p"),
    "a page": ("pagedown", "pageup"),
}
QUIET = 1000
"""Number of claims whose checks take no time; the claims after them keep two workers busy."""
ROUNDS = 25


def startup(ledger: Path) -> list[float]:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", START, str(ledger)], check=True)
        times.append(time.perf_counter() - began)
    return times


def latencies(folder: Path, ledger: Path, busy: bool) -> dict[str, list[float]]:
    """Seconds from each key to the redrawn screen, among a thousand claims."""
    from implicitbias.claims.catalogue import load
    from implicitbias.tui.app import ImplicitBias
    from implicitbias.tui.data.running import Order
    from implicitbias.tui.settings import Settings

    app = ImplicitBias(load(folder), Settings(claims=folder, ledger=ledger, memory=folder / "tour.json"))
    found: dict[str, list[float]] = {}

    async def scene() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            while not app._has_read:
                await pilot.pause(0.01)
            if busy:
                app.start_run(Order("busy", app.snapshot.claims[QUIET:], workers=2))
                while not (app.progress and len(app.progress.active) == 2):
                    await pilot.pause(0.05)
            for what, keys in KEYS.items():
                for _, key in zip(range(ROUNDS), itertools.cycle(keys), strict=False):
                    found.setdefault(what, []).append(await _pressed(app, pilot, key))
            app.end_run()

    asyncio.run(scene())
    return found


async def _pressed(app: Any, pilot: Any, key: str) -> float:
    """Seconds from a key press through the messages it causes to the redraw after them."""
    began = time.perf_counter()
    await pilot._wait_for_screen()
    app.simulate_key(key)
    drawn = asyncio.Event()
    app.call_later(lambda: app.screen.call_after_refresh(drawn.set))
    await drawn.wait()
    return time.perf_counter() - began


def report() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "claims"
        folder.mkdir()
        (folder / "squares.py").write_text(CLAIMS)
        ledger = Path(name) / "ledger.sqlite"
        shipped = Path(os.environ.get("IMPLICITBIAS_LEDGER", Path(name) / "none.sqlite"))
        begun = startup(shipped)
        rows = [["first screen, Python included", duration(statistics.median(begun)), duration(max(begun))]]
        for busy in (False, True):
            for what, times in latencies(folder, ledger, busy).items():
                label = f"{what}{', two workers busy' if busy else ''}"
                rows.append([label, duration(statistics.median(times)), duration(max(times))])
    says = "At 120×40 with 1004 claims: from a key to the next picture (the claim follows the cursor 30 ms later).\n\n"
    return f"## Terminal interface\n\n{says}{table(['what', 'median', 'slowest'], rows)}\n"
