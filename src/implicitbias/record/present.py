"""What a record names, as it is now; and what has changed since, in words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from implicitbias.record import digests
from implicitbias.record.aside import BEGINNING
from implicitbias.record.found import forget_what_was_listed, where_now
from implicitbias.record.places import Places
from implicitbias.record.recorder import EVERY_VARIABLE, WORKING_DIRECTORY, of_variable
from implicitbias.record.used import KINDS, UNSTEADY, Used
from implicitbias.record.versions import version_of


class Present:
    """Files, modules, versions and the environment at one moment: each is looked at once, when it is first asked for.

    folder       the claims folder, if any
    environment  the environment variables of the workers that would run the checks
    """

    def __init__(self, folder: Path | None, environment: Mapping[str, str]) -> None:
        self._places = Places(None if folder is None else str(folder))
        self._environment = environment
        self._known: dict[tuple[str, str], str] = {}
        self._look: dict[str, Callable[[str], str]] = {
            "files": lambda name: digests.of_file(self._places.path_of(name)),
            "folders": lambda name: digests.of_folder(self._places.path_of(name)),
            "modules": lambda name: where_now(name, self._places),
            "versions": version_of,
            "environment": self._variable,
        }
        forget_what_was_listed()

    def changes(self, used: Used) -> tuple[str, ...]:
        """How what was used differs from what is there now, in words; empty if nothing does."""
        return (*self._differences(used), *used.unseen)

    def _differences(self, used: Used) -> Iterator[str]:
        for kind in KINDS:
            for name, before in getattr(used, kind).items():
                now = self._now(kind, name)
                if before != now:
                    yield _in_words(kind, name, before, now)

    def _now(self, kind: str, name: str) -> str:
        known = self._known.get((kind, name))
        if known is None:
            known = self._known[kind, name] = self._look[kind](name)
        return known

    def _variable(self, name: str) -> str:
        if name == WORKING_DIRECTORY:
            return digests.of_text(os.getcwd())
        if name.startswith(f"{WORKING_DIRECTORY}/"):
            return digests.of_file(os.path.join(os.getcwd(), name.removeprefix(f"{WORKING_DIRECTORY}/")))
        return of_variable(name, self._environment)


def _in_words(kind: str, name: str, before: str, now: str) -> str:
    shown = name.removeprefix("./")
    if before == UNSTEADY:
        return f"{shown} changed while it was used"
    if kind == "versions":
        return f"{name} {before} -> {now}"
    what = {
        "files": shown,
        "folders": f"the list of files in {shown}",
        "modules": f"the module {name}",
        "environment": name
        if name.startswith((WORKING_DIRECTORY, EVERY_VARIABLE, BEGINNING))
        else f"the environment variable {name}",
    }[kind]
    if digests.ABSENT in (before, now):
        return f"{what} {'is there now' if before == digests.ABSENT else 'is no longer there'}"
    return f"{what} is found in {now.removeprefix('./')} now" if kind == "modules" else f"{what} changed"
