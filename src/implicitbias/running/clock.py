"""The time limit of a job: time in which it waits for a core, because others use them all, does not count.

    counted = max(wall - waited, used)

waited  the longest that one thread of the job has waited for a core
used    processor time of all its threads, and of its children that have ended

So a job that sleeps, or waits for something that never comes, is ended after its limit by any clock, one that starts
many processes after it has used its limit, and one that shares two cores with sixteen others when it has had its share.
Linux tells (`/proc/…/schedstat`); elsewhere everything counts.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from implicitbias.running.descendants import SUPPORTED, descendants

LEAST = 0.02
"""Seconds that are not worth waiting for."""


class Times(NamedTuple):
    """Seconds that a thread was on a core, and that it waited for one."""

    used: float
    waited: float


Known = Mapping[tuple[int, int], Times]
"""Of each thread, by process and thread; under (process, 0) what its children had used that have ended."""


def counted(wall: float, before: Known, now: Known) -> float:
    """The seconds that count, of `wall` seconds that began when the threads had the times `before`.

    >>> counted(10, {}, {(7, 7): Times(used=2, waited=7.5)})
    2.5
    >>> counted(10, {}, {(7, 7): Times(used=8, waited=2), (7, 8): Times(used=8, waited=2)})
    16
    """
    none = Times(0, 0)
    waited = max((times.waited - before.get(thread, none).waited for thread, times in now.items()), default=0)
    used = sum(times.used - before.get(thread, none).used for thread, times in now.items())
    return max(wall - waited, used)


def times_of(process: int) -> dict[tuple[int, int], Times]:
    """The times of a process's threads; empty if it has gone or nothing tells them."""
    found = {}
    with contextlib.suppress(OSError, ValueError, IndexError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{process}/task/{thread}/schedstat") as file:
                used, waited = map(int, file.read().split()[:2])
                found[process, int(thread)] = Times(used / 1e9, waited / 1e9)
        with open(f"/proc/{process}/stat", "rb") as stat:
            of_children = stat.read().rpartition(b")")[2].split()[13:15]
            found[process, 0] = Times(sum(map(int, of_children)) / os.sysconf("SC_CLK_TCK"), 0)
    return found


class Clock(contextlib.AbstractContextManager[None]):
    """Calls `expire` when `limit` seconds count unless the block ends before; `settle` afterwards, in any case.

    top     the process below which the job runs
    worker  the process below it that has done jobs before, whose times until now do not count
    """

    def __init__(
        self,
        limit: float | None,
        expire: Callable[[], None],
        settle: Callable[[], None],
        top: int,
        worker: int | None = None,
    ) -> None:
        self._limit = limit
        self._expire = expire
        self._settle = settle
        self._top = top
        self._worker = worker
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="implicitbias clock", daemon=True)

    def __enter__(self) -> None:
        self._began = time.monotonic()
        self._before = times_of(self._worker) if SUPPORTED and self._worker is not None else {}
        if self._limit is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._limit is not None:
            self._thread.join()
        self._settle()

    def _run(self) -> None:
        assert self._limit is not None
        rest = self._limit
        while rest > LEAST or rest == self._limit:
            if self._over.wait(min(rest, threading.TIMEOUT_MAX)):
                return
            now: dict[tuple[int, int], Times] = {}
            for process in descendants(self._top):
                now |= times_of(process)
            rest = self._limit - counted(time.monotonic() - self._began, self._before, now)
        self._expire()
