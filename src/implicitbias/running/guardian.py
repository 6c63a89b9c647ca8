"""The guardian of a worker process: its parent, which outlives it just long enough to end all that it has started.

    pool ── guardian ── worker ── what a job starts, in whatever session

The guardian is a subreaper: what a job has started and orphaned becomes its child. However the worker ends (its own
doing included), and however the pool does (the kernel tells the guardian), nothing of a job survives. It ends as the
worker did, so the pool sees the same exit code or signal. It is a fork before anything is loaded and costs a megabyte
and a millisecond.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from implicitbias.running.descendants import (
    PATIENCE,
    SUPPORTED,
    collect_children,
    descendants,
    die_with_the_parent,
    end_descendants,
    inherit_orphans,
)

AWAITED = (signal.SIGCHLD, signal.SIGTERM)
"""Blocked in the guardian: what comes between two looks stays pending until it is waited for, and none is lost."""


def guarded() -> None:
    """Return in a worker whose parent is its guardian; the process that calls becomes the guardian and never returns.

    Where orphans cannot be inherited, there is no guardian, and the caller is the worker.
    """
    if not SUPPORTED:
        return
    inherit_orphans()
    pool = os.getppid()
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)  # before the fork: none may end the guardian alone
    worker = os.fork()
    if worker:
        _guard(worker, pool)
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    die_with_the_parent(signal.SIGKILL)
    os.setpgid(0, 0)  # a job that kills its own group does not kill the guardian
    if os.getppid() == pool:  # the guardian was killed before the kernel knew whom to tell
        os._exit(0)


def end_children_of_the_job() -> None:
    """In a worker, when a job is over: end what it has started and left running, orphans included."""
    if not SUPPORTED:
        return
    own, guardian = os.getpid(), os.getppid()
    end = time.monotonic() + PATIENCE
    while (_has_children(own) or _has_children(guardian, besides=own)) and time.monotonic() < end:
        end_descendants(guardian, spare=(own,))
        collect_children()  # the guardian collects its own
        time.sleep(0.001)


def _guard(worker: int, pool: int) -> None:
    """Wait for the worker, or the end of the pool; then end everything, and go as the worker went."""
    try:
        die_with_the_parent(signal.SIGTERM)
        if os.getppid() == pool:
            _close_all()
            _wait_for(worker)
    finally:
        os.kill(worker, signal.SIGKILL)  # one that has ended is not collected yet, and ends as it did
        status = os.waitpid(worker, 0)[1]
        end_descendants(os.getpid())
        _go(status)


def _wait_for(worker: int) -> None:
    """Wait until the worker has ended, or until told to go."""
    while not _has_ended(worker):
        if signal.sigwait(AWAITED) == signal.SIGTERM:
            return


def _has_ended(worker: int) -> bool:
    """Whether the worker has ended, which is left to be collected; orphans that have are collected."""
    while found := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        if found.si_pid == worker:
            return True
        os.waitpid(found.si_pid, 0)
    return False


def _close_all() -> None:
    """The pipes are the worker's: as long as anyone else held them, the pool could not see that it is gone."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _go(status: int) -> None:
    if os.WIFSIGNALED(status):
        import resource

        number = os.WTERMSIG(status)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the worker has left a core, if one was wanted
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (number,))
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def _has_children(process: int, besides: int = 0) -> bool:
    """Whether the process has children, zombies included; those that live, if the kernel keeps no list of children."""
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                if any(int(child) != besides for child in file.read().split()):
                    return True
    except OSError:
        return bool(descendants(process, spare=(besides,)))
    return False
