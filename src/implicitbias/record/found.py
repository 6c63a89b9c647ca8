"""Where a module is found, in words that can be compared on another day."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from implicitbias.record import digests
from implicitbias.record.places import Places


def where(spec: Any, places: Places) -> str:
    """Where the module of this specification is: its file, or that it is installed."""
    if spec is None:
        return digests.ABSENT
    origin = getattr(spec, "origin", None)
    if origin in ("built-in", "frozen"):
        return digests.INSTALLED
    if isinstance(origin, str):
        path = os.path.abspath(origin)
        return digests.INSTALLED if places.is_installed(path) else places.name_of(path)
    portions = [os.path.abspath(place) for place in (getattr(spec, "submodule_search_locations", None) or ())]
    if all(places.is_installed(f"{place}{os.sep}") for place in portions):
        return digests.INSTALLED
    return f"in {', '.join(map(places.name_of, portions))}"


def where_now(name: str, places: Places) -> str:
    """Where an import of that absolute name would find the module now, if nothing were loaded yet."""
    path: Any = None
    spec: Any = None
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        spec = _spec(".".join(parts[:end]), path)
        if spec is None:
            return digests.ABSENT
        path = spec.submodule_search_locations
    return where(spec, places)


def _spec(name: str, path: Any) -> Any:
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec = find(name, path) if find is not None else None
        if spec is not None:
            return spec
    return None


def forget_what_was_listed() -> None:
    """Let later looks see modules that have come since."""
    importlib.invalidate_caches()
