"""The guardian of a worker process goes as the worker went, whenever it is told to go."""

from __future__ import annotations

import signal
import subprocess
import sys
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
def waitid(*arguments, wait=os.waitid):
    found = wait(*arguments)
    if found:
        os.kill(os.getpid(), signal.SIGTERM)
    return found
os.waitid = waitid
"""
"""A signal that comes just when the worker has ended."""
TOLD_BEFORE_IT_WAITS = """
def sigwait(signals, wait=signal.sigwait):
    os.kill(os.getpid(), signal.SIGTERM)
    return wait(signals)
signal.sigwait = sigwait
"""


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
        guardian.terminate()
        assert guardian.wait(60) == -signal.SIGKILL
        assert has_ended(worker)


def test_a_signal_just_before_the_guardian_waits_is_not_lost() -> None:
    program = PROGRAM.format(before=TOLD_BEFORE_IT_WAITS, ending="import time; time.sleep(600)")
    ended = subprocess.run(
        [sys.executable, "-c", program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60
    )
    assert ended.returncode == -signal.SIGKILL  # and nobody holds the pipe any more
