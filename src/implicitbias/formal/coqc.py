"""Coq's compiler asked whether a text is proved, and on what it rests.

Nothing of Coq is needed to import this module; where it is not installed, `installed` says how to install it.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import MappingProxyType

from implicitbias.errors import CoqError
from implicitbias.formal.axioms import Grade, axioms_of, grade_of, not_allowed
from implicitbias.formal.text import refusal, theorems

INSTALL = "apt-get install coq libcoq-coquelicot libcoq-interval"
LIBRARY = Path(__file__).parent / "library"
LOGICAL_NAME = "ImplicitBias"
MEMORY = 3 * 2**30
"""Bytes of address space that one coqc may take."""

LIBRARY_SECONDS = 600.0
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Coq:
    """An installed Coq: its compiler, and the versions of what proofs use ("unknown" where nobody says)."""

    program: Path
    version: str
    coquelicot: str
    interval: str


@dataclass(frozen=True)
class Answer:
    """What coqc says to one text.

    `accepted`: every theorem is proved and rests on allowed axioms only. `theorems`: their names. `axioms`: what they
    rest on together; `by_theorem`: each alone, where that was asked. `grade`: what the axioms are worth, None where the
    text is not accepted. `message`: empty, or why it is not accepted, the first error with its line.
    """

    accepted: bool
    seconds: float
    message: str
    theorems: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    by_theorem: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    grade: Grade | None = None


@cache
def installed() -> Coq:
    """The Coq on this machine.

    Raises
    ------
    CoqError
        If coqc, Coquelicot or Interval is not found; the message has the line that installs them.
    """
    found = shutil.which("coqc")
    if not found:
        raise CoqError(f"coqc is not installed: {INSTALL}")
    version = re.search(r"version\s+(\S+)", _said(found, "--version"))
    libraries = Path(_said(found, "-where").strip()) / "user-contrib"
    contributed = [libraries, *map(Path, filter(None, os.environ.get("COQPATH", "").split(os.pathsep)))]
    for name in ("Coquelicot", "Interval"):
        if not any((folder / name).is_dir() for folder in contributed):
            raise CoqError(f"Coq's library {name} is not installed: {INSTALL}")
    return Coq(
        program=Path(found),
        version=version[1] if version else UNKNOWN,
        coquelicot=_packaged("libcoq-coquelicot"),
        interval=_packaged("libcoq-interval"),
    )


def compiled_library() -> Path:
    """The folder of the compiled library, in the user's cache; compiled the first time (some 15 s).

    The folder's name is a digest of the library's sources and the versions of Coq and its libraries. It is written
    elsewhere and renamed when it is complete, so that processes that do this at once do not see each other's halves.

    Raises
    ------
    CoqError
        If Coq is not installed, or does not accept a file of the library.
    """
    return _library_of(installed(), LIBRARY)


def check(text: str, *, seconds: float = 60.0, by_theorem: bool = False) -> Answer:
    """Have coqc check one text, which may use the library by `From ImplicitBias Require Import ...`.

    A text that assumes something, leaves a proof open, switches a check off or states no theorem is refused unseen.
    `seconds` limits coqc's own CPU time, and three times that the clock's. What the theorems rest on is asked of all
    together, which takes Coq some 2 s; with `by_theorem` of each, which takes as long again for each.

    Raises
    ------
    CoqError
        If Coq is not installed, or the library does not compile.
    """
    reason = refusal(text)
    if reason:
        return Answer(False, 0.0, reason)
    names = theorems(text)
    library = compiled_library()
    begun = time.monotonic()
    mark = f"mark_{secrets.token_hex(16)}"
    asked = (f"all_of_{mark}", *(names if by_theorem else ()))
    with tempfile.TemporaryDirectory(prefix="implicitbias-coq-") as scratch:
        source = Path(scratch) / "checked.v"
        source.write_text("\n".join((text, _together(asked[0], names), *_questions(asked, mark))), encoding="utf-8")
        ran = _run(installed(), source, library, seconds)
    took = time.monotonic() - begun
    if ran.failure:
        return Answer(False, took, ran.failure, names)
    try:
        together, *alone = _answers(ran.output, asked, mark)
    except ValueError as error:
        return Answer(False, took, f"Coq does not say what the theorems rest on: {error}", names)
    each = MappingProxyType(dict(zip(names, alone, strict=True)) if by_theorem else {})
    wrong = not_allowed(together)
    message = f"rests on an axiom that is not allowed: {', '.join(wrong[:3])}" if wrong else ""
    return Answer(not wrong, took, message, names, together, each, grade_of(together))


def _together(name: str, theorems: Sequence[str]) -> str:
    """A definition that uses every theorem, by names and symbols that no text can give another meaning."""
    term = "Coq.Init.Logic.I"
    for theorem in theorems:
        term = f"(@Coq.Init.Datatypes.pair _ _ {theorem} {term})"
    return f"Definition {name} := {term}."


def _questions(names: Sequence[str], mark: str) -> Iterator[str]:
    """Commands that ask what each name rests on. The mark is random, so that no text can print it beforehand."""
    for name in names:
        yield f'Goal True. idtac "{mark}". Abort.'
        yield f"Print Assumptions {name}."
    yield f'Goal True. idtac "{mark}". Abort.\n'


def _answers(output: str, names: Sequence[str], mark: str) -> list[tuple[str, ...]]:
    parts = re.split(rf"^{mark}$", output, flags=re.MULTILINE)
    if len(parts) != len(names) + 2:
        raise ValueError(f"{len(names)} questions, {len(parts) - 2} answers")
    return [axioms_of(part) for part in parts[1:-1]]


@dataclass(frozen=True)
class _Ran:
    output: str
    failure: str


def _run(coq: Coq, source: Path, library: Path, seconds: float) -> _Ran:
    """coqc on one file, in the file's folder, its process group killed when the time is over."""
    command = [str(coq.program), "-q", "-w", "none", "-time", "-Q", str(library), LOGICAL_NAME, source.name]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command,
        cwd=source.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        _limit(process.pid, seconds)
        try:
            output, errors = process.communicate(timeout=3 * seconds)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            output, errors = process.communicate()
    said = SENTENCE_DONE.sub("", output)
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return _Ran(said, f"line {_line_reached(source, output)}: no answer in {seconds:g} s")
    if process.returncode and re.search("out of memory", errors, re.IGNORECASE):
        return _Ran(said, f"line {_line_reached(source, output)}: more than {MEMORY / 2**30:.2g} GiB of memory")
    return _Ran(said, "" if process.returncode == 0 else _first_error(errors))


