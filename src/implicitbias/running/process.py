"""A worker process of `implicitbias.running.executor`: reads jobs, sends answers, and never outlives its parent.

It, and what its jobs start, is ended by its guardian. It is started as a program of its own (not forked, not through
multiprocessing), so that it inherits no threads, does not run `__main__` a second time, and starts from inside a
terminal app too. Jobs arrive on standard input and answers leave on standard output, each as eight bytes of length and
a pickle; what the job itself prints goes to standard error, which the pool keeps for the report of a crash.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import queue
import signal
import struct
import threading
import traceback
from typing import Any, BinaryIO

from implicitbias.running.guardian import end_children_of_the_job, guarded

READY = b"ready "
"""What a worker says first, and then its process id."""

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
"""Workers share the cores among themselves; threads inside them would only wait for each other (torch reads OMP)."""

SAME_ORDER = {"PYTHONHASHSEED": "0"}
"""sympy walks sets: with random hashes a derivation takes different paths in different processes."""

_LENGTH = struct.Struct(">Q")


class RemoteTracebackError(Exception):
    """The traceback of a job's error, as text: tracebacks do not travel."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def send(stream: BinaryIO, message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """The next message. Raises EOFError when the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return _exactly(stream, length)


def serve() -> None:
    """Answer jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    guarded()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    faulthandler.enable(all_threads=False)
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(jobs, arrived), daemon=True).start()
    send(answers, READY + str(os.getpid()).encode())
    while True:
        answered = perform(arrived.get())
        end_children_of_the_job()
        send(answers, answered)


def perform(job: bytes) -> bytes:
    """Do a pickled (function, args, kwargs); the answer is a pickled (True, value) or (False, error)."""
    try:
        function, args, kwargs = pickle.loads(job)
        return pickle.dumps((True, function(*args, **kwargs)))
    except BaseException as error:
        return _failure(error)


def _failure(error: BaseException) -> bytes:
    text = "".join(traceback.format_exception(error))
    with contextlib.suppress(Exception):
        if isinstance(error, Exception):  # a SystemExit of the job must not end the parent
            message = pickle.dumps((False, error, text))
            pickle.loads(message)
            return message
    return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}"), text))


def answer(message: bytes) -> Any:
    """Return what the job returned, or raise what it raised."""
    succeeded, *rest = pickle.loads(message)
    if succeeded:
        return rest[0]
    error, text = rest
    raise error from RemoteTracebackError(text)


def _read(jobs: BinaryIO, arrived: queue.SimpleQueue[bytes]) -> None:
    try:
        while True:
            arrived.put(receive(jobs))
    except EOFError:
        # The parent has closed the pipe or is dead; nothing waits any more for what the main thread may be doing.
        os._exit(0)


def _exactly(stream: BinaryIO, length: int) -> bytes:
    message = stream.read(length)
    if len(message) < length:
        raise EOFError
    return message
