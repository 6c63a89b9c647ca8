"""The command line: how long commands take from start to end on next to nothing, in starts of Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import duration, seconds, table

CLAIM = "savarese2019.lemma_1"
LAW = ("--weight", "normal(0,1)", "--bias", "uniform(-2,2)")
CALLS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("verify", "--help"),
    ("list",),
    ("show", CLAIM),
    ("explain", CLAIM),
    ("history", CLAIM),
    ("report",),
    ("formalise", CLAIM),
    ("verify", CLAIM, "--fresh"),
    ("try", CLAIM, "--formula", "a*b"),
    ("rivals", CLAIM),
    ("attack", CLAIM),
    ("examples",),
    ("zeta", *LAW, "--at", "0"),
    ("cost", "--formula", "log(1+exp(x))"),
    ("predict", "points.csv", *LAW),
    ("interpolate", "points.csv", "--certificate", "proof.json"),
    ("check-certificate", "proof.json"),
    ("margin", "labelled.csv"),
    ("cells", "table.csv", "--x", "a", "--x", "b"),
    ("inspect", "network.json"),
    ("regions", "network.json"),
)
"""Each with the files that `implicitbias examples` writes, after those before it: a page has results to show."""
ROUNDS = 7


def start(arguments: Sequence[str], folder: Path) -> float:
    """Seconds of a Python that is started with these arguments; compiled modules are cached, as they are for users."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["IMPLICITBIAS_LEDGER"] = str(folder / "ledger.sqlite")

    def once() -> None:
        ran = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(f"{' '.join(arguments)} ended with {ran.returncode}: {ran.stderr}")

    return seconds(once, ROUNDS)


def report() -> str:
    """A table: the call, its median time, and how many starts of a bare Python that is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start(("-m", "implicitbias", "examples"), folder)
        start(("-m", "implicitbias", "verify", CLAIM), folder)
        bare = start(("-c", "pass"), folder)
        rows = [["python -c pass", duration(bare), "1"]]
        for arguments in CALLS:
            spent = start(("-m", "implicitbias", *arguments), folder)
            rows.append([f"implicitbias {' '.join(arguments)}", duration(spent), f"{spent / bare:.1f}"])
    shown = table(["command", "time", "in starts of Python"], rows)
    return f"## Command line\n\nCommands from start to end, with results of one claim in the ledger.\n\n{shown}\n"
