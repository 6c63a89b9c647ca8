"""Records, inside a worker process, what a check really loads, opens, lists, looks for and asks while it runs.

Python tells of files through audit events; imports, looks at files that open nothing, environment variables and the
working directory are told by thin layers over the functions of Python that do them (`implicitbias.record.layers`).
Whatever happens while the body of a module runs belongs to that module, and everything else to the check: so a module
that is loaded already brings with it, to every later check that takes something from it, the files that it was made
from and the modules that it used. What functions do at call time belongs to the check alone, which is sound because
every check runs in a process of its own, made from one that has called none of them (`implicitbias.running.process`).

It must be installed before anything that it is to see is imported, and stays for the life of the process. What it does
not see: files opened inside C libraries without Python's knowledge, the clock and the times of files, and what one
module's body changes in another module that does not use it. Processes and connections are seen, but not what they
read: they make a record `unseen`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType, ModuleType
from typing import Any

from implicitbias.record import digests
from implicitbias.record.aside import BEGINNING, is_a_look_aside, is_to_keep_code, taken_by_the_caller
from implicitbias.record.environment import WORKERS_OWN
from implicitbias.record.found import where
from implicitbias.record.places import MACHINE, PROJECT, Places
from implicitbias.record.used import LOG, UNSTEADY, Used
from implicitbias.record.versions import versions_of

WORKING_DIRECTORY = "the working directory"
EVERY_VARIABLE = "the whole environment"

_PROCESSES = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")
_HEARD = frozenset(
    ("open", "os.listdir", "os.scandir", "sqlite3.connect", "ctypes.dlopen", "os.mkdir", "socket.connect", *_PROCESSES)
)

identity = object.__hash__
"""One number for each object that lives, as `id` gives; but that raises an audit event at each call."""


@dataclass
class Found:
    """What one module's body, or one check, has used. `packages`: third-party modules, by their first names."""

    files: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    packages: set[str] = field(default_factory=set)
    environment: dict[str, str] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)

    def add(self, other: Found) -> None:
        for kind in ("files", "folders", "modules", "environment"):
            mine, theirs = getattr(self, kind), getattr(other, kind)
            for name, seen in theirs.items():
                mine[name] = seen if mine.get(name, seen) == seen else UNSTEADY
        self.packages |= other.packages
        self.unseen |= other.unseen


class _Busy(threading.local):
    """Whether the recorder itself is at work in this thread: what it opens does not count."""

    now = 0

    def __enter__(self) -> None:
        self.now += 1

    def __exit__(self, *_: object) -> None:
        self.now -= 1


