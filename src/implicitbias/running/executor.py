"""Worker processes whose work can be ended: a `concurrent.futures.Executor` with time limits that hold.

`WorkerPool` differs from `ProcessPoolExecutor` as untested mathematics requires: a job past its limit is killed,
whatever it is doing (the limit counts from the job's start, not its submission); a worker that dies takes down no other
job, and its own is tried once more; `stop` ends everything at once; no worker outlives the parent, even one killed with
-9.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from implicitbias.running.limited import LimitedExecutor
from implicitbias.running.slot import Job, OutOfTimeError, Slot, StoppedError, WorkerDiedError

__all__ = ["OutOfTimeError", "StoppedError", "WorkerDiedError", "WorkerPool", "processors"]

P = ParamSpec("P")
T = TypeVar("T")


def processors() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool(LimitedExecutor):
    """`workers` processes, one numerical thread each.

    Functions travel by name, arguments and results by pickle (in memory). Use it as a context manager, or call
    `shutdown` (waits for the jobs) or `stop` (ends them). `niceness`: how much the processes give way to others, from 0
    to 19 (where the system knows this).
    """

    def __init__(self, workers: int | None = None, *, niceness: int = 0) -> None:
        self.workers = processors() if workers is None else workers
        self._niceness = niceness
        if self.workers < 1:
            raise ValueError(f"a pool needs at least one worker: got {workers}")
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._slots: list[Slot] = []
        self._lock = threading.Lock()
        self._closed = False
        # The slots' threads know the queue and not the pool, so a pool without references can end.
        self._finalizer = weakref.finalize(self, _abandon, self._slots)

    def submit_within(self, limit: float | None, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a job that may take `limit` seconds from its start; past that its future raises OutOfTimeError."""
        payload = pickle.dumps((fn, args, kwargs))
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is shut down and takes no more jobs")
            if len(self._slots) < self.workers:
                self._slots.append(Slot(self._jobs, self._niceness))
            self._jobs.put(Job(future, payload, limit))
        return future

    def worker_ids(self) -> tuple[int, ...]:
        """The process ids of the living workers."""
        return tuple(pid for slot in self._slots if (pid := slot.pid) is not None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            if cancel_futures:
                self._cancel_waiting()
            if not self._closed:
                self._closed = True
                for slot in self._slots:
                    slot.leave()
        if wait:
            for slot in self._slots:
                slot.thread.join()

    def stop(self) -> None:
        """End everything at once: waiting jobs are cancelled, running ones killed (their futures: StoppedError)."""
        with self._lock:
            self._closed = True
            self._cancel_waiting()  # before a slot whose job ends takes the next one
            for slot in self._slots:
                slot.stop()
            for slot in self._slots:
                slot.leave()
        for slot in self._slots:
            slot.thread.join()

    def _cancel_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is not None and job.future.cancel():
                    job.future.set_running_or_notify_cancel()


def _abandon(slots: list[Slot]) -> None:
    for slot in slots:
        slot.stop()
        slot.leave()
