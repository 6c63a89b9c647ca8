"""What a process computes with, as digests and versions that can be compared with another machine's.

An *identity* is a flat JSON document of names and values: Python, the digest of our own sources, that of the claims
folder, the version of each distribution that we require (`installed`), and of each one a module of which is loaded. Of
a module that no distribution has installed, a file on PYTHONPATH say, it holds a digest of the files.

Equal identities, before and after a computation, mean that it was made from the same things here and there.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

Identity = Mapping[str, str]

PACKAGES = {"implicitbias": ("theory/", "tui/"), "implicitbias.theory": ()}
"""The packages whose sources must be the same everywhere, without the folders that are packages of their own or never
compute (a wheel has them inside)."""

PROJECT, CLAIMS, PYTHON = "implicitbias", "claims folder", "Python"
MODULE = "module "
"""What the names of loaded modules begin with."""

COMPUTE = re.compile(r"""extra == ["'](torch|training)["']""")
"""Extras that bring what checks compute with."""
NONE = re.compile(r"(?!)")

ABSENT = "none"
STANDARD = Path(sysconfig.get_path("stdlib"))

_digests: dict[Path, tuple[tuple[int, int, int], str]] = {}
_first: dict[str, str] = {}


def identity(folder: str | None, *, modules: Iterable[str] | None = None, installed: bool = False) -> Identity:
    """The identity of this process, for claims of `folder` (None: the shipped theory).

    modules     those to name, found where an import would find them; by default those that are loaded
    installed   name the distributions that we require as well, loaded or not
    Files are read again only if they have changed; digests of our sources are those of the first call as long as none
    has, for the modules of this process stay what they were.
    """
    now = _digest_of_sources()
    first = _first.setdefault(PROJECT, now)
    found = {
        PYTHON: platform.python_version(),
        PROJECT: now if now == first else f"{first}, changed since",
        CLAIMS: ABSENT if folder is None else _digest_of_folder(Path(folder)),
    }
    places = _loaded(folder) if modules is None else {name: _place_of(name) for name in modules}
    found |= {MODULE + name: _maker_of(name, place) for name, place in places.items()}
    if installed:
        found |= required()
    return found


def differences(folder: str | None, theirs: Identity) -> tuple[str, ...]:
    """How another process's identity differs from what this machine would compute with, in words; empty if it does not.

    >>> differences(None, {"numpy": "99.0"}) == (f"numpy 99.0 there, {required()['numpy']} here",)
    True
    """
    modules = [name.removeprefix(MODULE) for name in theirs if name.startswith(MODULE)]
    own = identity(folder, modules=modules, installed=True)
    return tuple(
        _in_words(name, value, own.get(name, ABSENT))
        for name, value in theirs.items()
        if own.get(name, ABSENT) != value
    )


@lru_cache(maxsize=1)
def required() -> Mapping[str, str]:
    """The versions of the distributions that ours requires, those of `COMPUTE` included, and that these require, as
    installed."""
    found: dict[str, str] = {}
    todo = [PROJECT]
    while todo:
        name = _normal(todo.pop())
        if name not in found:
            try:
                distribution = importlib.metadata.distribution(name)
            except importlib.metadata.PackageNotFoundError:
                continue  # for other machines than this one
            found[name] = distribution.version
            extras = COMPUTE if name == PROJECT else NONE
            needs = [need for need in distribution.requires or () if "extra ==" not in need or extras.search(need)]
            todo += [word[0] for need in needs if (word := re.match(r"[\w.-]+", need))]
    del found[PROJECT]  # its sources are compared
    return found


def _in_words(name: str, theirs: str, ours: str) -> str:
    if name == PROJECT:
        return "other sources of implicitbias" + (", changed while it ran" if "," in theirs else "")
    if name == CLAIMS:
        return "no such claims folder" if theirs == ABSENT else "other contents of the claims folder"
    if theirs.startswith("files ") and ours.startswith("files "):
        return f"other contents of the {name}"
    return f"{name} {theirs} there, {ours} here"


def _loaded(folder: str | None) -> dict[str, Path | None]:
    """The loaded modules of no package that are neither Python's nor ours nor the claims folder's, and their places."""
    found: dict[str, Path | None] = {}
    for name, module in list(sys.modules.items()):
        top, dot, _ = name.partition(".")
        file = getattr(getattr(module, "__spec__", None), "origin", None)
        if dot or file is None or top in sys.stdlib_module_names or top.startswith((PROJECT, "__")):
            continue
        path = Path(file)
        if path.is_absolute() and path.parent != STANDARD and not (folder and path.is_relative_to(folder)):
            found[name] = _place(path)
    return found


def _place_of(name: str) -> Path | None:
    """Where an import would find the module; None if it would not."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return _place(Path(spec.origin)) if spec and spec.origin else None


def _place(file: Path) -> Path:
    """The file of a module, or the folder of a package."""
    return file.parent if file.stem == "__init__" else file


def _maker_of(name: str, place: Path | None) -> str:
    """The distribution that has installed the module, with its version; else a digest of the module's files."""
    if place is None:
        return ABSENT
    versions = _distributions_in(place.parent)
    for distribution in (_normal(name), f"python-{_normal(name)}"):
        if distribution in versions:
            return f"{distribution} {versions[distribution]}"
    for known in _makers().get(name, ()) if versions else ():
        if _normal(known) in versions:
            return f"{_normal(known)} {versions[_normal(known)]}"
    return f"files {_digest_of_folder(place) if place.is_dir() else _digest(place)}"


@lru_cache(maxsize=64)
def _distributions_in(folder: Path) -> Mapping[str, str]:
    """The distributions installed in a folder, with their versions."""
    return {_normal(d.metadata["Name"]): d.version for d in importlib.metadata.distributions(path=[str(folder)])}


@lru_cache(maxsize=1)
def _makers() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    for package, apart in PACKAGES.items():
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            for file in sorted(Path(place).rglob("*.py")):
                name = file.relative_to(place).as_posix()
                if not name.startswith(apart or ("\0",)):
                    digest.update(f"{package}/{name} {_digest(file)}\n".encode())
    return digest.hexdigest()


def _digest_of_folder(folder: Path) -> str:
    if not folder.is_dir():
        return ABSENT
    digest = hashlib.sha256()
    for file in _files(folder):
        digest.update(f"{file.relative_to(folder).as_posix()!r} {_digest(file)}\n".encode())
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """The files in a folder and its folders, without what Python and other tools keep there."""
    for path in sorted(folder.iterdir()):
        if path.name == "__pycache__" or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def _digest(file: Path) -> str:
    stat = file.stat()
    stamp = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)
    known = _digests.get(file)
    if known is None or known[0] != stamp:
        known = _digests[file] = (stamp, hashlib.sha256(file.read_bytes()).hexdigest())
    return known[1]