class Recorder:
    """The record of one worker process.

    bodies  what the body of each of our own modules used, by the path of its file
    check   what the check of the moment has used outside of them; None between checks
    own_folder  where the log is kept; none is kept without
    credited  the modules, by identity, whose files the check of the moment is known to have used; none while a module
              is being loaded, because what is taken then may be the deed of a module's body
    """

    def __init__(self) -> None:
        self.places = Places()
        self.bodies: dict[str, Found] = {}
        self.paths: dict[int, str] = {}
        self.check: Found | None = None
        self.needs: dict[str, set[str]] = {}
        self.versions: dict[str, str] = {}
        self.made: set[str] = set()
        self.set: set[str] = set(WORKERS_OWN)
        self.ignored: tuple[str, ...] = MACHINE
        self._stamps: dict[str, tuple[tuple[int, ...] | None, str]] = {}
        self.seen: set[tuple[object, ...]] = set()
        self.depth = 0
        self.credited: set[int] = set()
        self.own_folder = ""
        self._busy = _Busy()
        self._first: dict[str, None] = {}
        self._packages: set[str] = set()
        self._lazy: list[tuple[ModuleType, frozenset[str]]] = []
        self._path = tuple(map(absolute, sys.path))
        self._log: int | None = None
        self._told: set[tuple[str, str]] = set()
        self._alone: tuple[str, ...] = ()

    def begin(self, ignored: Iterable[str] = ()) -> None:
        """Begin to record; what is loaded already belongs to every check. Files in `ignored` folders do not count."""
        for name, module in list(sys.modules.items()):
            if path := self._file_of(module):
                self.paths[identity(module)] = path
                self.ends(module)
                stub = f"{path}i"  # what a package imports lazily
                self._first |= dict.fromkeys((path, stub) if digests.exists(stub) else (path,))
            elif self._is_third(name):
                self._packages.add(name)
        self.ignored = (*MACHINE, *(f"{absolute(folder)}{os.sep}" for folder in ignored))
        sys.addaudithook(self._audit)

    @contextmanager
    def recording(self, roots: Iterable[str], alone: Iterable[str] = ()) -> Iterator[Callable[[], Used]]:
        """Record a check; the function that is given returns what it has used so far.

        It begins with the files `roots` and with all that their bodies used; those `alone` count without that.
        """
        self._alone = tuple(alone)
        self.seen.clear()
        self.credited.clear()
        self.check = Found(packages=set(self._packages))
        for path in (*self._first, *roots):
            self.file(self.check, path)
        try:
            self._begin_log()
            yield self._used
        finally:
            self.check = None
            self.seen.clear()
            self.credited.clear()

    def _begin_log(self) -> None:
        with self._busy:
            if self.own_folder:
                so_far = json.dumps(self._used().to_json())
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                self._log = os.open(os.path.join(self.own_folder, LOG), flags, 0o600)
                os.write(self._log, f"{so_far}\n".encode())

    def begins(self, module: ModuleType) -> bool:
        """The body of a module is going to run; whether it is one of our own. An earlier body counts no longer."""
        path = self._file_of(module)
        if path is None:
            return False
        self.bodies[path] = Found()
        self.paths[identity(module)] = path
        self.seen.clear()
        self.credited.clear()
        self._stamps.pop(path, None)
        return True

    def ends(self, module: ModuleType) -> None:
        """The body of a module has run: what appears in it later, it loads lazily (PEP 562)."""
        if "__getattr__" in vars_of(module):
            self._lazy.append((module, frozenset(vars_of(module))))

    def forget(self) -> None:
        """Let modules load again what they have loaded lazily, so that it is seen who takes it."""
        for module, names in self._lazy:
            namespace: dict[str, Any] = object.__getattribute__(module, "__dict__")
            for name in [name for name in namespace if name not in names]:
                if not isinstance(namespace[name], ModuleType):
                    del namespace[name]

    def look_up_versions(self) -> None:
        """Look up the versions of what is loaded, once for many checks: a file is read for each of them."""
        with self._busy:
            self.versions.update(versions_of(list(self.needs), self.versions))

    def file(self, found: Found, path: str) -> None:
        """This file was read."""
        if path not in found.files and path not in self.made:
            with self._busy:
                self._add(found, "files", path, self._digest(path))

    def looks_for(self, name: str, spec: object) -> None:
        """It was asked where the module of that name is, without importing it."""
        owner = self.owner()
        if owner is not None:
            with self._busy:
                self._add(owner, "modules", name, where(spec, self.places))

    def takes(self, module: object) -> None:
        """Something is taken from this module; only those of our own count."""
        if self._busy.now:
            return
        owner = self.owner()
        self._taken(owner, module)
        if owner is self.check and not self.depth:
            self.credited.add(identity(module))

    def _taken(self, owner: Found | None, module: object) -> None:
        path = self.paths.get(identity(module))
        if path is not None and owner is not None and path not in owner.files:
            self.file(owner, path)

    def owner(self) -> Found | None:
        """Whose deed it is: that of the innermost body of our own modules that is running, else that of the check."""
        if self.check is not None and not self.depth:
            return self.check
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "<module>":
                body = self.bodies.get(absolute(frame.f_code.co_filename))
                if body is not None:
                    return body
            frame = frame.f_back
        return self.check

    def caller(self) -> str:
        """The file of the innermost code that is neither ours nor of the standard library."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_filename
            if name not in _OWN and not _is_standard(name):
                return name
            frame = frame.f_back
        return ""

    def looks(self, path: object, *, inside: bool = False) -> None:
        """A file is opened or looked at, or a folder is listed (`inside`)."""
        if not self._busy.now and not isinstance(path, int):
            with self._busy:
                self._looked(path, inside)

    def _looked(self, given: object, inside: bool) -> None:
        try:
            text = os.fsdecode("." if given is None else given)  # type: ignore[arg-type]
        except TypeError:
            return
        path = _source_of(absolute(text))
        if self._does_not_count(path):
            return
        owner = None if is_a_look_aside() else self.owner()
        if owner is None:
            self._digest(path)
            return
        if not os.path.isabs(text):
            if not inside and not digests.exists(path):  # wherever one works next: what counts is that none is there
                self._add(owner, "environment", f"{WORKING_DIRECTORY}/{text}", digests.ABSENT)
                return
            self._add(owner, "environment", WORKING_DIRECTORY, digests.of_text(_getcwd()))
        if inside:
            self._add(owner, "folders", path, digests.of_folder(path))
        else:
            self.file(owner, path)

    def writes(self, path: object) -> None:
        """A file or folder is made anew: what is read from it later is the check's own."""
        if not isinstance(path, int):
            self.made.add(absolute(os.fsdecode(path)))  # type: ignore[arg-type]

    def asks(self, name: str | None) -> None:
        """An environment variable is read; None: all of them."""
        if not self._busy.now and name not in self.set:
            with self._busy:
                self._asked(name)

    def _asked(self, name: str | None) -> None:
        if (name is None and self.places.is_installed(self.caller())) or is_to_keep_code():
            return
        if (beginning := taken_by_the_caller()) is not None and not (name or "").startswith(beginning):
            name = f"{BEGINNING}{beginning}"
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "<module>" and self.places.is_installed(frame.f_code.co_filename):
                return  # a library sets itself up: its version stands for what it is
            frame = frame.f_back
        owner = self.owner()
        if owner is not None:
            asked = EVERY_VARIABLE if name is None else name
            self._add(owner, "environment", asked, of_variable(asked, _environment()))

    def asks_where(self) -> None:
        """The working directory is asked for."""
        if not self._busy.now:
            with self._busy:
                owner = None if self.places.is_installed(self.caller()) else self.owner()
                if owner is not None:
                    self._add(owner, "environment", WORKING_DIRECTORY, digests.of_text(_getcwd()))

    def imports(self, name: str, names: tuple[str, ...], by: str) -> None:
        """The module of that absolute name was imported, and these names taken from it, by the module `by`."""
        first, importer = name.partition(".")[0], by.partition(".")[0]
        third, standard = self._is_third(first), first in sys.stdlib_module_names
        by_third = self._is_third(importer)
        if by_third:
            if third and importer != first:
                self.needs[importer].add(first)
            if third or standard:
                return
        if standard and importer in sys.stdlib_module_names:
            return
        owner = self.owner()
        if owner is None:
            return
        if third:
            owner.packages.add(first)
        elif not standard:
            parts = name.split(".")
            chain = [".".join(parts[: i + 1]) for i in range(len(parts))]
            for full in (*chain, *(f"{name}.{taken}" for taken in names)):
                if full in sys.modules:
                    self._taken(owner, sys.modules[full])
            self._absent(owner, name, [n for n in names if f"{name}.{n}" not in sys.modules])
        if not by_third and importer not in sys.stdlib_module_names:
            full = first if third or standard or first == PROJECT else name
            if full in sys.modules and not full.startswith(CLAIMS):
                with self._busy:
                    spec = getattr(sys.modules[full], "__spec__", None)
                    if self._is_on_path(sys.modules[first]):
                        self._add(owner, "modules", full, where(spec, self.places))

    def misses(self, name: str) -> None:
        """There is no module of that absolute name."""
        owner = self.owner()
        package, _, last = name.rpartition(".")
        if owner is not None and package:
            self._absent(owner, package, [last])
        elif owner is not None:
            self._add(owner, "modules", name, digests.ABSENT)

    def _absent(self, owner: Found, package: str, names: Iterable[str]) -> None:
        """Names that a package does not hold are no modules in it either."""
        inside = vars_of(sys.modules.get(package))
        for place in inside.get("__path__", ()):
            for name in names:
                if name not in inside and name != "*":
                    stem = os.path.join(place, name)
                    for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
                        if not self.places.is_installed(path):
                            self.file(owner, path)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _HEARD:  # most events are imports and looks at frames
            return
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, int):
                return
            if _makes(mode, flags):
                self.writes(path)
            elif _reads(mode, flags):
                self.looks(path)
        elif event in ("os.listdir", "os.scandir"):
            if not _by_import_system():
                self.looks(arguments[0], inside=True)
        elif event in ("sqlite3.connect", "ctypes.dlopen"):
            if isinstance(arguments[0], str | bytes) and os.sep in os.fsdecode(arguments[0]):
                self.looks(os.fsdecode(arguments[0]).removeprefix("file:").partition("?")[0])
        elif event == "os.mkdir":
            self.writes(arguments[0])
        elif event in _PROCESSES:
            self._unseen("starts a process, and what that reads is not recorded")
        elif event == "socket.connect":
            self._unseen("connects to another process or machine, and what that answers is not recorded")

    def _unseen(self, what: str) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "<module>" and self.places.is_installed(frame.f_code.co_filename):
                return  # a library looks for what the machine has
            frame = frame.f_back
        owner = self.owner()
        if owner is not None:
            owner.unseen.add(what)
            self._tell("unseen", what, "")

    def _used(self) -> Used:
        assert self.check is not None
        with self._busy:
            every, todo, past = Found(), [self.check], set()
            while todo:
                found = todo.pop()
                every.add(found)
                for path in found.files:
                    if path in self.bodies and path not in past:
                        past.add(path)
                        todo.append(self.bodies[path])
            for path in self._alone:
                self.file(every, path)
            for path in every.files:
                if (
                    path not in self.bodies
                    and self._stamps.get(path, (None, ""))[0] != _stamp(path)
                    and path not in self.made
                ):
                    every.files[path] = UNSTEADY
            return self._named(every)

    def _named(self, every: Found) -> Used:
        name_of = self.places.name_of
        packages, todo = set(), list(every.packages)
        while todo:
            package = todo.pop()
            if package not in packages:
                packages.add(package)
                todo.extend(self.needs.get(package, ()))
        return Used(
            {name_of(path): seen for path, seen in sorted(every.files.items())},
            {name_of(path): seen for path, seen in sorted(every.folders.items())},
            dict(sorted(every.modules.items())),
            versions_of(packages, self.versions),
            dict(sorted(every.environment.items())),
            tuple(sorted(every.unseen)),
        )

    def _digest(self, path: str) -> str:
        stamp = _stamp(path)
        known = self._stamps.get(path)
        if known is not None and (known[0] == stamp or path in self.bodies):
            return known[1]  # if the file has changed since it was loaded, what runs is what was loaded
        found = digests.of_file(path)
        self._stamps[path] = (stamp, found)
        return found

    def _add(self, found: Found, kind: str, name: str, seen: str) -> None:
        if getattr(found, kind).setdefault(name, seen) == seen:
            self._tell(kind, self.places.name_of(name) if kind in ("files", "folders") else name, seen)

    def _tell(self, kind: str, name: str, seen: str) -> None:
        """Add to the log, for the case that this process is killed before it can answer."""
        if self._log is not None and (kind, name) not in self._told:
            self._told.add((kind, name))
            os.write(self._log, f"{json.dumps([kind, name, seen])}\n".encode())

    def _does_not_count(self, path: str) -> bool:
        if f"{path}{os.sep}".startswith(self.ignored) or self.places.is_installed(path):
            return True
        return path in self.made or any(path.startswith(made + os.sep) for made in self.made)

    def _file_of(self, module: object) -> str | None:
        """The file of a module of our own; None for one that is installed, built in, or made of nothing."""
        given = vars_of(module).get("__file__")
        if not isinstance(given, str) or self.places.is_installed(given):
            return None
        path = _source_of(absolute(given))
        while not digests.exists(path) and os.path.dirname(path) != path:
            path = os.path.dirname(path)  # inside a zip file
        return path if os.path.dirname(path) != path else None

    def _is_on_path(self, module: object) -> bool:
        """Whether the module was found on the path that Python began with, rather than on one that a check has made."""
        file = vars_of(module).get("__file__")
        if not isinstance(file, str):
            return True
        place = os.path.dirname(absolute(file))
        home = os.path.dirname(place) if "__path__" in vars_of(module) else place
        return (
            home in self._path or self.places.is_installed(file) or self.places.name_of(file).startswith(f"{PROJECT}/")
        )

    def _is_third(self, first: str) -> bool:
        """Whether the module of this first name is installed and not of the standard library."""
        if first in self.needs:
            return True
        if first in sys.stdlib_module_names or first not in sys.modules:
            return False
        spec = getattr(sys.modules[first], "__spec__", None)
        origin = getattr(spec, "origin", None) or next(
            iter(getattr(spec, "submodule_search_locations", None) or ()), ""
        )
        if not origin or not self.places.is_installed(f"{origin}{os.sep}"):
            return False
        self.needs[first] = set()
        if self._log is not None:
            with self._busy:  # looking versions up looks at every folder of sys.path
                for name, version in versions_of([first]).items():
                    self._tell("versions", name, version)
        return True


