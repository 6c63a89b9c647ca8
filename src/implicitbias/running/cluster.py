"""The jobs of a run on a Dask cluster: the same names and parameters; the ledger stays with the client.

On each Dask worker the jobs run in processes of their own (a `WorkerPool`), so that time limits hold there too and a
job that dies takes nothing else down. When a Dask worker is lost, its jobs are run again on another one; results that
have arrived are kept. Each answer comes with what it was computed with (`implicitbias.running.identity`): one that was
made from other things than are here is refused, and its job goes to other workers. When the scheduler has gone, all
that waits for it ends with `LostError`.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from implicitbias.errors import ClusterError, brought_by_extra
from implicitbias.running import cluster_worker, worker
from implicitbias.running.cluster_worker import Answer
from implicitbias.running.executor import processors
from implicitbias.running.identity import differences
from implicitbias.running.limited import LimitedExecutor, LostError
from implicitbias.running.slot import StoppedError, WorkerDiedError

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer, and for a cluster to end."""

SILENCE = 15.0
"""Seconds without an answer after which a scheduler is taken to have gone."""

EMPTY = 60.0
"""Seconds without any worker, or any that can be used, after which a cluster is taken to have none."""

LOOK = 1.0
"""Seconds between looks at the cluster."""

LOSSES = 10
"""Number of workers of a local cluster that may be lost with one job before the job is taken to be the cause."""

REFUSALS = 5
"""Number of answers to one job that may be refused before the run ends."""


@dataclass
class _Job:
    """A job that is under way. `allowed`: the workers that it may go to, if not all."""

    future: Future[Any]
    arguments: tuple[Any, ...]
    folder: str | None
    theirs: Any = None
    allowed: frozenset[str] | None = None
    refused: int = 0
    stopped: int = 0
    since: float = field(default_factory=time.monotonic)


