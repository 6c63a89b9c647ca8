"""In a real terminal: start, walk, run, try, quit; the exit code, and the terminal as it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.playing import FOLDER

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed: no real terminal to use")

COMMAND = f"{sys.executable} -m implicitbias"
PATIENCE = 30.0


class Terminal:
    """A shell in a tmux of its own."""

    def __init__(self, folder: Path, columns: int = 100, rows: int = 30) -> None:
        self.name = f"implicitbias-{uuid.uuid4().hex[:8]}"
        environment = {k: v for k, v in os.environ.items() if k not in ("TMUX", "TERM", "NO_COLOR", "COLUMNS", "LINES")}
        environment |= {"TERM": "xterm-256color", "XDG_STATE_HOME": str(folder), "PS1": "$ "}
        size = ["-x", str(columns), "-y", str(rows)]
        subprocess.run(
            ["tmux", "-L", self.name, "-f", "/dev/null", "new-session", "-d", *size, "sh"],
            check=True,
            env=environment,
            cwd=folder,
        )

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-L", self.name, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", key)
            # Escape and a key right after it are one key to any terminal; after others a busy machine needs a moment
            # until what they open has the focus.
            time.sleep(0.4 if key in ("Escape", "/", "t", "Enter") else 0.1)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def until(self, text: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.screen()
            if text in shown:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{text!r} did not appear in:\n{self.screen()}")

    def children(self) -> list[int]:
        """The process of the application, started by the shell."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", shell], capture_output=True, text=True, check=False)
        return [int(pid) for pid in found.stdout.split()]

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.name, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    try:
        opened.type("echo as it was before")
        opened.until("as it was before")
        yield opened
    finally:
        opened.close()


def restored(terminal: Terminal, code: int) -> str:
    """The shell is back with this exit code, its screen as it was, and it still echoes what is typed."""
    shown = terminal.until(f"ended with {code}.")
    assert "as it was before" in shown
    assert "Traceback" not in shown
    terminal.type("echo still here")
    assert terminal.until("\nstill here")
    return shown


def start(terminal: Terminal, options: str, command: str = "tui") -> None:
    terminal.type(f"{COMMAND} {command} {options}; echo ended with $?.")


def test_start_walk_run_try_and_quit(terminal: Terminal, ledger: Path) -> None:
    start(terminal, f"--claims {FOLDER} --ledger {ledger} --workers 1")
    terminal.until("train a network on points of your own")
    terminal.press("Escape")
    terminal.until("✎  Thm. 2  The area, as printed")
    terminal.press("j", "j")
    terminal.until("Theorem 3 · An area with a slip")
    terminal.press("/")
    terminal.press(*"slowly", "Enter")
    terminal.until("1 claim")
    terminal.press("R")
    terminal.until("✓  Thm. 6  The area, measured")
    terminal.press("t")
    terminal.until("try  x²")
    # Textual runs what a key is bound to after it has gone up to the application, and what is typed at once: on a busy
    # machine the next key would overtake this one.
    terminal.press("End", "BSpace")
    terminal.until("try  x\n")
    terminal.press("^", "3")
    terminal.until("try  x^3\n")
    terminal.until("it says   27")
    terminal.press("Escape", "q")
    restored(terminal, 0)


def test_the_bare_command_opens_it_too_and_control_c_leaves_it(terminal: Terminal, ledger: Path) -> None:
    terminal.type(f"export IMPLICITBIAS_LEDGER={ledger}")
    start(terminal, "", command="")
    terminal.until("savarese2019")
    terminal.until("q Quit")
    terminal.press("C-c")
    restored(terminal, 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_in_order_during_a_run(
    terminal: Terminal, ledger: Path, tmp_path: Path, number: signal.Signals
) -> None:
    terminal.type("export SHOWN_SECONDS=60")
    start(terminal, f"--claims {FOLDER} --ledger {ledger} --workers 1")
    terminal.until("train a network on points of your own")
    terminal.press("/")
    terminal.until("Thm. 6")
    terminal.press(*"slowly", "Enter", "R")
    terminal.until("theorem_6 · slowly")
    [process] = terminal.children()
    workers = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    os.kill(process, number)
    restored(terminal, 128 + number)
    for pid in workers.stdout.split():
        assert not Path(f"/proc/{pid}").exists(), "a worker outlived the application"


def test_broken_claims_and_dumb_terminals_are_refused_in_a_sentence(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "slip.py").write_text("ONE = (")
    start(terminal, "--claims broken")
    terminal.until("slip.py: line 1: syntax error")
    restored(terminal, 2)
    terminal.type("clear; echo as it was before; export TERM=dumb")
    start(terminal, f"--claims {FOLDER}")
    terminal.until("cannot draw on a terminal of the kind TERM='dumb'")
    restored(terminal, 2)
