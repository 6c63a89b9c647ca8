"""A slot of the pool: one worker process, a pipe to it, a thread that waits for it, and a clock that ends it.

Every process has its own pipe, so a killed one cannot leave a lock held, and waiting for one does not delay the
others.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import IO, Any

from implicitbias.record.environment import environment
from implicitbias.record.used import LOG, Used, from_log
from implicitbias.running.clock import Clock
from implicitbias.running.descendants import SUPPORTED, end_descendants
from implicitbias.running.process import READY, answer, receive, send

ATTEMPTS = 2
"""A worker's death can be an accident (memory, a `kill`); a second death on the same job is caused by the job."""

GOING = 10.0
"""Seconds in which a guardian must have gone: milliseconds, unless what it guarded does not stay the same."""

START_LIMIT = 60.0
"""Seconds in which a worker process must be up, and the claims loaded unless a job's own limit is longer: starting
Python takes a tenth of a second, loading all claims three, under load a few times that."""

# Machine code that numba keeps knows of changes in one file only: what claims keep ends with their worker.
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from implicitbias.running.process import serve; serve()"


class OutOfTimeError(RuntimeError):
    """A job ran past its limit and was ended (no TimeoutError: that is what waiting for a future raises).

    `used`: what it had used until then, if it is a job that says so.
    """

    def __init__(self, limit: float, used: Used | None = None) -> None:
        super().__init__(f"out of time after {limit:g} s")
        self.limit = limit
        self.used = used

    def __reduce__(self) -> tuple[type[OutOfTimeError], tuple[float, Used | None]]:
        return OutOfTimeError, (self.limit, self.used)


class WorkerDiedError(RuntimeError):
    """The worker process died in the job every time it was tried."""


class StoppedError(RuntimeError):
    """The pool was stopped while the job ran."""


@dataclass
class Job:
    future: Future[Any]
    payload: bytes
    limit: float | None


class Slot:
    """One worker process, the thread that waits for it, and the clock of its job.

    niceness  how much the process gives way to others, from 0 to 19
    """

    def __init__(self, jobs: queue.SimpleQueue[Job | None], niceness: int = 0) -> None:
        self._jobs = jobs
        self._niceness = niceness
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._worker: int | None = None
        self._messages: IO[bytes] | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._expired = False
        self._stopped = False
        self.thread = threading.Thread(target=self._work, name="implicitbias worker", daemon=True)
        self.thread.start()

    @property
    def pid(self) -> int | None:
        """The worker's process id (that of `_process` is its guardian's)."""
        process = self._process
        return self._worker if process is not None and process.returncode is None else None

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            self._kill()

    def leave(self) -> None:
        """Let the thread end once it has no job."""
        self._jobs.put(None)

    def _work(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # Inherited by the worker: before it ignores interrupts, one would print a traceback.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        while (job := self._jobs.get()) is not None:
            if job.future.set_running_or_notify_cancel():
                try:
                    result = answer(self._answered(job))
                except BaseException as error:
                    job.future.set_exception(error)
                else:
                    job.future.set_result(result)
                    del result
            del job
        self._end()

    def _answered(self, job: Job) -> bytes:
        for _ in range(ATTEMPTS):
            try:
                return self._asked(job)
            except (EOFError, OSError):
                if self._stopped:
                    raise StoppedError("the run was stopped while this job was running") from None
                death = self._end()
        raise WorkerDiedError(f"{death} ({ATTEMPTS} times)")

    def _asked(self, job: Job) -> bytes:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._start()
        process = self._process
        with contextlib.suppress(OSError):
            os.remove(self._log())
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        send(process.stdin, job.payload)  # type: ignore[arg-type]
        self._received(process.stdout, None if job.limit is None else max(job.limit, START_LIMIT))
        return self._received(process.stdout, job.limit)

    def _received(self, stream: IO[bytes], limit: float | None) -> bytes:
        """The next message of the worker: that it is prepared for the job, or the answer."""
        assert self._process is not None
        with Clock(limit, self._expire, self._settle, self._process.pid, self._worker):
            try:
                return receive(stream)  # type: ignore[arg-type]
            except (EOFError, OSError):
                if self._expired and limit is not None:
                    raise OutOfTimeError(limit, self._used()) from None
                raise

    def _log(self) -> str:
        return os.path.join(self._scratch.name if self._scratch is not None else "", LOG)

    def _used(self) -> Used | None:
        """What the job that was ended had used until then."""
        with contextlib.suppress(OSError, ValueError), open(self._log(), encoding="utf-8") as log:
            return from_log(log.read())
        return None

    def _expire(self) -> None:
        with self._lock:
            self._expired = True
            self._kill()

    def _settle(self) -> None:
        """After the clock has been stopped: reap a process that it has killed, perhaps just after the answer."""
        with self._lock:
            expired, self._expired = self._expired, False
        if expired:
            self._end()

    def _start(self) -> None:
        messages = tempfile.TemporaryFile()  # noqa: SIM115  (closed when the process has ended)
        scratch = tempfile.TemporaryDirectory(prefix="implicitbias-", ignore_cleanup_errors=True)
        with self._lock:
            if self._stopped:
                raise EOFError
            self._messages, self._scratch = messages, scratch
            self._process = process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                env={**environment(), "NUMBA_CACHE_DIR": scratch.name},
                process_group=0 if os.name == "posix" else None,  # so that its children can be ended with it
            )
        assert process.stdout is not None
        with Clock(START_LIMIT, self._expire, self._settle, process.pid):
            said = receive(process.stdout)  # type: ignore[arg-type]
            if not said.startswith(READY):
                raise EOFError
            self._worker = int(said.removeprefix(READY))
        if self._niceness and hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._worker, self._niceness)  # what it starts has it from there

    def _kill(self) -> None:
        """Kill the process and whatever it has started; the lock is held."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        if SUPPORTED:
            end_descendants(process.pid)
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GOING)  # the guardian ends as the worker did
                return
            process.kill()
        elif os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()

    def _end(self) -> str:
        """End and reap the process; return how it ended, in words."""
        process, messages = self._process, self._messages
        if process is None or messages is None:
            return "the worker process could not be started"
        with self._lock:
            self._kill()  # does not change how a process ends that is ending already
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # closing flushes to a dead process
                pipe.close()  # type: ignore[union-attr]
        scratch, self._process, self._messages, self._scratch = self._scratch, None, None, None
        self._worker = None
        if scratch is not None:
            scratch.cleanup()
        with messages:
            return _death(code, _last_words(messages))


def _death(code: int, last_words: str) -> str:
    if code >= 0:
        how = f"the worker process ended with exit code {code}"
    else:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        how = f"the worker process was killed by {name}"
        if -code == getattr(signal, "SIGKILL", None):
            how += " (by hand, or by the system when memory ran out)"
    return f"{how}: {last_words}" if last_words else how


def _last_words(messages: IO[bytes], lines: int = 6) -> str:
    """Python's report of a crash in C code, else the last lines that the process printed."""
    messages.seek(0, os.SEEK_END)
    messages.seek(max(0, messages.tell() - 4096))
    printed = messages.read().decode(errors="replace")
    _, fatal, crash = printed.rpartition("Fatal Python error:")
    said = [line.strip() for line in (fatal + crash).splitlines() if line.strip()]
    return "; ".join(said[:lines] if fatal else said[-lines:])