class ClusterPool(LimitedExecutor):
    """A Dask cluster as an executor: the one at `scheduler`, or `workers` processes on this machine.

    Raises ClusterError if the scheduler does not answer, it has no workers, or they compute with other sources or
    versions than this machine; MissingExtraError if Dask is not installed.
    """

    def __init__(self, scheduler: str | None = None, workers: int | None = None) -> None:
        distributed = _distributed()
        self._token = uuid.uuid4().hex
        self._lock = threading.RLock()
        self._jobs: dict[int, _Job] = {}
        self._refused: dict[str, str] = {}
        """Why nothing of these workers is accepted."""
        self._living: frozenset[str] = frozenset()
        self._lost = ""
        self._over = threading.Event()
        self._cluster: Any = None
        if scheduler is None:
            self._cluster = started(
                lambda: distributed.LocalCluster(
                    n_workers=workers or processors(), threads_per_worker=1, dashboard_address=None, silence_logs=50
                )
            )
        try:
            self._client = started(lambda: distributed.Client(self._cluster or scheduler, timeout=PATIENCE))
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"no Dask scheduler answers at {scheduler} ({error}). Start one with `dask scheduler`, or leave"
                " --scheduler out for a cluster on this machine"
            ) from None
        try:
            self.workers = self._look()
        except BaseException:
            self.stop()
            raise
        self._watch = threading.Thread(target=self._watching, name="implicitbias cluster", daemon=True)
        self._watch.start()

    def submit_within(self, limit: float | None, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a job that may take `limit` seconds from its start; past that its future raises OutOfTimeError."""
        ours: Future[T] = Future()
        folder = args[0] if fn in (worker.plan, worker.job, worker.observe) else None
        job = _Job(ours, (self._token, limit, folder, fn, args, kwargs), folder)  # type: ignore[arg-type]
        with self._lock:
            self._jobs[id(job)] = job
        ours.add_done_callback(lambda _: self._done_with(job))
        self._send(job)
        return ours

    def stop(self) -> None:
        self._over.set()
        if not self._lost:
            with contextlib.suppress(Exception):  # a cluster that has gone needs no stopping
                self._client.run(cluster_worker.stop, self._token, wait=False)
        with contextlib.suppress(Exception):
            self._client.close(timeout=1.0 if self._lost else PATIENCE)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=PATIENCE)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.stop()

    def _look(self) -> int:
        """The number of jobs that run at a time. Raises ClusterError if their results would not be comparable."""
        threads: dict[str, int] = self._client.nthreads()
        if not threads:
            raise ClusterError("the Dask cluster has no workers: start some with `dask worker ADDRESS`")
        for address, theirs in self._client.run(cluster_worker.who, on_error="return").items():
            if found := _why_not(None, theirs):
                raise ClusterError(_other(address, found))
        self._living = frozenset(threads)
        return sum(threads.values())

    def _send(self, job: _Job) -> None:
        """Give a job to the cluster: to any worker, or once some are refused to the others."""
        with self._lock:
            if self._lost:
                _fail(job.future, LostError(self._lost))
                return
            job.allowed, job.theirs = None, None
            if self._refused:
                job.allowed = self._living - self._refused.keys()
                if not job.allowed:
                    job.since = time.monotonic()
                    return  # until there are others: see `_strand`
            allowed = sorted(job.allowed) if job.allowed else None
            try:
                job.theirs = theirs = self._client.submit(
                    cluster_worker.run, *job.arguments, pure=False, workers=allowed
                )
            except Exception as error:
                self._lose(f"the Dask scheduler has gone ({error})")
                return
        theirs.add_done_callback(lambda done: self._arrived(job, done))

    def _done_with(self, job: _Job) -> None:
        with self._lock:
            self._jobs.pop(id(job), None)
        if job.future.cancelled() and job.theirs is not None:
            with contextlib.suppress(Exception):
                job.theirs.cancel()

    def _arrived(self, job: _Job, theirs: Any) -> None:
        """Pass the outcome of Dask's future on to ours, unless it was made from other things than are here."""
        if job.future.done() or theirs is not job.theirs:
            return
        try:
            if theirs.cancelled():
                self._lose("the Dask scheduler has gone: the connection was lost, or it was started anew")
                return
            error = theirs.exception()
            if type(error).__name__ == "KilledWorker":
                _fail(job.future, WorkerDiedError("worker after worker of the cluster was lost with this job"))
                return
            answer = error if error is not None else theirs.result()
        except Exception as problem:
            answer = problem
        address = answer.address if isinstance(answer, Answer) else None
        if why := _why_not(job.folder, answer.identities if isinstance(answer, Answer) else answer):
            self._refuse(job, address, why)
        elif isinstance(answer.error, StoppedError) and job.stopped < REFUSALS:
            job.stopped += 1  # someone has stopped the processes of that worker, and it was not this client
            self._send(job)
        elif answer.error is not None:
            _fail(job.future, answer.error)
        elif job.future.set_running_or_notify_cancel():
            job.future.set_result(answer.value)

    def _refuse(self, job: _Job, address: str | None, why: str) -> None:
        """Run a job again elsewhere. What that worker has answered before came from what is here, or was refused."""
        with self._lock:
            if address:
                self._refused[address] = why
            job.refused += 1
        if job.refused >= REFUSALS:
            _fail(job.future, ClusterError(_other(address or "that answered", why)))
        else:
            self._send(job)

    def _watching(self) -> None:
        """Look at the cluster until it ends, or this pool does."""
        answered = populated = time.monotonic()
        while not self._over.wait(LOOK):
            now = time.monotonic()
            try:
                if self._client.status in ("closing", "closed"):
                    raise OSError("the connection is closed")
                threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=SILENCE / 2)
            except Exception as error:
                if now - answered > SILENCE / 2 or self._client.status in ("closing", "closed"):
                    self._lose(f"the Dask scheduler has not answered for {time.monotonic() - answered:.0f} s ({error})")
                    return
                continue
            answered = time.monotonic()
            with self._lock:
                self._living = frozenset(threads)
            if threads:
                populated = answered
            if answered - populated > EMPTY:
                self._lose(f"the Dask cluster has had no workers for {EMPTY:g} s")
                return
            self._strand(answered)

    def _strand(self, now: float) -> None:
        """Send jobs again whose workers have gone, and those that wait for a worker that is not refused."""
        with self._lock:
            allowed = self._living - self._refused.keys()
            waiting = [job for job in self._jobs.values() if job.theirs is None]
            stranded = [job for job in self._jobs.values() if job.theirs and job.allowed and not job.allowed & allowed]
            why = next(iter(self._refused.items()), ("", ""))
        for job in stranded:
            theirs, job.theirs = job.theirs, None
            with contextlib.suppress(Exception):
                theirs.cancel()
        for job in (*waiting, *stranded):
            if allowed:
                self._send(job)
            elif now - job.since > EMPTY and job in waiting:
                _fail(job.future, ClusterError(_other(*why)))

    def _lose(self, reason: str) -> None:
        """End all that waits: the cluster has gone."""
        with self._lock:
            if self._lost or self._over.is_set():
                return
            self._lost = reason
            jobs = list(self._jobs.values())
        for job in jobs:
            _fail(job.future, LostError(reason))


def started(start: Callable[[], T]) -> T:
    """What `start` returns.

    Dask gives the thread of its event loop ten seconds to begin, and then fails by an assertion. A machine that stood
    still for so long is asked once more.
    """
    with contextlib.suppress(AssertionError):
        return start()
    return start()


def _fail(future: Future[Any], error: BaseException) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
        future.set_exception(error)


def _why_not(folder: str | None, said: object) -> str:
    """Why what comes with these identities, or instead of them, cannot be taken for what would be computed here."""
    if isinstance(said, BaseException):
        return f"it cannot run this version of implicitbias ({type(said).__name__}: {said})"
    identities = said if isinstance(said, tuple) else (said,)
    if not identities or not all(isinstance(i, Mapping) for i in identities):
        return "it does not say what it computes with"
    found = dict.fromkeys(word for i in identities for word in differences(folder, i))
    return "; ".join(found)


def _other(address: str, why: str) -> str:
    return (
        f"the worker {address} computes with other things than this machine, so its results would not be comparable:"
        f" {why}. Install the same versions there, and give it the same files"
    )


def _distributed() -> Any:
    with brought_by_extra("--executor dask"):
        import dask
        import distributed
    dask.config.set({"distributed.scheduler.allowed-failures": LOSSES})
    for name in list(logging.root.manager.loggerDict):  # each has a level of its own; what went wrong is told by us
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed
