"""The command line: how long commands take that only look, in starts of a bare Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import duration, seconds, table

LOOKING = (("--help",), ("list",), ("show", "savarese2019.theorem_3_1"), ("verify", "--help"))
ROUNDS = 11


def start(arguments: Sequence[str], ledger: Path) -> float:
    """Seconds of a Python that is started with these arguments; compiled modules are cached, as they are for users."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["IMPLICITBIAS_LEDGER"] = str(ledger)

    def once() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)

    return seconds(once, ROUNDS)


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "none.sqlite"
        bare = start(("-c", "pass"), ledger)
        rows = [["python -c pass", duration(bare), "1"]]
        for arguments in LOOKING:
            spent = start(("-m", "implicitbias", *arguments), ledger)
            rows.append([f"implicitbias {' '.join(arguments)}", duration(spent), f"{spent / bare:.1f}"])
    shown = table(["command", "time", "in starts of Python"], rows)
    return f"## Command line\n\nWithout recorded results.\n\n{shown}\n"
