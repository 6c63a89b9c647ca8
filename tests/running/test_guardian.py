"""The guardian of a worker process goes as the worker went, whenever it is told to go."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from implicitbias.running.descendants import SUPPORTED

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="there are guardians on Linux alone")

PROGRAM = """
import os, signal, sys
from implicitbias.running.guardian import guarded
{before}
guarded()
print(os.getpid(), flush=True)
{ending}
"""
TOLD_TO_GO = """
def told_to_go(wait):
    def waited(*arguments):
        found = wait(*arguments)
        os.kill(os.getpid(), signal.SIGTERM)
        return found
    return waited
os.wait, os.waitid = told_to_go(os.wait), told_to_go(os.waitid)
"""
"""A signal that comes just when the worker has ended."""


def has_ended(pid: int) -> bool:
    """Whether the process is gone, or waits to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def started(before: str, ending: str) -> tuple[subprocess.Popen[bytes], int]:
    """A guardian, and the process id of its worker."""
    program = PROGRAM.format(before=before, ending=ending)
    guardian = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert guardian.stdout is not None
    return guardian, int(guardian.stdout.readline())


@pytest.mark.parametrize("before", ["", TOLD_TO_GO], ids=["in peace", "told to go"])
@pytest.mark.parametrize(("ending", "code"), [("os.abort()", -signal.SIGABRT), ("os._exit(7)", 7), ("os._exit(0)", 0)])
def test_the_guardian_goes_as_the_worker_went(before: str, ending: str, code: int) -> None:
    guardian, worker = started(before, ending)
    with guardian:
        assert guardian.wait(60) == code
        assert has_ended(worker)


def test_a_worker_that_lives_is_ended_with_its_guardian() -> None:
    guardian, worker = started("", "import time; time.sleep(600)")
    with guardian:
        while Path(f"/proc/{guardian.pid}/stat").read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.01)  # a signal between its last look at signals and its wait is seen only when the worker ends
        guardian.terminate()
        assert guardian.wait(60) == -signal.SIGKILL
        assert has_ended(worker)
