"""The thin layers over Python's own functions that tell the recorder of a worker process what audit events do not."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from itertools import takewhile
from types import FrameType, ModuleType
from typing import Any

from implicitbias.record.places import PROJECT
from implicitbias.record.recorder import Recorder, absolute, identity, vars_of

QUIET = frozenset(
    ("__spec__", "__path__", "__name__", "__file__", "__loader__", "__package__", "__class__", "__doc__", "__cached__")
)
"""What the import system itself asks of a module."""

SEARCHING = frozenset(
    (inspect.getmodule.__code__.co_filename, os.path.realpath.__code__.co_filename, os.path.exists.__code__.co_filename)
)
"""The files of the code between `inspect.getmodule` and the system: inspect, posixpath, genericpath."""

RECORDER: Recorder | None = None
"""The recorder of this process, if it is a worker of ours."""


def install(own_folder: str = "", ignored: Iterable[str] = ()) -> None:
    """Record in this process from now on.

    Files in its own folder, which holds its log, and in `ignored` do not count.
    """
    global RECORDER
    RECORDER = recorder = Recorder()
    recorder.own_folder = own_folder
    watched = watch_modules(recorder)
    watch_imports(recorder)
    watch_looks(recorder)
    watch_environment(recorder)
    recorder.begin((*ignored, *([own_folder] if own_folder else ())))
    for module in list(sys.modules.values()):
        if type(module) is ModuleType and identity(module) in recorder.paths:
            module.__class__ = watched


def libraries(last: str) -> list[str]:
    """The modules loaded since that one that are installed, or of this package, but not claims."""
    recorder, found = RECORDER, []
    # From the end: to touch all modules would have a copied process copy the memory in which they lie.
    for name in [*takewhile(lambda name: name != last, reversed(sys.modules))][::-1]:
        file = vars_of(sys.modules.get(name)).get("__file__")
        if isinstance(file, str) and recorder is not None:
            named = recorder.places.name_of(absolute(file))
            if named.startswith(f"{PROJECT}/") or recorder.places.is_installed(file):
                found.append(name)
    return found


def watch_modules(recorder: Recorder) -> type[ModuleType]:
    """Give modules of our own a class that tells when something is taken from them."""

    class Watched(ModuleType):
        def __getattribute__(self, name: str) -> Any:
            if identity(self) not in recorder.credited and name not in QUIET:
                recorder.takes(self)
            return ModuleType.__getattribute__(self, name)

    def watch(module: ModuleType, loader: Any) -> None:
        if type(module) is not ModuleType or not recorder.begins(module):
            return
        module.__class__ = Watched
        execute = getattr(loader, "exec_module", None)
        if execute is not None:

            def executed(body: ModuleType) -> None:
                execute(body)
                recorder.ends(body)

            with contextlib.suppress(AttributeError):  # a loader without a namespace has no lazy modules of ours
                loader.exec_module = executed

    bootstrap: Any = importlib._bootstrap
    make = bootstrap.module_from_spec

    @wraps(make)
    def module_from_spec(spec: Any) -> ModuleType:
        module: ModuleType = make(spec)
        watch(module, spec.loader)
        return module

    bootstrap.module_from_spec = importlib.util.module_from_spec = module_from_spec
    return Watched


def watch_imports(recorder: Recorder) -> None:
    """Tell of imports of modules that are loaded already, which open nothing, and of those that fail."""
    statement, by_name, find = builtins.__import__, importlib.import_module, importlib.util.find_spec

    def told(name: str, names: tuple[str, ...], by: str, call: Callable[[], Any]) -> Any:
        recorder.depth += 1
        recorder.credited.clear()
        try:
            result = call()
        except ModuleNotFoundError as error:
            recorder.depth -= 1
            if error.name and f"{name}.".startswith(f"{error.name}."):
                recorder.misses(error.name)
            raise
        except BaseException:
            recorder.depth -= 1
            raise
        recorder.depth -= 1
        recorder.imports(name, names, by)
        return result

    @wraps(statement)
    def imported(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        by = str((globals or {}).get("__name__", ""))
        taken = tuple(fromlist or ())
        key = (name, taken, level, by)
        if key in recorder.seen and not recorder.depth:
            return statement(name, globals, locals, fromlist, level)
        full = _absolute("." * level + name, _package(globals or {})) if level else name
        result = told(full, taken, by, lambda: statement(name, globals, locals, fromlist, level))
        if not recorder.depth and recorder.owner() is recorder.check:
            recorder.seen.add(key)
        return result

    @wraps(by_name)
    def import_module(name: str, package: str | None = None) -> ModuleType:
        by = str(sys._getframe(1).f_globals.get("__name__", ""))
        module: ModuleType = told(_absolute(name, package or ""), (), by, lambda: by_name(name, package))
        return module

    @wraps(find)
    def find_spec(name: str, package: str | None = None) -> Any:
        spec = find(name, package)
        if not name.startswith(".") and "." not in name:
            recorder.looks_for(name, spec)
        return spec

    builtins.__import__ = imported
    importlib.import_module = import_module
    importlib.util.find_spec = find_spec


def _absolute(name: str, package: str) -> str:
    if not name.startswith("."):
        return name
    level = len(name) - len(name.lstrip("."))
    base = package.rsplit(".", level - 1)[0] if level > 1 else package
    rest = name.lstrip(".")
    return f"{base}.{rest}" if rest else base


def _package(globals: Mapping[str, Any]) -> str:
    """The package that relative names are relative to."""
    name = str(globals.get("__name__", ""))
    return str(globals.get("__package__") or (name if "__path__" in globals else name.rpartition(".")[0]))


def watch_looks(recorder: Recorder) -> None:
    """Tell of looks at files that open nothing."""
    kept: Any = os
    real = os.getcwd
    for name in ("stat", "lstat", "access", "readlink"):
        original = getattr(os, name)
        watched = _telling(recorder, original)
        setattr(kept, name, watched)
        for can in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in can:
                can.add(watched)

    @wraps(real)
    def getcwd() -> str:
        recorder.asks_where()
        return real()

    kept.getcwd = getcwd


def _telling(recorder: Recorder, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def told(path: Any, *arguments: Any, **named: Any) -> Any:
        if named.get("dir_fd") is None and not _is_search_among_modules():
            recorder.looks(path)
        return original(path, *arguments, **named)

    return told


def _is_search_among_modules() -> bool:
    """Whether `inspect.getmodule` asks: to find the module of one file, it looks where the files of all loaded modules
    are. Torch has it do so, and would tie its results to everything that happens to be loaded.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in SEARCHING:
        if frame.f_code is inspect.getmodule.__code__:
            return True
        frame = frame.f_back
    return False


def watch_environment(recorder: Recorder) -> None:
    """Tell of environment variables that are read, by `os.environ`, `os.environb` or `os.getenv`."""
    kind: Any = type(os.environ)

    class Watched(kind):  # type: ignore[misc]
        def __getitem__(self, key: Any) -> Any:
            recorder.asks(os.fsdecode(key) if isinstance(key, str | bytes) else None)
            return super().__getitem__(key)

        def __setitem__(self, key: Any, value: Any) -> None:
            super().__setitem__(key, value)
            recorder.set.add(os.fsdecode(key))

        def __delitem__(self, key: Any) -> None:
            super().__delitem__(key)
            recorder.set.add(os.fsdecode(key))

        def __iter__(self) -> Any:
            recorder.asks(None)
            return super().__iter__()

        def __len__(self) -> int:
            recorder.asks(None)
            return int(super().__len__())

    for mapping in (os.environ, getattr(os, "environb", None)):
        if mapping is not None:
            mapping.__class__ = Watched
