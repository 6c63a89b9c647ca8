"""The versions of what is installed, read from its metadata: importing it would take seconds."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping
from functools import lru_cache

PYTHON = "python"
NOT_INSTALLED = "not installed"


def versions_of(modules: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Python, and the distributions that third-party modules of these first names come from.

    known   versions that need not be looked up: those of what a process has loaded stay what they are
    """
    names = {name for module in modules for name in distributions().get(module, ())}
    found = {name: (known or {}).get(name) or version_of(name) for name in sorted(names)}
    return {PYTHON: version_of(PYTHON), **found}


def version_of(distribution: str) -> str:
    if distribution == PYTHON:
        return platform.python_version()
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return NOT_INSTALLED


@lru_cache(maxsize=1)
def distributions() -> Mapping[str, tuple[str, ...]]:
    """The distributions that bring each module, by its first name."""
    return {name: tuple(found) for name, found in importlib.metadata.packages_distributions().items()}
