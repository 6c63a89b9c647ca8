"""Everything below a process is found and ended, and what a process ends of its own it also collects."""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import os, signal, sys, time
    from implicitbias.running.descendants import descendants, end_descendants, inherit_orphans
    inherit_orphans()
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            for _ in range(2): os.fork()
            time.sleep(60)
            os._exit(0)
    for _ in range(5):
        if os.fork() == 0: os._exit(0)
    while len(descendants(os.getpid())) < 12: time.sleep(0.01)
    end_descendants(os.getpid())
    print(len(descendants(os.getpid())), len(open(f"/proc/self/task/{os.getpid()}/children").read().split()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody inherits orphans")
def test_descendants_in_other_sessions_are_ended_and_collected() -> None:
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, timeout=60, check=True
    )
    assert told.stdout.split() == ["0", "0"]
