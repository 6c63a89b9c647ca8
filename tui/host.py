"""What screens and widgets ask of the application that they run in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from textual.widget import Widget

from .data.progress import Progress
from .data.snapshot import Snapshot
from .settings import Settings


class Host(Protocol):
    @property
    def settings(self) -> Settings: ...

    @property
    def snapshot(self) -> Snapshot: ...

    @property
    def progress(self) -> Progress | None: ...

    @property
    def stopping(self) -> bool: ...

    def to_walk(self) -> None: ...

    def search(self) -> None: ...

    def go(self, claim_id: str) -> None: ...

    def go_to_paper(self, key: str) -> None: ...

    def read_evidence(self, asker: Widget, claim: str, check: str, group: str = "") -> None: ...

    def read_history(self, asker: Widget, claim: str, check: str) -> None: ...

    def recheck(self, asker: Widget, claim: str, check: str, documents: Sequence[Mapping[str, Any]]) -> None: ...

    def write_certificates(self, claim: str, check: str, documents: Sequence[Mapping[str, Any]]) -> str: ...
