"""The processes that descend from a process, and their end.

A process group or a session is left by one call (`setsid`), and a process whose parent has ended belongs to no one. On
Linux neither is a way out: a *subreaper* inherits the orphans among its descendants, so all that was ever started below
it stays below it, and `/proc` says who is whose child. Elsewhere there is no such list, and it is empty.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterable

SUPPORTED = sys.platform == "linux"
"""Whether descendants can be found, and orphans inherited."""

PATIENCE = 30.0
"""Seconds in which all descendants must be stopped: milliseconds, unless they multiply as fast as they are stopped."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


def inherit_orphans() -> None:
    """Make this process the parent of every descendant whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_the_parent(number: int) -> None:
    """Have the kernel send this process a signal when its parent ends, even inside a C call that never returns."""
    _prctl(_PR_SET_PDEATHSIG, number)


def descendants(process: int, spare: Collection[int] = ()) -> tuple[int, ...]:
    """The living processes below `process`, without those to `spare` (what is below these is counted)."""
    children: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
    for pid in _processes():
        if (status := _status(pid)) is not None:
            state, parent = status
            children[parent].append((pid, state not in "ZX"))
    found, todo = [], [process]
    while todo:
        for pid, alive in children.pop(todo.pop(), ()):
            todo.append(pid)
            if alive and pid not in spare:
                found.append(pid)
    return tuple(found)


def end_descendants(process: int, spare: Collection[int] = ()) -> None:
    """Kill all that is below `process`, without those to `spare`.

    They are stopped first, until no new one is found: whoever is killed while a sibling still runs could be replaced.
    One that has gone on as its own child while `/proc` was read is in no list: a process that ends its own descendants
    (and inherits orphans) asks the kernel whether any is left, and collects them.
    """
    own = process == os.getpid()
    stopped: set[int] = set()
    end = time.monotonic() + PATIENCE
    while (running := set(descendants(process, spare)) - stopped) and time.monotonic() < end:
        _signal(running, signal.SIGSTOP)
        stopped |= running
        if own:
            collect_children()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        left = descendants(process, spare)
        _signal(left, signal.SIGKILL)
        if not (collect_children() if own else left):
            return
        time.sleep(0.001)


def collect_children() -> bool:
    """Collect the children of this process that have ended; whether it has others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()] if SUPPORTED else []


def _status(pid: int) -> tuple[str, int] | None:
    """The state of a process, and its parent; None if it has gone. Its name, in brackets, may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return state.decode(), int(parent)


def _signal(processes: Iterable[int], number: int) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _prctl(option: int, value: int) -> None:
    if SUPPORTED:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
