"""The versions of what is installed, read from its metadata: importing it would take seconds."""

from __future__ import annotations

import csv
import importlib.machinery
import importlib.metadata
import inspect
import platform
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

PYTHON = "python"
NOT_INSTALLED = "not installed"


def versions_of(modules: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Python, and the distributions that third-party modules of these first names come from.

    known   versions that need not be looked up: those of what a process has loaded stay what they are
    """
    names = {name for module in modules for name in _names(module)}
    versions = {name: (known or {}).get(name) or version_of(name) for name in sorted(names)}
    return {PYTHON: version_of(PYTHON), **versions}


def version_of(distribution: str) -> str:
    if distribution == PYTHON:
        return platform.python_version()
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return NOT_INSTALLED


@cache
def _names(module: str) -> tuple[str, ...]:
    """The names of the distributions that bring the module: each is found by parsing metadata."""
    return tuple(str(found.metadata["Name"]) for found in _bringing().get(module, ()))


@lru_cache(maxsize=1)
def _bringing() -> Mapping[str, list[importlib.metadata.Distribution]]:
    """The distributions that bring each module, by its first name.

    `importlib.metadata.packages_distributions` says the same; but it makes a path of every file that is installed and
    reads all metadata, in every worker a seventh of a second.
    """
    found = defaultdict(list)
    for distribution in importlib.metadata.distributions():
        for module in (distribution.read_text("top_level.txt") or "").split() or _modules_in(distribution):
            found[module].append(distribution)
    return found


def _modules_in(distribution: importlib.metadata.Distribution) -> set[str]:
    """The first names of the modules among a distribution's files."""
    record = distribution.read_text("RECORD")
    listed = map(str, distribution.files or ()) if record is None else _first_column(record)
    parts = {path.partition("/")[::2] for path in listed if path.endswith(_MODULES)}
    return {first if rest else str(inspect.getmodulename(first)) for first, rest in parts}


def _first_column(table: str) -> Iterator[str]:
    return (row[0] for row in csv.reader(table.splitlines()))


_MODULES = tuple(importlib.machinery.all_suffixes())
