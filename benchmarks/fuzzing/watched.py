"""One call of the command line under watch: what it says, how long it takes, and whether input was executed."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import typer.main

from benchmarks.fuzzing.call import Call

LIMIT = 20.0
"""Seconds of processor time for one call, twice what the longest may take: the machine may be slow."""
PROMISED = (0, 1, 2, 3)
"""The exit codes that an input may lead to; 4 is a fault of ours."""
LONGEST_MESSAGE = 5000
"""Characters of a message about input. (A broken claims folder has one problem per line.)"""
MEMORY = "/dev/shm"
CANARY = "kanarie7"
"""Every input that tries to have something executed holds this word."""
_STARTED = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "subprocess.Popen",
    "pty.spawn",
)
_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
"""Control characters that a terminal may obey."""


@dataclass(frozen=True)
class Outcome:
    """What one call led to.

    code     its exit code; None if it did not end with one
    problem  what is wrong with that, in a line that is the same for the same fault; empty if nothing
    detail   a traceback or the message
    seconds  of processor time
    """

    code: int | None
    problem: str
    detail: str
    seconds: float


class _TooLongError(BaseException):
    """Raised by the alarm; a BaseException, so that no `except Exception` on the way catches it."""


class Watch:
    """Calls of the command line in this process, each in an empty folder of its own.

    There is one for a process: an audit hook cannot be taken away. Descriptors, the working folder and the environment
    are put back after each call.
    """

    def __init__(self) -> None:
        # In memory where there is such a folder: a busy disk takes longer to remove a folder than most calls take.
        self.folder = Path(tempfile.mkdtemp(prefix="inputs-", dir=MEMORY if os.path.isdir(MEMORY) else None))
        # typer reads the annotations of a command's function for every call, which takes most of a small one.
        name = "get_params_from_function"
        setattr(typer.main, name, lru_cache(maxsize=None)(getattr(typer.main, name)))
        self.executed: list[str] = []
        self.watching = False
        self.processes = False
        os.environ["IMPLICITBIAS_DEBUG"] = "1"
        os.environ["IMPLICITBIAS_LEDGER"] = str(self.folder / "ledger.sqlite")
        os.environ["NO_COLOR"] = "1"
        sys.addaudithook(self._hear)

    def close(self) -> None:
        """Remove the folder."""
        os.chdir("/")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.watching:
            return
        if event in _STARTED and not self.processes:
            self.executed.append(f"{event} {str(arguments)[:200]}")
        elif event == "open" and _is_canary(arguments[0]) and set("wax+") & set(str(arguments[1])):
            self.executed.append(f"open {str(arguments[0])[:200]}")
        elif event == "exec" and isinstance(arguments[0], types.CodeType) and _is_of_input(arguments[0]):
            self.executed.append(f"exec {arguments[0].co_names[:20]}")

    def outcome(self, call: Call) -> Outcome:
        """Make the call, and judge what came of it."""
        place = self.folder / "work"
        self._prepare(place, call)
        self.executed.clear()
        self.processes = call.processes
        begin = time.process_time()
        code, out, err, trouble, detail = self._ended(call)
        seconds = time.process_time() - begin
        if self.executed:
            trouble, detail = "input was executed", "; ".join(self.executed)
        problem = trouble or _judged(code, out, err, _asks_for_json(call.arguments))
        return Outcome(code, problem, detail or err[-2000:], seconds)

    def _prepare(self, place: Path, call: Call) -> None:
        os.chdir(self.folder)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name, contents in call.files.items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(contents)
        (place / "folder").mkdir()
        os.mkfifo(place / "pipe")
        (place / "loop").symlink_to("loop")
        (place / "gone").symlink_to("no-such-file")
        os.chdir(place)

    def _ended(self, call: Call) -> tuple[int | None, str, str, str, str]:
        from implicitbias.cli import main

        before = dict(os.environ)
        with _streams(call.given) as (out, err):
            try:
                with _alarm() as late:
                    self.watching = True
                    try:
                        code: int | None = main(list(call.arguments))
                    finally:
                        self.watching = False
                return code, _text(out), _text(err), f"more than {LIMIT:.0f} s, and it went on" if late else "", ""
            except _TooLongError as error:
                return None, "", "", f"more than {LIMIT:.0f} s at {_place(error)}", traceback.format_exc()[-3000:]
            except BaseException as error:
                problem = f"{type(error).__name__} at {_place(error)}"
                return None, "", "", problem, traceback.format_exc()[-6000:]
            finally:
                os.environ.clear()
                os.environ.update(before)


def _is_of_input(code: types.CodeType) -> bool:
    """Whether code was made from text of an input: a claim file is Python, and may hold the word in a formula."""
    return not code.co_filename.endswith(".py") and _holds_canary(code)


def _holds_canary(code: types.CodeType) -> bool:
    texts = [*code.co_names, *(entry for entry in code.co_consts if isinstance(entry, str))]
    inner = [entry for entry in code.co_consts if isinstance(entry, types.CodeType)]
    return any(CANARY in text for text in texts) or any(_holds_canary(entry) for entry in inner)


def _is_canary(path: object) -> bool:
    """Whether a file is made as what was executed would make it; a file that the user names may hold the word too."""
    return os.path.basename(str(path)) == CANARY


def _asks_for_json(words: Sequence[str]) -> bool:
    """Whether these arguments of the command line ask for JSON, and for no help; behind -- there are no options."""
    options = {*itertools.takewhile(lambda word: word != "--", words)}
    return "--json" in options and not {"-h", "--help", "--version"} & options


def _judged(code: int | None, out: str, err: str, as_json: bool) -> str:
    """What is wrong with an exit code and what was printed; empty if nothing."""
    if code not in PROMISED:
        return f"exit code {code}"
    if "Traceback (most recent call last)" in err:
        return "a traceback is printed"
    if code == 2 and not err.strip():
        return "exit code 2 without a message"
    if code == 2 and len(err) > LONGEST_MESSAGE:
        return f"a message of more than {LONGEST_MESSAGE} characters"
    if raw := _RAW.search(out + err):
        return f"the control character {raw[0]!r} is printed raw"
    if as_json and code in (0, 3) and out.strip():
        try:
            json.loads(out, parse_constant=_refuse)
        except ValueError as error:
            return f"what --json prints is no JSON: {str(error)[:60]}"
    return ""


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _place(error: BaseException) -> str:
    """The innermost frames of our own and of all: the same fault has the same."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "implicitbias" in f.filename and "benchmarks" not in f.filename]
    ours = [f for f in ours if f.name != "main"]
    return " < ".join(f"{Path(f.filename).name}:{f.name}" for f in reversed(ours[-2:])) or "nowhere"


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "replace")


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard streams that encode as real ones do."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    sys.stdout, sys.stderr = out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _alarm() -> Iterator[list[str]]:
    """Raise after the time: on the process's own clock, since `cost` has the use of the other alarm.

    Something is in the list once the time is up: a claim file that is being imported may have caught what was raised.
    """
    late: list[str] = []

    def stop(number: int, frame: object) -> None:
        late.append("late")
        raise _TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        yield late
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