SENTENCE_DONE = re.compile(r"^Chars \d+ - (\d+) \[.*\] [\d.]+ secs \(.*\)\n", re.MULTILINE)
"""What -time prints after each sentence of the text: where it ends, in bytes."""


def _line_reached(source: Path, output: str) -> int:
    """The line of the sentence at which coqc stopped without a word: the first that it has not reported done."""
    text = source.read_bytes()
    done = [int(end) for end in SENTENCE_DONE.findall(output)]
    rest = text[done[-1] if done else 0 :]
    return 1 + text.count(b"\n", 0, len(text) - len(rest.lstrip()))


def _limit(pid: int, seconds: float) -> None:
    """Memory and CPU time of a process just started, where the system can set them from outside."""
    if sys.platform != "linux":
        return
    import resource

    cpu = math.ceil(seconds)
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.prlimit(pid, resource.RLIMIT_CPU, (cpu, cpu + 1))


def _first_error(errors: str) -> str:
    """The first error, short: "line 12: Unable to unify ..."."""
    found = re.search(r'File "[^"]*", line (\d+), characters [\d-]+:\s*Error:(.*?)(?=\nFile "|\Z)', errors, re.DOTALL)
    said = " ".join((found[2] if found else errors).split())[:300] or "coqc ended without a word"
    return f"line {found[1]}: {said}" if found else said


def _library_of(coq: Coq, sources: Path) -> Path:
    place = _cache() / _digest(coq, sources)
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".compiling-", dir=place.parent) as folder:
        made = Path(folder) / "library"
        shutil.copytree(sources, made, ignore=lambda _, names: [n for n in names if not n.endswith(".v")])
        for name in _in_order(made):
            ran = _run(coq, made / f"{name}.v", made, LIBRARY_SECONDS)
            if ran.failure:
                raise CoqError(f"Coq {coq.version} does not accept {name}.v of the library: {ran.failure}")
        # Whoever comes second finds the folder taken, and complete.
        with contextlib.suppress(OSError):
            made.rename(place)
    if not place.is_dir():
        raise CoqError(f"the compiled library cannot be kept in {place.parent}")
    return place


def _in_order(folder: Path) -> Iterator[str]:
    """The library's files, each after those it requires."""
    required = re.compile(rf"From {LOGICAL_NAME} Require (?:Import|Export)([\w\s]+)\.")
    needs = {
        path.stem: {name for names in required.findall(path.read_text(encoding="utf-8")) for name in names.split()}
        for path in sorted(folder.glob("*.v"))
    }
    yield from TopologicalSorter(needs).static_order()


def _digest(coq: Coq, sources: Path) -> str:
    digest = hashlib.sha256("\0".join((coq.version, coq.coquelicot, coq.interval)).encode())
    for path in sorted(sources.glob("*.v")):
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:32]


def _cache() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("implicitbias") / "coq"


def _said(program: str, option: str) -> str:
    return subprocess.run([program, option], capture_output=True, text=True, check=False).stdout


def _packaged(package: str) -> str:
    """The version of a Debian package; "unknown" elsewhere."""
    if not shutil.which("dpkg-query"):
        return UNKNOWN
    asked = ["dpkg-query", "--show", "--showformat=${Version}", package]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or UNKNOWN