CLAIMS = "implicitbias_claims_"
"""How the package name of a claims folder begins (`implicitbias.claims.catalogue`): it depends on where it lies."""


def of_variable(asked: str, variables: Mapping[str, str]) -> str:
    """The digest of what was asked of the environment: one variable, or all that begin so, but for a worker's own."""
    if asked != EVERY_VARIABLE and not asked.startswith(BEGINNING):
        return digests.of_text(variables.get(asked))
    beginning = "" if asked == EVERY_VARIABLE else asked.removeprefix(BEGINNING)
    shared = {name: value for name, value in variables.items() if name not in WORKERS_OWN}
    return digests.of_texts(f"{name}={value}" for name, value in sorted(shared.items()) if name.startswith(beginning))


_getcwd = os.getcwd


def absolute(path: str) -> str:
    return _normal(path if os.path.isabs(path) else os.path.join(_getcwd(), path))


@lru_cache(maxsize=4096)
def _normal(path: str) -> str:
    return os.path.normpath(path)


def _stamp(path: str) -> tuple[int, ...] | None:
    try:
        status = digests.unwatched_stat(path)
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _environment() -> dict[str, str]:
    data: dict[bytes, bytes] = os.environ._data  # type: ignore[attr-defined]
    return {os.fsdecode(name): os.fsdecode(value) for name, value in data.items()}


