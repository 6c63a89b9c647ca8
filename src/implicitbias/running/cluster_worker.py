"""What runs on a Dask worker: one job in a process of its own, answered with what it was computed with."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from implicitbias.running.executor import WorkerPool
from implicitbias.running.identity import Identity, identity

IDLE = 600.0
"""Seconds after which the processes of a client that asks nothing any more are ended, when another one comes."""


@dataclass(frozen=True)
class Answer:
    """The value of a job, or the error that it ended with; the worker's address; what the job was computed with."""

    address: str
    identities: tuple[Identity, ...]
    value: Any = None
    error: Exception | None = None


@dataclass
class _Processes:
    """The processes of one client on this worker."""

    pool: WorkerPool
    jobs: int = 0
    used: float = 0.0


_clients: dict[str, _Processes] = {}
_lock = threading.Lock()


def who() -> Identity:
    """What this worker would compute with."""
    return identity(None, installed=True)


def run(
    client: str,
    limit: float | None,
    folder: str | None,
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Answer:
    """One job of a client, in a process of its own."""
    from distributed import get_worker

    address = get_worker().address
    own = identity(folder, modules=(), installed=True)
    processes = _of(client)
    try:
        value, *others = processes.pool.submit_within(limit, identified, folder, fn, args, kwargs).result()
        return Answer(address, (own, *others), value)
    except Exception as error:
        return Answer(address, (own, identity(folder, modules=(), installed=True)), error=error)
    finally:
        with _lock:
            processes.jobs -= 1
            processes.used = time.monotonic()


def identified(
    folder: str | None, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, Identity, Identity]:
    """What the function returns, and what this process computed with when it began and when it was done."""
    before = identity(folder)
    value = fn(*args, **kwargs)
    return value, before, identity(folder)


def prepare(folder: str | None, fn: Callable[..., Any], args: tuple[Any, ...], _kwargs: Mapping[str, Any]) -> None:
    """What the module of the function that is `identified` does before its jobs (`implicitbias.running.process`).

    What the process computes with is looked up here too: its sources are those of when it loaded them, and what is
    installed is listed once and not by every copy.
    """
    identity(folder)
    prepare_it = getattr(sys.modules[fn.__module__], "prepare", None)
    if prepare_it is not None:
        prepare_it(*args)


def stop(client: str) -> None:
    """End what runs for this client."""
    with _lock:
        processes = _clients.pop(client, None)
    if processes:
        processes.pool.stop()


def _of(client: str) -> _Processes:
    """The processes of a client, with one more job."""
    from distributed import get_worker

    with _lock:
        now = time.monotonic()
        idle = [name for name, known in _clients.items() if not known.jobs and now - known.used > IDLE]
        ended = [_clients.pop(name) for name in idle if name != client]
        if client not in _clients:
            _clients[client] = _Processes(WorkerPool(get_worker().state.nthreads))
        _clients[client].jobs += 1
        found = _clients[client]
    for processes in ended:
        processes.pool.stop()
    return found
