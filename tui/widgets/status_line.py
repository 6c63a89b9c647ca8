"""The line at the top: the sums, and where results are kept."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from ..data.snapshot import Snapshot
from ..says.wording import ACCENT, BOLD, DIM, OWN, RED, counts, plain


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
        for words in (True, False):
            line = plain("implicitbias", BOLD) + _counted(snapshot, words)
            if line.cell_length <= width:
                break
        if snapshot.trouble:
            return line + plain(f"  ! {snapshot.trouble}", RED).truncate(
                max(0, width - line.cell_length), ellipsis=True
            )
        room = width - line.cell_length - 4  # two columns on either side
        name = self._ledger if len(self._ledger) <= room else self._ledger.rpartition("/")[2]
        return line + plain(f"  {name.rjust(room)}", DIM) if len(name) <= room else line


def _counted(snapshot: Snapshot, words: bool) -> Content:
    """Claims of the papers and results of our own, counted apart."""
    printed = [claim for claim in snapshot.claims if not claim.is_own_result]
    own = [claim for claim in snapshot.claims if claim.is_own_result]
    says = f"{len(printed)} of the papers" if own else f"{len(printed)} claim{'' if len(printed) == 1 else 's'}"
    line = plain(f"  {says}  ") + counts(snapshot.rolled_up(printed), words)
    if own:
        line += plain(f"  {OWN} ", ACCENT) + plain(f"{len(own)} our own  ") + counts(snapshot.rolled_up(own), words)
    return line
