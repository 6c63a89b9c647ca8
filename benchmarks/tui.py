"""The terminal interface in a pseudo terminal: time to the first screen, and from a key to the first paint after it."""

from __future__ import annotations

import fcntl
import itertools
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from benchmarks.timing import duration, table

CLAIMS = """
from implicitbias.claims import certificate, claim, seen

@certificate("only")
def quick(context):
    for x in range(20):
        yield seen(x * x, x=x)

def endless(name):
    @certificate(name)
    def busy(context):
        while True:
            pass
        yield
    return busy

CLAIMS = [
    claim("many.busy", "Theorem 0", "Work for two workers", "0 = 0", formula="0*x", symbols={"x": "a number"},
          controls={"x": "at 1"}, checks=(endless("first"), endless("second"))),
] + [
    claim(f"many.claim_{i}", f"Theorem {i}", f"The square, told {i} times", "f(x) = x²",
          formula="x**2", symbols={"x": "a number"}, controls={"2*x": "at 2", "x": "at 1"}, checks=(quick,))
    for i in range(1000)
]
"""

KEYS = {
    "a step in the tree": "jk",
    "another claim": "np",
    "into the claim and back": "\rh",
    "another tab": "42",
    "a page": ("\x1b[6~", "\x1b[5~"),
    "a letter in the filter": ("/", *"theorem", *["\x7f"] * 7),
}
ROUNDS = 24
SIZE = (40, 120)
SILENCE = 0.25
"""Seconds without output after which a screen has settled."""
PATIENCE = 2.0
"""Seconds in which a key must have changed something, if it does: slower answers are counted, not left out."""
STARTED = 10.0
"""Seconds in which workers have loaded a thousand claims and begun."""


class Terminal:
    """The interface in a pseudo terminal of its own."""

    def __init__(self, *options: str, state: Path) -> None:
        self.began = time.perf_counter()
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.environ.update(XDG_STATE_HOME=str(state), XDG_DATA_HOME=str(state))
            os.environ.pop("IMPLICITBIAS_LEDGER", None)
            os.execv(sys.executable, [sys.executable, "-m", "implicitbias", "tui", *options])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))

    def painted(self, since: float, wanted: bytes = b"") -> float | None:
        """Seconds from `since` to the first output that completes `wanted`; None if it settles before."""
        found, seen = None, b""
        while select.select([self.file], [], [], SILENCE if found is not None else 10 if wanted else PATIENCE)[0]:
            seen += os.read(self.file, 1 << 16)
            if found is None and wanted in seen:
                found = time.perf_counter() - since
        return found

    def press(self, key: str) -> float | None:
        began = time.perf_counter()
        os.write(self.file, key.encode())
        return self.painted(began)

    def run_the_first_claim(self) -> None:
        """Have the interface run it, and wait until its workers are at it."""
        for key in ("r", "\r"):
            self.press(key)
        end = time.monotonic() + STARTED
        while time.monotonic() < end:
            self.painted(time.perf_counter())

    def close(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.file)


def startup(state: Path) -> list[float]:
    """Seconds from starting Python to the first screen, with the shipped claims and the shipped results."""
    times = []
    for _ in range(5):
        terminal = Terminal(state=state)
        times.append(terminal.painted(terminal.began, b"savarese2019") or float("nan"))
        terminal.close()
    return times


def latencies(folder: Path, ledger: Path, *, running: bool = False) -> dict[str, list[float]]:
    """Seconds from each key to the first paint, among a thousand claims; keys that change nothing are left out.

    running  while two workers run the checks of the first claim, which never end
    """
    terminal = Terminal("--claims", str(folder), "--ledger", str(ledger), state=folder)
    terminal.painted(terminal.began, b"Theorem")
    terminal.press("\x1b")
    if running:
        terminal.run_the_first_claim()
    found: dict[str, list[float]] = {}
    for what, keys in KEYS.items():
        pressed = [terminal.press(key) for _, key in zip(range(ROUNDS), itertools.cycle(keys), strict=False)]
        found[what] = [seconds for seconds in pressed if seconds is not None]
    terminal.close()
    return found


def report() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "claims"
        folder.mkdir()
        (folder / "squares.py").write_text(CLAIMS)
        ledger = Path(name) / "ledger.sqlite"
        begun = startup(Path(name))
        rows = [["first screen, Python included", duration(statistics.median(begun)), duration(max(begun))]]
        quiet = latencies(folder, ledger)
        busy = latencies(folder, ledger, running=True)
        for note, found in (("", quiet), (", two workers running", busy)):
            for what, times in found.items():
                if times:
                    rows.append([what + note, duration(statistics.median(times)), duration(max(times))])
    says = "In a pseudo terminal of 120×40, with 1000 claims: from a key to the first bytes of the screen after it.\n\n"
    return f"## Terminal interface\n\n{says}{table(['what', 'median', 'slowest'], rows)}\n"
