"""What a result was made from: everything that was loaded, opened, listed, looked for or asked while it was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

UNSTEADY = "changed while it was used"
"""In the place of a digest: no later one is equal to it."""


@dataclass(frozen=True)
class Used:
    """Names with digests (`implicitbias.record.digests`); what was looked for and not there is `absent`.

    files        modules and data, by their names of `Places`
    folders      folders whose names were listed
    modules      where the modules were found that were imported by an absolute name
    versions     distributions of third-party modules, and Python
    environment  environment variables that were read, and the working directory if a path was relative to it
    unseen       what cannot be recorded, in words: with any of it a result is never fresh
    """

    files: Mapping[str, str] = field(default_factory=dict)
    folders: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "unseen": list(self.unseen)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Used:
        return cls(**{**document, "unseen": tuple(document["unseen"])})


LOG = "record"
"""The file in a worker's own folder that tells what it has used so far, should it not live to say so itself."""

KINDS = ("files", "folders", "modules", "versions", "environment")


def together(records: Iterable[Used]) -> Used:
    """All that several records name. What they saw differently changed in between."""
    found: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
    unseen: dict[str, None] = {}
    for record in records:
        unseen |= dict.fromkeys(record.unseen)
        for kind, known in found.items():
            for name, seen in getattr(record, kind).items():
                known[name] = seen if known.get(name, seen) == seen else UNSTEADY
    return Used(**found, unseen=tuple(unseen))


def from_log(text: str) -> Used:
    """What a log tells: a whole record, then a line for each thing that was used after it. Raises ValueError."""
    first, *lines = text.splitlines()
    records = [Used.from_json(json.loads(first))]
    for kind, name, seen in map(json.loads, lines):
        records.append(Used.from_json({kind: {name: seen}, "unseen": ()} if seen else {"unseen": (name,)}))
    return together(records)
