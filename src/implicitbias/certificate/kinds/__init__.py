"""The kinds of certificate: each file in this folder is one kind, explains it, and names it in its KIND."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from ..reading import Kind


@cache
def all_kinds() -> dict[str, Kind]:
    """The kinds of certificate by name: the KIND of every file in this folder."""
    found: dict[str, Kind] = {}
    for file in pkgutil.iter_modules(__path__):
        kind: object = getattr(import_module(f"{__name__}.{file.name}"), "KIND", None)
        if not isinstance(kind, Kind) or kind.name in found:
            raise TypeError(f"kinds/{file.name}.py must have a KIND of its own")
        found[kind.name] = kind
    return found
