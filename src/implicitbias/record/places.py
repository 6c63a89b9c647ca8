"""Names of files that are the same on every machine, and which files are installed rather than somebody's own.

A file of this package is `implicitbias/judging/judgement.py`, of the theory `theory/savarese2019/theorem_3_1.py`, in a
claims folder `./helpers/_squares.py`; any other file has its absolute path. What lies in the standard library or in
`site-packages` is installed: its version stands for it.
"""

from __future__ import annotations

import importlib.util
import os
import site
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path

PROJECT = "implicitbias"
MACHINE = ("/proc/", "/sys/", "/dev/")
"""The machine and its devices, not data."""


class Places:
    """The folders that names are relative to. `claims`: the claims folder of the moment, if any."""

    def __init__(self, claims: str | None = None) -> None:
        self.claims = claims
        self._project = tuple((f"{name}/", f"{place}{os.sep}") for name, place in _project())

    def name_of(self, path: str) -> str:
        for begins, place in self._named():
            if path.startswith(place):
                return begins + path[len(place) :].replace(os.sep, "/")
        return path

    def path_of(self, name: str) -> str:
        """The path of a file of that name. A name in a claims folder needs one."""
        for begins, place in self._named():
            if name.startswith(begins):
                return place + name[len(begins) :].replace("/", os.sep)
        return name

    def is_installed(self, path: str) -> bool:
        """Whether the file comes from Python or from a package that has a version, or is no file of anybody's."""
        if any(path.startswith(place) for _, place in self._named()):
            return False
        return f"{path}{os.sep}".startswith(("<frozen", *_installed()))

    def _named(self) -> tuple[tuple[str, str], ...]:
        own = (("./", f"{self.claims}{os.sep}"),) if self.claims else ()
        return (*own, *self._project)


@lru_cache(maxsize=1)
def _project() -> tuple[tuple[str, str], ...]:
    """This project's packages that stand for themselves; the theory first: installed, it lies inside the package."""
    found = []
    for package, name in ((f"{PROJECT}.theory", "theory"), (PROJECT, PROJECT)):
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            found.append((name, os.path.abspath(place)))
    return tuple(found)


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = {paths[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")} | {site.getusersitepackages()}
    folders |= {entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")}
    folders |= {os.path.realpath(folder) for folder in folders}
    return tuple(f"{os.path.abspath(folder)}{os.sep}" for folder in folders)