def _source_of(path: str) -> str:
    """The source of bytecode; the path itself if there is none."""
    if path.endswith(".pyc"):
        try:
            source = importlib.util.source_from_cache(path)
        except (ValueError, NotImplementedError):
            source = path[:-1]
        if digests.exists(source):
            return source
    return path


def _is_standard(filename: str) -> bool:
    return filename.startswith(("<frozen", _STANDARD)) and "site-packages" not in filename


_OWN = tuple(os.path.join(os.path.dirname(__file__), name) for name in ("recorder.py", "layers.py", "aside.py"))
_STANDARD = os.path.dirname(os.__file__) + os.sep


def _makes(mode: object, flags: int) -> bool:
    """Whether a file is opened empty."""
    return bool(set(mode) & set("wx")) if isinstance(mode, str) else bool(flags & (os.O_TRUNC | os.O_EXCL))


def _reads(mode: object, flags: int) -> bool:
    return bool(set(mode) & set("r+")) if isinstance(mode, str) else not flags & os.O_WRONLY


def vars_of(module: object) -> Mapping[str, Any]:
    """The namespace of a module, unseen."""
    found: Mapping[str, Any] = object.__getattribute__(module, "__dict__") if isinstance(module, ModuleType) else {}
    return found


def _by_import_system() -> bool:
    return sys._getframe(2).f_code.co_filename.startswith("<frozen importlib")
