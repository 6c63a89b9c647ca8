"""Kills of `verify` at random moments: the ledger stays whole, nothing finished is lost, nothing is doubled.

    python -m benchmarks.campaigns kills --count 200 --seed 0

Each trial starts one or two runs on a ledger of its own, kills them with -9 after a random time, and looks at the
ledger; every third trial kills a worker instead and lets the runs end. Then a last run finishes what is missing, and
each check must have exactly one result and each job one output.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from implicitbias.record.ledger import Ledger

CLAIMS = Path(__file__).parents[2] / "tests" / "example_claims"
GLOBS = ("tested.slow_*", "tested.sweep", "tested.refuted", "tested.established")
LONGEST = 12.0
"""Seconds after which a run is killed at the latest."""


def run(count: int, seed: int) -> dict[str, object]:
    """How often each thing happened; all but `trials` and `killed before the end` should be 0."""
    figures: Counter[str] = Counter(
        {"damaged": 0, "lost": 0, "doubled": 0, "left undone": 0, "killed before the end": 0}
    )
    for number in range(count):
        with tempfile.TemporaryDirectory() as folder:
            figures.update(_trial(Path(folder), Random(f"{seed} kills {number}"), kills_worker=number % 3 == 2))
    return {"trials": count, **figures}


def _trial(folder: Path, rng: Random, *, kills_worker: bool) -> Counter[str]:
    ledger, found = folder / "ledger.sqlite", Counter[str]()
    runs = [_start(ledger) for _ in range(rng.choice((1, 2)))]
    time.sleep(rng.uniform(0.5, LONGEST))
    for one in runs:
        if kills_worker:
            _kill(*rng.sample(workers, 1)) if (workers := _children(one.pid)) else None
        elif one.poll() is None:
            one.kill()
            found["killed before the end"] += 1
    for one in runs:
        one.wait()
    before = _rows(ledger)
    _start(ledger).wait()
    after = _rows(ledger)
    with contextlib.closing(sqlite3.connect(ledger)) as connection:
        found["damaged"] += connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]
    found["lost"] += sum((before - after).values())
    found["doubled"] += sum(times - 1 for times in after.values() if times > 1)
    found["left undone"] += _expected() - len(after)
    return found


def _start(ledger: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "implicitbias", "verify", *GLOBS, "--claims", str(CLAIMS), "--ledger", str(ledger)]
    quiet = subprocess.DEVNULL
    environment = {**os.environ, "TESTED_SECONDS": "0.2"}
    return subprocess.Popen([*command, "--workers", "2"], stdout=quiet, stderr=quiet, env=environment)


def _rows(ledger: Path) -> Counter[tuple[str, ...]]:
    """What the ledger holds: results by claim and check, outputs of jobs by key."""
    if not ledger.exists():
        return Counter()
    Ledger(ledger).close()  # a run may have been killed before it made the tables
    with contextlib.closing(sqlite3.connect(ledger)) as connection:
        results = connection.execute("SELECT claim, check_name FROM results").fetchall()
        return Counter([*results, *connection.execute("SELECT key FROM jobs").fetchall()])


def _expected() -> int:
    """Checks and jobs of the claims: six slow ones, one refuted, two of the established one, a sweep of six jobs."""
    return 6 + 1 + 2 + 1 + 6


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
