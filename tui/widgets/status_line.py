"""The line at the top: what adds up, and where results are kept."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from implicitbias.report.words import count

from ..data.snapshot import Snapshot
from ..says.wording import BOLD, DIM, RED, counts, plain


class StatusLine(Widget):
    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._snapshot: Snapshot | None = None
        self._ledger = ""

    def show(self, snapshot: Snapshot, ledger: str) -> None:
        self._snapshot, self._ledger = snapshot, ledger
        self.refresh()

    def render(self) -> Content:
        if self._snapshot is None:
            return plain("implicitbias", BOLD)
        snapshot, width = self._snapshot, self.size.width
        _, found = snapshot.rolled_up(snapshot.claims)
        pairs = [(str(word), number) for word, number in found.items()]
        left = plain("implicitbias", BOLD) + plain(f"  {count(len(snapshot.claims), 'claim')}  ")
        for words in (True, False):
            line = left + counts(pairs, words)
            if line.cell_length <= width:
                break
        if snapshot.trouble:
            return line + plain(f"  ! {snapshot.trouble}", RED).truncate(
                max(0, width - line.cell_length), ellipsis=True
            )
        room = width - line.cell_length - 2
        name = self._ledger if len(self._ledger) <= room else self._ledger.rpartition("/")[2]
        return line + plain(name.rjust(room), DIM) if len(name) <= room else line
