"""The jobs of a run on a Dask cluster: the same names and parameters; the ledger stays with the client.

On each Dask worker the jobs run in processes of their own (a `WorkerPool`), so that time limits hold there too and a
job that dies takes nothing else down. When a Dask worker is lost, its jobs are run again on another one; results that
have arrived are kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from implicitbias.errors import UserError
from implicitbias.running.executor import WorkerPool, processors
from implicitbias.running.limited import LimitedExecutor
from implicitbias.running.slot import WorkerDiedError

P = ParamSpec("P")
T = TypeVar("T")

PARTS = ("implicitbias", "implicitbias.theory")
"""The packages whose sources must be the same everywhere."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer, and for a cluster to end."""

LOSSES = 10
"""Number of workers of a local cluster that may be lost with one job before the job is taken to be the cause."""


class ClusterPool(LimitedExecutor):
    """A Dask cluster as an executor: the one at `scheduler`, or `workers` processes on this machine.

    Raises UserError if Dask is not installed, the scheduler does not answer, it has no workers, or they have another
    version of implicitbias.
    """

    def __init__(self, scheduler: str | None = None, workers: int | None = None) -> None:
        distributed = _distributed()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._cluster: Any = None
        if scheduler is None:
            self._cluster = distributed.LocalCluster(
                n_workers=workers or processors(), threads_per_worker=1, dashboard_address=None, silence_logs=50
            )
        try:
            self._client = distributed.Client(self._cluster or scheduler, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise UserError(
                f"no Dask scheduler answers at {scheduler} ({error}). Start one with `dask scheduler`, or leave"
                " --scheduler out for a cluster on this machine"
            ) from None
        try:
            self.workers = self._look()
        except UserError:
            self.stop()
            raise

    def submit_within(self, limit: float | None, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a job that may take `limit` seconds from its start; past that its future raises OutOfTimeError."""
        ours: Future[T] = Future()
        theirs = self._client.submit(_run, limit, fn, args, kwargs, pure=False)
        theirs.add_done_callback(lambda done: _hand_over(done, ours))
        ours.add_done_callback(lambda own: theirs.cancel() if own.cancelled() else None)
        return ours

    def stop(self) -> None:
        with contextlib.suppress(Exception):  # a cluster that has gone needs no stopping
            self._client.run(_stop, wait=False)
        with contextlib.suppress(Exception):
            self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=PATIENCE)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.stop()

    def _look(self) -> int:
        """The number of jobs that run at a time. Raises UserError if the workers' results would not be comparable."""
        threads: dict[str, int] = self._client.nthreads()
        if not threads:
            raise UserError("the Dask cluster has no workers: start some with `dask worker ADDRESS`")
        own = signature()
        for address, theirs in self._client.run(signature, on_error="return").items():
            if theirs != own:
                raise UserError(
                    f"the worker {address} has another version of implicitbias than this machine, or none: results"
                    " would not be comparable. Install the same version there"
                )
        return sum(threads.values())


@lru_cache(maxsize=1)
def signature() -> str:
    """A digest of the sources that compute: equal on machines that give equal results, however they were installed."""
    digest = hashlib.sha256()
    for part in PARTS:
        found = importlib.util.find_spec(part)
        for place in (found.submodule_search_locations or ()) if found else ():
            for file in sorted(Path(place).rglob("*.py")):
                name = file.relative_to(place).as_posix()
                if part != PARTS[0] or not name.startswith(("theory/", "tui/")):
                    digest.update(f"{part}/{name}".encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _distributed() -> Any:
    try:
        import dask
        import distributed
    except ImportError:
        raise UserError("--executor dask needs Dask: pip install 'implicitbias[cluster]'") from None
    dask.config.set({"distributed.scheduler.allowed-failures": LOSSES})
    return distributed


def _hand_over(theirs: Any, ours: Future[Any]) -> None:
    """Pass the outcome of Dask's future on to ours."""
    if theirs.cancelled() or not ours.set_running_or_notify_cancel():
        ours.cancel()
        return
    error = theirs.exception()
    if error is None:
        ours.set_result(theirs.result())
    elif type(error).__name__ == "KilledWorker":
        ours.set_exception(WorkerDiedError("worker after worker of the cluster was lost with this job"))
    else:
        ours.set_exception(error)


def _run(limit: float | None, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """On a Dask worker: one job in a process of its own."""
    return _pool().submit_within(limit, fn, *args, **kwargs).result()


def _stop() -> None:
    """On a Dask worker: end what runs."""
    if _pool.cache_info().currsize:
        _pool().stop()
        _pool.cache_clear()


@lru_cache(maxsize=1)
def _pool() -> WorkerPool:
    from distributed import get_worker

    return WorkerPool(get_worker().state.nthreads)
