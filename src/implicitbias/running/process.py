"""A worker process of `implicitbias.running.executor`: reads jobs, sends answers, and never outlives its parent.

It, and what its jobs start, is ended by its guardian. It is started as a program of its own (not forked, not through
multiprocessing), so that it inherits no threads, does not run `__main__` a second time, and starts from inside a
terminal app too. Jobs arrive on standard input and answers leave on standard output, each as eight bytes of length and
a pickle; what the job itself prints goes to standard error, which the pool keeps for the report of a crash.

Each job is done in a process of its own, so that no job finds what another one has left behind (caches, settings,
precision) and its record is its own. Where it is safe that process is a copy of the worker, which has imported much
and called little; elsewhere the worker ends after the job, and another one starts.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import traceback
from typing import Any, BinaryIO, NoReturn

from implicitbias.record import layers
from implicitbias.record.environment import cache_folder
from implicitbias.running.descendants import die_with_the_parent
from implicitbias.running.guardian import end_children_of_the_job, guarded

READY = b"ready "
"""What a worker says first, and then its process id."""

COPIES = sys.platform == "linux"
"""A copy of a process that has loaded Apple's frameworks may crash, and Windows makes none."""

MACHINE_CODE = "implicitbias.exact.machine_code"
"""The module that keeps machine code: not imported here, or every check would depend on it."""

COLLECT_EVERY = 20_000
"""Objects that a copy makes before it looks for cycles among them: 700, Python's own, costs it a fifteenth of its time,
and what it leaves behind ends with it."""

SELDOM = "torch"
"""What takes seconds to load and few jobs use: it is loaded here only when a second job has asked for it."""

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
    layers.install(os.environ["NUMBA_CACHE_DIR"], [cache_folder()])
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
        job = arrived.get()
        _prepare(job)
        send(answers, READY)
        if not COPIES:
            answered = perform(job)
            end_children_of_the_job()
            send(answers, answered)
            os._exit(0)
        answered = _in_a_copy(job)
        end_children_of_the_job()
        send(answers, answered)
        _warm_up()


def _prepare(job: bytes) -> None:
    """Let the module of the job's function load, before the process is copied, what many jobs need."""
    with contextlib.suppress(Exception):  # the job itself will fail, and say so
        function, args, _ = pickle.loads(job)
        prepare = getattr(sys.modules[function.__module__], "prepare", None)
        if prepare is not None:
            prepare(*args)
    if layers.RECORDER is not None:
        layers.RECORDER.forget()


def _in_a_copy(job: bytes) -> bytes:
    """Do the job in a copy of this process; if that dies, die in the same way."""
    gc.freeze()
    arrives, leaves = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    copy = os.fork()
    if copy == 0:
        die_with_the_parent(signal.SIGKILL)
        gc.set_threshold(COLLECT_EVERY)
        os.close(arrives)
        last, compiled = next(reversed(sys.modules)), _compiled()
        with os.fdopen(leaves, "wb") as answers:
            send(answers, perform(job))
            send(answers, pickle.dumps(layers.libraries(last)))
            send(answers, pickle.dumps([variant for variant in _compiled() if variant not in compiled]))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    os.close(leaves)
    with os.fdopen(arrives, "rb") as answers:
        try:
            message = receive(answers)
            _loaded.extend(pickle.loads(receive(answers)))
            code = receive(answers)
        except EOFError:
            _die_like(os.waitpid(copy, 0)[1])
    os.waitpid(copy, 0)
    _code.append(code)
    return message


_loaded: list[str] = []
"""The library modules that copies have loaded."""

_once: set[str] = set()
"""Those of `SELDOM` that one copy has loaded."""

_code: list[bytes] = []
"""The names of the machine code that copies have read or compiled, pickled."""


def _warm_up() -> None:
    """Import here what a copy had to import, and read the machine code that it had to read: the next ones need not.

    Claims stay as they were loaded.
    """
    while _loaded:
        name = _loaded.pop(0)
        if name.partition(".")[0] == SELDOM and name not in _once:
            _once.add(name)
        elif name not in sys.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    while _code:
        code = _code.pop(0)
        if machine_code := sys.modules.get(MACHINE_CODE):
            with contextlib.suppress(Exception):
                machine_code.read(pickle.loads(code))


def _compiled() -> list[Any]:
    """The names of the machine code that this process has."""
    machine_code = sys.modules.get(MACHINE_CODE)
    return [] if machine_code is None else list(machine_code.present())


def _die_like(status: int) -> NoReturn:
    faulthandler.disable()  # the copy has reported
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


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
